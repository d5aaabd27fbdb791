//! The weights of the model, fitted on an H200. Written by `checker dev model --fit`; not by hand.

use super::model::Model;

/// Fitted on the rungs of the ladders as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 2.5995886783405757e-6,
    round_trip: 9.148907463187962e-6,
    p: 2.5515859527726015,
    reuse: 0.1946756991825523,
    weights: [
        1.1968432911476248,
        0.9467809707821288,
        1.3144752019445494,
        0.9105103613800343,
        0.3,
        0.3023529291619344,
        1.0,
        1.023714316602358,
        3.0,
        1.2156908305205476,
        1.0,
        1.0,
        1.1243302218447506,
        0.8098246793420792,
    ],
};
