//! `workshop reports`: the experiments of the five reports that the labs come from, repeated here, and what
//! was published beside what comes out, ratio by ratio. Nothing is judged: hardware, images and compilers
//! differ, and the ratio is shown whatever it is.

mod compare;
mod lookup;
mod measure;
mod published;
mod text;

use compare::Comparison;
use published::{Selection, select};

use std::process::ExitCode;

use clap::Args;
use simulator::model::Gpu;

use crate::date::today;
use checker::exit::{self, Stop};
use checker::options::EngineOptions;
use checker::output;
use checker::progress::Progress;
use checker::setup::EngineChoice;
use checker::setup::Setup;
use checker::workspace::{Workspace, current_folder};

/// Repeat the experiments of the reports that the labs come from, beside their figures
#[derive(Debug, Args)]
pub struct Reports {
    /// Only these: `R0`, or one experiment, `R0/grayscale`
    #[arg(value_name = "REPORT")]
    names: Vec<String>,
    // Without `--gpu`, each report's own GPU, where it is modelled.
    #[command(flatten)]
    engine: EngineOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Reports {
    /// Runs and prints.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let (engine, gpu) = self.engine.named()?;
        run(&select(&self.names)?, engine, gpu, self.json)
    }
}

fn run(
    selected: &[Selection],
    engine: EngineChoice,
    gpu: Option<&'static Gpu>,
    json: bool,
) -> Result<ExitCode, Stop> {
    let here = current_folder()?;
    let workspace = Workspace::find(&here)?;
    let progress = Progress::new();
    let mut compared = Vec::new();
    for selection in selected {
        let gpu = gpu.unwrap_or_else(|| lookup::own_gpu(selection.report));
        let setup = Setup::new(engine, gpu, &progress)?;
        compared.push(compare::report(selection, &setup, &workspace, &progress)?);
    }
    drop(progress);
    let comparison = Comparison {
        version: env!("CARGO_PKG_VERSION"),
        command: "workshop reports --json",
        date: compared.iter().any(|report| report.driver.is_some()).then(today),
        reports: compared,
    };
    if json {
        output::json(&comparison)?;
    } else {
        output::text(&text::text(&comparison))?;
    }
    Ok(exit::verdict(comparison.all_right()))
}
