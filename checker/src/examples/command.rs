//! `checker try NAME`: runs an example of the book.

use std::process::ExitCode;

use clap::Args;

use super::example::{load, named};
use super::run::{Tried, Workbench};
use super::text::{list, text};
use crate::options::EngineOptions;
use crate::output;
use judge::exit::{self, Stop};
use judge::progress::Progress;
use judge::setup::Setup;
use judge::workspace::{Workspace, current_folder};

/// Run a small kernel of the book; without a name, list them
#[derive(Debug, Args)]
pub struct Try {
    /// The example, such as `coalescing`: a file of `book/examples/`
    name: Option<String>,
    #[command(flatten)]
    engine: EngineOptions,
}

impl Try {
    /// Runs the example, and prints what it cost.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let workspace = Workspace::find(&current_folder()?)?;
        let Some(name) = &self.name else {
            output::text(&list(&load(workspace.root())?))?;
            return Ok(ExitCode::from(exit::PASSED));
        };
        let example = named(workspace.root(), name)?;
        let (engine, gpu) = self.engine.chosen()?;
        let progress = Progress::new();
        let setup = Setup::new(engine, gpu, &progress)?.confined()?;
        progress.say("compiling");
        let tried = match Workbench::new(&example, &setup)? {
            Ok(mut workbench) => {
                progress.say("running");
                Tried::Ran(workbench.run()?)
            }
            Err(findings) => Tried::Refused(findings),
        };
        drop(progress);
        setup.tell_if_unconfined();
        output::text(&text(&example, &setup, &tried))?;
        Ok(exit::verdict(matches!(tried, Tried::Ran(_))))
    }
}
