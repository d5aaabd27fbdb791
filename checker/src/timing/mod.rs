//! How fast a right solution is: measured on a GPU beside the yardstick, or predicted on the simulator.

mod batch;
mod fewer;
mod lock;
mod measured;
mod patches;
mod predicted;
mod resident;
mod rows;
mod statistics;
mod whole;
mod yardstick;

pub use lock::GpuLock;
pub use measured::{Pace, TimeRequest, Timed, time, time_yardstick};
pub use patches::{Change, Patch, difference};
pub use predicted::{Limiter, PredictError, Prediction, predict};
pub use resident::Resident;
pub use statistics::{median, ratio};
pub use whole::scaled;
pub use yardstick::Yardstick;
