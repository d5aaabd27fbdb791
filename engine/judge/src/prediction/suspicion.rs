//! Signs that a file is wrong on pictures of full size only: an index that overflows there, a grid that ends too soon, a counter
//! that is too small. Some blocks are tried there anyway, and what they leave in the outputs tells. A sign is no proof: the
//! whole call is run then, and its outputs are compared like those of any case.

use std::ops::Range;

use lab::{Argument, FewestBytes, Task};

use super::doubt::estimate;
use super::pictures::Tall;
use super::steps::{Launched, blocks};

/// Sectors that blocks move, as a share of those that all blocks must move: at least this.
const COVERED: f64 = 0.95;

/// Rows above and below one that its result may depend on.
pub(super) const NEAR: usize = 3;
/// Rows that are compared at most.
const MOST_ROWS: usize = 128;

/// A picture of full size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suspect {
    /// Like that of the timed case.
    TimedPicture,
    /// All pixels have one level.
    OneLevel,
}

/// Whether a call may be wrong on the picture that it was tried on: its launches and outputs, which held `unwritten` bytes before.
pub(super) fn is_wrong(
    task: &dyn Task,
    tall: &Tall,
    (launches, outputs): (&[Launched], &[&[u8]]),
    unwritten: u8,
) -> (bool, Option<Evidence>) {
    let fewest = task.fewest_bytes(tall.part(0..1).width, tall.height());
    let direct = launches.len() == 1 && task.is_local();
    let evidence = if direct { differs(task, tall, outputs, unwritten) } else { None };
    (evidence.is_some() || uncovered(launches, fewest), evidence)
}

/// Rows of the picture around one with a wrong value that the only launch has written.
#[derive(Debug)]
pub struct Evidence {
    /// Which.
    pub rows: Range<usize>,
    /// The outputs of these rows: what was found in the wrong one, what is expected in the others.
    pub outputs: Vec<Vec<u8>>,
}

/// What the tried blocks counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counted {
    /// The sum of all counters.
    sum: u64,
    /// The level that was counted most often.
    pub fullest: u8,
}

impl Counted {
    /// Whether a picture of the fullest level came to a sum that tells of a counter that is too small, where a picture of many levels
    /// came to `mixed`. The same blocks count the same sum if each counts pixels of its own, and more if each counts a level of its
    /// own, but never more than there are pixels: a counter with a sign that wraps adds a number near 2^32.
    pub fn lacks(self, mixed: Self, pixels: u64) -> bool {
        self.sum < mixed.sum || self.sum > pixels.max(mixed.sum)
    }
}

/// What the counters among the outputs hold; `None` if there are none.
pub(super) fn counted(task: &dyn Task, tall: &Tall, outputs: &[&[u8]]) -> Option<Counted> {
    counts(&task.arguments(&tall.part(0..NEAR)), outputs)
}

/// Whether all blocks of all launches move less than the fewest bytes, as far as the tried ones tell.
fn uncovered(launches: &[Launched], fewest: FewestBytes) -> bool {
    let mut moved = [0.0; 2];
    for launch in launches {
        let Some(tried) = &launch.asked.tried else { return false };
        if tried.groups.is_empty() {
            return false;
        }
        let all = blocks(launch.kernel.grid);
        moved[0] += estimate(&tried.groups, all, &|counters| counters.global_load_sectors).most;
        moved[1] += estimate(&tried.groups, all, &|counters| counters.global_store_sectors).most;
    }
    !launches.is_empty()
        && [(fewest.read, moved[0]), (fewest.write, moved[1])].into_iter().any(|(bytes, sectors)| {
            bytes >= super::doubt::TABLE && sectors * super::doubt::SECTOR < COVERED * bytes as f64
        })
}

/// A pixel that a block has written and that is wrong, in some of the rows that have one.
fn differs(task: &dyn Task, tall: &Tall, outputs: &[&[u8]], unwritten: u8) -> Option<Evidence> {
    let arguments = task.arguments(&tall.part(0..NEAR));
    let height = tall.height();
    let rows = arguments.iter().filter_map(|argument| match argument {
        Argument::Output { element, row, .. } => Some((*element, *row)),
        _ => None,
    });
    for (number, ((element, row), found)) in
        rows.zip(outputs).enumerate().filter(|(_, ((_, row), _))| *row > 0)
    {
        let bytes = found.len() / height;
        assert!(bytes >= row, "an output has at least one row of values for each row of pixels");
        let of_row = |y: usize| &found[y * bytes..][..bytes];
        let blank = vec![unwritten; bytes];
        let written: Vec<usize> = (0..height).filter(|&y| of_row(y) != blank).collect();
        for &y in written.iter().step_by(written.len().div_ceil(MOST_ROWS).max(1)) {
            let around = y.saturating_sub(NEAR)..(y + NEAR + 1).min(height);
            let mut reference = task.parallel_reference(&tall.part(around.clone()));
            let expected = &mut reference[number][(y - around.start) * bytes..][..bytes];
            let written =
                |(found, expected): (&u8, &u8)| if *found == unwritten { *expected } else { *found };
            let found: Vec<u8> = of_row(y).iter().zip(&*expected).map(written).collect();
            if task.tolerance().compare(element, expected, &found).wrong > 0 {
                expected.copy_from_slice(&found);
                return Some(Evidence { rows: around, outputs: reference });
            }
        }
    }
    None
}

fn counts(arguments: &[Argument], outputs: &[&[u8]]) -> Option<Counted> {
    let outputs = arguments
        .iter()
        .filter_map(|argument| match argument {
            Argument::Output { element: lab::Element::U32, zeroed, .. } => Some(*zeroed),
            Argument::Output { .. } => Some(false),
            _ => None,
        })
        .zip(outputs);
    let counters: Vec<&[u8]> = outputs.filter(|(zeroed, _)| *zeroed).map(|(_, bytes)| *bytes).collect();
    let all = || counters.iter().flat_map(|bytes| bytes.as_chunks::<4>().0.iter().enumerate());
    let words = || all().map(|(index, word)| (u64::from(u32::from_le_bytes(*word)), index));
    // Counters are as many as levels.
    let (_, fullest) = words().max_by_key(|(count, index)| (*count, std::cmp::Reverse(*index)))?;
    Some(Counted { sum: words().map(|(count, _)| count).sum(), fullest: fullest as u8 })
}

#[cfg(test)]
mod tests {
    use super::Counted;

    const PIXELS: u64 = 1_000_000;

    fn lacks(mixed: u64, flat: u64) -> bool {
        let of = |sum| Counted { sum, fullest: 7 };
        of(flat).lacks(of(mixed), PIXELS)
    }

    #[test]
    fn blocks_that_count_a_level_each_count_more_of_a_picture_of_that_level() {
        assert!(!lacks(5_000, PIXELS), "one of the tried blocks counts all pixels");
        assert!(!lacks(5_000, 5_000), "each tried block counts pixels of its own");
    }

    #[test]
    fn a_counter_that_wraps_counts_too_few_or_far_too_many() {
        assert!(lacks(200_000, 200_000 - (1 << 16)), "16 bits");
        assert!(lacks(200_000, (1 << 32) - 10), "16 bits with a sign");
    }
}
