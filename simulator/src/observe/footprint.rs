//! Which sectors of global memory each source location touches: a bit a sector.

use std::collections::BTreeMap;

use super::Request;
use super::count::{SECTOR, active};
use crate::memory::Memory;

/// Sectors touched at least once, by the address of their allocation.
#[derive(Debug, Clone, Default)]
pub(super) struct Sectors(BTreeMap<u64, Vec<u64>>);

impl Sectors {
    /// How many there are.
    pub fn count(&self) -> u64 {
        self.0.values().flatten().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Adds another's.
    pub fn union(&mut self, other: &Self) {
        for (&base, words) in &other.0 {
            let mine = self.0.entry(base).or_insert_with(|| vec![0; words.len()]);
            for (mine, theirs) in mine.iter_mut().zip(words) {
                *mine |= theirs;
            }
        }
    }

    /// Notes the sectors of a request.
    pub fn mark(&mut self, request: &Request<'_>, memory: &Memory) {
        let mut last = u64::MAX;
        let mut cached: Option<(u64, u64)> = None;
        for address in active(request) {
            if address / SECTOR == last {
                continue;
            }
            last = address / SECTOR;
            if cached.is_none_or(|(base, size)| address < base || address - base >= size) {
                let Some(spot) = memory.find(address, 1) else { continue };
                let allocation = &memory.allocations()[spot.allocation];
                cached = Some((allocation.base, allocation.size));
            }
            let Some((base, size)) = cached else { continue };
            let words = (size.div_ceil(SECTOR) as usize).div_ceil(64).max(1);
            let bits = self.0.entry(base).or_insert_with(|| vec![0; words]);
            let sector = ((address - base) / SECTOR) as usize;
            bits[sector / 64] |= 1 << (sector % 64);
        }
    }
}

/// Sectors read and written.
#[derive(Debug, Clone, Default)]
pub(super) struct Footprint {
    /// By loads.
    pub read: Sectors,
    /// By stores and atomics.
    pub written: Sectors,
}

impl Footprint {
    /// Adds another's.
    pub fn union(&mut self, other: &Self) {
        self.read.union(&other.read);
        self.written.union(&other.written);
    }
}
