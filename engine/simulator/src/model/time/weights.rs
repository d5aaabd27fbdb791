//! The weights of the model, fitted on an H200. Written by `workshop model --fit`; not by hand.

use super::predict::Model;

/// Fitted on the ladders and the pool as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 2.0638463489773215e-6,
    round_trip: 4.063417683717306e-6,
    p: 3.210063541719354,
    hiding: 2.4351780143320503,
    dealing: 12.0,
    places: 12.0,
    weights: [
        1.0301349573334784,
        1.066156557923979,
        1.0301349573334786,
        0.9090909090909091,
        0.9090909090909091,
        0.9090909090909091,
        1.009416740916998,
        1.1,
        0.9829616431354907,
        1.1,
        1.1,
        1.0914397320862679,
        1.1,
        1.0062719067487795,
        1.0414590678603421,
    ],
    bounds: [
        [0.8724357475712848, 1.2213159765431176],
        [0.8834373048671911, 1.121003715508452],
        [0.9158837848781805, 1.16539575513529],
        [0.8880335065904253, 1.1413513931714847],
        [0.8813353974069656, 1.1894597122646453],
    ],
};
