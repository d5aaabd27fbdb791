//! What the CUDA runtime needs from a GPU, real or simulated.

use std::borrow::Cow;
use std::ops::Range;

use simulator::image::Sampler;
use simulator::{Finding, KernelInfo, Label, Location, Order, Rows, TouchedRanges};

use super::Limits;
use super::images::{ArrayShape, ImageKind, Part, TextureSource};
use super::work::{Apart, Step};

/// A range of device memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceRange {
    /// First byte.
    pub address: u64,
    /// Bytes.
    pub bytes: u64,
}

/// A kernel launch. The caller has checked its shape against [`Limits`].
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
    /// Whether it is a cooperative launch: all blocks are resident at once.
    pub cooperative: bool,
    /// The bytes of each argument.
    pub arguments: Vec<Vec<u8>>,
}

/// The results of a launch. On a real GPU they are empty: nothing is known before a wait.
#[derive(Debug, Default)]
pub struct Launched {
    /// Faults and remarks.
    pub findings: Vec<Finding>,
    /// Whether a fault stopped the kernel: then all later results are meaningless.
    pub stopped: bool,
    /// Device memory that it touched, if the engine checks streams.
    pub touched: TouchedRanges,
}

/// The host's side of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostSide {
    /// For page-locked memory, the address given to [`Engine::pin`] and an offset in bytes; `None` for pageable memory.
    pub pinned: Option<(u64, u64)>,
    /// Whether the host waits for it.
    pub waits: bool,
    /// Bytes of the whole call if several copies make up one call; 0 for all but the first of them.
    pub counts: u64,
}

impl HostSide {
    /// The same for one row of a copy whose rows lie `pitch` bytes apart.
    fn of_row(self, row: u64, pitch: u64) -> Self {
        let pinned = self.pinned.map(|(base, offset)| (base, offset + row * pitch));
        Self { pinned, counts: if row == 0 { self.counts } else { 0 }, ..self }
    }
}

/// What a copy or fill of the host writes to the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MovedFrom {
    /// Bytes of the host.
    Host,
    /// This byte.
    Fill(u8),
    /// Bytes of the device, from this address on.
    Device(u64),
}

/// The only copy or fill that the program has made to an allocation, which leaves a part of it as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShortWrite {
    /// Addresses of the allocation.
    pub whole: Range<u64>,
    /// Addresses that were written.
    pub written: Range<u64>,
    /// The allocation's name in findings.
    pub name: String,
    /// The runtime call.
    pub call: String,
    /// Whether a fill of the whole allocation came before.
    pub after_fill: bool,
    /// Its line.
    pub location: Option<Location>,
}

impl ShortWrite {
    /// The words for what it has left out.
    pub fn label(&self) -> Option<Label> {
        let [written, whole] = [&self.written, &self.whole].map(|range| range.end - range.start);
        Some(Label { location: self.location.clone()?, text: format!("only {written} of {whole} bytes") })
    }
}

/// Why an engine did not carry out a call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The call fails with this `cudaError_t`, and has no other effect.
    #[error("the call failed with error {code}: {reason}")]
    Refused {
        /// Number of the `cudaError_t`.
        code: i32,
        /// Why.
        reason: String,
    },
    /// A kernel broke the GPU's context: every later call fails.
    #[error("error {code}: {message}")]
    Crashed {
        /// Number of the `cudaError_t`.
        code: i32,
        /// The driver's message.
        message: String,
    },
    /// The engine itself is at fault.
    #[error("{0}")]
    Broken(String),
}

