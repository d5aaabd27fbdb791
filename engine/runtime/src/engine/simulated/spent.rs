//! What the launches of a file have executed, and what they may.

use simulator::{AT_ONCE, LaunchReport};

use super::SimulatedEngine;

/// Times as much as others of its launch that a block may do, such as one that adds up what they have left.
pub const UNEVEN: u64 = 16;

/// Blocks that may end one after another by chance.
const LINKS: u64 = 12;

/// Instructions of launches.
pub(super) struct Spent {
    /// Bounds of a block, and of the launches of a call.
    budget: simulator::Limits,
    /// Of the launches since the call began.
    call: u64,
    /// Of the call with the most.
    most: u64,
    /// Of the calls that have ended.
    earlier: u64,
    /// The most of a block beyond [`UNEVEN`] times those of the blocks of its launch.
    unevenness: u64,
    /// The most cycles of a warp beyond [`UNEVEN`] times those of the slowest warps of the blocks of its launch.
    lateness: u64,
    /// [`SimulatedEngine::neighbours`].
    pub(super) neighbours: usize,
    /// Whether the blocks of a launch ended one after another: [`SimulatedEngine::ran_in_a_chain`].
    chain: bool,
    /// The most instructions of the host function in a call, if not the usual ones.
    pub host_limit: Option<u64>,
    /// Those of all calls, beyond those that every call may use.
    host: u64,
}

impl Spent {
    pub const fn of(budget: simulator::Limits) -> Self {
        Self {
            budget,
            call: 0,
            most: 0,
            earlier: 0,
            unevenness: 0,
            lateness: 0,
            neighbours: 0,
            chain: false,
            host_limit: None,
            host: 0,
        }
    }

    /// The bounds of the next launch.
    pub fn limits(&self) -> simulator::Limits {
        let left = self.budget.launch_instructions.saturating_sub(self.call);
        simulator::Limits { launch_instructions: left, ..self.budget }
    }

    /// Adds what the host function has computed.
    pub fn add_host(&mut self, instructions: u64) {
        self.host = self.host.saturating_add(instructions);
    }

    /// Adds a launch.
    pub fn add(&mut self, grid: [u32; 3], report: &LaunchReport) {
        self.call = self.call.saturating_add(report.instructions);
        let blocks = grid.into_iter().map(u64::from).product::<u64>().max(1);
        let usual = UNEVEN.saturating_mul(report.instructions / blocks);
        self.unevenness = self.unevenness.max(report.longest.saturating_sub(usual));
        self.lateness = self.lateness.max(report.slowest.beyond(UNEVEN));
        let one_by_one =
            report.rounds_with_ends >= LINKS && 5 * report.rounds_with_ends >= 4 * blocks.min(AT_ONCE);
        self.chain |= one_by_one;
    }
}

impl SimulatedEngine {
    /// The most instructions that the launches of one call have executed.
    pub fn most_instructions(&self) -> u64 {
        self.spent.most.max(self.spent.call)
    }

    /// The threads of the largest launch.
    pub fn most_threads(&self) -> u64 {
        let threads = |asked: &super::Asked| asked.threads;
        self.asked.iter().map(threads).max().unwrap_or_default()
    }

    /// The kernels that were launched, by their mangled names.
    pub fn launched(&self) -> impl Iterator<Item = &str> {
        self.asked.iter().map(|asked| asked.kernel.as_str())
    }

    /// Pairs of arguments of one launch that point into the same allocation, if launches are cut to enough threads.
    pub fn neighbours(&self) -> usize {
        self.spent.neighbours
    }

    /// The most instructions of a block beyond [`UNEVEN`] times those of the blocks of its launch.
    pub fn unevenness(&self) -> u64 {
        self.spent.unevenness
    }

    /// The most cycles of a warp beyond [`UNEVEN`] times those of the slowest warps of the blocks of its launch.
    pub fn lateness(&self) -> u64 {
        self.spent.lateness
    }

    /// Whether nearly every block of a launch ended in a round of turns of its own. In the order `InChains`, each has waited for another.
    pub fn ran_in_a_chain(&self) -> bool {
        self.spent.chain
    }

    /// The instructions of all its calls.
    pub fn all_instructions(&self) -> u64 {
        self.spent.earlier.saturating_add(self.spent.call)
    }

    /// The instructions of the host function in all its calls, beyond those that every call may use.
    pub fn host_instructions(&self) -> u64 {
        self.spent.host
    }

    /// The same, whose host function may execute so many instructions in a call.
    #[must_use]
    pub fn computing(mut self, host_limit: Option<u64>) -> Self {
        self.spent.host_limit = host_limit;
        self
    }

    /// A call of the host function has ended, or one begins.
    pub(super) fn begin_call(&mut self) {
        let (earlier, most) = (self.all_instructions(), self.most_instructions());
        self.spent = Spent { earlier, most, call: 0, ..self.spent };
    }
}
