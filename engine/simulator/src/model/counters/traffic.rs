//! Traffic past the L1 that single requests do not tell: of stores, of blocks side by side, of atomics.

use serde::{Deserialize, Serialize};

/// Events past the first-level caches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Traffic {
    /// Sectors that stores of a warp left with bytes that none of them stored, until a load or the end.
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
}

/// Blocks of neighbouring numbers that run at the same time, at the most.
pub const SIDE_BY_SIDE: [u64; 6] = [4, 16, 64, 256, 1024, 4096];

impl Traffic {
    /// All its numbers, each a sum over the launch.
    pub(crate) fn sums(&mut self) -> impl Iterator<Item = &mut u64> {
        let single = [
            &mut self.partial_sectors,
            &mut self.store_lines,
            &mut self.distinct_missed_sectors,
            &mut self.last_atomics,
        ];
        let first = self.first_by_request.iter_mut().chain(&mut self.first_by_round);
        single.into_iter().chain(first)
    }
}
