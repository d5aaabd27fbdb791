//! `checker reports`: the experiments of the five reports that the labs come from, repeated here, and what
//! was published beside what comes out, ratio by ratio. Nothing is judged: hardware, images and compilers
//! differ, and the ratio is shown whatever it is.

mod compare;
mod lookup;
mod measure;
mod published;
mod text;

pub use compare::Comparison;
pub use published::{Selection, select};

use std::process::ExitCode;

use simulator::timing::Gpu;

use crate::config::EngineChoice;
use crate::dev::today;
use crate::exit::{self, Stop};
use crate::output;
use crate::progress::Progress;
use crate::setup::Setup;
use crate::workspace::{Workspace, current_folder};

/// What to repeat, and where.
pub struct Options {
    /// Experiments, by report.
    pub selected: Vec<Selection>,
    /// The engine.
    pub engine: EngineChoice,
    /// The GPU that times are predicted for; the report's own, where it is modelled, if not given.
    pub gpu: Option<&'static Gpu>,
    /// As JSON.
    pub json: bool,
}

/// Runs and prints.
pub fn run(options: &Options) -> Result<ExitCode, Stop> {
    let here = current_folder()?;
    let workspace = Workspace::find(&here)?;
    let progress = Progress::new();
    let mut compared = Vec::new();
    for selection in &options.selected {
        let gpu = options.gpu.unwrap_or_else(|| lookup::own_gpu(selection.report));
        let setup = Setup::new(options.engine, gpu, &progress)?;
        compared.push(compare::report(selection, &setup, &workspace, &progress)?);
    }
    drop(progress);
    let comparison = Comparison {
        version: env!("CARGO_PKG_VERSION"),
        command: "checker reports --json",
        date: compared.iter().any(|report| report.driver.is_some()).then(today),
        reports: compared,
    };
    if options.json {
        output::json(&comparison)?;
    } else {
        output::text(&text::text(&comparison))?;
    }
    Ok(exit::verdict(comparison.all_right()))
}
