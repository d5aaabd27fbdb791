//! Groups of blocks of a launch, each with a report of its own.

use super::{Device, DeviceError};
use crate::exec::{GridSpec, Nobody, Observer, Order, run_groups};
use crate::launch::{Checks, Launch, LaunchReport};
use crate::memory::Memory;
use crate::model::{Counting, CriticalPaths};
use crate::observe::Both;

impl Device {
    /// Runs groups of blocks of a launch, each as [`Self::launch_blocks`] does, at once. `None`, and nothing has happened, where that
    /// might not lead to what they do one after another, or if they execute more than so many instructions: then they have to run
    /// one after another. Events are counted if the launch asks for that; other analyses are not made.
    pub fn launch_groups(
        &mut self,
        launch: &Launch<'_>,
        groups: &[Vec<u64>],
        most_instructions: u64,
    ) -> Result<Option<Vec<LaunchReport>>, DeviceError> {
        if launch.order != Order::Forward
            || launch.checks != (Checks { count: launch.checks.count, ..Checks::NONE })
        {
            return Ok(None);
        }
        let run = |device: &mut Self, spec: &GridSpec<'_>, report: &mut LaunchReport| {
            device.grouped(spec, report, groups, most_instructions, launch.checks.count)
        };
        Ok(self.prepared(launch, run)?.1.flatten())
    }

    fn grouped(
        &mut self,
        spec: &GridSpec<'_>,
        report: &LaunchReport,
        groups: &[Vec<u64>],
        most: u64,
        counts: bool,
    ) -> Option<Vec<LaunchReport>> {
        if !counts {
            return self.observed(spec, report, groups, most, |_| Nobody, |_, _| ());
        }
        let program = spec.shape.program;
        let threads = spec.shape.block.iter().product();
        let blocks = spec.shape.grid.iter().map(|&side| u64::from(side)).product();
        let lines = std::sync::Arc::clone(&self.module);
        let both = |_: &Memory| Both(Counting::new(program, blocks), CriticalPaths::new(program, threads));
        self.observed(spec, report, groups, most, both, |Both(counting, paths), report| {
            (report.counters, report.lines, report.executed) = counting.finish(program, &lines.lines, paths);
        })
    }

    /// `finish` puts what an observer has seen of a group into its report.
    fn observed<O: Observer>(
        &mut self,
        spec: &GridSpec<'_>,
        report: &LaunchReport,
        groups: &[Vec<u64>],
        most: u64,
        observer: impl Fn(&Memory) -> O + Sync,
        finish: impl Fn(O, &mut LaunchReport),
    ) -> Option<Vec<LaunchReport>> {
        let outcomes = run_groups(spec, &mut self.memory, groups, most, observer)?;
        let reports = outcomes.into_iter().map(|outcome| {
            let mut report = report.clone();
            if let Some(observer) = self.tell(spec, &mut report, outcome) {
                finish(observer, &mut report);
            }
            report
        });
        let reports = reports.collect();
        self.memory.set_defined(None);
        Some(reports)
    }
}
