//! The weights of the model, fitted on an H200. Written by `workshop model --fit`; not by hand.

use super::predict::Model;

/// Fitted on the rungs of the ladders as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 1.8727049846452718e-6,
    round_trip: 3.1204022304339617e-6,
    p: 4.818876125418864,
    overlap: [0.7155192449172576, 0.15400115355370503],
    dealing: 12.0,
    places: 2.094337530204382,
    in_step: 0.33302989927220333,
    phased: 1.0,
    weights: [
        1.0496273325661074,
        1.1,
        0.9090909090909091,
        1.0829460807059494,
        0.9090909090909091,
        0.9090909090909091,
        0.9090909090909091,
        1.0,
        0.9453049739420274,
        1.1,
        1.0661565579239787,
        1.0,
        1.1,
        0.9090909090909091,
        0.9090909090909091,
    ],
    bounds: [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]],
};
