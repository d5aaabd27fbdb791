//! The command: its options, and the run.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use lab::Task;

use super::options::Options;
use super::setting::{levels, once, setting, size};
use super::{plan, plot, sweep, table};
use crate::options::{EngineOptions, LabOptions, SourceOptions};
use crate::output;
use crate::sweeps::Sweeps;
use judge::exit::{self, Stop};
use judge::progress::Progress;
use judge::setup::Setup;
use judge::submission::{self, Part, Source, Submission};
use judge::supervise;
use judge::tunable;

const HELP: &str = "\
To make a constant tunable, write its values after it:
  constexpr int block_size = 256;  // tune: 64 128 256 512";

/// Sweep tunable constants, image sizes and numbers of levels; for practice: its pictures are the same each time
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct Tune {
    #[command(flatten)]
    lab: LabOptions,
    #[command(flatten)]
    source: SourceOptions,
    /// Values of a constant, instead of those in the file: `--set block_size=64,128`
    #[arg(long, value_name = "NAME=V,V")]
    set: Vec<String>,
    /// Image sizes, such as `640x426,3840x2160`; the lab's own if not given
    #[arg(long, value_name = "WxH", value_delimiter = ',')]
    size: Vec<String>,
    /// Gray levels of a random image (1 to 256), instead of a scene
    #[arg(long, value_name = "N", value_delimiter = ',')]
    levels: Vec<usize>,
    /// Try all combinations of a task's constants; else one constant after the other where they are more than 16
    #[arg(long)]
    all: bool,
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
    /// Do not remember that these constants were swept: later reports may advise it again
    #[arg(long)]
    no_history: bool,
}

impl Tune {
    /// Sweeps, prints, draws.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let (lab, tasks) = self.lab.chosen()?;
        let (engine, gpu) = self.engine.chosen()?;
        let source = self.source.source();
        // With a rung, only its own tasks are swept.
        let Part { submission, tasks } = submission::of_lab(lab, &source, &tasks)?;
        let options = Options {
            lab,
            tasks,
            set: self.set.iter().map(|text| setting(text)).collect::<Result<_, _>>()?,
            sizes: once(self.size.iter().map(|text| size(text)).collect::<Result<_, _>>()?),
            levels: levels(self.levels)?,
            all: self.all,
            limit: self.limit,
            engine,
            gpu,
            json: self.json,
            svg: self.svg,
            keeps: !self.no_history && !matches!(source, Source::Solution(_)),
        };
        run(&options, &submission)
    }
}

/// Versions from which on their number is told beforehand.
const MANY: usize = 8;

/// What is told before a sweep that takes long.
fn beforehand(versions: usize) -> String {
    format!(
        "{versions} versions to try: each is compiled, checked and timed; after the first one, the time for all is told. Each is shown as it \
         is timed, so that Ctrl-C leaves what was found; `--set NAME=V,V` tries fewer values."
    )
}

/// Remembers that the marked constants were swept, each with all of its values on the task's own picture.
fn remember(options: &Options, submission: &Submission, swept: &sweep::Swept) {
    let own = options.set.is_empty() && options.sizes.is_empty() && options.levels.is_empty();
    let Some(sweeps) = Sweeps::of_user(&swept.gpu).filter(|_| options.keeps && own) else { return };
    let text = &submission.text;
    let marks = options.tasks.iter().flat_map(|task| {
        let constants = tunable::marked(text, task.name());
        constants.into_iter().map(|constant| tunable::mark(text, task.name(), &constant))
    });
    sweeps.keep(marks);
}

/// Sweeps, prints a table or JSON, draws. The verdict is "passed" if each task has a valid combination.
fn run(options: &Options, submission: &Submission) -> Result<ExitCode, Stop> {
    let constants = tunable::find(&submission.text).map_err(Stop::Usage)?;
    let plan = plan::plan(options, submission, &constants)?;
    if let Some(path) = &options.svg {
        plot::check(path)?;
    }
    let progress = Progress::new();
    if !progress.is_watched() {
        drop(progress);
        if plan.versions() >= MANY {
            eprintln!("{}", beforehand(plan.versions()));
        }
        return supervise::run_again()?.or_else(|loss| Ok(loss.tell()));
    }
    let setup = Setup::new(options.engine, options.gpu, &progress)?.confined()?;
    supervise::limit_memory(&progress, &setup.engine)?;
    let swept = sweep::sweep(options, &plan, submission, &setup, &progress)?;
    drop(progress);
    setup.tell_if_unconfined();
    if options.json {
        output::json(&swept)?;
    } else {
        output::text(&table::table(&swept))?;
    }
    // Only after the table, which a full disk must not prevent.
    if let Some(path) = &options.svg {
        plot::save(path, &swept)?;
        eprintln!("drew the sweep to `{}`", path.display());
    }
    remember(options, submission, &swept);
    let counts = |task: &&dyn Task| swept.rows.iter().any(|row| row.task == task.name() && row.valid);
    Ok(exit::verdict(options.tasks.iter().all(|task| counts(&(*task as &dyn Task)))))
}
