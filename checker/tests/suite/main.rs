//! The checker from outside: output and exit codes of the real binary; the worker; the runtime's test files.

mod advice;
mod beginners;
mod bounds;
mod causes;
mod commands;
mod common;
mod course;
mod editor;
mod grade;
mod guide;
mod harm;
mod lanes;
mod machine;
mod measured;
mod messages;
mod mistakes;
mod nvrtc;
mod odd;
mod pipeline;
mod repairs;
mod scans;
mod second_week;
mod shown;
mod sight;
mod slips;
mod smoothing;
mod solution;
mod stages;
mod swapped;
mod trial;
mod units;
mod usage;
mod vectors;
mod worker;
mod working;
mod writers;

/// The program that [`common`] runs.
const BINARY: &str = env!("CARGO_BIN_EXE_checker");
