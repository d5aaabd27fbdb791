//! The scales on which the tasks are scored.

use lab::{FewestBytes, Level, Threshold};

/// Share of the yardstick's speed of the two means: time of a kernel that only moves the same bytes, divided by
/// this kernel's.
///
/// The floor lies below the kernel of one pixel a thread and 25 loads (0.062 on an H200, 0.067 by the model), the target
/// below the best known (0.68 and 0.65, by the model 0.60 and 0.58). The levels between follow the ladder, where
/// measured and predicted shares agree about them (`book/data/scores-h200.json`).
pub const MEAN_SHARE: Threshold = Threshold {
    floor: 0.04,
    target: 0.60,
    levels: &[
        Level {
            name: "plain",
            at: 0.04,
            how: "let each thread make one pixel of `out`, with neighbouring threads (threadIdx.x) in neighbouring columns",
        },
        Level {
            name: "separable",
            at: 0.08,
            how: "sum columns (or rows) of five first, in shared memory, and then five of those sums: 8 additions a pixel in the place of 24",
        },
        Level {
            name: "sliding window",
            at: 0.115,
            how: "let a thread go down a column and keep the sums of the last five rows in registers: each new pixel needs one new row",
        },
        Level {
            name: "several pixels",
            at: 0.145,
            how: "let a thread make four neighbouring pixels from loads of four bytes, two sums of 16 bits in one register",
        },
        Level {
            name: "strips",
            at: 0.40,
            how: "give each warp a strip of the image, sixteen pixels a thread and hundreds of rows; have the next rows on their way while these \
                  are summed",
        },
        Level {
            name: "speed of light",
            at: 0.60,
            how: "count instructions a pixel: packed sums, one division by a product and a shift, no checks inside the image",
        },
    ],
};

/// The same of the filter on RGB, where 25 products a byte leave less room: 0.066 for the plain kernel and 0.52 for the best
/// known on an H200, 0.44 by the model.
pub const FILTER_SHARE: Threshold = Threshold {
    floor: 0.04,
    target: 0.50,
    levels: &[
        Level {
            name: "plain",
            at: 0.04,
            how: "let each thread make one pixel of `out`, with neighbouring threads (threadIdx.x) in neighbouring columns, and the filter in \
                  constant memory",
        },
        Level {
            name: "border apart",
            at: 0.09,
            how: "load a tile and its halo into shared memory once, or filter the inner pixels in a kernel without checks",
        },
        Level {
            name: "sliding window",
            at: 0.15,
            how: "let a thread go down a column and keep the five sums that are under way in registers: each new pixel needs one new row",
        },
        Level {
            name: "dot products",
            at: 0.23,
            how: "let a thread make several bytes: four products of bytes and their sum are one __dp4a",
        },
        Level {
            name: "strips",
            at: 0.37,
            how: "give each warp a strip of the image with hundreds of rows, and have the next rows on their way while these are filtered",
        },
        Level {
            name: "speed of light",
            at: 0.50,
            how: "count instructions a byte, and keep the loads of the next rows ahead of the sums",
        },
    ],
};

/// Speedup of the means over the sequential reference: what a CPU of a few cores would reach without a GPU, then
/// the first and the last kernel of the GTX 480 report (3794.4 ms on its CPU against 65.6 ms and 14.0 ms).
pub const MEAN_TIMES: Threshold = Threshold {
    floor: 4.0,
    target: 271.0,
    levels: &[
        Level { name: "multicore CPU", at: 4.0, how: "" },
        Level { name: "server CPU", at: 16.0, how: "" },
        Level { name: "GTX 480, first", at: 58.0, how: "" },
        Level { name: "GTX 480, best", at: 271.0, how: "" },
    ],
};

/// The same of the filter on RGB: the two kernels of the Quadro K620 report (81.7 ms on its CPU against 1.506 ms and
/// 0.905 ms).
pub const FILTER_TIMES: Threshold = Threshold {
    floor: 4.0,
    target: 90.0,
    levels: &[
        Level { name: "multicore CPU", at: 4.0, how: "" },
        Level { name: "server CPU", at: 16.0, how: "" },
        Level { name: "K620, first", at: 54.0, how: "" },
        Level { name: "K620, shared memory", at: 90.0, how: "" },
    ],
};

/// As many bytes read as written, `channels` a pixel.
pub const fn fewest_bytes(width: usize, height: usize, channels: u64) -> FewestBytes {
    let bytes = (width * height) as u64 * channels;
    FewestBytes { read: bytes, write: bytes }
}
