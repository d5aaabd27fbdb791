//! What every program with subcommands needs: where they are listed, and how one is started.

use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use crate::exit::{self, Stop};
use crate::render::hanging;

/// The subcommands of a program. Each is the type of its options, whose doc comment is its help and whose method `run` carries
/// it out: a new command is one such type and one line here.
#[macro_export]
macro_rules! commands {
    ($(#[$attribute:meta])* pub enum $name:ident { $($(#[$option:meta])* $command:ident($options:ty),)* }) => {
        $(#[$attribute])*
        #[derive(Debug, clap::Subcommand)]
        #[allow(missing_docs, reason = "the type of its options says what a command does")]
        pub enum $name { $($(#[$option])* $command($options),)* }

        impl $name {
            /// Carries the command out.
            pub fn run(self) -> Result<std::process::ExitCode, $crate::exit::Stop> {
                match self { $(Self::$command(options) => options.run(),)* }
            }
        }
    };
}

/// Parses the command line, runs, prints what stopped it.
pub fn start<P: Parser>(run: impl FnOnce(P) -> Result<ExitCode, Stop>) -> ExitCode {
    let parsed = match P::try_parse() {
        Ok(parsed) => parsed,
        Err(error) => {
            // `--help` and `--version` come here too, and are no errors.
            let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            // Nothing is left to say to a terminal that has gone away.
            let _ = error.print();
            return ExitCode::from(if asked { exit::PASSED } else { exit::USAGE });
        }
    };
    run(parsed).unwrap_or_else(|stop| {
        eprintln!("{}", hanging("error: ", &stop.to_string()));
        ExitCode::from(stop.code())
    })
}

/// Runs kernels on behalf of another process of this program
#[derive(Debug, clap::Args)]
pub struct Worker {}

impl Worker {
    /// Serves the parent until it closes the channel.
    pub fn run(self) -> Result<ExitCode, Stop> {
        runtime::worker::serve()
            .map_err(|error| Stop::environment(format!("the worker lost its parent: {error}")))?;
        Ok(ExitCode::from(exit::PASSED))
    }
}
