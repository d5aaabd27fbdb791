//! The weights of the model, fitted on an H200. Written by `checker dev model --fit`; not by hand.

use super::model::Model;

/// Fitted on the rungs of the ladders, `book/data/times-h200.json`.
pub const H200: Model = Model {
    launch: 3e-6,
    p: 1.5,
    reuse: 0.8,
    weights: [
        1.0, 1.0, 0.5, 1.0, 1.0, 1.0, 1.0, 20.0, 20.0, 2.0, 1.0, 10.0, 1.0, 1.0, 1.0, 1.0, 1.0, 4.0, 500.0,
        200.0,
    ],
};
