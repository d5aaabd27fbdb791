//! A GPU with a module loaded, and all that it keeps between calls.

use std::collections::BTreeMap;

use cuda::clock::Clock;
use cuda::driver::{DriverError, Event, Gate, Gpu, Pinned, Stream};

use super::actions::{Doomed, Download, Queued};
use super::ahead::Ahead;
use crate::engine::interface::EngineError;
use crate::engine::limits::Limits;
use crate::engine::work::Apart;

/// A real GPU with a module loaded.
pub struct GpuEngine {
    pub(super) gpu: Gpu,
    pub(super) limits: Limits,
    /// The selected stream.
    pub(super) stream: u64,
    pub(super) streams: BTreeMap<u64, Stream>,
    pub(super) queue: Vec<Queued>,
    pub(super) marks: Vec<Event>,
    pub(super) locked: BTreeMap<u64, Pinned>,
    /// Page-locked buffers kept for reuse: locking memory takes longer than copying it.
    pub(super) spare: Vec<Pinned>,
    pub(super) downloads: Vec<Download>,
    pub(super) start: Event,
    pub(super) stop: Event,
    pub(super) seconds: f64,
    pub(super) apart: Option<Apart>,
    pub(super) scratch: Option<(u64, u64)>,
    pub(super) flush: bool,
    /// Whether waits are postponed (see [`crate::engine::Engine::gather`]).
    pub(super) gathering: bool,
    /// Whether the queue belongs to gathered calls: then the host's own time does not count.
    pub(super) gathered: bool,
    /// Holds the GPU back while gathered operations are queued. Present once times are measured.
    pub(super) gate: Option<Gate>,
    /// Fills that keep the GPU busy while work is queued.
    pub(super) ahead: Ahead,
    /// Resources to free after the next wait.
    pub(super) doomed: Vec<Doomed>,
    /// Seconds between two events with nothing between them, once measured.
    pub(super) empty: Option<f64>,
    /// Seconds until the host has read a table and queued the next operation, once measured.
    pub(super) round_trip: Option<f64>,
    pub(super) clock: Option<Clock>,
    /// The module's variables and their first contents, once asked for.
    pub(super) variables: Option<Vec<(u64, Vec<u8>)>>,
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
            variables: None,
        })
    }
}

impl Drop for GpuEngine {
    fn drop(&mut self) {
        if let Some((scratch, _)) = self.scratch {
            // After a sticky error this fails as well, and the process ends anyway.
            let _ = self.gpu.free(scratch);
        }
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
