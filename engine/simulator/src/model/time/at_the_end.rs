//! Atomics that come when all else is done.

use super::residency::waves;
use crate::model::gpu::Gpu;
use crate::model::launch::{Kernel, Whole};

/// The warps of a block do not meet where each comes to fewer barriers than this on average.
const FEW_BARRIERS: f64 = 0.5;

/// The share of the atomics on global memory that come when all else is done. Where the warps of a block wait for each other,
/// these are mostly sums that the block has made, and where they do not, those behind the last load of a warp are its own: as
/// many blocks as run at once come to that at about the same time, and only other blocks have anything else to do meanwhile.
pub(super) fn atomics_at_the_end(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> f64 {
    let share = if kernel.barriers() < FEW_BARRIERS { behind_loads(kernel) } else { 1.0 };
    share / waves(kernel, whole, gpu)
}

/// The share of the atomics on global memory that come behind the last load of their warp.
fn behind_loads(kernel: &Kernel) -> f64 {
    let counters = &kernel.counters;
    (counters.traffic.last_atomics as f64 / (counters.global_atomics as f64).max(1.0)).min(1.0)
}
