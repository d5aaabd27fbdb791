//! `workshop link`: copies between host and GPU.

use serde::{Deserialize, Serialize};

/// Copies between host and GPU.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// The largest copies' speeds of all runs, the last run last.
    pub runs: Vec<LinkRun>,
    /// The copies of the last run.
    pub rows: Vec<Copy>,
}

/// One process on one machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LinkRun {
    /// The first digits of the GPU's identifier: runs on one machine share them.
    pub machine: String,
    /// The driver.
    pub driver: String,
    /// The day.
    pub date: String,
    /// The speeds.
    #[serde(flatten)]
    pub speeds: LinkSpeeds,
}

/// Speeds of the largest copies, in 10^9 bytes per second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LinkSpeeds {
    /// Page-locked memory, both directions together.
    pub page_locked: f64,
    /// Pageable memory to the GPU.
    pub pageable_up: f64,
    /// Pageable memory from the GPU.
    pub pageable_down: f64,
    /// Managed memory, both directions together.
    pub managed: f64,
}

/// One kind of copy of one size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Copy {
    /// `page-locked`, `pageable` or `managed`.
    pub host_memory: String,
    /// `up` to the GPU, `down` from it.
    pub direction: String,
    /// Size.
    pub bytes: u64,
    /// The median of the measurements.
    pub median_microseconds: f64,
    /// The shortest of them.
    pub best_microseconds: f64,
    /// Size ÷ median, in 10^9 bytes per second.
    pub gigabytes_per_second: f64,
}
