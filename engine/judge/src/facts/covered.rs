//! A grid with too few threads for the picture: the number of blocks was rounded down.

use runtime::engine::WitnessedLaunch;

use crate::numbers::grouped;

/// What to try.
pub const HINT: &str = "take the size of the grid from the picture, x from its width and y from its height, and round it up: \
                        `ceil_div(n, block)` instead of `n / block`. Guard the work with `if`";

/// What a launch does not cover, if that is all that is missing: these pixels of an image of so many columns and rows.
pub fn too_few(
    launches: &[WitnessedLaunch],
    missing: &[usize],
    (width, height): (usize, usize),
) -> Option<String> {
    launches.iter().find_map(|launch| {
        let [columns, rows] = [0, 1].map(|side| launch.grid[side] as usize * launch.block[side] as usize);
        let flat = launch.grid[1] * launch.block[1] == 1 && height > 1;
        let is_outside =
            |at: usize| if flat { at >= columns } else { at % width >= columns || at / width >= rows };
        let outside = (0..width * height).filter(|at| is_outside(*at));
        if missing.is_empty() || columns * rows == 0 || !outside.eq(missing.iter().copied()) {
            return None;
        }
        let [columns, rows, width, height, pixels] =
            [columns, rows, width, height, width * height].map(|number| grouped(number as u64));
        let threads = if flat { columns.clone() } else { format!("{columns} × {rows}") };
        let of = if flat { pixels } else { format!("{width} × {height}") };
        Some(format!("`{}` was launched with {threads} threads for {of} pixels", launch.kernel))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(grid: [u32; 3], block: [u32; 3]) -> [WitnessedLaunch; 1] {
        [WitnessedLaunch { kernel: "k".to_owned(), grid, block }]
    }

    #[test]
    fn rows_and_pixels_beyond_the_last_block_are_told() {
        let tiles = launch([2, 1, 1], [4, 4, 1]);
        let below: Vec<usize> = (28..35).collect();
        assert_eq!(
            too_few(&tiles, &below, (7, 5)).as_deref(),
            Some("`k` was launched with 8 × 4 threads for 7 × 5 pixels")
        );
        assert_eq!(too_few(&tiles, &below[1..], (7, 5)), None, "less is missing than that");
        let line = launch([8, 1, 1], [4, 1, 1]);
        assert_eq!(
            too_few(&line, &[32, 33, 34], (7, 5)).as_deref(),
            Some("`k` was launched with 32 threads for 35 pixels")
        );
        assert_eq!(too_few(&line, &[], (7, 4)), None);
    }
}
