//! Trying blocks of a launch that is too large to run: a few, drawn from all over its grid.
//!
//! A dry run knows the launches of a large picture, but not their work. The blocks tried here see the true grid, the true
//! arguments and the true addresses, so that their work is that of the whole launch.

use simulator::model::Kernel;
use simulator::{Checks, Counters, Launch, Rows};

use super::{Arguments, SimulatedEngine};
use crate::engine::interface::{Command, EngineError, Launched};
use crate::engine::work::Work;
use crate::finding::Finding;

/// Blocks tried of every launch, unless it has fewer.
const FEWEST: u64 = 8;
/// Groups of blocks of a launch.
const GROUPS: usize = 8;
/// Warp instructions that all tries of a call may execute: about a second.
const BUDGET: u64 = 150_000_000;

/// Rows of a copy that a dry run carries out. A copy of columns has one for each pixel, and would take longer than all else.
const MOST_ROWS: u64 = 1 << 17;

/// What a launch asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// Mangled kernel name.
    pub kernel: String,
    /// `blockDim`.
    pub block: [u32; 3],
    /// Threads of all its blocks.
    pub threads: u64,
    /// Its blocks may wait for each other.
    pub cooperative: bool,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// The bytes of each argument.
    pub arguments: Arguments,
    /// The blocks of it that were tried.
    pub tried: Option<Tried>,
}

/// The blocks of a launch that were tried, in groups that each come from all over the grid: how much these differ tells how much
/// the whole may differ from them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tried {
    /// The number of blocks of each group, and its counts. Empty if not all of them ran to their end.
    pub groups: Vec<(u64, Counters)>,
    /// Instructions of the first and of the last block, which are in no group.
    pub edges: Vec<u64>,
    /// The loop of the first launch that certainly never ends: no other launch's results are missing there.
    pub endless: Option<Finding>,
}

impl Asked {
    pub(super) fn of(command: Command, tried: Option<Tried>) -> Self {
        let Command { kernel, grid, block, dynamic_shared, cooperative, arguments, .. } = command;
        let threads = grid.iter().chain(&block).map(|side| u64::from(*side)).product();
        Self { kernel, block, threads, cooperative, dynamic_shared, arguments, tried }
    }
}

/// Which blocks to try.
#[derive(Debug)]
pub(super) struct Trial {
    random: u64,
    share: f64,
    left: u64,
    /// Launches of the call that are tried.
    launches: usize,
    /// What is looked for.
    checks: Checks,
}

impl Trial {
    pub fn new(seed: u64, share: f64, launches: usize, checks: Checks) -> Self {
        Self { random: seed, share, left: BUDGET, launches, checks }
    }

    /// The launch of which blocks are tried.
    fn launch<'c>(&self, command: &'c Command) -> Launch<'c> {
        Launch {
            kernel: &command.kernel,
            grid: command.grid,
            block: command.block,
            dynamic_shared: command.dynamic_shared,
            cooperative: command.cooperative,
            arguments: &command.arguments,
            checks: self.checks,
            ..Launch::default()
        }
    }

    /// A number below `bound`, which is at least 1.
    fn below(&mut self, bound: u64) -> u64 {
        // SplitMix64.
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }

    /// Numbers of the blocks to try, rising: one from each of as many equal parts of the grid, without its first and its last
    /// block, which often do what no other does; all blocks of a small grid.
    fn blocks(&mut self, all: u64) -> Vec<u64> {
        let wanted = ((all as f64 * self.share).ceil() as u64).max(FEWEST);
        if wanted + 2 >= all {
            return (0..all).collect();
        }
        let inner = all - 2;
        let start = |part: u64| 1 + (u128::from(part) * u128::from(inner) / u128::from(wanted)) as u64;
        (0..wanted).map(|part| start(part) + self.below(start(part + 1) - start(part))).collect()
    }
}

/// At most so many groups of these blocks, each from all over them.
fn grouped(numbers: &[u64], groups: usize) -> Vec<Vec<u64>> {
    let groups = groups.min(numbers.len());
    (0..groups).map(|group| numbers.iter().copied().skip(group).step_by(groups).collect()).collect()
}

impl SimulatedEngine {
    /// Whether a copy or fill of these rows is carried out: blocks that are tried read what it leaves.
    pub(super) fn carries_out(&self, rows: Rows) -> bool {
        !self.dry || self.trial.is_some() && rows.rows <= MOST_ROWS
    }

    /// Records a launch of a dry run, and tries blocks of it.
    pub(super) fn launch_dry(&mut self, command: Command) -> Result<Launched, EngineError> {
        let asked = self.asked.len();
        let tried = match self.trial.take_if(|trial| asked < trial.launches) {
            Some(mut trial) => {
                let tried = self.try_blocks(&mut trial, &command)?;
                self.trial = Some(trial);
                Some(tried)
            }
            None => None,
        };
        self.done(Work::Kernel(Box::new(Kernel {
            counters: Counters::default(),
            executed: Vec::new(),
            simulated: 0,
            code: None,
            machine: None,
            grid: command.grid,
            threads: command.block.iter().product(),
            shared: 0,
            registers: 0,
        })));
        self.asked.push(Asked::of(command, tried));
        Ok(Launched::default())
    }

