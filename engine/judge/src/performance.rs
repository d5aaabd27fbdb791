//! The speed of a right task, measured on a GPU or predicted on the simulator; and whether the timed runs are right
//! as well.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use lab::{Case, FewestBytes, Image, Task};
use simulator::Checks;
use simulator::model::Wait;

use crate::call;
use crate::exit::Stop;
use crate::prediction;
use crate::prediction::{Doubt, Other, OtherCall, PredictError};
use crate::report::{self, Performance, Verdict};
use crate::score::State;
use crate::setup::{Engine, Setup};
use crate::variants::Variants;
use crate::verify::{self, Runner};
use runtime::finding::{Finding, Kind, Severity};
use runtime::job::{Failure, Job, Outcome};
use runtime::poison::Random;
use runtime::remote::RemoteGpu;
use runtime::statistics;
use runtime::timing;
use runtime::timing::{CheckedCall, Pace};

/// Timed runs of each CPU reference, after one warm-up run that touches its memory; the median counts.
const CPU_RUNS: usize = 5;

/// A share of the yardstick above this is suspect: nothing moves the same bytes faster than the yardstick by more than
/// the yardstick's error.
const SUSPECT_SHARE: f64 = 1.15;

/// A timed task.
pub struct Timed {
    /// The timed case, compared like any other.
    pub case: report::Case,
    /// Findings of the timed runs.
    pub findings: Vec<Finding>,
    /// The times; `None` if a run did not finish.
    pub performance: Option<Performance>,
}

/// The input of a task's timed runs, and its references' times: the same for every solution.
struct TimingFixture {
    image: Image,
    job: Job,
    variants: Variants,
    /// Of the sequential and of the parallel reference, once measured.
    cpu_seconds: Option<[f64; 2]>,
}

impl TimingFixture {
    fn new(task: &dyn Task, case: &Case, seed: u64) -> Result<Self, Stop> {
        let image = call::image(case, seed)?;
        let job = call::job(task.name(), task.arguments(&image), pixels(&image), seed);
        // No file can know which pixels change from run to run, whether or not the seed is secret.
        let variants = Variants::of(task, &image, &job, Random::secret().number());
        Ok(Self { image, job, variants, cpu_seconds: None })
    }

    fn cpu_seconds(&mut self, task: &dyn Task) -> [f64; 2] {
        let image = &self.image;
        *self.cpu_seconds.get_or_insert_with(|| {
            [cpu_seconds(|| task.sequential_seconds(image)), cpu_seconds(|| task.parallel_seconds(image))]
        })
    }
}

