//! `workshop repeat`: the same submission scored many times, each as if for the first time.
//!
//! What a score is worth shows in how far two scores of one file lie apart. Each repetition has a worker process of
//! its own, makes its pictures anew, and times the CPU's references again, as a student's repeated command does;
//! only the cases, which are right or wrong, are not verified again.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use lab::{Lab, Points, Task};
use serde::Serialize;

use super::date::today;
use checker::build::{self, Build, BuildError};
use checker::exit::{self, Stop};
use checker::options::{EngineArg, LabOptions, SourceOptions};
use checker::output;
use checker::performance;
use checker::progress::Progress;
use checker::report::{Performance, Verdict};
use checker::score;
use checker::score::State;
use checker::setup::EngineChoice;
use checker::setup::{Engine, Setup};
use checker::submission::{self, Part, Source, Submission};
use checker::verify::{self, Runner};
use runtime::statistics::median;

/// Of random images: that of `checker lab1`.
const SEED: u64 = 1;

/// Scores and shares of one file lie within this around their middle, relative.
const ALLOWED: f64 = 0.01;

/// Score the same file many times: exit code 1 if the scores spread by more than 1 % or a level flips
#[derive(Debug, Args)]
pub struct Repeat {
    #[command(flatten)]
    lab: LabOptions,
    #[command(flatten)]
    source: SourceOptions,
    /// How often
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..))]
    times: u16,
    /// Where the kernels run; the simulator's predictions never differ
    #[arg(long, value_enum, default_value = "gpu")]
    engine: EngineArg,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write the JSON to this file too
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Repeat {
    /// Does it.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let (lab, tasks) = self.lab.chosen()?;
        let (source, times) = (self.source.source(), self.times.into());
        // Of a rung, the tasks that it is about.
        let Part { submission, tasks } = submission::of_lab(lab, &source, &tasks)?;
        let order =
            Order { lab, tasks, source, times, engine: self.engine.into(), json: self.json, out: self.out };
        run(&order, submission)
    }
}

/// What to do.
struct Order {
    /// The lab.
    lab: &'static dyn Lab,
    /// Its tasks to score.
    tasks: Vec<&'static dyn Task>,
    /// The file.
    source: Source,
    /// How often.
    times: usize,
    /// Where.
    engine: EngineChoice,
    /// Print JSON.
    json: bool,
    /// Where to write it too.
    out: Option<PathBuf>,
}

/// All of it, as it is committed.
#[derive(Debug, Serialize)]
struct Repeated {
    gpu: String,
    driver: Option<String>,
    date: String,
    command: String,
    compiler: String,
    lab: String,
    file: String,
    sha256: String,
    times: usize,
    /// What spreads may be.
    allowed_spread: f64,
    passed: bool,
    tasks: Vec<Repetitions>,
}

/// One task.
#[derive(Debug, Serialize)]
struct Repetitions {
    task: String,
    points: f64,
    passed: bool,
    score: Ends,
    share: Ends,
    speedup: Ends,
    /// The levels of bandwidth that were reached; one, unless they flip.
    bandwidth_levels: Vec<String>,
    /// The same of the speedup.
    speedup_levels: Vec<String>,
    stable: usize,
    unstable: usize,
    suspect: usize,
    pairs: usize,
    dropped_pairs: usize,
    attempts: Vec<Attempt>,
}

/// How far values lie apart.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
struct Ends {
    min: f64,
    median: f64,
    max: f64,
    /// Half of the distance between the ends, relative to the median.
    spread: f64,
}

/// One repetition.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Attempt {
    score: f64,
    share: f64,
    share_error: Option<f64>,
    speedup: f64,
    bandwidth_level: String,
    speedup_level: String,
    state: State,
    pairs: usize,
    dropped_pairs: usize,
}

/// Scores again and again, prints or writes what came of it.
fn run(order: &Order, submission: Submission) -> Result<ExitCode, Stop> {
    let progress = Progress::new();
    let setup = Setup::new(order.engine, &simulator::model::gpus()[0], &progress)?;
    let build = built(order, &submission, &setup)?;
    progress.say("verifying");
    if let Some(wrong) = wrong(order, &setup, &build)? {
        drop(progress);
        output::text(&format!("{}: not scored, because {wrong}\n", submission.shown))?;
        return Ok(exit::verdict(false));
    }
    let mut attempts = vec![Vec::new(); order.tasks.len()];
    for number in 1..=order.times {
        // In turn, as one command scores them.
        for (task, attempts) in order.tasks.iter().zip(&mut attempts) {
            progress.say(&format!("{} of {}: {}", number, order.times, task.name()));
            attempts.push(attempt(*task, &setup, &build)?);
        }
    }
    drop(progress);
    let tasks: Vec<Repetitions> =
        order.tasks.iter().zip(attempts).map(|(task, attempts)| repetitions(*task, attempts)).collect();
    let repeated = Repeated {
        gpu: gpu(&setup),
        driver: driver(&setup),
        date: today(),
        command: command(order, &submission),
        compiler: setup.compiler_name(),
        lab: order.lab.name().to_owned(),
        file: submission.shown,
        sha256: submission.sha256,
        times: order.times,
        allowed_spread: ALLOWED,
        passed: tasks.iter().all(|task| task.passed),
        tasks,
    };
    if let Some(out) = &order.out {
        output::json_file(out, &repeated)?;
    }
    if order.json {
        output::json(&repeated)?;
    } else {
        output::text(&table(&repeated))?;
    }
    Ok(exit::verdict(repeated.passed))
}

