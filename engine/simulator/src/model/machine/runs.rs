//! How often each basic block of the machine code runs.

use std::collections::BTreeMap;

use super::MachineCode;
use super::decode::Unit;
use super::flow::balanced;
use crate::model::counters::Executed;

/// How often the PTX of a kernel was executed, by warps.
pub(super) struct PtxRuns {
    lines: BTreeMap<u32, f64>,
    /// The most of any line of each basic block.
    blocks: BTreeMap<u32, f64>,
}

impl PtxRuns {
    /// `origins` has the basic block of each line.
    pub fn of(executed: &[Executed], origins: &BTreeMap<u32, u32>) -> Self {
        let lines: BTreeMap<u32, f64> = executed.iter().map(|one| (one.line, one.warps as f64)).collect();
        let mut blocks: BTreeMap<u32, f64> = BTreeMap::new();
        for (line, &runs) in &lines {
            if let Some(&origin) = origins.get(line) {
                let most = blocks.entry(origin).or_default();
                *most = runs.max(*most);
            }
        }
        Self { lines, blocks }
    }

    /// Executions of a line.
    pub fn of_line(&self, line: u32) -> f64 {
        self.lines.get(&line).copied().unwrap_or(0.0)
    }

    /// Executions of a basic block.
    pub fn of_block(&self, block: u32) -> f64 {
        self.blocks.get(&block).copied().unwrap_or(0.0)
    }

    /// Executions of the next line that was executed.
    pub fn behind(&self, line: u32) -> f64 {
        self.lines.range(line + 1..).next().map_or(0.0, |(_, &runs)| runs)
    }

    /// All warps: executions of the first line that was executed at all.
    pub fn warps(&self) -> Option<f64> {
        self.lines.values().copied().find(|runs| *runs > 0.0)
    }

    /// Executions of the nearest basic block before this one that was executed, but less often than so.
    pub fn nearest_before(&self, block: u32, limit: f64) -> Option<f64> {
        self.blocks.range(..block).rev().map(|(_, &runs)| runs).find(|&runs| runs > 0.0 && runs < limit)
    }
}

impl MachineCode {
    /// Executions of each basic block: what the PTX says, corrected to what the branches allow.
    pub(super) fn runs(&self, executed: &[Executed]) -> Vec<f64> {
        let ptx = PtxRuns::of(executed, &self.origins);
        let estimates = self.estimates(&ptx);
        let mut runs = balanced(&estimates, &self.before, &self.copies(&ptx), self.branches_indirectly());
        for (block, runs) in runs.iter_mut().enumerate() {
            *runs = if self.rare[block] { 0.0 } else { *runs * self.cas_turns(block, executed) };
        }
        runs
    }

    /// Whether there is a branch of which nobody knows where it goes.
    fn branches_indirectly(&self) -> bool {
        self.instructions.iter().any(|one| one.unit == Unit::IndirectBranch)
    }

    /// Turns of a basic block that is the compare-and-swap loop by which shared memory does an atomic it has no adder for; 1 of others.
    fn cas_turns(&self, block: usize, executed: &[Executed]) -> f64 {
        let (code, start) = (self.code_of(block), self.blocks[block].start);
        let is_loop = code.last().is_some_and(|last| last.unit == Unit::Jump && last.target == Some(start));
        let Some(swap) = code.iter().find(|one| is_loop && one.unit == Unit::AtomicShared) else {
            return 1.0;
        };
        let Ok(at) = executed.binary_search_by_key(&swap.line, |one| one.line) else { return 1.0 };
        (executed[at].turns as f64 / (executed[at].warps as f64).max(1.0)).max(1.0)
    }
}
