//! Jobs run on the simulator, in this process.

use std::sync::Arc;

use simulator::model::Gpu;
use simulator::{Checks, Location, Module};

use crate::engine::{AssembledKernels, SimulatedEngine};
use crate::job::{self, Failure, Job, Outcome, Program};

/// Limit of warp instructions of a block: a base, and an amount per pixel. A correct kernel needs well under a hundred
/// per pixel even on one thread, and an endless loop is stopped within seconds.
const BLOCK_BASE: u64 = 5_000_000;
const BLOCK_PER_PIXEL: u64 = 2_000;
/// The same for a whole launch.
const LAUNCH_BASE: u64 = 50_000_000;
const LAUNCH_PER_PIXEL: u64 = 20_000;

/// The limits of a launch on an image of `pixels` pixels.
pub fn budget(pixels: u64) -> simulator::Limits {
    simulator::Limits {
        block_instructions: BLOCK_BASE + BLOCK_PER_PIXEL * pixels,
        launch_instructions: LAUNCH_BASE + LAUNCH_PER_PIXEL * pixels,
    }
}

/// A kernel whose effect depends on the order of its blocks and warps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderDependent {
    /// Its name, as in the source.
    pub kernel: String,
    /// The line that is the likely cause.
    pub location: Option<Location>,
}

/// A simulated GPU of one type, and the device code to run on it.
#[derive(Clone)]
pub struct Simulation {
    /// The kernels.
    pub module: Arc<Module>,
    /// The GPU.
    pub gpu: &'static Gpu,
    /// The same after the assembler.
    pub assembled: AssembledKernels,
}

impl Simulation {
    /// Kernels without known machine code.
    pub fn new(module: Arc<Module>, gpu: &'static Gpu) -> Self {
        Self { module, gpu, assembled: Arc::default() }
    }

    /// An engine for one image, with fresh memory and variables.
    pub fn engine(&self, pixels: u64, checks: Checks) -> SimulatedEngine {
        let assembled = Arc::clone(&self.assembled);
        SimulatedEngine::new(Arc::clone(&self.module), self.gpu, assembled, budget(pixels), checks)
    }

    /// The first launch of a job after which GPU memory depends on the order that the job asks for.
    pub fn first_order_dependent(&self, program: &Program, job: &Job) -> Option<OrderDependent> {
        let trace = |job: &Job| {
            let mut engine = self.engine(job.pixels, Checks::NONE).traced();
            job::run(&mut engine, program, job).ok()?;
            Some(engine.take_trace())
        };
        let (forward, other) = (trace(&Job { orders: Vec::new(), ..job.clone() })?, trace(job)?);
        let ((kernel, _), _) = forward.into_iter().zip(other).find(|(forward, other)| forward != other)?;
        let location = self.module.order_sensitive(&kernel);
        Some(OrderDependent { kernel: self.module.readable(&kernel), location })
    }

    /// Runs a job on a fresh GPU.
    pub fn run(&self, program: &Program, job: &Job, checks: Checks) -> Result<Outcome, Failure> {
        job::run(&mut self.engine(job.pixels, checks), program, job)
    }
}
