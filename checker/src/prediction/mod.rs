//! How fast a right solution would be on a GPU that is not here, by the simulator's timing model.

mod fewer;
mod predicted;
mod resident;
mod rows;
mod whole;

pub use predicted::{Limiter, PredictError, Prediction, predict};
pub use resident::Resident;
pub use whole::scaled;
