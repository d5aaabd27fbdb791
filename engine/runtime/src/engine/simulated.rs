//! The simulator as an engine. It runs each operation at once, in program order, which every use of streams allows.

mod assembled;
mod launch;
mod options;
mod profile;
mod recording;
mod spent;
mod states;
mod steps;
mod trial;
mod witness;

pub use assembled::{Assembled, AssembledKernels};
pub use profile::{Profiled, ProfiledLine, SeenRequest};
pub use recording::{Event, Recording, Request};
use spent::Spent;
pub use spent::UNEVEN;
pub use states::{Moved, State};
use steps::moved_bytes;
use trial::Trial;
pub use trial::{Asked, Tried};
use witness::Watched;
pub use witness::{Launched as WitnessedLaunch, Misplaced, ShortRead, Touched, Toucher, Touches, Witness};

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use simulator::image::{Pixels, Sampler};
use simulator::model::{Gpu, Needs, occupancy};
use simulator::{Checks, Device, KernelInfo, Location, Order, Rows};

use super::images::{ArrayShape, ImageKind, Part, TextureSource};
use super::interface::{Command, Engine, EngineError, HostSide, Launched, MovedFrom, ShortWrite};
use super::limits::Limits;
use super::timeline::Timeline;
use super::work::{Apart, HostMemory, HostWaits, Step, Work};

/// The bytes of each argument of a launch.
pub type Arguments = Vec<Vec<u8>>;

/// A simulated GPU.
pub struct SimulatedEngine {
    device: Device,
    /// Arrays by the address of their first pixel. Their rows have no gaps.
    arrays: BTreeMap<u64, Pixels>,
    limits: Limits,
    gpu: &'static Gpu,
    assembled: AssembledKernels,
    checks: Checks,
    /// Whether those of them that look for faults are on.
    watched: bool,
    /// Which blocks and warps of a launch run first.
    order: Order,
    /// By launch so far, its kernel and a digest of GPU memory after it; `None` if not wanted.
    trace: Option<Vec<(String, u64)>>,
    /// Who touches the buffers of the call; `None` if not wanted.
    witness: Option<Watched>,
    /// The launches so far, and the number of blocks to record of each; `None` if not wanted.
    recorded: Option<(u64, Vec<Recording>)>,
    /// The selected stream.
    stream: u64,
    /// Whether a stream other than the default one was ever selected: only then can operations overlap.
    streams: bool,
    work: Vec<Step>,
    timeline: Timeline,
    marks: usize,
    downloads: Vec<Vec<u8>>,
    taken: f64,
    printed: Vec<u8>,
    /// Whether launches are only recorded: kernels do not run, and buffers are not written.
    dry: bool,
    /// Downloads so far, in order; in a dry run the answers to downloads.
    read: VecDeque<Vec<u8>>,
    /// Bytes of them.
    read_bytes: usize,
    /// By launch, a grid to use instead of its own.
    grids: Vec<Option<[u32; 3]>>,
    /// Threads beyond which a launch of one row of blocks gets fewer blocks.
    enough: Option<u64>,
    launches: usize,
    /// In a dry run, the blocks to try of each launch; `None` if no kernel runs.
    trial: Option<Trial>,
    /// What each launch asked for.
    asked: Vec<Asked>,
    /// What each launch did line by line; `None` if not wanted.
    profile: Option<Vec<Profiled>>,
    /// The line whose requests a profile keeps.
    seen_line: Option<u32>,
    /// What its launches have executed, and may.
    spent: Spent,
}

fn kind(host: HostSide) -> HostMemory {
    if host.pinned.is_some() { HostMemory::Pinned } else { HostMemory::Pageable }
}

impl SimulatedEngine {
    /// The bytes of device memory from `address` on, where they lie.
    ///
    /// # Errors
    ///
    /// If they are not in one allocation.
    pub fn bytes(&self, address: u64, length: u64) -> Result<&[u8], EngineError> {
        Ok(self.device.bytes(address, length)?)
    }
}

impl Engine for SimulatedEngine {
    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn alloc(&mut self, bytes: u64, name: &str) -> Result<u64, EngineError> {
        let address = self.device.alloc(bytes, name)?;
        Ok(self.allocated(address, bytes, name))
    }

