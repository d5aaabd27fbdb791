//! A first estimate: launch cost plus the larger of what DRAM and what the sectors cost.

use crate::launch::Counters;
use crate::timing::Gpu;

/// What bounds the estimated time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limiter {
    /// Bytes that have to come from and go to DRAM.
    Dram,
    /// The fixed cost of a launch.
    Launch,
}

/// A predicted time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Seconds from launch to end.
    pub seconds: f64,
    /// The larger part.
    pub limiter: Limiter,
}

/// Bytes in a sector.
pub const SECTOR_BYTES: u64 = 32;

/// Predicts one launch from its counted sectors and the GPU's bandwidth. A first estimate: it knows no
/// latency, no instruction throughput and no atomics, so it flatters kernels that are limited by those.
pub fn estimate(counters: &Counters, gpu: &Gpu) -> Estimate {
    let sectors = counters.global_load_sectors + counters.global_store_sectors;
    let dram = (sectors * SECTOR_BYTES) as f64 / gpu.dram_bytes_per_second;
    let limiter = if dram > gpu.launch_seconds { Limiter::Dram } else { Limiter::Launch };
    Estimate { seconds: gpu.launch_seconds + dram, limiter }
}
