//! libcuda's functions, defined here and filled in at run time.
//!
//! Each symbol is one jump through its slot. Until [`load`] succeeds every slot leads to a function that
//! answers "no device"; afterwards, a function that an old driver lacks answers "not supported". The list
//! holds all that `cust` 0.3.2 can call (generic code is only linked where used) and what `calls` adds; a
//! symbol missing here fails at link time.

use std::arch::global_asm;
use std::ffi::{c_int, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use libloading::Library;

const NO_DEVICE: c_int = 100;
const NOT_SUPPORTED: c_int = 801;

/// Where the driver lies: in the loader's path, in WSL, on NixOS.
const LIBRARIES: [&str; 3] =
    ["libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1", "/run/opengl-driver/lib/libcuda.so.1"];

extern "C" fn no_device() -> c_int {
    NO_DEVICE
}

extern "C" fn not_supported() -> c_int {
    NOT_SUPPORTED
}

macro_rules! forward {
    ($($name:ident)*) => {
        mod slot {
            use super::*;
            $(
                #[expect(non_upper_case_globals, reason = "named as the driver names the function")]
                pub(super) static $name: AtomicPtr<c_void> = AtomicPtr::new(no_device as *mut c_void);
            )*
        }

        $(
            // The arguments stay in their registers and on the stack, whatever they are.
            global_asm!(
                ".text",
                concat!(".globl ", stringify!($name)),
                concat!(".type ", stringify!($name), ", @function"),
                concat!(stringify!($name), ":"),
                "jmp qword ptr [rip + {slot}]",
                concat!(".size ", stringify!($name), ", . - ", stringify!($name)),
                slot = sym slot::$name,
            );
        )*

        const SLOTS: &[(&str, &AtomicPtr<c_void>)] =
            &[$((concat!(stringify!($name), "\0"), &slot::$name)),*];
    };
}

forward! {
    cuArray3DCreate_v2 cuArray3DGetDescriptor_v2 cuArrayDestroy cuCtxCreate_v2 cuCtxDestroy_v2
    cuCtxGetApiVersion cuCtxGetCacheConfig cuCtxGetCurrent cuCtxGetDevice cuCtxGetFlags cuCtxGetLimit
    cuCtxGetSharedMemConfig cuCtxGetStreamPriorityRange cuCtxPopCurrent_v2 cuCtxPushCurrent_v2
    cuCtxSetCacheConfig cuCtxSetCurrent cuCtxSetLimit cuCtxSetSharedMemConfig cuCtxSynchronize
    cuDestroyExternalMemory cuDeviceGet cuDeviceGetAttribute cuDeviceGetCount cuDeviceGetName
    cuDevicePrimaryCtxRelease_v2 cuDevicePrimaryCtxReset_v2 cuDevicePrimaryCtxRetain
    cuDevicePrimaryCtxSetFlags_v2 cuDeviceTotalMem_v2 cuDriverGetVersion cuEventCreate cuEventDestroy_v2
    cuEventElapsedTime cuEventQuery cuEventRecord cuEventSynchronize cuExternalMemoryGetMappedBuffer
    cuFuncGetAttribute cuFuncSetAttribute cuFuncSetCacheConfig cuFuncSetSharedMemConfig cuGetErrorName
    cuGetErrorString cuGraphAddKernelNode cuGraphCreate cuGraphDebugDotPrint cuGraphDestroy
    cuGraphGetEdges cuGraphGetNodes cuGraphKernelNodeGetParams cuGraphNodeGetType cuImportExternalMemory
    cuInit cuLaunchCooperativeKernel cuLaunchHostFunc cuLaunchKernel cuLinkAddData_v2 cuLinkComplete cuLinkCreate_v2 cuLinkDestroy
    cuMemAdvise cuMemAllocAsync cuMemAllocHost_v2 cuMemAllocManaged cuMemAlloc_v2 cuMemFreeAsync
    cuMemFreeHost cuMemFree_v2 cuMemGetInfo_v2 cuMemPrefetchAsync cuMemcpy2D_v2 cuMemcpyAtoH_v2
    cuMemcpyDtoDAsync_v2 cuMemcpyDtoD_v2 cuMemcpyDtoHAsync_v2 cuMemcpyDtoH_v2 cuMemcpyHtoA_v2
    cuMemcpyHtoDAsync_v2 cuMemcpyHtoD_v2 cuMemsetD16Async cuMemsetD16_v2 cuMemsetD32Async cuMemsetD32_v2
    cuMemsetD8Async cuMemsetD8_v2 cuModuleGetFunction cuModuleGetGlobal_v2 cuModuleLoad cuModuleLoadData
    cuModuleLoadDataEx cuModuleUnload cuOccupancyAvailableDynamicSMemPerBlock
    cuOccupancyMaxActiveBlocksPerMultiprocessor cuOccupancyMaxPotentialBlockSize cuStreamCreate
    cuStreamCreateWithPriority cuStreamDestroy_v2 cuStreamGetFlags cuStreamGetPriority cuStreamQuery
    cuStreamSynchronize cuStreamWaitEvent cuStreamWaitValue32_v2 cuSurfObjectCreate cuSurfObjectDestroy
    cuSurfObjectGetResourceDesc cuTexObjectCreate cuTexObjectDestroy cuTexObjectGetResourceDesc
}

/// Opens libcuda and fills the slots, once; the error is the loader's.
pub(super) fn load() -> Result<(), String> {
    static LOADED: OnceLock<Result<(), String>> = OnceLock::new();
    LOADED.get_or_init(|| open().map(|library| fill(Box::leak(Box::new(library))))).clone()
}

fn open() -> Result<Library, String> {
    let mut reasons = Vec::new();
    for name in LIBRARIES {
        // SAFETY: the driver's initialisers have no requirements.
        match unsafe { Library::new(name) } {
            Ok(library) => return Ok(library),
            Err(error) => reasons.push(error),
        }
    }
    let first = reasons.first().and_then(std::error::Error::source);
    Err(first.map_or_else(|| format!("`{}` was not found", LIBRARIES[0]), ToString::to_string))
}

/// The library stays open for good: the slots point into it.
fn fill(library: &'static Library) {
    for (name, slot) in SLOTS {
        // SAFETY: nothing is called here, only the address is taken.
        let found = unsafe { library.get::<*mut c_void>(name.as_bytes()) };
        // The symbol's own address, not what lies there.
        let address = found.ok().and_then(|symbol| {
            // SAFETY: the driver is never unloaded, so the address outlives the symbol.
            unsafe { symbol.try_as_raw_ptr() }
        });
        slot.store(address.unwrap_or(not_supported as *mut c_void), Ordering::Release);
    }
}
