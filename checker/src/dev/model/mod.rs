//! The timing model beside measurements: `checker dev times`, `checker dev model`.

pub mod compare;
mod count;
mod fit;
pub mod measure;
mod plot;
mod points;
