//! One GPU's context and the module in it.

use std::collections::HashMap;
use std::ffi::CString;
use std::ptr;
use std::rc::Rc;

use cust::context::{Context, CurrentContext};
use cust::sys::{CUfunction, CUmodule};

use super::calls;
use super::error::{check, error, of_cust};
use super::types::DriverError;
use crate::cubin::{cubin_resources, is_whole};

/// `cudaErrorInvalidKernelImage`.
const INVALID_IMAGE: i32 = 200;

/// A context that lives as long as anything made in it. Not `Send`: a context is current to a thread.
pub(super) type SharedContext = Rc<Context>;

/// Makes the context current. The driver keeps one for each thread, and another [`super::Gpu`] may have set
/// its own.
pub(super) fn enter(context: &Context) -> Result<(), DriverError> {
    CurrentContext::set_current(context).map_err(of_cust("cuCtxSetCurrent"))
}

/// A loaded cubin.
#[derive(Debug)]
pub(super) struct Module {
    handle: CUmodule,
    /// Offset and size of each parameter of each kernel.
    parameters: HashMap<String, Vec<(u32, u32)>>,
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
        // Copied to be aligned as an allocation is; text would end at the NUL.
        let image = [cubin, &[0]].concat();
        let mut handle: CUmodule = ptr::null_mut();
        // SAFETY: the driver reads what the cubin's headers speak of, which lies within, and copies it.
        let status = unsafe { calls::cuModuleLoadData(&raw mut handle, image.as_ptr().cast()) };
        check("cuModuleLoadData", status)?;
        Ok(Self { handle, parameters, context: Rc::clone(context) })
    }

    /// A kernel by its mangled name. An unknown one is `cudaErrorInvalidDeviceFunction`.
    pub(super) fn function(&self, name: &str) -> Result<CUfunction, DriverError> {
        const INVALID_DEVICE_FUNCTION: i32 = 98;
        let mut function: CUfunction = ptr::null_mut();
        let text = c_name("cuModuleGetFunction", name)?;
        // SAFETY: the module is loaded, the name lives during the call.
        let status = unsafe { calls::cuModuleGetFunction(&raw mut function, self.handle, text.as_ptr()) };
        found("cuModuleGetFunction", status, INVALID_DEVICE_FUNCTION, || {
            format!("there is no kernel `{name}`")
        })?;
        Ok(function)
    }

    /// A variable's address and size. An unknown one is `cudaErrorInvalidSymbol`.
    pub(super) fn variable(&self, name: &str) -> Result<(u64, u64), DriverError> {
        const INVALID_SYMBOL: i32 = 13;
        let (mut address, mut bytes) = (0, 0);
        let text = c_name("cuModuleGetGlobal", name)?;
        // SAFETY: the module is loaded; both results and the name live during the call.
        let status = unsafe {
            calls::cuModuleGetGlobal_v2(&raw mut address, &raw mut bytes, self.handle, text.as_ptr())
        };
        found("cuModuleGetGlobal", status, INVALID_SYMBOL, || {
            format!("there is no `__device__` or `__constant__` variable `{name}`")
        })?;
        Ok((address, bytes as u64))
    }

    /// What a kernel takes; `None` if the cubin does not say.
    pub(super) fn parameters(&self, kernel: &str) -> Option<&[(u32, u32)]> {
        self.parameters.get(kernel).map(Vec::as_slice)
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        if enter(&self.context).is_ok() {
            // SAFETY: loaded and not unloaded before. After a sticky error it fails, and nothing is lost.
            unsafe { calls::cuModuleUnload(self.handle) };
        }
    }
}

fn c_name(call: &'static str, name: &str) -> Result<CString, DriverError> {
    CString::new(name).map_err(|_| super::regions::refuse(call, "a name holds a NUL byte".to_owned()))
}

/// The driver says "not found" for all names; the runtime has a number for each kind.
fn found(
    call: &'static str,
    status: i32,
    code: i32,
    message: impl Fn() -> String,
) -> Result<(), DriverError> {
    const NOT_FOUND: i32 = 500;
    match status {
        0 => Ok(()),
        NOT_FOUND => Err(DriverError::Call { call, code, message: message() }),
        status => Err(error(call, status)),
    }
}
