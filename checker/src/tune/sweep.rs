//! Checking and timing every combination.

use std::collections::BTreeMap;
use std::time::Instant;

use lab::{Case, Task};
use serde::Serialize;

use super::options::Options;
use super::plan::{Parameter, Plan};
use super::values::is_same;
use judge::build::{self, Build, BuildError};
use judge::call;
use judge::call::PUBLIC_SEED;
use judge::exit::Stop;
use judge::performance;
use judge::report::{Performance, Verdict};
use judge::setup::{Engine, Setup};
use judge::submission::Submission;
use judge::tunable;
use judge::verdict::in_source;
use judge::verify::{self, Runner};
use runtime::finding::Finding;

/// Cases up to this size are checked with every version.
const TRIED_PIXELS: usize = 10_000;

/// The sweep, as `--json` prints it.
#[derive(Debug, Serialize)]
pub struct Swept {
    /// The version of the checker.
    pub version: &'static str,
    /// Name of the lab.
    pub lab: String,
    /// The file.
    pub file: String,
    /// SHA-256 of the file as it is.
    pub sha256: String,
    /// `gpu` or `sim`.
    pub engine: &'static str,
    /// The GPU, real or simulated.
    pub gpu: String,
    /// Driver version, on a real GPU.
    pub driver: Option<String>,
    /// The compiler and its version.
    pub compiler: String,
    /// Whether times are measured; else predicted.
    pub measured: bool,
    /// Selects the values of random images.
    pub seed: u64,
    /// The parameters that vary.
    pub parameters: Vec<Parameter>,
    /// Every combination of every task.
    pub rows: Vec<Row>,
}

/// One combination of one task.
#[derive(Debug, Serialize)]
pub struct Row {
    /// The task.
    pub task: String,
    /// By parameter, its value.
    pub values: BTreeMap<String, String>,
    /// Whether the constants are those of the file.
    pub current: bool,
    /// Whether it compiles, runs, and every checked case is right.
    pub valid: bool,
    /// The reason if it is not valid; else empty.
    pub reason: String,
    /// Times, if it is valid.
    pub performance: Option<Performance>,
    /// Whether it is the fastest of its task and image.
    pub best: bool,
}

/// Checks and times every combination.
pub fn sweep(
    options: &Options,
    plan: &Plan,
    submission: &Submission,
    setup: &Setup,
    progress: &mut dyn FnMut(&str),
) -> Result<Swept, Stop> {
    let mut rows = Vec::new();
    let began = Instant::now();
    for (index, version) in plan.versions.iter().enumerate() {
        let place = format!("version {} of {}{}", index + 1, plan.versions.len(), left(began, index, plan));
        let values: Vec<_> = plan.constants.iter().zip(version.iter().map(String::as_str)).collect();
        let mut own = submission.clone();
        own.text = tunable::replaced(&submission.text, &values);
        let shown: Vec<String> =
            values.iter().map(|(constant, value)| format!("{} = {value}", constant.name)).collect();
        let shown = shown.join(", ");
        progress(&format!("{place}: {shown}"));
        let built = try_build(options, &own, setup)?;
        for task in &options.tasks {
            let tried =
                built.as_ref().map_err(Clone::clone).map(|build| Tried { build, options, setup, own: &own });
            rows.extend(version_rows(plan, version, *task, tried, &mut |what| {
                progress(&format!("{place}: {shown}: {what}"));
            })?);
        }
    }
    rows.sort_by_key(|row: &Row| options.tasks.iter().position(|task| task.name() == row.task));
    mark_best(&mut rows, plan);
    let (engine, gpu, driver) = match &setup.engine {
        Engine::Gpu(device) => ("gpu", device.name.clone(), Some(device.driver_name())),
        Engine::Simulator(gpu) => ("sim", gpu.title.to_owned(), None),
    };
    Ok(Swept {
        version: env!("CARGO_PKG_VERSION"),
        lab: options.lab.name().to_owned(),
        file: submission.shown.clone(),
        sha256: submission.sha256.clone(),
        engine,
        gpu,
        measured: driver.is_some(),
        driver,
        compiler: setup.compiler_name(),
        seed: PUBLIC_SEED,
        parameters: plan.parameters.clone(),
        rows,
    })
}

/// How long the rest of the versions will take, if those so far tell: `, about 40 s left`.
fn left(began: Instant, done: usize, plan: &Plan) -> String {
    if done == 0 {
        return String::new();
    }
    let each = began.elapsed().as_secs_f64() / done as f64;
    format!(", about {:.0} s left", (each * (plan.versions.len() - done) as f64).ceil())
}

/// The compiled version, or the reason why the compiler refuses it.
fn try_build(options: &Options, own: &Submission, setup: &Setup) -> Result<Result<Build, String>, Stop> {
    let tasks: Vec<&dyn Task> = options.tasks.iter().map(|task| *task as &dyn Task).collect();
    match build::build(&setup.submissions(), own, &tasks, setup.targets) {
        Ok(build) => Ok(Ok(build)),
        Err(BuildError::Stop(stop)) => Err(stop),
        Err(BuildError::Source(findings)) => {
            Ok(Err(worst(findings, own).unwrap_or_else(|| "the file does not compile".into())))
        }
    }
}

