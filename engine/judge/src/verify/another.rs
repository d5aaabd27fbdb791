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

/// What is noted of a case whose picture is right, and another one after it is not.
pub const ON_ANOTHER: &str = "wrong in a second call, on another picture";

/// What is noted of a case that is right alone, and wrong after a call of another task's function.
pub const AFTER_ANOTHER_TASK: &str = "wrong after a call of another task's function";

/// Pixels of a picture of which the tasks are called one after the other.
const SMALL: std::ops::RangeInclusive<usize> = 1000..=10_000;

/// The largest images on which another picture follows on the simulator: all but those of many megapixels.
pub(super) const KEPT_PIXELS: u64 = 2_000_000;

/// The largest images after which a larger one follows: what is kept may fit the first picture only.
const LARGER_PIXELS: usize = 100_000;

/// The verdict and the findings of the first call that is wrong, on another picture after that of `job`, else of the last one; `None`
/// where none follows.
pub fn after(
    task: &dyn Task,
    case: &Case,
    image: &Image,
    job: &Job,
    runner: &mut Runner<'_>,
) -> Result<Option<(report::Case, Vec<Finding>)>, Stop> {
    let mut last = None;
    for others in followers(task, image, job.poison) {
        let (judged, findings) = after_all(task, case, &others, job, runner)?;
        let passed = judged.verdict == report::Verdict::Passed;
        last = Some((judged, findings));
        if !passed {
            break;
        }
    }
    Ok(last)
}

/// The verdict on a call of `task` right after one of another task's function, if that is wrong; `None` where the other function does
/// not come to its end.
pub fn after_task(
    task: &dyn Task,
    other: &dyn Task,
    runner: &Runner<'_>,
    seed: u64,
) -> Result<Option<report::Case>, Stop> {
    let call = |task: &dyn Task, image: &Image| {
        call::job(task.name(), task.arguments(image), image.pixels() as u64, seed)
    };
    let run = |jobs: &[Job]| {
        let after = runner.simulation.run_all(runner.program, jobs);
        after.map_err(|failure| Stop::environment(failure.to_string()))
    };
    for case in task.cases() {
        let image = call::image(&case, seed)?;
        if SMALL.contains(&image.pixels()) {
            let before = call(other, &image);
            if run(std::slice::from_ref(&before))?.has_error() {
                return Ok(None);
            }
            let name = format!("{}, after `{}`", case.name, other.name());
            let mut judged = compared(task, &name, &image, &run(&[before, call(task, &image)])?)?;
            AFTER_ANOTHER_TASK.clone_into(&mut judged.note);
            return Ok(Some(judged).filter(|judged| judged.verdict != report::Verdict::Passed));
        }
    }
    Ok(None)
}

/// The verdict on the last of the pictures that follow.
fn after_all(
    task: &dyn Task,
    case: &Case,
    others: &[Image],
    job: &Job,
    runner: &mut Runner<'_>,
) -> Result<(report::Case, Vec<Finding>), Stop> {
    let Some(last) = others.last() else { return Err(Stop::environment("no picture follows".to_owned())) };
    let following = |other: &Image| Job {
        orders: orders::ONE_CALL.to_vec(),
        ..call::job(task.name(), task.arguments(other), other.pixels() as u64, job.poison)
    };
    let first = Job { calls: 1, ..job.clone() };
    let jobs: Vec<Job> = std::iter::once(first).chain(others.iter().map(following)).collect();
    let after = match runner.gpu.as_mut() {
        Some(gpu) => gpu.run_all(&jobs),
        None => runner.simulation.run_all(runner.program, &jobs),
    };
    let after = match after {
        Err(failure) if runner.gpu.is_some() && !matches!(failure, Failure::Broken(_)) => {
            Outcome { findings: vec![unexplained(&failure)], ..Outcome::default() }
        }
        other => other.map_err(|failure| Stop::environment(failure.to_string()))?,
    };
    let mut judged = compared(task, &case.name, last, &after)?;
    if judged.wrong > 0 {
        ON_ANOTHER.clone_into(&mut judged.note);
    }
    Ok((judged, after.findings))
}

/// Pictures that may follow, four times: one, as what is kept may fit the size, the width, the height, or the number of pixels of the
/// first; one before two pictures of the first size, as what is kept of the first may have been overwritten since, and a buffer
/// of the same size may lie elsewhere; one that has as many blocks, with one more row or column, or as many pixels; and one that
/// differs in a single pixel, which a sum over some pixels does not tell from the first.
fn followers(task: &dyn Task, image: &Image, chance: u64) -> Vec<Vec<Image>> {
    let Image { width, height, .. } = *image;
    let same = narrower(image);
    let smaller = || resized(&same, (width / 2 + 1, height / 2 + 1));
    if image.pixels() > LARGER_PIXELS {
        let other = if chance.is_multiple_of(2) { smaller() } else { same };
        return vec![vec![touched(image, chance), other]];
    }
    let kinds: [&dyn Fn() -> Image; 5] = [
        &|| resized(&same, (task.other_width(width), height + 17)),
        &|| resized(&same, (width, 2 * height + 17)),
        &|| same.clone(),
        &smaller,
        &|| resized(&same, (2 * width + 33, height / 2 + 1)),
    ];
    let alike = match chance % 3 {
        0 => (height, width),
        _ if width < height => (width, height + 1),
        _ => (width + 1, height),
    };
    let first = (chance % 5) as usize;
    vec![
        vec![kinds[first]()],
        vec![kinds[(first + 2) % 5](), same.clone(), narrower(&same)],
        vec![resized(&same, alike)],
        vec![touched(image, chance)],
    ]
}

/// The picture with another value in one pixel.
fn touched(image: &Image, chance: u64) -> Image {
    let mut other = image.clone();
    let pixel = chance as usize % image.pixels();
    for level in &mut other.data[pixel * image.channels..][..image.channels] {
        *level ^= 0x80;
    }
    other
}

/// A picture of the same size and with fewer levels, neither the darkest nor the lightest: what is kept of a picture before it shows.
fn narrower(image: &Image) -> Image {
    Image { data: image.data.iter().map(|level| 64 + level / 2).collect(), ..*image }
}

/// The picture cut off, or repeated to the right and downwards.
pub(super) fn resized(image: &Image, (width, height): (usize, usize)) -> Image {
    let row = image.width * image.channels;
    let rows = (0..height).map(|y| &image.data[y % image.height * row..][..row]);
    let data = rows.flat_map(|row| row.iter().cycle().take(width * image.channels)).copied().collect();
    Image { width, height, data, ..*image }
}
