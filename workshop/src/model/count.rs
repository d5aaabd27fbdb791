//! The terms of every measured call: counted on the simulator once, however often the model is fitted.

use lab::Case;
use records::Point;
use simulator::model::{self, Gpu, Model, Whole, terms};

use crate::rungs;
use crate::sources::{Source, task};
use checker::exit::Stop;
use checker::prediction::scaled;
use checker::setup::Setup;
use runtime::engine::{Step, Work, prediction};

/// Of random pictures, the same as when they were timed.
const SEED: u64 = 1;

/// A measured call, counted.
#[derive(Debug, Clone)]
pub struct Counted {
    /// The measurement.
    pub point: Point,
    /// The work of the call on a sample, and how it scales to the whole picture.
    pub pieces: Vec<(Work, Whole)>,
}

impl Counted {
    /// Predicted seconds.
    pub fn seconds(&self, model: &Model, gpu: &Gpu) -> f64 {
        self.pieces.iter().map(|(work, whole)| prediction::seconds_gathered(work, *whole, model, gpu)).sum()
    }

    /// The limiter of its longest launch.
    pub fn limiter(&self, model: &Model, gpu: &Gpu) -> &'static str {
        let launches = self.pieces.iter().filter_map(|(work, whole)| match work {
            Work::Kernel(kernel) => Some((kernel, *whole)),
            _ => None,
        });
        let seconds = |kernel, whole| model::seconds(kernel, whole, model, gpu);
        let longest = launches
            .max_by(|(one, whole), (other, others)| seconds(one, *whole).total_cmp(&seconds(other, *others)));
        longest.map_or("launch", |(kernel, whole)| model::limiter(&terms(kernel, whole, gpu), model))
    }
}

/// Counts the calls of one file.
pub fn counted(
    setup: &Setup,
    source: &Source,
    cases: &[Case],
    points: &[Point],
) -> Result<Vec<Counted>, Stop> {
    let (lab, name) = (source.lab, &source.name);
    let build = rungs::compiled(source, setup)?;
    let simulation = build.simulation(setup.simulated_gpu());
    let mut all = Vec::new();
    for point in points.iter().filter(|point| point.lab == lab.name() && point.kernel == source.name) {
        let task = task(lab, &point.task);
        let case = cases.iter().find(|case| case.name == point.case);
        let (Some(task), Some(case)) = (task, case) else { continue };
        let failed = |reason: String| {
            Stop::environment(format!("failed to count `{name}`, `{}`, {}: {reason}", point.task, point.case))
        };
        let scaled = scaled(task, case, &build.program, &simulation, SEED);
        let scaled = scaled.map_err(|error| failed(error.to_string()))?;
        let pieces = scaled.taken.steps.into_iter().filter_map(|(step, whole)| match step {
            Step::Work { work, .. } => Some((work, whole)),
            _ => None,
        });
        all.push(Counted { point: point.clone(), pieces: pieces.collect() });
    }
    Ok(all)
}
