//! The command `checker`. The library [`checker`] does the work.

use std::process::ExitCode;

use checker::cli::Cli;

fn main() -> ExitCode {
    checker::command::start(Cli::run)
}
