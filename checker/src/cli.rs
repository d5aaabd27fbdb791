//! The command line of `checker`.

use std::process::ExitCode;

use clap::Parser;

use crate::build::CompilerWorker;
use crate::check::Check;
use crate::cluster::GradeTask;
use crate::command::Worker;
use crate::completions::Completions;
use crate::course::CourseCommand;
use crate::device::Device;
use crate::doctor::Doctor;
use crate::examples::Try;
use crate::exit::{self, Stop};
use crate::explain::Explain;
use crate::grade::Grade;
use crate::hint::Hint;
use crate::illustrate::Illustrate;
use crate::init::Init;
use crate::ladder::Ladder;
use crate::new_lab::NewLab;
use crate::package::{Autograde, Package};
use crate::profile::Profile;
use crate::reading::Book;
use crate::tune::Tune;
use crate::watch::Watch;

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
        Book(Book),
        Completions(Completions),
        Course(CourseCommand),
        Device(Device),
        Doctor(Doctor),
        Explain(Explain),
        Grade(Grade),
        Hint(Hint),
        Init(Init),
        Ladder(Ladder),
        NewLab(NewLab),
        Package(Package),
        Profile(Profile),
        Try(Try),
        Tune(Tune),
        Watch(Watch),
        #[command(hide = true)]
        Worker(Worker),
        #[command(hide = true)]
        Compiler(CompilerWorker),
        #[command(hide = true)]
        Autograde(Autograde),
        #[command(hide = true)]
        GradeTask(GradeTask),
        #[command(hide = true)]
        Illustrate(Illustrate),
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
