//! The weights of the model, fitted on an H200. Written by `checker dev model --fit`; not by hand.

use super::model::Model;

/// Fitted on the rungs of the ladders as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 1.947305070382323e-6,
    round_trip: 1.2055541304432688e-5,
    p: 3.816826663876754,
    overlap: [0.9332130235001873, 0.01],
    weights: [
        0.9527190927423933,
        1.1,
        0.9090909090909091,
        0.9601913611972108,
        0.9090909090909091,
        0.9090909090909091,
        0.9090909090909091,
        1.0,
        0.9453049739420274,
        1.1,
        1.1,
        1.0,
        1.1,
        1.014164195129528,
        1.0173336945378255,
    ],
};
