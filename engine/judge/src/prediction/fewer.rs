//! Running a launch on fewer blocks, so that each does as much work as a block of the whole picture.

use simulator::model::{Kernel, Whole};

use super::steps::{blocks, grid, kernels};
use runtime::engine::{Step, Work};
use runtime::job::Outcome;

/// Blocks with at least this share of the pixels of a whole picture's block do the same work.
const SAME_GRID: f64 = 0.9;
/// A run on fewer blocks does the same work if it reads at least this share of the sectors.
const SAME_READS: f64 = 0.9;

/// A grid for the sample whose blocks have as many pixels each as the blocks of the `whole` grid; `None` if they already
/// have about as many. The grid shrinks along the axis that rows are spread over: the one along which the whole grid is
/// larger.
pub(super) fn fewer_blocks(sample: [u32; 3], whole: [u32; 3], scale: f64) -> Option<[u32; 3]> {
    let now = blocks(sample);
    let wanted = (blocks(whole) / scale).max(1.0);
    if wanted > SAME_GRID * now {
        return None;
    }
    let share = wanted / now;
    let grows = (0..3).find(|&axis| whole[axis] > sample[axis] && f64::from(sample[axis]) * share >= 1.0);
    let axis = grows.or_else(|| (0..3).max_by_key(|axis| sample[*axis]))?;
    let mut grid = sample;
    grid[axis] = (f64::from(sample[axis]) * share).round().max(1.0) as u32;
    Some(grid)
}

/// Replaces the launches that did the same work on fewer blocks by the counts of that run; removes the others from
/// `fewer`.
pub(super) fn replace(steps: &mut [(Step, Whole)], fewer: &mut [Option<[u32; 3]>], other: &[Step]) {
    let others: Vec<&Step> = other.iter().filter(|step| grid(step).is_some()).collect();
    if others.len() != fewer.len() {
        fewer.fill(None);
        return;
    }
    for (((step, _), other), grid) in kernels(steps).zip(others).zip(fewer) {
        if grid.is_some() && does_the_same(step, other) {
            *step = other.clone();
        } else {
            *grid = None;
        }
    }
}

/// Atomics on global memory of all blocks of the whole, from launches on the sample's own grid and on fewer blocks: what each block adds
/// once grows with the blocks, the rest with the pixels. A straight line through both launches tells one from the other.
pub(super) fn atomics(own: &Kernel, other: &Kernel, whole: Whole) -> Option<f64> {
    let (many, few) = (blocks(own.grid), blocks(other.grid));
    let [own, other] = [own, other].map(|kernel| kernel.counters.global_atomics as f64);
    if many <= few {
        return None;
    }
    let of_a_block = (own - other) / (many - few);
    Some((other * whole.scale + of_a_block * (whole.blocks - few * whole.scale)).max(0.0))
}

/// Whether a run on another grid led to the same outputs. Where it did not, its blocks left out work or did it twice.
pub(super) fn same_outputs(other: &Outcome, own: &Outcome) -> bool {
    !other.has_error() && other.outputs == own.outputs
}

/// Whether a launch on fewer blocks does the work of the sample's launch: it reads as much, except for sectors that
/// every block reads, such as a table. A straight line through both launches gives the sectors that blocks divide among
/// themselves.
fn does_the_same(own: &Step, other: &Step) -> bool {
    let [unique, each] = reads(own);
    let [other_unique, other_each] = reads(other);
    let [many, few] = [own, other].map(|step| grid(step).map_or(0.0, blocks));
    let shared_out = (other_each * many - each * few) / (many - few).max(1.0);
    other_unique >= SAME_READS * unique && shared_out >= SAME_READS * unique
}

/// Sectors read: distinct ones, and all requests.
fn reads(step: &Step) -> [f64; 2] {
    match step {
        Step::Work { work: Work::Kernel(kernel), .. } => {
            [kernel.counters.unique_read_sectors, kernel.counters.global_load_sectors]
                .map(|sectors| sectors as f64)
        }
        _ => [0.0; 2],
    }
}

#[cfg(test)]
mod tests {
    use simulator::Counters;

    use super::*;

    /// A launch of `blocks` blocks that reads `unique` distinct sectors with `each` requests.
    fn step(blocks: u32, unique: u64, each: u64) -> Step {
        let mut counters = Counters::default();
        (counters.unique_read_sectors, counters.global_load_sectors) = (unique, each);
        let kernel = Kernel {
            counters,
            executed: Vec::new(),
            simulated: 0,
            code: None,
            machine: None,
            grid: [blocks, 1, 1],
            threads: 256,
            shared: 0,
            registers: 0,
        };
        Step::Work { stream: 0, work: Work::Kernel(Box::new(kernel)) }
    }

    #[test]
    fn fewer_blocks_lie_along_the_rows() {
        // 128 x 4 blocks on 64 rows, 128 x 64 on 4096: four rounds of rows for each.
        assert_eq!(fewer_blocks([128, 4, 1], [128, 64, 1], 64.0), Some([128, 1, 1]));
        // A grid as large as the GPU, whatever the picture.
        assert_eq!(fewer_blocks([1056, 1, 1], [1056, 1, 1], 64.0), Some([17, 1, 1]));
        // There are too few rows of blocks to shrink their number.
        assert_eq!(fewer_blocks([64, 2, 1], [64, 16, 1], 64.0), Some([8, 2, 1]));
        // Blocks already have as much work.
        assert_eq!(fewer_blocks([128, 4, 1], [128, 256, 1], 64.0), None);
    }

    #[test]
    fn blocks_that_share_out_the_picture_do_the_same_in_smaller_number() {
        // A table of eight sectors for each block.
        assert!(does_the_same(&step(240, 7808, 7800 + 240 * 8), &step(16, 7808, 7800 + 16 * 8)));
        // Each block reads all of it.
        assert!(!does_the_same(&step(240, 7808, 240 * 7808), &step(16, 7808, 16 * 7808)));
        // Each block reads its own part, and the rest is not read.
        assert!(!does_the_same(&step(240, 7800, 7800), &step(16, 520, 520)));
    }
}
