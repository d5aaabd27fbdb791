//! From a submission to what the engines load.

mod compile;
mod entries;
mod findings;

pub use compile::{Build, BuildError, Targets, build, yardstick};
