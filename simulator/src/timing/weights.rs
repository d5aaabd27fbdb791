//! The weights of the model, fitted on an H200. Written by `checker dev model --fit`; not by hand.

use super::model::Model;

/// Fitted on the rungs of the ladders as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 1.9021957970122992e-6,
    round_trip: 4.332249462734265e-6,
    p: 4.568143386134262,
    overlap: [0.8630809572620552, 0.12182493960703517],
    dealing: 12.0,
    places: 2.5262532814301526,
    in_step: 0.40803676210922335,
    phased: 0.45876806326307623,
    weights: [
        1.0661565579239787,
        1.1,
        0.9090909090909091,
        1.0829460807059494,
        0.9090909090909091,
        0.9090909090909091,
        0.9090909090909091,
        1.0,
        0.9527190927423937,
        1.1,
        1.0661565579239787,
        1.0,
        1.1,
        1.0253127415954806,
        0.9090909090909091,
    ],
};
