//! The weights of the model, fitted on an H200. Written by `checker dev model --fit`; not by hand.

use super::model::Model;

/// Fitted.
pub const H200: Model = Model {
    launch: 2.5e-6,
    round_trip: 6e-6,
    p: 3.0,
    reuse: 1.0,
    weights: [1.0; 14],
};
