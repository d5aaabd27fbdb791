//! The timing model beside measurements: `workshop times`, `workshop model`.

mod compare;
mod count;
mod counts;
mod fit;
mod measure;
mod plot;

pub use compare::Model;
pub use measure::Times;
