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
    /// Threads of a block.
    #[serde(skip)]
    pub threads: u32,
    /// The most registers of a thread with which one more block fits, 0 if it does not.
    #[serde(skip)]
    pub fewer_registers: u32,
    /// Blocks of the grid.
    #[serde(skip)]
    pub blocks: f64,
    /// Multiprocessors of the GPU.
    #[serde(skip)]
    pub multiprocessors: u32,
    /// Whether a kernel of the task that takes much of the time, this one or another, has few warps for lack of blocks.
    #[serde(skip)]
    pub one_lacks_blocks: bool,
}

/// The part of the warps that a multiprocessor holds from which on more would hide hardly more latency.
const NEARLY_FULL: f64 = 0.75;

/// The part of a thread's registers with which the compiler may do before most of the values that it leaves out go to local memory.
const FEWEST: f64 = 0.7;

/// The most registers of a thread with which so many blocks fit a multiprocessor; 0 if they fit with none that are fewer.
fn fewer_registers(blocks: u32, needs: Needs, gpu: &Gpu) -> u32 {
    let fits = |registers: &u32| {
        occupancy(Needs { registers: *registers, ..needs }, &gpu.residency).blocks >= blocks
    };
    (1..needs.registers).rev().find(fits).unwrap_or(0)
}

impl Resident {
    /// The resident warps of this kernel.
    pub fn of(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> Self {
        let Kernel { threads, registers, shared, .. } = *kernel;
        let needs = Needs { threads, registers, shared };
        let fit = occupancy(needs, &gpu.residency);
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
            threads,
            fewer_registers: fewer_registers(fit.blocks + 1, needs, gpu),
            blocks: whole.blocks,
            multiprocessors: gpu.multiprocessors,
            one_lacks_blocks: false,
        }
    }

    /// Whether hardly more warps fit: neither more blocks nor smaller ones would add any.
    pub fn is_nearly_full(&self) -> bool {
        self.warps >= NEARLY_FULL * f64::from(self.most)
    }

    /// Whether more blocks would add warps.
    pub fn lacks_blocks(&self) -> bool {
        self.scarce == "grid" && !self.is_nearly_full()
    }

    /// How to have one more block resident where registers keep it out, if the compiler can do with so few.
    pub fn with_fewer_registers(&self) -> Option<String> {
        let Self { warps, threads, registers, fewer_registers, .. } = *self;
        let few = f64::from(fewer_registers) >= FEWEST * f64::from(registers);
        (self.scarce == "registers" && !self.is_nearly_full() && few).then(|| {
            let blocks = (warps / f64::from(threads.div_ceil(32))).round() + 1.0;
            format!(
                "`__launch_bounds__({threads}, {blocks:.0})` before the kernel's name asks the compiler for at most {fewer_registers} registers, so                  that {blocks:.0} blocks fit; compare the time, because values may then go to local memory"
            )
        })
    }

    /// Multiprocessors that get no block.
    pub fn idle(&self) -> f64 {
        (f64::from(self.multiprocessors) - self.blocks).max(0.0)
    }
}
