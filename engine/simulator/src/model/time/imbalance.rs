//! How evenly a launch keeps the multiprocessors and their schedulers busy: it ends when the busiest one is done.
//!
//! Blocks go to whichever multiprocessor has room, warp 0 of a block to its first scheduler, warp 1 to the second, and so on in turn.
//! So a scheduler may have more to do than the others for two reasons: the warps with most work have the same place in
//! every block, or chance has brought more of them together than elsewhere.

use super::residency::{resident, working};
use crate::model::gpu::Gpu;
use crate::model::launch::{Kernel, Whole};

/// What the busiest one has to do, as a multiple of the average.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LoadImbalance {
    /// Among the multiprocessors that work: some have a block more than others.
    pub multiprocessor: f64,
    /// Among all their schedulers.
    pub scheduler: f64,
}

/// Blocks with more to do, such as those at the ends of rows, follow each other at equal distances and are dealt in order: that
/// spreads them better than chance would. By how much depends on the picture; half is chosen, as what suits the ladders best.
const IN_ORDER: f64 = 0.5;

/// Instructions of the warps that one scheduler gets from a block.
#[derive(Debug, Clone, Copy)]
struct Share {
    mean: f64,
    variance: f64,
}

impl LoadImbalance {
    pub(super) fn of(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> Self {
        let blocks = whole.blocks.max(1.0) / working(whole, gpu);
        let most = blocks.ceil();
        let multiprocessor = most / blocks;
        let schedulers = f64::from(gpu.residency.schedulers);
        let warps = kernel.warps();
        // Of a block of fewer warps some schedulers get none; which of them changes from block to block.
        let dealt = (f64::from(warps) / schedulers).min(1.0);
        let among = chance(working(whole, gpu) * schedulers);
        let shares = shares(kernel, gpu.residency.schedulers, warps);
        let average: f64 = shares.iter().map(|share| share.mean).sum::<f64>() / shares.len().max(1) as f64;
        let at_once = resident(kernel, gpu).min(most);
        // Where more blocks are waiting, they go to those that are done sooner: only what runs at once can be uneven.
        let more = shares.iter().map(|share| {
            (share.mean - average) * at_once * dealt
                + IN_ORDER * among * (share.variance * at_once * dealt).sqrt()
        });
        let busiest = average * most * dealt + more.fold(0.0, f64::max);
        let even = average * blocks * dealt;
        Self {
            multiprocessor,
            scheduler: if even > 0.0 { (busiest / even).max(1.0) } else { multiprocessor },
        }
    }
}

/// What a block brings to each of its schedulers; one entry for all where blocks do not all begin at the same one.
fn shares(kernel: &Kernel, schedulers: u32, warps: u32) -> Vec<Share> {
    let balance = &kernel.counters.scheduler_balance;
    let (sums, squares) = balance.among(schedulers as usize);
    let blocks = kernel.blocks().max(1.0);
    if warps.is_multiple_of(schedulers) {
        let share = |(sum, square): (&f64, &f64)| {
            let mean = sum / blocks;
            Share { mean, variance: (square / blocks - mean * mean).max(0.0) }
        };
        return sums.iter().zip(&squares).map(share).collect();
    }
    let parts = blocks * f64::from(warps.min(schedulers));
    let mean = sums.iter().sum::<f64>() / parts;
    vec![Share { mean, variance: (squares.iter().sum::<f64>() / parts - mean * mean).max(0.0) }]
}

/// How many standard deviations the largest of so many sums of chance lies above the mean: the expectation of the limit law
/// for normal ones (Gumbel).
pub(super) fn chance(among: f64) -> f64 {
    const EULER: f64 = 0.577_215_664_9;
    if among <= 1.0 {
        return 0.0;
    }
    let a = (2.0 * libm::log(among.max(2.0))).sqrt();
    let below = libm::log(libm::log(among.max(2.0))) + libm::log(4.0 * std::f64::consts::PI);
    a - (below / 2.0 - EULER) / a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::counters::{Counters, SchedulerBalance};
    use crate::model::gpu::find;

    fn imbalance(sums: [u64; 4], squares: [u128; 4], blocks: u32, threads: u32) -> LoadImbalance {
        let counters =
            Counters { scheduler_balance: SchedulerBalance { sums, squares }, ..Counters::default() };
        let kernel = Kernel::of(counters, blocks, threads);
        let whole = Whole::new(1.0, f64::from(blocks));
        LoadImbalance::of(&kernel, whole, find("h200").unwrap())
    }

    #[test]
    fn equal_blocks_are_as_even_as_their_number_allows() {
        let even = |blocks: u32| {
            let each = 100 * u64::from(blocks);
            imbalance([each; 4], [100 * u128::from(each); 4], blocks, 128)
        };
        assert_eq!(even(132 * 5), LoadImbalance { multiprocessor: 1.0, scheduler: 1.0 });
        assert_eq!(even(132 + 66), LoadImbalance { multiprocessor: 2.0 / 1.5, scheduler: 2.0 / 1.5 });
    }

    #[test]
    fn a_warp_that_does_most_in_every_block_keeps_one_scheduler_busy() {
        let of = |blocks: u32, warps: usize| {
            let mut block = [300_u64, 100, 100, 100];
            block[warps..].fill(0);
            let sums = block.map(|one| one * u64::from(blocks));
            let squares = block.map(|one| u128::from(one * one * u64::from(blocks)));
            imbalance(sums, squares, blocks, 32 * warps as u32).scheduler
        };
        // Sixteen blocks at once, and no others.
        assert!((of(132 * 16, 4) - 2.0).abs() < 1e-12, "{}", of(132 * 16, 4));
        // Of a hundred, those that wait go where there is room.
        assert!((1.1..1.2).contains(&of(132 * 100, 4)), "{}", of(132 * 100, 4));
        // Three warps per block: each begins at another scheduler.
        assert!(of(132 * 100, 3) < 1.15, "{}", of(132 * 100, 3));
    }

    #[test]
    fn chance_counts_where_few_blocks_run() {
        // Every third warp has ten times as much to do.
        let dealt = |blocks: u32| {
            let squares = [(u128::from(blocks) * 102) * 10_000 / 3; 4];
            let sums = [u64::from(blocks) * 1200 / 3; 4];
            imbalance(sums, squares, blocks, 128).scheduler
        };
        let (few, many) = (dealt(132 * 8), dealt(132 * 800));
        assert!(few > 1.4 && many < 1.05, "{few} {many}");
    }

    #[test]
    fn the_largest_of_more_lies_farther_out() {
        // Of 100 normal numbers 2.51, of 528 about 3.05 (tables of normal order statistics).
        assert!((chance(100.0) - 2.51).abs() < 0.06, "{}", chance(100.0));
        assert!((chance(528.0) - 3.05).abs() < 0.06, "{}", chance(528.0));
    }
}
