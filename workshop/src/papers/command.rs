//! The command: experiments selected, repeated, printed.

use std::process::ExitCode;

use clap::Args;
use records::{Provenance, Record};

use super::published::select;
use super::{compare, lookup, text};
use crate::command_line::CommandLine;
use crate::date::today;
use crate::result::ResultOptions;
use crate::sources::workspace;
use checker::options::EngineOptions;
use judge::exit::{self, Stop};
use judge::progress::Progress;
use judge::setup::{EngineChoice, Setup};

/// Repeat the experiments of the reports that the labs come from, beside their figures
#[derive(Debug, Args)]
pub struct Papers {
    /// Only these: `R0`, or one experiment, `R0/grayscale`
    #[arg(value_name = "REPORT")]
    names: Vec<String>,
    // Without `--gpu`, each report's own GPU, where it is modelled.
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    result: ResultOptions,
}

impl Papers {
    /// Repeats the experiments, writes and prints them.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let (selected, workspace) = (select(&self.names)?, workspace()?);
        let (engine, gpu) = self.engine.named()?;
        let progress = Progress::new();
        let mut reports = Vec::new();
        for selection in &selected {
            let gpu = gpu.unwrap_or_else(|| lookup::own_gpu(selection.report));
            let setup = Setup::new(engine, gpu, &progress)?;
            reports.push(compare::report(selection, &setup, &workspace, &progress)?);
        }
        drop(progress);
        let reports = records::Papers { version: env!("CARGO_PKG_VERSION").to_owned(), reports };
        let right = compare::all_right(&reports);
        // A prediction is the same on any day.
        let date = reports.reports.iter().any(records::papers::Paper::is_measured).then(today);
        let command = self.command(engine).into();
        let record = Record::new(Provenance { date, command, ..Provenance::default() }, reports);
        self.result.write(&record)?;
        self.result.print(&record, || text::text(&record.content))?;
        Ok(exit::verdict(right))
    }

    fn command(&self, engine: EngineChoice) -> CommandLine {
        let line = self.names.iter().fold(CommandLine::of::<records::Papers>(), CommandLine::word);
        let engine = match engine {
            EngineChoice::Auto => None,
            EngineChoice::Gpu => Some("gpu"),
            EngineChoice::Simulator => Some("sim"),
        };
        let line = line.option("--engine", engine).file("--out", self.result.out.as_deref());
        if self.result.json { line.word("--json") } else { line }
    }
}
