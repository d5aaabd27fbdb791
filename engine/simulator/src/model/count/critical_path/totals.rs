//! What the critical paths of all blocks come to.

use super::scoreboard::Scoreboard;
use crate::decode::Class;
use crate::model::count::units::CasLoops;
use crate::model::counters::{Counters, CriticalPath, SchedulerBalance, StallReason};

/// Where the first block has more than so many times as much to do as the average one, and has drawn so many times as many tickets, the
/// blocks share out their work: a GPU gives the tickets to all of them alike, and a simulator that runs one block after the other gives
/// them to the first.
const BY_TICKETS: f64 = 8.0;
/// The same of a few blocks: the first has this share of everything.
const MOST_OF_ALL: f64 = 0.8;

/// Cycles in which one multiprocessor gets a sector from the L2: the last block of `last_block_folds` loads 1.08 MB, which takes 10.6 µs of
/// an H200, 52 bytes a cycle.
const SECTOR_CYCLES: f64 = 0.62;

/// A block that misses so many times as much as the average one adds up what others have left; those that miss a little more have only a
/// round more of the same loop, for which they are as long as their path.
const MUCH: f64 = 8.0;

/// And that takes longer than so many loads one after the other: less is hidden behind the waits that are on its path already.
const FEW_LOADS: f64 = 3.0;

/// What a block has asked for.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Asked {
    /// Atomics of global memory whose result it uses.
    pub tickets: u64,
    /// Sectors that its loads missed.
    pub missed: u64,
}

/// Sums over blocks.
#[derive(Debug, Default)]
pub(super) struct Totals {
    /// Instructions that are executed, by class.
    pub live: [u64; Class::COUNT],
    /// Sectors that were not in the cache.
    pub missed: u64,
    /// The most that a block missed, but for the first.
    most_missed: u64,
    /// Sectors of the threads' own memory that were stored to.
    pub local_stored: u64,
    /// The path of the slowest warp of each block, and the longest of all but the first block.
    path: CriticalPath,
    longest: CriticalPath,
    balance: SchedulerBalance,
    blocks: u64,
    /// The path of the first block.
    first: CriticalPath,
    /// Tickets that the first block drew, and all blocks.
    first_tickets: u64,
    tickets: u64,
    /// Passes of shared memory for turns of loops that another warp made vain.
    in_vain: u64,
}

