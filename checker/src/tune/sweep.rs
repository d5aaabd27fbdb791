//! Checking and timing every combination.

use std::collections::BTreeMap;
use std::time::Instant;

use lab::{Case, Task};
use serde::Serialize;

use super::options::Options;
use super::plan::{Parameter, Plan, TaskSweep};
use super::values::is_same;
use judge::build::{self, Build, BuildError};
use judge::call;
use judge::call::PUBLIC_SEED;
use judge::exit::Stop;
use judge::numbers::significant;
use judge::performance;
use judge::progress::Progress;
use judge::report::{Performance, Verdict};
use judge::setup::{Engine, Setup};
use judge::submission::Submission;
use judge::tunable::{self, CLEARLY};
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
    /// Every version of every task.
    pub rows: Vec<Row>,
    /// Tasks whose constants were swept one after the other.
    pub apart: Vec<&'static str>,
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
    /// Whether it is the one to take of its task and image: the file's, unless another is clearly faster.
    pub best: bool,
}

/// Checks and times every combination.
pub fn sweep(
    options: &Options,
    plan: &Plan,
    submission: &Submission,
    setup: &Setup,
    progress: &Progress,
) -> Result<Swept, Stop> {
    let mut sweep = Sweep {
        options,
        plan,
        submission,
        setup,
        progress,
        began: Instant::now(),
        done: 0,
        lines: Vec::new(),
        best: BTreeMap::new(),
        built: None,
    };
    let mut rows = Vec::new();
    for task in &plan.sweeps {
        if task.crossed {
            for version in plan.product(task) {
                rows.extend(sweep.version(task, &version)?);
            }
        } else {
            rows.extend(sweep.one_by_one(task)?);
        }
    }
    mark_best(&mut rows, plan);
    let apart = plan.sweeps.iter().filter(|task| !task.crossed).map(|task| task.task.name()).collect();
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
        apart,
    })
}

/// Seconds of a sweep from which on they are told after the first version.
const LONG: f64 = 20.0;
/// Seconds of a sweep from which on each version is told as soon as it is timed: the sweep may be ended before its table.
const SHORT: f64 = 5.0;

/// A version that was tried, in a line that stays if the sweep is ended: its seconds, or why it is refused. `best` is the least time of its
/// task so far.
fn so_far(count: [usize; 2], task: &str, shown: &str, tried: Result<f64, &str>, best: &mut f64) -> String {
    let told = match tried {
        Err(reason) => format!("refused: {reason}"),
        Ok(seconds) if seconds < *best => {
            *best = seconds;
            format!("{} ms, the fastest so far", significant(1e3 * seconds))
        }
        Ok(seconds) => format!("{} ms", significant(1e3 * seconds)),
    };
    let shown = if shown.is_empty() { "the file's values" } else { shown };
    let [done, all] = count;
    format!("{done} of {all}, {task}: {shown}: {told}")
}

/// Whether lines on versions are shown: not all of a short sweep just before its table, but the last one too where others were.
fn is_told(seconds: f64, [done, all]: [usize; 2], unshown: usize) -> bool {
    seconds >= SHORT && (done < all || unshown < done)
}

/// A sweep that is under way.
struct Sweep<'a> {
    options: &'a Options,
    plan: &'a Plan,
    submission: &'a Submission,
    setup: &'a Setup,
    progress: &'a Progress,
    began: Instant,
    /// Versions that were tried.
    done: usize,
    /// Lines on them that are not shown yet: a short sweep has its table soon.
    lines: Vec<String>,
    /// By task, the least time.
    best: BTreeMap<&'static str, f64>,
    /// The last version that was built: another task may be tried with it.
    built: Option<(Vec<String>, Result<Build, String>)>,
}

