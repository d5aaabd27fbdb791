//! The weights of the model, fitted on an H200. Written by `workshop model --fit`; not by hand.

use super::predict::Model;

/// Fitted on the ladders and the pool as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 1.9693359437303313e-6,
    round_trip: 2.7710101076343237e-6,
    p: 3.4981289221372673,
    hiding: 2.2346449588907107,
    dealing: 5.968341897931936,
    places: 12.0,
    weights: [
        1.0463572224465238,
        1.0829460807059494,
        1.0221183834952279,
        0.9234070078060781,
        0.9090909090909091,
        0.9829616431354905,
        1.0745185274450686,
        1.1,
        0.9453049739420276,
        1.1,
        1.1,
        1.1,
        1.0829460807059494,
        0.9984410366434779,
        0.9601913611972112,
    ],
    bounds: [
        [0.8581594271583965, 1.2365260388799058],
        [0.8638511088546874, 1.1259889748445873],
        [0.9033903535152187, 1.1838163415584528],
        [0.8252479498395977, 1.1736057236340152],
        [0.8813718912852548, 1.197153861581269],
    ],
};
