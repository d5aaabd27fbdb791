//! Jobs run on the simulator, in this process.

use std::sync::Arc;

use simulator::model::Gpu;
use simulator::{Checks, Module};

use crate::engine::{AssembledKernels, SimulatedEngine};
use crate::job::{self, Failure, Job, Outcome, Program};

/// Limit of warp instructions of a block: a base, and an amount per pixel. A correct kernel needs well under a hundred
/// per pixel even on one thread, and an endless loop is stopped within seconds.
const BLOCK_BASE: u64 = 5_000_000;
const BLOCK_PER_PIXEL: u64 = 2_000;
/// The same for a whole launch.
const LAUNCH_BASE: u64 = 50_000_000;
const LAUNCH_PER_PIXEL: u64 = 20_000;

/// Limit of warp instructions of the blocks of a launch that are tried. A few dozen per pixel are usual, and a thousandth of the
/// picture is tried.
const TRIAL_INSTRUCTIONS: u64 = 30_000_000;

/// The limits of a launch on an image of `pixels` pixels.
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
    /// The same after the assembler.
    pub assembled: AssembledKernels,
    /// A hash of the tokens of the source: where blocks are tried depends on it.
    pub tokens: u64,
    /// Lines of the PTX at which threads sleep.
    pub sleeps: Arc<[u32]>,
}

impl Simulation {
    /// Kernels without known machine code.
    pub fn new(module: Arc<Module>, gpu: &'static Gpu) -> Self {
        Self { module, gpu, assembled: Arc::default(), tokens: 0, sleeps: Arc::default() }
    }

    /// An engine for one image, with fresh memory and variables.
    pub fn engine(&self, pixels: u64, checks: Checks) -> SimulatedEngine {
        let assembled = Arc::clone(&self.assembled);
        SimulatedEngine::new(Arc::clone(&self.module), self.gpu, assembled, budget(pixels), checks)
    }

    /// An engine for a dry run that tries some blocks of each launch: see [`SimulatedEngine::trying`].
    pub fn trial(&self, read: Vec<Vec<u8>>, seed: u64, share: f64, launches: usize) -> SimulatedEngine {
        let assembled = Arc::clone(&self.assembled);
        let budget = simulator::Limits {
            block_instructions: TRIAL_INSTRUCTIONS,
            launch_instructions: TRIAL_INSTRUCTIONS,
        };
        SimulatedEngine::new(Arc::clone(&self.module), self.gpu, assembled, budget, Checks::COUNT)
            .trying(read, seed, share, launches)
    }

    /// Runs a job on a fresh GPU.
    pub fn run(&self, program: &Program, job: &Job, checks: Checks) -> Result<Outcome, Failure> {
        job::run(&mut self.engine(job.pixels, checks), program, job)
    }
}
