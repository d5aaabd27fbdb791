//! Mistakes that can be made in any task.

mod coverage;
mod geometry;
mod swapped;
mod values;
mod words;

pub use coverage::COVERAGE;
pub use geometry::GEOMETRY;
pub use swapped::{SWAPPED, SWAPPED_HINT, swapped};
pub use values::VALUES;
pub use words::WORDS;
