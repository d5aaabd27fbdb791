//! The weights of the model, fitted on an H200. Written by `checker dev model --fit`; not by hand.

use super::model::Model;

/// Fitted on the rungs of the ladders as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 1.8436713849455378e-6,
    round_trip: 1.1325132980671477e-5,
    p: 3.7284099694381103,
    overlap: [1.057468893961053, 0.01],
    weights: [
        1.0062719067487793,
        1.1,
        0.9090909090909091,
        0.9601913611972108,
        0.9090909090909091,
        0.9090909090909091,
        0.9090909090909091,
        1.0,
        0.9453049739420274,
        1.1,
        1.0661565579239787,
        1.0,
        1.0914397320862679,
        1.1,
        1.0253127415954806,
    ],
};
