//! In which slice of the L2 atomics meet.

use crate::observe::Place;

/// Rounds of atomics by the part of the grid that does them, and by the 512 bytes in which they happen: as much of memory
/// as goes to one slice of the L2 of an H200 (atomics in 1 KiB run twice, in 4 KiB eight times as fast as in 128 bytes).
///
/// Blocks start in the order of their numbers, so that those of a part run at about the same time. In a picture they see
/// the same region of it, and the levels there may all belong to one slice, and later to another: the slice that is
/// busiest on the whole is busy only part of the time, and is not the only one that others wait for.
#[derive(Debug, Clone, Default)]
pub(in crate::model::count) struct Granules {
    parts: [Part; PARTS as usize],
}

/// Bytes of a granule.
const BYTES: u64 = 512;
/// Granules that follow each other, 64 KiB, and the slices that serve them: 32 granules hardly meet (`workshop micro`, random words of
/// 4096), while 64 histograms side by side take 2.5 times (one level) to 3 times (all levels) as long as if each of their granules had a
/// slice of its own (`replicas_64` in `workshop/validation/pool`).
const WINDOW: usize = 128;
const SLICES_OF_WINDOW: u64 = 44;

/// So many bytes of an allocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::model::count) struct Granule {
    pub allocation: usize,
    pub number: usize,
}

impl Granule {
    /// The one that an address of global memory lies in.
    pub fn at(address: u64, place: &Place<'_>) -> Option<Self> {
        let spot = place.view.spot(place.located?, address);
        Some(Self { allocation: spot.allocation, number: spot.offset / BYTES as usize })
    }
}

/// By allocation and granule: all rounds, and those in sectors of several words.
type Part = Vec<Vec<[u64; 2]>>;

/// Parts of a grid: chosen, with the timing model's validation in sight. A sample of a picture is some bands of it, so that with four parts
/// each would see a band by itself, and none meets the levels of another.
const PARTS: u64 = 2;

impl Granules {
    /// The part of a grid of `blocks` blocks that a block belongs to.
    pub fn part_of(block: u64, blocks: u64) -> usize {
        (block * PARTS / blocks.max(1)).min(PARTS - 1) as usize
    }

    /// The most of any slice in each part, added up, and how many of those were in sectors of several words.
    pub fn most(&self) -> [u64; 2] {
        let of_window = |window: &[[u64; 2]]| {
            let sums = window.iter().fold([0; 2], |sum, one| [sum[0] + one[0], sum[1] + one[1]]);
            sums.map(|sum| sum / SLICES_OF_WINDOW)
        };
        let of_allocation = |granules: &Vec<[u64; 2]>| {
            let busiest = granules.iter().copied().max().unwrap_or_default();
            granules.chunks(WINDOW).map(of_window).fold(busiest, Ord::max)
        };
        let most = |part: &Part| part.iter().map(of_allocation).max().unwrap_or_default();
        self.parts
            .iter()
            .map(most)
            .fold([0; 2], |[all, several], [more, of_these]| [all + more, several + of_these])
    }

    /// Adds rounds that a part of the grid does in a granule of global memory.
    pub fn add(&mut self, part: usize, granule: Granule, rounds: u64, several: bool, place: &Place<'_>) {
        let allocations = &mut self.parts[part];
        if allocations.len() <= granule.allocation {
            allocations.resize(granule.allocation + 1, Vec::new());
        }
        let granules = &mut allocations[granule.allocation];
        if granules.is_empty() {
            let size = place.view.memory().allocations()[granule.allocation].size;
            granules.resize(size.div_ceil(BYTES) as usize, [0; 2]);
        }
        let [all, neighbours] = &mut granules[granule.number];
        *all += rounds;
        *neighbours += if several { rounds } else { 0 };
    }

    /// Adds others.
    pub fn absorb(&mut self, other: Self) {
        for (part, others) in self.parts.iter_mut().zip(other.parts) {
            if part.len() < others.len() {
                part.resize(others.len(), Vec::new());
            }
            for (mine, theirs) in part.iter_mut().zip(others) {
                if mine.is_empty() {
                    *mine = theirs;
                } else {
                    for (mine, theirs) in mine.iter_mut().zip(theirs) {
                        mine[0] += theirs[0];
                        mine[1] += theirs[1];
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn blocks_belong_to_halves_of_the_grid() {
        let parts: Vec<usize> = (0..10).map(|block| Granules::part_of(block, 10)).collect();
        assert_eq!(parts, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
        assert_eq!(Granules::part_of(0, 1), 0);
    }

    #[test]
    fn each_half_has_its_own_busiest_piece() {
        let mut granules = Granules::default();
        granules.parts[0] = vec![Vec::new(), vec![[7, 1], [2, 2]]];
        granules.parts[1] = vec![vec![[1, 0], [5, 5]]];
        assert_eq!(granules.most(), [12, 6]);
        let mut other = Granules::default();
        other.parts[0] = vec![vec![[9, 0]], vec![[0, 0], [4, 0]]];
        granules.absorb(other);
        assert_eq!(granules.most(), [14, 5]);
    }

    #[test]
    fn slices_have_several_granules_of_a_large_table() {
        let of = |granules: usize| {
            let mut all = Granules::default();
            all.parts[0] = vec![vec![[100, 50]; granules]];
            all.most()
        };
        assert_eq!([of(1), of(32), of(128), of(4096)], [[100, 50], [100, 50], [290, 145], [290, 145]]);
    }
}
