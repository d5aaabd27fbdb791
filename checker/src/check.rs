//! `checker lab1`: checks one file, and prints the report.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use lab::{Lab, Task};
use simulator::model::Gpu;

use crate::album::Album;
use crate::history::{Attempt, History};
use crate::options::{EngineOptions, SourceOptions};
use crate::output;
use crate::overview;
use crate::render;
use crate::sweeps::Sweeps;
use judge::call::PUBLIC_SEED;
use judge::chance;
use judge::course::{Course, CourseOptions};
use judge::exit::{self, Stop};
use judge::labs;
use judge::performance::TimingFixtures;
use judge::progress::Progress;
use judge::report::Report;
use judge::setup::{EngineChoice, Setup};
use judge::submission::{self, Part, Source, Submission};
use judge::supervise::{self, Loss};
use judge::verdict::{self, Request, judge_all};
use judge::workspace::{Workspace, current_folder};
use judge::wrong::Gallery;

/// Check a lab's file
#[derive(Debug, Args)]
pub struct Check {
    /// The lab to check, such as `lab1`; without it, an overview of all labs
    lab: Option<String>,
    /// Further words, which a mistaken command has
    #[arg(hide = true)]
    more: Vec<String>,
    #[command(flatten)]
    source: SourceOptions,
    /// Check only this task
    #[arg(long, value_name = "T", requires = "lab")]
    task: Option<String>,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    course: CourseOptions,
    /// Print the report as JSON
    #[arg(long, requires = "lab")]
    json: bool,
    /// Print every case, every finding in full, and the score line by line
    #[arg(long, short, requires = "lab", conflicts_with = "json")]
    verbose: bool,
    /// Seed of the random images
    #[arg(long, value_name = "N", default_value_t = PUBLIC_SEED, requires = "lab")]
    seed: u64,
    /// Take all that is random from this text instead, which no submission may know: for grading. Read from the variable
    /// `WORKBOOK_SECRET_SEED` too, so that the list of processes does not show it
    #[arg(long, value_name = "TEXT", requires = "lab", conflicts_with = "seed")]
    secret_seed: Option<String>,
    /// The same, from the first line of this file
    #[arg(long, value_name = "FILE", requires = "lab", conflicts_with_all = ["seed", "secret_seed"])]
    secret_seed_file: Option<PathBuf>,
    /// Write the outputs of failed cases to this folder as PNG: found, expected, and the difference
    #[arg(long, value_name = "DIR", requires = "lab")]
    save: Option<PathBuf>,
    /// Also write the report to this file, as JSON
    #[arg(long, value_name = "FILE", requires = "lab")]
    report: Option<PathBuf>,
    #[command(flatten)]
    beside: BesideOptions,
}

/// What a check does beside its verdict, unless it is told not to
#[derive(Debug, clap::Args)]
struct BesideOptions {
    /// Do not keep this attempt in the history, which the overview shows
    #[arg(long, requires = "lab")]
    no_history: bool,
    /// Do not search for a small change that makes a wrong task right, which takes some seconds
    #[arg(long, requires = "lab")]
    no_search: bool,
}

/// The process that grades a class, and with which this one ends.
pub const GRADED_BY: &str = "WORKBOOK_GRADED_BY";

/// Lets this process end with the one that grades, if that started it.
pub fn end_with_grader() {
    if let Some(grader) = std::env::var(GRADED_BY).ok().and_then(|parent| parent.parse().ok()) {
        // Where this is not possible, this process ends by itself, soon enough.
        let _ = sandbox::die_with_parent(grader);
    }
}

impl Check {
    /// Checks and prints; without a lab, prints the overview.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let Some(name) = &self.lab else {
            return if self.source.is_default() && self.engine.is_default() {
                overview::run(&self.course)
            } else {
                Err(Stop::Usage("these options need a lab: name one, such as `checker lab1`".into()))
            };
        };
        if !self.more.is_empty() {
            return Err(labs::not_one_word(&[std::slice::from_ref(name), &self.more].concat()));
        }
        let lab = labs::find(name)?;
        let course = self.course.course()?;
        let (engine, named) = self.engine.named()?;
        let gpu = named.or_else(|| course.as_ref()?.gpu).unwrap_or(&simulator::model::gpus()[0]);
        let tasks = labs::tasks(lab, self.task.as_deref())?;
        let secret = chance::secret(self.secret_seed, self.secret_seed_file.as_deref())?;
        let options = Options {
            lab,
            tasks: match &course {
                Some(course) => course.tasks(lab, tasks)?,
                None => tasks,
            },
            course,
            source: self.source.source(),
            engine,
            gpu,
            form: match (self.json, self.verbose) {
                (true, _) => Form::Json,
                (false, true) => Form::Verbose,
                (false, false) => Form::Brief,
            },
            seed: secret.as_deref().map_or(self.seed, chance::seed_of),
            graded: secret.is_some(),
            save: self.save,
            attempts: Attempts {
                reads: !self.beside.no_history && !self.json && secret.is_none() && self.report.is_none(),
                keeps: !self.beside.no_history && !self.json && secret.is_none() && named.is_none(),
            },
            report: self.report,
            searches: !self.beside.no_search && secret.is_none(),
        };
        let progress = Progress::new();
        if progress.is_watched() {
            return run(&options, progress);
        }
        drop(progress);
        end_with_grader();
        // A file that cannot be read needs no second process.
        let parts = submission::parts(options.lab, &options.source, &options.tasks)?;
        supervise::run_again()?.or_else(|loss| lost(&options, &parts, &loss))
    }
}

