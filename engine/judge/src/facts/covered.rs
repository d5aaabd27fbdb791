//! A grid with too few threads for the picture: the number of blocks was rounded down.

use runtime::engine::WitnessedLaunch;

use crate::numbers::grouped;

/// What to try.
pub const HINT: &str = "take the size of the grid from the picture and the block, x from their widths and y from their heights, and round it up: \
                        `ceil_div(width, block.x)` and `ceil_div(height, block.y)` blocks. Guard the work with `if`";
/// The same if the grid has one dimension.
pub const LINE: &str = "launch a thread for each pixel, `ceil_div(width * height, block_size)` blocks, or let each thread go on in a loop until all pixels are \
                        done, by the number of threads in the grid";
/// What to try if a kernel of two dimensions has one row of threads.
pub const ONE_ROW: &str = "a kernel that uses `threadIdx.y` or `blockIdx.y` needs a grid and a block with two sizes: `dim3 block(32, 8)`, \
                           `dim3 grid(ceil_div(width, 32), ceil_div(height, 8))`";
/// What to try if it has as many threads as there are pixels.
pub const ENOUGH: &str = "each pixel can have a thread here. If the kernel has one index, look at the number that it is compared with: the number of \
                          pixels is `width * height`. If it uses `threadIdx.y`, grid and block need two sizes: `dim3 block(32, 8)`";

/// What a launch does not cover, if that is all that is missing, and what to try: these pixels of an image of so many columns and rows.
pub fn too_few(
    launches: &[WitnessedLaunch],
    missing: &[usize],
    (width, height): (usize, usize),
) -> Option<(String, &'static str)> {
    launches.iter().find_map(|launch| {
        let [columns, rows] = [0, 1].map(|side| launch.grid[side] as usize * launch.block[side] as usize);
        let beyond = |at: usize| at % width >= columns || at / width >= rows;
        let is_missing = |is_outside: &dyn Fn(usize) -> bool| {
            let outside = (0..width * height).filter(|at| is_outside(*at));
            !missing.is_empty() && columns * rows > 0 && outside.eq(missing.iter().copied())
        };
        let line = rows == 1 && height > 1;
        let is_enough = columns >= width * height;
        let [all, wide, high, pixels] =
            [columns * rows, width, height, width * height].map(|number| grouped(number as u64));
        if line && is_missing(&|at| at >= columns) {
            return Some((
                format!("`{}` was launched with {all} threads for {pixels} pixels", launch.kernel),
                LINE,
            ));
        }
        let [columns, threads] = [columns, rows].map(|number| grouped(number as u64));
        let seen = format!(
            "`{}` was launched with {columns} × {threads} threads for {wide} × {high} pixels",
            launch.kernel
        );
        let hint = match line {
            true if is_enough => ENOUGH,
            true => ONE_ROW,
            false => HINT,
        };
        is_missing(&beyond).then_some((seen, hint))
    })
}

/// Launches that are listed.
const LISTED: usize = 3;

/// The sizes of the launches, where some elements are left out.
pub fn sizes(launches: &[WitnessedLaunch], (width, height): (usize, usize)) -> Option<String> {
    if launches.is_empty() || launches.len() > LISTED {
        return None;
    }
    let side = |of: [u32; 3]| match of {
        [x, 1, 1] => grouped(u64::from(x)),
        [x, y, 1] => format!("{} × {}", grouped(u64::from(x)), grouped(u64::from(y))),
        [x, y, z] => format!("{x} × {y} × {z}"),
    };
    let plural = |of: [u32; 3]| if of == [1; 3] { "" } else { "s" };
    let told = launches.iter().map(|WitnessedLaunch { kernel, grid, block, .. }| {
        let [blocks, threads] = [*grid, *block].map(|of| (side(of), plural(of)));
        format!("`{kernel}` with {} block{} of {} thread{}", blocks.0, blocks.1, threads.0, threads.1)
    });
    let told: Vec<String> = told.collect();
    Some(format!(
        "launched for {} × {} pixels: {}",
        grouped(width as u64),
        grouped(height as u64),
        told.join(", and ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(grid: [u32; 3], block: [u32; 3]) -> [WitnessedLaunch; 1] {
        [WitnessedLaunch { kernel: "k".to_owned(), grid, block, arguments: Vec::new() }]
    }

    #[test]
    fn rows_and_pixels_beyond_the_last_block_are_told() {
        let tiles = launch([2, 1, 1], [4, 4, 1]);
        let below: Vec<usize> = (28..35).collect();
        assert_eq!(
            too_few(&tiles, &below, (7, 5)),
            Some(("`k` was launched with 8 × 4 threads for 7 × 5 pixels".to_owned(), HINT))
        );
        assert_eq!(too_few(&tiles, &below[1..], (7, 5)), None, "less is missing than that");
        let said = "launched for 7 × 5 pixels: `k` with 2 blocks of 4 × 4 threads";
        assert_eq!(sizes(&tiles, (7, 5)).as_deref(), Some(said));
        let line = launch([8, 1, 1], [4, 1, 1]);
        assert_eq!(
            too_few(&line, &[32, 33, 34], (7, 5)),
            Some(("`k` was launched with 32 threads for 35 pixels".to_owned(), LINE))
        );
        assert_eq!(too_few(&line, &[], (7, 4)), None);
        let rows: Vec<usize> = (7..35).collect();
        assert_eq!(
            too_few(&line, &rows, (7, 5)),
            Some(("`k` was launched with 32 × 1 threads for 7 × 5 pixels".to_owned(), ONE_ROW))
        );
        let said = "`k` was launched with 36 × 1 threads for 7 × 5 pixels".to_owned();
        assert_eq!(too_few(&launch([9, 1, 1], [4, 1, 1]), &rows, (7, 5)), Some((said, ENOUGH)));
    }
}
