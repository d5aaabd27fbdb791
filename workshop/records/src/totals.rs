//! `workshop totals`: the GPU's counters of every launch on whole pictures.

use serde::{Deserialize, Serialize};

use crate::Set;

/// The GPU's counters of every launch on whole pictures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// The pictures, in the order of the launches.
    pub cases: Vec<String>,
    /// File by file.
    pub kernels: Vec<KernelTotals>,
}

/// The launches of one file: of its first task on each picture, of its second on each, and so on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KernelTotals {
    /// Whether the timing model was fitted on it.
    pub set: Set,
    /// The lab: `lab1`.
    pub lab: String,
    /// File name without ending.
    pub kernel: String,
    /// In order.
    pub launches: Vec<LaunchTotals>,
}

impl KernelTotals {
    /// Whether these are the launches of this file.
    pub fn are_of(&self, set: Set, lab: &str, kernel: &str) -> bool {
        (self.set, self.lab.as_str(), self.kernel.as_str()) == (set, lab, kernel)
    }
}

/// One launch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LaunchTotals {
    /// The kernel.
    pub name: String,
    /// Machine instructions of all warps.
    pub instructions: f64,
    /// Machine instructions of the scheduler that has most of them.
    pub busiest_scheduler: f64,
    /// Passes of the load/store pipe.
    pub passes: f64,
    /// Sectors read from and written to the L2.
    pub l2_sectors: f64,
    /// Sectors read from DRAM, with empty caches before the launch, and written.
    pub dram_sectors: [f64; 2],
    /// Under the profiler.
    pub microseconds: f64,
}