/// A GPU with one module loaded. `api::Runtime` carries out a host function's runtime calls on it.
///
/// | topic | methods |
/// | --- | --- |
/// | the GPU | [`limits`](Self::limits), [`clock_mhz`](Self::clock_mhz), [`resident_blocks`](Self::resident_blocks), [`wants_guards`](Self::wants_guards) |
/// | memory | [`alloc`](Self::alloc), [`alloc_managed`](Self::alloc_managed), [`free`](Self::free), [`pin`](Self::pin), [`unpin`](Self::unpin), [`symbol`](Self::symbol), [`restore_variables`](Self::restore_variables), [`variables_changed`](Self::variables_changed), [`shares_memory`](Self::shares_memory) |
/// | the caller's copies, not timed | [`write`](Self::write), [`poison`](Self::poison), [`read`](Self::read) |
/// | the program's copies | [`upload`](Self::upload), [`download`](Self::download), [`take_download`](Self::take_download), [`copy`](Self::copy), [`fill`](Self::fill), [`migrate_to_device`](Self::migrate_to_device), [`touched_first`](Self::touched_first), [`migrate_to_host`](Self::migrate_to_host), [`copied_on_host`](Self::copied_on_host), [`computed_on_host`](Self::computed_on_host) |
/// | undefined values | [`copied_unset`](Self::copied_unset), [`undefined`](Self::undefined), [`written_in_part`](Self::written_in_part), [`host_used`](Self::host_used), [`moves`](Self::moves) |
/// | arrays, textures, surfaces | [`alloc_array`](Self::alloc_array), [`free_array`](Self::free_array), [`write_array`](Self::write_array), [`read_array`](Self::read_array), [`array_rows`](Self::array_rows), [`copy_to_array`](Self::copy_to_array), [`copy_from_array`](Self::copy_from_array), [`create_texture`](Self::create_texture), [`create_surface`](Self::create_surface), [`destroy_image`](Self::destroy_image) |
/// | launches | [`launch`](Self::launch), [`set_order`](Self::set_order), [`set_watched`](Self::set_watched), [`variables_digest`](Self::variables_digest), [`take_printed`](Self::take_printed) |
/// | streams and events | [`select_stream`](Self::select_stream), [`synchronize`](Self::synchronize), [`synchronize_stream`](Self::synchronize_stream), [`mark`](Self::mark), [`synchronize_mark`](Self::synchronize_mark), [`wait_for_mark`](Self::wait_for_mark), [`between_ms`](Self::between_ms) |
/// | timing | [`take_seconds`](Self::take_seconds), [`take_work`](Self::take_work), [`gather`](Self::gather), [`flush_before_next`](Self::flush_before_next), [`measure_apart`](Self::measure_apart), [`take_apart`](Self::take_apart) |
pub trait Engine {
    // The GPU.

    /// Limits and properties of the GPU.
    fn limits(&self) -> &Limits;
    /// The current clock of the multiprocessors in MHz, if it can be read.
    fn clock_mhz(&self) -> Option<u32> {
        None
    }
    /// The number of blocks of a kernel that a multiprocessor holds at once, for blocks of `threads` threads and
    /// `dynamic_shared` bytes of dynamic shared memory.
    fn resident_blocks(
        &mut self,
        kernel: &KernelInfo,
        threads: u32,
        dynamic_shared: u32,
    ) -> Result<u32, EngineError>;
    /// Registers of a thread of this kernel.
    fn registers(&mut self, kernel: &KernelInfo) -> Result<u32, EngineError>;
    /// Whether buffers need guard bands, because the engine does not see writes out of bounds.
    fn wants_guards(&self) -> bool;

    // Memory.

    /// Allocates device memory, called `name` in findings. Returns its address.
    fn alloc(&mut self, bytes: u64, name: &str) -> Result<u64, EngineError>;
    /// Allocates device memory that holds these bytes.
    fn alloc_with(&mut self, bytes: Cow<'_, [u8]>, name: &str) -> Result<u64, EngineError> {
        let address = self.alloc(bytes.len() as u64, name)?;
        self.write(address, &bytes)?;
        Ok(address)
    }
    /// Allocates managed memory, called `name` in findings. Its address is valid on both sides.
    fn alloc_managed(&mut self, bytes: u64, name: &str) -> Result<u64, EngineError>;
    /// Frees device or managed memory.
    fn free(&mut self, address: u64) -> Result<(), EngineError>;
    /// Page-locks host memory at this address of the host function.
    fn pin(&mut self, host: u64, bytes: u64) -> Result<(), EngineError>;
    /// Undoes [`Self::pin`].
    fn unpin(&mut self, host: u64) -> Result<(), EngineError>;
    /// Address and size of a `__device__` or `__constant__` variable.
    fn symbol(&mut self, name: &str) -> Option<(u64, u64)>;
    /// Gives the module's variables the contents that they had when this was first called; the caller does that before any
    /// kernel has run.
    fn restore_variables(&mut self) -> Result<(), EngineError>;
    /// Whether kernels have left a variable with other contents than [`Self::restore_variables`] gives it.
    fn variables_changed(&mut self) -> Result<bool, EngineError>;
    /// Whether kernels of another engine on the same GPU can read this one's memory.
    fn shares_memory(&self) -> bool {
        false
    }

    // The caller's own copies: not part of the program, not timed.

