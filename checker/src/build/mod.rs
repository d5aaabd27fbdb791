//! From a submission to what the engines load.

mod assembled;
mod compile;
mod entries;
mod findings;

pub use assembled::assembled;
pub use compile::{Build, BuildError, Targets, build, yardstick};
