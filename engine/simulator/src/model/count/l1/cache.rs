//! A first-level cache as far as a block by itself sees it: which sectors its loads have to fetch.
//!
//! Each block begins with an empty one, so that the outcome does not depend on which worker runs which block. A set
//! holds two sectors, the older leaves; which set is a hash of the address, so that rows a power of two apart do not
//! meet. Left out: what other blocks of the multiprocessor bring or push out, and stores, which do not fetch.

use crate::exec::lanes;
use crate::model::count::requests::SECTOR;
use crate::observe::Request;

/// Sets; with two sectors each, 64 KiB: a quarter of what a multiprocessor of an H200 has, for its resident blocks.
const SETS: usize = 1024;

/// The cache.
#[derive(Debug, Clone)]
pub(in crate::model::count) struct Cache {
    /// The newer and the older sector of each set, as `generation << 48 | sector`; 0 is none.
    sets: Vec<[u64; 2]>,
    generation: u64,
}

impl Default for Cache {
    fn default() -> Self {
        Self { sets: vec![[0; 2]; SETS], generation: 1 }
    }
}

impl Cache {
    /// Empties it.
    pub fn forget(&mut self) {
        self.generation += 1;
        if self.generation == 1 << 16 {
            *self = Self::default();
        }
    }

    /// Looks for the sectors of a request; they are there afterwards. How many were not; `fresh` is told the number of each.
    pub fn look(&mut self, request: &Request<'_>, mut fresh: impl FnMut(u64)) -> u64 {
        let mut missing = 0;
        let mut sector = |sector: u64| {
            if !self.hit(sector) {
                missing += 1;
                fresh(sector);
            }
        };
        if let Some(stride @ 0..=SECTOR) = request.stride {
            let first = request.first();
            let last = first + stride * u64::from(request.mask.count_ones() - 1);
            (first / SECTOR..=last / SECTOR).for_each(sector);
            return missing;
        }
        let mut before = None;
        for lane in lanes(request.mask) {
            let number = request.addresses[lane] / SECTOR;
            if before != Some(number) {
                sector(number);
                before = Some(number);
            }
        }
        missing
    }

    /// Whether a sector is there.
    fn hit(&mut self, sector: u64) -> bool {
        let tag = self.generation << 48 | sector & ((1 << 48) - 1);
        let set = &mut self.sets[(sector.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % SETS];
        if set[0] == tag {
            return true;
        }
        set.swap(0, 1);
        let there = set[0] == tag;
        set[0] = tag;
        there
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::exec::{AccessKind, FULL, LANES};
    use crate::ptx::ast::Space;

    fn missing(cache: &mut Cache, address: impl Fn(u64) -> u64) -> u64 {
        let addresses: [u64; LANES] = std::array::from_fn(|lane| address(lane as u64));
        cache.look(&Request::new(Space::Global, AccessKind::Read, FULL, &addresses, 4), |_| ())
    }

    #[test]
    fn what_a_block_has_read_it_need_not_fetch_again() {
        let mut cache = Cache::default();
        assert_eq!(missing(&mut cache, |lane| 4096 + 4 * lane), 4);
        assert_eq!(missing(&mut cache, |lane| 4096 + 4 * lane), 0);
        assert_eq!(missing(&mut cache, |lane| 4096 + 16 + 4 * lane), 1);
        cache.forget();
        assert_eq!(missing(&mut cache, |lane| 4096 + 4 * lane), 4);
    }

    #[test]
    fn rows_a_power_of_two_apart_fit_and_too_much_does_not() {
        let mut cache = Cache::default();
        assert_eq!(missing(&mut cache, |lane| lane << 14), 32);
        assert_eq!(missing(&mut cache, |lane| 4 + (lane << 14)), 0);
        for row in 0..4096 {
            missing(&mut cache, |lane| (1 << 30) + 128 * row + 4 * lane);
        }
        assert_eq!(missing(&mut cache, |lane| lane << 14), 32);
    }
}