/// A version that compiles.
struct Tried<'a> {
    build: &'a Build,
    options: &'a Options,
    setup: &'a Setup,
    own: &'a Submission,
}

/// The rows of one task and version: one per image.
fn version_rows(
    plan: &Plan,
    version: &[String],
    task: &'static dyn Task,
    tried: Result<Tried<'_>, String>,
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<Row>, Stop> {
    let current = plan.constants.iter().zip(version).all(|(constant, value)| is_same(&constant.value, value));
    let names = || plan.parameters.iter().map(|parameter| parameter.name.clone());
    let row = |scene: &[String], outcome: Result<Performance, String>| Row {
        task: task.name().to_owned(),
        values: names().zip(version.iter().chain(scene).cloned()).collect(),
        current,
        valid: outcome.is_ok(),
        reason: outcome.as_ref().err().cloned().unwrap_or_default(),
        performance: outcome.ok(),
        best: false,
    };
    let all =
        |reason: &str| plan.scenes.iter().map(|(values, _)| row(values, Err(reason.to_owned()))).collect();
    let tried = match tried {
        Ok(tried) => tried,
        Err(reason) => return Ok(all(&reason)),
    };
    if tried.build.missing.iter().any(|name| name == task.name()) {
        return Ok(all("the file does not define this host function"));
    }
    let simulation = tried.build.simulation(tried.setup.simulated_gpu());
    let mut gpu = tried.setup.worker(tried.build)?;
    let mut runner = Runner { program: &tried.build.program, simulation: &simulation, gpu: gpu.as_mut() };
    if let Some(reason) = wrong(task, &mut runner, tried.own, progress)? {
        return Ok(all(&reason));
    }
    let mut rows = Vec::new();
    for (values, case) in &plan.scenes {
        let case = case.clone().unwrap_or_else(|| task.timed_case());
        progress(&format!("{}: timing {}", task.name(), case.name));
        let outcome = timed(task, &case, &tried, &mut runner)?;
        rows.push(row(values, outcome));
    }
    assert_eq!(rows.len(), plan.scenes.len(), "of {}", tried.options.lab.name());
    Ok(rows)
}

/// The reason why the version is wrong on small images; `None` if it is right.
fn wrong(
    task: &dyn Task,
    runner: &mut Runner<'_>,
    own: &Submission,
    progress: &mut dyn FnMut(&str),
) -> Result<Option<String>, Stop> {
    let mut cases = task.cases();
    let mut small = Vec::new();
    for case in cases.drain(..) {
        if call::image(&case, PUBLIC_SEED)?.pixels() <= TRIED_PIXELS {
            small.push(case);
        }
    }
    let mut findings = Vec::new();
    let verified = verify::verify(task, &small, runner, PUBLIC_SEED, None, &mut findings, progress)?;
    if verified.right {
        return Ok(None);
    }
    let failed = verified.cases.iter().find(|case| case.verdict == Verdict::Failed);
    let cause = verified.cause.map(|cause| cause.message);
    Ok(Some(worst(findings, own).or(cause).unwrap_or_else(|| {
        failed.map_or_else(|| "wrong".to_owned(), |case| format!("wrong in \"{}\"", case.name))
    })))
}

/// The time on one image, or the reason why there is none.
fn timed(
    task: &dyn Task,
    case: &Case,
    tried: &Tried<'_>,
    runner: &mut Runner<'_>,
) -> Result<Result<Performance, String>, Stop> {
    let timed = performance::time(task, case, tried.setup, runner, PUBLIC_SEED)?;
    let right = timed.case.verdict == Verdict::Passed;
    let error = worst(timed.findings, tried.own);
    Ok(match (timed.performance, error) {
        (Some(performance), None) if right => Ok(performance),
        (_, Some(error)) => Err(error),
        _ => Err(format!("wrong in \"{}\"", timed.case.name)),
    })
}

/// The first error, with its line.
fn worst(findings: Vec<Finding>, own: &Submission) -> Option<String> {
    let error = findings.into_iter().find(Finding::is_error)?;
    let error = in_source(error, own);
    let line = error.in_line();
    Some(format!("{}{line}: {}", error.code, error.message))
}

/// Marks the fastest version of each task on each image.
fn mark_best(rows: &mut [Row], plan: &Plan) {
    let images: Vec<String> =
        plan.parameters.iter().filter(|p| p.current.is_none()).map(|p| p.name.clone()).collect();
    let key = |row: &Row| {
        let image: Vec<String> = images.iter().map(|name| row.values[name].clone()).collect();
        (row.task.clone(), image)
    };
    let mut fastest: BTreeMap<(String, Vec<String>), f64> = BTreeMap::new();
    for row in rows.iter() {
        if let Some(timed) = &row.performance {
            let best = fastest.entry(key(row)).or_insert(f64::INFINITY);
            *best = best.min(timed.seconds);
        }
    }
    for row in rows {
        let best = fastest.get(&key(row)).copied();
        row.best =
            row.performance.as_ref().is_some_and(|timed| best.is_some_and(|best| timed.seconds <= best));
    }
}
