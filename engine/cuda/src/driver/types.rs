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
    /// Where it is plugged in: `00000000:65:00.0`. No two GPUs of a machine share it.
    pub pci: String,
}

/// What the driver knows of a kernel on the GPU at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionAttribute {
    /// Threads that a block may have at most, given the kernel's registers.
    MaxThreadsPerBlock,
    /// Bytes of `__shared__` variables of known size.
    StaticShared,
    /// Bytes of local memory a thread.
    LocalBytes,
    /// Registers a thread.
    Registers,
    /// Bytes of dynamic shared memory that a launch may ask for at most.
    MaxDynamicShared,
}

/// A pixel of an array or texture: the driver's `CUarray_format`, with its bytes, and how many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArrayFormat {
    /// `CUarray_format`.
    pub number: i32,
    /// Bytes of a channel.
    pub bytes: u32,
    /// 1, 2 or 4.
    pub channels: u32,
}

/// A rectangle of an array: bytes along a row, rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArrayPart {
    /// First byte of a row.
    pub x: u64,
    /// First row.
    pub y: u64,
    /// Bytes of each row.
    pub width: u64,
    /// Rows.
    pub rows: u64,
}

/// Where a texture's pixels lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are the driver's own")]
pub enum TextureMemory {
    /// In an array.
    Array(u64),
    /// In plain memory, read by whole numbers.
    Linear { address: u64, bytes: u64, format: ArrayFormat },
    /// In plain memory, in rows.
    Rows { address: u64, format: ArrayFormat, width: u32, rows: u32, pitch: u64 },
}

/// How a texture is read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextureSettings {
    /// `CUaddress_mode` along x and y.
    pub address: [i32; 2],
    /// Linear filtering.
    pub linear_filter: bool,
    /// Whole numbers stay whole numbers.
    pub as_integers: bool,
    /// Coordinates from 0 to 1.
    pub normalized: bool,
    /// The border's colour.
    pub border: [f32; 4],
}
