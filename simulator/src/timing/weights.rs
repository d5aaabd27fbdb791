//! The weights of the model, fitted on an H200. Written by `checker dev model --fit`; not by hand.

use super::model::Model;

/// Fitted on the rungs of the ladders as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 2.5797666394766335e-6,
    round_trip: 9.17137218457868e-6,
    p: 2.3232454479511997,
    reuse: 0.2649736213568972,
    weights: [
        1.1,
        0.9408798600381649,
        1.1,
        0.9341229787161116,
        1.1,
        1.0,
        1.014164195129528,
        1.1,
        1.1,
        1.0,
        1.0,
        1.0661565579239787,
        0.9090909090909091,
    ],
};
