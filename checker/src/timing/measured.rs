//! Timing on an engine that measures: student and yardstick in turn, under the same conditions.
//!
//! Each run starts with an empty L2 and poisoned outputs. Runs alternate A B B A, so that a drifting clock
//! meets both alike, and what is scored is the median of the ratios of neighbours. Left out so far: batches
//! of launches too short to time alone, dropping pairs whose clocks differ, fresh inputs in every run.

use std::time::{Duration, Instant};

use lab::FewestBytes;
use serde::{Deserialize, Serialize};

use super::statistics::{median, ratio};
use super::yardstick::Yardstick;
use crate::engine::{Apart, Engine};
use crate::job::{self, Failure, Job, Prepared, Program};
use crate::poison::Random;

/// Time before the first measurement: clocks rise within it.
const WARM_UP: Duration = Duration::from_millis(200);
/// Fewest pairs that are scored.
const FEWEST_PAIRS: usize = 30;
/// Enough: the 95 % interval of the median ratio is within this.
const PRECISE: f64 = 0.01;

/// Runs in which transfers and kernels are told apart.
const APART_RUNS: usize = 5;

/// Runs of the yardstick alone.
const YARDSTICK_RUNS: usize = 15;

/// What to time.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TimeRequest {
    /// The call; its inputs travel apart.
    pub job: Job,
    /// Fewest bytes read: what the yardstick reads.
    pub read: u64,
    /// Fewest bytes written.
    pub write: u64,
    /// Whether they cross the link: the yardstick's do then, too, and transfers and kernels are told apart.
    pub over_link: bool,
    /// Time after which no further pair is begun.
    pub budget_ms: u64,
}

/// Times of pairs of neighbouring runs, in seconds, and where they came from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Timed {
    /// The student's.
    pub student: Vec<f64>,
    /// The yardstick's.
    pub yardstick: Vec<f64>,
    /// What transfers and kernels take by themselves, of the student's; only over the link.
    pub apart: Option<Apart>,
    /// What the student's code printed in the last run.
    pub printed: String,
}

impl Timed {
    /// Yardstick ÷ student, pair by pair.
    pub fn ratios(&self) -> Vec<f64> {
        self.student.iter().zip(&self.yardstick).map(|(student, yardstick)| yardstick / student).collect()
    }
}

/// Times `request.job` on `engine` beside the yardstick on `beside`. Returns the outputs of the last run too:
/// they have to be right as well.
pub fn time(
    engine: &mut dyn Engine,
    beside: &mut dyn Engine,
    program: &Program,
    request: &TimeRequest,
) -> Result<(Timed, Vec<Vec<u8>>), Failure> {
    let prepared = Prepared::new(engine, &request.job)?;
    let fewest = FewestBytes { read: request.read, write: request.write };
    let yardstick = Yardstick::new(beside, fewest, request.over_link)?;
    let mut random = Random::new(request.job.poison);
    let mut student_run = |engine: &mut dyn Engine| -> Result<(f64, job::Called), Failure> {
        prepared.poison_flat(engine, random.number() as u8)?;
        engine.synchronize()?;
        engine.flush_before_next()?;
        engine.take_seconds();
        engine.take_apart()?;
        let called = job::call(engine, program, &request.job, &prepared, request.job.poison)?;
        Ok((engine.take_seconds(), called))
    };
    let yardstick_run = |beside: &mut dyn Engine| -> Result<f64, Failure> {
        beside.flush_before_next()?;
        beside.take_seconds();
        yardstick.run(beside)?;
        Ok(beside.take_seconds())
    };

    let start = Instant::now();
    loop {
        student_run(engine)?;
        yardstick_run(beside)?;
        if start.elapsed() >= WARM_UP {
            break;
        }
    }
    let budget = Duration::from_millis(request.budget_ms);
    let mut timed = Timed::default();
    let last = loop {
        let (first, _) = student_run(engine)?;
        let second = yardstick_run(beside)?;
        let third = yardstick_run(beside)?;
        let (fourth, called) = student_run(engine)?;
        timed.student.extend([first, fourth]);
        timed.yardstick.extend([second, third]);
        let enough = timed.student.len() >= FEWEST_PAIRS && ratio(&timed.ratios()).1 <= PRECISE;
        if enough || start.elapsed() >= budget {
            break called;
        }
    };
    timed.printed = job::shown(&last.printed);
    let outputs = prepared.outputs(engine, &last.host_buffers)?;
    if request.over_link {
        timed.apart = apart(engine, &mut |engine| student_run(engine).map(|_| ()))?;
    }
    prepared.release(engine)?;
    yardstick.release(beside)?;
    Ok((timed, outputs))
}

/// What transfers and kernels take by themselves: the medians of a few runs in which nothing overlaps.
fn apart(
    engine: &mut dyn Engine,
    run: &mut dyn FnMut(&mut dyn Engine) -> Result<(), Failure>,
) -> Result<Option<Apart>, Failure> {
    let (mut transfers, mut kernels) = (Vec::new(), Vec::new());
    for _ in 0..APART_RUNS {
        // Anew for each run, so that what comes before it does not count.
        engine.measure_apart(true);
        run(engine)?;
        if let Some(apart) = engine.take_apart()? {
            transfers.push(apart.transfers);
            kernels.push(apart.kernels);
        }
        engine.measure_apart(false);
    }
    let some = !transfers.is_empty();
    Ok(some.then(|| Apart { transfers: median(&transfers), kernels: median(&kernels) }))
}

/// Times the yardstick alone.
pub fn time_yardstick(engine: &mut dyn Engine, read: u64, write: u64) -> Result<Vec<f64>, Failure> {
    let yardstick = Yardstick::new(engine, FewestBytes { read, write }, false)?;
    let once = |engine: &mut dyn Engine| -> Result<f64, Failure> {
        engine.flush_before_next()?;
        engine.take_seconds();
        yardstick.run(engine)?;
        Ok(engine.take_seconds())
    };
    let start = Instant::now();
    once(engine)?;
    while start.elapsed() < WARM_UP {
        once(engine)?;
    }
    let seconds = (0..YARDSTICK_RUNS).map(|_| once(engine)).collect::<Result<Vec<f64>, Failure>>()?;
    yardstick.release(engine)?;
    Ok(seconds)
}
