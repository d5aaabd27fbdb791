//! Traffic past the L1: stores, misses that blocks share, the threads' own memory, atomics behind the last load.

use super::first_touch::FirstTouches;
use super::shared_misses::SharedMisses;
use super::stores::Stores;
use crate::exec::{AccessKind, LANES};
use crate::model::counters::Traffic;
use crate::observe::Request;

/// Follows the warps of a block, one block after the other.
#[derive(Debug)]
pub(in crate::model::count) struct L1Misses {
    pub stores: Stores,
    pub shared: SharedMisses,
    pub first_touches: FirstTouches,
    /// By warp: how often it had gone back in the code when it last stored.
    stored: Vec<u32>,
    /// By warp: atomics since its last load.
    atomics: Vec<u64>,
    /// Behind the last load, of all warps.
    last_atomics: u64,
    /// Sectors of the threads' own memory that were missed: no other block could share them.
    own: u64,
}

impl L1Misses {
    /// For blocks of so many warps.
    pub fn new(warps: usize) -> Self {
        Self {
            stores: Stores::new(warps),
            shared: SharedMisses::new(warps),
            first_touches: FirstTouches::default(),
            stored: vec![0; warps],
            atomics: vec![0; warps],
            last_atomics: 0,
            own: 0,
        }
    }

    /// A warp loads from global memory; `read_only` is how often it has gone back in the code, if nothing writes there: then the
    /// assembler puts the load before the stores that the warp has made since.
    pub fn load(&mut self, warp: usize, read_only: Option<u32>) {
        if read_only != Some(self.stored[warp]) {
            self.stores.load(warp);
        }
        self.atomics[warp] = 0;
    }

    /// A warp that has gone back in the code so often stores to global memory.
    pub fn store(&mut self, warp: usize, request: &Request<'_>, turn: u32) {
        self.stores.store(warp, request);
        self.stored[warp] = turn;
    }

    /// Sectors that its load did not find.
    pub fn missed(&mut self, warp: usize, request: &Request<'_>, sectors: u64) {
        let last = request.addresses[LANES - 1 - request.mask.leading_zeros() as usize % LANES];
        self.shared.missed(warp, [request.first(), last], sectors);
    }

    /// A warp's own memory is used, a word of each lane, and of it so many sectors are not in the first-level cache.
    pub fn own(&mut self, warp: usize, request: &Request<'_>, missed: u64) {
        if request.kind == AccessKind::Write {
            self.stores.store(warp, request);
        } else {
            self.stores.load(warp);
        }
        self.own += missed;
    }

    /// Atomics on global memory.
    pub fn atomics(&mut self, warp: usize, lanes: u32) {
        self.stores.load(warp);
        self.atomics[warp] += u64::from(lanes);
    }

    /// The block ends, or waits for the grid.
    pub fn close(&mut self) {
        self.stores.close();
        self.shared.close();
        self.last_atomics += self.atomics.iter_mut().map(std::mem::take).sum::<u64>();
    }

    /// The traffic of the launch.
    pub fn finish(&self) -> Traffic {
        Traffic {
            partial_sectors: self.stores.partial,
            store_lines: self.stores.lines,
            distinct_missed_sectors: self.shared.sectors() + self.own,
            last_atomics: self.last_atomics,
            first_by_request: self.first_touches.first(|step| step.request),
            first_by_round: self.first_touches.first(|step| step.round),
        }
    }

    pub fn absorb(&mut self, other: Self) {
        self.stores.partial += other.stores.partial;
        self.stores.lines += other.stores.lines;
        self.first_touches.absorb(other.first_touches);
        self.shared.absorb(other.shared);
        self.last_atomics += other.last_atomics;
        self.own += other.own;
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::exec::FULL;
    use crate::ptx::ast::Space;

    /// Sectors sent in part of two stores of bytes side by side with a load between them.
    fn partial(load: Option<u32>) -> u64 {
        let mut misses = L1Misses::new(1);
        for byte in 0..2 {
            let addresses: [u64; LANES] = std::array::from_fn(|lane| 4096 + 2 * lane as u64 + byte);
            let request = Request::new(Space::Global, AccessKind::Write, FULL, &addresses, 1);
            misses.store(0, &request, 7);
            misses.load(0, load);
        }
        misses.close();
        misses.finish().partial_sectors
    }

    #[test]
    fn loads_of_what_nobody_writes_go_in_front_of_the_stores_of_their_round() {
        assert_eq!([partial(Some(7)), partial(Some(8)), partial(None)], [0, 4, 4]);
    }
}
