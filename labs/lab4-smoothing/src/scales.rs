//! The scales on which the tasks are scored.

use lab::{FewestBytes, Level, Threshold};

/// Share of the yardstick's speed of the two means: time of a kernel that only moves the same bytes, divided by
/// this kernel's.
///
/// The floor lies below the kernel of one pixel a thread and 25 loads (0.062 on an H200, 0.057 by the model), the target is
/// about what the best known reach (0.68 and 0.64, by the model 0.62 and 0.58). The levels between follow the ladder, where
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
            how: "let a thread make four neighbouring pixels from loads of four bytes, two sums of 16 bits in one register. Rows begin at \
                  any byte: load the words that lie at multiples of four, and `__funnelshift_r` cuts yours out of two of them",
        },
        Level {
            name: "strips",
            at: 0.40,
            how: "give each block a strip of some tens of rows and each thread eight neighbouring pixels; have the next rows on their way into \
                  shared memory while these are summed (`__pipeline_memcpy_async` of cuda_pipeline.h), and hand stores of eight bytes \
                  together with `__shfl_up_sync`",
        },
        Level {
            name: "speed of light",
            at: 0.60,
            how: "count instructions a pixel: packed sums; one product that leaves the mean in a word's highest byte, (sum + half) * \
                  ((1 << 24) / count + 1); no division and no branch inside the loop, also not where few blocks take it. Then \
                  `tune` rows and warps of a block: a strip and its four rows more should be whole turns of the loop",
        },
    ],
};

/// The same of the filter on RGB, where 25 products a byte leave less room: 0.066 for the plain kernel and 0.59 for the best
/// known on an H200, 0.48 by the model.
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
            how: "let a thread make several bytes: four products of bytes and their sum are one `__dp4a`, of bytes in a row or, with \
                  `__byte_perm`, in a column. It takes signed bytes on both sides: pixel ^ 128 is the pixel less 128. Filters with \
                  values that no byte holds stay with another kernel",
        },
        Level {
            name: "strips",
            at: 0.37,
            how: "give each block a strip of some tens of rows, and have the next rows on their way into shared memory while these are \
                  filtered (`__pipeline_memcpy_async` of cuda_pipeline.h)",
        },
        Level {
            name: "speed of light",
            at: 0.50,
            how: "count instructions a byte: seven or eight dot products hold 25 products, if what is left of five columns of four goes \
                  into words of its own (`__byte_perm`); one product in the place of the division, with the sum clamped first; \
                  the filter as an argument of the kernel, for no copy to wait for",
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
