//! What the model is told of a launch, and what it becomes on a larger picture. How long it takes is not known here.

mod aligned;
mod grow;
mod kernel;

pub use grow::Growth;
pub use kernel::{Kernel, Whole};
