//! Traffic past the L1 that single requests do not tell: of stores, of blocks side by side, of atomics.

use serde::{Deserialize, Serialize};

/// Events past the first-level caches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Traffic {
    /// Sectors of stores to global and local memory that an earlier store of the same warp had begun, and no load since: the
    /// first-level cache still has them and may send both at once.
    pub joined_sectors: u64,
    /// Sectors that were sent without each of their bytes stored.
    pub partial_sectors: u64,
    /// Lines of 128 bytes in which a store begins sectors, counted each time.
    pub store_lines: u64,
    /// [`crate::Counters::missed_sectors`], those that several blocks share counted once: they miss them in the same step.
    pub distinct_missed_sectors: u64,
    /// Atomics on global memory behind the last load of it that their warp makes, counted once a lane.
    pub last_atomics: u64,
    /// Sectors missed by who came first for their 64 bytes, and by those who came at the same time, for each number of blocks
    /// [`SIDE_BY_SIDE`]: at the same request of their warp that missed. From a sample.
    pub first_by_request: [u64; SIDE_BY_SIDE.len()],
    /// The same in the same round of a loop.
    pub first_by_round: [u64; SIDE_BY_SIDE.len()],
    /// The threads' own memory in an L2 that keeps [`KEPT_LINES`] lines of it for each warp.
    pub spilled: [Spilled; KEPT_LINES.len()],
}

/// Lines of 128 bytes of a warp's own memory that an L2 may keep: what the warps at once on a GPU share may be as little
/// as 32 for each, where they are many, or more than they have.
pub const KEPT_LINES: [usize; 6] = [32, 64, 128, 256, 512, 1024];

/// Blocks of neighbouring numbers that run at the same time, at the most.
pub const SIDE_BY_SIDE: [u64; 6] = [4, 16, 64, 256, 1024, 4096];

/// What of a warp's own memory goes to DRAM and comes back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Spilled {
    /// Sectors read: two at a time for loads, one where a store changes a part of it.
    pub read: u64,
    /// Pairs of sectors of which one was written.
    pub halves: u64,
    /// Pairs of sectors that were written whole.
    pub pairs: u64,
}

impl Spilled {
    fn sums(&mut self) -> [&mut u64; 3] {
        [&mut self.read, &mut self.halves, &mut self.pairs]
    }
}

impl Traffic {
    /// All its numbers, each a sum over the launch.
    pub(crate) fn sums(&mut self) -> impl Iterator<Item = &mut u64> {
        let single = [
            &mut self.joined_sectors,
            &mut self.partial_sectors,
            &mut self.store_lines,
            &mut self.distinct_missed_sectors,
            &mut self.last_atomics,
        ];
        let first = self.first_by_request.iter_mut().chain(&mut self.first_by_round);
        single.into_iter().chain(first).chain(self.spilled.iter_mut().flat_map(Spilled::sums))
    }
}
