//! Predicting on the simulator, from counted events and the GPU's figures.
//!
//! A picture as large as the timed one would take the simulator too long, so that as many of its rows are
//! run as make [`SAMPLE_PIXELS`], and the events counted are scaled to the whole. The grids of the whole are found
//! by calling the host function on taller pictures without running any kernel. [`simulator::model`] makes
//! times of both.

use lab::{Case, FewestBytes, Image, ImageError, Task};
use simulator::Checks;
use simulator::model::{self, Gpu, H200, Wait, Whole, terms, waits_for};

use super::resident::Resident;
use super::whole::{self, Scaled};
use crate::call::yardstick_bytes;
use runtime::engine::{Apart, Engine, Step, Timeline, Work, prediction};
use runtime::job::{Failure, Outcome, Program};
use runtime::simulation::Simulation;
use runtime::timing::Yardstick;

/// The term of the model that is no resource.
const LATENCY: &str = "latency";

/// Predicted times of one task.
#[derive(Debug)]
pub struct Prediction {
    /// The sample that was run.
    pub image: Image,
    /// What the call on it led to.
    pub outcome: Outcome,
    /// Of the student's work, in seconds.
    pub seconds: f64,
    /// Of transfers and kernels, each by itself.
    pub apart: Apart,
    /// Of the yardstick, in seconds.
    pub yardstick_seconds: f64,
    /// What bounds the longest kernel; `None` without kernels.
    pub limiter: Option<Limiter>,
    /// Kernels launched.
    pub launches: usize,
    /// Bytes of the sectors that kernels touched, scaled to the whole picture.
    pub sector_bytes: u64,
    /// Whether the whole picture comes to other launches than the sample.
    pub rough: bool,
    /// Rows of the whole picture.
    pub height: usize,
}

/// What bounds a kernel.
#[derive(Debug, Clone, Copy)]
pub struct Limiter {
    /// A term of the timing model.
    pub name: &'static str,
    /// What warps wait for, if that term is the latency.
    pub wait: Option<Wait>,
    /// Warps at once on a multiprocessor.
    pub resident: Resident,
    /// Its share of the time of everything.
    pub share: f64,
}

/// Why there is no prediction.
#[derive(Debug, thiserror::Error)]
pub enum PredictError {
    /// The picture could not be made.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// The call failed.
    #[error(transparent)]
    Failure(#[from] Failure),
}

/// Predicts the time of `task` on this case; `yardstick` has the yardstick's module.
pub fn predict(
    task: &dyn Task,
    case: &Case,
    program: &Program,
    student: &Simulation,
    yardstick: &Simulation,
    seed: u64,
) -> Result<Prediction, PredictError> {
    let Scaled { image, height, outcome, steps, rough } = whole::scaled(task, case, program, student, seed)?;
    let scale = height as f64 / image.height as f64;
    let pixels = image.pixels() as u64;
    let fewest = task.fewest_bytes(image.width, image.height);
    let beside = yardstick_work(yardstick, fewest, task.over_link(), pixels)?;
    let timeline = timeline(&steps, student.gpu, task.over_link());
    Ok(Prediction {
        seconds: timeline.end(),
        apart: timeline.apart(),
        limiter: limiter(&steps, student.gpu, timeline.end()),
        yardstick_seconds: self::timeline(
            &whole::as_they_are(&beside, scale),
            yardstick.gpu,
            task.over_link(),
        )
        .end(),
        launches: outcome.work.iter().filter(|step| is_kernel(step)).count(),
        sector_bytes: (outcome.work.iter().map(sector_bytes).sum::<u64>() as f64 * scale) as u64,
        rough,
        height,
        image,
        outcome,
    })
}

fn yardstick_work(
    simulation: &Simulation,
    fewest: FewestBytes,
    over_link: bool,
    pixels: u64,
) -> Result<Vec<Step>, Failure> {
    let mut engine = simulation.engine(pixels, Checks::COUNT);
    let yardstick = Yardstick::new(&mut engine, yardstick_bytes(fewest), over_link)?;
    yardstick.run(&mut engine)?;
    Ok(engine.take_work())
}

/// When everything would be done on the whole picture. Streams keep the pieces that they have on the sample: work that is cut by a
/// number of bytes rather than into a number of parts has more of them on the whole. The host waits where it says so if it brings and
/// fetches the pictures, and only for what it reads otherwise.
fn timeline(steps: &[(Step, Whole)], gpu: &Gpu, over_link: bool) -> Timeline {
    let mut timeline = Timeline::default();
    let seconds = if over_link { prediction::seconds } else { prediction::seconds_gathered };
    for (step, whole) in steps {
        timeline.add(step, |work: &Work| seconds(work, *whole, &H200, gpu));
    }
    timeline
}

/// What bounds the longest kernel, of so many seconds in all.
fn limiter(steps: &[(Step, Whole)], gpu: &Gpu, whole_seconds: f64) -> Option<Limiter> {
    let kernels = steps.iter().filter_map(|(step, whole)| match step {
        Step::Work { work: Work::Kernel(kernel), .. } => {
            Some((model::seconds(kernel, *whole, &H200, gpu), kernel, *whole))
        }
        _ => None,
    });
    let (seconds, kernel, whole) = kernels.max_by(|one, other| one.0.total_cmp(&other.0))?;
    let name = model::limiter(&terms(kernel, whole, gpu), &H200);
    Some(Limiter {
        name,
        wait: (name == LATENCY).then(|| waits_for(kernel, whole, gpu)),
        resident: Resident::of(kernel, whole, gpu),
        share: seconds / whole_seconds,
    })
}

fn is_kernel(step: &Step) -> bool {
    matches!(step, Step::Work { work: Work::Kernel(_), .. })
}

fn sector_bytes(step: &Step) -> u64 {
    match step {
        Step::Work { work: Work::Kernel(kernel), .. } => kernel.counters.moved_bytes(),
        Step::Work { work: Work::Memory(bytes), .. } => *bytes,
        _ => 0,
    }
}
