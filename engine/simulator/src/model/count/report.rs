//! What was counted, as a launch's report has it: in all, by source line, by instruction of the PTX.

use std::collections::BTreeMap;

use super::critical_path::CriticalPaths;
use super::footprint::Footprint;
use super::observer::Counting;
use super::units::fetch;
use crate::decode::{Action, Inst, Program};
use crate::finding::Location;
use crate::lines::LineTable;
use crate::model::counters::{Counters, Executed, LineCounters};

impl Counting {
    /// The launch's totals, the events by source line, and what each instruction of the PTX did.
    pub fn finish(
        mut self,
        program: &Program,
        lines: &LineTable,
        paths: CriticalPaths,
    ) -> (Counters, Vec<LineCounters>, Vec<Executed>) {
        let executed = self.executed(program, &paths);
        self.complete(program);
        let mut total = Counters::default();
        for counters in &self.by_instruction {
            total.add(counters);
        }
        paths.finish(&mut total);
        self.atomics.finish(&mut total);
        self.waited_for.finish(&mut total);
        let footprints = self.footprints.finish(&mut total);
        let by_line = by_line(program, lines, &self.by_instruction, footprints);
        (total, by_line, executed)
    }

    /// Adds what follows from the number of executions.
    fn complete(&mut self, program: &Program) {
        for (inst, counters) in program.code.iter().zip(&mut self.by_instruction) {
            // Filtering reads several texels a fetch.
            let fetches = counters.texture_requests.min(counters.warp_instructions);
            counters.texture_passes += fetch(inst) * fetches;
            if let Some(count) = counters.mix.get_mut(inst.class as usize) {
                *count = counters.warp_instructions;
            } else {
                (counters.warp_instructions, counters.thread_instructions) = (0, 0);
            }
        }
    }

    /// What each instruction of the PTX did: its first one here, if it became several.
    fn executed(&self, program: &Program, paths: &CriticalPaths) -> Vec<Executed> {
        let mut each: Vec<Executed> = (0..self.by_instruction.len())
            .map(|pc| self.executed_at(pc, program.lines[pc], paths))
            .filter(|executed| executed.warps > 0)
            .collect();
        each.sort_by_key(|executed| executed.line);
        each.dedup_by(|next, kept| {
            let same = next.line == kept.line;
            if same {
                kept.join(next);
            }
            same
        });
        each
    }

    fn executed_at(&self, pc: usize, line: u32, paths: &CriticalPaths) -> Executed {
        let (counters, misses) = (&self.by_instruction[pc], paths.misses());
        let requests = counters.global_requests() + counters.local_requests;
        let passes = counters.global_wavefronts + counters.local_wavefronts;
        Executed {
            line,
            warps: counters.warp_instructions,
            turns: self.turns[pc],
            missed: misses.all[pc],
            first_missed: misses.first[pc],
            conflicts: passes.saturating_sub(requests),
        }
    }
}

impl Executed {
    /// Joins another instruction that was made of the same line.
    fn join(&mut self, other: &Self) {
        self.warps = self.warps.max(other.warps);
        self.turns = self.turns.max(other.turns);
        self.missed += other.missed;
        self.first_missed += other.first_missed;
        self.conflicts += other.conflicts;
    }
}

/// Whether the instruction is a branch that some threads may not take.
fn may_stay(inst: &Inst) -> bool {
    matches!(inst.action, Action::Branch { .. }) && (inst.guard != 0 || inst.guard_negated)
}

/// Threads that decided at this branch not to take it: they are active in its line, too. Counted are those that take it, and
/// as many decide as execute the instruction before it, if that is one of the same block.
fn stayed(program: &Program, by_instruction: &[Counters], pc: usize) -> u64 {
    let Some(before) = pc.checked_sub(1).filter(|_| may_stay(&program.code[pc])) else { return 0 };
    let (inst, executed) = (&program.code[before], &by_instruction[before]);
    let same_block = inst.guard == 0
        && !inst.guard_negated
        && executed.warp_instructions == by_instruction[pc].warp_instructions;
    if same_block {
        executed.thread_instructions.saturating_sub(by_instruction[pc].thread_instructions)
    } else {
        0
    }
}

/// The events of each line that has any.
fn by_line(
    program: &Program,
    lines: &LineTable,
    by_instruction: &[Counters],
    footprints: Vec<Footprint>,
) -> Vec<LineCounters> {
    let mut by_line: BTreeMap<Location, (Counters, Footprint)> = BTreeMap::new();
    let line = |location: u32| Some(Location { column: 0, ..lines.get(location)?.clone() });
    for (pc, (inst, counters)) in program.code.iter().zip(by_instruction).enumerate() {
        if *counters != Counters::default()
            && let Some(line) = line(inst.location)
        {
            let own = &mut by_line.entry(line).or_default().0;
            own.add(counters);
            own.thread_instructions += stayed(program, by_instruction, pc);
        }
    }
    for (location, footprint) in footprints.into_iter().enumerate() {
        if let Some(entry) = line(location as u32).and_then(|line| by_line.get_mut(&line)) {
            entry.1.absorb(footprint);
        }
    }
    let counted = by_line.into_iter().map(|(location, (mut counters, footprint))| {
        footprint.count_into(&mut counters);
        LineCounters { location, counters }
    });
    counted.collect()
}
