//! What a warp waits for, by what its loads miss.

use std::collections::BTreeMap;

use super::schedule::{Exposed, Loads, Timing};
use crate::model::counters::Executed;

/// How often each load misses, by its line of the PTX.
pub(super) fn missed(executed: &[Executed]) -> BTreeMap<u32, f64> {
    executed.iter().map(|one| (one.line, one.missed as f64 / (one.warps as f64).max(1.0))).collect()
}

/// Cycles that a basic block waits for far loads, and of those the ones by which several that are waited for together make it longer, in
/// standard deviations of a load.
pub(super) fn waits(timing: &Timing, missed: &BTreeMap<u32, f64>) -> (f64, f64) {
    let of = |exposed: &Exposed| waits_for(exposed, missed);
    timing.exposed.iter().map(of).fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

/// The same of one wait.
pub(super) fn waits_for(exposed: &Exposed, missed: &BTreeMap<u32, f64>) -> (f64, f64) {
    // Neighbours take turns in missing; others miss by themselves.
    let shares = exposed.loads.iter().map(|loads| behind(loads, missed).min(1.0));
    let (none, all) = shares.fold((1.0, 0.0), |(none, all), share| (none * (1.0 - share), all + share));
    let any = 1.0 - none;
    let far = exposed.cycles * any;
    (far, far * slowest_of(all / any.max(f64::MIN_POSITIVE)))
}

/// How often a warp finds anything missing of a group of neighbours, by how often each load misses: now one and now another of them is
/// the first to ask for a sector, so that each wait has its part of what all of them miss.
fn behind(loads: &Loads, missed: &BTreeMap<u32, f64>) -> f64 {
    let all: f64 = loads.neighbours.iter().filter_map(|line| missed.get(line)).sum();
    all * loads.awaited as f64 / loads.neighbours.len().max(1) as f64
}

/// How many standard deviations the largest of so many random numbers lies above their mean: order statistics of the normal
/// distribution.
fn slowest_of(many: f64) -> f64 {
    const OF: [f64; 8] = [0.0, 0.564, 0.846, 1.029, 1.163, 1.267, 1.352, 1.424];
    let at = (many - 1.0).clamp(0.0, (OF.len() - 1) as f64);
    let (below, way) = (at as usize, at.fract());
    OF[below] + way * (OF[(below + 1).min(OF.len() - 1)] - OF[below])
}
