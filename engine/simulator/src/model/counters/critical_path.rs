//! The longest chain of instructions of a warp that wait for each other.

use serde::{Deserialize, Serialize};

/// What a lone warp is stalled by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StallReason {
    /// Results of instructions.
    Compute,
    /// What is near: shared and constant memory, the first-level cache, other lanes.
    Near,
    /// The second-level cache and DRAM.
    Far,
    /// Barriers.
    Barrier,
}

/// What a warp takes by itself, in cycles of an H200, by stall reason: nominal latencies along the chain of instructions
/// that wait for each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CriticalPath {
    /// Indexed by [`StallReason`].
    pub cycles: [u64; 4],
}

impl CriticalPath {
    /// Nominal cycles of a load that the L1 does not have.
    pub(crate) const FAR: u64 = 500;

    /// All of it.
    pub fn total(&self) -> u64 {
        self.cycles.iter().sum()
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.cycles.iter_mut().zip(other.cycles) {
            *mine += theirs;
        }
    }

    /// The longer one; of two that are as long, whichever has more in the first place where they differ.
    #[must_use]
    pub(crate) fn longer(self, other: Self) -> Self {
        if (other.total(), other.cycles) > (self.total(), self.cycles) { other } else { self }
    }
}
