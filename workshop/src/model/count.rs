//! The terms of every measured call: counted on the simulator once, however often the model is fitted.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use lab::Case;
use rayon::prelude::*;
use records::{Point, Set};
use serde::{Deserialize, Serialize};
use simulator::model::Whole;

use super::cache::Cache;
use crate::rungs;
use crate::sources::{Source, cases, of_the_model, task, workspace};
use judge::exit::Stop;
use judge::labs;
use judge::prediction::{sample, scaled, yardstick_steps};
use judge::progress::Progress;
use judge::setup::Setup;
use runtime::engine::Step;
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
    /// The steps of the call on a sample, and how they scale to the whole picture.
    pub steps: Vec<(Step, Whole)>,
}

/// What a call does, however long that was measured to take.
#[derive(Serialize, Deserialize)]
struct Call {
    lab: String,
    task: String,
    case: String,
    steps: Vec<(Step, Whole)>,
}

impl Call {
    fn is_of(&self, point: &Point) -> bool {
        (&self.lab, &self.task, &self.case) == (&point.lab, &point.task, &point.case)
    }

    fn counted(&self, point: Point, family: &str) -> Counted {
        Counted { point, family: family.to_owned(), steps: self.steps.clone() }
    }
}

/// Every measured call, counted on the simulator, files side by side.
pub fn counted(setup: &Setup, points: &[Point], progress: &Progress) -> Result<Vec<Counted>, Stop> {
    let (cases, workspace) = (cases(), workspace()?);
    let cache = Cache::new(&workspace, setup);
    let sources = of_the_model(&labs::all(), &workspace)?;
    let begun = AtomicUsize::new(0);
    let calls = sources.par_iter().map(|source| {
        let begun = 1 + begun.fetch_add(1, Ordering::Relaxed);
        progress.say(&format!("counting {} of {}: {}", begun, sources.len(), source.name));
        let own: Vec<&Point> = points.iter().filter(|point| source.has(point)).collect();
        if own.is_empty() {
            return Ok(Vec::new());
        }
        let calls = calls(setup, &cache, source, &cases, &own)?;
        let counted = own.into_iter().filter_map(|point| {
            let call = calls.iter().find(|call| call.is_of(point))?;
            Some(call.counted(point.clone(), &source.family))
        });
        Ok(counted.collect())
    });
    let calls: Vec<Vec<Counted>> = calls.collect::<Result<_, Stop>>()?;
    Ok(calls.into_iter().flatten().chain(yardsticks(setup, &cache, &cases, points)?).collect())
}

/// The calls of a file that were measured.
fn calls(
    setup: &Setup,
    cache: &Cache,
    source: &Source,
    cases: &[Case],
    points: &[&Point],
) -> Result<Vec<Call>, Stop> {
    let (lab, name) = (source.lab, &source.name);
    let text = std::fs::read(&source.path)
        .map_err(|error| Stop::environment(format!("failed to read `{}`: {error}", source.path.display())))?;
    let mut each: BTreeMap<&str, Vec<&Point>> = BTreeMap::new();
    for point in points {
        each.entry(&point.case).or_default().push(point);
    }
    let mut build = None;
    let mut all = Vec::new();
    // Picture by picture: who stops a run that takes minutes keeps what it has counted.
    for (case, points) in each {
        let of: Vec<&str> = points.iter().map(|point| &*point.task).collect();
        let file = format!("{}-{:?}-{name}-{}", lab.name(), source.set, case.replace(' ', "-"));
        all.extend(cache.get(&file, (&text, case, &of), || {
            if build.is_none() {
                build = Some(rungs::compiled(source, setup)?);
            }
            let Some(build) = &build else { return Ok(Vec::new()) };
            let simulation = build.simulation(setup.simulated_gpu());
            let case = cases.iter().find(|known| known.name == case);
            let count = |point: &&Point| {
                let (task, case) = (task(lab, &point.task)?, case?);
                let scaled = scaled(task, case, &build.program, &simulation, SEED);
                Some(scaled.map(|scaled| call(point, scaled.taken.steps)).map_err(|error| {
                    let Point { task, case, .. } = point;
                    Stop::environment(format!("failed to count `{name}`, `{task}`, {case}: {error}"))
                }))
            };
            points.iter().filter_map(count).collect::<Result<Vec<Call>, Stop>>()
        })?);
    }
    Ok(all)
}

fn call(point: &Point, steps: Vec<(Step, Whole)>) -> Call {
    Call { lab: point.lab.clone(), task: point.task.clone(), case: point.case.clone(), steps }
}

/// The yardstick beside every task and picture, with the middle of its times beside the kernels.
fn yardsticks(setup: &Setup, cache: &Cache, cases: &[Case], points: &[Point]) -> Result<Vec<Counted>, Stop> {
    let mut each: BTreeMap<(&str, &str, &str), Vec<&Point>> = BTreeMap::new();
    for point in points {
        each.entry((&point.lab, &point.task, &point.case)).or_default().push(point);
    }
    let of: Vec<&(&str, &str, &str)> = each.keys().collect();
    let calls = cache.get("yardstick", of, || {
        let simulation = setup.simulated_yardstick()?;
        let mut all = Vec::new();
        for points in each.values() {
            let Point { lab, task: task_name, case, .. } = points[0];
            let lab = labs::all().into_iter().find(|of| of.name() == lab);
            let task = lab.and_then(|lab| task(lab, task_name));
            let case = cases.iter().find(|of| of.name == *case);
            let (Some(task), Some(case)) = (task, case) else { continue };
            let failed = |error: String| Stop::environment(format!("failed to count the yardstick: {error}"));
            let (image, height) = sample(case, SEED).map_err(|error| failed(error.to_string()))?;
            let steps = yardstick_steps(task, &image, height, simulation);
            all.push(call(points[0], steps.map_err(|error| failed(error.to_string()))?));
        }
        Ok(all)
    })?;
    let counted = each.values().filter_map(|points| {
        let call = calls.iter().find(|call| call.is_of(points[0]))?;
        let times: Vec<f64> = points.iter().map(|point| point.yardstick_seconds).collect();
        let seconds = statistics::median(&times);
        let point = Point {
            set: Set::Yardstick,
            kernel: "yardstick".to_owned(),
            seconds,
            yardstick_seconds: seconds,
            error: 0.0,
            ..points[0].clone()
        };
        Some(call.counted(point, "yardstick"))
    });
    Ok(counted.collect())
}
