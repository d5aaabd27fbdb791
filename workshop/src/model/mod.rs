//! The timing model beside measurements: `workshop times`, `workshop model`.

mod ablate;
mod cache;
mod compare;
mod count;
mod counts;
mod cross;
mod fit;
mod interval;
mod mechanisms;
mod plot;
mod ready;
mod summary;
mod times;

pub use compare::Model;
pub use times::{Times, measured};
