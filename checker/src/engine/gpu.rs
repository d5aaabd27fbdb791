//! A real GPU as an engine, inside the worker process.
//!
//! Work is queued and issued in one go at the next point where the host function waits. The order is the
//! program's, so nothing changes for the student; but the interpreter's own time never lies between two
//! launches, and two events around each batch measure the GPU alone. Streams all become the default one.

use cuda::clock::Clock;
use cuda::driver::{ArrayFormat, ArrayPart, DriverError, Event, Gpu, TextureMemory, TextureSettings};
use simulator::image::{AddressMode, Filter, Numbers, Sampler, Texel};

use super::images::{ArrayShape, ImageKind, Part, TextureSource};
use super::interface::{Command, Engine, EngineError, Launched, Work};
use super::limits::Limits;
use crate::timing::median;

/// Pairs of events with nothing between them that are timed to know what the events take.
const EMPTY_RUNS: usize = 21;

enum Queued {
    Launch(Command),
    Write(u64, Vec<u8>),
    Copy { to: u64, from: u64, length: u64 },
    Fill { address: u64, value: u8, length: u64 },
    ToArray { array: u64, part: Part, from: u64, pitch: u64 },
    FromArray { to: u64, pitch: u64, array: u64, part: Part },
    Mark(usize),
}

/// A pixel as the driver numbers it (`CUarray_format`).
fn format(texel: Texel) -> ArrayFormat {
    let number = match (texel.numbers, texel.bits) {
        (Numbers::Unsigned, 8) => 0x01,
        (Numbers::Unsigned, 16) => 0x02,
        (Numbers::Unsigned, _) => 0x03,
        (Numbers::Signed, 8) => 0x08,
        (Numbers::Signed, 16) => 0x09,
        (Numbers::Signed, _) => 0x0a,
        (Numbers::Float, 16) => 0x10,
        (Numbers::Float, _) => 0x20,
    };
    ArrayFormat { number, bytes: u32::from(texel.bits) / 8, channels: texel.channels.into() }
}

fn part(Part { x, y, width, rows }: Part) -> ArrayPart {
    ArrayPart { x, y, width, rows }
}

