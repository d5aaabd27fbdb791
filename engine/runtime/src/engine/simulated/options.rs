//! Creating a simulated GPU, and its variants: dry runs and other grids.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use simulator::model::Gpu;
use simulator::{Checks, Device, Module, Order};

use super::spent::Spent;
use super::trial::Trial;
use super::witness::{Watched, Witness};
use super::{Asked, AssembledKernels, Profiled, Recording, SimulatedEngine};
use crate::engine::limits::Limits;
use crate::engine::timeline::Timeline;

impl SimulatedEngine {
    /// A GPU of this type with `module` loaded. `budget` bounds the instructions of a block, and of all launches of a call. `checks` selects the
    /// analyses; with [`Checks::COUNT`], events are counted and times are predicted.
    pub fn new(
        module: Arc<Module>,
        gpu: &'static Gpu,
        assembled: AssembledKernels,
        budget: simulator::Limits,
        checks: Checks,
    ) -> Self {
        Self {
            device: Device::new(module, budget),
            arrays: BTreeMap::new(),
            limits: Limits::simulated(gpu),
            gpu,
            assembled,
            checks,
            watched: true,
            order: Order::Forward,
            trace: None,
            witness: None,
            recorded: None,
            stream: 0,
            streams: false,
            work: Vec::new(),
            timeline: Timeline::default(),
            marks: 0,
            downloads: Vec::new(),
            taken: 0.0,
            printed: Vec::new(),
            dry: false,
            read: VecDeque::new(),
            read_bytes: 0,
            grids: Vec::new(),
            enough: None,
            launches: 0,
            trial: None,
            asked: Vec::new(),
            profile: None,
            seen_line: None,
            spent: Spent::of(budget),
        }
    }

    /// The same for a dry run, which only records launches and their shapes. Downloads return the elements of `read` in
    /// order, if the lengths agree; else the contents of the device, which are zeros.
    #[must_use]
    pub fn dry(self, read: Vec<Vec<u8>>) -> Self {
        Self { dry: true, read: read.into(), ..self }
    }

    /// Takes the downloads so far, in order: tables and counters, no images. Empty unless events are counted.
    pub fn take_read(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.read).into()
    }

    /// A dry run that tries some blocks of each of the first `launches` launches, drawn from `seed`: `share` of them, but at least a few. They run on
    /// what lies in memory: the inputs, and what the blocks tried before them have left. Events are counted if the engine counts them.
    #[must_use]
    pub fn trying(self, read: Vec<Vec<u8>>, seed: u64, share: f64, launches: usize) -> Self {
        let checks = self.checks;
        Self { trial: Some(Trial::new(seed, share, launches, checks)), ..self.dry(read) }
    }

    /// The same without the counting of events.
    #[must_use]
    pub fn uncounted(self) -> Self {
        Self { checks: Checks::NONE, ..self }
    }

    /// Takes what each launch so far asked for, in order.
    pub fn take_asked(&mut self) -> Vec<Asked> {
        std::mem::take(&mut self.asked)
    }

    /// The same, with a profile of its launches: [`Self::take_profile`].
    #[must_use]
    pub fn profiled(self) -> Self {
        Self { profile: Some(Vec::new()), ..self }
    }

    /// The same, which keeps the first requests of this source line instead of counting events.
    #[must_use]
    pub fn seeing(self, line: u32) -> Self {
        Self { seen_line: Some(line), ..self.profiled() }
    }

    /// Takes what each launch did line by line.
    pub fn take_profile(&mut self) -> Vec<Profiled> {
        self.profile.take().unwrap_or_default()
    }

    /// The same, with a trace of what launches leave in memory.
    #[must_use]
    pub(crate) fn traced(self) -> Self {
        Self { trace: Some(Vec::new()), ..self }
    }

    /// Takes the trace: by launch, its kernel and a digest of GPU memory after it.
    pub(crate) fn take_trace(&mut self) -> Vec<(String, u64)> {
        self.trace.take().unwrap_or_default()
    }

    /// The same, watching who touches the first `buffers` buffers that are allocated.
    #[must_use]
    pub(crate) fn witnessing(self, buffers: usize) -> Self {
        Self { witness: Some(Watched::expecting(buffers)), ..self }
    }

    /// Takes what was seen.
    pub(crate) fn take_witness(&mut self) -> Witness {
        let watched = self.witness.take();
        watched.map(|watched| Witness { states: watched.states.all, ..watched.witness }).unwrap_or_default()
    }

    /// The same, with a recording of the first `blocks` blocks of each launch instead of checks.
    #[must_use]
    pub fn recording(self, blocks: u64) -> Self {
        Self { recorded: Some((blocks, Vec::new())), ..self }
    }

    /// Takes the recordings: one per launch.
    pub fn take_recorded(&mut self) -> Vec<Recording> {
        self.recorded.take().map(|(_, recorded)| recorded).unwrap_or_default()
    }

    /// The same with other grids for its launches, in order; `None` keeps a launch's own grid.
    #[must_use]
    pub fn with_grids(self, grids: Vec<Option<[u32; 3]>>) -> Self {
        Self { grids, ..self }
    }

    /// The same, where a launch of one row of blocks with more threads than these gets fewer blocks, but at least two: enough for a kernel that goes
    /// on by the size of its grid.
    #[must_use]
    pub fn with_enough(self, threads: u64) -> Self {
        Self { enough: Some(threads), ..self }
    }
}
