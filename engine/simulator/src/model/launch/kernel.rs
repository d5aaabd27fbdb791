//! A launch as the model sees it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::decode::Class;
use crate::model::counters::{Counters, Executed};
use crate::model::machine::{MachineCode, MachineWork};

/// A launch as the model sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// Its counted events.
    pub counters: Counters,
    /// What each instruction of the PTX did, by line.
    #[serde(skip)]
    pub executed: Vec<Executed>,
    /// What it counts for in the limits of a launch, but for starting its blocks: every instruction that the simulator executes, those
    /// too that cost a GPU nothing.
    #[serde(skip)]
    pub simulated: u64,
    /// Its machine code, where that is known.
    #[serde(skip)]
    pub code: Option<Arc<MachineCode>>,
    /// What of it was executed.
    pub machine: Option<MachineWork>,
    /// `gridDim`.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub threads: u32,
    /// Shared memory of a block in bytes, static and dynamic.
    pub shared: u32,
    /// Registers a thread, 0 if not known.
    pub registers: u32,
}

impl Kernel {
    /// Blocks of the grid.
    pub fn blocks(&self) -> f64 {
        self.grid.iter().copied().map(f64::from).product()
    }

    /// Warps of a block.
    pub fn warps(&self) -> u32 {
        self.threads.div_ceil(32)
    }

    /// Warps of the grid, which count as whole ones whatever lanes they have.
    pub(in crate::model) fn all_warps(&self) -> f64 {
        self.blocks() * f64::from(self.warps())
    }

    /// Barriers that a warp comes to on average.
    pub(in crate::model) fn barriers(&self) -> f64 {
        self.counters.live[Class::Barrier as usize] as f64 / self.all_warps()
    }

    /// Bytes of global memory that it reads, and that it writes.
    pub fn bytes(&self) -> f64 {
        let (read, written) = self.counters.unique_bytes();
        (read + written) as f64
    }
}

/// A launch on a larger picture than the one it was counted on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Whole {
    /// The counted events, times this.
    pub scale: f64,
    /// Blocks of its grid.
    pub blocks: f64,
    /// Bytes that the largest of the earlier launches of the same call read and wrote, if there are any: what they left in the
    /// L2 may be found there.
    pub earlier: Option<f64>,
    /// Atomics on global memory of all its blocks, where they are known better than by the scale: what each block adds once at its end
    /// grows with the blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub atomics: Option<f64>,
}

impl Whole {
    /// Times the counted events, on a grid of so many blocks, of which nothing else is known.
    pub const fn new(scale: f64, blocks: f64) -> Self {
        Self { scale, blocks, earlier: None, atomics: None }
    }

    /// How many times as many atomics on global memory there are as were counted.
    pub fn atomics_by(&self, counted: u64) -> f64 {
        self.atomics.map_or(self.scale, |all| all / counted.max(1) as f64)
    }
}

#[cfg(test)]
impl Kernel {
    /// One that is known by its events alone, with few registers and no shared memory.
    pub(in crate::model) fn of(counters: Counters, blocks: u32, threads: u32) -> Self {
        Self {
            counters,
            executed: Vec::new(),
            simulated: 0,
            code: None,
            machine: None,
            grid: [blocks, 1, 1],
            threads,
            shared: 0,
            registers: 16,
        }
    }
}
