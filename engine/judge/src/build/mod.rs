//! Compiling a submission to the modules that the engines load.

pub mod arguments;
mod arrays;
mod assembled;
mod assembler;
mod caret;
pub mod code;
mod compile;
mod confined;
mod entries;
mod findings;
mod guards;
mod launches;
mod loops;
mod missed;
mod names;
mod passes;
mod sourced;
mod unshared;

pub use assembled::assembled;
pub use compile::{Build, BuildError, Targets, build, build_functions, simulated_yardstick, yardstick};
pub use confined::{CompilerWorker, Confined};
pub use loops::too_slow;
pub use missed::UNFILLED;
pub use passes::Compile;
pub use sourced::{explained, renamed};
