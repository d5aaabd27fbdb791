//! From counted events to seconds on a given GPU.

mod estimate;
mod gpus;

pub use estimate::{Estimate, Limiter, estimate};
pub use gpus::{Gpu, find, gpus};
