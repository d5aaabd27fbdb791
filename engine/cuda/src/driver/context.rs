//! One GPU's context and the module in it.

use std::collections::HashMap;
use std::ffi::CString;
use std::ptr;
use std::rc::Rc;

use cust::context::{Context, CurrentContext};
use cust::sys::{self, CUfunction, CUmodule, CUresult};

use super::error::{check, of_cust};
use super::regions::refuse;
use super::slots::last;
use super::types::DriverError;
use crate::cubin::{cubin_resources, cubin_variables, is_whole};

/// `cudaErrorInvalidKernelImage`.
const INVALID_IMAGE: i32 = 200;

/// A context that lives as long as anything made in it. Not `Send`: a context is current to a thread.
pub(super) type SharedContext = Rc<Context>;

/// Makes the context current. The driver keeps one current context per thread, and another [`super::Gpu`] may
/// have set its own.
pub(super) fn enter(context: &Context) -> Result<(), DriverError> {
    CurrentContext::set_current(context).map_err(of_cust("cuCtxSetCurrent"))
}

/// A loaded cubin.
#[derive(Debug)]
pub(super) struct Module {
    handle: CUmodule,
    /// Offset and size of each parameter of each kernel.
    parameters: HashMap<String, Vec<(u32, u32)>>,
    /// Names of its variables.
    pub(super) variables: Vec<String>,
    context: SharedContext,
}

impl Module {
    pub(super) fn load(context: &SharedContext, cubin: &[u8]) -> Result<Self, DriverError> {
        enter(context)?;
        let kernels = cubin_resources(cubin);
        let parameters = kernels.into_iter().map(|kernel| (kernel.name, kernel.parameters)).collect();
        if !is_whole(cubin) {
            let message = format!("these {} bytes are not a whole cubin", cubin.len());
            return Err(DriverError::Call { call: "cuModuleLoadData", code: INVALID_IMAGE, message });
        }
        // A copy has the alignment of an allocation. The driver would read text up to the NUL.
        let image = [cubin, &[0]].concat();
        let mut handle: CUmodule = ptr::null_mut();
        // SAFETY: the driver copies what the headers name, and `is_whole` has found all of it inside the image.
        let result = unsafe { sys::cuModuleLoadData(&raw mut handle, image.as_ptr().cast()) };
        check("cuModuleLoadData", result)?;
        Ok(Self { handle, parameters, variables: cubin_variables(cubin), context: Rc::clone(context) })
    }

    /// A kernel by its mangled name. An unknown one is `cudaErrorInvalidDeviceFunction`.
    pub(super) fn function(&self, name: &str) -> Result<CUfunction, DriverError> {
        const CALL: &str = "cuModuleGetFunction";
        const INVALID_DEVICE_FUNCTION: i32 = 98;
        let mut function: CUfunction = ptr::null_mut();
        let text = c_name(CALL, name)?;
        // SAFETY: the module is loaded; the result and the name live during the call.
        let result = unsafe { sys::cuModuleGetFunction(&raw mut function, self.handle, text.as_ptr()) };
        found(CALL, result, INVALID_DEVICE_FUNCTION, || format!("there is no kernel `{name}`"))?;
        Ok(function)
    }

    /// A variable's address and size. An unknown one is `cudaErrorInvalidSymbol`.
    pub(super) fn variable(&self, name: &str) -> Result<(u64, u64), DriverError> {
        const CALL: &str = "cuModuleGetGlobal";
        const INVALID_SYMBOL: i32 = 13;
        let (mut address, mut bytes) = (0, 0);
        let text = c_name(CALL, name)?;
        // SAFETY: the module is loaded; both results and the name live during the call.
        let result = unsafe {
            sys::cuModuleGetGlobal_v2(&raw mut address, &raw mut bytes, self.handle, text.as_ptr())
        };
        found(CALL, result, INVALID_SYMBOL, || {
            format!("there is no `__device__` or `__constant__` variable `{name}`")
        })?;
        Ok((address, bytes as u64))
    }

    /// Offset and size of each parameter of a kernel; `None` if the cubin does not list them.
    pub(super) fn parameters(&self, kernel: &str) -> Option<&[(u32, u32)]> {
        self.parameters.get(kernel).map(Vec::as_slice)
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        if enter(&self.context).is_ok() {
            // SAFETY: loaded and not unloaded before. It fails after a sticky error, and then nothing is lost.
            unsafe { sys::cuModuleUnload(self.handle) };
        }
    }
}

fn c_name(call: &'static str, name: &str) -> Result<CString, DriverError> {
    CString::new(name).map_err(|_| refuse(call, "a name holds a NUL byte".to_owned()))
}

/// The driver says "not found" for every kind of name; the runtime has one number per kind.
fn found(
    call: &'static str,
    result: CUresult,
    code: i32,
    message: impl Fn() -> String,
) -> Result<(), DriverError> {
    const NOT_FOUND: i32 = 500;
    if last() == NOT_FOUND {
        return Err(DriverError::Call { call, code, message: message() });
    }
    check(call, result)
}
