//! The weights of the model, fitted on an H200. Written by `workshop model --fit`; not by hand.

use super::predict::Model;

/// Fitted on the ladders and the pool as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 1.969335943730331e-6,
    round_trip: 2.7927434092685495e-6,
    p: 3.5223523289374254,
    hiding: 2.695496346130078,
    dealing: 5.519813921170901,
    places: 12.0,
    weights: [
        1.0661565579239787,
        1.066156557923979,
        1.0661565579239787,
        0.9556965618891279,
        0.9090909090909091,
        0.9906711068528125,
        1.1,
        1.1,
        0.9527190927423935,
        1.1,
        1.1,
        1.1,
        1.1,
        0.9984410366434779,
        0.9601913611972112,
    ],
    bounds: [
        [0.8138278740696681, 1.3130652922403576],
        [0.8709819307877001, 1.1693553254496483],
        [0.9023602758201916, 1.172505533344125],
        [0.8244643117443349, 1.1583110363471425],
        [0.8835090920576669, 1.2167225303395182],
    ],
};
