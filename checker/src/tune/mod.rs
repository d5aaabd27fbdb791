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

use clap::Args;
use lab::{Lab, Task};
use simulator::model::Gpu;

use plan::{Setting, levels, setting, size};

use crate::exit::{self, Stop};
use crate::options::{EngineOptions, LabOptions, SourceOptions};
use crate::output;
use crate::progress::Progress;
use crate::setup::{EngineChoice, Setup};
use crate::submission::{self, Part, Submission};

const HELP: &str = "\
A constant is tunable if its values stand behind it:
  constexpr int block_size = 256;  // tune: 64 128 256 512";

/// Sweep tunable constants, image sizes and numbers of levels
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct Tune {
    #[command(flatten)]
    lab: LabOptions,
    #[command(flatten)]
    source: SourceOptions,
    /// Values of a constant, instead of those the file names: `--set block_size=64,128`
    #[arg(long, value_name = "NAME=V,V")]
    set: Vec<String>,
    /// Image sizes, such as `640x426,3840x2160`; the lab's own if not given
    #[arg(long, value_name = "WxH", value_delimiter = ',')]
    size: Vec<String>,
    /// Gray levels of a random image (1 to 256), instead of a scene
    #[arg(long, value_name = "N", value_delimiter = ',')]
    levels: Vec<usize>,
    /// The most combinations to try
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
    #[command(flatten)]
    engine: EngineOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Draw the sweep to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl Tune {
    /// Sweeps, prints, draws.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let (lab, tasks) = self.lab.chosen()?;
        let (engine, gpu) = self.engine.chosen()?;
        // Of a rung, the tasks that it is about.
        let Part { submission, tasks } = submission::of_lab(lab, &self.source.source(), &tasks)?;
        let order = Order {
            lab,
            tasks,
            set: self.set.iter().map(|text| setting(text)).collect::<Result<_, _>>()?,
            sizes: self.size.iter().map(|text| size(text)).collect::<Result<_, _>>()?,
            levels: levels(self.levels)?,
            limit: self.limit,
            engine,
            gpu,
            json: self.json,
            svg: self.svg,
        };
        run(&order, &submission)
    }
}

/// What to sweep.
struct Order {
    /// The lab.
    lab: &'static dyn Lab,
    /// Its tasks.
    tasks: Vec<&'static dyn Task>,
    /// Values of constants, instead of those the file names.
    set: Vec<Setting>,
    /// Width and height of images; none: the task's own.
    sizes: Vec<(usize, usize)>,
    /// Gray levels of random images; none: the task's own picture.
    levels: Vec<usize>,
    /// The most combinations.
    limit: usize,
    /// The engine.
    engine: EngineChoice,
    /// The GPU that times are predicted for.
    gpu: &'static Gpu,
    /// As JSON.
    json: bool,
    /// Drawn to this file.
    svg: Option<PathBuf>,
}

/// Sweeps, prints a table or JSON, draws. Passed means that some combination of each task counts.
fn run(order: &Order, submission: &Submission) -> Result<ExitCode, Stop> {
    let constants = constants::find(&submission.text).map_err(Stop::Usage)?;
    let plan = plan::plan(order, submission, &constants)?;
    if let Some(path) = &order.svg {
        plot::check(path)?;
    }
    let progress = Progress::new();
    let setup = Setup::new(order.engine, order.gpu, &progress)?;
    let swept = sweep::sweep(order, &plan, submission, &setup, &mut |what| progress.say(what))?;
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
