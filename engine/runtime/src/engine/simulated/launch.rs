//! A launch that is carried out, and what follows from its report.

use simulator::Launch;
use simulator::model::Kernel;

use super::{Asked, SimulatedEngine};
use crate::engine::interface::{Command, EngineError, Launched};
use crate::engine::work::Work;

/// Bytes of printed text that are kept of all launches.
const MOST_PRINTED: usize = 1 << 16;

impl SimulatedEngine {
    pub(super) fn launch_simulated(&mut self, command: Command) -> Result<Launched, EngineError> {
        let other = self.grids.get(self.launches).copied().flatten();
        self.launches += 1;
        let grid = other.unwrap_or(command.grid);
        self.device.set_limits(self.spent.limits());
        let launch = Launch {
            kernel: &command.kernel,
            grid,
            block: command.block,
            dynamic_shared: command.dynamic_shared,
            cooperative: command.cooperative,
            arguments: &command.arguments,
            checks: self.launch_checks(),
            order: self.order,
        };
        let report = self.carried_out(&launch)?;
        self.spent.add(grid, &report);
        let room = MOST_PRINTED.saturating_sub(self.printed.len()).min(report.printed.len());
        self.printed.extend_from_slice(&report.printed[..room]);
        if let Some(trace) = &mut self.trace {
            trace.push((command.kernel.clone(), self.device.digest()));
        }
        let mut findings = report.findings.clone();
        findings.extend(simulator::performance::remarks(&report));
        let assembled = self.assembled.get(&command.kernel);
        let registers = assembled.map_or(0, |kernel| kernel.registers);
        let code = assembled.and_then(|kernel| kernel.code.clone());
        let machine = code.as_ref().filter(|_| self.checks.count).map(|code| code.work(&report.executed));
        let (threads, shared) = (command.block.iter().product(), report.shared);
        let blocks = grid.iter().map(|side| u64::from(*side)).product::<u64>();
        let starts = blocks.saturating_mul(simulator::instructions_of_a_start(threads));
        let simulated = report.instructions.saturating_sub(starts);
        self.done(Work::Kernel(Box::new(Kernel {
            counters: report.counters,
            executed: report.executed,
            simulated,
            code,
            machine,
            grid,
            threads,
            shared,
            registers,
        })));
        self.asked.push(Asked::of(command, None));
        Ok(Launched { findings, stopped: report.stopped, touched: report.touched })
    }
}
