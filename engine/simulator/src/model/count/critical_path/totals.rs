//! What the critical paths of all blocks come to.

use super::scoreboard::Scoreboard;
use crate::decode::Class;
use crate::model::count::units::CasLoops;
use crate::model::counters::{Counters, CriticalPath, SchedulerBalance};

/// Sums over blocks.
#[derive(Debug, Default)]
pub(super) struct Totals {
    /// Instructions that are executed, by class.
    pub live: [u64; Class::COUNT],
    /// Sectors that were not in the cache.
    pub missed: u64,
    /// Sectors of the threads' own memory that were stored to.
    pub local_stored: u64,
    /// The path of the slowest warp of each block, and the longest of all.
    path: CriticalPath,
    longest: CriticalPath,
    balance: SchedulerBalance,
    /// Passes of shared memory for turns of loops that another warp made vain.
    in_vain: u64,
}

impl Totals {
    /// Adds a block that has ended.
    pub fn add_block(&mut self, warps: &[Scoreboard], cas_loops: &CasLoops, balance: [u64; 4]) {
        if let Some(slowest) = warps.iter().max_by_key(|warp| warp.end) {
            self.path.add(&slowest.path);
            self.longest = self.longest.longer(slowest.path);
        }
        self.in_vain += cas_loops.in_vain(warps.len());
        self.balance.add_block(balance);
    }

    /// Adds another worker's.
    pub fn absorb(&mut self, other: &Self) {
        for (mine, theirs) in self.live.iter_mut().zip(other.live) {
            *mine += theirs;
        }
        self.missed += other.missed;
        self.local_stored += other.local_stored;
        self.path.add(&other.path);
        self.longest = self.longest.longer(other.longest);
        self.balance.add(&other.balance);
        self.in_vain += other.in_vain;
    }

    /// Puts them among a launch's events.
    pub fn write(self, counters: &mut Counters) {
        counters.live = self.live;
        counters.missed_sectors = self.missed;
        counters.local_store_sectors = self.local_stored;
        (counters.path, counters.longest_path) = (self.path, self.longest);
        counters.scheduler_balance = self.balance;
        counters.shared_atomic_wavefronts += self.in_vain;
    }
}
