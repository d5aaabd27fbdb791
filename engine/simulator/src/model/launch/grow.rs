//! A launch on a larger picture, from what it did on two smaller ones.
//!
//! Events are taken to grow in proportion to the picture beyond a part that does not: borders, tables, the sums of partial
//! results. Two samples tell the two parts apart.

use super::kernel::Kernel;
use crate::model::counters::{Counters, CriticalPath, Executed};

/// A count that blocks have for each level and that grew to less than this share of what their number says fell with the levels.
const TOO_FEW: f64 = 0.5;

/// How much farther the whole is from the sample than the sample from a smaller one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// In rows of the picture: the sample's as a multiple of the smaller one's, and the distance from the sample to the
    /// whole as a multiple of the distance between the two.
    pub rows: [f64; 2],
    /// The same in blocks of the grid, if it grows.
    pub blocks: Option<[f64; 2]>,
    /// Where both samples lie within one row of blocks, which has no more blocks in one than in the other: those of the whole, as a
    /// multiple of them.
    pub beyond: Option<f64>,
    /// And the distance from the sample's rows to those that a whole block has, as a multiple of the distance between the samples.
    pub full: Option<f64>,
}

impl Growth {
    /// With the blocks of the smaller sample, of the sample and of the whole.
    pub fn new(rows: [f64; 2], [less, more, whole]: [f64; 3]) -> Self {
        let grows = more > less && less > 0.0;
        let stays = more.to_bits() == less.to_bits() && whole > more && more > 0.0;
        Self {
            rows,
            blocks: grows.then(|| [more / less, (whole - more) / (more - less)]),
            beyond: stays.then(|| whole / more),
            full: None,
        }
    }

    /// A count on the whole. Where blocks cover several rows, the last of a sample may lie beyond its end in part. What each
    /// block does whether there are rows or not grows with the blocks, all else with the rows: the samples tell which it is.
    fn whole(&self, more: f64, less: f64) -> f64 {
        let [ratio, by_rows] = self.rows;
        if let Some(blocks) = self.beyond {
            // What the rows of the sample did, and what its blocks would have done without any.
            let of_rows = (more - less).max(0.0) * ratio / (ratio - 1.0);
            let of_blocks = (more - of_rows).max(0.0);
            return of_rows * (1.0 + by_rows * (ratio - 1.0) / ratio) + of_blocks * blocks;
        }
        let seen = more / less;
        let by = match self.blocks {
            Some([of_blocks, by_blocks]) if (seen - of_blocks).abs() < (seen - ratio).abs() => by_blocks,
            _ => by_rows,
        };
        // A count that fell between the samples does not go on falling: most such do not grow, and depend a little on where rows begin.
        more + by * (more - less).max(0.0)
    }

    fn of(&self, more: u64, less: u64) -> u64 {
        self.whole(more as f64, less as f64).round() as u64
    }

    /// A count on the whole of what blocks do for each level that occurs among their pixels. The two samples of a part of a picture
    /// may differ in that more than in their blocks: then each block is taken to do as much as on the larger one.
    fn of_levels(&self, more: u64, less: u64) -> u64 {
        let grown = self.of(more, less);
        match self.blocks {
            Some([ratio, by_blocks]) if more != less => {
                let in_proportion = more as f64 * (1.0 + by_blocks * (ratio - 1.0) / ratio);
                if (grown as f64) < TOO_FEW * in_proportion { in_proportion.round() as u64 } else { grown }
            }
            _ => grown,
        }
    }
}

impl Kernel {
    /// What this launch does on the whole, where it did `less` on a smaller sample; `grid` is the whole's.
    #[must_use]
    pub fn grown(&self, less: &Self, growth: Growth, grid: [u32; 3]) -> Self {
        let mut counters = joined(&self.counters, &less.counters, growth);
        let blocks: f64 = grid.iter().copied().map(f64::from).product();
        for (reason, longest) in counters.longest_path.cycles.iter_mut().enumerate() {
            let [more, less] = [self, less].map(|kernel| kernel.counters.longest_path.cycles[reason] as f64);
            let average = self.counters.path.cycles[reason] as f64 / self.blocks().max(1.0);
            *longest = match growth.full {
                // A block that has all its rows, which no average has where the last blocks have fewer.
                Some(by) => more + by * (more - less),
                // The longest block of the sample may be one that does not grow, such as one of the border: it stays as much longer
                // than the average as it was.
                None => counters.path.cycles[reason] as f64 / blocks.max(1.0) + more - average,
            }
            .max(0.0) as u64;
        }
        let executed = executed(&self.executed, &less.executed, growth);
        let machine = self.code.as_ref().map(|code| code.work(&executed));
        // As its lines, each of which grows by itself: their sum may follow the rows where it seems to follow the blocks.
        let [grown, own] =
            [&executed, &self.executed].map(|lines| lines.iter().map(|line| line.warps).sum::<u64>());
        let simulated = match own {
            0 => growth.of(self.simulated, less.simulated),
            _ => (self.simulated as f64 * grown as f64 / own as f64).round() as u64,
        };
        Self { counters, executed, simulated, machine, grid, ..self.clone() }
    }

