//! `workshop`: the library [`workshop`] describes it.

use std::process::ExitCode;

use workshop::cli::Cli;

fn main() -> ExitCode {
    checker::command::start(Cli::run)
}
