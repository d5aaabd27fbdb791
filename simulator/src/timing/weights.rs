//! The weights of the model, fitted on an H200. Written by `checker dev model --fit`; not by hand.

use super::model::Model;

/// Fitted on the rungs of the ladders as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 2.7461403081959953e-6,
    round_trip: 8.548658871602634e-6,
    p: 3.5025170288141534,
    overlap: [0.49562569556292296, 0.15322500693870336],
    reuse: 0.2366055363500192,
    weights: [
        0.9556965618891277,
        0.9090909090909091,
        1.0173336945378257,
        0.9306493787294162,
        0.9090909090909091,
        0.9090909090909091,
        0.9090909090909091,
        1.0,
        1.0120622970254485,
        1.1,
        1.1,
        1.0,
        1.1,
        0.9527190927423935,
        1.0661565579239787,
    ],
};
