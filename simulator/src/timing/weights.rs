//! The weights of the model, fitted on an H200. Written by `checker dev model --fit`; not by hand.

use super::model::Model;

/// Fitted on the rungs of the ladders as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 1.8436713849455378e-6,
    round_trip: 4.43498579809394e-6,
    p: 4.248767928282762,
    overlap: [1.6766801158811178, 0.010812578074490403],
    dealing: 3.7841525665329647,
    places: 4.433712586235224,
    in_step: 0.2462557560209695,
    weights: [
        1.057859661765968,
        1.1,
        0.9090909090909091,
        1.0829460807059494,
        0.9090909090909091,
        0.9090909090909091,
        1.0333543690948235,
        1.0,
        0.9527190927423935,
        1.1,
        1.0661565579239787,
        1.0,
        1.1,
        1.0333543690948237,
        0.9090909090909091,
    ],
};
