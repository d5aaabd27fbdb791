//! `checker ladder lab1`: checks and times every rung; one line per rung and task.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;

use colored::Colorize;
use lab::{Lab, Task};
use serde::Serialize;
use simulator::model::Gpu;

use crate::options::{EngineOptions, LabOptions};
use crate::output;
use judge::cause::Cause;
use judge::exit::{self, Stop};
use judge::performance::TimingFixtures;
use judge::progress::Progress;
use judge::report::{Performance, Report};
use judge::rung;
use judge::setup::{EngineChoice, Setup};
use judge::submission;
use judge::verdict::{Request, judge};
use judge::workspace::{Workspace, current_folder};
use judge::wrap::shortened;
use runtime::finding::{Finding, Kind};

/// Check and time every rung of a lab's ladder of solutions (spoilers); for practice: its pictures are the same each time
#[derive(Debug, Args)]
pub struct Ladder {
    #[command(flatten)]
    lab: LabOptions,
    #[command(flatten)]
    engine: EngineOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Ladder {
    /// Checks and times all rungs.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let (lab, tasks) = self.lab.chosen()?;
        let (engine, gpu) = self.engine.chosen()?;
        run(&Options { lab, tasks, engine, gpu, json: self.json })
    }
}

/// The options, checked.
struct Options {
    lab: &'static dyn Lab,
    tasks: Vec<&'static dyn Task>,
    engine: EngineChoice,
    gpu: &'static Gpu,
    json: bool,
}

/// Columns of a rung's name, and of its finding.
const NAME: usize = 26;
const FOUND: usize = 25;

/// The ladder, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Climbed {
    version: &'static str,
    lab: String,
    engine: &'static str,
    gpu: String,
    driver: Option<String>,
    compiler: String,
    measured: bool,
    seed: u64,
    passed: bool,
    rungs: Vec<Rung>,
}

/// One rung of one task.
#[derive(Debug, Serialize)]
struct Rung {
    task: String,
    name: String,
    /// Whether its header says `level: expert`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    expert: bool,
    file: String,
    sha256: String,
    passed: bool,
    cause: Option<Cause>,
    performance: Option<Performance>,
    /// The most severe finding of this task.
    finding: Option<Finding>,
}

/// Checks every rung for its own tasks, and prints a table or JSON.
fn run(ladder: &Options) -> Result<ExitCode, Stop> {
    let here = current_folder()?;
    let workspace = Workspace::find(&here)?;
    let mut rungs = workspace.rungs(ladder.lab)?;
    rungs.retain(|rung| !rung.own(&ladder.tasks).is_empty());
    if rungs.is_empty() {
        return Err(Stop::environment(format!(
            "failed to find a rung in `{}`: check that the checkout is whole",
            workspace.shown(&workspace.solutions(ladder.lab))
        )));
    }
    let progress = Progress::new();
    let setup = Setup::new(ladder.engine, ladder.gpu, &progress)?.confined()?.remembering();
    let (mut climbed, mut fixtures): (Option<Climbed>, _) = (None, TimingFixtures::default());
    for (index, rung) in rungs.iter().enumerate() {
        let shown = workspace.shown(&rung.path);
        let submission =
            submission::read(&rung.path, &shown, ladder.lab, "check that the checkout is whole")?;
        let tasks = rung.own(&ladder.tasks);
        let request = Request::of(ladder.lab, &tasks, &submission);
        let place = format!("rung {} of {}, {}", index + 1, rungs.len(), submission.name);
        let mut say = |what: &str| progress.say(&format!("{place}: {what}"));
        let report = judge(&setup, &request, &mut fixtures, &mut say)?;
        let all = climbed.get_or_insert_with(|| blank(&report));
        all.passed &= report.passed;
        all.rungs.extend(rows(&report, rung));
    }
    drop(progress);
    setup.tell_if_unconfined();
    let Some(climbed) = climbed else { return Ok(exit::verdict(false)) };
    if ladder.json {
        output::json(&climbed)?;
    } else {
        output::text(&table(&climbed, ladder))?;
    }
    Ok(exit::verdict(climbed.passed))
}

