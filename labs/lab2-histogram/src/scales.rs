//! The scales on which both tasks are scored, and the picture on which they are timed.

use lab::{Case, Level, Picture, Threshold};

/// Share of the yardstick's speed for `histogram`: time of a kernel that only reads the image, divided by this
/// kernel's.
///
/// One byte a pixel is little to read, so that counting is what takes the time. The floor lies between one histogram
/// a block of four pixels a thread, whose 256 additions to the bins weigh as much as its counting (0.04 on an H200, on
/// noise), and one of many (0.24). The target is a kernel that counts as fast as the memory delivers.
/// Atomics on global memory stay orders of magnitude below the floor: they are rewarded by the points for
/// correctness, and by the first level of the speedup.
pub const SHARE: Threshold = Threshold {
    floor: 0.10,
    target: 0.85,
    levels: &[
        Level {
            name: "many pixels a block",
            at: 0.10,
            how: "count in shared memory, a histogram of 256 counters for each block, and give each block many pixels: a loop that \
                  goes on by gridDim.x * blockDim.x, and some hundred blocks; what a block adds to `bins` in the end then weighs \
                  little",
        },
        Level {
            name: "several pixels",
            at: 0.30,
            how: "let a thread load four pixels at once, as a uint32_t, and count its four bytes; the last few pixels one by one",
        },
        Level { name: "wide loads", at: 0.50, how: "load sixteen pixels at once, as a uint4" },
        Level {
            name: "speed of light",
            at: 0.85,
            how: "have more loads on their way: 512 or 1,024 threads a block, as many blocks as the GPU holds at once, the next vector \
                  loaded before this one is counted; and counters that fewer threads share (a histogram for each warp, or each lane)",
        },
    ],
};

/// The same for `gray_histogram`, which moves four times the bytes for as many counts: the counting hides
/// more easily behind them.
pub const GRAY_SHARE: Threshold = Threshold {
    floor: 0.20,
    target: 0.90,
    levels: &[
        Level {
            name: "many pixels a block",
            at: 0.20,
            how: "count in shared memory, a histogram of 256 counters for each block, and give each block many pixels: a loop that \
                  goes on by gridDim.x * blockDim.x, and some hundred blocks; what a block adds to `bins` in the end then weighs \
                  little",
        },
        Level {
            name: "several pixels",
            at: 0.45,
            how: "let a thread take four pixels: three uint32_t in, four levels counted, one uint32_t out; the last few pixels one by one",
        },
        Level {
            name: "wide loads",
            at: 0.70,
            how: "let a thread take sixteen pixels: three uint4 in, one out",
        },
        Level {
            name: "speed of light",
            at: 0.90,
            how: "have more loads on their way: 512 or 1,024 threads a block, as many blocks as the GPU holds at once, the next vector \
                  loaded before this one is counted; and counters that fewer threads share (a histogram for each warp, or each lane)",
        },
    ],
};

/// Speedup over the sequential reference. Atomics on global memory come out near the floor. The two named
/// after the GTX 480 are the best kernels of two reports on it: 61.8 ms on a CPU against 11.7 ms with one
/// histogram a block, and 63 times its CPU with one histogram a warp.
pub const TIMES: Threshold = Threshold {
    floor: 2.0,
    target: 63.0,
    levels: &[
        Level { name: "two CPU cores", at: 2.0, how: "" },
        Level { name: "GTX 480, per block", at: 5.3, how: "" },
        Level { name: "server CPU", at: 16.0, how: "" },
        Level { name: "GTX 480, per warp", at: 63.0, how: "" },
    ],
};

/// A generated scene of the size that the GTX 480 report timed, 46,953,096 pixels: too large for most caches.
pub fn timed_case() -> Case {
    Case::new("timed scene 8773x5352", Picture::Scene { width: 8773, height: 5352 })
}
