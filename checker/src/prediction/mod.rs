//! Predicting the time of a right solution on a GPU, with the simulator's timing model.

mod fewer;
mod predicted;
mod resident;
mod rows;
mod whole;

pub use predicted::{Limiter, PredictError, Prediction, predict};
pub use resident::Resident;
pub use whole::scaled;
