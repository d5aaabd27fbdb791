//! The scales on which the tasks are scored.

use lab::{FewestBytes, Level, Threshold};

/// Share of the yardstick's speed of the two means: time of a kernel that only moves the same bytes, divided by
/// this kernel's.
///
/// What stands firm: on one H200 (driver 580.159.04, 2026-11-21) the 5×5 box of 47 megapixels with one pixel a
/// thread and 25 loads took 0.382 ms and NPP's 0.504 ms, while a copy of the same bytes took 0.030 ms: shares
/// of 0.08 and 0.06. The target is the aim of the ladder's last rung. The levels between follow the ladder;
/// where exactly its rungs lie is still to be measured.
pub const MEAN_SHARE: Threshold = Threshold {
    floor: 0.06,
    target: 0.90,
    levels: &[
        Level { name: "plain", at: 0.06 },
        Level { name: "shared tile", at: 0.12 },
        Level { name: "separable", at: 0.25 },
        Level { name: "packed sums", at: 0.50 },
        Level { name: "speed of light", at: 0.90 },
    ],
};

/// The same of the filter on RGB, where 25 products a byte leave less room. No figure of an H200 yet; the target is
/// the aim of the ladder's last rung.
pub const FILTER_SHARE: Threshold = Threshold {
    floor: 0.04,
    target: 0.60,
    levels: &[
        Level { name: "plain", at: 0.04 },
        Level { name: "shared tile", at: 0.10 },
        Level { name: "four pixels", at: 0.20 },
        Level { name: "dot products", at: 0.40 },
        Level { name: "speed of light", at: 0.60 },
    ],
};

/// Speedup of the means over the sequential reference: what a CPU of a few cores would reach without a GPU, then
/// the first and the last kernel of the GTX 480 report (3794.4 ms on its CPU against 65.6 ms and 14.0 ms).
pub const MEAN_TIMES: Threshold = Threshold {
    floor: 4.0,
    target: 271.0,
    levels: &[
        Level { name: "multicore CPU", at: 4.0 },
        Level { name: "server CPU", at: 16.0 },
        Level { name: "GTX 480, first", at: 58.0 },
        Level { name: "GTX 480, best", at: 271.0 },
    ],
};

/// The same of the filter on RGB: the two kernels of the Quadro K620 report (81.7 ms on its CPU against 1.506 ms and
/// 0.905 ms).
pub const FILTER_TIMES: Threshold = Threshold {
    floor: 4.0,
    target: 90.0,
    levels: &[
        Level { name: "multicore CPU", at: 4.0 },
        Level { name: "server CPU", at: 16.0 },
        Level { name: "K620, first", at: 54.0 },
        Level { name: "K620, shared memory", at: 90.0 },
    ],
};

/// As many bytes read as written, `channels` a pixel.
pub const fn fewest_bytes(width: usize, height: usize, channels: u64) -> FewestBytes {
    let bytes = (width * height) as u64 * channels;
    FewestBytes { read: bytes, write: bytes }
}
