//! Predicting on the simulator, from counted events and the GPU's figures.
//!
//! A picture as large as the timed one would take the simulator too long, so that as many of its rows are
//! run as make [`SAMPLE_PIXELS`], and the events counted are scaled to the whole. The grids of the whole are found
//! by calling the host function on taller pictures without running any kernel. [`simulator::timing::model`] makes
//! times of both.

use lab::{Case, FewestBytes, Image, ImageError, Picture, Task};
use simulator::Checks;
use simulator::timing::{Gpu, H200, Model, Whole, model};

use super::grids::grids;
use super::yardstick::Yardstick;
use crate::engine::{Apart, Engine, Step, Timeline, Work, predicted_seconds, transfer_seconds};
use crate::job::{Failure, Job, Outcome, Program};
use crate::session::Simulation;

/// Pixels of the sample: enough for every multiprocessor to have work, few enough for a tenth of a second.
const SAMPLE_PIXELS: usize = 250_000;

/// Copies of so few bytes are taken for tables and counters, which do not grow with the picture.
const TABLE_BYTES: u64 = 4096;

/// Bytes of a sector, the least that memory moves.
const SECTOR_BYTES: u64 = 32;

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
    /// Kernels launched.
    pub launches: usize,
    /// Bytes of the sectors that kernels touched, scaled to the whole picture.
    pub sector_bytes: u64,
    /// Rows of the whole picture.
    pub height: usize,
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
    let (image, height) = sample(case, seed)?;
    let scale = height as f64 / image.height as f64;
    let pixels = (image.width * image.height) as u64;
    let job = Job::new(task.name(), task.arguments(&image), pixels, seed);
    let outcome = student.run(program, &job, Checks::COUNT)?;
    let fewest = task.fewest_bytes(image.width, image.height);
    let beside = yardstick_work(yardstick, fewest, task.over_link(), pixels)?;
    let grids = grids(task, case, program, student, (image.height, height), seed)?;
    let timeline = scaled(&outcome.work, &grids, student.gpu, scale);
    Ok(Prediction {
        seconds: timeline.end(),
        apart: timeline.apart(),
        yardstick_seconds: scaled(&beside, &[], yardstick.gpu, scale).end(),
        launches: outcome.work.iter().filter(|step| is_kernel(step)).count(),
        sector_bytes: (outcome.work.iter().map(sector_bytes).sum::<u64>() as f64 * scale) as u64,
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
    let yardstick = Yardstick::new(&mut engine, fewest, over_link)?;
    yardstick.run(&mut engine)?;
    Ok(engine.take_work())
}

/// The first rows of a picture, and the height of the whole. Only a synthetic picture can be cut: a
/// photograph is small enough to run whole.
pub fn sample(case: &Case, seed: u64) -> Result<(Image, usize), ImageError> {
    // As many rows as leave colour planes and rows aligned as they are in the whole.
    let rows = |width: usize, height: usize| {
        let wanted = (SAMPLE_PIXELS / width).max(1);
        (wanted.next_multiple_of(SECTOR_BYTES as usize) + height % SECTOR_BYTES as usize).min(height)
    };
    let (picture, whole) = cut(case, |width, height| rows(width, height));
    let image = Case { name: case.name.clone(), picture }.image(seed)?;
    let whole = whole.unwrap_or(image.height);
    Ok((image, whole))
}

/// The picture with as many rows as `rows` says for its width and height, and how many it had; unchanged where it
/// cannot be cut.
pub(super) fn cut(case: &Case, rows: impl Fn(usize, usize) -> usize) -> (Picture, Option<usize>) {
    let mut picture = case.picture.clone();
    let whole = match &mut picture {
        Picture::Photograph(_) => None,
        Picture::Flat { width, height, .. }
        | Picture::HorizontalStripes { width, height, .. }
        | Picture::VerticalStripes { width, height, .. }
        | Picture::Noise { width, height, .. }
        | Picture::GrayNoise { width, height, .. }
        | Picture::LowContrast { width, height, .. }
        | Picture::Scene { width, height } => Some(std::mem::replace(height, rows(*width, *height))),
    };
    (picture, whole)
}

/// When everything would be done on the whole picture, where the launches have these grids, in order. Streams keep
/// the pieces that they have on the sample: work that is cut by a number of bytes rather than into a number of parts
/// has more of them on the whole.
fn scaled(steps: &[Step], grids: &[f64], gpu: &Gpu, scale: f64) -> Timeline {
    let mut timeline = Timeline::default();
    for (step, whole) in steps.iter().zip(wholes(steps, grids, scale)) {
        timeline.add(step, |work| scaled_seconds(work, whole, gpu));
    }
    timeline
}

/// How each step is on the whole picture. Without grids that fit the launches, blocks grow with the picture.
pub fn wholes(steps: &[Step], grids: &[f64], scale: f64) -> Vec<Whole> {
    let kernels = steps.iter().filter(|step| is_kernel(step)).count();
    let mut grids = grids.iter().copied().filter(|_| grids.len() == kernels);
    let mut again = false;
    let mut whole = |step: &Step| {
        let mut whole = Whole { scale, blocks: 0.0, again };
        if let Step::Work { work: Work::Kernel(kernel), .. } = step {
            whole.blocks = grids.next().unwrap_or(kernel.blocks as f64 * scale);
        }
        again |= matches!(step, Step::Work { .. });
        whole
    };
    steps.iter().map(&mut whole).collect()
}

pub(super) fn is_kernel(step: &Step) -> bool {
    matches!(step, Step::Work { work: Work::Kernel(_), .. })
}

fn scaled_seconds(work: &Work, whole: Whole, gpu: &Gpu) -> f64 {
    let of_size = |bytes: u64| if bytes <= TABLE_BYTES { 1.0 } else { whole.scale };
    match work {
        Work::Kernel(kernel) => model::seconds(kernel, whole, &H200, gpu),
        Work::Memory(bytes) => memory_seconds(*bytes as f64 * of_size(*bytes), &H200, gpu),
        Work::Host(bytes) => predicted_seconds(work, gpu) * of_size(*bytes),
        Work::Transfer(transfer) => {
            gpu.launch_seconds + transfer_seconds(transfer, gpu) * of_size(transfer.bytes)
        }
    }
}

/// Seconds of a fill or a copy within the GPU that reads and writes so many bytes.
pub fn memory_seconds(bytes: f64, model: &Model, gpu: &Gpu) -> f64 {
    model.launch + bytes / gpu.dram_bytes_per_second
}

fn sector_bytes(step: &Step) -> u64 {
    match step {
        Step::Work { work: Work::Kernel(kernel), .. } => {
            let counters = &kernel.counters;
            (counters.global_load_sectors + counters.global_store_sectors) * SECTOR_BYTES
        }
        Step::Work { work: Work::Memory(bytes), .. } => *bytes,
        _ => 0,
    }
}
