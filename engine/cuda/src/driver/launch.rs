//! Launching a kernel, and the driver's attributes of it.

use std::ffi::c_void;
use std::ptr;

use cust::sys::{self, CUfunction, CUfunction_attribute as Number};

use super::context::enter;
use super::error::check;
use super::gpu::{Gpu, Limits};
use super::regions::refuse;
use super::stream::Stream;
use super::types::{DriverError, FunctionAttribute};

const LAUNCH: &str = "cuLaunchKernel";
const INVALID_CONFIGURATION: i32 = 9;

impl Gpu {
    /// Launches a kernel of the module on the default stream and returns at once. `arguments` holds the bytes of
    /// each argument.
    pub fn launch(
        &self,
        kernel: &str,
        grid: [u32; 3],
        block: [u32; 3],
        dynamic_shared: u32,
        arguments: &[Vec<u8>],
    ) -> Result<(), DriverError> {
        self.launch_in(None, kernel, grid, block, dynamic_shared, arguments)
    }

    /// The same on a stream; `None` is the default one.
    pub fn launch_in(
        &self,
        stream: Option<&Stream>,
        kernel: &str,
        grid: [u32; 3],
        block: [u32; 3],
        dynamic_shared: u32,
        arguments: &[Vec<u8>],
    ) -> Result<(), DriverError> {
        self.prepared(kernel, (grid, block, dynamic_shared), arguments, |function, parameters| {
            let ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]) = (grid, block);
            let (stream, extra) = (Stream::handle(stream), ptr::null_mut());
            // SAFETY: `prepared` has checked the arguments, and the function's module is loaded.
            let result = unsafe {
                sys::cuLaunchKernel(
                    function,
                    grid_x,
                    grid_y,
                    grid_z,
                    block_x,
                    block_y,
                    block_z,
                    dynamic_shared,
                    stream,
                    parameters,
                    extra,
                )
            };
            check(LAUNCH, result)
        })
    }

    /// The same with all blocks on the GPU at once, so that they can wait for each other. A grid that does not
    /// fit is refused.
    pub fn launch_together_in(
        &self,
        stream: Option<&Stream>,
        kernel: &str,
        grid: [u32; 3],
        block: [u32; 3],
        dynamic_shared: u32,
        arguments: &[Vec<u8>],
    ) -> Result<(), DriverError> {
        self.prepared(kernel, (grid, block, dynamic_shared), arguments, |function, parameters| {
            let ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]) = (grid, block);
            let stream = Stream::handle(stream);
            // SAFETY: as in `launch_in`.
            let result = unsafe {
                sys::cuLaunchCooperativeKernel(
                    function,
                    grid_x,
                    grid_y,
                    grid_z,
                    block_x,
                    block_y,
                    block_z,
                    dynamic_shared,
                    stream,
                    parameters,
                )
            };
            check("cuLaunchCooperativeKernel", result)
        })
    }

    /// Makes the context current and gives `launch` the kernel and pointers to its arguments. The driver reads as
    /// many bytes per argument as the kernel's parameter has, and the arguments are checked to have as many. It
    /// writes none of them, despite the pointers' type.
    fn prepared(
        &self,
        kernel: &str,
        (grid, block, dynamic_shared): ([u32; 3], [u32; 3], u32),
        arguments: &[Vec<u8>],
        launch: impl FnOnce(CUfunction, *mut *mut c_void) -> Result<(), DriverError>,
    ) -> Result<(), DriverError> {
        let function = self.function(kernel)?;
        self.limits.check(grid, block)?;
        check_arguments(kernel, self.module.parameters(kernel), arguments)?;
        let mut pointers: Vec<*mut c_void> =
            arguments.iter().map(|bytes| bytes.as_ptr().cast_mut().cast()).collect();
        launch(function, pointers.as_mut_ptr())
            .map_err(|error| self.explained(error, kernel, grid, block, dynamic_shared))
    }

    /// What the driver knows about a kernel.
    pub fn function_attribute(&self, kernel: &str, attribute: FunctionAttribute) -> Result<u32, DriverError> {
        let function = self.function(kernel)?;
        let mut value = 0;
        // SAFETY: `value` lives during the call, and the function's module is loaded.
        let result = unsafe { sys::cuFuncGetAttribute(&raw mut value, number(attribute), function) };
        check("cuFuncGetAttribute", result)?;
        Ok(u32::try_from(value).unwrap_or(0))
    }

    /// Allows launches of a kernel to ask for up to `bytes` of dynamic shared memory. More than 48 KiB must be
    /// allowed first.
    pub fn set_dynamic_shared_limit(&self, kernel: &str, bytes: u32) -> Result<(), DriverError> {
        let function = self.function(kernel)?;
        let bytes = i32::try_from(bytes).unwrap_or(i32::MAX);
        let attribute = number(FunctionAttribute::MaxDynamicShared);
        // SAFETY: the function's module is loaded; the driver checks the value.
        check("cuFuncSetAttribute", unsafe { sys::cuFuncSetAttribute(function, attribute, bytes) })
    }

    /// Blocks of `block` threads that fit on one multiprocessor at a time.
    pub fn occupancy(&self, kernel: &str, block: u32, dynamic_shared: u32) -> Result<u32, DriverError> {
        let function = self.function(kernel)?;
        let threads = i32::try_from(block).unwrap_or(i32::MAX);
        let mut blocks = 0;
        // SAFETY: `blocks` lives during the call, and the function's module is loaded.
        let result = unsafe {
            sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(
                &raw mut blocks,
                function,
                threads,
                dynamic_shared as usize,
            )
        };
        check("cuOccupancyMaxActiveBlocksPerMultiprocessor", result)?;
        Ok(u32::try_from(blocks).unwrap_or(0))
    }

    /// The kernel's handle, which is looked up once. The context is current afterwards.
    fn function(&self, kernel: &str) -> Result<CUfunction, DriverError> {
        enter(&self.context)?;
        if let Some(&function) = self.functions.borrow().get(kernel) {
            return Ok(function);
        }
        let function = self.module.function(kernel)?;
        self.functions.borrow_mut().insert(kernel.to_owned(), function);
        Ok(function)
    }

    /// Adds to the driver's "invalid argument" or "too many resources" what was asked for and, where that is
    /// likely, what was too much.
    fn explained(
        &self,
        error: DriverError,
        kernel: &str,
        grid: [u32; 3],
        block: [u32; 3],
        dynamic_shared: u32,
    ) -> DriverError {
        const SHARED_WITHOUT_REQUEST: u32 = 48 * 1024;
        let DriverError::Call { call, code, message } = error else { return error };
        let mut notes = vec![message];
        notes.push(format!(
            "`{kernel}` was launched with a grid of {}, blocks of {} and {dynamic_shared} bytes of dynamic \
             shared memory",
            shape(grid),
            shape(block)
        ));
        let attribute = |which| self.function_attribute(kernel, which).unwrap_or(0);
        let most = attribute(FunctionAttribute::MaxThreadsPerBlock);
        let threads = threads(block);
        if most > 0 && threads > u64::from(most) {
            let registers = attribute(FunctionAttribute::Registers);
            notes.push(format!("with {registers} registers per thread, a block may have {most} threads"));
        }
        let shared = attribute(FunctionAttribute::StaticShared).saturating_add(dynamic_shared);
        if shared > SHARED_WITHOUT_REQUEST {
            notes.push(format!(
                "{shared} bytes of shared memory: more than {SHARED_WITHOUT_REQUEST} must be allowed with \
                 `cudaFuncSetAttribute` first"
            ));
        }
        DriverError::Call { call, code, message: notes.join("; ") }
    }
}

