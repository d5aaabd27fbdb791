//! `workshop times`: what every kernel takes on a GPU, on pictures of many sizes and contents.

use checker::call;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use lab::{Image, Lab};
use rayon::prelude::*;

use crate::again;
use crate::date::today;
use crate::points::{self, Point, Source, cases, sources};
use crate::rungs::{self, Rung};
use checker::call::{job, yardstick_bytes};
use checker::exit::{self, Stop};
use checker::labs as all_labs;
use checker::output;
use checker::progress::Progress;
use checker::workspace::{Workspace, current_folder};
use runtime::statistics;
use runtime::timing::Pace;

/// Of random pictures.
const SEED: u64 = 1;

/// Enough for a model that is right within some percent, and soon over.
const PACE: Pace = Pace { pairs: 12, precise: 0.03, believed: 0.03, warm_up_ms: 20, budget_ms: 300 };

/// Time every rung and every held-out kernel on many pictures, for the timing model (needs a GPU)
#[derive(Debug, Args)]
pub struct Times {
    /// Only these labs; what the file has of the others stays
    labs: Vec<String>,
    /// Only kernels whose name holds one of these; what the file has of the others stays
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,
    /// Only pictures whose name holds one of these; what the file has of the others stays
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pictures: Vec<String>,
    /// Measure so often, each time in a new process, and take the median
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=99))]
    rounds: u64,
    /// Where to write the JSON
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Times {
    /// Does it.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let chosen = Chosen { kernels: self.only, pictures: self.pictures, rounds: self.rounds as usize };
        run(&all_labs::named(&self.labs)?, &chosen, &self.out)
    }
}

/// What to measure, and how often; all if nothing is chosen.
#[derive(Debug, Clone)]
struct Chosen {
    /// Kernels whose name holds one of these.
    pub kernels: Vec<String>,
    /// Pictures whose name holds one of these.
    pub pictures: Vec<String>,
    /// So often, each time in a new process, of which the median counts: what a host takes for waiting differs from process to
    /// process by more than from call to call.
    pub rounds: usize,
}

impl Chosen {
    fn is_all(&self) -> bool {
        self.kernels.is_empty() && self.pictures.is_empty()
    }

    /// As options, with a space before each.
    fn options(&self) -> String {
        let pictures = &self.pictures;
        let pictures =
            if pictures.is_empty() { String::new() } else { format!(" --pictures '{}'", pictures.join(",")) };
        let rounds = if self.rounds == 1 { String::new() } else { format!(" --rounds {}", self.rounds) };
        again::option(&self.kernels) + &pictures + &rounds
    }
}

