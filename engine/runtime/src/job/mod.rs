//! Calling a host function on prepared buffers, on any engine, and collecting its results.

mod buffers;
mod description;
mod outcome;
mod program;
mod run;

pub use buffers::{GUARD_DAMAGED, INPUT_CHANGED, Prepared};
pub use description::{Job, JobArgument, Place};
pub use outcome::{Failure, Outcome};
pub use program::{Program, entry};
pub(crate) use run::host_limit;
pub use run::{Called, call, run, run_all, shown};
