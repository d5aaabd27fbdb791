//! Mistakes that leave pixels out: a grid too small, a wrong index, a missing last block.

use crate::mistake::{ALONE, Mistake, Parameters};

/// Common block shapes: columns and rows.
const SHAPES: &[Parameters] = &[
    [8, 8],
    [16, 8],
    [8, 16],
    [16, 16],
    [32, 4],
    [32, 8],
    [8, 32],
    [32, 16],
    [16, 32],
    [32, 32],
    [64, 4],
    [64, 8],
    [64, 16],
    [128, 1],
    [128, 8],
    [256, 1],
    [512, 1],
    [1024, 1],
];

/// Pixels per thread or threads per block, of which the number of pixels is rounded down to a multiple. A second
/// number of 1 means that at least one block runs.
const MULTIPLES: &[Parameters] = &[
    [2, 0],
    [3, 0],
    [4, 0],
    [5, 0],
    [8, 0],
    [10, 0],
    [16, 0],
    [32, 0],
    [64, 0],
    [128, 0],
    [192, 0],
    [256, 0],
    [512, 0],
    [1024, 0],
    [2048, 0],
    [4096, 0],
    [32, 1],
    [64, 1],
    [128, 1],
    [256, 1],
    [512, 1],
    [1024, 1],
];

/// Threads per block.
const BLOCKS: &[Parameters] =
    &[[1, 0], [32, 0], [64, 0], [128, 0], [192, 0], [256, 0], [512, 0], [768, 0], [1024, 0]];

