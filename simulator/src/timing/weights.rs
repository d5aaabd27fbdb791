//! The weights of the model, fitted on an H200. Written by `checker dev model --fit`; not by hand.

use super::model::Model;

/// Fitted on the rungs of the ladders as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 1.8436713849455378e-6,
    round_trip: 1.3554409429271363e-5,
    p: 3.529987610338382,
    overlap: [0.7382322638821157, 0.010644944589178595],
    weights: [
        0.9906711068528119,
        1.1,
        0.923407007806078,
        0.9234070078060779,
        0.9090909090909091,
        0.9090909090909091,
        0.9090909090909091,
        1.0,
        0.9453049739420274,
        1.1,
        1.057859661765968,
        1.0,
        1.1,
        1.0062719067487795,
        0.9090909090909091,
    ],
};
