//! Compiling a submission to the modules that the engines load.

mod assembled;
mod compile;
mod entries;
mod findings;

pub use assembled::assembled;
pub use compile::{Build, BuildError, Targets, build, yardstick};
