//! The weights of the model, fitted on an H200. Written by `checker dev model --fit`; not by hand.

use super::model::Model;

/// Fitted on the rungs of the ladders as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 2.5397710648701615e-6,
    round_trip: 9.100000000000003e-6,
    p: 2.2517667000001866,
    reuse: 0.2431534629991395,
    weights: [
        1.1,
        0.9090909090909091,
        1.1,
        0.9196407442708908,
        1.0382144059396061,
        1.0,
        1.014164195129528,
        1.1,
        1.1,
        1.0,
        1.0,
        1.046357222446525,
        0.9090909090909091,
    ],
};
