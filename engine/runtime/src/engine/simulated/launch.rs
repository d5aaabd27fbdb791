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
        if self.enough.is_some() {
            self.spent.neighbours += self.neighbours_of(&command);
        }
        let grid = other.or_else(|| self.fewer(&command)).unwrap_or(command.grid);
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

    /// Pairs of its arguments that point into the same allocation.
    fn neighbours_of(&self, command: &Command) -> usize {
        let inside = |base: u64, bytes: &[u8]| {
            let points = |argument: &&Vec<u8>| {
                let address = argument.as_slice().try_into().map(u64::from_le_bytes);
                address.is_ok_and(|address| (base..base + bytes.len() as u64).contains(&address))
            };
            command.arguments.iter().filter(points).count()
        };
        let pairs = |number: usize| number * number.saturating_sub(1) / 2;
        self.device.held().map(|(base, _, bytes)| pairs(inside(base, bytes))).sum()
    }

    /// The grid of a launch that has more threads than enough.
    fn fewer(&self, command: &Command) -> Option<[u32; 3]> {
        let [blocks, 1, 1] = command.grid else { return None };
        let threads = command.block.iter().map(|side| u64::from(*side)).product::<u64>().max(1);
        let enough = u32::try_from(self.enough?.div_ceil(threads).max(2)).ok()?;
        (blocks > enough && !command.cooperative).then_some([enough, 1, 1])
    }
}
