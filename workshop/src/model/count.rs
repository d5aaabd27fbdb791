//! The terms of every measured call: counted on the simulator once, however often the model is fitted.

use std::collections::BTreeSet;

use lab::Case;
use records::{Point, Set};
use simulator::model::Whole;

use crate::rungs;
use crate::sources::{Source, task};
use checker::exit::Stop;
use checker::labs;
use checker::prediction::{sample, scaled, yardstick_steps};
use checker::setup::Setup;
use runtime::engine::{Step, Work};
use runtime::statistics;

/// Of random pictures, the same as when they were timed.
const SEED: u64 = 1;

/// A measured call, counted.
#[derive(Debug, Clone)]
pub struct Counted {
    /// The measurement.
    pub point: Point,
    /// The family of its kernels.
    pub family: String,
    /// The work of the call on a sample, and how it scales to the whole picture.
    pub pieces: Vec<(Work, Whole)>,
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
        all.push(Counted {
            point: point.clone(),
            family: source.family.clone(),
            pieces: works(scaled.taken.steps),
        });
    }
    Ok(all)
}

fn works(steps: Vec<(Step, Whole)>) -> Vec<(Work, Whole)> {
    let work = |(step, whole)| match step {
        Step::Work { work, .. } => Some((work, whole)),
        _ => None,
    };
    steps.into_iter().filter_map(work).collect()
}

/// The yardstick beside every task and picture, with the middle of its times beside the kernels.
pub fn yardsticks(setup: &Setup, cases: &[Case], points: &[Point]) -> Result<Vec<Counted>, Stop> {
    let simulation = setup.simulated_yardstick()?;
    let of = |point: &Point| (point.lab.clone(), point.task.clone(), point.case.clone());
    let calls: BTreeSet<(String, String, String)> = points.iter().map(of).collect();
    let mut all = Vec::new();
    for call in calls {
        let (lab, task_name, case_name) = &call;
        let task =
            labs::all().into_iter().find(|lab_of| lab_of.name() == lab).and_then(|lab| task(lab, task_name));
        let (Some(task), Some(case)) = (task, cases.iter().find(|case| case.name == *case_name)) else {
            continue;
        };
        let times: Vec<f64> =
            points.iter().filter(|point| of(point) == call).map(|point| point.yardstick_seconds).collect();
        let failed = |error: String| Stop::environment(format!("failed to count the yardstick: {error}"));
        let (image, height) = sample(case, SEED).map_err(|error| failed(error.to_string()))?;
        let steps = yardstick_steps(task, &image, height, simulation);
        let steps = steps.map_err(|error| failed(error.to_string()))?;
        let point = Point {
            set: Set::Yardstick,
            lab: lab.clone(),
            kernel: "yardstick".to_owned(),
            task: task_name.clone(),
            case: case_name.clone(),
            seconds: statistics::median(&times),
            yardstick_seconds: statistics::median(&times),
            error: 0.0,
        };
        all.push(Counted { point, family: "yardstick".to_owned(), pieces: works(steps) });
    }
    Ok(all)
}
