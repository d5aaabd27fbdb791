//! The command: its options, and the run.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use lab::Task;
use serde::Serialize;

use super::gather::{self, Accesses, Roof};
use super::{html, text};
use crate::options::{EngineOptions, LabOptions, SourceOptions};
use crate::output;
use crate::sweeps::Sweeps;
use judge::blanks;
use judge::build::{self, BuildError};
use judge::exit::{self, Stop};
use judge::progress::Progress;

use judge::next;
use judge::performance::TimingFixtures;
use judge::setup::{EngineChoice, Setup};
use judge::submission::{self, Part};
use judge::supervise;
use judge::verdict::{self, Request};

const HELP: &str = "\
Kernels run in the simulator, and times are predicted for the GPU that `--gpu` names.";

/// Show what each line of a file costs, and why
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct Profile {
    #[command(flatten)]
    lab: LabOptions,
    #[command(flatten)]
    source: SourceOptions,
    #[command(flatten)]
    engine: EngineOptions,
    /// Write a page with the source as a heat map, the roofline, and the accesses of a line
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Draw the accesses of this line in the page; else those of the most expensive line
    #[arg(long, value_name = "N", requires = "html")]
    line: Option<u32>,
    /// Show all lines that do something, not only the most expensive ones
    #[arg(long)]
    verbose: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A profile, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Profiles {
    version: &'static str,
    lab: String,
    file: String,
    sha256: String,
    gpu: String,
    compiler: String,
    tasks: Vec<gather::Profiled>,
    /// By task, why there is no profile of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    without: Vec<String>,
}

impl Profile {
    /// Runs the tasks, and prints their lines.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let (lab, tasks) = self.lab.chosen()?;
        let (_, gpu) = self.engine.chosen()?;
        let source = self.source.source();
        let Part { submission, tasks } = submission::of_lab(lab, &source, &tasks)?;
        let own = source.check(lab, &submission.shown);
        if let Some(path) = &self.html {
            writable(path)?;
        }
        let progress = Progress::new();
        if !progress.is_watched() {
            drop(progress);
            return supervise::run_again()?.or_else(|loss| Ok(loss.tell()));
        }
        let setup = Setup::new(EngineChoice::Simulator, gpu, &progress)?.confined()?.remembering();
        supervise::begin(&progress, &setup.engine)?;
        progress.say("compiling");
        let swept = Sweeps::tried(gpu.title);
        let all: Vec<&dyn Task> = tasks.iter().map(|task| *task as &dyn Task).collect();
        let check = format!("run `{own}` first, which explains it");
        let build = match build::build(&setup.submissions(), &submission, &all, setup.targets) {
            Ok(build) => build,
            Err(BuildError::Stop(stop)) => return Err(stop),
            Err(BuildError::Source(_)) => {
                drop(progress);
                let text = format!("`{}` does not compile; {check}", submission.shown);
                eprintln!("{}", judge::wrap::hanging("error: ", &text));
                return Ok(exit::verdict(false));
            }
        };
        let mut profiles = Profiles {
            version: env!("CARGO_PKG_VERSION"),
            lab: lab.name().to_owned(),
            file: submission.shown.clone(),
            sha256: submission.sha256.clone(),
            gpu: gpu.title.to_owned(),
            compiler: setup.compiler_name(),
            tasks: Vec::new(),
            without: Vec::new(),
        };
        let request = Request { timed: false, swept: &swept, ..Request::of(lab, &tasks, &submission) };
        let report =
            verdict::judge(&setup, &request, &mut TimingFixtures::default(), &mut |what| progress.say(what))?;
        for &task in &tasks {
            progress.say(&format!("{}: profiling", task.name()));
            let missing = build.missing.iter().any(|name| name == task.name());
            let profiled = if missing {
                Err("the file does not define it".to_owned())
            } else if let Some(empty) = blanks::not_started(&submission.text, task) {
                Err(format!("it is not started: {empty}"))
            } else {
                let accesses = self.line.map_or(Accesses::Dearest, Accesses::Line);
                gather::profiled(task, &submission, &build, &setup, accesses, (&own, Some(&report)))?
            };
            let fault = next::fault(&report, task.name());
            match profiled {
                Ok(profiled) => profiles.tasks.push(profiled.with_fault(fault, &own)),
                Err(why) => profiles.without.push(format!("no profile of `{}`: {why}; {check}", task.name())),
            }
        }
        drop(progress);
        setup.tell_if_unconfined();
        if self.json {
            output::json(&profiles)?;
        } else {
            output::text(&text::text(&profiles.tasks, &submission.text, gpu.title, self.verbose))?;
        }
        for why in &profiles.without {
            eprintln!("{}", judge::wrap::hanging("note: ", &cuda::text::clean(why)));
        }
        if let Some(path) = &self.html {
            let page =
                html::page(&profiles.tasks, &submission.text, &submission.shown, gpu.title, &Roof::of(gpu));
            write(path, &page)?;
            eprintln!("wrote the page `{}`", path.display());
        }
        Ok(exit::verdict(!profiles.tasks.is_empty()))
    }
}

/// Whether the page can be written, before the file is run.
fn writable(path: &Path) -> Result<(), Stop> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if folder.is_dir() && !path.is_dir() {
        return Ok(());
    }
    Err(Stop::Usage(format!("failed to write `{}`: name a file in a folder that exists", path.display())))
}

fn write(path: &Path, page: &str) -> Result<(), Stop> {
    std::fs::write(path, page)
        .map_err(|error| Stop::environment(format!("failed to write `{}`: {error}", path.display())))
}
