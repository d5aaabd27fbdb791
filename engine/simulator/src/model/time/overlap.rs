//! What of a launch runs side by side, and what has to wait for the rest.

use super::kernel::{Kernel, Whole};
use super::lone_warp::away;
use super::residency::{at_once, rounds, warps, waves};
use super::traffic::Traffic;
use crate::model::gpu::Gpu;
use crate::model::machine::{FAR, PHASES};

/// The warps of a block do not meet where each comes to fewer barriers than this on average.
const FEW_BARRIERS: f64 = 0.5;

/// How the terms of a launch meet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Overlap {
    /// Warps on a multiprocessor.
    pub warps: f64,
    /// Of each phase, its shares of what its units are busy for and of the latency.
    pub phases: [[f64; 2]; PHASES],
    /// The share of the blocks that begin with the launch.
    pub first_round: f64,
    /// The share of what its units do that the warps of one block do at the same time.
    pub in_step: f64,
    /// The share of the atomics on global memory after all else.
    pub at_the_end: f64,
}

impl Overlap {
    /// Whether there is more than one phase.
    pub fn has_phases(&self) -> bool {
        self.phases.iter().filter(|phase| **phase != [0.0; 2]).count() > 1
    }

    /// Of a launch with this traffic.
    pub fn of(kernel: &Kernel, whole: Whole, traffic: &Traffic, gpu: &Gpu) -> Self {
        Self {
            warps: warps(kernel, whole, gpu),
            phases: phases(kernel, traffic, gpu),
            first_round: rounds(kernel, whole, gpu).recip(),
            in_step: in_step(kernel, whole, gpu),
            at_the_end: atomics_at_the_end(kernel, whole, gpu),
        }
    }
}

/// The share of what a multiprocessor's units do that a block's own warps do at the same time, and not while some of them wait: where they meet
/// at barriers they set out together, so that first all wait and then all work. That is the whole of what they do for the block if a
/// warp waits for memory once between two barriers, and half of it if twice; the other blocks go on meanwhile. Nothing where copies to shared
/// memory run ahead, or where there is no machine code to say how often a warp waits.
pub(super) fn in_step(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> f64 {
    let Some(work) = kernel.machine.filter(|work| work.fetched_ahead == 0.0) else { return 0.0 };
    if kernel.barriers() < FEW_BARRIERS {
        return 0.0;
    }
    let waits = work.far / FAR / kernel.all_warps() / (kernel.barriers() + 1.0);
    (waits.max(1.0) * at_once(kernel, whole, gpu)).recip()
}

/// For each phase of a launch, its shares of what the units are busy for and of what a warp takes by itself; the rest are nothing. Blocks
/// that begin together load together and compute together, and what one phase leaves idle no other makes up.
fn phases(kernel: &Kernel, traffic: &Traffic, gpu: &Gpu) -> [[f64; 2]; PHASES] {
    let away = away(traffic.from_dram, gpu) / FAR;
    let mut all = kernel.machine.map_or([[0.0; 2]; PHASES], |work| {
        work.phases.map(|phase| [phase.issued, phase.near + phase.far * away])
    });
    let sum = |which: usize| all.iter().map(|phase| phase[which]).sum::<f64>();
    let sums = [sum(0), sum(1)];
    if sums.contains(&0.0) {
        // Nothing is known: one phase.
        all[0] = [1.0; 2];
        return all;
    }
    all.map(|[busy, alone]| [busy / sums[0], alone / sums[1]])
}

/// The share of the atomics on global memory that come when all else is done. Where the warps of a block wait for each other,
/// these are mostly sums that the block has made, and where they do not, those behind the last load of a warp are its own: as
/// many blocks as run at once come to that at about the same time, and only other blocks have anything else to do meanwhile.
fn atomics_at_the_end(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> f64 {
    let share = if kernel.barriers() < FEW_BARRIERS { behind_loads(kernel) } else { 1.0 };
    share / waves(kernel, whole, gpu)
}

/// The share of the atomics on global memory that come behind the last load of their warp.
fn behind_loads(kernel: &Kernel) -> f64 {
    let counters = &kernel.counters;
    (counters.traffic.last_atomics as f64 / (counters.global_atomics as f64).max(1.0)).min(1.0)
}
