//! Launches with analyses, of all blocks or of some.

use super::{Device, Limits};
use crate::analyses::All;
use crate::exec::{self, BlockShape, FaultKind, GridOutcome, GridSpec, Nobody, Order, run_grid, run_some};
use crate::explain::undefined::without_consequences;
use crate::finding::Severity;
use crate::launch::{Checks, LaunchReport};
use crate::memory::Memory;
use crate::model::{Counting, CriticalPaths};
use crate::observe::{Both, Initialisation, Races, Touched};
use crate::sample;

/// Instructions that are watched of a launch too large to be watched whole: so many, and one for so many of its limit.
const SAMPLE_BASE: u64 = 15_000;
const SAMPLE_SHARE: u64 = 5_000_000;

/// Instructions that a block may execute in an order other than the first before it is taken to wait for another.
const MOST_OF_A_BLOCK: u64 = 2_000_000;

impl Device {
    /// A launch with these analyses.
    pub(super) fn checked(&mut self, spec: &GridSpec<'_>, report: &mut LaunchReport, checks: Checks) {
        let program = spec.shape.program;
        let threads = spec.shape.block.iter().product();
        let blocks = spec.shape.grid.iter().map(|&side| u64::from(side)).product();
        if checks.initialisation || checks.races || checks.touched {
            self.watched(spec, report, checks);
            return;
        }
        if let Some(seed) = checks.sample {
            self.sampled(spec, report, seed);
        }
        if checks.count {
            let all = |_: &Memory| Both(Counting::new(program, blocks), CriticalPaths::new(program, threads));
            if let Some(Both(counting, paths)) = self.run(spec, report, all) {
                (report.counters, report.lines, report.executed) =
                    counting.finish(program, &self.module.lines, paths);
            }
        } else {
            self.run(spec, report, |_| Nobody);
        }
        if !report.stopped {
            self.memory.set_defined(None);
        }
    }

    /// Looks for races and undefined values in some blocks of a launch that is yet to run.
    fn sampled(&self, spec: &GridSpec<'_>, report: &mut LaunchReport, seed: u64) {
        let program = spec.shape.program;
        if spec.shape.cooperative {
            return;
        }
        let threads = spec.shape.block.iter().product();
        let shared = program.shared_room(spec.shape.dynamic_shared);
        let initialisation = Initialisation::new(program, &self.memory, threads, shared);
        let races = Races::new(program, &self.memory, threads, shared, self.module.independent_lanes());
        // All analyses, because the executor is compiled for them anyway.
        let observer: All<'_> = Both(Both(None, None), Both(Some(initialisation), Some(races.by_bytes())));
        // The work grows with the image, as the limit does.
        let instructions = SAMPLE_BASE + spec.limits.launch_instructions / SAMPLE_SHARE;
        let blocks = sample::blocks(spec.shape.grid, seed ^ sample::hash(&program.name));
        let Both(_, Both(initialisation, races)) =
            run_some(spec, &self.memory, observer, blocks, instructions);
        let scene = self.scene(spec);
        let races = scene.races(races.into_iter().flat_map(Races::finish), spec.shape.grid);
        let uses = initialisation.into_iter().flat_map(|initialisation| initialisation.finish().0);
        let undefined = without_consequences(scene.undefined(uses, spec.shape.grid), &races);
        let found = undefined.into_iter().chain(races);
        report.findings.extend(found.filter(|finding| finding.severity != Severity::Note));
    }

    /// A launch with analyses that find something.
    fn watched(&mut self, spec: &GridSpec<'_>, report: &mut LaunchReport, checks: Checks) {
        let program = spec.shape.program;
        let threads = spec.shape.block.iter().product();
        let blocks = spec.shape.grid.iter().map(|&side| u64::from(side)).product();
        let shared = program.shared_room(spec.shape.dynamic_shared);
        let lanes = self.module.independent_lanes();
        let observer = |memory: &Memory| -> All<'_> {
            let initialisation =
                checks.initialisation.then(|| Initialisation::new(program, memory, threads, shared));
            let races = checks.races.then(|| Races::new(program, memory, threads, shared, lanes));
            let counting = checks
                .count
                .then(|| Both(Counting::new(program, blocks), CriticalPaths::new(program, threads)));
            let touched = checks.touched.then(Touched::default);
            Both(Both(counting, touched), Both(initialisation, races))
        };
        let Some(all) = self.run(spec, report, observer) else { return };
        let Both(Both(counting, touched), Both(initialisation, races)) = all;
        report.touched = touched.map(Touched::finish).unwrap_or_default();
        if checks.touched {
            report.touched.reads.extend(program.preset_reads().map(|(range, _)| range));
        }
        if let Some(Both(counting, paths)) = counting.filter(|_| !report.stopped) {
            (report.counters, report.lines, report.executed) =
                counting.finish(program, &self.module.lines, paths);
        }
        let mut defined = None;
        let mut found = Vec::new();
        let scene = self.scene(spec);
        if let Some(initialisation) = initialisation {
            let (uses, bytes) = initialisation.finish();
            found.extend(scene.undefined(uses, spec.shape.grid));
            defined = Some(bytes);
        }
        if let Some(races) = races {
            let races = scene.races(races.finish(), spec.shape.grid);
            found = without_consequences(found, &races);
            found.extend(races);
        }
        // The fault that stopped the launch comes last, after its possible causes.
        let last = report.findings.len() - usize::from(report.stopped);
        report.findings.splice(last..last, found);
        if !report.stopped {
            self.memory.set_defined(defined);
        }
    }
}

/// Runs a launch in its order. Where a later block or warp waits for an earlier one, no other order than the first comes to
/// an end, which is for others to judge.
pub(super) fn in_some_order<O: exec::Observer>(
    spec: &GridSpec<'_>,
    memory: &mut Memory,
    observer: &(impl Fn(&Memory) -> O + Sync),
) -> GridOutcome<O> {
    if spec.shape.order != Order::Forward {
        let Limits { block_instructions, launch_instructions } = spec.limits;
        let block_instructions = (block_instructions / 8).min(MOST_OF_A_BLOCK);
        let less = GridSpec { limits: Limits { block_instructions, launch_instructions }, ..*spec };
        let outcome = run_grid(&less, memory, observer);
        let waits = matches!(&outcome.fault, Some((fault, _)) if matches!(fault.kind, FaultKind::InstructionLimit | FaultKind::Endless));
        if !waits {
            return outcome;
        }
    }
    let shape = BlockShape { order: Order::Forward, ..spec.shape };
    run_grid(&GridSpec { shape, ..*spec }, memory, observer)
}
