//! How fast a right solution is: measured on a GPU beside the yardstick, or predicted on the simulator.

mod batch;
mod grids;
mod lock;
mod measured;
mod patches;
mod predicted;
mod statistics;
mod yardstick;

pub use grids::grids;
pub use lock::GpuLock;
pub use measured::{Pace, TimeRequest, Timed, time, time_yardstick};
pub use patches::{Change, Patch, difference};
pub use predicted::{PredictError, Prediction, memory_seconds, predict, sample, wholes};
pub use statistics::{median, ratio};
pub use yardstick::Yardstick;
