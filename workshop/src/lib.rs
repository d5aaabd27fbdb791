//! The authors' laboratory: the workbook's own kernels verified on both engines, timed, and compared with other
//! libraries and with the reports that the labs come from.
//!
//! A library only so that tests reach its parts; the product is the binary.

mod again;
pub mod attacks;
mod bench;
mod cheat;
pub mod class;
pub mod cli;
mod command_line;
pub mod counters;
mod date;
pub mod differential;
mod expectation;
mod launches;
pub mod limits;
pub mod link;
mod machine;
pub mod matrix;
pub mod micro;
pub mod model;
pub mod papers;
mod profiler;
pub mod programs;
pub mod references;
pub mod repeat;
mod result;
mod rungs;
pub mod scores;
pub mod seeds;
mod sources;
mod timed;
pub mod totals;
pub mod validate;
pub mod verify;
