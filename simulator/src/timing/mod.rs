//! From counted events to seconds on a given GPU.

mod estimate;
mod gpus;
mod link;
mod occupancy;

pub use estimate::{Estimate, Limiter, estimate};
pub use gpus::{Gpu, Residency, find, gpus};
pub use link::{Link, link};
pub use occupancy::{Needs, Occupancy, Scarce, occupancy};
