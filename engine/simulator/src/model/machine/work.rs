//! What a launch executes of its machine code, and how long its warps wait.

use super::MachineCode;
use super::decode::{Decoded, Unit};
use super::schedule::{Timing, schedule};
use super::waits::{Misses, waits};
use crate::model::counters::Executed;

/// What machine instructions a launch executes, for warps, and what they take. Not whole numbers: copies of an instruction
/// share its executions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
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
    /// Cycles more for loads that the first-level cache does not have, if each takes [`FAR`](super::FAR), or that are on their way to it.
    pub far: f64,
    /// The same, times how many standard deviations the slowest of the loads that a warp waits for lies above the mean: see
    /// `waits::slowest_of`.
    pub apart: f64,
    /// Of `far`, the cycles for what no other warp has come for before.
    pub missed: f64,
    /// Branches taken, and places where the lanes of a warp come together again.
    pub branches: f64,
    /// Passes of shared memory beyond the first of each request, and cycles of matches.
    pub passes: f64,
    /// Passes of the load/store pipe beyond the first of each request to global memory or the threads' own.
    pub conflicts: f64,
    /// Rounds of loops in which a warp missed something.
    pub rounds_missed: f64,
    /// Copies from global to shared memory that run beside what follows.
    pub fetched_ahead: f64,
    /// The same work by the barriers that the code comes to before it, none in the first; in the last, all of them or more.
    pub phases: [Phase; PHASES],
}

/// What lies between two barriers of the code.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Phase {
    /// Instructions.
    pub issued: f64,
    /// Cycles from issue to issue with everything near.
    pub near: f64,
    /// Cycles more for far loads.
    pub far: f64,
}

/// Phases that are told apart.
pub const PHASES: usize = 8;

impl MachineCode {
    /// What a launch does whose PTX was executed like this. `executed` is in the order of the lines.
    pub fn work(&self, executed: &[Executed]) -> MachineWork {
        let runs = self.runs(executed);
        let misses = Misses::of(executed);
        let timings = schedule(&self.instructions, &self.blocks, &self.groups, &runs);
        let sum = |of: fn(&Executed) -> u64| executed.iter().map(|one| of(one) as f64).sum();
        let mut work = MachineWork {
            passes: sum(|one| one.passes),
            conflicts: sum(|one| one.conflicts),
            rounds_missed: sum(|one| one.first_missed),
            branches: self.taken_branches(&runs),
            ..MachineWork::default()
        };
        let mut phase = 0;
        for (block, (timing, runs)) in timings.iter().zip(runs).enumerate() {
            work.add_waits(timing, &misses, runs, phase);
            phase = work.add_block(self.code_of(block), timing, runs, phase);
        }
        work
    }

    /// Branches that warps take, and places where their lanes come together.
    fn taken_branches(&self, runs: &[f64]) -> f64 {
        (0..self.blocks.len()).map(|block| self.taken_at_the_end(block, runs)).sum()
    }

    /// Of the branch that ends a basic block.
    fn taken_at_the_end(&self, block: usize, runs: &[f64]) -> f64 {
        let last = self.instructions[self.blocks[block].end - 1];
        match last.unit {
            Unit::Jump if last.guarded => self.taken_by_some(block, last, runs),
            Unit::Jump | Unit::Bsync => runs[block],
            _ => 0.0,
        }
    }

    /// Of a branch with a condition: the other way, or its own, tells if nothing else leads there. All warps take one that leads back.
    fn taken_by_some(&self, block: usize, branch: Decoded, runs: &[f64]) -> f64 {
        let is_only_way_to = |next: usize| self.before.get(next).is_some_and(|before| before == &[block]);
        let target = branch.target.and_then(|target| self.blocks.iter().position(|to| to.start == target));
        let leads_back = branch.target.is_some_and(|target| target <= self.blocks[block].start);
        match target {
            _ if is_only_way_to(block + 1) => (runs[block] - runs[block + 1]).max(0.0),
            Some(target) if is_only_way_to(target) => runs[target].min(runs[block]),
            _ if leads_back => runs[block],
            _ => 0.0,
        }
    }
}

impl MachineWork {
    /// Adds what a basic block waits for that runs so often. That comes before its first barrier, if it has one.
    fn add_waits(&mut self, timing: &Timing, misses: &Misses, runs: f64, phase: usize) {
        let (far, apart) = waits(timing, &misses.late);
        self.missed += runs * waits(timing, &misses.missed).0;
        self.near += runs * timing.near;
        self.far += runs * far;
        self.apart += runs * apart;
        self.phases[phase].far += runs * far;
    }

    /// Adds its instructions; the phase behind it.
    fn add_block(&mut self, code: &[Decoded], timing: &Timing, runs: f64, mut phase: usize) -> usize {
        for one in code {
            self.add(one.unit, runs);
            self.phases[phase].issued += runs;
            self.phases[phase].near += runs * timing.near / code.len() as f64;
            phase = (phase + usize::from(one.unit == Unit::Barrier)).min(PHASES - 1);
        }
        phase
    }

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
