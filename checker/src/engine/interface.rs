//! The joint between the CUDA runtime calls of a host function and whatever carries them out.

use simulator::image::Sampler;
use simulator::{Counters, Finding};

use super::Limits;
use super::images::{ArrayShape, ImageKind, Part, TextureSource};

/// A kernel launch whose shape has been validated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Mangled kernel name.
    pub kernel: String,
    /// `gridDim`.
    pub grid: [u32; 3],
    /// `blockDim`.
    pub block: [u32; 3],
    /// Dynamic shared memory in bytes.
    pub dynamic_shared: u32,
    /// The bytes of each argument.
    pub arguments: Vec<Vec<u8>>,
}

/// What a launch left at once. A real GPU leaves nothing before it is waited for.
#[derive(Debug, Default)]
pub struct Launched {
    /// Faults and remarks.
    pub findings: Vec<Finding>,
    /// Whether a fault stopped the kernel: whatever follows is meaningless.
    pub stopped: bool,
}

/// Something the GPU did, as far as a prediction of its time needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Work {
    /// A kernel and its counted events.
    Kernel(Box<Counters>),
    /// A fill or a copy within the GPU: bytes read and written.
    Memory(u64),
}

/// Why an engine did not do what it was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The call fails with this `cudaError_t`; nothing else is affected.
    #[error("the call failed with error {code}: {reason}")]
    Refused {
        /// Number of the `cudaError_t`.
        code: i32,
        /// Why.
        reason: String,
    },
    /// A kernel broke the GPU's context: nothing works from here on.
    #[error("error {code}: {message}")]
    Crashed {
        /// Number of the `cudaError_t`.
        code: i32,
        /// What the driver calls it.
        message: String,
    },
    /// The engine itself is at fault.
    #[error("{0}")]
    Broken(String),
}

/// A GPU with one module loaded.
pub trait Engine {
    /// What the GPU accepts, and what it says of itself.
    fn limits(&self) -> &Limits;
    /// Allocates device memory, named `name` in findings.
    fn alloc(&mut self, bytes: u64, name: &str) -> Result<u64, EngineError>;
    /// Frees it.
    fn free(&mut self, address: u64) -> Result<(), EngineError>;
    /// Host to device.
    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), EngineError>;
    /// The same with bytes that nobody may rely on: what an output holds before a run.
    fn poison(&mut self, address: u64, bytes: &[u8]) -> Result<(), EngineError> {
        self.write(address, bytes)
    }
    /// Device to host, after everything before.
    fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), EngineError>;
    /// Device to device.
    fn copy(&mut self, to: u64, from: u64, length: u64) -> Result<(), EngineError>;
    /// Sets bytes.
    fn fill(&mut self, address: u64, value: u8, length: u64) -> Result<(), EngineError>;
    /// Address and size of a `__device__` or `__constant__` variable.
    fn symbol(&mut self, name: &str) -> Option<(u64, u64)>;
    /// Allocates an array, named `name` in findings; the engine's name for it.
    fn alloc_array(&mut self, shape: &ArrayShape, name: &str) -> Result<u64, EngineError>;
    /// Frees it.
    fn free_array(&mut self, array: u64) -> Result<(), EngineError>;
    /// Host to array; the rows of the part follow each other.
    fn write_array(&mut self, array: u64, part: Part, bytes: &[u8]) -> Result<(), EngineError>;
    /// Array to host, after everything before.
    fn read_array(&mut self, array: u64, part: Part, bytes: &mut [u8]) -> Result<(), EngineError>;
    /// Device memory, in rows `pitch` bytes apart, to array.
    fn copy_to_array(&mut self, array: u64, part: Part, from: u64, pitch: u64) -> Result<(), EngineError>;
    /// Array to device memory.
    fn copy_from_array(&mut self, to: u64, pitch: u64, array: u64, part: Part) -> Result<(), EngineError>;
    /// Creates a texture object, checked against what the GPU accepts; its handle.
    fn create_texture(&mut self, source: &TextureSource, sampler: &Sampler) -> Result<u64, EngineError>;
    /// Creates a surface object over an array; its handle.
    fn create_surface(&mut self, array: u64) -> Result<u64, EngineError>;
    /// Destroys an object.
    fn destroy_image(&mut self, kind: ImageKind, handle: u64) -> Result<(), EngineError>;
    /// Launches a kernel.
    fn launch(&mut self, command: Command) -> Result<Launched, EngineError>;
    /// Waits for everything.
    fn synchronize(&mut self) -> Result<(), EngineError>;
    /// A point in the GPU's time, for `cudaEventRecord`.
    fn mark(&mut self) -> Result<usize, EngineError>;
    /// Milliseconds between two marks.
    fn between_ms(&mut self, start: usize, stop: usize) -> Result<f32, EngineError>;
    /// Takes what was counted so far; empty where the engine measures instead.
    fn take_work(&mut self) -> Vec<Work>;
    /// Takes the seconds that the work since the last call took on the GPU, measured or predicted.
    fn take_seconds(&mut self) -> f64;
    /// Has the L2 cache emptied just before the next batch of work, outside its measured time.
    fn flush_before_next(&mut self) -> Result<(), EngineError>;
    /// While on, waiting is put off until the engine has to read: calls then follow each other on the GPU
    /// without a gap, as far as nothing on the host depends on them.
    fn gather(&mut self, on: bool) {
        let _ = on;
    }
    /// The clock of the multiprocessors now, in MHz, where it can be read.
    fn clock_mhz(&self) -> Option<u32> {
        None
    }
    /// Takes what kernels printed, as far as this process sees it.
    fn take_printed(&mut self) -> Vec<u8>;
    /// Whether buffers need guard bands, because nothing else sees a write beyond their end.
    fn wants_guards(&self) -> bool;
}
