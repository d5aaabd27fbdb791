//! The command: its options, and the start.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Args;

use super::session::Session;
use super::terminal::Terminal;
use crate::options::{EngineOptions, saved_last};
use judge::exit::{self, Stop};
use judge::labs;
use judge::workspace::{Workspace, current_folder};

const HELP: &str = "\
Keys, on a terminal: h hint (again for more), p profile, t tune, n next lab, r run again, q quit.";

/// Check a lab again whenever its file is saved
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct Watch {
    /// The lab, such as `lab1`; else the one whose file was saved last
    lab: Option<String>,
    /// Check only this task
    #[arg(long, value_name = "T", requires = "lab")]
    task: Option<String>,
    #[command(flatten)]
    engine: EngineOptions,
}

impl Watch {
    /// Watches until the student quits.
    pub fn run(self) -> Result<ExitCode, Stop> {
        self.engine.chosen()?;
        let workspace = Workspace::find(&current_folder()?)?;
        let lab = match &self.lab {
            Some(name) => labs::find(name)?,
            None => saved_last(&workspace)?,
        };
        labs::tasks(lab, self.task.as_deref())?;
        let failed = |error| Stop::environment(format!("failed to make a folder for reports: {error}"));
        let folder = tempfile::tempdir().map_err(failed)?;
        let mut options: Vec<OsString> = self.engine.arguments();
        if let Some(task) = &self.task {
            options.extend(["--task".into(), task.into()]);
        }
        let session = Session {
            lab,
            workspace,
            options,
            terminal: Terminal::open(),
            report: folder.path().join("report.json"),
            last: None,
            hints: 0,
        };
        session.run()?;
        Ok(ExitCode::from(exit::PASSED))
    }
}
