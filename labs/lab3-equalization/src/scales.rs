//! The scales on which both tasks are scored, and the picture on which they are timed.

use lab::{Case, FewestBytes, Level, Picture, Threshold};

/// Share of the yardstick's speed: time of a kernel that reads and writes the image once, divided by this one's.
///
/// An image larger than every cache has to be read twice, for no pixel has its new level before all are counted:
/// three bytes a pixel against the yardstick's two. The best known kernels of two passes reach 0.58 on an H200 and 0.57 by
/// the model (`book/data/scores-h200.json`), 0.86 of the speed of those three bytes: all points. More is possible where a
/// part of the image is still in the cache, or has stayed on the chip, when it is needed again, which is why the yardstick
/// moves only two: nothing is faster than it. One pass with a barrier of the grid reaches 0.80 on an H200, 0.70 by the
/// model, and no point more: it is no step that a student has to take.
pub const SHARE: Threshold = Threshold {
    floor: 0.10,
    target: 0.57,
    levels: &[
        Level {
            name: "many pixels a block",
            at: 0.10,
            how: "take the histogram of lab 2 that counts in shared memory, with many pixels for each block",
        },
        Level {
            name: "several pixels",
            at: 0.22,
            how: "let a thread load and store four pixels at once, as a uint32_t, in both kernels",
        },
        Level {
            name: "wide loads",
            at: 0.45,
            how: "sixteen pixels at once, as a uint4, in both kernels; make the table of 256 new levels on the GPU, in one block, so that \
                  the host need not wait between them; and look it up in shared memory",
        },
        Level {
            name: "two full-speed passes",
            at: 0.57,
            how: "join the table to the end of the histogram kernel (the last block to finish makes it), and read the image backwards in \
                  the second pass: what was read last is still in the L2",
        },
    ],
};

/// Speedup over the sequential reference. The last and the second are the best and the first kernels of the GTX
/// 480 report, histogram and stretch together: 434.7 ms on its CPU against 14.9 ms and 79.0 ms.
pub const TIMES: Threshold = Threshold {
    floor: 2.0,
    target: 29.0,
    levels: &[
        Level { name: "two CPU cores", at: 2.0, how: "" },
        Level { name: "GTX 480, first", at: 5.5, how: "" },
        Level { name: "server CPU", at: 16.0, how: "" },
        Level { name: "GTX 480, best", at: 29.0, how: "" },
    ],
};

/// A generated scene of the size that the GTX 480 report timed, 46,953,096 pixels: too large for most caches.
pub fn timed_case() -> Case {
    Case::new("timed scene 8773x5352", Picture::Scene { width: 8773, height: 5352 })
}

/// Each pixel read once and written once.
pub const fn fewest_bytes(width: usize, height: usize) -> FewestBytes {
    let pixels = (width * height) as u64;
    FewestBytes { read: pixels, write: pixels }
}
