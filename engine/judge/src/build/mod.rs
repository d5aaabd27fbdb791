//! Compiling a submission to the modules that the engines load.

pub mod arguments;
mod arrays;
mod assembled;
mod assembler;
mod beginners;
pub mod block;
mod caret;
pub mod code;
mod compile;
mod confined;
mod declared;
mod entries;
mod findings;
mod guards;
pub mod host_arrays;
mod hosted;
pub mod indices;
pub mod launches;
mod loops;
mod missed;
mod names;
mod passes;
mod sourced;
mod unshared;

pub use assembled::assembled;
pub use compile::{Build, BuildError, Targets, build, build_functions, simulated_yardstick, yardstick};
pub use confined::{CompilerWorker, Confined};
pub use findings::UNSET;
pub use loops::too_slow;
pub use missed::{STANDS_IN, UNFILLED};
pub use passes::Compile;
pub use sourced::{explained, renamed};
