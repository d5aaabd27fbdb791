//! Timing on an engine that measures: student and yardstick in turn, under the same conditions.
//!
//! Each measurement starts with an empty L2, inputs that no earlier one had, and poisoned outputs. They
//! alternate A B B A, so that a drifting clock meets both alike, and what is scored is the median of the ratios
//! of neighbours. Two measurements, one of them drawn by lot, have their outputs checked by the caller.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::batch::{self, Beside, Student};
use super::patches::Patch;
use super::yardstick::YardstickBytes;
use crate::engine::{Apart, Engine};
use crate::job::{self, Failure, Job, Program};
use crate::poison::Random;
use crate::statistics::{median, ratio};

/// Most time to wait for two windows of measurements to agree.
const LONGEST_WARM_UP: Duration = Duration::from_secs(2);
/// Measurements of the yardstick in a window.
const WINDOW: usize = 8;
/// Two windows agree, and two clocks are the same, within this.
const SAME: f64 = 0.02;
/// Runs in which transfers and kernels are told apart.
const APART_RUNS: usize = 5;

/// Measurements of the yardstick alone.
const YARDSTICK_RUNS: usize = 15;

/// What to time.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TimeRequest {
    /// The call; its inputs travel apart.
    pub job: Job,
    /// Changes to the inputs that are switched on and off; at most 64.
    pub patches: Vec<Patch>,
    /// Fewest bytes read: what the yardstick reads.
    pub read: u64,
    /// Fewest bytes written.
    pub write: u64,
    /// Whether they cross the link: the yardstick's do then, too, and transfers and kernels are told apart.
    pub over_link: bool,
    /// How long.
    pub pace: Pace,
}

/// How long to measure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Pace {
    /// Fewest pairs; with 0 there are none, and over the link only transfers and kernels are told apart.
    pub pairs: usize,
    /// Enough: the 95 % interval of the median ratio is within this, relative.
    pub precise: f64,
    /// Wider than this, the times are called unstable.
    pub believed: f64,
    /// Least time before the first measurement, in milliseconds: clocks rise within it.
    pub warm_up_ms: u64,
    /// Time after which no further pair is begun, in milliseconds.
    pub budget_ms: u64,
}

impl Pace {
    /// What a score asks for.
    pub const SCORE: Self =
        Self { pairs: 30, precise: 0.01, believed: 0.01, warm_up_ms: 200, budget_ms: 10_000 };
    /// The same over the link: a run moves the picture between memories some ten times before it is timed, and copies of
    /// pageable memory, which the host's CPU takes part in, differ from run to run by a tenth (10 to 12 % on the host of an
    /// H200, `checker ladder lab5`). Such a copy is some ten times slower than one of page-locked memory: 15 % are less
    /// than two of thirty points.
    pub const LINK: Self = Self { pairs: 10, precise: 0.03, believed: 0.15, ..Self::SCORE };

    /// No pairs: only what transfers and kernels take by themselves.
    pub const APART: Self = Self { pairs: 0, precise: 0.0, believed: 0.0, warm_up_ms: 0, budget_ms: 0 };

    /// What a score of a task asks for.
    pub const fn score(over_link: bool) -> Self {
        if over_link { Self::LINK } else { Self::SCORE }
    }
}

/// Times of pairs of neighbouring runs, in seconds, and where they came from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Timed {
    /// The student's.
    pub student: Vec<f64>,
    /// The yardstick's.
    pub yardstick: Vec<f64>,
    /// Pairs left out, because the GPU's clock changed between their two runs.
    pub dropped: usize,
    /// Calls in one measurement of the student's, whose time is the mean.
    pub calls: usize,
    /// By checked measurement, the patches that were on, one bit each; their outputs travel apart.
    pub checked: Vec<u64>,
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

    /// Whether there are enough pairs, and they agree well enough for a score.
    pub fn is_stable(&self, pace: Pace) -> bool {
        self.agree(pace, pace.believed)
    }

    fn agree(&self, pace: Pace, within: f64) -> bool {
        self.student.len() >= pace.pairs && ratio(&self.ratios()).1 <= within
    }

    fn add(
        &mut self,
        (student, its_clock): (f64, Option<u32>),
        (yardstick, other_clock): (f64, Option<u32>),
    ) {
        if let (Some(one), Some(other)) = (its_clock, other_clock)
            && f64::from(one.abs_diff(other)) > SAME * f64::from(one.max(other))
        {
            self.dropped += 1;
            return;
        }
        self.student.push(student);
        self.yardstick.push(yardstick);
    }
}