fn blank(report: &Report) -> Climbed {
    Climbed {
        version: report.version,
        lab: report.lab.clone(),
        engine: report.engine,
        gpu: report.gpu.clone(),
        driver: report.driver.clone(),
        compiler: report.compiler.clone(),
        measured: report.measured,
        seed: report.seed,
        passed: true,
        rungs: Vec::new(),
    }
}

fn rows(report: &Report, rung: &rung::Rung) -> Vec<Rung> {
    let row = |task: &judge::report::Task| {
        let prefix = format!("{}: ", task.name);
        // A ladder leaves out the compiler's remarks on style.
        let about = |finding: &&Finding| {
            let here = finding.cases.iter().any(|case| case.starts_with(&prefix));
            finding.kind != Kind::Lint && (here || finding.cases.is_empty())
        };
        Rung {
            task: task.name.clone(),
            name: rung.name(),
            expert: rung.expert,
            file: report.file.clone(),
            sha256: report.sha256.clone(),
            passed: task.passed,
            cause: task.cause.clone(),
            performance: report.performance.iter().find(|timed| timed.task == task.name).cloned(),
            finding: report.findings.iter().find(about).cloned(),
        }
    };
    report.tasks.iter().map(row).collect()
}

fn table(climbed: &Climbed, ladder: &Options) -> String {
    let mut out = format!("{}\n", format!("{}: {}", climbed.lab, ladder.lab.title()).bold());
    let engine = match &climbed.driver {
        Some(driver) => format!("{}, driver {driver}; times are measured", climbed.gpu),
        None => format!("simulator, as {}; {}", climbed.gpu, crate::render::predicted(&climbed.gpu)),
    };
    let _ = writeln!(out, "engine    {engine}\ncompiler  {}", climbed.compiler);
    for task in &ladder.tasks {
        let _ = writeln!(out, "\n{}: {}", task.name().bold(), shortened(task.summary(), 70));
        let _ = writeln!(
            out,
            "  {:NAME$} {:7} {:>10} {:>8} {:>7} {:>8}  main finding",
            "rung", "correct", "ms", "GB/s", "share", "speedup"
        );
        for row in climbed.rungs.iter().filter(|row| row.task == task.name()) {
            let _ = writeln!(out, "{}", line(row).trim_end());
        }
    }
    let expert = if climbed.rungs.iter().any(|row| row.expert) { "\n*: expert" } else { "" };
    let _ = writeln!(
        out,
        "\nshare: of the speed of the yardstick (a kernel that only moves the same bytes)\nspeedup: over one CPU core{expert}"
    );
    out
}

fn line(row: &Rung) -> String {
    let correct =
        if row.passed { format!("{:7}", "yes").green() } else { format!("{:7}", "NO").red().bold() };
    let speed = match &row.performance {
        Some(timed) => format!(
            "{:>10.4} {:>8.1} {:>5.1} % {:>8.1}",
            1e3 * timed.seconds,
            timed.gigabytes_per_second,
            100.0 * timed.share,
            timed.speedup
        ),
        None => format!("{:>10} {:>8} {:>7} {:>8}", "-", "-", "-", "-"),
    };
    let found = row.finding.as_ref().map(|finding| {
        let line = finding.line.map(|line| format!(" line {line}")).unwrap_or_default();
        format!("{}{line}: {}", finding.code, finding.message)
    });
    let found = found.or_else(|| row.cause.as_ref().map(|cause| cause.message.clone())).unwrap_or_default();
    let level = if row.expert { " *" } else { "" };
    let name = format!("{}{level}", shortened(&row.name, NAME - level.len()));
    format!("  {name:NAME$} {correct} {speed}  {}", shortened(&found, FOUND))
}
