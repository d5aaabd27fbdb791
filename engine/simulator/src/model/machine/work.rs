//! What a launch executes of its machine code, and how long its warps wait.

use super::MachineCode;
use super::decode::Unit;
use super::schedule::schedule;
use super::waits::{missed, waits};
use crate::model::counters::Executed;
use serde::{Deserialize, Serialize};

/// What machine instructions a launch executes, for warps, and what they take. Not whole numbers: copies of an instruction
/// share its executions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct MachineWork {
    /// All instructions.
    pub issued: f64,
    /// Integer addition, logic, shifts, comparisons, moves between registers.
    pub integer: f64,
    /// Single precision.
    pub float: f64,
    /// Integer multiplication and dot products.
    pub multiply: f64,
    /// Special functions and conversions.
    pub special: f64,
    /// Double precision.
    pub double: f64,
    /// Shuffles and reductions.
    pub warp: f64,
    /// Barriers.
    pub barrier: f64,
    /// Cycles from issue to issue with everything near, summed over the warps.
    pub near: f64,
    /// Cycles more for loads that the first-level cache does not have, if each takes [`FAR`](super::FAR).
    pub far: f64,
    /// Passes of the load/store pipe beyond the first of each request to global memory or the threads' own.
    pub conflicts: f64,
    /// Rounds of loops in which a warp missed something.
    pub rounds_missed: f64,
    /// Copies from global to shared memory that run beside what follows.
    pub fetched_ahead: f64,
}

impl MachineCode {
    /// What a launch does whose PTX was executed like this. `executed` is in the order of the lines.
    pub fn work(&self, executed: &[Executed]) -> MachineWork {
        let runs = self.runs(executed);
        let missed = missed(executed);
        let timings = schedule(&self.instructions, &self.blocks, &self.groups, &runs);
        let sum = |of: fn(&Executed) -> u64| executed.iter().map(|one| of(one) as f64).sum();
        let mut work = MachineWork {
            conflicts: sum(|one| one.conflicts),
            rounds_missed: sum(|one| one.first_missed),
            ..MachineWork::default()
        };
        for (block, (timing, runs)) in timings.iter().zip(runs).enumerate() {
            work.near += runs * timing.near;
            work.far += runs * waits(timing, &missed);
            for one in self.code_of(block) {
                work.add(one.unit, runs);
            }
        }
        work
    }
}

impl MachineWork {
    /// Adds an instruction that runs so often.
    pub(super) fn add(&mut self, unit: Unit, runs: f64) {
        self.issued += runs;
        match unit {
            Unit::Integer => self.integer += runs,
            Unit::Float => self.float += runs,
            Unit::Multiply => self.multiply += runs,
            Unit::Special => self.special += runs,
            Unit::Double => self.double += runs,
            Unit::Shuffle => self.warp += runs,
            // As long as two shuffles (`workshop micro`).
            Unit::Reduce => self.warp += 2.0 * runs,
            Unit::Barrier => self.barrier += runs,
            Unit::FetchAhead => self.fetched_ahead += runs,
            _ => {}
        }
    }
}