    /// Takes the instructions of each block to be shared out evenly among its warps.
    pub fn share_evenly(&mut self) {
        let (blocks, places) = (self.blocks().max(1.0) as u64, self.warps().min(4) as usize);
        self.counters.scheduler_balance.share_evenly(places);
        self.counters.scheduler_balance.make_even(blocks);
    }

    /// Takes atomics on global memory down to so many, if there are more: the sums of blocks grow with their pixels only until no level is
    /// empty.
    pub fn limit_atomics(&mut self, most: f64) {
        let counters = &mut self.counters;
        let share = most / counters.global_atomics as f64;
        if share < 1.0 {
            let all = [
                &mut counters.global_atomics,
                &mut counters.global_atomic_sectors,
                &mut counters.global_atomic_rounds,
                &mut counters.global_atomic_neighbours,
                &mut counters.hottest_atomic_rounds,
                &mut counters.hottest_atomic_neighbours,
                &mut counters.traffic.last_atomics,
            ];
            for count in all {
                *count = (*count as f64 * share).round() as u64;
            }
        }
    }
}

fn executed(more: &[Executed], less: &[Executed], growth: Growth) -> Vec<Executed> {
    let of = |more: &Executed| {
        let before = less.binary_search_by_key(&more.line, |less| less.line);
        let less = before.map_or_else(|_| Executed { line: more.line, ..Executed::default() }, |at| less[at]);
        Executed {
            line: more.line,
            warps: growth.of(more.warps, less.warps),
            turns: growth.of(more.turns, less.turns),
            missed: growth.of(more.missed, less.missed),
            first_missed: growth.of(more.first_missed, less.first_missed),
            conflicts: growth.of(more.conflicts, less.conflicts),
        }
    };
    more.iter().map(of).collect()
}

