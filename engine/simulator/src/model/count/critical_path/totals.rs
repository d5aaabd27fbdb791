//! What the critical paths of all blocks come to.

use super::scoreboard::Scoreboard;
use crate::decode::Class;
use crate::model::count::units::CasLoops;
use crate::model::counters::{Counters, CriticalPath, SchedulerBalance};

/// Where blocks may ask for tickets and the first has more than so many times as much to do as the average one, the blocks are taken
/// to share out their work by tickets: a GPU gives these to all of them alike, and a simulator that runs one block after the other
/// gives them to the first.
const BY_TICKETS: f64 = 8.0;
/// The same of a few blocks: the first has this share of everything.
const MOST_OF_ALL: f64 = 0.8;

/// Sums over blocks.
#[derive(Debug, Default)]
pub(super) struct Totals {
    /// Instructions that are executed, by class.
    pub live: [u64; Class::COUNT],
    /// Sectors that were not in the cache.
    pub missed: u64,
    /// Sectors of the threads' own memory that were stored to.
    pub local_stored: u64,
    /// The path of the slowest warp of each block, and the longest of all but the first block.
    path: CriticalPath,
    longest: CriticalPath,
    balance: SchedulerBalance,
    blocks: u64,
    /// The path of the first block.
    first: CriticalPath,
    /// Whether an atomic on global memory told a thread what was there before, as a ticket does.
    pub tickets: bool,
    /// Passes of shared memory for turns of loops that another warp made vain.
    in_vain: u64,
}

impl Totals {
    /// Adds a block that has ended.
    pub fn add_block(&mut self, number: u64, warps: &[Scoreboard], cas_loops: &CasLoops, balance: [u64; 4]) {
        let Some(slowest) = warps.iter().max_by_key(|warp| warp.end).filter(|warp| warp.end > 0) else {
            return;
        };
        self.blocks += 1;
        self.path.add(&slowest.path);
        if number == 0 {
            self.first = slowest.path;
        } else {
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
        self.first = self.first.longer(other.first);
        self.blocks += other.blocks;
        self.tickets |= other.tickets;
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
        let (first, all) = (self.first.total() as f64, self.path.total() as f64);
        if self.tickets && (first > BY_TICKETS * all / self.blocks.max(1) as f64 || first > MOST_OF_ALL * all)
        {
            counters.scheduler_balance.make_even(self.blocks);
        } else {
            counters.longest_path = self.longest.longer(self.first);
        }
        counters.shared_atomic_wavefronts += self.in_vain;
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    /// A launch whose blocks have so many instructions, one after the other.
    fn launch(blocks: &[u64], tickets: bool) -> Counters {
        let mut totals = Totals { tickets, ..Totals::default() };
        for (number, &instructions) in blocks.iter().enumerate() {
            let mut warp = Scoreboard::new(&[]);
            warp.end = instructions;
            warp.path.cycles[0] = instructions;
            totals.add_block(number as u64, &[warp], &CasLoops::default(), [instructions, 0, 0, 0]);
        }
        let mut counters = Counters::default();
        totals.write(&mut counters);
        counters
    }

    #[test]
    fn what_the_first_block_fetched_from_a_queue_is_for_all_blocks() {
        let mut blocks = vec![10; 20];
        blocks[0] = 1000;
        let counters = launch(&blocks, true);
        assert_eq!((counters.path.total(), counters.longest_path.total()), (1190, 10));
        let balance = counters.scheduler_balance;
        assert_eq!((balance.sums[0], balance.squares[0]), (1190, 1190 * 1190 / 20));
        assert_eq!(launch(&[1000, 10, 10, 10], true).longest_path.total(), 10);
        assert_eq!(launch(&[1000, 10, 10, 10], false).longest_path.total(), 1000, "no queue");
    }

    #[test]
    fn what_another_block_does_longer_is_waited_for() {
        let mut blocks = vec![10; 20];
        blocks[19] = 1000;
        let counters = launch(&blocks, true);
        assert_eq!(counters.longest_path.total(), 1000);
        assert_eq!(counters.scheduler_balance.squares[0], 19 * 100 + 1_000_000);
        assert_eq!(launch(&[30, 10, 10], true).longest_path.total(), 30, "the first of blocks that differ");
    }
}