fn gpu(setup: &Setup) -> String {
    match &setup.engine {
        Engine::Gpu(device) => device.name.clone(),
        Engine::Simulator(gpu) => format!("simulator, as {}", gpu.title),
    }
}

fn driver(setup: &Setup) -> Option<String> {
    match &setup.engine {
        Engine::Gpu(device) => Some(device.driver_name()),
        Engine::Simulator(_) => None,
    }
}

/// The command that repeats this.
fn command(order: &Order, submission: &Submission) -> String {
    let mut words = vec![format!("workshop repeat {}", order.lab.name())];
    match &order.source {
        Source::Own => {}
        Source::File(_) => words.push(format!("--file {}", submission.shown)),
        Source::Solution(None) => words.push("--solution".to_owned()),
        Source::Solution(Some(number)) => words.push(format!("--solution {number}")),
    }
    if order.tasks.len() < order.lab.tasks().len() {
        words.extend(order.tasks.iter().map(|task| format!("--task {}", task.name())));
    }
    words.push(format!("--times {}", order.times));
    words.extend(order.out.iter().map(|out| format!("--out {}", out.display())));
    words.join(" ")
}

fn built(order: &Order, submission: &Submission, setup: &Setup) -> Result<Build, Stop> {
    let tasks: Vec<&dyn Task> = order.tasks.iter().map(|task| *task as &dyn Task).collect();
    build::build(&setup.compiler, submission, &tasks, setup.targets).map_err(|error| match error {
        BuildError::Stop(stop) => stop,
        BuildError::Source(_) => Stop::Usage(format!(
            "`{}` does not compile: `checker {}` says why",
            submission.shown,
            order.lab.name()
        )),
    })
}

/// What is wrong with the file, if anything is.
fn wrong(order: &Order, setup: &Setup, build: &Build) -> Result<Option<String>, Stop> {
    let simulation = build.simulation(setup.simulated_gpu());
    let mut gpu = setup.worker(build)?;
    for task in &order.tasks {
        if build.missing.iter().any(|name| name == task.name()) {
            return Ok(Some(format!("there is no host function `{}`", task.name())));
        }
        let mut runner = Runner { program: &build.program, simulation: &simulation, gpu: gpu.as_mut() };
        let cases = task.cases();
        let verified = verify::verify(*task, &cases, &mut runner, SEED, None, &mut Vec::new(), &mut |_| {})?;
        if let Some(case) = verified.cases.iter().find(|case| case.verdict != Verdict::Passed) {
            return Ok(Some(format!("`{}` is wrong in \"{}\"", task.name(), case.name)));
        }
        if !verified.right {
            return Ok(Some(format!("`{}` has an error", task.name())));
        }
    }
    Ok(None)
}

/// One score, from a worker of its own.
fn attempt(task: &dyn Task, setup: &Setup, build: &Build) -> Result<Attempt, Stop> {
    let simulation = build.simulation(setup.simulated_gpu());
    let mut gpu = setup.worker(build)?;
    let mut runner = Runner { program: &build.program, simulation: &simulation, gpu: gpu.as_mut() };
    let timed = performance::time(task, &task.timed_case(), setup, &mut runner, SEED)?;
    let right = timed.case.verdict == Verdict::Passed;
    match timed.performance.filter(|_| right) {
        Some(performance) => Ok(scored(&task.points(), &performance)),
        None => Err(Stop::environment(format!(
            "`{}` was right in every case, but not while it was timed: {}",
            task.name(),
            timed.findings.first().map_or("wrong outputs", |finding| finding.message.as_str())
        ))),
    }
}

fn scored(points: &Points, timed: &Performance) -> Attempt {
    let speed = score::Speed { share: timed.share, speedup: timed.speedup, state: timed.state };
    let lines = score::lines(&timed.task, points, true, Some(speed), "");
    let level = |scale: &lab::Threshold, value| {
        scale.level(value).map_or_else(|| "none".to_owned(), |level| level.name.to_owned())
    };
    Attempt {
        score: score::total(&lines).0,
        share: timed.share,
        share_error: timed.share_error,
        speedup: timed.speedup,
        bandwidth_level: level(&points.share, timed.share),
        speedup_level: level(&points.times, timed.speedup),
        state: timed.state,
        pairs: timed.pairs.unwrap_or(0),
        dropped_pairs: timed.dropped_pairs.unwrap_or(0),
    }
}

