//! The workshop from outside: the real binary, its output and exit codes; the corpus of test programs.

#[path = "../../../checker/tests/suite/common.rs"]
mod common;

mod attacks;
mod differential;
mod papers;
mod programs;
mod scores;
mod usage;
mod verify;

/// The program that [`common`] runs.
const BINARY: &str = env!("CARGO_BIN_EXE_workshop");
