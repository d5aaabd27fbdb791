//! Predicting the time of a right solution on a GPU, with the simulator's timing model.

mod doubt;
mod fewer;
mod growth;
mod others;
mod pictures;
mod predicted;
mod resident;
mod rows;
mod whole;

pub use doubt::Doubt;
pub use others::Other;
pub use pictures::sample;
pub use predicted::{Limiter, PredictError, Prediction, predict, yardstick_steps};
pub use resident::Resident;
pub use whole::scaled;
