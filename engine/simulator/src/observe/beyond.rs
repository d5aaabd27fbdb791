//! What goes on from the first-level caches: stores that join, blocks that miss alike, the threads' own memory, atomics behind
//! the last load.

use super::Request;
use super::alike::Alike;
use super::arrivals::Arrivals;
use super::requests::passes;
use super::spill::Spill;
use super::stores::Stores;
use crate::exec::{AccessKind, LANES};
use crate::ptx::ast::Space;
use crate::traffic::Traffic;

/// Bytes of a word.
const WORD: u64 = 4;

/// Follows the warps of a block, one block after the other.
#[derive(Debug)]
pub(super) struct Beyond {
    pub stores: Stores,
    pub alike: Alike,
    pub arrivals: Arrivals,
    pub spill: Spill,
    /// By warp: atomics since its last load.
    atomics: Vec<u64>,
    /// Behind the last load, of all warps.
    last_atomics: u64,
    /// Sectors missed that nobody else could read.
    own: u64,
}

impl Beyond {
    /// For blocks of so many warps.
    pub fn new(warps: usize) -> Self {
        Self {
            stores: Stores::new(warps),
            alike: Alike::new(warps),
            arrivals: Arrivals::default(),
            spill: Spill::new(warps),
            atomics: vec![0; warps],
            last_atomics: 0,
            own: 0,
        }
    }

    /// A warp loads from global memory.
    pub fn load(&mut self, warp: usize) {
        self.stores.load(warp);
        self.atomics[warp] = 0;
    }

    /// Sectors that its load did not find.
    pub fn missed(&mut self, warp: usize, request: &Request<'_>, sectors: u64) {
        let last = request.addresses[LANES - 1 - request.mask.leading_zeros() as usize % LANES];
        self.alike.missed(warp, [request.first(), last], sectors);
    }

    /// A warp's own memory is used, a word of each lane, and of it so many sectors are not in the first-level cache.
    pub fn own(&mut self, warp: usize, request: &Request<'_>, missed: u64) {
        let store = request.kind == AccessKind::Write;
        self.spill.access(warp, request, store);
        if store {
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
        self.alike.close();
        self.spill.close();
        self.last_atomics += self.atomics.iter_mut().map(std::mem::take).sum::<u64>();
    }

    /// What was seen.
    pub fn finish(&self) -> Traffic {
        Traffic {
            joined_sectors: self.stores.joined,
            partial_sectors: self.stores.partial,
            store_lines: self.stores.lines,
            alike_sectors: self.alike.sectors() + self.own,
            last_atomics: self.last_atomics,
            stored_before_loads: self.stores.before_loads,
            first_by_request: self.arrivals.first(|step| step.request),
            first_by_round: self.arrivals.first(|step| step.round),
            spilled: self.spill.spilled,
            ..Traffic::default()
        }
    }

    pub fn absorb(&mut self, other: Self) {
        self.stores.joined += other.stores.joined;
        self.stores.partial += other.stores.partial;
        self.stores.lines += other.stores.lines;
        self.stores.before_loads += other.stores.before_loads;
        self.arrivals.absorb(other.arrivals);
        self.alike.absorb(other.alike);
        for (mine, theirs) in self.spill.spilled.iter_mut().zip(other.spill.spilled) {
            mine.read += theirs.read;
            mine.halves += theirs.halves;
            mine.pairs += theirs.pairs;
        }
        self.last_atomics += other.last_atomics;
        self.own += other.own;
    }
}

/// Where the threads' own memory is taken to begin: beyond all global memory.
pub(super) const OWN: u64 = 1 << 52;

/// Calls `each` with the words of a request to local memory as they lie in memory: those of a warp's lanes side by side, from
/// [`OWN`] on.
pub(super) fn own_words(request: &Request<'_>, warp: usize, mut each: impl FnMut(&Request<'_>)) {
    for first in (0..request.bytes).step_by(WORD as usize) {
        let addresses = std::array::from_fn(|lane| {
            let at = request.addresses[lane] + first;
            OWN + ((warp as u64) << 32) + at / WORD * (WORD * LANES as u64) + WORD * lane as u64 + at % WORD
        });
        each(&Request::new(Space::Local, request.kind, request.mask, &addresses, request.bytes.min(WORD)));
    }
}

/// Passes of the load/store pipe for a request to local memory.
pub(super) fn own_passes(request: &Request<'_>) -> u64 {
    let mut all = 0;
    own_words(request, 0, |words| all += passes(words));
    all
}