/// How the report is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Brief,
    Verbose,
    Json,
}

/// What a check has to do with earlier and later ones.
#[derive(Debug, Clone, Copy)]
struct Attempts {
    /// Whether the report may know of sweeps.
    reads: bool,
    /// Whether the attempt may be kept.
    keeps: bool,
}

/// The options, checked.
struct Options {
    lab: &'static dyn Lab,
    tasks: Vec<&'static dyn Task>,
    source: Source,
    engine: EngineChoice,
    gpu: &'static Gpu,
    course: Option<Course>,
    form: Form,
    seed: u64,
    /// Whether the seed is secret.
    graded: bool,
    save: Option<PathBuf>,
    report: Option<PathBuf>,
    attempts: Attempts,
    /// Whether small changes are tried that make a wrong task right.
    searches: bool,
}

/// Checks and prints.
fn run(check: &Options, progress: Progress) -> Result<ExitCode, Stop> {
    let parts = submission::parts(check.lab, &check.source, &check.tasks)?;
    let album = check.save.as_deref().map(Album::open).transpose()?;
    let mut setup = Setup::new(check.engine, check.gpu, &progress)?.confined()?;
    if !check.graded {
        setup = setup.remembering();
    }
    setup.course.clone_from(&check.course);
    supervise::begin(&progress, &setup.engine)?;
    let swept =
        Sweeps::of_user(&setup.engine.title()).filter(|_| check.attempts.reads).map(|sweeps| sweeps.known());
    let swept = swept.unwrap_or_default();
    let requests = requests(check, &parts, (album.as_ref(), Some(&progress)), &swept);
    let mut report =
        judge_all(&setup, &requests, &mut TimingFixtures::default(), &mut |what| progress.say(what))?;
    drop(progress);
    setup.tell_if_unconfined();
    if check.graded {
        report.hide_secrets();
    }
    print(check, &parts, &report)?;
    keep(check, &report);
    // Only after the report, which a full disk must not prevent.
    if let Some(album) = album {
        eprintln!("{}", judge::wrap::hanging("", &album.close()?));
    }
    Ok(exit::verdict(report.passed))
}

/// Keeps the attempt, if it is one: see [`crate::history`]. Says what has changed since the last one, but to a program that
/// reads the report from a file: on the terminal's other stream, for reports of equal files are equal.
fn keep(check: &Options, report: &Report) {
    if !check.attempts.keeps || check.source != Source::Own || report.untouched || !History::is_wanted() {
        return;
    }
    let workbook = current_folder().and_then(|here| Workspace::find(&here));
    if let (Ok(workbook), Some(history)) = (workbook, History::of_user()) {
        let attempt = Attempt::of(workbook.root(), report);
        let before = history.before(&attempt).filter(|before| before.sha256 != attempt.sha256);
        if let Some(before) = before.filter(|_| check.report.is_none()) {
            let changed = attempt.checked().since(Some(&before.checked()));
            eprintln!("\nsince your last check\n  {}", changed.join("\n  "));
        }
        history.keep(&attempt);
    }
}

/// The verdict on a file whose check was lost.
fn lost(check: &Options, parts: &[Part], loss: &Loss) -> Result<ExitCode, Stop> {
    let mut setup = Setup::new(check.engine, check.gpu, &Progress::new())?;
    setup.course.clone_from(&check.course);
    let mut report = verdict::lost(&setup, &requests(check, parts, (None, None), &BTreeSet::new()), loss)?;
    if check.graded {
        report.hide_secrets();
    }
    print(check, parts, &report)?;
    Ok(exit::verdict(report.passed))
}

fn requests<'a>(
    check: &'a Options,
    parts: &'a [Part],
    (album, watcher): (Option<&'a Album>, Option<&'a Progress>),
    swept: &'a BTreeSet<String>,
) -> Vec<Request<'a>> {
    let album = album.map(|album| album as &dyn Gallery);
    let request = |part: &'a Part| Request {
        seed: check.seed,
        graded: check.graded,
        repaired: check.searches,
        command: check.source.check(check.lab, &part.submission.shown),
        album,
        watcher,
        swept,
        ..Request::of(check.lab, &part.tasks, &part.submission)
    };
    parts.iter().map(request).collect()
}

fn print(check: &Options, parts: &[Part], report: &Report) -> Result<(), Stop> {
    let submissions: Vec<&Submission> = parts.iter().map(|part| &part.submission).collect();
    match check.form {
        Form::Json => output::json(report)?,
        Form::Brief => output::text(&render::brief(report, &submissions))?,
        Form::Verbose => output::text(&render::verbose(report, &submissions))?,
    }
    // Only after the report, which a full disk must not prevent.
    check.report.as_deref().map_or(Ok(()), |path| output::json_file(path, report))
}
