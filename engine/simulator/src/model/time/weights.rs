//! The weights of the model, fitted on an H200. Written by `workshop model --fit`; not by hand.

use super::predict::Model;

/// Fitted on the ladders and the pool as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 1.8356229414442429e-6,
    round_trip: 3.4485777977740006e-6,
    p: 3.8672386757012314,
    overlap: [1.0255747804239093, 0.05126253087417603],
    dealing: 5.391947569406658,
    places: 3.3846052721151874,
    in_step: 0.17560414286605217,
    phased: 0.02,
    weights: [
        1.0288433188478068,
        1.0568683830675556,
        1.0668280645380095,
        0.9996852293550028,
        0.9090909090909091,
        0.9090909090909091,
        1.1,
        1.1,
        0.9090909090909091,
        1.1,
        1.1,
        1.1,
        1.1,
        1.0047008346142252,
        0.9090909090909091,
    ],
    bounds: [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]],
};
