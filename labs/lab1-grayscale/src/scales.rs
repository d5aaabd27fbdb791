//! Scales of the scores of both tasks, and the picture that they are timed on.

use lab::{Case, FewestBytes, Level, Picture, Threshold};

/// Share of the yardstick's speed: the time of the yardstick (a kernel that only moves the same bytes) divided by the
/// time of this kernel.
///
/// Floor and target come from one H200 (driver 580.159.04, 2026-11-21) at the timed size: moving the bytes
/// took 0.050 ms, one pixel per thread 0.131 and 0.142 ms (shares of 0.38 and 0.35), four pixels 0.058 and 0.062
/// (0.85 and 0.80), sixteen 0.050 and 0.052 (0.99 and 0.96). A plain kernel earns a few points, a kernel that
/// loads 16 bytes per thread all of them. The names follow the ladder.
pub const SHARE: Threshold = Threshold {
    floor: 0.30,
    target: 0.95,
    levels: &[
        Level {
            name: "plain",
            at: 0.30,
            how: "let neighbouring threads (threadIdx.x) take neighbouring pixels",
        },
        Level {
            name: "coalesced",
            at: 0.50,
            how: "let a thread take four pixels, so that it loads and stores whole words (uint32_t) instead of bytes",
        },
        Level {
            name: "wide loads",
            at: 0.75,
            how: "load and store 16 bytes at a time (uint4), sixteen pixels per thread",
        },
        Level {
            name: "speed of light",
            at: 0.95,
            how: "use fewer instructions per pixel: integers instead of float, no division, several products in one instruction (`__dp4a`)",
        },
    ],
};

/// Speedup over the sequential reference. The first level is the speedup of a CPU with a few cores; the last two are the first and the last kernel of the GTX 480 report (293.1 ms on its CPU against
/// 4.7 ms and 1.8 ms).
pub const TIMES: Threshold = Threshold {
    floor: 4.0,
    target: 160.0,
    levels: &[
        Level { name: "multicore CPU", at: 4.0, how: "" },
        Level { name: "server CPU", at: 16.0, how: "" },
        Level { name: "one pixel per thread", at: 62.0, how: "" },
        Level { name: "several pixels per thread", at: 160.0, how: "" },
    ],
};

/// A generated scene of the size that the GTX 480 report timed, 46,953,096 pixels: too large for any cache.
pub fn timed_case() -> Case {
    Case::new("timed scene 8773x5352", Picture::Scene { width: 8773, height: 5352 })
}

/// Three bytes read and one byte written per pixel.
pub const fn fewest_bytes(width: usize, height: usize) -> FewestBytes {
    let pixels = (width * height) as u64;
    FewestBytes { read: 3 * pixels, write: pixels }
}
