//! First touches that miss to DRAM: of 64 bytes, and those at the same time.
//!
//! A load from DRAM brings two sectors, so that who walks on finds the second one in the L2: on an H200 loads one after the other take
//! 667 cycles 64 bytes apart, and 478 on average 32 bytes apart (`workshop micro`). And blocks that run side by side often come
//! for the same sectors at the same time, each its half of them or with a border around its part: then none finds them there. What
//! warps do at the same time is not known; those of blocks side by side are taken to keep step, counted by requests that miss, or by
//! rounds of a loop. One of [`SAMPLE`] pairs of sectors is looked at, picked by its address.

use std::collections::BTreeMap;

use crate::model::counters::SIDE_BY_SIDE;

/// One of so many pairs is followed.
const SAMPLE: u64 = 16;

/// Where a warp is on its way when it misses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::model::count) struct Step {
    /// Its requests that have missed.
    pub request: u32,
    /// Its rounds of a loop in which one did.
    pub round: u32,
}

/// A miss of a sector.
#[derive(Debug, Clone, Copy)]
struct Touch {
    block: u64,
    step: Step,
}

/// Misses by pair of sectors.
#[derive(Debug, Default)]
pub(in crate::model::count) struct FirstTouches {
    pairs: BTreeMap<u64, Vec<Touch>>,
}

impl FirstTouches {
    /// A warp of this block misses these sectors.
    pub fn add(&mut self, block: u64, step: Step, sectors: &[u64]) {
        for pair in sectors.iter().map(|sector| sector / 2) {
            if is_followed(pair) {
                self.pairs.entry(pair).or_default().push(Touch { block, step });
            }
        }
    }

    /// Sectors missed by those who come first for them or at the same time, with so many blocks side by side as [`SIDE_BY_SIDE`]
    /// says; steps are counted by `of`.
    pub fn first(&self, of: impl Fn(Step) -> u32) -> [u64; SIDE_BY_SIDE.len()] {
        let mut all = [0; SIDE_BY_SIDE.len()];
        for touches in self.pairs.values() {
            let Some((block, step)) = touches.iter().map(|one| (one.block, of(one.step))).min() else {
                continue;
            };
            for one in touches.iter().filter(|one| of(one.step) == step) {
                for (sectors, blocks) in all.iter_mut().zip(SIDE_BY_SIDE) {
                    *sectors += if one.block - block < blocks { SAMPLE } else { 0 };
                }
            }
        }
        all
    }

    /// Adds others.
    pub fn absorb(&mut self, other: Self) {
        for (pair, touches) in other.pairs {
            self.pairs.entry(pair).or_default().extend(touches);
        }
    }
}

fn is_followed(pair: u64) -> bool {
    (pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40).is_multiple_of(SAMPLE)
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    /// The first sector of a pair that is followed.
    fn followed() -> u64 {
        2 * (0..1000).find(|&pair| is_followed(pair)).expect("one of sixteen is")
    }

    fn step(request: u32, round: u32) -> Step {
        Step { request, round }
    }

    #[test]
    fn one_of_sixteen_pairs_is_followed() {
        let followed = (0..1 << 16).filter(|&pair| is_followed(pair)).count();
        assert!((4000..4200).contains(&followed), "{followed}");
    }

    #[test]
    fn the_second_sector_of_a_pair_is_there_for_who_walks_on() {
        let mut touches = FirstTouches::default();
        let sector = followed();
        touches.add(0, step(1, 1), &[sector]);
        touches.add(0, step(2, 2), &[sector + 1]);
        assert_eq!(touches.first(|step| step.request), [SAMPLE; SIDE_BY_SIDE.len()]);
        // Both at once, and both wait.
        let mut touches = FirstTouches::default();
        touches.add(0, step(1, 1), &[sector, sector + 1]);
        assert_eq!(touches.first(|step| step.request), [2 * SAMPLE; SIDE_BY_SIDE.len()]);
    }

    #[test]
    fn neighbours_wait_together_where_they_run_side_by_side() {
        let mut touches = FirstTouches::default();
        let sector = followed();
        let far = SIDE_BY_SIDE[1];
        for (block, at) in [(far, step(3, 1)), (0, step(3, 1)), (1, step(4, 1))] {
            touches.add(block, at, &[sector]);
        }
        // By requests the second block comes later, by rounds at the same time; the third is too far away for the smallest two.
        let [by_request, by_round] = [touches.first(|step| step.request), touches.first(|step| step.round)];
        assert_eq!(by_request[..3], [SAMPLE, SAMPLE, 2 * SAMPLE]);
        assert_eq!(by_round[..3], [2 * SAMPLE, 2 * SAMPLE, 3 * SAMPLE]);
    }

    #[test]
    fn whose_worker_reports_first_makes_no_difference() {
        let sector = followed();
        let one = |block| {
            let mut touches = FirstTouches::default();
            touches.add(block, step(u32::from(block == 0), 1), &[sector]);
            touches
        };
        let both = |blocks: [u64; 2]| {
            let mut touches = one(blocks[0]);
            touches.absorb(one(blocks[1]));
            touches.first(|step| step.request)
        };
        assert_eq!(both([0, 5]), both([5, 0]));
    }
}