/// The inputs of timed runs by task and case, kept while many solutions are timed.
#[derive(Default)]
pub struct TimingFixtures(BTreeMap<(&'static str, String), TimingFixture>);

impl TimingFixtures {
    fn of(&mut self, task: &dyn Task, case: &Case, seed: u64) -> Result<&mut TimingFixture, Stop> {
        match self.0.entry((task.name(), case.name.clone())) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(place) => Ok(place.insert(TimingFixture::new(task, case, seed)?)),
        }
    }
}

/// Times a task on this case.
pub fn time(
    task: &dyn Task,
    case: &Case,
    setup: &Setup,
    runner: &mut Runner<'_>,
    seed: u64,
) -> Result<Timed, Stop> {
    time_on(task, case, setup, runner, seed, &mut TimingFixtures::default())
}

/// The same for many solutions with one seed: `fixtures` keeps the inputs. Cases with the same name must be equal.
pub fn time_on(
    task: &dyn Task,
    case: &Case,
    setup: &Setup,
    runner: &mut Runner<'_>,
    seed: u64,
    fixtures: &mut TimingFixtures,
) -> Result<Timed, Stop> {
    match runner.gpu.as_mut() {
        Some(gpu) => {
            let mut timed = measured(task, case, setup, gpu, fixtures.of(task, case, seed)?)?;
            if timed.case.verdict == Verdict::Passed {
                others_on(gpu, task, case, runner.simulation.tokens, seed, &mut timed)?;
            }
            Ok(timed)
        }
        None => predicted(task, case, setup, runner, seed),
    }
}

fn measured(
    task: &dyn Task,
    case: &Case,
    setup: &Setup,
    gpu: &mut RemoteGpu,
    fixture: &mut TimingFixture,
) -> Result<Timed, Stop> {
    let TimingFixture { image, job, variants, .. } = &*fixture;
    let fewest = task.fewest_bytes(image.width, image.height);
    let bytes = call::yardstick_bytes(fewest);
    let (times, outputs) = match gpu.time(job, variants.patches.clone(), bytes, task.over_link()) {
        Ok(timed) => timed,
        Err(Failure::Broken(message)) => return Err(Stop::environment(message)),
        Err(failure) => {
            let findings = vec![verify::unexplained(&failure)];
            let case =
                verify::compared(task, &case.name, image, &Outcome { findings, ..Outcome::default() })?;
            return Ok(Timed { case, findings: vec![verify::unexplained(&failure)], performance: None });
        }
    };
    let compared = checked(task, &case.name, image, variants, &times, outputs)?;
    let doubt = (times.unchecked > 0).then(Doubt::unsteady);
    let size = (image.width, image.height);
    let (share, error) = statistics::ratio(&times.ratios());
    let seconds = statistics::median(&times.student);
    let yardstick = statistics::median(&times.yardstick);
    let [sequential, parallel] = fixture.cpu_seconds(task);
    let performance = Performance {
        basis: "measured",
        share,
        share_error: Some(error),
        state: state(seconds, fewest, times.is_stable(Pace::score(task.over_link())), setup),
        pairs: Some(times.student.len()),
        dropped_pairs: Some(times.dropped),
        calls: Some(times.calls),
        parallel_seconds: Some(parallel),
        parallel_speedup: Some(parallel / seconds),
        unscored: doubt.as_ref().map(|doubt| doubt.why.clone()),
        transfer_seconds: times.apart.map(|apart| apart.transfers),
        kernel_seconds: times.apart.map(|apart| apart.kernels),
        ..figures(task, &case.name, size, [seconds, yardstick, sequential])
    };
    let mut findings = times.findings;
    findings.extend(doubt.map(|doubt| unscored(task, &doubt)));
    Ok(Timed { case: compared, findings, performance: Some(performance) })
}

/// Runs a file on other pictures than the timed one, which it cannot know: the first wrong one takes the place of the timed case.
fn others_on(
    gpu: &mut RemoteGpu,
    task: &dyn Task,
    case: &Case,
    tokens: u64,
    seed: u64,
    timed: &mut Timed,
) -> Result<(), Stop> {
    let failed = |error: lab::ImageError| Stop::Environment(error.into());
    let calls = prediction::other_calls(task, case, tokens, seed, true).map_err(failed)?;
    let one_level = prediction::one_level_call(task, case, seed).map_err(failed)?;
    for OtherCall { name, image, job } in calls.into_iter().chain(one_level) {
        let outcome = match gpu.run(&job) {
            Ok(outcome) => outcome,
            Err(Failure::Broken(message)) => return Err(Stop::environment(message)),
            Err(failure) => Outcome { findings: vec![verify::unexplained(&failure)], ..Outcome::default() },
        };
        let compared = verify::compared(task, &name, &image, &outcome)?;
        if compared.verdict != Verdict::Passed {
            timed.case = compared;
            timed.findings.extend(outcome.findings);
            break;
        }
    }
    Ok(())
}

/// Compares the outputs of the checked calls with the reference on their inputs. Returns the first wrong case, else the last.
fn checked(
    task: &dyn Task,
    name: &str,
    image: &Image,
    variants: &Variants,
    times: &timing::Timed,
    outputs: Vec<Vec<u8>>,
) -> Result<report::Case, Stop> {
    let each = outputs.len() / times.checked.len().max(1);
    let mut outputs = outputs.into_iter();
    let mut compared = None;
    for (index, call) in times.checked.iter().enumerate() {
        let outputs = outputs.by_ref().take(each).collect();
        let outcome = Outcome {
            outputs: vec![outputs],
            printed: times.printed.clone(),
            findings: times.findings.clone(),
            ..Outcome::default()
        };
        let mut case = verify::compared(task, name, &variants.image(image, call.on), &outcome)?;
        let right = case.verdict == Verdict::Passed;
        if case.wrong > 0 && index > 0 {
            case.note = later_is_wrong(*call);
        }
        compared = Some(case);
        if !right {
            break;
        }
    }
    compared.ok_or_else(|| Stop::environment("no timed run was checked"))
}

/// Why a call is wrong although the ones before it were right, in words for a student.
fn later_is_wrong(call: CheckedCall) -> String {
    let before = match call.earlier {
        1 => "the call before it was right".to_owned(),
        earlier => format!("of {earlier} calls before it, each that was compared was right"),
    };
    let inputs = if call.differs { "on the same input" } else { "on an input that differs in a few pixels" };
    format!("wrong in a timed call, though {before}, also {inputs}: every call must do all the work")
}

/// A time is suspect if it is shorter than the memory's peak rate needs to read the inputs and to write all outputs
/// that the L2 cannot hold, or far below the yardstick's.
fn state(seconds: f64, fewest: FewestBytes, stable: bool, setup: &Setup) -> State {
    let Engine::Gpu(device) = &setup.engine else { return State::Stable };
    // Two transfers per clock.
    let peak = 2e3 * f64::from(device.memory_clock_khz) * f64::from(device.bus_bits) / 8.0;
    let least = fewest.read + fewest.write.saturating_sub(device.l2_bytes);
    if peak > 0.0 && seconds < least as f64 / peak {
        State::Suspect
    } else if stable {
        State::Stable
    } else {
        State::Unstable
    }
}

fn predicted(
    task: &dyn Task,
    case: &Case,
    setup: &Setup,
    runner: &Runner<'_>,
    seed: u64,
) -> Result<Timed, Stop> {
    let yardstick = setup.simulated_yardstick()?;
    let predicted = prediction::predict(task, case, runner.program, runner.simulation, yardstick, seed);
    let predicted = predicted.map_err(|error| match error {
        PredictError::Image(error) => Stop::Environment(error.into()),
        PredictError::Failure(failure) => Stop::environment(failure.to_string()),
    })?;
    let name = if predicted.image.height < predicted.height {
        format!("{}, {} of its rows", case.name, predicted.image.height)
    } else {
        case.name.clone()
    };
    let compared = verify::compared(task, &name, &predicted.image, &predicted.outcome)?;
    let seen = seen_of_a_wrong_call(task, &predicted.image, &compared, runner, seed)?;
    let pixels = predicted.image.width * predicted.height;
    let sequential = task.nominal_nanoseconds_per_pixel() * pixels as f64 * 1e-9;
    let limiter = predicted.limiter;
    // What is said of all lines together is what a profile says of each: only of the longest block, no line knows.
    let wait = limiter.and_then(|limiter| limiter.wait).map(|wait| match wait {
        Wait::LongestBlock => wait,
        _ => prediction::wait_of(&predicted.lines).unwrap_or(wait),
    });
    let performance = Performance {
        launches: Some(predicted.launches),
        sector_bytes: Some(predicted.sector_bytes),
        distinct_bytes: Some(predicted.distinct_bytes),
        rows: Some(predicted.image.height),
        interval: predicted.interval,
        validated: Some(runner.simulation.gpu.validated),
        rough: Some(predicted.rough),
        unscored: predicted.doubt.as_ref().map(|doubt| doubt.why.clone()),
        limiter: limiter.map(|limiter| limiter.name),
        costs: predicted.costs,
        signs: Some(predicted.signs),
        lines: predicted.lines,
        idle: predicted.idle,
        wait: wait.map(wait_name),
        resident: limiter.map(|limiter| limiter.resident),
        longest_share: limiter.map(|limiter| limiter.share),
        transfer_seconds: task.over_link().then_some(predicted.apart.transfers),
        kernel_seconds: task.over_link().then_some(predicted.apart.kernels),
        ..figures(
            task,
            &case.name,
            (predicted.image.width, predicted.height),
            [predicted.seconds, predicted.yardstick_seconds, sequential],
        )
    };
    let mut findings = predicted.outcome.findings;
    findings.extend(seen);
    findings.extend(predicted.doubt.map(|doubt| unscored(task, &doubt)));
    let mut timed = Timed { case: compared, findings, performance: Some(performance) };
    for Other { name, image, outcome } in predicted.others {
        if timed.case.verdict == Verdict::Passed {
            let case = verify::compared(task, &name, &image, &outcome)?;
            if case.verdict != Verdict::Passed {
                timed.case = case;
                timed.findings.extend(outcome.findings);
            }
        }
    }
    Ok(timed)
}

/// The faults in a call that was wrong without a finding: it ran without the analyses that see races and undefined values.
fn seen_of_a_wrong_call(
    task: &dyn Task,
    image: &Image,
    case: &report::Case,
    runner: &Runner<'_>,
    seed: u64,
) -> Result<Vec<Finding>, Stop> {
    if case.wrong == 0 {
        return Ok(Vec::new());
    }
    let job = call::job(task.name(), task.arguments(image), pixels(image), seed);
    let watched = runner.simulation.run(runner.program, &job, Checks { sample: Some(seed), ..Checks::NONE });
    let watched = watched.map_err(|failure| Stop::environment(failure.to_string()))?;
    Ok(watched.findings.into_iter().filter(Finding::is_error).collect())
}

/// The finding that a time is not scored.
fn unscored(task: &dyn Task, doubt: &Doubt) -> Finding {
    Finding::new(
        "W0705",
        Kind::Performance,
        Severity::Warning,
        format!("`{}` is right, but its speed is not scored: {}", task.name(), doubt.why),
        doubt.hint,
    )
}

fn wait_name(wait: Wait) -> &'static str {
    match wait {
        Wait::Memory => "memory",
        Wait::Itself => "itself",
        Wait::Both => "both",
        Wait::LongestBlock => "longest block",
    }
}

