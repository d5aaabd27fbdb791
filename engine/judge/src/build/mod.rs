//! Compiling a submission to the modules that the engines load.

mod assembled;
mod assembler;
mod compile;
mod confined;
mod entries;
mod findings;
mod launches;
mod names;
mod passes;

pub use assembled::assembled;
pub use compile::{Build, BuildError, Targets, build, build_functions, simulated_yardstick, yardstick};
pub use confined::{CompilerWorker, Confined};
pub use launches::explained;
pub use passes::Compile;
