//! Predicting the time of a right solution on a GPU, with the simulator's timing model.

mod call;
mod costs;
mod divisions;
mod doubt;
mod error;
mod every_block;
mod fewer;
mod grids;
mod growth;
mod idle;
mod lines;
mod others;
mod pictures;
mod predicted;
mod ran;
mod resident;
mod rows;
mod signs;
mod steps;
mod suspicion;
mod turns;
mod whole;

pub use costs::{Cost, PIPE, costs, part, pipe};
pub use divisions::{Division, division, is_frequent};
pub use doubt::Doubt;
pub use error::PredictError;
pub(crate) use growth::grown;
pub use idle::{Idle, idle};
pub use lines::{LineShare, Sums, add as add_lines, kernel, line_shares, wait_of};
pub use others::Other;
pub(crate) use others::{OtherCall, one_level_call, other_calls};
pub use pictures::sample;
pub use predicted::{
    Counted, Limiter, Prediction, counted, counted_in, limiter, predict, timeline, work_seconds,
    yardstick_steps,
};
pub use resident::Resident;
pub use signs::{LANES, instructions, signs};
pub use steps::as_they_are;
pub use whole::{Scaled, scaled};
