//! `checker lab1`: one file judged, its report printed.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use lab::{Lab, Task};
use simulator::model::Gpu;

use crate::album::Album;
use crate::exit::{self, Stop};
use crate::judge::{Order, judge_all};
use crate::labs;
use crate::options::{EngineOptions, SourceOptions};
use crate::output;
use crate::overview;
use crate::performance::TimingFixtures;
use crate::progress::Progress;
use crate::render;
use crate::setup::{EngineChoice, Setup};
use crate::submission::{self, Source, Submission};

/// Of random images, unless another seed is given.
const SEED: u64 = 1;

/// Judge a lab's file
#[derive(Debug, Args)]
pub struct Check {
    /// The lab to check, such as `lab1`; without it, all labs at a glance
    lab: Option<String>,
    #[command(flatten)]
    source: SourceOptions,
    /// Judge only this task
    #[arg(long, value_name = "T", requires = "lab")]
    task: Option<String>,
    #[command(flatten)]
    engine: EngineOptions,
    /// Print the report as JSON
    #[arg(long, requires = "lab")]
    json: bool,
    /// Selects the values of random images
    #[arg(long, value_name = "N", default_value_t = SEED, requires = "lab")]
    seed: u64,
    /// Write the outputs of failed cases to this folder as PNG: found, expected, and the difference
    #[arg(long, value_name = "DIR", requires = "lab")]
    save: Option<PathBuf>,
}

impl Check {
    /// Judges and prints; without a lab, shows all labs.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let Some(name) = &self.lab else {
            return if self.source.is_default() && self.engine.is_default() {
                overview::run()
            } else {
                Err(Stop::Usage("name the lab that these options are for, such as `checker lab1`".into()))
            };
        };
        let lab = labs::find(name)?;
        let (engine, gpu) = self.engine.chosen()?;
        run(&Options {
            lab,
            tasks: labs::tasks(lab, self.task.as_deref())?,
            source: self.source.source(),
            engine,
            gpu,
            json: self.json,
            seed: self.seed,
            save: self.save,
        })
    }
}

/// The options, checked.
struct Options {
    lab: &'static dyn Lab,
    tasks: Vec<&'static dyn Task>,
    source: Source,
    engine: EngineChoice,
    gpu: &'static Gpu,
    json: bool,
    seed: u64,
    save: Option<PathBuf>,
}

/// Judges and prints.
fn run(check: &Options) -> Result<ExitCode, Stop> {
    let parts = submission::parts(check.lab, &check.source, &check.tasks)?;
    let album = check.save.as_deref().map(Album::open).transpose()?;
    let progress = Progress::new();
    let setup = Setup::new(check.engine, check.gpu, &progress)?;
    let orders: Vec<Order<'_>> = parts
        .iter()
        .map(|part| Order {
            lab: check.lab,
            tasks: &part.tasks,
            submission: &part.submission,
            seed: check.seed,
            command: command(check, &part.submission),
            timed: true,
            album: album.as_ref(),
        })
        .collect();
    let report = judge_all(&setup, &orders, &mut TimingFixtures::default(), &mut |what| progress.say(what))?;
    drop(progress);
    let submissions: Vec<&Submission> = parts.iter().map(|part| &part.submission).collect();
    if check.json {
        output::json(&report)?;
    } else {
        output::text(&render::text(&report, &submissions))?;
    }
    // After the report: a full disk must not cost it.
    if let Some(album) = album {
        eprintln!("{}", render::hanging("", &album.close()?));
    }
    Ok(exit::verdict(report.passed))
}

/// What judges the same file again.
fn command(check: &Options, submission: &Submission) -> String {
    let lab = check.lab.name();
    match &check.source {
        Source::Own => format!("checker {lab}"),
        Source::File(_) => format!("checker {lab} --file {}", submission.shown),
        Source::Solution(None) => format!("checker {lab} --solution"),
        Source::Solution(Some(number)) => format!("checker {lab} --solution {number}"),
    }
}
