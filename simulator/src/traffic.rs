//! What of a launch's memory requests goes on from the first-level caches to the L2, and from there to DRAM, other than each
//! request for itself.

/// Events beyond the first-level cache.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Traffic {
    /// Sectors of stores to global and local memory that an earlier store of the same warp had begun, and no load since: the
    /// first-level cache still has them and may send both at once.
    pub joined_sectors: u64,
    /// Sectors that were sent without each of their bytes stored.
    pub partial_sectors: u64,
    /// Lines of 128 bytes in which a store begins sectors, counted each time.
    pub store_lines: u64,
    /// [`crate::Counters::missed_sectors`], those that several blocks miss in the same step counted once.
    pub alike_sectors: u64,
    /// Atomics on global memory behind the last load of it that their warp makes, counted once a lane.
    pub last_atomics: u64,
    /// The threads' own memory in an L2 that keeps [`KEPT_LINES`] lines of it for each warp.
    pub spilled: [Spilled; KEPT_LINES.len()],
}

/// Lines of 128 bytes of a warp's own memory that an L2 may keep: what the warps at once on a GPU share may be as little
/// as 32 for each, where they are many, or more than they have.
pub const KEPT_LINES: [usize; 6] = [32, 64, 128, 256, 512, 1024];

/// What of a warp's own memory goes to DRAM and comes back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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
            &mut self.alike_sectors,
            &mut self.last_atomics,
        ];
        single.into_iter().chain(self.spilled.iter_mut().flat_map(Spilled::sums))
    }
}
