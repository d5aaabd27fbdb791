//! Scales of the score.

use lab::{Level, Threshold};

/// Share of the yardstick's speed: the time of the yardstick (a page-locked copy of the image to the GPU, then of the
/// result back) divided by the time of the pipeline. No part of the result is known before the last pixel has arrived,
/// so no pipeline is faster than these two copies one after the other.
///
/// The levels follow the ladder on the modelled link of an H200 (`simulator::model::link`). Measured copies have not
/// confirmed them yet.
pub const SHARE: Threshold = Threshold {
    floor: 0.12,
    target: 0.97,
    levels: &[
        Level {
            name: "pageable copies",
            at: 0.12,
            how: "copy the image to the GPU once and the result back once: keep everything else in memory from `cudaMalloc`, and copy only \
                  the 256 counters",
        },
        Level {
            name: "page-locked",
            at: 0.60,
            how: "page-lock the caller's two buffers: `cudaHostRegister` before the copies, `cudaHostUnregister` at the end",
        },
        Level {
            name: "copies beside kernels",
            at: 0.90,
            how: "cut the image into bands of rows and use two streams: while one band is copied to the GPU, convert and count the band \
                  before it; while one band is smoothed, copy back the band before it",
        },
        Level {
            name: "the link's own speed",
            at: 0.97,
            how: "leave little work after the last byte has arrived: fewer and faster kernels per band (gray and count in one, stretch and \
                  smooth in one), and small first and last bands",
        },
    ],
};

/// Speedup over the sequential reference: two CPUs, then the whole pipeline of the GTX 480 report with its
/// transfers (4521.5 ms against 30.7 ms of kernels and 54.6 ms of transfers), then the kernels of that report
/// alone, as if there were no transfers.
pub const TIMES: Threshold = Threshold {
    floor: 4.0,
    target: 151.0,
    levels: &[
        Level { name: "multicore CPU", at: 4.0, how: "" },
        Level { name: "server CPU", at: 16.0, how: "" },
        Level { name: "with transfers", at: 53.0, how: "" },
        Level { name: "kernels alone", at: 151.0, how: "" },
    ],
};
