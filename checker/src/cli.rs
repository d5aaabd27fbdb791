//! The command line of `checker`.

use std::process::ExitCode;

use clap::Parser;

use crate::build::CompilerWorker;
use crate::check::Check;
use crate::command::Worker;
use crate::device::Device;
use crate::exit::{self, Stop};
use crate::grade::Grade;
use crate::ladder::Ladder;
use crate::tune::Tune;

/// Compiles a lab's CUDA file, checks it, explains its faults, and scores it.
#[derive(Debug, Parser)]
#[command(name = "checker", version, about, after_help = exit::HELP, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// The file to check; without a lab, an overview of all labs.
    #[command(flatten)]
    check: Check,
    /// The other commands.
    #[command(subcommand)]
    command: Option<Command>,
}

crate::commands! {
    /// All commands but the check of a lab.
    pub enum Command {
        Device(Device),
        Grade(Grade),
        Ladder(Ladder),
        Tune(Tune),
        #[command(hide = true)]
        Worker(Worker),
        #[command(hide = true)]
        Compiler(CompilerWorker),
    }
}

impl Cli {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode, Stop> {
        match self.command {
            Some(command) => command.run(),
            None => self.check.run(),
        }
    }
}
