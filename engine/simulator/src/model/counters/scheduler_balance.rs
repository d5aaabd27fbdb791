//! How instructions are shared out among the schedulers of a multiprocessor.

use serde::{Deserialize, Serialize};

/// How evenly the schedulers are loaded: instructions by the place in its block of the warp that executes them: warps 0, 4, 8 … first. A multiprocessor of four
/// schedulers gives each to another one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchedulerBalance {
    /// Summed over the blocks.
    pub sums: [u64; 4],
    /// The squares of what each block has, summed over the blocks.
    pub squares: [u128; 4],
}

impl SchedulerBalance {
    /// Takes in a block.
    pub(crate) fn add_block(&mut self, block: [u64; 4]) {
        for ((sum, square), block) in self.sums.iter_mut().zip(&mut self.squares).zip(block) {
            *sum += block;
            *square += u128::from(block) * u128::from(block);
        }
    }

    /// The same sums, with as much for each block.
    pub(crate) fn make_even(&mut self, blocks: u64) {
        for (square, sum) in self.squares.iter_mut().zip(self.sums) {
            *square = u128::from(sum) * u128::from(sum) / u128::from(blocks.max(1));
        }
    }

    /// The same instructions, as many for each of the first places.
    pub(crate) fn share_evenly(&mut self, places: usize) {
        let all: u64 = self.sums.iter().sum();
        self.sums = std::array::from_fn(|place| if place < places { all / places as u64 } else { 0 });
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.sums.iter_mut().zip(other.sums) {
            *mine += theirs;
        }
        for (mine, theirs) in self.squares.iter_mut().zip(other.squares) {
            *mine += theirs;
        }
    }

    /// Sums and squares for one, two or four schedulers. Of fewer than four, each gets warps of several places; squares are
    /// then those of parts, as if they had nothing to do with each other.
    pub(crate) fn among(&self, schedulers: usize) -> (Vec<f64>, Vec<f64>) {
        let of = |number: usize| (0..4).skip(number).step_by(schedulers.clamp(1, 4));
        let sums = (0..schedulers.min(4)).map(|number| of(number).map(|at| self.sums[at] as f64).sum());
        let squares = (0..schedulers.min(4)).map(|number| of(number).map(|at| self.squares[at] as f64).sum());
        (sums.collect(), squares.collect())
    }
}
