//! For those who work on the workbook: its own kernels checked and measured.

mod again;
pub mod counters;
mod date;
pub mod differential;
mod expectation;
pub mod limits;
pub mod link;
pub mod matrix;
pub mod micro;
pub mod model;
mod profiler;
pub mod programs;
pub mod references;
pub mod repeat;
pub(crate) mod rungs;
pub mod scores;
pub mod totals;
pub mod verify;

pub(crate) use date::today;
