//! The resident warps of a kernel per multiprocessor, and the resource that limits them.

use serde::Serialize;
use simulator::model::{Gpu, Kernel, Needs, Scarce, Whole, occupancy, warps};

/// Resident warps of a multiprocessor that has work.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Resident {
    /// Warps, on average over the grid.
    pub warps: f64,
    /// The most that a multiprocessor holds.
    pub most: u32,
    /// The scarce resource: `registers`, `shared memory`, `blocks` (per multiprocessor), `threads` (per multiprocessor)
    /// or `grid` (the launch has no more blocks).
    pub scarce: &'static str,
    /// Registers per thread, 0 if not known.
    pub registers: u32,
    /// Bytes of shared memory per block.
    pub shared: u32,
    /// Blocks of the grid.
    #[serde(skip)]
    pub blocks: f64,
    /// Multiprocessors of the GPU.
    #[serde(skip)]
    pub multiprocessors: u32,
}

/// The part of the warps that a multiprocessor holds from which on more would hide hardly more latency.
const NEARLY_FULL: f64 = 0.75;

impl Resident {
    /// The resident warps of this kernel.
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
        Self {
            warps,
            most: gpu.residency.warps,
            scarce,
            registers,
            shared,
            blocks: whole.blocks,
            multiprocessors: gpu.multiprocessors,
        }
    }

    /// Whether hardly more warps fit: neither more blocks nor smaller ones would add any.
    pub fn is_nearly_full(&self) -> bool {
        self.warps >= NEARLY_FULL * f64::from(self.most)
    }

    /// Multiprocessors that get no block.
    pub fn idle(&self) -> f64 {
        (f64::from(self.multiprocessors) - self.blocks).max(0.0)
    }
}
