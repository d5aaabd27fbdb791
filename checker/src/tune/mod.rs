//! `checker tune lab1`: the file judged and timed once for every combination of its tunable constants, of image sizes
//! and of numbers of gray levels.
//!
//! A combination counts if it compiles, if every case of up to 10,000 pixels is right, and if the timed image is. Larger
//! cases are left to `checker lab1`: a sweep is to be quick.

mod constants;
mod plan;
mod plot;
mod sweep;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use lab::{Lab, Task};
use simulator::timing::Gpu;

pub use plan::{Setting, levels, setting, size};

use crate::config::{EngineChoice, Source};
use crate::exit::{self, Stop};
use crate::progress::Progress;
use crate::setup::Setup;
use crate::{check, output};

/// What to sweep.
pub struct Order {
    /// The lab.
    pub lab: &'static dyn Lab,
    /// Its tasks.
    pub tasks: Vec<&'static dyn Task>,
    /// The file.
    pub source: Source,
    /// Values of constants, instead of those the file names.
    pub set: Vec<Setting>,
    /// Width and height of images; none: the task's own.
    pub sizes: Vec<(usize, usize)>,
    /// Gray levels of random images; none: the task's own picture.
    pub levels: Vec<usize>,
    /// The most combinations.
    pub limit: usize,
    /// The engine.
    pub engine: EngineChoice,
    /// The GPU that times are predicted for.
    pub gpu: &'static Gpu,
    /// As JSON.
    pub json: bool,
    /// Drawn to this file.
    pub svg: Option<PathBuf>,
}

/// Sweeps, prints a table or JSON, draws. Passed means that some combination of each task counts.
pub fn run(order: &Order) -> Result<ExitCode, Stop> {
    let submission = check::submission(order.lab, &order.source)?;
    let constants = constants::find(&submission.text).map_err(Stop::Usage)?;
    let plan = plan::plan(order, &submission, &constants)?;
    if let Some(path) = &order.svg {
        plot::check(path)?;
    }
    let progress = Progress::new();
    let setup = Setup::new(order.engine, order.gpu, &progress)?;
    let swept = sweep::sweep(order, &plan, &submission, &setup, &mut |what| progress.say(what))?;
    drop(progress);
    if order.json {
        output::json(&swept)?;
    } else {
        output::text(&table::table(&swept))?;
    }
    // After the table: a full disk must not cost it.
    if let Some(path) = &order.svg {
        plot::save(path, &swept)?;
        eprintln!("drawn to `{}`", path.display());
    }
    let counts = |task: &&dyn Task| swept.rows.iter().any(|row| row.task == task.name() && row.valid);
    Ok(exit::verdict(order.tasks.iter().all(|task| counts(&(*task as &dyn Task)))))
}
