//! `workshop validate`: a few kernels timed on the GPU at hand, with the model's predictions for it beside, in one file to send in.
//!
//! Anyone with a card can check the model by it: the set is fixed, so that the tables of all cards have the same rows. It takes minutes.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use lab::{Case, Image, Task};
use records::{Point, Record, Validated};
use simulator::model::Gpu;

use crate::command_line::CommandLine;
use crate::machine::{Machine, heading};
use crate::model::measured;
use crate::rungs;
use crate::sources::{self, Source};
use checker::output;
use judge::build::Build;
use judge::call;
use judge::exit::{self, Stop};
use judge::labs;
use judge::modelled;
use judge::prediction::{self, PredictError};
use judge::progress::Progress;
use judge::setup::{EngineChoice, Setup};
use judge::wrap::shortened;

/// Of random pictures.
const SEED: u64 = 1;

/// The kernels: of each lab the first rung, one of the middle, one of the last, and of the pool kernels that other resources limit.
const KERNELS: [(&str, &str); 18] = [
    ("lab1", "01_one_pixel_per_thread"),
    ("lab1", "04_four_pixels"),
    ("lab1", "08_each_byte_once"),
    ("lab1", "double_everything"),
    ("lab1", "tiny_blocks"),
    ("lab2", "01_global_atomics"),
    ("lab2", "07_histogram_per_block"),
    ("lab2", "14_histogram_per_lane"),
    ("lab2", "match_any_leaders"),
    ("lab3", "01_branches"),
    ("lab3", "09_sixteen_pixels"),
    ("lab3", "11_last_block"),
    ("lab4", "01_one_pixel_per_thread"),
    ("lab4", "09_sliding_window"),
    ("lab4", "16_strips_per_warp"),
    ("lab4", "19_filter_fetched_ahead"),
    ("lab4", "dp4a_strips"),
    ("lab4", "float_tile_16"),
];

/// The pictures: one that a launch takes a large part of, one that is larger than most caches.
const PICTURES: [&str; 2] = ["noise 1920x1080", "scene 8784x5352"];

/// Time a few kernels on the GPU at hand, with predictions beside, into one file to send in (needs a GPU; takes minutes)
#[derive(Debug, Args)]
pub struct Validate {
    /// Where to write the JSON
    #[arg(long, value_name = "FILE", default_value = "validate.json")]
    out: PathBuf,
}

impl Validate {
    /// Measures, predicts, writes the JSON, prints a table.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let progress = Progress::new();
        let machine = Machine::find::<records::Validate>(&progress)?;
        let model = modelled::called(&machine.device.name);
        let sources = chosen()?;
        let cases = cases();
        let images = cases
            .iter()
            .map(|case| Ok((call::image(case, SEED)?, case.name.clone())))
            .collect::<Result<Vec<(Image, String)>, Stop>>()?;
        let mut points: Vec<Vec<Point>> = Vec::new();
        rungs::each(&sources, &machine, &mut |rung| {
            let source = &sources[points.len()];
            progress.say(&format!("{} of {}", source.name, source.lab.name()));
            points.push(measured(source, rung, &images)?);
            Ok(())
        })?;
        let predictor = model.map(|gpu| Predictor::new(gpu, &progress)).transpose()?;
        let mut rows = Vec::new();
        for (source, points) in sources.iter().zip(points) {
            let ready = predictor.as_ref().map(|predictor| predictor.ready(source)).transpose()?;
            for point in points {
                progress.say(&format!("predicting {} of {}", source.name, source.lab.name()));
                rows.push(row(point, source, &cases, predictor.as_ref().zip(ready.as_ref()))?);
            }
        }
        drop(progress);
        let command = CommandLine::of::<records::Validate>().file("--out", Some(&self.out));
        let content = records::Validate { model: model.map(|gpu| gpu.name.to_owned()), rows };
        let record = Record::new(machine.provenance(command), content);
        output::json_file(&self.out, &record)?;
        output::text(&text(&record))?;
        Ok(ExitCode::from(exit::PASSED))
    }
}

