//! How a simulated GPU is made, and how it may differ from one that simply runs everything.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use simulator::model::Gpu;
use simulator::{Checks, Device, Module};

use super::{Arguments, AssembledKernels, SimulatedEngine};
use crate::engine::limits::Limits;
use crate::engine::timeline::Timeline;

impl SimulatedEngine {
    /// A GPU of this type with `module` loaded. `checks` says who watches its kernels;
    /// counted events predict their times.
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
            grids: Vec::new(),
            launches: 0,
            arguments: Vec::new(),
        }
    }

    /// The same that only notes which kernels are launched, in which shape. What the host reads back is taken from
    /// `read`, in order, as far as the lengths agree; else it is zeros.
    #[must_use]
    pub fn dry(self, read: Vec<Vec<u8>>) -> Self {
        Self { dry: true, read: read.into(), ..self }
    }

    /// What the host has read back while events were counted, in order: tables and counters, no images.
    pub fn take_read(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.read).into()
    }

    /// The arguments of each launch so far, in order.
    pub fn take_arguments(&mut self) -> Vec<Arguments> {
        std::mem::take(&mut self.arguments)
    }

    /// The same with other grids for its launches, in order, where there is one.
    #[must_use]
    pub fn with_grids(self, grids: Vec<Option<[u32; 3]>>) -> Self {
        Self { grids, ..self }
    }
}
