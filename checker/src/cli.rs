//! The command line of `checker`.

mod completions;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser};

use crate::check::Check;
use crate::cluster::GradeTask;
use crate::command::Worker;
use crate::course::CourseCommand;
use crate::device::Device;
use crate::doctor::Doctor;
use crate::examples::Try;
use crate::explain::Explain;
use crate::grade::Grade;
use crate::hint::Hint;
use crate::illustrate::Illustrate;
use crate::init::Init;
use crate::ladder::Ladder;
use crate::new_lab::NewLab;
use crate::package::{Autograde, Package};
use crate::pages::Book;
use crate::profile::Profile;
use crate::tune::Tune;
use crate::watch::Watch;
use completions::Completions;
use judge::build::CompilerWorker;
use judge::exit::{self, Stop};

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

/// Columns of the help.
const COLUMNS: usize = 100;

/// The help of `checker` itself and of each of its commands: the words on the command line, and what `--help` prints.
pub fn helps() -> Vec<(String, String)> {
    let mut whole = Cli::command().term_width(COLUMNS);
    whole.build();
    let mut helps = Vec::new();
    collect("checker", &mut whole, &mut helps);
    helps
}

fn collect(words: &str, command: &mut clap::Command, helps: &mut Vec<(String, String)>) {
    helps.push((words.to_owned(), command.render_long_help().to_string()));
    for below in command.get_subcommands_mut() {
        if !below.is_hide_set() && below.get_name() != "help" {
            let words = format!("{words} {}", below.get_name());
            collect(&words, below, helps);
        }
    }
}

/// Whether these words, `checker` among them, are a command that exists, with options that exist.
pub fn understood(words: &[&str]) -> Result<(), String> {
    match Cli::try_parse_from(words) {
        Ok(_) => Ok(()),
        Err(error) if !error.use_stderr() => Ok(()),
        Err(error) => Err(error.to_string()),
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
