//! Grading a class: from a folder or an archive of submissions to results, reports and files for other systems.
//!
//! This crate knows neither labs nor engines. It starts a program for each submission (the checker itself), which prints a
//! report as JSON, and everything after that is a pure function of those reports. So grading again, or continuing after an
//! interruption, gives the same bytes.

pub mod autograder;
pub mod class;
pub mod compare;
mod error;
pub mod export;
pub mod files;
pub mod hash;
mod job;
mod live;
pub mod page;
pub mod result;
pub mod run;
pub mod similar;

pub use error::Error;
pub use job::{Done, Job};
