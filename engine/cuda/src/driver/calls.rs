//! The driver's functions with the number they answer kept as a number, whatever the driver's version.
//!
//! Declared as in `cuda.h`; the definitions are the jumps of `slots`.

use std::ffi::{c_char, c_int, c_uint, c_void};

use cust::sys::{CUdevice, CUdeviceptr, CUevent, CUfunction, CUmodule, CUstream};

use super::images::{ArrayDescription, Copy2D, ResourceDescription, TextureDescription};

unsafe extern "C" {
    pub(super) fn cuInit(flags: c_uint) -> c_int;
    pub(super) fn cuGetErrorName(code: c_int, name: *mut *const c_char) -> c_int;
    pub(super) fn cuGetErrorString(code: c_int, text: *mut *const c_char) -> c_int;
    pub(super) fn cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: CUdevice) -> c_int;
    pub(super) fn cuCtxSynchronize() -> c_int;

    pub(super) fn cuModuleLoadData(module: *mut CUmodule, image: *const c_void) -> c_int;
    pub(super) fn cuModuleUnload(module: CUmodule) -> c_int;
    pub(super) fn cuModuleGetFunction(
        function: *mut CUfunction,
        module: CUmodule,
        name: *const c_char,
    ) -> c_int;
    pub(super) fn cuModuleGetGlobal_v2(
        address: *mut CUdeviceptr,
        bytes: *mut usize,
        module: CUmodule,
        name: *const c_char,
    ) -> c_int;

    pub(super) fn cuMemAlloc_v2(address: *mut CUdeviceptr, bytes: usize) -> c_int;
    pub(super) fn cuMemAllocManaged(address: *mut CUdeviceptr, bytes: usize, flags: c_uint) -> c_int;
    pub(super) fn cuMemFree_v2(address: CUdeviceptr) -> c_int;
    pub(super) fn cuMemAllocHost_v2(pointer: *mut *mut c_void, bytes: usize) -> c_int;
    pub(super) fn cuMemFreeHost(pointer: *mut c_void) -> c_int;
    pub(super) fn cuMemcpyHtoD_v2(to: CUdeviceptr, from: *const c_void, bytes: usize) -> c_int;
    pub(super) fn cuMemcpyDtoH_v2(to: *mut c_void, from: CUdeviceptr, bytes: usize) -> c_int;
    pub(super) fn cuMemcpyHtoDAsync_v2(
        to: CUdeviceptr,
        from: *const c_void,
        bytes: usize,
        stream: CUstream,
    ) -> c_int;
    pub(super) fn cuMemcpyDtoHAsync_v2(
        to: *mut c_void,
        from: CUdeviceptr,
        bytes: usize,
        stream: CUstream,
    ) -> c_int;
    pub(super) fn cuMemcpyDtoDAsync_v2(
        to: CUdeviceptr,
        from: CUdeviceptr,
        bytes: usize,
        stream: CUstream,
    ) -> c_int;
    pub(super) fn cuMemsetD8Async(to: CUdeviceptr, value: u8, bytes: usize, stream: CUstream) -> c_int;

    // An array is a pointer that only the driver follows; here it is its number.
    pub(super) fn cuArray3DCreate_v2(array: *mut u64, description: *const ArrayDescription) -> c_int;
    pub(super) fn cuArrayDestroy(array: u64) -> c_int;
    pub(super) fn cuMemcpy2D_v2(copy: *const Copy2D) -> c_int;
    pub(super) fn cuTexObjectCreate(
        object: *mut u64,
        resource: *const ResourceDescription,
        texture: *const TextureDescription,
        view: *const c_void,
    ) -> c_int;
    pub(super) fn cuTexObjectDestroy(object: u64) -> c_int;
    pub(super) fn cuSurfObjectCreate(object: *mut u64, resource: *const ResourceDescription) -> c_int;
    pub(super) fn cuSurfObjectDestroy(object: u64) -> c_int;

    pub(super) fn cuFuncGetAttribute(value: *mut c_int, attribute: c_int, function: CUfunction) -> c_int;
    pub(super) fn cuFuncSetAttribute(function: CUfunction, attribute: c_int, value: c_int) -> c_int;
    pub(super) fn cuOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks: *mut c_int,
        function: CUfunction,
        block: c_int,
        dynamic_shared: usize,
    ) -> c_int;
    pub(super) fn cuLaunchCooperativeKernel(
        function: CUfunction,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        dynamic_shared: c_uint,
        stream: CUstream,
        parameters: *mut *mut c_void,
    ) -> c_int;
    pub(super) fn cuLaunchKernel(
        function: CUfunction,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        dynamic_shared: c_uint,
        stream: CUstream,
        parameters: *mut *mut c_void,
        extra: *mut *mut c_void,
    ) -> c_int;

    pub(super) fn cuStreamCreate(stream: *mut CUstream, flags: c_uint) -> c_int;
    pub(super) fn cuStreamDestroy_v2(stream: CUstream) -> c_int;
    pub(super) fn cuStreamSynchronize(stream: CUstream) -> c_int;
    pub(super) fn cuStreamQuery(stream: CUstream) -> c_int;
    pub(super) fn cuStreamWaitEvent(stream: CUstream, event: CUevent, flags: c_uint) -> c_int;
    pub(super) fn cuStreamWaitValue32_v2(
        stream: CUstream,
        address: CUdeviceptr,
        value: u32,
        flags: c_uint,
    ) -> c_int;
    pub(super) fn cuEventCreate(event: *mut CUevent, flags: c_uint) -> c_int;
    pub(super) fn cuEventDestroy_v2(event: CUevent) -> c_int;
    pub(super) fn cuEventRecord(event: CUevent, stream: CUstream) -> c_int;
    pub(super) fn cuEventQuery(event: CUevent) -> c_int;
    pub(super) fn cuEventSynchronize(event: CUevent) -> c_int;
    pub(super) fn cuEventElapsedTime(milliseconds: *mut f32, start: CUevent, stop: CUevent) -> c_int;
}
