//! A launch on a larger picture, from what it did on two smaller ones.
//!
//! Events are taken to grow in proportion to the picture beyond a part that does not: borders, tables, the sums of partial
//! results. Two samples tell the two parts apart.

use super::model::Kernel;
use crate::launch::{Counters, Executed, Path};

impl Kernel {
    /// What this launch does on the whole, where it did `less` on a smaller sample. The whole is larger than this sample by
    /// `growth` times the distance between the two samples; `grid` is the whole's.
    #[must_use]
    pub fn grown(&self, less: &Self, growth: f64, grid: [u32; 3]) -> Self {
        let whole = |more: u64, less: u64| whole(more, less, growth);
        let mut counters = joined(&self.counters, &less.counters, whole);
        let blocks: f64 = grid.iter().copied().map(f64::from).product();
        // The longest block of the sample may be one that does not grow, such as one of the border: it stays as much longer
        // than the average as it was.
        let blocks = blocks.max(1.0);
        for (stay, longest) in counters.longest_path.cycles.iter_mut().enumerate() {
            let average = self.counters.path.cycles[stay] as f64 / self.blocks().max(1.0);
            let beyond = self.counters.longest_path.cycles[stay] as f64 - average;
            *longest = (counters.path.cycles[stay] as f64 / blocks + beyond).max(0.0) as u64;
        }
        let executed = executed(&self.executed, &less.executed, whole);
        let machine = self.code.as_ref().map(|code| code.work(&executed));
        Self { counters, executed, machine, grid, ..self.clone() }
    }
}

fn whole(more: u64, less: u64, growth: f64) -> u64 {
    let (more, less) = (more as f64, less as f64);
    // A count that fell between the samples does not fall below what is left of it.
    (more + growth * (more - less)).max(0.0).round() as u64
}

fn executed(more: &[Executed], less: &[Executed], whole: impl Fn(u64, u64) -> u64) -> Vec<Executed> {
    let of = |more: &Executed| {
        let before = less.binary_search_by_key(&more.line, |less| less.line);
        let less = before.map_or_else(|_| Executed { line: more.line, ..Executed::default() }, |at| less[at]);
        Executed {
            line: more.line,
            warps: whole(more.warps, less.warps),
            threads: whole(more.threads, less.threads),
            turns: whole(more.turns, less.turns),
            missed: whole(more.missed, less.missed),
            passes: whole(more.passes, less.passes),
        }
    };
    more.iter().map(of).collect()
}

/// Every sum of two launches, joined; what is the most of something is the larger one's.
fn joined(more: &Counters, less: &Counters, whole: impl Fn(u64, u64) -> u64) -> Counters {
    let list = |more: &[u64], less: &[u64], into: &mut [u64]| {
        for (into, (&more, &less)) in into.iter_mut().zip(more.iter().zip(less)) {
            *into = whole(more, less);
        }
    };
    let mut all = more.clone();
    list(&more.live, &less.live, &mut all.live);
    list(&more.mix, &less.mix, &mut all.mix);
    list(&more.path.cycles, &less.path.cycles, &mut all.path.cycles);
    all.longest_path = Path::default();
    for of in SUMS {
        let (mut more, mut less) = (more.clone(), less.clone());
        *of(&mut all) = whole(*of(&mut more), *of(&mut less));
    }
    all
}

/// The counters that are sums over a launch, and single numbers.
const SUMS: [fn(&mut Counters) -> &mut u64; 36] = [
    |c| &mut c.warp_instructions,
    |c| &mut c.thread_instructions,
    |c| &mut c.global_load_requests,
    |c| &mut c.global_load_sectors,
    |c| &mut c.global_store_requests,
    |c| &mut c.global_store_sectors,
    |c| &mut c.unique_read_sectors,
    |c| &mut c.unique_write_sectors,
    |c| &mut c.unique_atomic_sectors,
    |c| &mut c.global_atomics,
    |c| &mut c.global_atomic_sectors,
    |c| &mut c.shared_atomics,
    |c| &mut c.shared_atomic_rounds,
    |c| &mut c.shared_requests,
    |c| &mut c.shared_wavefronts,
    |c| &mut c.shared_wavefronts_least,
    |c| &mut c.global_sectors_least,
    |c| &mut c.atomic_requests,
    |c| &mut c.atomic_rounds,
    |c| &mut c.global_wavefronts,
    |c| &mut c.missed_sectors,
    |c| &mut c.texture_requests,
    |c| &mut c.texture_passes,
    |c| &mut c.match_values,
    |c| &mut c.constant_requests,
    |c| &mut c.constant_addresses,
    |c| &mut c.constant_passes,
    |c| &mut c.local_requests,
    |c| &mut c.local_wavefronts,
    |c| &mut c.shared_atomic_wavefronts,
    |c| &mut c.global_atomic_rounds,
    |c| &mut c.hottest_atomic_rounds,
    |c| &mut c.global_atomic_neighbours,
    |c| &mut c.hottest_atomic_neighbours,
    |c| &mut c.contended,
    |c| &mut c.reread_sectors,
];
