//! Listing the subcommands of a program, and starting one.

use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use judge::exit::{self, Stop};
use judge::wrap::hanging;

/// Declares the subcommands of a program. Each is the type of its options; the type's doc comment is the help text, and
/// its method `run` runs the command. A new command is one such type and one line here.
#[macro_export]
macro_rules! commands {
    ($(#[$attribute:meta])* pub enum $name:ident { $($(#[$option:meta])* $command:ident($options:ty),)* }) => {
        $(#[$attribute])*
        #[derive(Debug, clap::Subcommand)]
        #[allow(missing_docs, reason = "the type of its options documents a command")]
        pub enum $name { $($(#[$option])* $command($options),)* }

        impl $name {
            /// Runs the command.
            pub fn run(self) -> Result<std::process::ExitCode, judge::exit::Stop> {
                match self { $(Self::$command(options) => options.run(),)* }
            }
        }
    };
}

/// Parses the command line, runs the command, and prints the error if there is one.
pub fn start<P: Parser>(run: impl FnOnce(P) -> Result<ExitCode, Stop>) -> ExitCode {
    let parsed = match P::try_parse() {
        Ok(parsed) => parsed,
        Err(error) => {
            // `--help` and `--version` also end here, and are not errors.
            let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            // If the terminal is gone, there is nowhere to report that.
            let _ = error.print();
            return ExitCode::from(if asked { exit::PASSED } else { exit::USAGE });
        }
    };
    run(parsed).unwrap_or_else(|stop| {
        eprintln!("{}", hanging("error: ", &stop.to_string()));
        ExitCode::from(stop.code())
    })
}

/// Run kernels for another process of this program
#[derive(Debug, clap::Args)]
pub struct Worker {
    /// The process to end with.
    #[arg(long)]
    parent: u32,
}

impl Worker {
    /// Serves the parent until it closes the channel.
    pub fn run(self) -> Result<ExitCode, Stop> {
        // Elsewhere than on Linux, and if the parent has just ended, the closed channel ends the loop.
        let _ = sandbox::die_with_parent(self.parent);
        runtime::worker::serve()
            .map_err(|error| Stop::environment(format!("the worker process lost its parent: {error}")))?;
        Ok(ExitCode::from(exit::PASSED))
    }
}
