//! How many warps of a kernel a multiprocessor has at once, and why not more.

use serde::Serialize;
use simulator::model::{Gpu, Kernel, Needs, Scarce, Whole, occupancy, warps};

/// Warps at once on a multiprocessor that works.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Resident {
    /// How many, on average over the grid.
    pub warps: f64,
    /// The most that a multiprocessor holds.
    pub most: u32,
    /// What there is no more of: `registers`, `shared memory`, `blocks` (of a multiprocessor), `threads` (of a multiprocessor) or `grid`
    /// (the launch has no more blocks).
    pub scarce: &'static str,
    /// Registers a thread, 0 if not known.
    pub registers: u32,
    /// Bytes of shared memory a block.
    pub shared: u32,
}

impl Resident {
    /// Of this kernel.
    pub fn of(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> Self {
        let Kernel { threads, registers, shared, .. } = *kernel;
        let fit = occupancy(Needs { threads, registers, shared }, &gpu.residency);
        let warps = warps(kernel, whole, gpu);
        let scarce = match fit.limiter {
            _ if warps < f64::from(fit.blocks * threads.div_ceil(32)) => "grid",
            Scarce::Registers => "registers",
            Scarce::Shared => "shared memory",
            Scarce::Blocks => "blocks",
            Scarce::Warps => "threads",
        };
        Self { warps, most: gpu.residency.warps, scarce, registers, shared }
    }
}
