//! `checker illustrate` (hidden): what the page of a student shows beside the report. The costs of the lines of right tasks, and
//! pictures of the outputs of wrong ones.
//!
//! It runs on public pictures, whatever seed the class is graded with: a page that a student reads tells nothing of a secret
//! one. It decides nothing, so that a file that is too slow or too large for it has no illustration, and keeps its verdict.

use std::cell::RefCell;
use std::process::ExitCode;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use lab::{Image, Task};
use serde::Serialize;

use crate::check::end_with_grader;
use crate::options::{LabOptions, SourceOptions};
use crate::output;
use crate::profile;
use judge::build::{self, Build, BuildError};
use judge::call::PUBLIC_SEED;
use judge::exit::{self, Stop};
use judge::modelled::predicted_or_first;
use judge::progress::Progress;
use judge::setup::{EngineChoice, Setup};
use judge::submission::{self, Part};
use judge::supervise::{self, Loss};
use judge::verify::{self, Runner};
use judge::wrong::{Gallery, Wrong};

/// Columns and rows of an output that are shown.
const SIDE: usize = 64;
/// Columns and rows below which a case is too small to look at, if there is another one.
const LEAST_SIDE: usize = 8;
/// Lines with a smaller share of the time have no colour.
const LEAST_SHARE: f64 = 0.001;

/// Print what the page of a student shows beside the report
#[derive(Debug, Args)]
pub struct Illustrate {
    #[command(flatten)]
    lab: LabOptions,
    #[command(flatten)]
    source: SourceOptions,
    /// The GPU to predict times for
    #[arg(long, value_name = "NAME")]
    gpu: Option<String>,
    /// A task whose outputs are wrong; all others are right
    #[arg(long, value_name = "T")]
    wrong: Vec<String>,
}

/// What it prints, as JSON.
#[derive(Debug, Default, Serialize)]
struct Illustration {
    costs: Vec<Costs>,
    pictures: Vec<Three>,
}

/// What the lines of a task cost.
#[derive(Debug, Serialize)]
struct Costs {
    task: String,
    seconds: f64,
    lines: Vec<Cost>,
}

#[derive(Debug, Serialize)]
struct Cost {
    line: u32,
    /// Of the time of all kernels, 0 to 1.
    share: f64,
    /// What makes it cost so much, and what to try.
    why: Vec<String>,
}

/// An output of a wrong case, or a window of it.
#[derive(Debug, Clone, Serialize)]
struct Three {
    task: String,
    case: String,
    output: &'static str,
    /// Whether a pixel is an element of the output; else the pictures draw its values.
    pixels: bool,
    /// The window: column, row, columns, rows.
    window: [usize; 4],
    /// Columns and rows of the whole.
    whole: [usize; 2],
    /// The pictures as `data:` URLs.
    expected: String,
    found: String,
    difference: String,
}

impl Illustrate {
    /// Runs, and prints.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let (lab, tasks) = self.lab.chosen()?;
        let gpu = predicted_or_first(self.gpu.as_deref())?;
        let Part { submission, tasks } = submission::of_lab(lab, &self.source.source(), &tasks)?;
        let progress = Progress::new();
        if !progress.is_watched() {
            drop(progress);
            end_with_grader();
            return supervise::run_again()?.or_else(|loss| without(&loss));
        }
        let setup = Setup::new(EngineChoice::Simulator, gpu, &progress)?.confined()?.remembering();
        supervise::begin(&progress, &setup.engine)?;
        let all: Vec<&dyn Task> = tasks.iter().map(|task| *task as &dyn Task).collect();
        let build = match build::build(&setup.submissions(), &submission, &all, setup.targets) {
            Ok(build) => build,
            Err(BuildError::Stop(stop)) => return Err(stop),
            Err(BuildError::Source(_)) => return nothing(),
        };
        let check = format!("checker {}", lab.name());
        let mut illustration = Illustration::default();
        for task in all {
            if build.missing.iter().any(|name| name == task.name()) {
                continue;
            }
            if self.wrong.iter().any(|name| name == task.name()) {
                illustration.pictures.extend(pictures(task, &build, &setup)?);
            } else if let Ok(profiled) = profile::profiled(
                task,
                &submission,
                &build,
                &setup,
                profile::Accesses::Unseen,
                (&check, None),
            )? {
                illustration.costs.push(costs(profiled));
            }
        }
        drop(progress);
        output::json(&illustration)?;
        Ok(exit::verdict(true))
    }
}

/// No illustration of a file that takes too much. A process that something else ended may be started again.
fn without(loss: &Loss) -> Result<ExitCode, Stop> {
    if loss.is_from_outside() {
        return Err(Stop::environment("the process was killed"));
    }
    nothing()
}

