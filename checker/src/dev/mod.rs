//! For those who work on the workbook: its own kernels checked and measured.

pub mod counters;
mod date;
pub mod differential;
mod expectation;
pub mod link;
pub mod matrix;
pub mod model;
pub mod programs;
pub mod references;
pub(crate) mod rungs;
pub mod verify;
