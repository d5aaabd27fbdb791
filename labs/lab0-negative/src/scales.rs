//! Scales of the scores. Set the floor below the plain kernel and the target at the best kernel that you know; the levels
//! between rise, and each says how to reach it.

use lab::{Level, Threshold};

/// Share of the yardstick's speed: the time of the yardstick (a kernel that only moves the same bytes) divided by the time
/// of this kernel.
pub const SHARE: Threshold = Threshold {
    floor: 0.30,
    target: 0.90,
    levels: &[
        Level {
            name: "plain",
            at: 0.30,
            how: "let each thread compute one pixel of `out`, with neighbouring threads (threadIdx.x) in neighbouring columns",
        },
        Level {
            name: "speed of light",
            at: 0.90,
            how: "let each thread load, compute and store several neighbouring pixels at once, as one word",
        },
    ],
};

/// Speedup over the sequential reference; its scale ends where the share has full points.
pub const TIMES: Threshold = Threshold {
    floor: 4.0,
    target: 16.0,
    levels: &[
        Level { name: "multicore CPU", at: 4.0, how: "" },
        Level { name: "server CPU", at: 16.0, how: "" },
    ],
};
