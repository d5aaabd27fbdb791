//! Scales of the scores of both tasks, and the picture that they are timed on.

use lab::{Case, FewestBytes, Level, Picture, Threshold};

/// Share of the yardstick's speed: the time of the yardstick (a kernel that reads and writes the image once) divided by
/// the time of this submission's kernels.
///
/// An image larger than every cache has to be read twice, because no pixel has its new level before all are counted:
/// three bytes per pixel against the yardstick's two. The best known kernels of two passes reach 0.59 on an H200 and 0.62
/// by the model (`book/data/scores-h200.json`), and 0.57 is 0.86 of the speed of these three bytes: all points. A kernel that finds
/// part of the image in the cache or on the chip in its second pass can be faster; the yardstick therefore moves only two
/// bytes, so that nothing is faster than it. One pass with a grid-wide barrier reaches 0.81 on an H200 and 0.84 by the
/// model. It earns no additional points: no student has to take this step.
pub const SHARE: Threshold = Threshold {
    floor: 0.10,
    target: 0.57,
    levels: &[
        Level {
            name: "many pixels per block",
            at: 0.10,
            how: "use the histogram of lab 2 that counts in shared memory, with many pixels per block",
        },
        Level {
            name: "several pixels",
            at: 0.22,
            how: "let each thread load and store four pixels at once, as a uint32_t, in both kernels",
        },
        Level {
            name: "wide loads",
            at: 0.45,
            how: "load and store sixteen pixels at once, as a uint4, in both kernels; compute the table of 256 new levels on the GPU, in \
                  one block, so that the host need not wait between the kernels; and keep the table in shared memory",
        },
        Level {
            name: "two full-speed passes",
            at: 0.57,
            how: "compute the table at the end of the histogram kernel (in the last block to finish), and read the image backwards in \
                  the second pass: the pixels read last are still in the L2",
        },
    ],
};

/// Speedup over the sequential reference. The last and the second level are the best and the first kernels of the GTX
/// 480 report, histogram and stretch together: 434.7 ms on its CPU against 14.9 ms and 79.0 ms.
pub const TIMES: Threshold = Threshold {
    floor: 2.0,
    target: 29.0,
    levels: &[
        Level { name: "two CPU cores", at: 2.0, how: "" },
        Level { name: "one pixel per thread", at: 5.5, how: "" },
        Level { name: "server CPU", at: 16.0, how: "" },
        Level { name: "several pixels per thread", at: 29.0, how: "" },
    ],
};

/// A generated scene of the size that the GTX 480 report timed, 46,953,096 pixels: too large for most caches.
pub fn timed_case() -> Case {
    Case::new("timed scene 8773x5352", Picture::Scene { width: 8773, height: 5352 })
}

/// Each pixel is read once and written once.
pub const fn fewest_bytes(width: usize, height: usize) -> FewestBytes {
    let pixels = (width * height) as u64;
    FewestBytes { read: pixels, write: pixels }
}