/// Times `request.job` on `engine` beside the yardstick on `beside`. Returns the outputs of the checked
/// measurements too, in the order of [`Timed::checked`]: they have to be right as well.
pub fn time(
    engine: &mut dyn Engine,
    beside: &mut dyn Engine,
    program: &Program,
    request: &TimeRequest,
) -> Result<(Timed, Vec<Vec<u8>>), Failure> {
    if request.pace.pairs == 0 {
        return time_apart(engine, program, request);
    }
    let mut random = Random::new(request.job.poison);
    let fewest = YardstickBytes { read: request.read, write: request.write };
    let mut student = Student::new(engine, program, request)?;
    student.run(engine, &mut random)?;
    let (alone, _) = student.run(engine, &mut random)?;
    if !request.over_link {
        student.batch(engine, batch::calls(alone, request.read + request.write))?;
    }
    let mut yardstick = Beside::new(beside, fewest, request.over_link, student.calls())?;

    let pace = request.pace;
    let budget = Duration::from_millis(pace.budget_ms);
    let start = Instant::now();
    warm_up(start, pace, || {
        student.run(engine, &mut random)?;
        yardstick.run(beside)
    })?;
    let mut timed = Timed { calls: student.calls(), ..Timed::default() };
    let mut outputs = Vec::new();
    // Two pairs a round; the kernel cannot know which round.
    let mut rounds_until_check = random.number() as usize % (pace.pairs / 2).max(1);
    let last = loop {
        let (first, called) = student.run(engine, &mut random)?;
        let first = (first, engine.clock_mhz());
        if rounds_until_check == 0 {
            timed.checked.push(student.on());
            outputs.extend(student.outputs(engine, &called)?);
        }
        rounds_until_check = rounds_until_check.wrapping_sub(1);
        let second = (yardstick.run(beside)?, beside.clock_mhz());
        let third = (yardstick.run(beside)?, beside.clock_mhz());
        let (fourth, called) = student.run(engine, &mut random)?;
        timed.add(first, second);
        timed.add((fourth, engine.clock_mhz()), third);
        let checked = !timed.checked.is_empty();
        if checked && (timed.agree(pace, pace.precise) || start.elapsed() >= budget)
            || start.elapsed() >= 2 * budget
        {
            break called;
        }
    };
    timed.printed = job::shown(&last.printed);
    timed.checked.push(student.on());
    outputs.extend(student.outputs(engine, &last)?);
    if request.over_link {
        timed.apart = apart(engine, &mut |engine| student.run(engine, &mut random).map(|_| ()))?;
    }
    student.release(engine)?;
    yardstick.release(beside)?;
    Ok((timed, outputs))
}

/// Runs once, for the outputs, and then tells transfers and kernels apart.
fn time_apart(
    engine: &mut dyn Engine,
    program: &Program,
    request: &TimeRequest,
) -> Result<(Timed, Vec<Vec<u8>>), Failure> {
    let mut random = Random::new(request.job.poison);
    let mut student = Student::new(engine, program, request)?;
    let (_, called) = student.run(engine, &mut random)?;
    let outputs = student.outputs(engine, &called)?;
    let mut timed = Timed { calls: 1, checked: vec![student.on()], ..Timed::default() };
    timed.printed = job::shown(&called.printed);
    timed.apart = apart(engine, &mut |engine| student.run(engine, &mut random).map(|_| ()))?;
    student.release(engine)?;
    Ok((timed, outputs))
}

/// Repeats `once`, which returns the yardstick's seconds, until two windows of them agree.
fn warm_up(
    start: Instant,
    pace: Pace,
    mut once: impl FnMut() -> Result<f64, Failure>,
) -> Result<(), Failure> {
    let least = Duration::from_millis(pace.warm_up_ms);
    let mut before = f64::NAN;
    loop {
        let window = (0..WINDOW).map(|_| once()).collect::<Result<Vec<f64>, Failure>>()?;
        let now = median(&window);
        let agree = (now - before).abs() <= SAME * now;
        let waited = start.elapsed();
        if waited >= least && agree || waited >= LONGEST_WARM_UP {
            return Ok(());
        }
        before = now;
    }
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
    let mut yardstick = Beside::alone(engine, YardstickBytes { read, write })?;
    warm_up(Instant::now(), Pace::SCORE, || yardstick.run(engine))?;
    let seconds =
        (0..YARDSTICK_RUNS).map(|_| yardstick.run(engine)).collect::<Result<Vec<f64>, Failure>>()?;
    yardstick.release(engine)?;
    Ok(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIRS: usize = Pace::SCORE.pairs;

    fn timed() -> Timed {
        Timed { student: vec![2.0; PAIRS], yardstick: vec![1.0; PAIRS], ..Timed::default() }
    }

    #[test]
    fn a_pair_whose_clocks_differ_is_left_out() {
        let mut pairs = timed();
        pairs.add((1.0, Some(1980)), (1.0, Some(1900)));
        assert_eq!((pairs.student.len(), pairs.dropped), (PAIRS, 1));
        pairs.add((1.0, Some(1980)), (1.0, Some(1965)));
        pairs.add((1.0, None), (1.0, Some(1965)));
        assert_eq!((pairs.student.len(), pairs.dropped), (PAIRS + 2, 1));
    }

    #[test]
    fn few_pairs_and_pairs_that_disagree_are_unstable() {
        assert!(timed().is_stable(Pace::SCORE));
        let mut few = timed();
        few.student.pop();
        few.yardstick.pop();
        assert!(!few.is_stable(Pace::SCORE));
        let mut wild = timed();
        for (index, seconds) in wild.student.iter_mut().enumerate() {
            *seconds += 0.1 * index as f64;
        }
        assert!(!wild.is_stable(Pace::SCORE));
    }

    #[test]
    fn copies_over_the_link_may_differ_more_than_kernels() {
        let mut noisy = timed();
        for (index, seconds) in noisy.student.iter_mut().enumerate() {
            *seconds *= if index % 2 == 0 { 1.0 } else { 1.1 };
        }
        assert!(!noisy.is_stable(Pace::SCORE) && noisy.is_stable(Pace::score(true)));
    }
}