    fn alloc_with(&mut self, bytes: Cow<'_, [u8]>, name: &str) -> Result<u64, EngineError> {
        let length = bytes.len() as u64;
        if self.dry && self.trial.is_none() {
            return self.alloc(length, name);
        }
        let address = self.device.alloc_with(bytes.into_owned(), name)?;
        Ok(self.allocated(address, length, name))
    }

    fn free(&mut self, address: u64) -> Result<(), EngineError> {
        Ok(self.device.free(address)?)
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), EngineError> {
        if self.dry && self.trial.is_none() {
            return Ok(());
        }
        Ok(self.device.write(address, bytes)?)
    }

    fn poison(&mut self, address: u64, bytes: &[u8]) -> Result<(), EngineError> {
        if self.dry {
            return Ok(());
        }
        Ok(self.device.write_undefined(address, bytes)?)
    }

    fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), EngineError> {
        Ok(self.device.read(address, bytes)?)
    }

    fn select_stream(&mut self, stream: u64) {
        self.stream = stream;
        self.streams |= stream != 0;
    }

    fn upload(&mut self, to: u64, bytes: &[u8], host: HostSide) -> Result<(), EngineError> {
        self.device.write(to, bytes)?;
        self.written(to, bytes.len() as u64);
        self.transferred(true, kind(host), host.counts, host.waits);
        Ok(())
    }

    fn copied_unset(
        &mut self,
        to: u64,
        length: u64,
        copied_at: Option<&Location>,
    ) -> Result<bool, EngineError> {
        if self.checks.initialisation {
            self.device.copied_unset(to, length, copied_at);
        }
        Ok(true)
    }

    fn undefined(&self, from: u64, length: u64) -> Vec<Range<u64>> {
        if self.checks.initialisation { self.device.undefined(from, length) } else { Vec::new() }
    }

    fn written_in_part(&mut self, base: u64, short: Option<&ShortWrite>) {
        self.left_in_part(base, short);
    }

    fn host_used(&mut self, rows: Rows, fill: Option<u8>, line: u32) {
        if let Some(watched) = &mut self.witness {
            watched.host_used(rows, fill, line);
        }
    }

    fn moves(&mut self, to: Rows, from: MovedFrom, line: u32) {
        if let Some(watched) = &mut self.witness {
            watched.states.moves(&self.device, to, from, line);
        }
    }

    fn download(&mut self, from: u64, length: u64, host: HostSide) -> Result<usize, EngineError> {
        let mut bytes = vec![0; length as usize];
        self.device.read(from, &mut bytes)?;
        Ok(self.downloaded(bytes, host))
    }

    fn upload_rows(&mut self, to: Rows, bytes: &[u8], host: HostSide, _: u64) -> Result<(), EngineError> {
        self.device.write_rows(to, bytes)?;
        self.rows_written(to);
        self.transferred(true, kind(host), host.counts, host.waits);
        Ok(())
    }

    fn download_rows(&mut self, from: Rows, host: HostSide, _: u64) -> Result<Vec<usize>, EngineError> {
        let bytes = self.device.read_rows(from)?;
        Ok(vec![self.downloaded(bytes, host)])
    }

    fn copy_rows(&mut self, to: Rows, from: Rows) -> Result<(), EngineError> {
        if self.carries_out(to) {
            self.device.copy_rows(to, from)?;
            self.rows_written(to);
        }
        self.done(Work::Memory(moved_bytes(to, from)));
        Ok(())
    }

    fn fill_rows(&mut self, to: Rows, value: u8) -> Result<(), EngineError> {
        if self.carries_out(to) {
            self.device.fill_rows(to, value)?;
            self.rows_written(to);
        }
        self.done(Work::Memory(to.moved_bytes()));
        Ok(())
    }

    fn undefined_rows(&self, from: Rows) -> Vec<Range<u64>> {
        if self.checks.initialisation { self.device.undefined_rows(from) } else { Vec::new() }
    }

    fn take_download(&mut self, number: usize) -> Result<Vec<u8>, EngineError> {
        let bytes = self.downloads.get_mut(number).map(std::mem::take);
        bytes.ok_or_else(|| EngineError::Broken(format!("no download {number}")))
    }

    fn pin(&mut self, _: u64, _: u64) -> Result<(), EngineError> {
        Ok(())
    }

    fn unpin(&mut self, _: u64) -> Result<(), EngineError> {
        Ok(())
    }

    fn alloc_managed(&mut self, bytes: u64, name: &str) -> Result<u64, EngineError> {
        Ok(self.device.alloc_managed(bytes, name)?)
    }

    fn migrate_to_device(&mut self, address: u64, bytes: &[u8]) -> Result<(), EngineError> {
        self.device.write(address, bytes)?;
        self.transferred(true, HostMemory::Managed, bytes.len() as u64, false);
        Ok(())
    }

    /// Its pages are mapped on demand, which takes about as long as moving them.
    fn touched_first(&mut self, bytes: u64) {
        self.transferred(true, HostMemory::Managed, bytes, false);
    }

    fn migrate_to_host(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), EngineError> {
        self.device.read(address, bytes)?;
        self.answer(bytes);
        self.transferred(false, HostMemory::Managed, bytes.len() as u64, true);
        Ok(())
    }

    fn host_limit(&self) -> Option<u64> {
        self.spent.host_limit
    }

    fn computed_on_host(&mut self, instructions: u64) -> Result<(), EngineError> {
        self.spent.add_host(instructions);
        self.done(Work::Compute(instructions));
        Ok(())
    }

    fn copied_on_host(&mut self, bytes: u64, _: f64) -> Result<(), EngineError> {
        self.done(Work::Host(bytes));
        Ok(())
    }

    fn copy(&mut self, to: u64, from: u64, length: u64) -> Result<(), EngineError> {
        self.device.copy(to, from, length)?;
        self.written(to, length);
        self.done(Work::Memory(2 * length));
        Ok(())
    }

    fn fill(&mut self, address: u64, value: u8, length: u64) -> Result<(), EngineError> {
        self.device.fill(address, value, length)?;
        self.written(address, length);
        self.done(Work::Memory(length));
        Ok(())
    }

    fn symbol(&mut self, name: &str) -> Option<(u64, u64)> {
        self.device.symbol(name)
    }

    fn restore_variables(&mut self) -> Result<(), EngineError> {
        Ok(self.device.restore_variables()?)
    }

    fn variables_changed(&mut self) -> Result<bool, EngineError> {
        Ok(self.device.variables_changed()?)
    }

    fn alloc_array(&mut self, shape: &ArrayShape, name: &str) -> Result<u64, EngineError> {
        let (pitch, height) = (shape.row_bytes(), shape.rows.max(1));
        let address = self.device.alloc(shape.bytes(), name)?;
        let (width, depth, texel) = (shape.width, shape.depth.max(1), shape.texel);
        let pixels = Pixels { address, width, height, depth, pitch, texel, linear: false };
        self.arrays.insert(address, pixels);
        Ok(address)
    }

    fn free_array(&mut self, array: u64) -> Result<(), EngineError> {
        self.arrays.remove(&array);
        Ok(self.device.free(array)?)
    }

    fn write_array(&mut self, array: u64, part: Part, bytes: &[u8]) -> Result<(), EngineError> {
        for (address, at) in self.rows(array, part)? {
            self.device.write(address, &bytes[at as usize..(at + part.width) as usize])?;
        }
        self.transferred(true, HostMemory::Pageable, bytes.len() as u64, true);
        Ok(())
    }

    fn read_array(&mut self, array: u64, part: Part, bytes: &mut [u8]) -> Result<(), EngineError> {
        for (address, at) in self.rows(array, part)? {
            self.device.read(address, &mut bytes[at as usize..(at + part.width) as usize])?;
        }
        self.transferred(false, HostMemory::Pageable, bytes.len() as u64, true);
        Ok(())
    }

    fn array_rows(&self, array: u64, Part { x, y, width, rows }: Part) -> Option<Rows> {
        let Pixels { address, pitch, .. } = *self.arrays.get(&array)?;
        Some(Rows { address: address + y * pitch + x, pitch, width, rows })
    }

    fn copy_to_array(&mut self, array: u64, part: Part, from: u64, pitch: u64) -> Result<(), EngineError> {
        for (row, (address, _)) in self.rows(array, part)?.enumerate() {
            self.device.copy(address, from + row as u64 * pitch, part.width)?;
        }
        self.done(Work::Memory(2 * part.width * part.rows));
        Ok(())
    }

    fn copy_from_array(&mut self, to: u64, pitch: u64, array: u64, part: Part) -> Result<(), EngineError> {
        for (row, (address, _)) in self.rows(array, part)?.enumerate() {
            self.device.copy(to + row as u64 * pitch, address, part.width)?;
        }
        self.done(Work::Memory(2 * part.width * part.rows));
        Ok(())
    }

    fn create_texture(&mut self, source: &TextureSource, sampler: &Sampler) -> Result<u64, EngineError> {
        let pixels = self.pixels(source)?;
        Ok(self.device.create_texture(pixels, *sampler)?)
    }

    fn create_surface(&mut self, array: u64) -> Result<u64, EngineError> {
        let pixels = self.array(array)?;
        Ok(self.device.create_surface(pixels)?)
    }

    fn destroy_image(&mut self, _: ImageKind, handle: u64) -> Result<(), EngineError> {
        Ok(self.device.destroy_image(handle)?)
    }

    fn registers(&mut self, kernel: &KernelInfo) -> Result<u32, EngineError> {
        Ok(self.assembled.get(&kernel.name).map_or(0, |assembled| assembled.registers))
    }

    fn resident_blocks(
        &mut self,
        kernel: &KernelInfo,
        threads: u32,
        dynamic_shared: u32,
    ) -> Result<u32, EngineError> {
        let registers = self.assembled.get(&kernel.name).map_or(0, |assembled| assembled.registers);
        let shared = kernel.static_shared.saturating_add(dynamic_shared);
        if shared > self.limits.shared_opt_in {
            return Ok(0);
        }
        Ok(occupancy(Needs { threads, registers, shared }, &self.gpu.residency).blocks)
    }

    fn launch(&mut self, command: Command) -> Result<Launched, EngineError> {
        if self.dry { self.launch_dry(command) } else { self.launch_simulated(command) }
    }

    fn set_order(&mut self, order: Order) {
        self.order = order;
    }

    fn variables_digest(&self) -> u64 {
        self.device.variables_digest()
    }

    fn set_watched(&mut self, watched: bool) {
        self.watched = watched;
    }

    fn synchronize(&mut self) -> Result<(), EngineError> {
        self.step(Step::Host(HostWaits::All));
        Ok(())
    }

    fn synchronize_stream(&mut self) -> Result<(), EngineError> {
        self.step(Step::Host(HostWaits::Stream(self.stream)));
        Ok(())
    }

    fn synchronize_mark(&mut self, mark: usize) -> Result<(), EngineError> {
        self.known_mark(mark)?;
        self.step(Step::Host(HostWaits::Mark(mark)));
        Ok(())
    }

    fn wait_for_mark(&mut self, mark: usize) -> Result<(), EngineError> {
        self.known_mark(mark)?;
        self.step(Step::Wait { mark, stream: self.stream });
        Ok(())
    }

    fn mark(&mut self) -> Result<usize, EngineError> {
        let mark = self.marks;
        self.marks += 1;
        self.step(Step::Mark { mark, stream: self.stream });
        Ok(mark)
    }

    /// Predicted; unless events are counted, from the number of threads alone.
    fn between_ms(&mut self, start: usize, stop: usize) -> Result<f32, EngineError> {
        self.known_mark(start)?;
        self.known_mark(stop)?;
        Ok(((self.timeline.time_of(stop) - self.timeline.time_of(start)) * 1e3) as f32)
    }

    fn take_work(&mut self) -> Vec<Step> {
        self.begin_call();
        std::mem::take(&mut self.work)
    }

    fn measure_apart(&mut self, _: bool) {}

    fn take_apart(&mut self) -> Result<Option<Apart>, EngineError> {
        Ok(None)
    }

    fn take_seconds(&mut self) -> f64 {
        self.begin_call();
        let seconds = self.timeline.end() - self.taken;
        self.taken = self.timeline.end();
        seconds
    }

    fn flush_before_next(&mut self) -> Result<(), EngineError> {
        // The model takes the L2 to be empty before each call.
        Ok(())
    }

    fn take_printed(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.printed)
    }

    fn wants_guards(&self) -> bool {
        false
    }
}