/// A GPU with the student's module loaded.
pub struct GpuEngine {
    gpu: Gpu,
    limits: Limits,
    queue: Vec<Queued>,
    marks: Vec<Event>,
    start: Event,
    stop: Event,
    seconds: f64,
    scratch: Option<(u64, u64)>,
    flush: bool,
    /// Whether waiting is put off.
    gathering: bool,
    /// Allocations to free after the next wait.
    doomed: Vec<u64>,
    /// Seconds between two events with nothing between them, once measured.
    empty: Option<f64>,
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
            queue: Vec::new(),
            marks: Vec::new(),
            start,
            stop,
            seconds: 0.0,
            scratch: None,
            flush: false,
            gathering: false,
            doomed: Vec::new(),
            empty: None,
            clock: Clock::open(&device.pci),
        })
    }

    /// Issues everything queued, and waits for it.
    fn drain(&mut self) -> Result<(), EngineError> {
        if self.queue.is_empty() {
            self.gpu.synchronize()?;
            return self.free_doomed();
        }
        let queue = std::mem::take(&mut self.queue);
        if let Some((scratch, bytes)) = self.scratch.filter(|_| std::mem::take(&mut self.flush)) {
            // Long enough on the GPU for everything below to be queued behind it: no launch waits for us.
            self.gpu.fill(scratch, 0, bytes)?;
        }
        self.gpu.record(&self.start)?;
        for queued in queue {
            self.issue(queued)?;
        }
        self.gpu.record(&self.stop)?;
        self.gpu.synchronize()?;
        let seconds = f64::from(self.gpu.elapsed_ms(&self.start, &self.stop)?) * 1e-3;
        self.seconds += (seconds - self.empty.unwrap_or(0.0)).max(0.0);
        self.free_doomed()
    }

    fn free_doomed(&mut self) -> Result<(), EngineError> {
        for address in std::mem::take(&mut self.doomed) {
            self.gpu.free(address)?;
        }
        Ok(())
    }

    /// The time that the two events themselves take.
    fn empty_seconds(&self, scratch: u64, bytes: u64) -> Result<f64, EngineError> {
        let once = || -> Result<f64, EngineError> {
            self.gpu.fill(scratch, 0, bytes)?;
            self.gpu.record(&self.start)?;
            self.gpu.record(&self.stop)?;
            self.gpu.synchronize()?;
            Ok(f64::from(self.gpu.elapsed_ms(&self.start, &self.stop)?) * 1e-3)
        };
        let times = (0..EMPTY_RUNS).map(|_| once()).collect::<Result<Vec<f64>, EngineError>>()?;
        Ok(median(&times))
    }

    fn issue(&self, queued: Queued) -> Result<(), EngineError> {
        match queued {
            Queued::Launch(command) => {
                if command.dynamic_shared > self.limits.shared {
                    // The runtime has checked that the host function asked for it.
                    self.gpu.set_dynamic_shared_limit(&command.kernel, command.dynamic_shared)?;
                }
                self.gpu.launch(
                    &command.kernel,
                    command.grid,
                    command.block,
                    command.dynamic_shared,
                    &command.arguments,
                )?;
            }
            Queued::Write(address, bytes) => self.gpu.write(address, &bytes)?,
            Queued::Copy { to, from, length } => self.gpu.copy(to, from, length)?,
            Queued::Fill { address, value, length } => self.gpu.fill(address, value, length)?,
            Queued::ToArray { array, part: to, from, pitch } => {
                self.gpu.copy_to_array(array, part(to), from, pitch)?;
            }
            Queued::FromArray { to, pitch, array, part: from } => {
                self.gpu.copy_from_array(to, pitch, array, part(from))?;
            }
            Queued::Mark(index) => self.gpu.record(&self.marks[index])?,
        }
        Ok(())
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
        if self.gathering {
            self.doomed.push(address);
            return Ok(());
        }
        self.drain()?;
        Ok(self.gpu.free(address)?)
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), EngineError> {
        self.queue.push(Queued::Write(address, bytes.to_vec()));
        Ok(())
    }

    fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), EngineError> {
        self.drain()?;
        Ok(self.gpu.read(address, bytes)?)
    }

    fn copy(&mut self, to: u64, from: u64, length: u64) -> Result<(), EngineError> {
        self.queue.push(Queued::Copy { to, from, length });
        Ok(())
    }

    fn fill(&mut self, address: u64, value: u8, length: u64) -> Result<(), EngineError> {
        self.queue.push(Queued::Fill { address, value, length });
        Ok(())
    }

    fn symbol(&mut self, name: &str) -> Option<(u64, u64)> {
        self.gpu.symbol(name).ok()
    }

    fn alloc_array(&mut self, shape: &ArrayShape, _name: &str) -> Result<u64, EngineError> {
        let (width, rows) = (shape.width, shape.rows);
        Ok(self.gpu.alloc_array(format(shape.texel), width, rows, shape.surfaces, shape.gather)?)
    }

    fn free_array(&mut self, array: u64) -> Result<(), EngineError> {
        self.drain()?;
        Ok(self.gpu.free_array(array)?)
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
        self.queue.push(Queued::ToArray { array, part, from, pitch });
        Ok(())
    }

    fn copy_from_array(&mut self, to: u64, pitch: u64, array: u64, part: Part) -> Result<(), EngineError> {
        self.queue.push(Queued::FromArray { to, pitch, array, part });
        Ok(())
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
        let as_integers = !sampler.fractions && texel.numbers != Numbers::Float;
        let mode = |mode| match mode {
            AddressMode::Wrap => 0,
            AddressMode::Clamp => 1,
            AddressMode::Mirror => 2,
            AddressMode::Border => 3,
        };
        let settings = TextureSettings {
            address: sampler.address.map(mode),
            linear_filter: sampler.filter == Filter::Linear,
            as_integers,
            normalized: sampler.normalized,
            border: sampler.border,
        };
        Ok(self.gpu.create_texture(memory, &settings)?)
    }

    fn create_surface(&mut self, array: u64) -> Result<u64, EngineError> {
        Ok(self.gpu.create_surface(array)?)
    }

    fn destroy_image(&mut self, kind: ImageKind, handle: u64) -> Result<(), EngineError> {
        // Kernels that use it may still wait in the queue.
        self.drain()?;
        match kind {
            ImageKind::Texture => self.gpu.destroy_texture(handle)?,
            ImageKind::Surface => self.gpu.destroy_surface(handle)?,
        }
        Ok(())
    }

    fn launch(&mut self, command: Command) -> Result<Launched, EngineError> {
        self.queue.push(Queued::Launch(command));
        Ok(Launched::default())
    }

    fn synchronize(&mut self) -> Result<(), EngineError> {
        if self.gathering { Ok(()) } else { self.drain() }
    }

    fn mark(&mut self) -> Result<usize, EngineError> {
        self.marks.push(self.gpu.event()?);
        let index = self.marks.len() - 1;
        self.queue.push(Queued::Mark(index));
        Ok(index)
    }

    fn between_ms(&mut self, start: usize, stop: usize) -> Result<f32, EngineError> {
        self.drain()?;
        match (self.marks.get(start), self.marks.get(stop)) {
            (Some(start), Some(stop)) => Ok(self.gpu.elapsed_ms(start, stop)?),
            _ => Err(EngineError::Broken(format!("no time mark {start} or {stop}"))),
        }
    }

    fn take_work(&mut self) -> Vec<Work> {
        Vec::new()
    }

    fn take_seconds(&mut self) -> f64 {
        std::mem::take(&mut self.seconds)
    }

    /// Writes twice the size of the L2, so that nothing of the last run is left in it.
    fn flush_before_next(&mut self) -> Result<(), EngineError> {
        if self.scratch.is_none() {
            let bytes = 2 * self.limits.l2.max(1 << 20);
            let scratch = self.gpu.alloc(bytes)?;
            self.scratch = Some((scratch, bytes));
            self.empty = Some(self.empty_seconds(scratch, bytes)?);
        }
        self.flush = true;
        Ok(())
    }

    fn gather(&mut self, on: bool) {
        self.gathering = on;
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
