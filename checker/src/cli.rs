//! The command line of `checker`.

use std::process::ExitCode;

use clap::Parser;

use crate::check::Check;
use crate::command::Worker;
use crate::device::Device;
use crate::exit::{self, Stop};
use crate::ladder::Ladder;
use crate::tune::Tune;

/// Builds a student's CUDA file, checks it, explains what is wrong, and scores it.
#[derive(Debug, Parser)]
#[command(name = "checker", version, about, after_help = exit::HELP, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// What to judge: without any, all labs at a glance.
    #[command(flatten)]
    check: Check,
    /// Everything that is not the judging of a lab.
    #[command(subcommand)]
    command: Option<Command>,
}

crate::commands! {
    /// Everything that is not the judging of a lab.
    pub enum Command {
        Device(Device),
        Ladder(Ladder),
        Tune(Tune),
        #[command(hide = true)]
        Worker(Worker),
    }
}

impl Cli {
    /// Does what was asked for.
    pub fn run(self) -> Result<ExitCode, Stop> {
        match self.command {
            Some(command) => command.run(),
            None => self.check.run(),
        }
    }
}
