//! Which sectors of global memory a launch touches at least once, and in which lines.

use super::requests::{SECTOR, active};
use crate::exec::AccessKind;
use crate::memory::Located;
use crate::model::counters::Counters;
use crate::observe::{Place, Request};

/// Sectors touched, by source location.
#[derive(Debug, Default)]
pub(super) struct Footprints {
    by_location: Vec<Footprint>,
}

impl Footprints {
    /// For so many source locations.
    pub fn new(locations: usize) -> Self {
        Self { by_location: vec![Footprint::default(); locations] }
    }

    /// A request of this location to global memory.
    pub fn mark(&mut self, location: u32, request: &Request<'_>, place: &Place<'_>) {
        let footprint = &mut self.by_location[location as usize];
        let reads = request.kind == AccessKind::Read;
        (if reads { &mut footprint.read } else { &mut footprint.written }).mark(request, place);
    }

    /// Adds another worker's.
    pub fn absorb(&mut self, other: Self) {
        for (mine, theirs) in self.by_location.iter_mut().zip(other.by_location) {
            mine.absorb(theirs);
        }
    }

    /// Puts what was touched among a launch's events; the footprint of each location.
    pub fn finish(self, counters: &mut Counters) -> Vec<Footprint> {
        let mut all = Footprint::default();
        for footprint in &self.by_location {
            all.absorb(footprint.clone());
        }
        all.count_into(counters);
        self.by_location
    }
}

/// Sectors of global memory touched at least once.
#[derive(Debug, Clone, Default)]
pub(super) struct Footprint {
    read: Sectors,
    written: Sectors,
}

impl Footprint {
    /// Adds another's.
    pub fn absorb(&mut self, other: Self) {
        self.read.absorb(other.read);
        self.written.absorb(other.written);
    }

    /// Puts their numbers among the events of a launch or a line.
    pub fn count_into(&self, counters: &mut Counters) {
        counters.unique_read_sectors = self.read.count();
        counters.unique_write_sectors = self.written.count();
    }
}

/// Sectors touched at least once: a bit each, by allocation.
#[derive(Debug, Clone, Default)]
struct Sectors {
    allocations: Vec<Vec<u64>>,
}

impl Sectors {
    /// How many there are.
    fn count(&self) -> u64 {
        self.allocations.iter().flatten().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Notes the sectors of a request to global memory.
    fn mark(&mut self, request: &Request<'_>, place: &Place<'_>) {
        let Some(located) = place.located else { return };
        if let (Located::Same { allocation, base, .. }, Some(stride @ 0..=SECTOR)) = (located, request.stride)
        {
            let bits = self.of(allocation, place);
            let first = request.first() - base;
            let last = first + stride * u64::from(request.mask.count_ones() - 1);
            for sector in (first / SECTOR) as usize..=(last / SECTOR) as usize {
                bits[sector / 64] |= 1 << (sector % 64);
            }
            return;
        }
        let mut last = None;
        for address in active(request) {
            let spot = place.view.spot(located, address);
            let sector = spot.offset / SECTOR as usize;
            if last != Some((spot.allocation, sector)) {
                self.of(spot.allocation, place)[sector / 64] |= 1 << (sector % 64);
                last = Some((spot.allocation, sector));
            }
        }
    }

    fn of(&mut self, allocation: usize, place: &Place<'_>) -> &mut [u64] {
        if self.allocations.len() <= allocation {
            self.allocations.resize(allocation + 1, Vec::new());
        }
        let bits = &mut self.allocations[allocation];
        if bits.is_empty() {
            let size = place.view.memory().allocations()[allocation].size;
            bits.resize(size.div_ceil(64 * SECTOR) as usize, 0);
        }
        bits
    }

    /// Adds others.
    fn absorb(&mut self, other: Self) {
        if self.allocations.len() < other.allocations.len() {
            self.allocations.resize(other.allocations.len(), Vec::new());
        }
        for (mine, theirs) in self.allocations.iter_mut().zip(other.allocations) {
            if mine.is_empty() {
                *mine = theirs;
            } else {
                mine.iter_mut().zip(theirs).for_each(|(a, b)| *a |= b);
            }
        }
    }
}