fn pixels(image: &Image) -> u64 {
    (image.width * image.height) as u64
}

fn cpu_seconds(once: impl Fn() -> f64) -> f64 {
    let runs: Vec<f64> = (0..=CPU_RUNS).map(|_| once()).collect();
    statistics::median(&runs[1..])
}

/// The figures that follow from three times alone: of the student, the yardstick, the sequential reference.
fn figures(task: &dyn Task, case: &str, (width, height): (usize, usize), times: [f64; 3]) -> Performance {
    let [seconds, yardstick_seconds, sequential_seconds] = times;
    let fewest = task.fewest_bytes(width, height);
    let gigabytes = (fewest.read + fewest.write) as f64 * 1e-9;
    Performance {
        task: task.name().to_owned(),
        case: case.to_owned(),
        width,
        height,
        basis: "predicted",
        seconds,
        gigabytes_per_second: gigabytes / seconds,
        yardstick_seconds,
        yardstick_gigabytes_per_second: gigabytes / yardstick_seconds,
        share: yardstick_seconds / seconds,
        share_error: None,
        // NaN is suspect too.
        state: if yardstick_seconds <= SUSPECT_SHARE * seconds { State::Stable } else { State::Suspect },
        pairs: None,
        dropped_pairs: None,
        calls: None,
        launches: None,
        sector_bytes: None,
        distinct_bytes: None,
        rows: None,
        interval: None,
        validated: None,
        rough: None,
        unscored: None,
        limiter: None,
        costs: Vec::new(),
        signs: None,
        lines: Vec::new(),
        idle: None,
        wait: None,
        resident: None,
        longest_share: None,
        sequential_seconds,
        speedup: sequential_seconds / seconds,
        parallel_seconds: None,
        parallel_speedup: None,
        transfer_seconds: None,
        kernel_seconds: None,
    }
}
