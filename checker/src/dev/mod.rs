//! For those who work on the workbook: its own kernels checked and measured.

mod date;
pub mod differential;
mod expectation;
pub mod matrix;
pub mod verify;
