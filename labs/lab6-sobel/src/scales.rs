//! Scales of the scores.

use lab::{Level, Threshold};

/// Share of the yardstick's speed: the time of the yardstick (a kernel that only moves the same bytes) divided by the time
/// of this kernel. The floor lies below the kernel of one pixel per thread, the target about at the last rung.
pub const SHARE: Threshold = Threshold {
    floor: 0.10,
    target: 0.52,
    levels: &[
        Level {
            name: "plain",
            at: 0.10,
            how: "let each thread compute one pixel of `out`, with neighbouring threads (threadIdx.x) in neighbouring columns",
        },
        Level {
            name: "sliding window",
            at: 0.28,
            how: "let each thread move down a column and keep two numbers of each of the last three rows in registers: right - left, and \
                  left + 2 middle + right",
        },
        Level {
            name: "several pixels",
            at: 0.42,
            how: "let each thread move down four neighbouring columns, with loads of whole words. Rows can begin at any byte: load aligned \
                  words, and extract your bytes with `__funnelshift_r`",
        },
        Level {
            name: "whole words",
            at: 0.52,
            how: "store whole words in every row: get the results of the next lane with `__shfl_down_sync`, and shift both to the next aligned \
                  word; `__dp4a` makes the differences and sums of a row",
        },
    ],
};

/// Speedup over the sequential reference: two CPUs, then the first and the last rung.
pub const TIMES: Threshold = Threshold {
    floor: 4.0,
    target: 300.0,
    levels: &[
        Level { name: "multicore CPU", at: 4.0, how: "" },
        Level { name: "server CPU", at: 16.0, how: "" },
        Level { name: "several pixels per thread", at: 300.0, how: "" },
    ],
};
