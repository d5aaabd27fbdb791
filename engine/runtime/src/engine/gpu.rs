//! A real GPU as an engine, inside the worker process.
//!
//! Work is queued and issued in one go at the next point where the host function waits. The order is the
//! program's, each piece in its own stream, so nothing changes for the student; but the interpreter's own time
//! never lies between two pieces, and two events around each batch measure the GPU alone. Pieces that a wait
//! parts do not overlap: each batch ends before the next begins. Of calls that stay on the GPU, every piece is queued
//! before the GPU comes to it, and a wait in their middle takes what a wait takes on this machine (`queue`).

mod ahead;
mod host_memory;
pub mod pixels;
mod queue;

use std::collections::BTreeMap;
use std::time::Instant;

use cuda::clock::Clock;
use cuda::driver::{DriverError, Event, Gate, Gpu, Pinned, Stream, TextureMemory};
use simulator::KernelInfo;
use simulator::image::Sampler;

use self::ahead::Ahead;
use self::host_memory::Download;
use self::pixels::{format, part, settings};
use self::queue::{Action, Doomed, Queued};
use super::images::{ArrayShape, ImageKind, Part, TextureSource};
use super::interface::{Apart, Command, Engine, EngineError, HostSide, Launched};
use super::limits::Limits;
use super::timeline::Step;

/// A GPU with the student's module loaded.
pub struct GpuEngine {
    gpu: Gpu,
    limits: Limits,
    /// The selected stream.
    stream: u64,
    streams: BTreeMap<u64, Stream>,
    queue: Vec<Queued>,
    marks: Vec<Event>,
    locked: BTreeMap<u64, Pinned>,
    /// Twins that are not needed now: to lock memory takes longer than to copy it.
    spare: Vec<Pinned>,
    downloads: Vec<Download>,
    start: Event,
    stop: Event,
    seconds: f64,
    apart: Option<Apart>,
    scratch: Option<(u64, u64)>,
    flush: bool,
    /// Whether waiting is put off.
    gathering: bool,
    /// Whether what is queued belongs to a call that was gathered: the host's own time is left out.
    gathered: bool,
    /// Holds the GPU back while a piece of such a call is queued, once times are measured.
    gate: Option<Gate>,
    /// Fills that keep the GPU busy while work is queued.
    ahead: Ahead,
    /// What to free and destroy after the next wait.
    doomed: Vec<Doomed>,
    /// Seconds between two events with nothing between them, once measured.
    empty: Option<f64>,
    /// Seconds until the host has read a table and queued what comes next, once measured.
    round_trip: Option<f64>,
    clock: Option<Clock>,
}

impl GpuEngine {
    /// Opens the GPU of these properties and loads a cubin.
    pub fn open(device: &cuda::driver::DeviceProperties, cubin: &[u8]) -> Result<Self, EngineError> {
        let gpu = Gpu::open(device.index, cubin)?;
        let (start, stop) = (gpu.event()?, gpu.event()?);
        let limits = Limits::real(device);
        Ok(Self {
            gpu,
            limits,
            stream: 0,
            streams: BTreeMap::new(),
            queue: Vec::new(),
            marks: Vec::new(),
            locked: BTreeMap::new(),
            spare: Vec::new(),
            downloads: Vec::new(),
            start,
            stop,
            seconds: 0.0,
            apart: None,
            scratch: None,
            flush: false,
            gathering: false,
            gathered: false,
            gate: None,
            ahead: Ahead::default(),
            doomed: Vec::new(),
            empty: None,
            round_trip: None,
            clock: Clock::open(&device.pci),
        })
    }
}

impl Drop for GpuEngine {
    fn drop(&mut self) {
        if let Some((scratch, _)) = self.scratch {
            // After a sticky error this fails too, and the process ends anyway.
            let _ = self.gpu.free(scratch);
        }
    }
}

impl Engine for GpuEngine {
    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn alloc(&mut self, bytes: u64, _name: &str) -> Result<u64, EngineError> {
        Ok(self.gpu.alloc(bytes)?)
    }

    fn free(&mut self, address: u64) -> Result<(), EngineError> {
        self.doom(Doomed::Memory(address))
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), EngineError> {
        self.stream = 0;
        self.queue(Action::Write(address, bytes.to_vec()))
    }

    fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), EngineError> {
        self.drain()?;
        Ok(self.gpu.read(address, bytes)?)
    }

    fn select_stream(&mut self, stream: u64) {
        self.stream = stream;
    }

    fn upload(&mut self, to: u64, bytes: &[u8], host: HostSide) -> Result<(), EngineError> {
        if self.queue_upload(to, bytes, host)? { self.drain() } else { Ok(()) }
    }

    fn download(&mut self, from: u64, length: u64, host: HostSide) -> Result<usize, EngineError> {
        let number = self.queue_download(from, length, host)?;
        if host.waits {
            self.drain()?;
        }
        Ok(number)
    }

    fn take_download(&mut self, number: usize) -> Result<Vec<u8>, EngineError> {
        if !self.queue.is_empty() {
            self.drain()?;
        }
        self.downloaded(number)
    }

    fn pin(&mut self, host: u64, bytes: u64) -> Result<(), EngineError> {
        let pinned = self.page_locked(bytes)?;
        self.locked.insert(host, pinned);
        Ok(())
    }

    fn unpin(&mut self, host: u64) -> Result<(), EngineError> {
        self.drain()?;
        if let Some(pinned) = self.locked.remove(&host) {
            self.keep(pinned);
        }
        Ok(())
    }

    fn alloc_managed(&mut self, bytes: u64, _name: &str) -> Result<u64, EngineError> {
        Ok(self.gpu.alloc_managed(bytes)?)
    }

    fn migrate_to_device(&mut self, address: u64, bytes: &[u8]) -> Result<(), EngineError> {
        self.drain()?;
        // The host's own stores put the pages on its side; the kernel that comes next fetches them.
        Ok(self.gpu.write_managed(address, bytes)?)
    }

    fn migrate_to_host(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), EngineError> {
        self.drain()?;
        let start = Instant::now();
        self.gpu.read_managed(address, bytes)?;
        self.host_took(start.elapsed().as_secs_f64());
        Ok(())
    }

    fn copied_on_host(&mut self, _: u64, seconds: f64) -> Result<(), EngineError> {
        self.host_took(seconds);
        Ok(())
    }

    fn copy(&mut self, to: u64, from: u64, length: u64) -> Result<(), EngineError> {
        self.queue(Action::Copy { to, from, length })
    }

    fn fill(&mut self, address: u64, value: u8, length: u64) -> Result<(), EngineError> {
        self.queue(Action::Fill { address, value, length })
    }

    fn symbol(&mut self, name: &str) -> Option<(u64, u64)> {
        self.gpu.symbol(name).ok()
    }

    fn alloc_array(&mut self, shape: &ArrayShape, _name: &str) -> Result<u64, EngineError> {
        let (width, rows) = (shape.width, shape.rows);
        Ok(self.gpu.alloc_array(format(shape.texel), width, rows, shape.surfaces, shape.gather)?)
    }

    fn free_array(&mut self, array: u64) -> Result<(), EngineError> {
        self.doom(Doomed::Array(array))
    }

    fn write_array(&mut self, array: u64, to: Part, bytes: &[u8]) -> Result<(), EngineError> {
        self.drain()?;
        Ok(self.gpu.write_array(array, part(to), bytes)?)
    }

    fn read_array(&mut self, array: u64, from: Part, bytes: &mut [u8]) -> Result<(), EngineError> {
        self.drain()?;
        Ok(self.gpu.read_array(array, part(from), bytes)?)
    }

    fn copy_to_array(&mut self, array: u64, part: Part, from: u64, pitch: u64) -> Result<(), EngineError> {
        self.queue(Action::ToArray { array, part, from, pitch })
    }

    fn copy_from_array(&mut self, to: u64, pitch: u64, array: u64, part: Part) -> Result<(), EngineError> {
        self.queue(Action::FromArray { to, pitch, array, part })
    }

    fn create_texture(&mut self, source: &TextureSource, sampler: &Sampler) -> Result<u64, EngineError> {
        let (memory, texel) = match *source {
            TextureSource::Array(array, texel) => (TextureMemory::Array(array), texel),
            TextureSource::Linear { address, length, texel } => {
                let bytes = u64::from(length) * texel.bytes();
                (TextureMemory::Linear { address, bytes, format: format(texel) }, texel)
            }
            TextureSource::Rows { address, width, rows, pitch, texel } => {
                (TextureMemory::Rows { address, format: format(texel), width, rows, pitch }, texel)
            }
        };
        Ok(self.gpu.create_texture(memory, &settings(sampler, texel))?)
    }

    fn create_surface(&mut self, array: u64) -> Result<u64, EngineError> {
        Ok(self.gpu.create_surface(array)?)
    }

    fn destroy_image(&mut self, kind: ImageKind, handle: u64) -> Result<(), EngineError> {
        self.doom(Doomed::Image(kind, handle))
    }

    fn resident_blocks(
        &mut self,
        kernel: &KernelInfo,
        threads: u32,
        dynamic_shared: u32,
    ) -> Result<u32, EngineError> {
        // The driver counts no block that may not have so much.
        self.allow_shared(&kernel.name, dynamic_shared)?;
        Ok(self.gpu.occupancy(&kernel.name, threads, dynamic_shared)?)
    }

    fn launch(&mut self, command: Command) -> Result<Launched, EngineError> {
        self.queue(Action::Launch(command))?;
        Ok(Launched::default())
    }

    fn synchronize(&mut self) -> Result<(), EngineError> {
        if self.gathering { Ok(()) } else { self.drain() }
    }

    fn synchronize_stream(&mut self) -> Result<(), EngineError> {
        self.drain()
    }

    fn synchronize_mark(&mut self, mark: usize) -> Result<(), EngineError> {
        self.mark_at(mark)?;
        self.drain()
    }

    fn wait_for_mark(&mut self, mark: usize) -> Result<(), EngineError> {
        self.mark_at(mark)?;
        self.queue(Action::Wait(mark))
    }

    fn mark(&mut self) -> Result<usize, EngineError> {
        self.marks.push(self.gpu.event()?);
        let index = self.marks.len() - 1;
        self.queue(Action::Mark(index))?;
        Ok(index)
    }

    fn between_ms(&mut self, start: usize, stop: usize) -> Result<f32, EngineError> {
        self.drain()?;
        Ok(self.gpu.elapsed_ms(self.mark_at(start)?, self.mark_at(stop)?)?)
    }

    fn take_work(&mut self) -> Vec<Step> {
        Vec::new()
    }

    fn measure_apart(&mut self, apart: bool) {
        self.apart = apart.then(Apart::default);
    }

    fn take_apart(&mut self) -> Result<Option<Apart>, EngineError> {
        self.drain()?;
        Ok(self.apart.as_mut().map(std::mem::take))
    }

    fn take_seconds(&mut self) -> f64 {
        std::mem::take(&mut self.seconds)
    }

    /// Writes twice the size of the L2 or more, so that nothing of the last run is left in it.
    fn flush_before_next(&mut self) -> Result<(), EngineError> {
        if self.scratch.is_none() {
            let bytes = 2 * self.limits.l2.max(1 << 20);
            let scratch = self.gpu.alloc(bytes)?;
            self.scratch = Some((scratch, bytes));
            self.empty = Some(self.empty_seconds(scratch, bytes)?);
            self.round_trip = Some(self.round_trip_seconds(scratch, bytes)?);
            self.gate = Some(self.gpu.gate()?);
        }
        self.flush = true;
        Ok(())
    }

    fn gather(&mut self, on: bool) {
        self.gathering = on;
        self.gathered |= on;
    }

    fn clock_mhz(&self) -> Option<u32> {
        self.clock.as_ref().and_then(Clock::mhz)
    }

    fn take_printed(&mut self) -> Vec<u8> {
        // The driver prints to the worker's stdout, which the parent reads.
        Vec::new()
    }

    fn wants_guards(&self) -> bool {
        true
    }
}

impl From<DriverError> for EngineError {
    fn from(error: DriverError) -> Self {
        match error {
            DriverError::NoDevice(_) => Self::Broken(error.to_string()),
            DriverError::Sticky { code, message } => Self::Crashed { code, message },
            DriverError::Call { code, .. } => Self::Refused { code, reason: error.to_string() },
        }
    }
}