fn repetitions(task: &dyn Task, attempts: Vec<Attempt>) -> Repetitions {
    let spread = |value: fn(&Attempt) -> f64| spread(&attempts.iter().map(value).collect::<Vec<_>>());
    let seen = |level: fn(&Attempt) -> &String| {
        let mut seen: Vec<String> = attempts.iter().map(level).cloned().collect();
        seen.sort();
        seen.dedup();
        seen
    };
    let count = |state| attempts.iter().filter(|attempt| attempt.state == state).count();
    let mut all = Repetitions {
        task: task.name().to_owned(),
        points: task.points().total(),
        passed: false,
        score: spread(|attempt| attempt.score),
        share: spread(|attempt| attempt.share),
        speedup: spread(|attempt| attempt.speedup),
        bandwidth_levels: seen(|attempt| &attempt.bandwidth_level),
        speedup_levels: seen(|attempt| &attempt.speedup_level),
        stable: count(State::Stable),
        unstable: count(State::Unstable),
        suspect: count(State::Suspect),
        pairs: attempts.iter().map(|attempt| attempt.pairs).sum(),
        dropped_pairs: attempts.iter().map(|attempt| attempt.dropped_pairs).sum(),
        attempts,
    };
    all.passed = all.score.spread <= ALLOWED
        && all.share.spread <= ALLOWED
        && all.bandwidth_levels.len() == 1
        && all.speedup_levels.len() == 1
        && all.stable == all.attempts.len();
    all
}

fn spread(values: &[f64]) -> Ends {
    let min = values.iter().copied().fold(f64::INFINITY, f64::min);
    let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let median = median(values);
    // Nothing but zeros does not spread.
    let spread = if max > min { (max - min) / 2.0 / median } else { 0.0 };
    Ends { min, median, max, spread }
}

fn table(repeated: &Repeated) -> String {
    let driver = repeated.driver.as_ref().map(|driver| format!(", driver {driver}")).unwrap_or_default();
    let mut out = format!("{}{driver}, {}\n", repeated.gpu, repeated.date);
    let _ = writeln!(out, "{}, scored {} times", repeated.file, repeated.times);
    for task in &repeated.tasks {
        let _ = writeln!(out, "\n{} ({} points)", task.task, task.points);
        let _ = writeln!(out, "  {:10} {:>10} {:>10} {:>10} {:>10}", "", "least", "median", "most", "spread");
        for (name, spread) in [("score", task.score), ("share", task.share), ("speedup", task.speedup)] {
            let Ends { min, median, max, spread } = spread;
            let _ =
                writeln!(out, "  {name:10} {min:>10.4} {median:>10.4} {max:>10.4} {:>8.2} %", 100.0 * spread);
        }
        let _ = writeln!(
            out,
            "  levels     {}; {}\n  states     {} stable, {} unstable, {} suspect; {} of {} pairs dropped",
            task.bandwidth_levels.join(" and "),
            task.speedup_levels.join(" and "),
            task.stable,
            task.unstable,
            task.suspect,
            task.dropped_pairs,
            task.pairs + task.dropped_pairs
        );
    }
    let verdict = if repeated.passed {
        "no level flips, and scores and shares stay within"
    } else {
        "NOT repeatable: a level flips, a score is missing, or a spread is beyond"
    };
    let _ = writeln!(out, "\n{verdict} {:.0} % of their middle", 100.0 * ALLOWED);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use checker::labs;

    fn attempts(shares: &[f64]) -> Repetitions {
        let task = labs::all()[0].tasks()[0];
        let scored = |share: &f64| Attempt {
            score: 60.0 * share,
            share: *share,
            share_error: Some(0.001),
            speedup: 200.0,
            bandwidth_level: task.points().share.level(*share).map_or("none", |level| level.name).to_owned(),
            speedup_level: "GTX 480, best".to_owned(),
            state: State::Stable,
            pairs: 30,
            dropped_pairs: 1,
        };
        repetitions(task, shares.iter().map(scored).collect())
    }

    #[test]
    fn a_spread_is_half_of_what_lies_between_relative_to_the_middle() {
        let spread = spread(&[0.99, 1.0, 1.03]);
        assert!((spread.spread - 0.02).abs() < 1e-12 && (spread.median - 1.0).abs() < 1e-12);
        assert!(super::spread(&[0.0, 0.0]).spread.abs() < 1e-12);
    }

    #[test]
    fn spread_flips_and_states_each_fail_the_check() {
        let good = attempts(&[0.60, 0.605, 0.595]);
        assert!(good.passed && good.dropped_pairs == 3 && good.stable == 3);
        assert!(!attempts(&[0.60, 0.62, 0.59]).passed);
        // Within the spread, but on both sides of a level.
        let flips = attempts(&[0.749, 0.751]);
        assert!(!flips.passed && flips.bandwidth_levels == ["coalesced", "wide loads"]);
        let task = labs::all()[0].tasks()[0];
        let mut unstable = good.attempts;
        unstable[0].state = State::Unstable;
        assert!(!repetitions(task, unstable).passed);
    }
}
