//! Measuring the student's work and the yardstick in turn, under the same conditions.
//!
//! Each measurement starts with an empty L2, other inputs than the last one, and poisoned outputs. The order is A B B
//! A, so that a drifting clock affects both alike. The score uses the median of the ratios of neighbours.
//!
//! The calls come in three phases, and every call of each is checked: a call on each version of the inputs, whose outputs the
//! caller compares with the reference, and whose times decide the size of a batch; the warm-up, which is long, and in which
//! variables keep their values from call to call; and the measurements, each with variables as they were at first. A kernel
//! that does less from some call on is found in the warm-up, and one that keeps answers gains nothing in the measurements.

use std::time::{Duration, Instant};

use super::batch::{self, Beside};
use super::pairs::{Pace, TimeRequest, Timed};
use super::student::Student;
use super::yardstick::YardstickBytes;
use crate::engine::{Apart, Engine};
use crate::job::{self, Failure, Program};
use crate::statistics::median;

/// Longest warm-up, if two windows of measurements never agree.
const LONGEST_WARM_UP: Duration = Duration::from_secs(2);
/// Measurements of the yardstick in a window.
const WINDOW: usize = 8;
/// Two windows agree within this relative difference.
const SAME: f64 = 0.02;
/// Runs that measure transfers and kernels apart.
const APART_RUNS: usize = 5;
/// No further one begins after this.
const LONGEST_APART: Duration = Duration::from_secs(2);

/// Measurements of the yardstick alone.
const YARDSTICK_RUNS: usize = 15;

/// Times `request.job` on `engine` beside the yardstick on `beside`. Also returns the outputs of the checked
/// measurements, in the order of [`Timed::checked`]; the caller compares them.
pub fn time(
    engine: &mut dyn Engine,
    beside: &mut dyn Engine,
    program: &Program,
    request: &TimeRequest,
) -> Result<(Timed, Vec<Vec<u8>>), Failure> {
    if request.pace.pairs == 0 {
        return time_apart(engine, beside, program, request);
    }
    let fewest = YardstickBytes { read: request.read, write: request.write };
    let mut student = Student::new(engine, beside, program, request)?;
    let alone = median(&student.try_versions(engine, beside)?);
    // In a batch, a call could find what another has kept.
    if !request.over_link && !engine.variables_changed()? {
        student.batch(engine, beside, batch::calls(alone, request.read + request.write))?;
    }
    let mut yardstick = Beside::new(beside, fewest, request.over_link, student.calls())?;

    let pace = request.pace;
    let budget = Duration::from_millis(pace.budget_ms);
    let start = Instant::now();
    warm_up(start, pace, || {
        student.run(engine, beside)?;
        yardstick.run(beside)
    })?;
    let mut timed = Timed { calls: student.calls(), ..Timed::default() };
    let last = loop {
        let (first, _) = student.run_afresh(engine, beside)?;
        let first = (first, engine.clock_mhz());
        let second = (yardstick.run(beside)?, beside.clock_mhz());
        let third = (yardstick.run(beside)?, beside.clock_mhz());
        let (fourth, called) = student.run_afresh(engine, beside)?;
        timed.add(first, second);
        timed.add((fourth, engine.clock_mhz()), third);
        if student.has_failed() || timed.agree(pace, pace.precise) || start.elapsed() >= budget {
            break called;
        }
    };
    timed.printed = job::shown(&last.printed);
    let outputs = student.report(&mut timed);
    if request.over_link {
        timed.apart = apart(engine, &mut |engine| student.run_unchecked(engine))?;
    }
    student.release(engine, beside)?;
    yardstick.release(beside)?;
    Ok((timed, outputs))
}

/// Runs for the outputs, and then measures transfers and kernels apart.
fn time_apart(
    engine: &mut dyn Engine,
    beside: &mut dyn Engine,
    program: &Program,
    request: &TimeRequest,
) -> Result<(Timed, Vec<Vec<u8>>), Failure> {
    let mut student = Student::new(engine, beside, program, request)?;
    let (_, called) = student.run(engine, beside)?;
    let mut timed = Timed { calls: 1, printed: job::shown(&called.printed), ..Timed::default() };
    let outputs = student.report(&mut timed);
    timed.apart = apart(engine, &mut |engine| student.run_unchecked(engine))?;
    student.release(engine, beside)?;
    Ok((timed, outputs))
}

/// Repeats `once`, which returns the yardstick's seconds, until two windows agree.
fn warm_up(
    start: Instant,
    pace: Pace,
    mut once: impl FnMut() -> Result<f64, Failure>,
) -> Result<(), Failure> {
    let least = Duration::from_millis(pace.warm_up_ms);
    let mut before = f64::NAN;
    loop {
        let mut window = Vec::with_capacity(WINDOW);
        // A call of seconds, such as one of a host function that computes much, needs no warm-up.
        while window.len() < WINDOW && (window.is_empty() || start.elapsed() < LONGEST_WARM_UP) {
            window.push(once()?);
        }
        let now = median(&window);
        let agree = (now - before).abs() <= SAME * now;
        let waited = start.elapsed();
        if waited >= least && agree || waited >= LONGEST_WARM_UP {
            return Ok(());
        }
        before = now;
    }
}

/// Measures transfers and kernels apart: the medians of a few runs in which nothing overlaps.
fn apart(
    engine: &mut dyn Engine,
    run: &mut dyn FnMut(&mut dyn Engine) -> Result<(), Failure>,
) -> Result<Option<Apart>, Failure> {
    let (mut transfers, mut kernels) = (Vec::new(), Vec::new());
    let start = Instant::now();
    for number in 0..APART_RUNS {
        if number > 0 && start.elapsed() >= LONGEST_APART {
            break;
        }
        // Started again for each run, so that earlier work does not count.
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
    let mut yardstick = Beside::alone(engine, YardstickBytes { read, write })?;
    warm_up(Instant::now(), Pace::SCORE, || yardstick.run(engine))?;
    let seconds =
        (0..YARDSTICK_RUNS).map(|_| yardstick.run(engine)).collect::<Result<Vec<f64>, Failure>>()?;
    yardstick.release(engine)?;
    Ok(seconds)
}
