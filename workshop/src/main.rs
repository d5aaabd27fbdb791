//! `workshop`: see [`workshop`] the library for what it does.

use std::process::ExitCode;

use workshop::cli::Cli;

fn main() -> ExitCode {
    checker::command::start(Cli::run)
}
