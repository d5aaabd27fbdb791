//! The timing model beside measurements: `checker dev times`, `checker dev model`.

pub mod compare;
mod count;
mod counts;
mod fit;
pub mod measure;
mod plot;
pub(super) mod points;
