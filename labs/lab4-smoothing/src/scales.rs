//! Scales of the scores.

use lab::{FewestBytes, Level, Threshold};

/// Share of the yardstick's speed for the two means: the time of the yardstick (a kernel that only moves the same bytes)
/// divided by the time of this kernel.
///
/// The floor lies below the kernel of one pixel per thread and 25 loads (0.062 on an H200, 0.057 by the model). The target
/// is about the share of the best known kernels (0.68 and 0.64, by the model 0.62 and 0.58). The levels between follow the
/// rungs for which measured and predicted shares agree (`book/data/scores-h200.json`).
pub const MEAN_SHARE: Threshold = Threshold {
    floor: 0.04,
    target: 0.60,
    levels: &[
        Level {
            name: "plain",
            at: 0.04,
            how: "let each thread compute one pixel of `out`, with neighbouring threads (threadIdx.x) in neighbouring columns",
        },
        Level {
            name: "separable",
            at: 0.08,
            how: "first sum columns (or rows) of five, in shared memory, and then five of these sums: 8 additions per pixel instead of 24",
        },
        Level {
            name: "sliding window",
            at: 0.115,
            how: "let each thread move down a column and keep the sums of the last five rows in registers: each new pixel needs one new row",
        },
        Level {
            name: "several pixels",
            at: 0.145,
            how: "let each thread compute four neighbouring pixels from 4-byte loads, with two 16-bit sums in one register. Rows can begin \
                  at any byte: load aligned words, and extract your bytes from two of them with `__funnelshift_r`",
        },
        Level {
            name: "strips",
            at: 0.40,
            how: "give each block a strip of some tens of rows and each thread eight neighbouring pixels; copy the next rows to shared memory \
                  while these are summed (`__pipeline_memcpy_async` of cuda_pipeline.h), and combine results for 8-byte stores \
                  with `__shfl_up_sync`",
        },
        Level {
            name: "speed of light",
            at: 0.60,
            how: "use fewer instructions per pixel: packed sums; one product that leaves the mean in the highest byte of a word, (sum + half) * \
                  ((1 << 24) / count + 1); no division and no branch inside the loop, not even a rarely taken one. Then \
                  `tune` the rows and warps of a block: a strip plus four rows should be a whole number of loop iterations",
        },
    ],
};

/// The same for the filter on RGB, whose 25 products per byte take more time: 0.066 for the plain kernel and 0.59 for the
/// best known kernel on an H200, 0.48 by the model.
pub const FILTER_SHARE: Threshold = Threshold {
    floor: 0.04,
    target: 0.50,
    levels: &[
        Level {
            name: "plain",
            at: 0.04,
            how: "let each thread compute one pixel of `out`, with neighbouring threads (threadIdx.x) in neighbouring columns, and the filter in \
                  constant memory",
        },
        Level {
            name: "border apart",
            at: 0.09,
            how: "load a tile and its halo into shared memory once, or filter the inner pixels in a kernel without bounds checks",
        },
        Level {
            name: "sliding window",
            at: 0.15,
            how: "let each thread move down a column and keep four unfinished sums in registers: each new pixel needs one new row",
        },
        Level {
            name: "dot products",
            at: 0.23,
            how: "let each thread compute several bytes: one `__dp4a` gives four products of bytes and their sum, of bytes in a row or, with \
                  `__byte_perm`, in a column. Both operands are signed bytes: pixel ^ 128 is the pixel minus 128. Filters with \
                  values outside -128 to 127 need another kernel",
        },
        Level {
            name: "strips",
            at: 0.37,
            how: "give each block a strip of some tens of rows, and copy the next rows to shared memory while these are \
                  filtered (`__pipeline_memcpy_async` of cuda_pipeline.h)",
        },
        Level {
            name: "speed of light",
            at: 0.50,
            how: "use fewer instructions per byte: seven or eight dot products hold 25 products, if the remainder of five columns of four goes \
                  into separate words (`__byte_perm`); one multiplication instead of the division, with the sum clamped first; \
                  the filter as a kernel argument, so that there is no copy to wait for",
        },
    ],
};

/// Speedup of the means over the sequential reference: the speedup of a CPU with a few cores and of a server CPU, then
/// the first and the last kernel of the GTX 480 report (3794.4 ms on its CPU against 65.6 ms and 14.0 ms).
pub const MEAN_TIMES: Threshold = Threshold {
    floor: 4.0,
    target: 271.0,
    levels: &[
        Level { name: "multicore CPU", at: 4.0, how: "" },
        Level { name: "server CPU", at: 16.0, how: "" },
        Level { name: "one pixel per thread", at: 58.0, how: "" },
        Level { name: "several pixels per thread", at: 271.0, how: "" },
    ],
};

/// The same for the filter on RGB: the two kernels of the Quadro K620 report (81.7 ms on its CPU against 1.506 ms and
/// 0.905 ms).
pub const FILTER_TIMES: Threshold = Threshold {
    floor: 4.0,
    target: 90.0,
    levels: &[
        Level { name: "multicore CPU", at: 4.0, how: "" },
        Level { name: "server CPU", at: 16.0, how: "" },
        Level { name: "one pixel per thread", at: 54.0, how: "" },
        Level { name: "shared memory", at: 90.0, how: "" },
    ],
};

/// As many bytes read as written, `channels` per pixel.
pub const fn fewest_bytes(width: usize, height: usize, channels: u64) -> FewestBytes {
    let bytes = (width * height) as u64 * channels;
    FewestBytes { read: bytes, write: bytes }
}
