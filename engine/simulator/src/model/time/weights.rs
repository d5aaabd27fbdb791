//! The weights of the model, fitted on an H200. Written by `workshop model --fit`; not by hand.

use super::predict::Model;

/// Fitted on the ladders and the pool as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 1.9388042198691936e-6,
    round_trip: 3.0196756154734616e-6,
    p: 3.581084658912696,
    overlap: [1.1002811266256434, 0.0208743804863105],
    dealing: 5.104993354169182,
    places: 4.082613261575078,
    weights: [
        1.0496273325661072,
        1.0568683830675556,
        1.0585259426740699,
        0.9613878896344703,
        0.9090909090909091,
        0.9707465928430556,
        1.0745185274450682,
        1.1,
        0.9379485522719115,
        1.1,
        1.1,
        1.1,
        1.0914397320862679,
        1.0047008346142252,
        0.9090909090909091,
    ],
    bounds: [
        [0.8143091694855966, 1.2556868807630068],
        [0.888118341095928, 1.2616321587780706],
        [0.8830673528178904, 1.1764825936375638],
        [0.8435376147455194, 1.1688956190216822],
        [0.8680876351693367, 1.2014292448518713],
    ],
};
