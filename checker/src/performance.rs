//! How fast a right task is: measured on a GPU, predicted on the simulator; and whether it is still right
//! while it is timed.

use lab::{Case, Image, Task};

use crate::exit::Stop;
use crate::finding::Finding;
use crate::gpu::RemoteGpu;
use crate::job::{Failure, Job, Outcome};
use crate::report::{self, Performance};
use crate::setup::Setup;
use crate::timing::{self, PredictError};
use crate::verify::{self, Runner};

/// Runs of each CPU reference after one that does not count, because it finds its memory untouched; the median
/// counts.
const CPU_RUNS: usize = 5;

/// A timed task.
pub struct Timed {
    /// The timed case, compared like any other.
    pub case: report::Case,
    /// What was found while it ran.
    pub findings: Vec<Finding>,
    /// The times, unless it did not run to its end.
    pub performance: Option<Performance>,
}

/// Times a task on this case.
pub fn time(
    task: &dyn Task,
    case: &Case,
    setup: &Setup,
    runner: &mut Runner<'_>,
    seed: u64,
) -> Result<Timed, Stop> {
    match runner.gpu.as_mut() {
        Some(gpu) => measured(task, case, gpu, seed),
        None => predicted(task, case, setup, runner, seed),
    }
}

fn measured(task: &dyn Task, case: &Case, gpu: &mut RemoteGpu, seed: u64) -> Result<Timed, Stop> {
    let image = verify::image(case, seed)?;
    let job = Job::new(task.name(), task.arguments(&image), pixels(&image), seed);
    let fewest = task.fewest_bytes(image.width, image.height);
    let (times, outputs) = match gpu.time(job, fewest.read, fewest.write) {
        Ok(timed) => timed,
        Err(Failure::Broken(message)) => return Err(Stop::environment(message)),
        Err(failure) => {
            let findings = vec![verify::unexplained(&failure)];
            let case =
                verify::compared(task, &case.name, &image, &Outcome { findings, ..Outcome::default() })?;
            return Ok(Timed { case, findings: vec![verify::unexplained(&failure)], performance: None });
        }
    };
    let outcome = Outcome { outputs: vec![outputs], printed: times.printed.clone(), ..Outcome::default() };
    let compared = verify::compared(task, &case.name, &image, &outcome)?;
    let (share, error) = timing::ratio(&times.ratios());
    let seconds = timing::median(&times.student);
    let yardstick = timing::median(&times.yardstick);
    let sequential = cpu_seconds(|| task.sequential_seconds(&image));
    let parallel = cpu_seconds(|| task.parallel_seconds(&image));
    let performance = Performance {
        basis: "measured",
        share,
        share_error: Some(error),
        pairs: Some(times.student.len()),
        parallel_seconds: Some(parallel),
        parallel_speedup: Some(parallel / seconds),
        ..figures(task, &case.name, (image.width, image.height), [seconds, yardstick, sequential])
    };
    Ok(Timed { case: compared, findings: Vec::new(), performance: Some(performance) })
}

fn predicted(
    task: &dyn Task,
    case: &Case,
    setup: &Setup,
    runner: &Runner<'_>,
    seed: u64,
) -> Result<Timed, Stop> {
    let yardstick = setup.simulated_yardstick()?;
    let predicted = timing::predict(task, case, runner.program, runner.simulation, yardstick, seed);
    let predicted = predicted.map_err(|error| match error {
        PredictError::Image(error) => Stop::Environment(error.into()),
        PredictError::Failure(failure) => Stop::environment(failure.to_string()),
    })?;
    let name = format!("{}, {} of its rows", case.name, predicted.image.height);
    let compared = verify::compared(task, &name, &predicted.image, &predicted.outcome)?;
    let pixels = predicted.image.width * predicted.height;
    let sequential = task.nominal_nanoseconds_per_pixel() * pixels as f64 * 1e-9;
    let performance = Performance {
        launches: Some(predicted.launches),
        sector_bytes: Some(predicted.sector_bytes),
        ..figures(
            task,
            &case.name,
            (predicted.image.width, predicted.height),
            [predicted.seconds, predicted.yardstick_seconds, sequential],
        )
    };
    Ok(Timed { case: compared, findings: predicted.outcome.findings, performance: Some(performance) })
}

fn pixels(image: &Image) -> u64 {
    (image.width * image.height) as u64
}

fn cpu_seconds(once: impl Fn() -> f64) -> f64 {
    let runs: Vec<f64> = (0..=CPU_RUNS).map(|_| once()).collect();
    timing::median(&runs[1..])
}

/// What follows from the three times alone: of the student, the yardstick, the sequential reference.
fn figures(task: &dyn Task, case: &str, (width, height): (usize, usize), times: [f64; 3]) -> Performance {
    let [seconds, yardstick_seconds, sequential_seconds] = times;
    let fewest = task.fewest_bytes(width, height);
    let gigabytes = (fewest.read + fewest.write) as f64 * 1e-9;
    Performance {
        task: task.name().to_owned(),
        case: case.to_owned(),
        width,
        height,
        basis: "predicted, first estimate",
        seconds,
        gigabytes_per_second: gigabytes / seconds,
        yardstick_seconds,
        yardstick_gigabytes_per_second: gigabytes / yardstick_seconds,
        share: yardstick_seconds / seconds,
        share_error: None,
        pairs: None,
        launches: None,
        sector_bytes: None,
        sequential_seconds,
        speedup: sequential_seconds / seconds,
        parallel_seconds: None,
        parallel_speedup: None,
    }
}
