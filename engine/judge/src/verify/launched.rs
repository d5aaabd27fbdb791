//! Known mistakes of a grid: other mistakes give the same outputs, so that the launches have to show that it was the grid.

use lab::Task;
use runtime::engine::WitnessedLaunch;

use super::outcome::WATCHED_PIXELS;
use super::runner::Runner;
use crate::call;
use crate::cause::{Cause, Ran};
use crate::exit::Stop;
use crate::numbers::grouped;

/// Failed cases whose launches are looked at.
const WATCHED: usize = 8;

/// What to try where pixels are left out at multiples of something, and the grid is not rounded down.
const ROUNDED_DOWN: &str = "find what is rounded down: the sizes of the grid, the number of pixels or strips that a thread takes, or the condition that lets a thread \
                            work. Round it up with `ceil_div`, and guard the pixels outside the image";

/// The cause, if the launches of the failed cases agree with it, in their words.
pub(super) fn proven(
    cause: Option<Cause>,
    task: &dyn Task,
    runner: &Runner<'_>,
    ran: &[Ran],
    seed: u64,
) -> Result<Option<Cause>, Stop> {
    let Some(cause) = cause else { return Ok(None) };
    let shows: &dyn Fn(&WitnessedLaunch, Size) -> bool = match cause.name.as_str() {
        "grid_sides_swapped" => &are_swapped,
        "partial_blocks_left_out" => &is_rounded_down,
        _ => return Ok(Some(cause)),
    };
    for ran in ran.iter().filter(|ran| ran.failed.is_some()).take(WATCHED) {
        let image = call::image(&ran.case, seed)?;
        let (size, pixels) = ((image.width, image.height), image.pixels() as u64);
        let job = call::job(task.name(), task.arguments(&image), pixels, seed);
        let watched = pixels <= WATCHED_PIXELS;
        let witness = if watched { runner.simulation.witness(runner.program, &job) } else { None };
        let launches = witness.map(|witness| witness.launches).unwrap_or_default();
        if let Some(launch) = launches.iter().find(|launch| shows(launch, size)) {
            let message = format!("{}: {}", begins(&cause.name), in_words(launch, size));
            return Ok(Some(Cause { message, ..cause }));
        }
    }
    Ok((cause.name == "partial_blocks_left_out").then(|| Cause { hint: ROUNDED_DOWN.to_owned(), ..cause }))
}

/// Columns and rows of a picture.
type Size = (usize, usize);

fn begins(name: &str) -> &'static str {
    match name {
        "grid_sides_swapped" => "width and height of the grid are swapped",
        _ => "the grid is rounded down",
    }
}

fn in_words(launch: &WitnessedLaunch, (width, height): Size) -> String {
    let sides = |of: [u32; 3]| format!("{} × {}", grouped(u64::from(of[0])), grouped(u64::from(of[1])));
    let [wide, high] = [width, height].map(|side| grouped(side as u64));
    let [blocks, threads] = [launch.grid, launch.block].map(sides);
    let plural = if launch.grid == [1; 3] { "" } else { "s" };
    format!(
        "`{}` was launched with {blocks} block{plural} of {threads} threads for a picture of {wide} × {high} pixels",
        launch.kernel
    )
}

/// Whether the blocks of a side are those that a length needs.
fn fits(launch: &WitnessedLaunch, side: usize, length: usize) -> bool {
    launch.grid[side] as usize == length.div_ceil(launch.block[side] as usize)
}

/// Whether a grid of two dimensions is as wide as the picture is high, and as high as it is wide, but not the other way round.
fn are_swapped(launch: &WitnessedLaunch, (width, height): Size) -> bool {
    let two = launch.grid[1] > 1 && launch.grid[2] == 1 && launch.block[2] == 1;
    let right = fits(launch, 0, width) && fits(launch, 1, height);
    two && !right && fits(launch, 0, height) && fits(launch, 1, width)
}

/// Whether a grid has a thread for each pixel but those beyond the last whole block.
fn is_rounded_down(launch: &WitnessedLaunch, (width, height): Size) -> bool {
    let sides = [(0, width), (1, height)];
    let is_short = |&(side, length): &(usize, usize)| {
        let [blocks, each] = [launch.grid, launch.block].map(|of| of[side] as usize);
        blocks * each < length && blocks == (length / each).max(1)
    };
    let two = launch.block[1] > 1 || launch.grid[1] > 1 || height == 1;
    let fit = sides.iter().all(|side| is_short(side) || fits(launch, side.0, side.1));
    two && fit && sides.iter().any(is_short)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(grid: [u32; 2], block: [u32; 2]) -> WitnessedLaunch {
        let [grid, block] = [grid, block].map(|[x, y]| [x, y, 1]);
        WitnessedLaunch { kernel: "k".to_owned(), grid, block, arguments: Vec::new() }
    }

    #[test]
    fn sides_are_swapped_only_in_a_grid_of_two_dimensions_that_fits_the_other_way_round() {
        let wide = (100, 20);
        assert!(are_swapped(&launch([1, 13], [32, 8]), wide));
        assert!(!are_swapped(&launch([4, 3], [32, 8]), wide), "right");
        assert!(!are_swapped(&launch([4, 1], [32, 8]), wide), "numbered in x only");
        assert!(!are_swapped(&launch([1, 14], [32, 8]), wide), "more than the width");
        assert!(are_swapped(&launch([4, 3], [32, 8]), (20, 100)));
        assert!(!are_swapped(&launch([1, 1], [32, 8]), (19, 1)), "one block tells nothing");
        assert!(!are_swapped(&launch([2, 2], [16, 16]), (31, 31)), "a square");
    }

    #[test]
    fn a_grid_is_rounded_down_where_it_ends_with_the_last_whole_block() {
        assert!(is_rounded_down(&launch([3, 2], [32, 8]), (100, 20)));
        assert!(is_rounded_down(&launch([3, 3], [32, 8]), (100, 20)), "in one direction");
        assert!(!is_rounded_down(&launch([4, 3], [32, 8]), (100, 20)), "it covers the picture");
        assert!(!is_rounded_down(&launch([2, 2], [32, 8]), (100, 20)), "less than whole blocks");
        assert!(!is_rounded_down(&launch([7, 1], [256, 1]), (100, 20)), "numbered in x only");
    }
}
