//! The weights of the model, fitted on an H200. Written by `checker dev model --fit`; not by hand.

use super::model::Model;

/// Fitted on the rungs of the ladders as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 2.52e-6,
    round_trip: 9.17137218457868e-6,
    p: 3.16,
    overlap: [0.32, 0.3],
    reuse: 0.18,
    weights: [0.97, 0.91, 1.0, 0.91, 0.91, 0.97, 0.91, 1.0, 1.02, 1.1, 1.1, 1.0, 1.0, 0.97, 1.1],
};
