//! Signs that a file is wrong on pictures of full size only: an index that overflows there, a grid that ends too soon, a counter
//! that is too small. Some blocks are tried there anyway, and what they leave in the outputs tells. A sign is no proof: the
//! whole call is run then, and its outputs are compared like those of any case.

use lab::{Argument, Case, FewestBytes, Task};

use super::doubt::estimate;
use super::error::PredictError;
use super::pictures::{self, REPEATED};
use super::steps::{Launched, blocks};
use super::whole::Tried;
use crate::chance::Chance;

/// What the outputs hold before blocks are tried.
pub(super) const UNWRITTEN: u8 = 0xa5;
/// Sectors that blocks move, as a share of those that all blocks must move: at least this.
const COVERED: f64 = 0.95;

/// A picture of full size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suspect {
    /// Like that of the timed case.
    TimedPicture,
    /// All pixels have one level.
    OneLevel,
}

/// The pictures on which a call may be wrong that was tried on one of full size; `again` tries the same blocks on one of one
/// level, as it has it from a low picture.
pub(super) fn suspects(
    task: &dyn Task,
    case: &Case,
    height: usize,
    chance: Chance,
    tried: &Tried,
    again: impl FnOnce(&lab::Image) -> Result<Option<Tried>, PredictError>,
) -> Result<Vec<Suspect>, PredictError> {
    let small = pictures::full(case, 3 * REPEATED + height % REPEATED, chance)?;
    let mut suspects = Vec::new();
    let fewest = task.fewest_bytes(small.width, height);
    let direct = tried.launches.len() == 1 && task.is_local();
    if uncovered(&tried.launches, fewest) || direct && differs(task, &small, height, &tried.outputs) {
        suspects.push(Suspect::TimedPicture);
    }
    let arguments = task.arguments(&small);
    if let Some(counted) = counts(&arguments, &tried.outputs) {
        let flat = again(&pictures::plain(small.width, small.height)?)?;
        if flat.is_some_and(|flat| counts(&arguments, &flat.outputs) != Some(counted)) {
            suspects.push(Suspect::OneLevel);
        }
    }
    Ok(suspects)
}

/// Whether all blocks of all launches move less than the fewest bytes, as far as the tried ones tell.
fn uncovered(launches: &[Launched], fewest: FewestBytes) -> bool {
    let mut moved = [0.0; 2];
    for launch in launches {
        let Some(tried) = &launch.asked.tried else { return false };
        if tried.groups.is_empty() || tried.groups.iter().any(|(_, counters)| counters.texture_requests > 0) {
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

/// Whether a pixel that a block has written is wrong. The picture repeats some rows, and so does its result: a low picture of the
/// same rows tells what all of them become.
fn differs(task: &dyn Task, small: &lab::Image, height: usize, outputs: &[Vec<u8>]) -> bool {
    let expected = task.parallel_reference(small);
    let arguments = task.arguments(small);
    let shapes = arguments.iter().filter_map(|argument| match argument {
        Argument::Output { element, row, .. } => Some((*element, *row)),
        _ => None,
    });
    shapes.zip(&expected).zip(outputs).filter(|(((_, row), _), _)| *row > 0).any(
        |(((element, _), expected), found)| {
            let bytes = expected.len() / small.height;
            found.chunks(bytes).enumerate().filter(|(_, row)| row.iter().any(|byte| *byte != UNWRITTEN)).any(
                |(y, row)| {
                    let like = same_row(y, height, small.height);
                    let expected = &expected[like * bytes..][..row.len()];
                    let written =
                        |(found, expected): (&u8, &u8)| if *found == UNWRITTEN { *expected } else { *found };
                    let found: Vec<u8> = row.iter().zip(expected).map(written).collect();
                    task.tolerance().compare(element, expected, &found).wrong > 0
                },
            )
        },
    )
}

/// The row of a low picture that looks like row `y` of a high one, and whose neighbours do: at the same distance from the nearer
/// border, or from the beginning of a repetition.
fn same_row(y: usize, height: usize, low: usize) -> usize {
    if y < REPEATED {
        y
    } else if height - y <= low - 2 * REPEATED {
        low - (height - y)
    } else {
        REPEATED + y % REPEATED
    }
}

/// The sum of all counters among the outputs; `None` if there are none.
fn counts(arguments: &[Argument], outputs: &[Vec<u8>]) -> Option<u64> {
    let outputs = arguments
        .iter()
        .filter_map(|argument| match argument {
            Argument::Output { element: lab::Element::U32, zeroed, .. } => Some(*zeroed),
            Argument::Output { .. } => Some(false),
            _ => None,
        })
        .zip(outputs);
    let counters: Vec<&Vec<u8>> = outputs.filter(|(zeroed, _)| *zeroed).map(|(_, bytes)| bytes).collect();
    let word = |word: &[u8; 4]| u64::from(u32::from_le_bytes(*word));
    let sum = |bytes: &&Vec<u8>| bytes.as_chunks::<4>().0.iter().map(word).sum::<u64>();
    (!counters.is_empty()).then(|| counters.iter().map(sum).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_high_picture_look_like_rows_of_a_low_one() {
        let (height, low) = (5352, 3 * REPEATED + 5352 % REPEATED);
        for y in 0..height {
            let like = same_row(y, height, low);
            assert_eq!(like % REPEATED, y % REPEATED, "{y}");
            // The borders are as far away, or more than two rows.
            assert!(like.min(2) == y.min(2) && (low - 1 - like).min(2) == (height - 1 - y).min(2), "{y}");
        }
    }
}
