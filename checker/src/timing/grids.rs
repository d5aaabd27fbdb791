//! The grids that a host function would launch on a picture too tall to be run.

use lab::{Case, Task};
use simulator::Checks;

use super::predicted::{PredictError, cut};
use crate::engine::{Engine, Step, Work};
use crate::job::{self, Job, Prepared, Program};
use crate::session::Simulation;

/// Blocks of each launch on the whole picture of `height` rows, given the sample's rows. Empty where the host
/// function does not launch the same number of kernels on pictures of different heights, or cannot do without their
/// results.
///
/// Two pictures, twice and four times as tall as the sample, give a straight line: grids either grow with the rows
/// or are as large as the GPU wants them.
pub fn grids(
    task: &dyn Task,
    case: &Case,
    program: &Program,
    student: &Simulation,
    (sample, height): (usize, usize),
    seed: u64,
) -> Result<Vec<f64>, PredictError> {
    let low = (2 * sample).min(height);
    let high = (4 * sample).min(height);
    let (Some(first), Some(second)) = (
        launches(task, case, program, student, low, seed)?,
        launches(task, case, program, student, high, seed)?,
    ) else {
        return Ok(Vec::new());
    };
    if first.len() != second.len() {
        return Ok(Vec::new());
    }
    let line = |(first, second): (f64, f64)| {
        if high == low {
            return second;
        }
        (second + (second - first) / (high - low) as f64 * (height - high) as f64).max(1.0)
    };
    Ok(first.into_iter().zip(second).map(line).collect())
}

/// Blocks of each launch on a picture of `rows` rows; `None` if the host function needs what kernels compute.
fn launches(
    task: &dyn Task,
    case: &Case,
    program: &Program,
    student: &Simulation,
    rows: usize,
    seed: u64,
) -> Result<Option<Vec<f64>>, PredictError> {
    let (picture, _) = cut(case, |_, _| rows);
    let image = Case { name: case.name.clone(), picture }.image(seed)?;
    let pixels = image.pixels() as u64;
    let job = Job::new(task.name(), task.arguments(&image), pixels, seed);
    let mut engine = student.engine(pixels, Checks::COUNT).dry();
    let prepared = Prepared::new(&mut engine, &job).map_err(job::Failure::from)?;
    engine.take_work();
    let Ok(called) = job::call(&mut engine, program, &job, &prepared, seed) else { return Ok(None) };
    if called.findings.iter().any(crate::finding::Finding::is_error) {
        return Ok(None);
    }
    let blocks = |step: Step| match step {
        Step::Work { work: Work::Kernel(kernel), .. } => Some(kernel.blocks as f64),
        _ => None,
    };
    Ok(Some(engine.take_work().into_iter().filter_map(blocks).collect()))
}
