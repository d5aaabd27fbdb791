//! Misses that blocks share: of the same sectors, in the same step.

use std::collections::BTreeMap;

/// Requests that make a step.
const STEP: u32 = 8;

/// A warp's current step.
#[derive(Debug, Clone, Copy, Default)]
struct Step {
    /// Of what it has missed, in order.
    hash: u64,
    requests: u32,
    sectors: u64,
    /// Steps before it.
    number: u64,
}

/// Steps of warps. Where blocks all go over the same data, the step of a number is the same for the same warp of each.
#[derive(Debug, Default)]
pub(in crate::model::count) struct SharedMisses {
    warps: Vec<Step>,
    /// Sectors missed in each different step.
    steps: BTreeMap<u64, u64>,
}

impl SharedMisses {
    /// For blocks of so many warps.
    pub fn new(warps: usize) -> Self {
        Self { warps: vec![Step::default(); warps], steps: BTreeMap::new() }
    }

    /// A load of a warp misses so many sectors, at these addresses.
    pub fn missed(&mut self, warp: usize, [first, last]: [u64; 2], sectors: u64) {
        let step = &mut self.warps[warp];
        step.hash = mixed(mixed(step.hash, first), last ^ sectors << 56);
        step.requests += 1;
        step.sectors += sectors;
        if step.requests == STEP {
            self.end(warp);
        }
    }

    /// Sectors missed, those of equal steps counted once.
    pub fn sectors(&self) -> u64 {
        self.steps.values().sum()
    }

    /// The block ends.
    pub fn close(&mut self) {
        for warp in 0..self.warps.len() {
            self.end(warp);
            self.warps[warp] = Step::default();
        }
    }

    pub fn absorb(&mut self, other: Self) {
        self.steps.extend(other.steps);
    }

    fn end(&mut self, warp: usize) {
        let step = &mut self.warps[warp];
        if step.requests > 0 {
            let key = mixed(mixed(step.hash, step.number), warp as u64 + 1);
            self.steps.insert(key, step.sectors);
        }
        *step = Step { number: step.number + 1, ..Step::default() };
    }
}

fn mixed(hash: u64, value: u64) -> u64 {
    let mixed = (hash.rotate_left(23) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    /// Two blocks of one warp that read 20 sectors each, the second so much farther on.
    fn sectors(farther: u64) -> u64 {
        let mut misses = SharedMisses::new(1);
        for block in 0..2 {
            for request in 0..20 {
                let at = 4096 + 32 * request + block * farther;
                misses.missed(0, [at, at + 31], 1);
            }
            misses.close();
        }
        misses.sectors()
    }

    #[test]
    fn misses_that_blocks_share_count_once() {
        assert_eq!(sectors(0), 20);
        assert_eq!(sectors(1 << 20), 40);
        // The same data in another order, or another time, is not read together.
        assert_eq!(sectors(32), 40);
    }
}
