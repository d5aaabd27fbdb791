//! Jobs run on the simulator, in this process.

use std::sync::Arc;

use simulator::model::Gpu;
use simulator::{Checks, Module};

use crate::engine::{AssembledKernels, SimulatedEngine};
use crate::job::{self, Failure, Job, Outcome, Program};

/// Warp instructions that any block may take, and what each pixel adds: an honest kernel takes well under
/// a hundred a pixel even on one thread, and an endless loop ends within seconds.
const BLOCK_BASE: u64 = 5_000_000;
const BLOCK_PER_PIXEL: u64 = 2_000;
/// The same for a whole launch.
const LAUNCH_BASE: u64 = 50_000_000;
const LAUNCH_PER_PIXEL: u64 = 20_000;

/// The limits of a launch on an image of so many pixels.
pub fn budget(pixels: u64) -> simulator::Limits {
    simulator::Limits {
        block_instructions: BLOCK_BASE + BLOCK_PER_PIXEL * pixels,
        launch_instructions: LAUNCH_BASE + LAUNCH_PER_PIXEL * pixels,
    }
}

/// A simulated GPU of one type, and the device code to run on it.
#[derive(Clone)]
pub struct Simulation {
    /// The kernels.
    pub module: Arc<Module>,
    /// The GPU.
    pub gpu: &'static Gpu,
    /// What the assembler made of them.
    pub assembled: AssembledKernels,
}

impl Simulation {
    /// Kernels whose machine code is not known.
    pub fn new(module: Arc<Module>, gpu: &'static Gpu) -> Self {
        Self { module, gpu, assembled: Arc::default() }
    }

    /// An engine for one image, its memory and variables fresh.
    pub fn engine(&self, pixels: u64, checks: Checks) -> SimulatedEngine {
        let assembled = Arc::clone(&self.assembled);
        SimulatedEngine::new(Arc::clone(&self.module), self.gpu, assembled, budget(pixels), checks)
    }

    /// Runs a job on a fresh GPU.
    pub fn run(&self, program: &Program, job: &Job, checks: Checks) -> Result<Outcome, Failure> {
        job::run(&mut self.engine(job.pixels, checks), program, job)
    }
}
