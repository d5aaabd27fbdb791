//! Another picture after the first, where calls leave something in variables of the program, on either side.

use lab::{Case, Image, Task};

use super::compared::compared;
use super::orders;
use super::outcome::unexplained;
use super::runner::Runner;
use crate::call;
use crate::exit::Stop;
use crate::report;
use runtime::finding::Finding;
use runtime::job::{Failure, Job, Outcome};

/// The largest images on which another picture follows on the simulator: all but those of many megapixels.
const KEPT_PIXELS: u64 = 2_000_000;

/// The largest images after which a larger one follows: what is kept may fit the first picture only.
const LARGER_PIXELS: usize = 100_000;

/// By how many columns and rows it is larger.
const MORE: (usize, usize) = (33, 17);

/// The verdict and the findings of a call on another picture after that of `job`; `None` for a picture that takes too long.
pub fn after(
    task: &dyn Task,
    case: &Case,
    image: &Image,
    job: Job,
    runner: &mut Runner<'_>,
) -> Result<Option<(report::Case, Vec<Finding>)>, Stop> {
    if job.pixels > KEPT_PIXELS && runner.gpu.is_none() {
        return Ok(None);
    }
    // In every other case a larger one, for what fits the first only; else one of the same size, which may be taken for the first.
    let grows = image.pixels() <= LARGER_PIXELS && job.poison.is_multiple_of(2);
    let other = if grows { larger(&narrower(image)) } else { narrower(image) };
    let second = Job {
        orders: orders::ONE_CALL.to_vec(),
        ..call::job(task.name(), task.arguments(&other), other.pixels() as u64, job.poison)
    };
    let first = Job { calls: 1, ..job };
    let after = match runner.gpu.as_mut() {
        Some(gpu) => gpu.run_after(&first, &second),
        None => runner.simulation.run_after(runner.program, &first, &second),
    };
    let after = match after {
        Err(failure) if runner.gpu.is_some() && !matches!(failure, Failure::Broken(_)) => {
            Outcome { findings: vec![unexplained(&failure)], ..Outcome::default() }
        }
        other => other.map_err(|failure| Stop::environment(failure.to_string()))?,
    };
    let mut judged = compared(task, &case.name, &other, &after)?;
    if judged.wrong > 0 {
        "wrong in a second call, on another picture".clone_into(&mut judged.note);
    }
    Ok(Some((judged, after.findings)))
}

/// A picture of the same size and with fewer levels, neither the darkest nor the lightest: what is kept of a picture before it shows.
fn narrower(image: &Image) -> Image {
    Image { data: image.data.iter().map(|level| 64 + level / 2).collect(), ..*image }
}

/// The picture repeated to the right and downwards.
fn larger(image: &Image) -> Image {
    let (width, height) = (image.width + MORE.0, image.height + MORE.1);
    let row = image.width * image.channels;
    let rows = (0..height).map(|y| &image.data[y % image.height * row..][..row]);
    let data = rows.flat_map(|row| row.iter().cycle().take(width * image.channels)).copied().collect();
    Image { width, height, data, ..*image }
}
