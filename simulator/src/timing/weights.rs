//! The weights of the model, fitted on an H200. Written by `checker dev model --fit`; not by hand.

use super::model::Model;

/// Fitted on the rungs of the ladders as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 2.6409373250819146e-6,
    round_trip: 8.615706834117376e-6,
    p: 3.3947559086460166,
    overlap: [0.47663857333701476, 0.14851076907785965],
    reuse: 0.23293730751234742,
    weights: [
        0.9631921829238922,
        0.9090909090909091,
        1.0015613975180377,
        0.9090909090909091,
        0.9090909090909091,
        0.9090909090909092,
        0.9090909090909091,
        1.0,
        1.0120622970254485,
        1.1,
        1.1,
        1.0,
        1.1,
        0.9379485522719115,
        1.0661565579239787,
    ],
};
