//! What the driver answers.

/// Why the driver refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DriverError {
    /// No driver, or no GPU behind it.
    #[error("no NVIDIA GPU: {0}")]
    NoDevice(String),
    /// A kernel broke the context (`cudaErrorIllegalAddress` and the like); only a new process helps.
    #[error("the kernel failed on the GPU: {message}")]
    Sticky {
        /// Number of the `cudaError_t`.
        code: i32,
        /// What the driver calls it.
        message: String,
    },
    /// A single call failed (`cudaErrorInvalidValue`, out of memory …).
    #[error("`{call}` failed: {message}")]
    Call {
        /// The driver function.
        call: &'static str,
        /// Number of the `cudaError_t`.
        code: i32,
        /// What the driver calls it.
        message: String,
    },
}

/// What `checker device` lists: the properties the reports list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceProperties {
    /// Index among the visible GPUs.
    pub index: u32,
    /// Name.
    pub name: String,
    /// Driver version as `cuDriverGetVersion` gives it: 13000 for 13.0.
    pub driver_version: i32,
    /// Compute capability: 90 for 9.0.
    pub capability: u32,
    /// Bytes of memory.
    pub memory_bytes: u64,
    /// Streaming multiprocessors.
    pub multiprocessors: u32,
    /// Every further attribute worth listing: label and value with unit.
    pub attributes: Vec<(&'static str, String)>,
    /// L2 bytes.
    pub l2_bytes: u64,
    /// SM clock in kHz.
    pub clock_khz: u32,
    /// Memory clock in kHz.
    pub memory_clock_khz: u32,
    /// Memory bus width in bits.
    pub bus_bits: u32,
}

/// What the driver knows of a kernel on the GPU at hand. The values are the driver's `CUfunction_attribute`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionAttribute {
    /// Threads that a block may have at most, given the kernel's registers.
    MaxThreadsPerBlock = 0,
    /// Bytes of `__shared__` variables of known size.
    StaticShared = 1,
    /// Bytes of local memory a thread.
    LocalBytes = 3,
    /// Registers a thread.
    Registers = 4,
    /// Bytes of dynamic shared memory that a launch may ask for at most.
    MaxDynamicShared = 8,
}