impl Sweep<'_> {
    /// The rows of a version of one task.
    fn version(&mut self, of: &TaskSweep, version: &[String]) -> Result<Vec<Row>, Stop> {
        let plan = self.plan;
        let place =
            format!("{}: version {} of {}{}", of.task.name(), self.done + 1, plan.versions(), self.left());
        let values: Vec<_> = plan.constants.iter().zip(version.iter().map(String::as_str)).collect();
        let mut own = self.submission.clone();
        own.text = tunable::replaced(&self.submission.text, &values);
        let shown: Vec<String> =
            of.own.iter().map(|at| format!("{} = {}", plan.constants[*at].name, version[*at])).collect();
        let shown = shown.join(", ");
        self.progress.say(&format!("{place}: {shown}"));
        if self.built.as_ref().is_none_or(|(known, _)| known != version) {
            self.built = Some((version.to_vec(), try_build(self.options, &own, self.setup)?));
        }
        let built = self.built.as_ref().map(|(_, built)| built.as_ref().map_err(Clone::clone));
        let tried = built.unwrap_or_else(|| Err(String::new()));
        let tried = tried.map(|build| Tried { build, options: self.options, setup: self.setup, own: &own });
        let progress = self.progress;
        let rows = version_rows(plan, version, of.task, tried, &mut |what| {
            progress.say(&format!("{place}: {shown}: {what}"));
        })?;
        self.done += 1;
        let name = of.task.name();
        let seconds = |row: &Row| Ok(row.performance.as_ref().ok_or(())?.seconds);
        let tried: Result<f64, ()> = rows.iter().map(seconds).sum();
        let reason = || rows.iter().map(|row| row.reason.as_str()).find(|reason| !reason.is_empty());
        let tried = tried.map_err(|()| reason().unwrap_or_default());
        let best = self.best.entry(name).or_insert(f64::INFINITY);
        let pictures = match plan.scenes.len() {
            1 => name.to_owned(),
            several => format!("{name} on {several} pictures"),
        };
        self.lines.push(so_far([self.done, plan.versions()], &pictures, &shown, tried, best));
        if is_told(self.began.elapsed().as_secs_f64(), [self.done, plan.versions()], self.lines.len()) {
            self.lines.drain(..).for_each(|line| progress.note(&line));
        }
        let seconds = self.began.elapsed().as_secs_f64() * plan.versions() as f64;
        if self.done == 1 && seconds >= LONG {
            self.progress.note(&format!("about {} for all {} versions", duration(seconds), plan.versions()));
        }
        Ok(rows)
    }

    /// The rows of a task whose constants are swept one after the other, each beside the best values of those before.
    fn one_by_one(&mut self, of: &TaskSweep) -> Result<Vec<Row>, Stop> {
        let mut rows: Vec<Row> = Vec::new();
        let mut best = self.plan.in_file();
        let mut known: Vec<(Vec<String>, Option<f64>)> = Vec::new();
        for at in &of.own {
            let mut fastest: Option<(f64, String)> = None;
            for value in &self.plan.parameters[*at].values {
                let mut version = best.clone();
                // The file may write the same number in another way.
                if !is_same(&version[*at], value) {
                    version[*at].clone_from(value);
                }
                let tried = known.iter().find(|(known, _)| *known == version).map(|(_, seconds)| *seconds);
                let seconds = if let Some(seconds) = tried {
                    seconds
                } else {
                    let own = self.version(of, &version)?;
                    let seconds =
                        own.iter().map(|row| Some(row.performance.as_ref()?.seconds)).sum::<Option<f64>>();
                    rows.extend(own);
                    known.push((version.clone(), seconds));
                    seconds
                };
                if let Some(seconds) =
                    seconds.filter(|one| fastest.as_ref().is_none_or(|(least, _)| one < least))
                {
                    fastest = Some((seconds, version[*at].clone()));
                }
            }
            let now = known.iter().find(|(known, _)| *known == best).and_then(|(_, seconds)| *seconds);
            if let Some((seconds, value)) = fastest
                && now.is_none_or(|now| seconds < (1.0 - CLEARLY) * now)
            {
                best[*at] = value;
            }
        }
        Ok(rows)
    }

    /// How long the rest of the versions will take, if those so far tell: `, about 40 s left`.
    fn left(&self) -> String {
        if self.done == 0 {
            return String::new();
        }
        let each = self.began.elapsed().as_secs_f64() / self.done as f64;
        format!(", about {} left", duration(each * self.plan.versions().saturating_sub(self.done) as f64))
    }
}

/// `40 s`, `3 min`.
fn duration(seconds: f64) -> String {
    if seconds < 100.0 {
        format!("{:.0} s", seconds.ceil())
    } else {
        format!("{:.0} min", (seconds / 60.0).ceil())
    }
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

/// Marks one version of each task on each image: the fastest, or the file's where none is clearly faster. A single version is not marked.
fn mark_best(rows: &mut [Row], plan: &Plan) {
    let images: Vec<String> =
        plan.parameters.iter().filter(|p| p.current.is_none()).map(|p| p.name.clone()).collect();
    let key = |row: &Row| {
        let image: Vec<String> = images.iter().map(|name| row.values[name].clone()).collect();
        (row.task.clone(), image)
    };
    let mut best: BTreeMap<(String, Vec<String>), (usize, f64)> = BTreeMap::new();
    // The file's own first: others have to be clearly faster than it.
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|at| !rows[*at].current);
    for at in order {
        let Some(timed) = &rows[at].performance else { continue };
        let seconds = timed.seconds;
        let least = best.entry(key(&rows[at])).or_insert((at, seconds));
        let bound = if rows[least.0].current { (1.0 - CLEARLY) * least.1 } else { least.1 };
        if seconds < bound {
            *least = (at, seconds);
        }
    }
    // A version by itself is better than no other: pictures are not chosen.
    let has_rivals =
        |at: usize| rows.iter().enumerate().any(|(other, row)| other != at && key(row) == key(&rows[at]));
    let best: Vec<usize> = best.into_values().map(|(at, _)| at).filter(|at| has_rivals(*at)).collect();
    for at in best {
        rows[at].best = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_tells_each_version_and_which_is_the_best_so_far() {
        let mut best = f64::INFINITY;
        let mut told = |done, tried| so_far([done, 12], "histogram", "blocks = 132", tried, &mut best);
        let first = "1 of 12, histogram: blocks = 132: 0.0312 ms, the fastest so far";
        assert_eq!(told(1, Ok(31.2e-6)), first);
        assert!(told(2, Ok(32e-6)).ends_with("blocks = 132: 0.0320 ms"));
        assert!(told(3, Err("W0501 in line 7")).ends_with(": refused: W0501 in line 7"));
        assert!(told(4, Ok(30e-6)).ends_with("0.0300 ms, the fastest so far"));
    }

    #[test]
    fn the_last_version_is_told_where_others_were() {
        assert!(is_told(30.0, [15, 16], 1) && is_told(30.0, [16, 16], 1));
        assert!(!is_told(30.0, [2, 2], 2) && !is_told(1.0, [15, 16], 15), "the table follows");
    }
}
