//! The joint between the CUDA runtime calls of a host function and whatever carries them out.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use simulator::image::Sampler;
use simulator::model::Kernel;
use simulator::{Finding, KernelInfo, Location, TouchedRanges};

use super::Limits;
use super::images::{ArrayShape, ImageKind, Part, TextureSource};
use super::timeline::Step;

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
    /// Whether its blocks are all on the GPU at once.
    pub cooperative: bool,
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
    /// Device memory that it touched, where the engine watches streams.
    pub touched: TouchedRanges,
}

/// Something the GPU did, as far as a prediction of its time needs it.
#[derive(Debug, Clone, PartialEq)]
pub enum Work {
    /// A kernel, its counted events and its shape.
    Kernel(Box<Kernel>),
    /// A fill or a copy within the GPU: bytes read and written.
    Memory(u64),
    /// A copy within host memory, which the host waits for: bytes.
    Host(u64),
    /// A copy over the link between host and GPU.
    Transfer(Transfer),
}

/// A copy over the link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transfer {
    /// Bytes.
    pub bytes: u64,
    /// To the GPU, rather than from it.
    pub up: bool,
    /// What the host's memory is.
    pub host: HostMemory,
    /// Whether the host waits for it.
    pub waits: bool,
}

/// What a copy finds on the host's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostMemory {
    /// Ordinary memory.
    Pageable,
    /// Page-locked memory.
    Pinned,
    /// Managed memory, which moves by itself.
    Managed,
}

/// Seconds by kind of work. With streams they may overlap, so that they add up to more than the whole took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Apart {
    /// Copies over the link, and within host memory.
    pub transfers: f64,
    /// Kernels, and copies and fills within the GPU.
    pub kernels: f64,
}

/// The host's side of a copy that a host function asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostSide {
    /// Page-locked memory: what [`Engine::pin`] was told, and bytes from there on; else pageable.
    pub pinned: Option<(u64, u64)>,
    /// Whether the host waits for it.
    pub waits: bool,
    /// The bytes that this copy stands for, where several make up one call: 0 for those after the first.
    pub counts: u64,
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
    /// Everything from here on, until the next call, is queued in this stream; 0 is the default one.
    fn select_stream(&mut self, stream: u64);
    /// Copies from host to device in the selected stream, as the host function asked.
    fn upload(&mut self, to: u64, bytes: &[u8], host: HostSide) -> Result<(), EngineError>;
    /// These bytes, just copied from the host by the line `copied_at`, are ones that nothing had written there. Whether
    /// the engine finds the kernel that uses them.
    fn copied_unset(
        &mut self,
        to: u64,
        length: u64,
        copied_at: Option<&Location>,
    ) -> Result<bool, EngineError> {
        let _ = (to, length, copied_at);
        Ok(false)
    }
    /// The parts of `length` bytes that nothing has written, as offsets from `from`, where the engine keeps count.
    fn undefined(&self, from: u64, length: u64) -> Vec<Range<u64>> {
        let _ = (from, length);
        Vec::new()
    }
    /// Copies from device to host in the selected stream, as the host function asked. The bytes are to be had
    /// under this number: at once if the host waits, else once it has waited for the stream.
    fn download(&mut self, from: u64, length: u64, host: HostSide) -> Result<usize, EngineError>;
    /// The bytes of a download.
    fn take_download(&mut self, number: usize) -> Result<Vec<u8>, EngineError>;
    /// Page-locks host memory at this address of the host function's.
    fn pin(&mut self, host: u64, bytes: u64) -> Result<(), EngineError>;
    /// Undoes that.
    fn unpin(&mut self, host: u64) -> Result<(), EngineError>;
    /// Allocates managed memory, named `name` in findings: its address is good on both sides.
    fn alloc_managed(&mut self, bytes: u64, name: &str) -> Result<u64, EngineError>;
    /// Managed memory as the host left it moves to the device.
    fn migrate_to_device(&mut self, address: u64, bytes: &[u8]) -> Result<(), EngineError>;
    /// Managed memory moves to the host; nothing on the device uses it any more.
    fn migrate_to_host(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), EngineError>;
    /// The host function has copied bytes within host memory, which took this process so many seconds.
    fn copied_on_host(&mut self, bytes: u64, seconds: f64) -> Result<(), EngineError>;
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
    /// Blocks of a kernel, of so many threads and bytes of dynamic shared memory, that a multiprocessor holds at once.
    fn resident_blocks(
        &mut self,
        kernel: &KernelInfo,
        threads: u32,
        dynamic_shared: u32,
    ) -> Result<u32, EngineError>;
    /// Launches a kernel.
    fn launch(&mut self, command: Command) -> Result<Launched, EngineError>;
    /// Waits for everything.
    fn synchronize(&mut self) -> Result<(), EngineError>;
    /// Waits for the selected stream.
    fn synchronize_stream(&mut self) -> Result<(), EngineError>;
    /// Waits for a mark.
    fn synchronize_mark(&mut self, mark: usize) -> Result<(), EngineError>;
    /// Has the selected stream wait for a mark.
    fn wait_for_mark(&mut self, mark: usize) -> Result<(), EngineError>;
    /// A point in the time of the selected stream, for `cudaEventRecord`.
    fn mark(&mut self) -> Result<usize, EngineError>;
    /// Milliseconds between two marks.
    fn between_ms(&mut self, start: usize, stop: usize) -> Result<f32, EngineError>;
    /// Takes what was counted so far; empty where the engine measures instead.
    fn take_work(&mut self) -> Vec<Step>;
    /// Has what follows measured with nothing overlapping, at the cost of some time; or no longer.
    fn measure_apart(&mut self, apart: bool);
    /// Takes the seconds that transfers took since that began, each by itself, and everything else, one right after the other;
    /// `None` where the engine predicts.
    fn take_apart(&mut self) -> Result<Option<Apart>, EngineError>;
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
