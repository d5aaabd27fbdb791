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
        Level { name: "pageable copies", at: 0.12 },
        Level { name: "page-locked", at: 0.60 },
        Level { name: "copies beside kernels", at: 0.90 },
        Level { name: "the link's own speed", at: 0.97 },
    ],
};

/// Speedup over the sequential reference: what CPUs reach, then the whole pipeline of the GTX 480 report with its
/// transfers (4521.5 ms against 30.7 ms of kernels and 54.6 ms of transfers), then the kernels of that report
/// alone, as if there were no transfers.
pub const TIMES: Threshold = Threshold {
    floor: 4.0,
    target: 151.0,
    levels: &[
        Level { name: "multicore CPU", at: 4.0 },
        Level { name: "server CPU", at: 16.0 },
        Level { name: "GTX 480, transfers included", at: 53.0 },
        Level { name: "GTX 480, kernels alone", at: 151.0 },
    ],
};
