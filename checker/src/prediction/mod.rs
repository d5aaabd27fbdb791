//! Predicting the time of a right solution on a GPU, with the simulator's timing model.

mod costs;
mod doubt;
mod fewer;
mod growth;
mod others;
mod pictures;
mod predicted;
mod resident;
mod rows;
mod signs;
mod whole;

pub use costs::{Cost, PIPE, Part, costs, part, pipe};
pub use doubt::Doubt;
pub use others::Other;
pub use predicted::{Limiter, PredictError, Prediction, predict, work_seconds};
pub use resident::Resident;
pub use signs::signs;
pub use whole::{Scaled, scaled};
