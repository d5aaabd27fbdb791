//! A first-level cache as far as a block by itself sees it: which sectors its loads have to fetch.
//!
//! Each block begins with an empty one, so that the outcome does not depend on which worker runs which block. A set
//! holds two sectors, the older leaves; which set is a hash of the address, so that rows a power of two apart do not
//! meet. Left out: what other blocks of the multiprocessor bring or push out, and stores, which do not fetch.

use crate::exec::lanes;
use crate::model::count::requests::SECTOR;
use crate::observe::Request;

/// Who looks for something.
#[derive(Debug, Clone, Copy)]
pub(in crate::model::count) struct Asker {
    /// Warp of the block.
    pub warp: usize,
    /// Barriers that it has come from.
    pub barriers: u32,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::model::count) struct Look {
    /// Sectors that are not there.
    pub missing: u64,
    /// Whether any of those that are there was fetched for another warp that has come from as many barriers, and is new to this one: warps
    /// run side by side, and it may be on its way still.
    pub behind: bool,
}

/// Who has asked for a sector.
#[derive(Debug, Clone, Copy, Default)]
struct Asked {
    /// A bit for each warp.
    warps: u32,
    /// Barriers that the first of them had come from.
    barriers: u32,
}

/// Sets; with two sectors each, 64 KiB: a quarter of what a multiprocessor of an H200 has, for its resident blocks.
const SETS: usize = 1024;

/// The cache.
#[derive(Debug, Clone)]
pub(in crate::model::count) struct Cache {
    /// The newer and the older sector of each set, as `generation << 48 | sector`; 0 is none.
    sets: Vec<[u64; 2]>,
    /// And who has asked for each of them.
    asked: Vec<[Asked; 2]>,
    generation: u64,
}

impl Default for Cache {
    fn default() -> Self {
        Self { sets: vec![[0; 2]; SETS], asked: vec![[Asked::default(); 2]; SETS], generation: 1 }
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

    /// Looks for the sectors of a request; they are there afterwards. `fresh` is told the number of each that was not.
    pub fn look(&mut self, request: &Request<'_>, asker: Asker, mut fresh: impl FnMut(u64)) -> Look {
        let mut look = Look { missing: 0, behind: false };
        let mut sector = |sector: u64| {
            if let Some(behind) = self.hit(sector, asker) {
                look.behind |= behind;
            } else {
                look.missing += 1;
                fresh(sector);
            }
        };
        if let Some(stride @ 0..=SECTOR) = request.stride {
            let first = request.first();
            let last = first + stride * u64::from(request.mask.count_ones() - 1);
            (first / SECTOR..=last / SECTOR).for_each(sector);
            return look;
        }
        let mut before = None;
        for lane in lanes(request.mask) {
            let number = request.addresses[lane] / SECTOR;
            if before != Some(number) {
                sector(number);
                before = Some(number);
            }
        }
        look
    }

    /// Whether a sector is there, and then whether who asks is [behind](Look::behind) another.
    fn hit(&mut self, sector: u64, asker: Asker) -> Option<bool> {
        let tag = self.generation << 48 | sector & ((1 << 48) - 1);
        let place = (sector.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % SETS;
        let (set, asked) = (&mut self.sets[place], &mut self.asked[place]);
        let bit = 1 << (asker.warp % 32);
        if set[0] != tag {
            set.swap(0, 1);
            asked.swap(0, 1);
        }
        if set[0] != tag {
            (set[0], asked[0]) = (tag, Asked { warps: bit, barriers: asker.barriers });
            return None;
        }
        let new = asked[0].warps & bit == 0;
        asked[0].warps |= bit;
        Some(new && asked[0].barriers == asker.barriers)
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::exec::{AccessKind, FULL, LANES};
    use crate::ptx::ast::Space;

    fn look(cache: &mut Cache, asker: Asker, address: impl Fn(u64) -> u64) -> Look {
        let addresses: [u64; LANES] = std::array::from_fn(|lane| address(lane as u64));
        cache.look(&Request::new(Space::Global, AccessKind::Read, FULL, &addresses, 4), asker, |_| ())
    }

    fn missing(cache: &mut Cache, address: impl Fn(u64) -> u64) -> u64 {
        look(cache, Asker { warp: 0, barriers: 0 }, address).missing
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

    #[test]
    fn who_comes_behind_another_warp_may_have_to_wait_with_it() {
        let mut cache = Cache::default();
        let mut row = |warp, barriers| look(&mut cache, Asker { warp, barriers }, |lane| 4096 + 4 * lane);
        assert_eq!(row(0, 0), Look { missing: 4, behind: false });
        assert_eq!(row(0, 0), Look { missing: 0, behind: false });
        assert_eq!(row(1, 0), Look { missing: 0, behind: true });
        assert_eq!(row(1, 0), Look { missing: 0, behind: false });
        // Before a barrier, all has come.
        assert_eq!(row(2, 1), Look { missing: 0, behind: false });
    }
}