    fn try_blocks(&mut self, trial: &mut Trial, command: &Command) -> Result<Tried, EngineError> {
        let all = command.grid.iter().map(|side| u64::from(*side)).product();
        let mut drawn = trial.blocks(all);
        if command.cooperative && (drawn.len() as u64) < all {
            // They meet the others, and cannot be tried alone.
            drawn.insert(0, 0);
            drawn.push(all - 1);
        }
        if let Some(tried) = self.try_at_once(trial, command, &drawn, all)? {
            return Ok(tried);
        }
        // Blocks that wait for those before them need the first ones.
        let first: Vec<u64> = (0..drawn.len() as u64).collect();
        let tried = self.try_groups(trial, command, &drawn, all)?;
        if tried.endless.is_some() {
            return Ok(tried);
        }
        if tried.groups.is_empty() {
            return self.try_groups(trial, command, &first, all);
        }
        if command.cooperative || drawn.len() as u64 == all {
            return Ok(tried);
        }
        let mut edges = Vec::new();
        for edge in [0, all - 1] {
            if trial.left == 0 {
                return Ok(Tried::default());
            }
            let of_edge = self.try_groups(trial, command, &[edge], all)?;
            match of_edge.groups.first() {
                Some((_, counters)) => edges.push(counters.warp_instructions),
                None => return Ok(Tried { endless: of_edge.endless, ..Tried::default() }),
            }
        }
        Ok(Tried { edges, ..tried })
    }

    /// Tries these blocks, and the first and the last one, on all cores. `None`, and nothing has happened, if they may have to do with
    /// each other, if one of them does not come to its end, and where there are no groups.
    fn try_at_once(
        &mut self,
        trial: &mut Trial,
        command: &Command,
        drawn: &[u64],
        all: u64,
    ) -> Result<Option<Tried>, EngineError> {
        if command.cooperative || drawn.len() as u64 == all {
            return Ok(None);
        }
        let mut groups = grouped(drawn, GROUPS);
        groups.extend([vec![0], vec![all - 1]]);
        let reports = self.device.launch_groups(&trial.launch(command), &groups, trial.left)?;
        let Some(reports) = reports else { return Ok(None) };
        let instructions: u64 = reports.iter().map(|report| report.instructions).sum();
        trial.left -= instructions.min(trial.left);
        let (inner, edges) = reports.split_at(groups.len() - 2);
        let sized = groups.iter().map(|group| group.len() as u64).zip(inner);
        Ok(Some(Tried {
            groups: sized.map(|(blocks, report)| (blocks, report.counters.clone())).collect(),
            edges: edges.iter().map(|report| report.counters.warp_instructions).collect(),
            endless: None,
        }))
    }

    /// Tries these blocks of a launch of `all`; no groups if one of them does not come to its end.
    fn try_groups(
        &mut self,
        trial: &mut Trial,
        command: &Command,
        numbers: &[u64],
        all: u64,
    ) -> Result<Tried, EngineError> {
        let launch = trial.launch(command);
        // Blocks that may wait for each other run together, and all blocks of a grid leave nothing to guess.
        let groups =
            if command.cooperative || numbers.len() as u64 == all { 1 } else { GROUPS.min(numbers.len()) };
        let mut tried = Tried::default();
        for numbers in grouped(numbers, groups) {
            if trial.left == 0 {
                return Ok(Tried::default());
            }
            let report = self.device.launch_blocks(&launch, &numbers)?;
            if report.stopped {
                trial.left = trial.left.saturating_sub(BUDGET / 4);
                let certain = report.endless && self.asked.is_empty() && !command.cooperative;
                let endless = report.findings.into_iter().rfind(|_| certain).map(Finding::from);
                return Ok(Tried { endless, ..Tried::default() });
            }
            trial.left = trial.left.saturating_sub(report.instructions);
            tried.groups.push((numbers.len() as u64, report.counters));
        }
        Ok(tried)
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn blocks_come_from_all_over_the_grid_and_other_seeds_give_others() {
        let of = |seed, all| Trial::new(seed, 0.01, 1, Checks::COUNT).blocks(all);
        assert_eq!(of(1, 10), (0..10).collect::<Vec<u64>>());
        let (one, other) = (of(1, 10_000), of(2, 10_000));
        assert_eq!(one, of(1, 10_000));
        assert_ne!(one, other);
        for drawn in [one, other] {
            assert_eq!(drawn.len(), 100);
            assert!(drawn.windows(2).all(|pair| pair[0] < pair[1]), "{drawn:?}");
            assert!(drawn[0] > 0 && drawn[99] < 9_999 && drawn[50] > 4_800 && drawn[50] < 5_200);
        }
    }
}
