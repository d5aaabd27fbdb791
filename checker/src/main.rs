//! `checker`: see [`checker`] the library for what it does.

use std::process::ExitCode;

use checker::cli::Cli;

fn main() -> ExitCode {
    checker::command::start(Cli::run)
}