/// The files of the set.
fn chosen() -> Result<Vec<Source>, Stop> {
    let all = sources::of_the_model(&labs::all(), &sources::workspace()?)?;
    let find = |(lab, name): &(&str, &str)| {
        let found = all.iter().find(|source| source.lab.name() == *lab && source.name == *name);
        found.cloned().ok_or_else(|| {
            Stop::environment(format!(
                "there is no kernel `{name}` of {lab}: check that the checkout is whole"
            ))
        })
    };
    KERNELS.iter().map(find).collect()
}

fn cases() -> Vec<Case> {
    sources::cases().into_iter().filter(|case| PICTURES.contains(&case.name.as_str())).collect()
}

/// What predictions for a GPU need.
struct Predictor {
    gpu: &'static Gpu,
    setup: Setup,
}

impl Predictor {
    fn new(gpu: &'static Gpu, progress: &Progress) -> Result<Self, Stop> {
        Ok(Self { gpu, setup: Setup::new(EngineChoice::Simulator, gpu, progress)? })
    }

    /// A file, compiled for the GPU.
    fn ready(&self, source: &Source) -> Result<Build, Stop> {
        rungs::compiled(source, &self.setup)
    }

    /// Seconds of the kernel and of the yardstick.
    fn seconds(&self, task: &dyn Task, case: &Case, build: &Build) -> Result<[f64; 2], Stop> {
        let simulation = build.simulation(self.gpu);
        let yardstick = self.setup.simulated_yardstick()?;
        let predicted = prediction::predict(task, case, &build.program, &simulation, yardstick, SEED);
        let predicted = predicted.map_err(|error| match error {
            PredictError::Image(error) => Stop::Environment(error.into()),
            PredictError::Failure(failure) => Stop::environment(failure.to_string()),
        })?;
        Ok([predicted.seconds, predicted.yardstick_seconds])
    }
}

fn row(
    point: Point,
    source: &Source,
    cases: &[Case],
    ready: Option<(&Predictor, &Build)>,
) -> Result<Validated, Stop> {
    let task = sources::task(source.lab, &point.task);
    let case = cases.iter().find(|case| case.name == point.case);
    let seconds = match (ready, task, case) {
        (Some((predictor, build)), Some(task), Some(case)) => Some(predictor.seconds(task, case, build)?),
        _ => None,
    };
    Ok(Validated {
        point,
        predicted_seconds: seconds.map(|[kernel, _]| kernel),
        predicted_yardstick_seconds: seconds.map(|[_, yardstick]| yardstick),
    })
}

fn text(record: &Record<records::Validate>) -> String {
    let mut out = format!("{}\n", heading(&record.provenance));
    for row in &record.content.rows {
        let Point { lab, kernel, task, case, seconds, .. } = &row.point;
        let beside = match (row.predicted_seconds, row.ratio()) {
            (Some(predicted), Some(ratio)) => format!("{:9.4} predicted, {ratio:5.2}", predicted * 1e3),
            _ => String::new(),
        };
        let kernel = shortened(kernel, 24);
        let _ = writeln!(out, "{lab} {kernel:24} {task:18} {case:16} {:9.4} ms {beside}", seconds * 1e3);
    }
    let _ = match record.content.errors() {
        Some([error, bias]) => writeln!(
            out,
            "mean error {:.1} %, bias {:+.1} % (below 0: predicted too fast)",
            100.0 * error,
            100.0 * bias
        ),
        None => writeln!(out, "no model of this GPU: its times alone are in the file"),
    };
    out
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn every_kernel_and_picture_of_the_set_is_there() {
        assert_eq!(chosen().map(|sources| sources.len()).ok(), Some(KERNELS.len()));
        assert_eq!(cases().len(), PICTURES.len());
    }
}
