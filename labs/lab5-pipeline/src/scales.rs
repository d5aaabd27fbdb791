//! The scales on which the task is scored.

use lab::{Level, Threshold};

/// Share of the yardstick's speed: time of a page-locked copy of the image to the GPU and then of the result
/// back, divided by the time of the pipeline. Nothing of the result is known before the last pixel has come, so
/// that no pipeline is faster than these two copies one after the other.
///
/// The levels follow the ladder on the modelled link of an H200 (`simulator::timing::link`); copies that were
/// measured have still to confirm them.
pub const SHARE: Threshold = Threshold {
    floor: 0.12,
    target: 0.97,
    levels: &[
        Level {
            name: "pageable copies",
            at: 0.12,
            how: "copy the image up once and the result down once: everything between stays in memory from `cudaMalloc`, and only the 256 \
                  counters travel",
        },
        Level {
            name: "page-locked",
            at: 0.60,
            how: "page-lock what is copied: `cudaHostRegister` on the caller's two buffers, and `cudaHostUnregister` at the end",
        },
        Level {
            name: "copies beside kernels",
            at: 0.90,
            how: "cut the image into bands of rows and two streams: while one band goes up, the one before is made gray and counted; while \
                  one is smoothed, the one before goes down",
        },
        Level {
            name: "the link's own speed",
            at: 0.97,
            how: "leave only little work after the last byte has come: fewer kernels a band (gray and count in one, stretch and smooth in \
                  one), fast ones, and small bands at both ends",
        },
    ],
};

/// Speedup over the sequential reference: what CPUs reach, then the whole pipeline of the GTX 480 report with its
/// transfers (4521.5 ms against 30.7 ms of kernels and 54.6 ms of transfers), then the kernels of that report
/// alone, as if there were no transfers.
pub const TIMES: Threshold = Threshold {
    floor: 4.0,
    target: 151.0,
    levels: &[
        Level { name: "multicore CPU", at: 4.0, how: "" },
        Level { name: "server CPU", at: 16.0, how: "" },
        Level { name: "GTX 480, transfers included", at: 53.0, how: "" },
        Level { name: "GTX 480, kernels alone", at: 151.0, how: "" },
    ],
};
