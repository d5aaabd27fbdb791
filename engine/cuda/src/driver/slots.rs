//! The functions of libcuda, defined here and filled in at run time.
//!
//! Each symbol calls through its slot. Until [`load`] succeeds, every slot leads to a function that answers
//! "no device"; afterwards, a function that an old driver lacks answers "not supported". The list holds every
//! function that `cust` 0.3.2 can call and those that this folder calls itself; a missing symbol fails at link
//! time.
//!
//! `cust` takes the driver's answer as an enum of CUDA 11. A newer driver answers with numbers outside that
//! enum, which is undefined behaviour in Rust. So each symbol passes the answer to [`keep`], and `cust` sees
//! only success or "unknown". [`last`] gives the number itself.

use std::arch::global_asm;
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use libloading::Library;

const NO_DEVICE: c_int = 100;
const NOT_SUPPORTED: c_int = 801;
const UNKNOWN: c_int = 999;

/// Where the driver is: in the loader's path, in WSL, on NixOS.
const LIBRARIES: [&str; 3] =
    ["libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1", "/run/opengl-driver/lib/libcuda.so.1"];

extern "C" fn no_device() -> c_int {
    NO_DEVICE
}

extern "C" fn not_supported() -> c_int {
    NOT_SUPPORTED
}

thread_local! {
    static LAST: Cell<c_int> = const { Cell::new(0) };
}

/// What the driver answered to this thread's last call.
pub(super) fn last() -> c_int {
    LAST.get()
}

/// Keeps the driver's number for [`last`], and returns one that the enum of `cust` has.
extern "C" fn keep(code: c_int) -> c_int {
    LAST.set(code);
    if code == 0 { 0 } else { UNKNOWN }
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
            // The first six arguments stay in their registers. `cuLaunchKernel` has five more, on the stack, so
            // five words are copied for every function; they also align the stack for the call.
            global_asm!(
                ".text",
                concat!(".globl ", stringify!($name)),
                concat!(".type ", stringify!($name), ", @function"),
                concat!(stringify!($name), ":"),
                ".cfi_startproc",
                ".rept 5",
                "push qword ptr [rsp + 40]",
                ".cfi_adjust_cfa_offset 8",
                ".endr",
                "call qword ptr [rip + {slot}]",
                "add rsp, 40",
                ".cfi_adjust_cfa_offset -40",
                "mov edi, eax",
                "jmp {keep}",
                ".cfi_endproc",
                concat!(".size ", stringify!($name), ", . - ", stringify!($name)),
                slot = sym slot::$name,
                keep = sym keep,
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
    cuGetErrorString cuGraphAddKernelNode cuGraphCreate cuGraphDebugDotPrint cuGraphDestroy cuGraphGetEdges
    cuGraphGetNodes cuGraphKernelNodeGetParams cuGraphNodeGetType cuImportExternalMemory cuInit
    cuLaunchCooperativeKernel cuLaunchHostFunc cuLaunchKernel cuLinkAddData_v2 cuLinkComplete cuLinkCreate_v2
    cuLinkDestroy cuMemAdvise cuMemAllocAsync cuMemAllocHost_v2 cuMemAllocManaged cuMemAlloc_v2 cuMemFreeAsync
    cuMemFreeHost cuMemFree_v2 cuMemGetInfo_v2 cuMemPrefetchAsync cuMemcpy2DAsync_v2 cuMemcpy2D_v2 cuMemcpyAtoH_v2
    cuMemcpyDtoDAsync_v2 cuMemcpyDtoD_v2 cuMemcpyDtoHAsync_v2 cuMemcpyDtoH_v2 cuMemcpyHtoA_v2
    cuMemcpyHtoDAsync_v2 cuMemcpyHtoD_v2 cuMemsetD16Async cuMemsetD16_v2 cuMemsetD32Async cuMemsetD32_v2
    cuMemsetD2D8Async cuMemsetD8Async cuMemsetD8_v2 cuModuleGetFunction cuModuleGetGlobal_v2 cuModuleLoad cuModuleLoadData
    cuModuleLoadDataEx cuModuleUnload cuOccupancyAvailableDynamicSMemPerBlock
    cuOccupancyMaxActiveBlocksPerMultiprocessor cuOccupancyMaxPotentialBlockSize cuStreamCreateWithPriority
    cuStreamDestroy_v2 cuStreamGetFlags cuStreamGetPriority cuStreamSynchronize cuStreamWaitEvent
    cuStreamWaitValue32_v2 cuSurfObjectCreate cuSurfObjectDestroy cuSurfObjectGetResourceDesc
    cuTexObjectCreate cuTexObjectDestroy cuTexObjectGetResourceDesc
}

/// Opens libcuda and fills the slots once. The error is the loader's message.
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

/// The library stays open until the process ends, because the slots point into it.
fn fill(library: &'static Library) {
    for (name, slot) in SLOTS {
        // SAFETY: nothing is called here, only the address is taken.
        let found = unsafe { library.get::<*mut c_void>(name.as_bytes()) };
        // The address of the symbol, not the value at that address.
        let address = found.ok().and_then(|symbol| {
            // SAFETY: the driver is never unloaded, so the address outlives the symbol.
            unsafe { symbol.try_as_raw_ptr() }
        });
        slot.store(address.unwrap_or(not_supported as *mut c_void), Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use cust::sys::{self, CUresult};

    use super::*;

    const OF_A_NEWER_DRIVER: c_int = 12_345;

    /// `cuLaunchKernel`, which fails if an argument is not the one that the test gives.
    extern "C" fn launch(
        function: usize,
        x: u32,
        y: u32,
        z: u32,
        block_x: u32,
        block_y: u32,
        block_z: u32,
        shared: u32,
        stream: usize,
        parameters: usize,
        extra: usize,
    ) -> c_int {
        let sizes = [x, y, z, block_x, block_y, block_z, shared];
        let pointers = [function, stream, parameters, extra];
        if sizes == [1, 2, 3, 4, 5, 6, 7] && pointers == [8, 9, 10, 11] { OF_A_NEWER_DRIVER } else { 0 }
    }

    extern "C" fn succeed() -> c_int {
        0
    }

    #[test]
    fn all_arguments_arrive_and_an_unknown_number_is_kept() {
        let call = || {
            let [function, stream, parameters, extra] = [8, 9, 10, 11].map(ptr::without_provenance_mut::<u8>);
            // SAFETY: leads to one of the functions above, which follow no pointer.
            unsafe {
                sys::cuLaunchKernel(
                    function.cast(),
                    1,
                    2,
                    3,
                    4,
                    5,
                    6,
                    7,
                    stream.cast(),
                    parameters.cast(),
                    extra.cast(),
                )
            }
        };
        let slot = &slot::cuLaunchKernel;
        let before = slot.swap(launch as *mut c_void, Ordering::AcqRel);
        assert_eq!((call(), last()), (CUresult::CUDA_ERROR_UNKNOWN, OF_A_NEWER_DRIVER));
        slot.store(succeed as *mut c_void, Ordering::Release);
        assert_eq!((call(), last()), (CUresult::CUDA_SUCCESS, 0));
        slot.store(before, Ordering::Release);
    }
}