/// Every sum of two launches, joined; what is the most of something is the larger one's.
fn joined(more: &Counters, less: &Counters, growth: Growth) -> Counters {
    let list = |more: &[u64], less: &[u64], into: &mut [u64]| {
        for (into, (&more, &less)) in into.iter_mut().zip(more.iter().zip(less)) {
            *into = growth.of(more, less);
        }
    };
    let mut all = more.clone();
    list(&more.live, &less.live, &mut all.live);
    list(&more.mix, &less.mix, &mut all.mix);
    list(&more.path.cycles, &less.path.cycles, &mut all.path.cycles);
    list(&more.scheduler_balance.sums, &less.scheduler_balance.sums, &mut all.scheduler_balance.sums);
    for (place, (square, less)) in
        all.scheduler_balance.squares.iter_mut().zip(less.scheduler_balance.squares).enumerate()
    {
        *square = match growth.beyond {
            // Blocks that have more to do each differ as much, for what they have to do.
            Some(blocks) => {
                let each = all.scheduler_balance.sums[place] as f64
                    / more.scheduler_balance.sums[place].max(1) as f64
                    / blocks;
                (*square as f64 * each * each * blocks).round() as u128
            }
            None => growth.whole(*square as f64, less as f64).round() as u128,
        };
    }
    let (mut more_traffic, mut less_traffic) = (more.traffic, less.traffic);
    let sums = more_traffic.sums().zip(less_traffic.sums());
    for (all, (more, less)) in all.traffic.sums().zip(sums) {
        *all = growth.of(*more, *less);
    }
    all.longest_path = CriticalPath::default();
    let (mut more_sums, mut less_sums) = (more.clone(), less.clone());
    let sums = more_sums.of_instructions().zip(less_sums.of_instructions());
    for (all, (more, less)) in all.of_instructions().zip(sums) {
        *all = growth.of(*more, *less);
    }
    let sums = more_sums.of_launch().zip(less_sums.of_launch());
    for (all, (more, less)) in all.of_launch().zip(sums) {
        *all = growth.of(*more, *less);
    }
    for (all, more, less) in [
        (&mut all.global_atomics, more.global_atomics, less.global_atomics),
        (&mut all.global_atomic_sectors, more.global_atomic_sectors, less.global_atomic_sectors),
        (&mut all.global_atomic_rounds, more.global_atomic_rounds, less.global_atomic_rounds),
        (&mut all.global_atomic_neighbours, more.global_atomic_neighbours, less.global_atomic_neighbours),
        (&mut all.traffic.last_atomics, more.traffic.last_atomics, less.traffic.last_atomics),
    ] {
        *all = growth.of_levels(more, less);
    }
    // Which part of the L2 is busiest differs from one picture to the other: what the larger sample shows is the whole's too,
    // while the difference of the two is as much chance as growth.
    let share =
        |part: u64, of: u64, whole: u64| (part as f64 * whole as f64 / of.max(1) as f64).round() as u64;
    let whole = all.global_atomic_rounds;
    let grown = |part: u64| share(part, more.global_atomic_rounds, whole);
    all.hottest_atomic_rounds = grown(more.hottest_atomic_rounds);
    all.hottest_atomic_neighbours = grown(more.hottest_atomic_neighbours);
    all
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn counts_grow_with_what_they_followed_so_far() {
        // Blocks of 14 rows: 3 on 40 rows, 6 on 72, 383 on 5352.
        let growth = Growth::new([72.0 / 40.0, (5352.0 - 72.0) / 32.0], [3.0, 6.0, 383.0]);
        assert_eq!(growth.of(600, 300), 100 * 383, "what each block does");
        assert_eq!(growth.of(720, 400), 10 * 5352, "what is done for each row");
        assert_eq!(growth.of(7, 7), 7, "what does not grow");
    }

    #[test]
    fn fewer_levels_in_the_larger_sample_are_no_sign_of_a_falling_count() {
        // Blocks of a part of a picture: 57 on 40 rows, 103 on 72, 7643 on 5352.
        let growth = Growth::new([72.0 / 40.0, (5352.0 - 72.0) / 32.0], [57.0, 103.0, 7643.0]);
        assert_eq!(growth.of(4088, 4500), 4088, "no count goes on falling");
        assert_eq!(growth.of_levels(4088, 4500), (4088.0 * 7643.0 / 103.0_f64).round() as u64);
        assert_eq!(growth.of_levels(4120, 2280), growth.of(4120, 2280), "as many levels in all blocks");
        assert_eq!(growth.of_levels(256, 256), 256, "what does not grow");
    }

    #[test]
    fn samples_within_a_row_of_blocks_tell_blocks_from_rows() {
        // Blocks of 256 rows: 32 on 32 rows and on 64, 512 on 4096.
        let growth = Growth::new([2.0, 126.0], [32.0, 32.0, 512.0]);
        assert_eq!(growth.of(640, 320), 10 * 4096, "what is done for each row");
        assert_eq!(growth.of(96, 96), 3 * 512, "what each block does");
        assert_eq!(growth.of(740, 420), 10 * 4096 + 1600, "both");
        assert_eq!(growth.of(640, 160), 15 * 4096, "no block does less than nothing");
    }

    #[test]
    fn sums_of_blocks_are_no_more_than_what_was_tried() {
        let counters = Counters { global_atomics: 800, hottest_atomic_rounds: 400, ..Counters::default() };
        let mut kernel = Kernel::of(counters, 1, 32);
        kernel.limit_atomics(900.0);
        assert_eq!((kernel.counters.global_atomics, kernel.counters.hottest_atomic_rounds), (800, 400));
        kernel.limit_atomics(200.0);
        assert_eq!((kernel.counters.global_atomics, kernel.counters.hottest_atomic_rounds), (200, 100));
    }

    #[test]
    fn what_is_simulated_grows_as_its_lines() {
        // Blocks of 11 rows: 4 on 40 rows, 8 on 83, 82 on 5352; most work is done for each row.
        let of = |blocks: u32, rows: u64| {
            let line = |line, warps| Executed { line, warps, ..Executed::default() };
            let executed = vec![line(1, 100 * rows), line(2, 130 * u64::from(blocks))];
            let simulated = 2 * executed.iter().map(|line| line.warps).sum::<u64>();
            Kernel { executed, simulated, ..Kernel::of(Counters::default(), blocks, 32) }
        };
        let growth = Growth::new([83.0 / 40.0, (5352.0 - 83.0) / 43.0], [4.0, 8.0, 82.0]);
        let grown = of(8, 83).grown(&of(4, 40), growth, [82, 1, 1]);
        assert_eq!(grown.simulated, 2 * (100 * 5352 + 130 * 82));
    }

    #[test]
    fn a_grid_that_stays_leaves_rows_alone() {
        let growth = Growth::new([2.0, 10.0], [132.0, 132.0, 132.0]);
        assert_eq!((growth.blocks, growth.beyond), (None, None));
        assert_eq!(growth.of(200, 100), 1200);
    }

    #[test]
    fn whole_blocks_take_longer_than_the_average_where_the_last_ones_have_fewer_rows() {
        // Blocks of 256 rows, 10 cycles a row and 100 each: seen with 32 rows and with 64, on a picture of 1080.
        let of = |blocks: u32, rows: [u64; 2]| {
            let path = |cycles| CriticalPath { cycles: [cycles, 0, 0, 0] };
            let mut counters = Counters::default();
            (counters.path, counters.longest_path) = (path(rows[0]), path(rows[1]));
            Kernel::of(counters, blocks, 32)
        };
        let (less, more) = (of(15, [15 * 420, 420]), of(15, [15 * 740, 740]));
        let mut growth = Growth::new([2.0, (1080.0 - 64.0) / 32.0], [15.0, 15.0, 75.0]);
        let longest = |growth| more.grown(&less, growth, [75, 1, 1]).counters.longest_path.cycles[0];
        assert_eq!(longest(growth), (15 * 10 * 1080 + 75 * 100) / 75);
        growth.full = Some((256.0 - 64.0) / 32.0);
        assert_eq!(longest(growth), 2660);
    }
}
