//! The checker from outside: output and exit codes of the real binary; the worker; the runtime's test files.

mod bounds;
mod causes;
mod cheats;
mod commands;
mod common;
mod grade;
mod harm;
mod machine;
mod messages;
mod nvrtc;
mod solution;
mod swapped;
mod units;
mod usage;
mod worker;

/// The program that [`common`] runs.
const BINARY: &str = env!("CARGO_BIN_EXE_checker");
