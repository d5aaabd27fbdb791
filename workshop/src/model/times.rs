//! `workshop times`: the time of every kernel on a GPU, on pictures of many sizes and contents.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use lab::{Image, Lab};
use rayon::prelude::*;
use records::{Point, Record};

use crate::again::{self, Only};
use crate::command_line::CommandLine;
use crate::machine::Machine;
use crate::rungs::{self, Rung};
use crate::sources::{self, Source, cases};
use checker::output;
use judge::build::Build;
use judge::call::{self, job, yardstick_bytes};
use judge::exit::{self, Stop};
use judge::labs;
use judge::progress::Progress;
use runtime::statistics;
use runtime::timing::Pace;

/// Of random pictures.
const SEED: u64 = 1;

/// Enough for a model that is right within some percent, and soon over.
const PACE: Pace = Pace { pairs: 12, precise: 0.03, believed: 0.03, warm_up_ms: 20, budget_ms: 300 };

/// Time every rung and every validation kernel on many pictures, for the timing model (needs a GPU)
#[derive(Debug, Args)]
pub struct Times {
    /// Only these labs; the file keeps its figures of the others
    labs: Vec<String>,
    #[command(flatten)]
    only: Only,
    /// Only pictures whose name contains one of these; the file keeps its figures of the others
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pictures: Vec<String>,
    /// Measure so often, each time in a new process, and take the median: waiting times of a host differ more from process to
    /// process than from call to call
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=99))]
    rounds: u64,
    /// Where to write the JSON
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Times {
    /// Measures, writes the JSON, prints the number of times. The file keeps times that are not chosen.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let labs = labs::named(&self.labs)?;
        let progress = Progress::new();
        let machine = Machine::find::<records::Times>(&progress)?;
        let is_new = self.is_new(&labs);
        let provenance = machine.provenance(self.command(&labs, is_new));
        let kept = if is_new {
            Vec::new()
        } else {
            again::figures::<records::Times>(&self.out, &provenance)?.points
        };
        let images = self.images()?;
        let every =
            sources::of_the_model(&if is_new { labs.clone() } else { labs::all() }, &sources::workspace()?)?;
        // Built on all cores first: nothing else may run while something is timed.
        let builds = every.par_iter().map(|source| self.built(source, &labs, &machine));
        let builds = builds.collect::<Result<Vec<_>, Stop>>()?;
        let mut points = Vec::new();
        for (source, build) in every.iter().zip(builds) {
            let before = kept.iter().filter(|point| source.has(point)).cloned().collect();
            let now = match build {
                Some(build) => {
                    progress.say(&format!("{} of {}", source.name, source.lab.name()));
                    self.measured(source, &build, &machine, &images)?
                }
                None => Vec::new(),
            };
            points.extend(put_in_place(before, now));
        }
        drop(progress);
        let record = Record::new(provenance, records::Times { points });
        output::json_file(&self.out, &record)?;
        let Machine { device, .. } = &machine;
        let count = record.content.points.len();
        output::text(&format!("{count} times, {} ({})\n", device.name, device.driver_name()))?;
        Ok(exit::verdict(true))
    }

    /// Whether the file is written anew and keeps nothing.
    fn is_new(&self, labs: &[&'static dyn Lab]) -> bool {
        self.pictures.is_empty() && self.only.is_new(labs, &self.out)
    }

    /// The command that makes the file again. The times that it keeps may be of other numbers of rounds.
    fn command(&self, labs: &[&'static dyn Lab], is_new: bool) -> CommandLine {
        CommandLine::of::<records::Times>()
            .chosen(labs, &self.only.names, !is_new)
            .option("--rounds", (is_new && self.rounds > 1).then_some(self.rounds))
            .file("--out", Some(&self.out))
    }

    /// The chosen pictures and their names.
    fn images(&self) -> Result<Vec<(Image, String)>, Stop> {
        let chosen = cases().into_iter().filter(|case| again::is_chosen(&self.pictures, &case.name));
        chosen.map(|case| Ok((call::image(&case, SEED)?, case.name))).collect()
    }

    /// The file built, if it is chosen.
    fn built(
        &self,
        source: &Source,
        labs: &[&'static dyn Lab],
        machine: &Machine,
    ) -> Result<Option<Build>, Stop> {
        let of_these = labs.iter().any(|lab| lab.name() == source.lab.name());
        let chosen = of_these && self.only.has(&source.name);
        chosen.then(|| rungs::compiled(source, &machine.setup)).transpose()
    }

    /// The times of a file, each the median of all rounds.
    fn measured(
        &self,
        source: &Source,
        build: &Build,
        machine: &Machine,
        images: &[(Image, String)],
    ) -> Result<Vec<Point>, Stop> {
        let mut rounds = Vec::new();
        for _ in 0..self.rounds {
            rungs::one(source, build, machine, &mut |rung| {
                rounds.push(measured(source, rung, images)?);
                Ok(())
            })?;
        }
        Ok(medians(&rounds))
    }
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

/// The times of one kernel: new times replace old ones of the same task and picture, the others stay.
fn put_in_place(before: Vec<Point>, now: Vec<Point>) -> Vec<Point> {
    let same = |one: &Point, other: &Point| (&one.task, &one.case) == (&other.task, &other.case);
    let (again, new): (Vec<Point>, Vec<Point>) =
        now.into_iter().partition(|point| before.iter().any(|old| same(old, point)));
    let newest = |old: Point| again.iter().find(|point| same(point, &old)).cloned().unwrap_or(old);
    before.into_iter().map(newest).chain(new).collect()
}

/// The times of a file's tasks on these pictures.
pub fn measured(
    source: &Source,
    rung: &mut Rung<'_>,
    images: &[(Image, String)],
) -> Result<Vec<Point>, Stop> {
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
    use records::Set;

    use super::*;

    #[test]
    fn the_command_makes_the_whole_file_again() {
        let times = Times {
            labs: Vec::new(),
            only: Only { names: vec!["08".to_owned()] },
            pictures: vec!["noise 512x512".to_owned()],
            rounds: 3,
            out: PathBuf::from("t.json"),
        };
        assert!(!times.is_new(&labs::all()));
        assert_eq!(String::from(times.command(&labs::all(), false)), "workshop times --out t.json");
        let all = Times { only: Only::default(), pictures: Vec::new(), ..times };
        assert!(all.is_new(&labs::all()));
        assert_eq!(String::from(all.command(&labs::all(), true)), "workshop times --rounds 3 --out t.json");
    }

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
    fn of_several_rounds_the_median_counts() {
        let round = |one, other| vec![point("gray", "small", one), point("gray", "large", other)];
        let rounds = [round(3.0, 10.0), round(1.0, 30.0), round(2.0, 20.0)];
        let seconds: Vec<f64> = medians(&rounds).iter().map(|point| point.seconds).collect();
        assert_eq!(seconds, [2.0, 20.0]);
    }
}