impl Totals {
    /// Adds a block that has ended.
    pub fn add_block(
        &mut self,
        number: u64,
        warps: &[Scoreboard],
        cas_loops: &CasLoops,
        balance: [u64; 4],
        asked: Asked,
    ) {
        let Some(slowest) = warps.iter().max_by_key(|warp| warp.end).filter(|warp| warp.end > 0) else {
            return;
        };
        self.blocks += 1;
        self.path.add(&slowest.path);
        self.tickets += asked.tickets;
        if number == 0 {
            (self.first, self.first_tickets) = (slowest.path, asked.tickets);
        } else {
            self.most_missed = self.most_missed.max(asked.missed);
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
        self.most_missed = self.most_missed.max(other.most_missed);
        self.local_stored += other.local_stored;
        self.path.add(&other.path);
        self.longest = self.longest.longer(other.longest);
        self.first = self.first.longer(other.first);
        self.first_tickets += other.first_tickets;
        self.tickets += other.tickets;
        self.blocks += other.blocks;
        self.balance.add(&other.balance);
        self.in_vain += other.in_vain;
    }

    /// One block that loads much more than the others, such as the last one, which adds up what they have left: it gets that through its
    /// multiprocessor's way to the L2, when it has done what all do.
    fn wait_for_the_greediest(&mut self) {
        let blocks = self.blocks.max(1) as f64;
        let (most, average) = (self.most_missed as f64, self.missed as f64 / blocks);
        let waits = SECTOR_CYCLES * (most - average);
        let longer = self.path.total() as f64 / blocks + waits - self.longest.total() as f64;
        if most > MUCH * average && waits > FEW_LOADS * CriticalPath::FAR as f64 && longer > 0.0 {
            self.longest.cycles[StallReason::Far as usize] += longer as u64;
        }
    }

    /// Puts them among a launch's events.
    pub fn write(mut self, counters: &mut Counters) {
        self.wait_for_the_greediest();
        counters.live = self.live;
        counters.missed_sectors = self.missed;
        counters.local_store_sectors = self.local_stored;
        (counters.path, counters.longest_path) = (self.path, self.longest);
        counters.scheduler_balance = self.balance;
        let blocks = self.blocks.max(1) as f64;
        let most = |first: u64, all: u64| {
            let (first, all) = (first as f64, all as f64);
            first > BY_TICKETS * all / blocks || first > MOST_OF_ALL * all
        };
        if most(self.first.total(), self.path.total()) && most(self.first_tickets, self.tickets) {
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

    /// A launch whose blocks have so many instructions, one after the other, and draw a ticket for every ten of them.
    fn launch(blocks: &[u64]) -> Counters {
        launch_with(blocks, |instructions| instructions / 10)
    }

    fn launch_with(blocks: &[u64], tickets: fn(u64) -> u64) -> Counters {
        asking(blocks, |instructions| Asked { tickets: tickets(instructions), missed: 0 })
    }

    fn asking(blocks: &[u64], asked: impl Fn(u64) -> Asked) -> Counters {
        let mut totals = Totals::default();
        for (number, &instructions) in blocks.iter().enumerate() {
            let mut warp = Scoreboard::new(&[]);
            warp.end = instructions;
            warp.path.cycles[0] = instructions;
            totals.add_block(
                number as u64,
                &[warp],
                &CasLoops::default(),
                [instructions, 0, 0, 0],
                asked(instructions),
            );
            totals.missed += asked(instructions).missed;
        }
        let mut counters = Counters::default();
        totals.write(&mut counters);
        counters
    }

    #[test]
    fn what_the_first_block_fetched_from_a_queue_is_for_all_blocks() {
        let mut blocks = vec![10; 20];
        blocks[0] = 1000;
        let counters = launch(&blocks);
        assert_eq!((counters.path.total(), counters.longest_path.total()), (1190, 10));
        let balance = counters.scheduler_balance;
        assert_eq!((balance.sums[0], balance.squares[0]), (1190, 1190 * 1190 / 20));
        assert_eq!(launch(&[1000, 10, 10, 10]).longest_path.total(), 10);
    }

    #[test]
    fn what_the_first_block_does_without_a_queue_is_waited_for() {
        let mut blocks = vec![10; 20];
        blocks[0] = 1000;
        for tickets in [|_| 0, |_| 1] {
            assert_eq!(launch_with(&blocks, tickets).longest_path.total(), 1000);
        }
    }

    #[test]
    fn a_block_that_loads_what_all_have_left_waits_for_its_way_to_the_l2() {
        let longest = |missed: fn(u64) -> u64| {
            let asked = |instructions| Asked { tickets: 0, missed: missed(instructions) };
            let mut blocks = [10; 20];
            blocks[19] = 50;
            asking(&blocks, asked).longest_path.total()
        };
        assert_eq!(longest(|_| 1000), 50, "all load as much");
        // 12 cycles of the average block, and 4000 sectors, of which the average is a twentieth.
        let alone = longest(|instructions| if instructions == 50 { 4000 } else { 0 });
        assert_eq!(alone, 12 + 2356);
    }

    #[test]
    fn what_another_block_does_longer_is_waited_for() {
        let mut blocks = vec![10; 20];
        blocks[19] = 1000;
        let counters = launch(&blocks);
        assert_eq!(counters.longest_path.total(), 1000);
        assert_eq!(counters.scheduler_balance.squares[0], 19 * 100 + 1_000_000);
        assert_eq!(launch(&[30, 10, 10]).longest_path.total(), 30, "the first of blocks that differ");
    }
}
