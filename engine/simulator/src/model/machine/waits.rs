//! What a warp waits for, by what its loads miss.

use std::collections::BTreeMap;

use super::schedule::{Exposed, Loads, Timing};
use crate::model::counters::Executed;

/// How often each load misses, by its line of the PTX.
pub(super) fn missed(executed: &[Executed]) -> BTreeMap<u32, f64> {
    executed.iter().map(|one| (one.line, one.missed as f64 / (one.warps as f64).max(1.0))).collect()
}

/// Cycles that a basic block waits for far loads.
pub(super) fn waits(timing: &Timing, missed: &BTreeMap<u32, f64>) -> f64 {
    timing.exposed.iter().map(|exposed| waits_for(exposed, missed)).sum()
}

/// The same of one wait.
pub(super) fn waits_for(exposed: &Exposed, missed: &BTreeMap<u32, f64>) -> f64 {
    // Neighbours take turns in missing; others miss by themselves.
    let none: f64 = exposed.loads.iter().map(|loads| 1.0 - behind(loads, missed).min(1.0)).product();
    exposed.cycles * (1.0 - none)
}

/// How often a warp finds anything missing of a group of neighbours, by how often each load misses: now one and now another of them is
/// the first to ask for a sector, so that each wait has its part of what all of them miss.
fn behind(loads: &Loads, missed: &BTreeMap<u32, f64>) -> f64 {
    let all: f64 = loads.neighbours.iter().filter_map(|line| missed.get(line)).sum();
    all * loads.awaited as f64 / loads.neighbours.len().max(1) as f64
}
