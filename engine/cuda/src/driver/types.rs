//! What the interface of this folder takes and returns, on every platform.

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DriverError {
    /// There is no driver, or the driver shows no GPU.
    #[error("no NVIDIA GPU: {0}")]
    NoDevice(String),
    /// A kernel broke the context (`cudaErrorIllegalAddress` and the like); only a new process can go on.
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

/// The properties of a GPU that `checker device` and the students' reports list.
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
    /// Further attributes: label, and value with unit.
    pub attributes: Vec<(&'static str, String)>,
    /// L2 bytes.
    pub l2_bytes: u64,
    /// SM clock in kHz.
    pub clock_khz: u32,
    /// Memory clock in kHz.
    pub memory_clock_khz: u32,
    /// Memory bus width in bits.
    pub bus_bits: u32,
    /// Its PCI address: `00000000:65:00.0`. No two GPUs of a machine share it.
    pub pci: String,
}

impl DeviceProperties {
    /// The driver as its releases are numbered, with the CUDA version that it serves: `580.159.04 (CUDA 13.0)`.
    pub fn driver_name(&self) -> String {
        let cuda = format!("CUDA {}.{}", self.driver_version / 1000, self.driver_version % 1000 / 10);
        let about = std::fs::read_to_string("/proc/driver/nvidia/version").unwrap_or_default();
        release(&about).map_or_else(|| cuda.clone(), |release| format!("{release} ({cuda})"))
    }
}

/// The first word of the kernel module's description that is numbers and dots.
fn release(about: &str) -> Option<&str> {
    let numbered = |word: &&str| word.contains('.') && word.chars().all(|c| c.is_ascii_digit() || c == '.');
    about.split_whitespace().find(numbered)
}

/// What the driver knows about a kernel on this GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionAttribute {
    /// The most threads that a block may have, given the kernel's registers.
    MaxThreadsPerBlock,
    /// Bytes of `__shared__` variables of known size.
    StaticShared,
    /// Registers per thread.
    Registers,
    /// The most bytes of dynamic shared memory that a launch may ask for.
    MaxDynamicShared,
}

/// The format of a pixel in an array or texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArrayFormat {
    /// `CUarray_format`.
    pub number: i32,
    /// Bytes per channel.
    pub bytes: u32,
    /// Channels: 1, 2 or 4.
    pub channels: u32,
}

/// A rectangle of an array: bytes along x, rows along y.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArrayPart {
    /// First byte of a row.
    pub x: u64,
    /// First row.
    pub y: u64,
    /// Bytes per row.
    pub width: u64,
    /// Rows.
    pub rows: u64,
}

/// Rows of device memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceRows {
    /// Address of the first byte.
    pub address: u64,
    /// Bytes from the start of a row to that of the next.
    pub pitch: u64,
    /// Bytes per row.
    pub width: u64,
    /// Rows.
    pub rows: u64,
}

/// The memory that a texture reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are the driver's own")]
pub enum TextureMemory {
    /// An array.
    Array(u64),
    /// Device memory, read by an index.
    Linear { address: u64, bytes: u64, format: ArrayFormat },
    /// Device memory in rows of `pitch` bytes.
    Rows { address: u64, format: ArrayFormat, width: u32, rows: u32, pitch: u64 },
}

/// How a texture is read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextureSettings {
    /// `CUaddress_mode` along x and y.
    pub address: [i32; 2],
    /// Linear filtering.
    pub linear_filter: bool,
    /// Integers are returned as integers, not as fractions of their range.
    pub as_integers: bool,
    /// Coordinates go from 0 to 1.
    pub normalized: bool,
    /// What a read outside the texture returns where the address mode is "border".
    pub border: [f32; 4],
}
