//! The weights of the model, fitted on an H200. Written by `checker dev model --fit`; not by hand.

use super::model::Model;

/// Fitted on the rungs of the ladders as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 2.599993386897739e-6,
    round_trip: 8.615706834117376e-6,
    p: 3.2140902947562435,
    overlap: [0.40451790328110937, 0.21273185473121958],
    reuse: 0.18717038484052156,
    weights: [
        0.9556965618891277,
        0.9090909090909091,
        1.0015613975180377,
        0.9090909090909091,
        0.9090909090909091,
        0.9090909090909091,
        0.9090909090909091,
        1.0,
        1.0120622970254485,
        1.1,
        1.1,
        1.0,
        1.1,
        0.9527190927423934,
        1.0661565579239787,
    ],
};
