//! The weights of the model, fitted on an H200. Written by `checker dev model --fit`; not by hand.

use super::model::Model;

/// Fitted on the rungs of the ladders as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 2.559684225638448e-6,
    round_trip: 8.751384474609374e-6,
    p: 3.1890780456452985,
    overlap: [0.40451790328110926, 0.20618678363729165],
    reuse: 0.1613509571943271,
    weights: [
        0.9624514001124361,
        0.9090909090909091,
        1.0094167409169978,
        0.9090909090909091,
        0.9090909090909091,
        0.9482592722400335,
        0.9090909090909091,
        1.0,
        1.0120622970254485,
        1.1,
        1.1,
        1.0,
        1.1,
        0.9234070078060779,
        1.1,
    ],
};
