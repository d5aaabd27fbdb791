//! The weights of the model, fitted on an H200. Written by `checker dev model --fit`; not by hand.

use super::model::Model;

/// Fitted on the rungs of the ladders as timed on an NVIDIA H200, `book/data/times-h200.json`.
#[expect(clippy::unreadable_literal, reason = "written by a program")]
pub const H200: Model = Model {
    launch: 2.566035981922268e-6,
    p: 2.7551163680237685,
    reuse: 1.0,
    weights: [
        1.410226034925711,
        0.0002532204765281199,
        2.532364077457921e-5,
        0.6456485264278923,
        5.1044513101590785e-5,
        1.41745493605311e-5,
        2.2828518322240193e-5,
        29.099828292364034,
        0.00033929428614384996,
        2.0,
        11.355332983926601,
        15.011778000001227,
        1.2348351754510916,
        6.254104479787581e-5,
        3.089503993012578e-6,
        92.1518260518184,
        0.0982428799068753,
        5.510232736047534,
        159.80959868965502,
        177.88368231519115,
    ],
};
