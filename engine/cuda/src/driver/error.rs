//! The driver's numbers as errors.

use std::ffi::{CStr, c_char, c_int};
use std::ptr;

use cust::error::CudaError;
use cust::sys::CUresult;

use super::slots::last;
use super::types::DriverError;

/// `cudaErrorInvalidValue`.
pub(super) const INVALID_VALUE: c_int = 1;

unsafe extern "C" {
    // `cust::sys` declares them for the numbers of its enum only.
    fn cuGetErrorName(code: c_int, name: *mut *const c_char) -> c_int;
    fn cuGetErrorString(code: c_int, text: *mut *const c_char) -> c_int;
}

/// The result of this thread's last call of the driver, which is that of `call`.
pub(super) fn check(call: &'static str, result: CUresult) -> Result<(), DriverError> {
    if result == CUresult::CUDA_SUCCESS { Ok(()) } else { Err(error(call, last())) }
}

/// The same where `cust` made the call. What `cust` says of the error is not the driver's number (see `slots`).
pub(super) fn of_cust(call: &'static str) -> impl Fn(CudaError) -> DriverError {
    move |_| error(call, last())
}

/// The error that a number stands for.
pub(super) fn error(call: &'static str, code: c_int) -> DriverError {
    let message = describe(code);
    if is_sticky(code) {
        DriverError::Sticky { code, message }
    } else {
        DriverError::Call { call, code, message }
    }
}

/// Whether every later call in the process fails too. These are the codes that "leave the process in an
/// inconsistent state" by the driver API's description, hardware faults, and a destroyed context.
fn is_sticky(code: c_int) -> bool {
    const ECC_UNCORRECTABLE: c_int = 214;
    const NVLINK_UNCORRECTABLE: c_int = 220;
    const CONTAINED: c_int = 226;
    const ILLEGAL_ADDRESS: c_int = 700;
    const LAUNCH_TIMEOUT: c_int = 702;
    const CONTEXT_IS_DESTROYED: c_int = 709;
    const ASSERT: c_int = 710;
    const HARDWARE_STACK_ERROR: c_int = 714;
    const LAUNCH_FAILED: c_int = 719;
    const TENSOR_MEMORY_LEAK: c_int = 721;
    matches!(
        code,
        ECC_UNCORRECTABLE
            | NVLINK_UNCORRECTABLE
            | CONTAINED
            | ILLEGAL_ADDRESS
            | LAUNCH_TIMEOUT
            | CONTEXT_IS_DESTROYED
            | ASSERT
            | HARDWARE_STACK_ERROR..=LAUNCH_FAILED | TENSOR_MEMORY_LEAK
    )
}

/// The driver's text and name for a number: "an illegal memory access was encountered (`CUDA_ERROR_ILLEGAL_ADDRESS`)".
pub(super) fn describe(code: c_int) -> String {
    let text = words(cuGetErrorString, code);
    let name = words(cuGetErrorName, code);
    match (text, name) {
        (Some(text), Some(name)) => format!("{text} ({name})"),
        _ => format!("error {code} of the driver"),
    }
}

fn words(ask: unsafe extern "C" fn(c_int, *mut *const c_char) -> c_int, code: c_int) -> Option<String> {
    let mut text = ptr::null();
    // SAFETY: the driver writes a pointer to a static string, or NULL.
    let status = unsafe { ask(code, &raw mut text) };
    if status != 0 || text.is_null() {
        return None;
    }
    // SAFETY: as above.
    Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_context_is_told_from_a_refused_call() {
        for code in [214, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719] {
            assert!(
                matches!(error("cuCtxSynchronize", code), DriverError::Sticky { code: c, .. } if c == code)
            );
        }
        for code in [1, 2, 100, 209, 400, 500, 600, 701, 720, 801] {
            let DriverError::Call { call, code: kept, message } = error("cuMemAlloc", code) else {
                panic!("{code} is not sticky");
            };
            // Without a driver there is no text for it.
            assert_eq!((call, kept), ("cuMemAlloc", code));
            assert!(!message.is_empty());
        }
    }
}
