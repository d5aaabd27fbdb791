//! The checker from outside: the real binary, its output and exit codes; the worker; the shim's units.

mod causes;
mod commands;
mod common;
mod machine;
mod messages;
mod solution;
mod swapped;
mod units;
mod usage;
mod worker;

/// The program that [`common`] runs.
const BINARY: &str = env!("CARGO_BIN_EXE_checker");
