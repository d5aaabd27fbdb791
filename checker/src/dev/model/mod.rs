//! The timing model beside measurements: `checker dev times`, `checker dev model`.

pub mod measure;
mod points;
