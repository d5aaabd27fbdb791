//! What a launch executes of its machine code, line by line of the PTX.

use std::collections::BTreeMap;

use super::MachineCode;
use super::decode::Decoded;
use super::schedule::schedule;
use super::waits::{missed, waits_for};
use super::work::MachineWork;
use crate::model::counters::Executed;

impl MachineCode {
    /// [`MachineCode::work`] by line of the PTX: what runs, and what is waited for. Instructions of no known line are left out.
    pub fn work_by_line(&self, executed: &[Executed]) -> BTreeMap<u32, MachineWork> {
        let runs = self.runs(executed);
        let missed = missed(executed);
        let timings = schedule(&self.instructions, &self.blocks, &self.groups, &runs);
        let mut lines: BTreeMap<u32, MachineWork> = BTreeMap::new();
        for (block, (timing, runs)) in timings.iter().zip(runs).enumerate() {
            let code = self.code_of(block);
            let whole: f64 = code.iter().map(alone).sum();
            for one in code {
                let work = lines.entry(one.line).or_default();
                work.add(one.unit, runs);
                work.near += runs * timing.near * alone(one) / whole.max(f64::MIN_POSITIVE);
            }
            for exposed in &timing.exposed {
                let far = waits_for(exposed, &missed);
                let loads: Vec<u32> =
                    exposed.loads.iter().flat_map(|loads| &loads.neighbours).copied().collect();
                for line in &loads {
                    lines.entry(*line).or_default().far += runs * far / loads.len() as f64;
                }
            }
        }
        lines.remove(&0);
        lines
    }
}

impl MachineWork {
    /// Adds what another line executes and waits for.
    pub fn join(&mut self, other: &Self) {
        let pairs = [
            (&mut self.issued, other.issued),
            (&mut self.integer, other.integer),
            (&mut self.float, other.float),
            (&mut self.multiply, other.multiply),
            (&mut self.special, other.special),
            (&mut self.double, other.double),
            (&mut self.warp, other.warp),
            (&mut self.barrier, other.barrier),
            (&mut self.near, other.near),
            (&mut self.far, other.far),
            (&mut self.fetched_ahead, other.fetched_ahead),
        ];
        for (mine, theirs) in pairs {
            *mine += theirs;
        }
    }
}

/// The cycles of an instruction if nothing ran beside it: its share of what its basic block takes.
fn alone(one: &Decoded) -> f64 {
    one.stall + if one.result.is_some() { one.unit.latency() } else { 0.0 }
}
