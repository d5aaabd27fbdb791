//! Mistakes that can be made in any task.

mod coverage;
mod geometry;
mod values;

pub use coverage::COVERAGE;
pub use geometry::GEOMETRY;
pub use values::VALUES;