/// All mistakes that leave pixels out.
pub const COVERAGE: &[Mistake] = &[
    Mistake {
        name: "first_block_only",
        parameters: BLOCKS,
        message: |p| match p[0] {
            1 => "only the first pixel is computed".to_owned(),
            n => format!("only the first {n} pixels are computed"),
        },
        hint: "look at two places. The launch needs a thread for each pixel, `kernel<<<ceil_div(pixels, block), block>>>`, or a loop in the kernel. \
               The index needs both numbers, blockIdx.x * blockDim.x + threadIdx.x: without blockIdx, all blocks work on the same pixels",
        outputs: |s| {
            let width = s.image.width;
            s.partial(&|x, y| y * width + x < s.parameters[0])
        },
    },
    Mistake {
        name: "last_pixels_left_out",
        parameters: MULTIPLES,
        message: |p| {
            format!("the last pixels are left out if the number of pixels is not a multiple of {}", p[0])
        },
        hint: "round the number of blocks up, ceil_div(pixels, block), and guard the work with `if (i < pixels)`; with \
               several pixels per thread, compute the last few pixels one by one",
        outputs: |s| {
            let (width, pixels) = (s.image.width, s.image.pixels());
            let [multiple, blocks] = s.parameters;
            let done = (pixels - pixels % multiple).max(multiple * blocks);
            s.partial(&|x, y| y * width + x < done)
        },
    },
    Mistake {
        name: "partial_blocks_left_out",
        parameters: SHAPES,
        message: partial_blocks,
        hint: PARTIAL_BLOCKS_HINT,
        outputs: |s| {
            let ([bx, by], (width, height)) = (s.parameters, s.size());
            s.partial(&|x, y| x < width - width % bx && y < height - height % by)
        },
    },
    Mistake {
        name: "partial_blocks_left_out",
        parameters: SHAPES,
        message: partial_blocks,
        hint: PARTIAL_BLOCKS_HINT,
        outputs: |s| {
            // With at least one block in each direction.
            let ([bx, by], (width, height)) = (s.parameters, s.size());
            s.partial(&|x, y| x < (width - width % bx).max(bx) && y < (height - height % by).max(by))
        },
    },
    Mistake {
        name: "grid_sides_swapped",
        parameters: SHAPES,
        message: |_| "width and height of the grid are swapped".to_owned(),
        hint: "x counts columns (grid.x, blockIdx.x, width) and y counts rows (grid.y, blockIdx.y, height)",
        outputs: |s| {
            let ([bx, by], (width, height)) = (s.parameters, s.size());
            let (columns, rows) = (height.next_multiple_of(bx), width.next_multiple_of(by));
            s.partial(&|x, y| x < columns && y < rows)
        },
    },
    Mistake {
        name: "columns_beyond_a_block_left_out",
        parameters: BLOCKS,
        message: |p| format!("the columns from {} on are left out", p[0]),
        hint: "if each row has one block, let each thread compute several columns, in a loop to the width, or use several blocks per row",
        outputs: |s| s.partial(&|x, _| x < s.parameters[0]),
    },
    Mistake {
        name: "border_left_out",
        parameters: &[[1, 0], [2, 0], [3, 0], [1, 1], [2, 1]],
        message: |p| match p[0] {
            1 => "the outermost rows and columns are never written".to_owned(),
            n => format!("the {n} outermost rows and columns are never written"),
        },
        hint: "pixels at the border need a value too: the task sheet (README.md) defines it",
        outputs: |s| {
            // With `whole` = 1, images without inner pixels are computed in full.
            let ([r, whole], (width, height)) = (s.parameters, s.size());
            let small = whole == 1 && (width <= 2 * r || height <= 2 * r);
            s.partial(&|x, y| small || (x >= r && y >= r && x + r < width && y + r < height))
        },
    },
    Mistake {
        name: "last_row_or_column_left_out",
        parameters: &[[1, 0], [0, 1], [1, 1], [2, 0], [0, 2], [2, 2]],
        message: |p| format!("left out: {}", columns_and_rows(p)),
        hint: "columns go from 0 to width - 1: `x < width` is the condition, not `x < width - 1`",
        outputs: |s| {
            let ([dx, dy], (width, height)) = (s.parameters, s.size());
            s.partial(&|x, y| x + dx < width && y + dy < height)
        },
    },
    Mistake {
        name: "one_of_several_pixels",
        parameters: &[[2, 0], [3, 0], [4, 0], [8, 0], [16, 0], [32, 0]],
        message: |p| format!("only pixels whose index is a multiple of {} are computed", p[0]),
        hint: "a thread that takes several pixels must compute all of them: check where its loop ends, and the step of \
               its index",
        outputs: |s| {
            let width = s.image.width;
            s.partial(&|x, y| (y * width + x).is_multiple_of(s.parameters[0]))
        },
    },
    Mistake {
        name: "nothing_done",
        parameters: ALONE,
        message: |_| "no output was ever written".to_owned(),
        hint: "check that a kernel is launched, and that it writes to the pointers that the host function received",
        outputs: |s| {
            // With one output, `never_written` applies, and names the output.
            if s.shapes.len() < 2 {
                return None;
            }
            Some(s.before.to_vec().into())
        },
    },
    Mistake {
        name: "never_written",
        parameters: &[[0, 0], [1, 0], [2, 0]],
        message: |_| {
            "`{output}` was never written: it still holds its values from before the call".to_owned()
        },
        hint: "check that a kernel is launched, and that it writes to the pointer that the host function received",
        outputs: |s| {
            let mut outputs = s.expected.to_vec();
            s.before.get(s.parameters[0])?.clone_into(outputs.get_mut(s.parameters[0])?);
            Some(outputs.into())
        },
    },
];

fn columns_and_rows([columns, rows]: Parameters) -> String {
    let part = |count, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("the last {one}")),
        n => Some(format!("the last {n} {many}")),
    };
    let parts = [part(columns, "column", "columns"), part(rows, "row", "rows")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" and ")
}

/// Told where the launch shows it.
const PARTIAL_BLOCKS_HINT: &str =
    "use ceil_div(width, block.x) and ceil_div(height, block.y), and let threads outside the image return";

fn partial_blocks(p: Parameters) -> String {
    let side = |every, what: &str| match every {
        1 => None,
        every => Some(format!("the last {what}, if their number is not a multiple of {every}")),
    };
    let sides = [side(p[0], "columns"), side(p[1], "rows")];
    format!("left out: {}", sides.into_iter().flatten().collect::<Vec<_>>().join(", and "))
}
