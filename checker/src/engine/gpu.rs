//! A real GPU as an engine, inside the worker process.
//!
//! Work is queued and issued in one go at the next point where the host function waits. The order is the
//! program's, so nothing changes for the student; but the interpreter's own time never lies between two
//! launches, and two events around each batch measure the GPU alone. Streams all become the default one.

use cuda::driver::{DriverError, Event, Gpu};

use super::interface::{Command, Engine, EngineError, Launched, Work};
use super::limits::Limits;

enum Queued {
    Launch(Command),
    Write(u64, Vec<u8>),
    Copy { to: u64, from: u64, length: u64 },
    Fill { address: u64, value: u8, length: u64 },
    Mark(usize),
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
        })
    }

    /// Issues everything queued, and waits for it.
    fn drain(&mut self) -> Result<(), EngineError> {
        if self.queue.is_empty() {
            return Ok(self.gpu.synchronize()?);
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
        self.seconds += f64::from(self.gpu.elapsed_ms(&self.start, &self.stop)?) * 1e-3;
        Ok(())
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

    fn launch(&mut self, command: Command) -> Result<Launched, EngineError> {
        self.queue.push(Queued::Launch(command));
        Ok(Launched::default())
    }

    fn synchronize(&mut self) -> Result<(), EngineError> {
        self.drain()
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
            self.scratch = Some((self.gpu.alloc(bytes)?, bytes));
        }
        self.flush = true;
        Ok(())
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
