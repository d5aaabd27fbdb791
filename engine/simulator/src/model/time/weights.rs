//! The weights of the model, fitted on an H200. Written by `workshop model --fit`; not by hand.

use super::predict::Model;

/// Fitted on the ladders and the pool as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 1.9237163257288716e-6,
    round_trip: 2.706819727627844e-6,
    p: 3.5576736463038237,
    hiding: 2.115719323531936,
    dealing: 4.298835404216331,
    places: 4.699059059975548,
    weights: [
        1.057859661765968,
        1.1,
        1.042115019040413,
        0.9539063097214807,
        0.9090909090909091,
        0.9090909090909092,
        1.1,
        1.1,
        0.9453049739420274,
        1.1,
        1.1,
        1.1,
        1.1,
        0.9968821906892725,
        0.9090909090909091,
    ],
    bounds: [
        [0.8462626320632332, 1.2928007220762152],
        [0.8508490171513171, 1.1746233443189515],
        [0.8798421489807142, 1.1524455134702498],
        [0.8258883844790067, 1.1648934091758913],
        [0.8820804364156664, 1.2155090484068458],
    ],
};