impl Limits {
    /// Refuses a shape that no kernel can have on this GPU with `cudaErrorInvalidConfiguration`. The driver's own
    /// number for it is not that of the runtime.
    fn check(&self, grid: [u32; 3], block: [u32; 3]) -> Result<(), DriverError> {
        let threads = threads(block);
        let beyond =
            |shape: [u32; 3], most: [u32; 3]| shape.iter().zip(most).any(|(&size, most)| size > most);
        let message = if grid.contains(&0) || block.contains(&0) {
            format!("a grid of {} with blocks of {} holds no thread", shape(grid), shape(block))
        } else if threads > u64::from(self.threads) {
            format!("a block of {} has {threads} threads, and this GPU allows {}", shape(block), self.threads)
        } else if beyond(block, self.block) {
            format!("a block of {} exceeds this GPU's limit of {}", shape(block), shape(self.block))
        } else if beyond(grid, self.grid) {
            format!("a grid of {} exceeds this GPU's limit of {}", shape(grid), shape(self.grid))
        } else {
            return Ok(());
        };
        Err(DriverError::Call { call: LAUNCH, code: INVALID_CONFIGURATION, message })
    }
}

fn number(attribute: FunctionAttribute) -> Number {
    match attribute {
        FunctionAttribute::MaxThreadsPerBlock => Number::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
        FunctionAttribute::StaticShared => Number::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
        FunctionAttribute::Registers => Number::CU_FUNC_ATTRIBUTE_NUM_REGS,
        FunctionAttribute::MaxDynamicShared => Number::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
    }
}

