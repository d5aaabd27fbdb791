//! The weights of the model, fitted on an H200. Written by `workshop model --fit`; not by hand.

use super::predict::Model;

/// Fitted on the ladders and the pool as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 1.969335943730331e-6,
    round_trip: 2.8589714106650944e-6,
    p: 3.4407571251205,
    hiding: 2.8248559167130343,
    dealing: 12.0,
    places: 12.0,
    weights: [
        1.0661565579239787,
        1.0661565579239787,
        1.057859661765968,
        0.9408798600381654,
        0.9090909090909091,
        0.9906711068528125,
        1.1,
        1.1,
        0.9527190927423937,
        1.1,
        1.1,
        1.1,
        1.1,
        1.0062719067487795,
        1.0414590678603421,
    ],
    bounds: [
        [0.8105993497569401, 1.314197542822604],
        [0.8653560477144695, 1.1676746692903495],
        [0.9077631002006407, 1.1715300664758947],
        [0.8240900823701119, 1.1583158340211928],
        [0.8829496210433854, 1.209279814069401],
    ],
};
