//! The weights of the model, fitted on an H200. Written by `checker dev model --fit`; not by hand.

use super::model::Model;

/// Fitted on the rungs of the ladders as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 2.5397646049602492e-6,
    round_trip: 7.968226240552204e-6,
    p: 3.9638993767481696,
    overlap: [0.9187448966029791, 0.01],
    weights: [
        0.9860336272986655,
        0.9090909090909091,
        0.9677222353798723,
        0.9527190927423933,
        0.9090909090909091,
        0.9090909090909091,
        1.0496273325661076,
        1.0,
        0.9453049739420274,
        1.1,
        1.0829460807059494,
        1.0,
        1.1,
        1.0301349573334784,
        1.0173336945378255,
    ],
};
