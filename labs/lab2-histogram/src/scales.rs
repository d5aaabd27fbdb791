//! Scales of the scores of both tasks, and the picture that they are timed on.

use lab::{Case, Level, Picture, Threshold};

/// Share of the yardstick's speed for `histogram`: the time of the yardstick (a kernel that only reads the image) divided
/// by the time of this kernel.
///
/// One byte per pixel is little to read, so most of the time is spent counting. The floor lies between a histogram per
/// block with four pixels per thread, whose 256 additions to the bins cost as much as its counting (0.04 on an H200, on
/// noise), and a histogram per block with many pixels per thread (0.24). The target is a kernel that counts as fast as
/// the memory delivers. Atomics on global memory stay orders of magnitude below the floor: they earn the points for
/// correctness, and the first level of the speedup.
pub const SHARE: Threshold = Threshold {
    floor: 0.10,
    target: 0.85,
    levels: &[
        Level {
            name: "many pixels per block",
            at: 0.10,
            how: "count in shared memory, with 256 counters per block, and give each block many pixels: a grid-stride loop (step \
                  gridDim.x * blockDim.x) and a few hundred blocks; the additions to `bins` at the end of each block then cost \
                  little",
        },
        Level {
            name: "several pixels",
            at: 0.30,
            how: "let each thread load four pixels at once, as a uint32_t, and count the four bytes; count the last few pixels one by one",
        },
        Level { name: "wide loads", at: 0.50, how: "load sixteen pixels at once, as a uint4" },
        Level {
            name: "speed of light",
            at: 0.85,
            how: "keep more loads in flight: 512 or 1,024 threads per block, as many blocks as the GPU holds at once, and the next vector \
                  loaded before this one is counted; and let fewer threads share a counter (a histogram per warp, or per lane)",
        },
    ],
};

/// The same for `gray_histogram`, which moves four times as many bytes per count: memory traffic hides more of the
/// counting.
pub const GRAY_SHARE: Threshold = Threshold {
    floor: 0.20,
    target: 0.90,
    levels: &[
        Level {
            name: "many pixels per block",
            at: 0.20,
            how: "count in shared memory, with 256 counters per block, and give each block many pixels: a grid-stride loop (step \
                  gridDim.x * blockDim.x) and a few hundred blocks; the additions to `bins` at the end of each block then cost \
                  little",
        },
        Level {
            name: "several pixels",
            at: 0.45,
            how: "let each thread take four pixels: load three uint32_t, count four levels, store one uint32_t; take the last few pixels one by one",
        },
        Level {
            name: "wide loads",
            at: 0.70,
            how: "let each thread take sixteen pixels: load three uint4, store one",
        },
        Level {
            name: "speed of light",
            at: 0.90,
            how: "keep more loads in flight: 512 or 1,024 threads per block, as many blocks as the GPU holds at once, and the next vector \
                  loaded before this one is counted; and let fewer threads share a counter (a histogram per warp, or per lane)",
        },
    ],
};

/// Speedup over the sequential reference: floor and milestones; the target that scores depends on the GPU. Atomics on
/// global memory come out near the floor. The privatized histograms are the best kernels of two reports on the GTX 480:
/// 61.8 ms on a CPU against 11.7 ms per block, and 63 times its CPU per warp.
pub const TIMES: Threshold = Threshold {
    floor: 2.0,
    target: 63.0,
    levels: &[
        Level { name: "two CPU cores", at: 2.0, how: "" },
        Level { name: "privatized per block", at: 5.3, how: "" },
        Level { name: "server CPU", at: 16.0, how: "" },
        Level { name: "privatized per warp", at: 63.0, how: "" },
    ],
};

/// A generated scene of the size that the GTX 480 report timed, 46,953,096 pixels: too large for most caches.
pub fn timed_case() -> Case {
    Case::new("timed scene 8773x5352", Picture::Scene { width: 8773, height: 5352 })
}