/// Threads per block. A student may ask for any sizes, so the product saturates.
fn threads(block: [u32; 3]) -> u64 {
    block.iter().fold(1, |threads: u64, &size| threads.saturating_mul(u64::from(size)))
}

fn shape([x, y, z]: [u32; 3]) -> String {
    format!("{x} x {y} x {z}")
}

/// Refuses arguments of other sizes than the kernel's parameters: the driver would read past them.
fn check_arguments(
    kernel: &str,
    parameters: Option<&[(u32, u32)]>,
    arguments: &[Vec<u8>],
) -> Result<(), DriverError> {
    let Some(parameters) = parameters else {
        let reason = format!("the cubin does not say what `{kernel}` takes; compile it with NVRTC 12 or 13");
        return Err(refuse(LAUNCH, reason));
    };
    let expected = parameters.iter().map(|&(_, size)| size as usize);
    if expected.eq(arguments.iter().map(Vec::len)) {
        return Ok(());
    }
    let sizes = |sizes: Vec<usize>| sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    Err(refuse(
        LAUNCH,
        format!(
            "`{kernel}` takes parameters of [{}] bytes and was given [{}]",
            sizes(parameters.iter().map(|&(_, size)| size as usize).collect()),
            sizes(arguments.iter().map(Vec::len).collect())
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_that_no_kernel_can_have() {
        let limits = Limits { block: [1024, 1024, 64], grid: [2_147_483_647, 65_535, 65_535], threads: 1024 };
        for (grid, block, refused) in [
            ([1, 1, 1], [1024, 1, 1], None),
            ([2_147_483_647, 65_535, 65_535], [1, 16, 64], None),
            ([0, 1, 1], [32, 1, 1], Some("no thread")),
            ([1, 1, 1], [32, 0, 1], Some("no thread")),
            ([1, 1, 1], [32, 33, 1], Some("1056 threads")),
            ([1, 1, 1], [u32::MAX, u32::MAX, u32::MAX], Some("this GPU allows 1024")),
            ([1, 1, 1], [1, 1, 65], Some("1024 x 1024 x 64")),
            ([1, 65_536, 1], [1, 1, 1], Some("65535")),
        ] {
            match (limits.check(grid, block), refused) {
                (Ok(()), None) => {}
                (Err(DriverError::Call { code: 9, message, .. }), Some(words)) => {
                    assert!(message.contains(words), "{message}");
                }
                (result, _) => panic!("{grid:?} {block:?}: {result:?}"),
            }
        }
    }

    #[test]
    fn arguments_have_the_sizes_of_the_parameters() {
        let parameters = [(0, 8), (8, 4)];
        let given = |sizes: &[usize]| -> Vec<Vec<u8>> { sizes.iter().map(|&size| vec![0; size]).collect() };
        check_arguments("k", Some(&parameters), &given(&[8, 4])).unwrap();
        for sizes in [&[8][..], &[8, 8], &[8, 4, 4], &[]] {
            let error = check_arguments("k", Some(&parameters), &given(sizes)).unwrap_err();
            assert!(error.to_string().contains("[8, 4] bytes"), "{error}");
        }
        assert!(check_arguments("k", None, &[]).is_err());
    }
}