    /// Copies from host to device.
    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), EngineError>;
    /// The same with bytes that count as undefined: the contents of an output before a run.
    fn poison(&mut self, address: u64, bytes: &[u8]) -> Result<(), EngineError> {
        self.write(address, bytes)
    }
    /// Copies from device to host, after all earlier work.
    fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), EngineError>;

    // Copies of the program, in the selected stream.

    /// Copies from host to device.
    fn upload(&mut self, to: u64, bytes: &[u8], host: HostSide) -> Result<(), EngineError>;
    /// Whether [`Self::send_on`] works: else what a download brings to the host has to be taken before it is uploaded.
    fn can_send_on(&self) -> bool {
        false
    }
    /// Copies from host to device what an earlier download of the same stream puts into page-locked memory: the host waits for neither.
    fn send_on(&mut self, to: u64, length: u64, host: HostSide) -> Result<(), EngineError> {
        let _ = (to, length, host);
        Err(EngineError::Broken("this engine knows the bytes of each download".to_owned()))
    }
    /// Copies from device to host. Returns a number for [`Self::take_download`], which may be called at once if the
    /// host waits, else after it has waited for the stream.
    fn download(&mut self, from: u64, length: u64, host: HostSide) -> Result<usize, EngineError>;
    /// Takes the bytes of a download.
    fn take_download(&mut self, number: usize) -> Result<Vec<u8>, EngineError>;
    /// Copies from device to device.
    fn copy(&mut self, to: u64, from: u64, length: u64) -> Result<(), EngineError>;
    /// Sets bytes in device memory.
    fn fill(&mut self, address: u64, value: u8, length: u64) -> Result<(), EngineError>;
    /// Moves managed memory to the device, with the contents that the host left.
    fn migrate_to_device(&mut self, address: u64, bytes: &[u8]) -> Result<(), EngineError>;
    /// Records that the device is the first to touch so many bytes of managed memory.
    fn touched_first(&mut self, bytes: u64) {
        let _ = bytes;
    }
    /// Moves managed memory to the host. Nothing on the device may be using it.
    fn migrate_to_host(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), EngineError>;
    /// The most instructions that a call of the host function may execute, where smaller pictures tell what it needs.
    fn host_limit(&self) -> Option<u64> {
        None
    }
    /// Records that the host function has computed: so many instructions beyond those that every call may use.
    fn computed_on_host(&mut self, instructions: u64) -> Result<(), EngineError>;
    /// Records a copy within host memory, which took this process `seconds`.
    fn copied_on_host(&mut self, bytes: u64, seconds: f64) -> Result<(), EngineError>;

    // Undefined values.

    /// Declares bytes undefined that were just uploaded by the line `copied_at`. Returns whether the engine will find a
    /// kernel that uses them.
    fn copied_unset(
        &mut self,
        to: u64,
        length: u64,
        copied_at: Option<&Location>,
    ) -> Result<bool, EngineError> {
        let _ = (to, length, copied_at);
        Ok(false)
    }
    /// The undefined parts of `length` bytes, as offsets from `from`; empty if the engine does not track them.
    fn undefined(&self, from: u64, length: u64) -> Vec<Range<u64>> {
        let _ = (from, length);
        Vec::new()
    }

    /// Records how the program's copies and fills have left the allocation at `base`: `None` unless a single short one is all there is.
    fn written_in_part(&mut self, base: u64, short: Option<&ShortWrite>) {
        let _ = (base, short);
    }

    /// The host's line `line` copies these bytes from the device, or fills them with a byte.
    fn host_used(&mut self, rows: Rows, fill: Option<u8>, line: u32) {
        let _ = (rows, fill, line);
    }

    /// The host's line `line` is about to write these bytes of the device.
    fn moves(&mut self, to: Rows, from: MovedFrom, line: u32) {
        let _ = (to, from, line);
    }

    // Two-dimensional copies and fills: one call, however many rows.

    /// Copies from host to device, as [`Self::upload`] does; `bytes` holds the rows without gaps, which lie `host_pitch` bytes
    /// apart on the host.
    fn upload_rows(
        &mut self,
        to: Rows,
        bytes: &[u8],
        host: HostSide,
        host_pitch: u64,
    ) -> Result<(), EngineError> {
        for (row, start) in to.starts().enumerate() {
            let at = row * to.width as usize;
            let part = &bytes[at..at + to.width as usize];
            self.upload(start, part, host.of_row(row as u64, host_pitch))?;
        }
        Ok(())
    }

    /// Starts copying from device to host. Returns the numbers of the downloads which together hold the rows.
    fn download_rows(
        &mut self,
        from: Rows,
        host: HostSide,
        host_pitch: u64,
    ) -> Result<Vec<usize>, EngineError> {
        let rows = from.starts().enumerate();
        rows.map(|(row, start)| self.download(start, from.width, host.of_row(row as u64, host_pitch)))
            .collect()
    }

    /// Copies within the device.
    fn copy_rows(&mut self, to: Rows, from: Rows) -> Result<(), EngineError>;

    /// Sets all bytes to `value`.
    fn fill_rows(&mut self, to: Rows, value: u8) -> Result<(), EngineError>;

    /// The parts of rows, numbered without the gaps, that nothing has written, as [`Self::undefined`] says.
    fn undefined_rows(&self, from: Rows) -> Vec<Range<u64>> {
        let _ = from;
        Vec::new()
    }

    // Arrays, textures, surfaces.

    /// Allocates an array, called `name` in findings. Returns the engine's number for it.
    fn alloc_array(&mut self, shape: &ArrayShape, name: &str) -> Result<u64, EngineError>;
    /// Frees an array.
    fn free_array(&mut self, array: u64) -> Result<(), EngineError>;
    /// Copies from host to array; `bytes` holds the rows of the part without gaps.
    fn write_array(&mut self, array: u64, part: Part, bytes: &[u8]) -> Result<(), EngineError>;
    /// Copies from array to host, after all earlier work.
    fn read_array(&mut self, array: u64, part: Part, bytes: &mut [u8]) -> Result<(), EngineError>;
    /// Copies from device memory, in rows `pitch` bytes apart, to an array.
    fn copy_to_array(&mut self, array: u64, part: Part, from: u64, pitch: u64) -> Result<(), EngineError>;
    /// Where this part of an array lies in the memory that launches are seen to touch, if the engine can tell.
    fn array_rows(&self, array: u64, part: Part) -> Option<Rows> {
        let _ = (array, part);
        None
    }
    /// Copies from an array to device memory, in rows `pitch` bytes apart.
    fn copy_from_array(&mut self, to: u64, pitch: u64, array: u64, part: Part) -> Result<(), EngineError>;
    /// Creates a texture object. Returns its handle, which kernels take as `cudaTextureObject_t`.
    fn create_texture(&mut self, source: &TextureSource, sampler: &Sampler) -> Result<u64, EngineError>;
    /// Creates a surface object over an array. Returns its handle.
    fn create_surface(&mut self, array: u64) -> Result<u64, EngineError>;
    /// Destroys a texture or surface object.
    fn destroy_image(&mut self, kind: ImageKind, handle: u64) -> Result<(), EngineError>;

    // Launches.

    /// Launches a kernel in the selected stream.
    fn launch(&mut self, command: Command) -> Result<Launched, EngineError>;
    /// Chooses which blocks and warps of later launches run first, if the engine can.
    fn set_order(&mut self, order: Order) {
        let _ = order;
    }
    /// Stops or resumes the analyses of launches, if the engine has any.
    fn set_watched(&mut self, watched: bool) {
        let _ = watched;
    }
    /// A number that changes with the contents of `__device__` variables, if the engine can tell.
    fn variables_digest(&self) -> u64 {
        0
    }
    /// Takes the text that kernels printed, if this process sees it.
    fn take_printed(&mut self) -> Vec<u8>;

    // Streams and events.

    /// Selects the stream of all later work; 0 is the default stream. Streams need not be created.
    fn select_stream(&mut self, stream: u64);
    /// Waits for all work.
    fn synchronize(&mut self) -> Result<(), EngineError>;
    /// Waits for the selected stream.
    fn synchronize_stream(&mut self) -> Result<(), EngineError>;
    /// Records a mark, a point in the selected stream, as `cudaEventRecord` does. Returns its number.
    fn mark(&mut self) -> Result<usize, EngineError>;
    /// Waits for a mark.
    fn synchronize_mark(&mut self, mark: usize) -> Result<(), EngineError>;
    /// Makes the selected stream wait for a mark.
    fn wait_for_mark(&mut self, mark: usize) -> Result<(), EngineError>;
    /// Milliseconds between two marks.
    fn between_ms(&mut self, start: usize, stop: usize) -> Result<f32, EngineError>;

    // Timing.

    /// Takes the seconds that the GPU needed for the work since the last call, measured or predicted.
    fn take_seconds(&mut self) -> f64;
    /// Takes the steps counted so far; empty if the engine measures.
    fn take_work(&mut self) -> Vec<Step>;
    /// While on, waits are postponed until the host needs a result, so that calls follow each other on the GPU without
    /// gaps.
    fn gather(&mut self, on: bool) {
        let _ = on;
    }
    /// Empties the L2 cache just before the next batch of work, outside its measured time.
    fn flush_before_next(&mut self) -> Result<(), EngineError>;
    /// Starts or stops measuring transfers and kernels apart, with nothing overlapping, at the cost of some time.
    fn measure_apart(&mut self, apart: bool);
    /// Takes the seconds of transfers, one by one, and of all other work, back to back, since [`Self::measure_apart`];
    /// `None` if the engine predicts.
    fn take_apart(&mut self) -> Result<Option<Apart>, EngineError>;
}
