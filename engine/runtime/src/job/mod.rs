//! One host function called on one image, on any engine.

mod buffers;
mod description;
mod outcome;
mod program;
mod run;

pub use buffers::{GUARD_DAMAGED, Prepared};
pub use description::{Job, JobArgument, Place};
pub use outcome::{Failure, Outcome};
pub use program::{Program, entry};
pub use run::{Called, call, run, shown};