fn nothing() -> Result<ExitCode, Stop> {
    output::json(&Illustration::default())?;
    Ok(exit::verdict(true))
}

fn costs(profiled: profile::Profiled) -> Costs {
    let lines = profiled.lines.into_iter().filter(|line| line.share >= LEAST_SHARE);
    let cost = |line: profile::Line| Cost {
        line: line.number,
        share: line.share,
        why: line.causes.iter().map(profile::Cause::told).collect(),
    };
    Costs { task: profiled.task, seconds: profiled.kernel_seconds, lines: lines.map(cost).collect() }
}

/// Two wrong cases at most, not the smallest ones: the first and the last.
fn pictures(task: &dyn Task, build: &Build, setup: &Setup) -> Result<Vec<Three>, Stop> {
    let simulation = build.simulation(setup.simulated_gpu());
    let mut runner = Runner { program: &build.program, simulation: &simulation, gpu: None };
    let found = Found::default();
    let cases = task.cases();
    verify::verify(task, &cases, &mut runner, PUBLIC_SEED, Some(&found), &mut Vec::new(), &mut |_| {})?;
    let mut all = found.0.into_inner();
    if all.iter().any(|(side, _)| *side >= LEAST_SIDE) {
        all.retain(|(side, _)| *side >= LEAST_SIDE);
    }
    let last = if all.len() > 1 { all.pop() } else { None };
    Ok(all.into_iter().take(1).chain(last).flat_map(|(_, threes)| threes).collect())
}

/// The shorter side of each wrong case, and its pictures.
#[derive(Default)]
struct Found(RefCell<Vec<(usize, Vec<Three>)>>);

impl Gallery for Found {
    fn add(&self, wrong: &Wrong<'_>) {
        let pictures = wrong.pictures();
        let threes = pictures.chunks_exact(3).filter_map(|three| {
            let [found, expected, difference] = three else { return None };
            let whole = [difference.image.width, difference.image.height];
            let window =
                if difference.pixels { window(&difference.image)? } else { [0, 0, whole[0], whole[1]] };
            let url = |image: &Image| {
                let png = cut(image, window).png().ok()?;
                Some(format!("data:image/png;base64,{}", STANDARD.encode(png)))
            };
            Some(Three {
                task: wrong.task.name().to_owned(),
                case: wrong.case.name.clone(),
                output: difference.output,
                pixels: difference.pixels,
                window,
                whole,
                expected: url(&expected.image)?,
                found: url(&found.image)?,
                difference: url(&difference.image)?,
            })
        });
        self.0.borrow_mut().push((wrong.image.width.min(wrong.image.height), threes.collect()));
    }
}

/// The window of a picture of differences that shows the first of them; `None`: there are none.
fn window(difference: &Image) -> Option<[usize; 4]> {
    let first = difference.data.iter().position(|&value| value > 0)? / difference.channels;
    let (column, row) = (first % difference.width, first / difference.width);
    let from = |at: usize, whole: usize| at.saturating_sub(SIDE / 4).min(whole.saturating_sub(SIDE));
    let (width, height) = (difference.width, difference.height);
    Some([from(column, width), from(row, height), width.min(SIDE), height.min(SIDE)])
}

fn cut(image: &Image, [x, y, width, height]: [usize; 4]) -> Image {
    let row = |row: usize| {
        let from = ((y + row) * image.width + x) * image.channels;
        &image.data[from..from + width * image.channels]
    };
    let data = (0..height).flat_map(row).copied().collect();
    Image { width, height, channels: image.channels, data }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn gray(width: usize, height: usize, data: Vec<u8>) -> Image {
        Image { width, height, channels: 1, data }
    }

    #[test]
    fn the_window_shows_the_first_difference_and_stays_inside() {
        let at = |width: usize, height: usize, x: usize, y: usize| {
            let mut data = vec![0; width * height];
            data[y * width + x] = 9;
            window(&gray(width, height, data))
        };
        assert_eq!(at(5, 3, 4, 2), Some([0, 0, 5, 3]));
        assert_eq!(at(200, 100, 199, 0), Some([136, 0, 64, 64]));
        assert_eq!(at(200, 100, 50, 40), Some([34, 24, 64, 64]));
        assert_eq!(window(&gray(2, 2, vec![0; 4])), None);
    }

    #[test]
    fn a_window_holds_its_own_pixels() {
        let image = gray(3, 3, (0..9).collect());
        assert_eq!(cut(&image, [1, 1, 2, 2]), gray(2, 2, vec![4, 5, 7, 8]));
    }
}
