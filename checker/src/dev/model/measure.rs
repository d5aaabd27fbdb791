//! `checker dev times`: what every kernel takes on a GPU, on pictures of many sizes and contents.

use std::path::Path;
use std::process::ExitCode;

use lab::{Image, Lab};
use rayon::prelude::*;

use super::points::{Point, Source, Times, cases, sources};
use crate::dev::again;
use crate::dev::date::today;
use crate::dev::rungs::{self, Rung};
use crate::exit::{self, Stop};
use crate::job::Job;
use crate::judge::driver_name;
use crate::progress::Progress;
use crate::timing::{self, Pace};
use crate::workspace::{Workspace, current_folder};
use crate::{output, verify};

/// Of random pictures.
const SEED: u64 = 1;

/// Enough for a model that is right within some percent, and soon over.
const PACE: Pace = Pace { pairs: 12, precise: 0.03, believed: 0.03, warm_up_ms: 20, budget_ms: 300 };

/// Measures, writes the JSON, prints how many. With names in `only`, measures the kernels whose name holds one of them,
/// and keeps the times of the others that the file has.
pub fn run(labs: &[&'static dyn Lab], only: &[String], out: &Path) -> Result<ExitCode, Stop> {
    let here = current_folder()?;
    let workspace = Workspace::find(&here)?;
    let progress = Progress::new();
    let (setup, device) = rungs::setup(&progress, "checker dev times")?;
    let images = cases()
        .into_iter()
        .map(|case| Ok((verify::image(&case, SEED)?, case.name)))
        .collect::<Result<Vec<_>, Stop>>()?;
    let kept = if only.is_empty() { None } else { Some(Times::read(out)?) };
    if let Some(kept) = &kept {
        let there = [&kept.gpu, &kept.driver, &kept.compiler].map(String::as_str);
        let here = [&device.name, &driver_name(device.driver_version), &setup.compiler_name()];
        again::same_machine(there, here.map(String::as_str))?;
    }
    let mut points = Vec::new();
    let sources = sources(labs, &workspace)?;
    // Built on all cores first: nothing else may run while something is timed.
    let build = |source: &Source| {
        let chosen = again::is_chosen(only, &source.name);
        chosen.then(|| rungs::compiled(source.lab, &source.path, &setup)).transpose()
    };
    let builds = sources.par_iter().map(build).collect::<Result<Vec<_>, Stop>>()?;
    for (source, build) in sources.iter().zip(builds) {
        let Some((name, build)) = build else {
            points.extend(kept.iter().flat_map(|kept| kept.of(source)));
            continue;
        };
        rungs::visit_build(source.lab, name, &build, &setup, &device, &mut |rung| {
            progress.say(&format!("{} of {}", source.name, source.lab.name()));
            points.extend(measured(source, rung, &images)?);
            Ok(())
        })?;
    }
    drop(progress);
    let chosen = again::option(only);
    let times = Times {
        gpu: device.name.clone(),
        driver: driver_name(device.driver_version),
        date: today(),
        command: format!("checker dev times{chosen} --out {}", workspace.shown(&here.join(out))),
        compiler: setup.compiler_name(),
        points,
    };
    output::json_file(out, &times)?;
    output::text(&format!("{} times, {} ({})\n", times.points.len(), times.gpu, times.driver))?;
    Ok(exit::verdict(true))
}

fn measured(source: &Source, rung: &mut Rung<'_>, images: &[(Image, String)]) -> Result<Vec<Point>, Stop> {
    let mut points = Vec::new();
    for task in &rung.tasks {
        for (image, case) in images {
            let pixels = image.pixels() as u64;
            let job = Job::new(task.name(), task.arguments(image), pixels, SEED);
            let fewest = task.fewest_bytes(image.width, image.height);
            let timed = rung.gpu.time_at(PACE, &job, Vec::new(), fewest, false);
            let (timed, _) = timed.map_err(|failure| {
                let name = &source.name;
                Stop::environment(format!(
                    "failed to time `{name}`, task `{}`, {case}: {failure}",
                    task.name()
                ))
            })?;
            points.push(Point {
                set: source.set,
                lab: source.lab.name().to_owned(),
                kernel: source.name.clone(),
                task: task.name().to_owned(),
                case: case.clone(),
                seconds: timing::median(&timed.student),
                yardstick_seconds: timing::median(&timed.yardstick),
                error: timing::ratio(&timed.ratios()).1,
            });
        }
    }
    Ok(points)
}