/// Measures, writes the JSON, prints how many. Of what is not chosen the file's times stay.
fn run(labs: &[&'static dyn Lab], chosen: &Chosen, out: &Path) -> Result<ExitCode, Stop> {
    let here = current_folder()?;
    let workspace = Workspace::find(&here)?;
    let progress = Progress::new();
    let (setup, device) = rungs::setup(&progress, "workshop times")?;
    let images = cases()
        .into_iter()
        .filter(|case| again::is_chosen(&chosen.pictures, &case.name))
        .map(|case| Ok((call::image(&case, SEED)?, case.name)))
        .collect::<Result<Vec<_>, Stop>>()?;
    let every = all_labs::all();
    let is_new = chosen.is_all() && (labs.len() == every.len() || !out.exists());
    let kept = if is_new { None } else { Some(points::Times::read(out)?) };
    if let Some(kept) = &kept {
        let there = [&kept.gpu, &kept.driver, &kept.compiler].map(String::as_str);
        let here = [&device.name, &device.driver_name(), &setup.compiler_name()];
        again::same_machine(there, here.map(String::as_str))?;
    }
    let mut points = Vec::new();
    let sources = sources(if is_new { labs } else { &every }, &workspace)?;
    // Built on all cores first: nothing else may run while something is timed.
    let build = |source: &Source| {
        let of_these = labs.iter().any(|lab| lab.name() == source.lab.name());
        let chosen = of_these && again::is_chosen(&chosen.kernels, &source.name);
        chosen.then(|| rungs::compiled(source.lab, &source.path, &source.tasks, &setup)).transpose()
    };
    let builds = sources.par_iter().map(build).collect::<Result<Vec<_>, Stop>>()?;
    for (source, build) in sources.iter().zip(builds) {
        let before: Vec<Point> = kept.iter().flat_map(|kept| kept.of(source)).collect();
        let Some((name, build)) = build else {
            points.extend(before);
            continue;
        };
        let mut rounds = Vec::new();
        for _ in 0..chosen.rounds.max(1) {
            rungs::visit_build(
                source.lab,
                name.clone(),
                source.tasks.clone(),
                &build,
                &setup,
                &device,
                &mut |rung| {
                    progress.say(&format!("{} of {}", source.name, source.lab.name()));
                    rounds.push(measured(source, rung, &images)?);
                    Ok(())
                },
            )?;
        }
        points.extend(put_in_place(before, medians(&rounds)));
    }
    drop(progress);
    let times = points::Times {
        gpu: device.name.clone(),
        driver: device.driver_name(),
        date: today(),
        command: format!("workshop times{} --out {}", chosen.options(), workspace.shown(&here.join(out))),
        compiler: setup.compiler_name(),
        points,
    };
    output::json_file(out, &times)?;
    output::text(&format!("{} times, {} ({})\n", times.points.len(), times.gpu, times.driver))?;
    Ok(exit::verdict(true))
}

/// Of the same points measured several times, the median of each figure.
fn medians(rounds: &[Vec<Point>]) -> Vec<Point> {
    let of = |index: usize, figure: fn(&Point) -> f64| {
        let all: Vec<f64> = rounds.iter().map(|round| figure(&round[index])).collect();
        statistics::median(&all)
    };
    let median = |(index, point): (usize, &Point)| Point {
        seconds: of(index, |point| point.seconds),
        yardstick_seconds: of(index, |point| point.yardstick_seconds),
        error: of(index, |point| point.error),
        ..point.clone()
    };
    rounds.first().map_or_else(Vec::new, |first| first.iter().enumerate().map(median).collect())
}

/// The times of one kernel: those that were measured now instead of those of the same task and picture, and the others.
fn put_in_place(before: Vec<Point>, now: Vec<Point>) -> Vec<Point> {
    let same = |one: &Point, other: &Point| (&one.task, &one.case) == (&other.task, &other.case);
    let (again, new): (Vec<Point>, Vec<Point>) =
        now.into_iter().partition(|point| before.iter().any(|old| same(old, point)));
    let newest = |old: Point| again.iter().find(|point| same(point, &old)).cloned().unwrap_or(old);
    before.into_iter().map(newest).chain(new).collect()
}

fn measured(source: &Source, rung: &mut Rung<'_>, images: &[(Image, String)]) -> Result<Vec<Point>, Stop> {
    let mut points = Vec::new();
    for task in &rung.tasks {
        for (image, case) in images {
            let pixels = image.pixels() as u64;
            let job = job(task.name(), task.arguments(image), pixels, SEED);
            let fewest = task.fewest_bytes(image.width, image.height);
            let timed = rung.gpu.time_at(PACE, &job, Vec::new(), yardstick_bytes(fewest), false);
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
                seconds: statistics::median(&timed.student),
                yardstick_seconds: statistics::median(&timed.yardstick),
                error: statistics::ratio(&timed.ratios()).1,
            });
        }
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::points::Set;

    fn point(task: &str, case: &str, seconds: f64) -> Point {
        Point {
            set: Set::Ladder,
            lab: "lab1".to_owned(),
            kernel: "01".to_owned(),
            task: task.to_owned(),
            case: case.to_owned(),
            seconds,
            yardstick_seconds: 1.0,
            error: 0.0,
        }
    }

    #[test]
    fn times_of_other_pictures_stay_where_they_are() {
        let before =
            vec![point("gray", "small", 1.0), point("gray", "large", 2.0), point("dark", "small", 3.0)];
        let now = vec![point("gray", "small", 4.0), point("dark", "small", 5.0), point("new", "small", 6.0)];
        let seconds: Vec<f64> = put_in_place(before, now).iter().map(|point| point.seconds).collect();
        assert_eq!(seconds, [4.0, 2.0, 5.0, 6.0]);
    }

    #[test]
    fn the_command_names_what_was_chosen() {
        let chosen =
            Chosen { kernels: vec!["08".to_owned()], pictures: vec!["512x512".to_owned()], rounds: 3 };
        assert_eq!(chosen.options(), " --only 08 --pictures '512x512' --rounds 3");
        let all = Chosen { kernels: Vec::new(), pictures: Vec::new(), rounds: 1 };
        assert_eq!(all.options(), "");
        assert!(all.is_all() && !chosen.is_all());
    }

    #[test]
    fn of_several_rounds_the_median_counts() {
        let round = |one, other| vec![point("gray", "small", one), point("gray", "large", other)];
        let rounds = [round(3.0, 10.0), round(1.0, 30.0), round(2.0, 20.0)];
        let seconds: Vec<f64> = medians(&rounds).iter().map(|point| point.seconds).collect();
        assert_eq!(seconds, [2.0, 20.0]);
    }
}
