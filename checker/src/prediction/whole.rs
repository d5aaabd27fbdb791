//! A call on a picture too tall to be run: what its work would be there, from runs on fewer rows.
//!
//! Four questions, each answered by running or asking the student's own code:
//! - what it does: on a sample of the rows, counted;
//! - how that grows: on half of those rows again, so that borders and tables are told from what each row adds;
//! - which launches it would make: from the host function alone, on the whole picture, with no kernel run;
//! - what blocks do that would each get far more pixels than in the sample (a grid as large as the GPU): the
//!   sample again, on as few blocks as have as much to do as each of the whole picture's.

use std::cell::Cell;

use crate::call;
use crate::chance::Chance;
use lab::{Case, Image, Task};
use simulator::Checks;
use simulator::model::{Growth, Kernel, Whole};

use super::doubt::{Compared, Doubt, doubt};
use super::fewer::{fewer_blocks, replace};
use super::growth::{grown, growth, is_constant};
use super::pictures;
use super::predicted::PredictError;
use super::rows::rows_of_a_block;
use runtime::engine::{Asked, Engine, SimulatedEngine, Step, Work};
use runtime::finding::Finding;
use runtime::job::{self, Failure, Job, Outcome, Prepared, Program};
use runtime::simulation::Simulation;

/// Dry runs of one prediction: each launch may ask for a dozen, and each may take a second.
const MOST_DRY_RUNS: u32 = 48;
/// Pixels of the whole picture whose blocks are tried.
const TRIED_PIXELS: f64 = 100_000.0;
/// Instructions of a host function on the whole picture beyond which it is not run there.
const MOST_HOST_INSTRUCTIONS: f64 = 20e6;

/// A call on a whole picture.
#[derive(Debug)]
pub struct Scaled {
    /// The sample.
    pub image: Image,
    /// Rows of the whole.
    pub height: usize,
    /// What the call on the sample led to.
    pub outcome: Outcome,
    /// What was done, and how to take it to the whole.
    pub steps: Vec<(Step, Whole)>,
    /// Whether the whole comes to other launches than the sample, so that each launch counts by its rows alone.
    pub rough: bool,
    /// Why the steps are not to be trusted.
    pub doubt: Option<Doubt>,
}

/// The steps taken to the whole, whether by their rows alone, and why they are not to be trusted.
type Taken = (Vec<(Step, Whole)>, bool, Option<Doubt>);

/// What a run led to.
struct Ran {
    outcome: Outcome,
    /// What the host function read back.
    read: Vec<Vec<u8>>,
    /// By launch.
    asked: Vec<Asked>,
}

/// The call on the first rows of a picture.
struct Sample {
    image: Image,
    /// Rows of the whole picture.
    height: usize,
    ran: Ran,
}

impl Sample {
    /// How much taller the whole picture is.
    fn scale(&self) -> f64 {
        self.height as f64 / self.image.height as f64
    }

    /// The steps, each taken to the whole by its rows alone.
    fn steps(&self) -> Vec<(Step, Whole)> {
        as_they_are(&self.ran.outcome.work, self.scale())
    }

    /// Rows of the smaller sample, of this one, and of the whole picture.
    fn rows(&self) -> [usize; 3] {
        [pictures::smaller(self.image.height), self.image.height, self.height]
    }

    /// Instructions of the host function on the whole picture, if they grow with the rows.
    fn computing(&self) -> f64 {
        let instructions = self.ran.outcome.work.iter().map(|step| match step {
            Step::Work { work: Work::Compute(instructions), .. } => *instructions as f64,
            _ => 0.0,
        });
        instructions.sum::<f64>() * self.scale()
    }

    /// Launches of kernels.
    fn launches(&self) -> usize {
        self.ran.outcome.work.iter().filter(|step| grid(step).is_some()).count()
    }
}

/// A launch, and what it asked for.
pub(super) struct Launched {
    pub kernel: Kernel,
    pub asked: Asked,
}

/// A run on the whole picture: what the host function does, and blocks of each launch.
struct Tried {
    work: Vec<Step>,
    launches: Vec<Launched>,
}

/// The launches of a call, in order.
struct Launches {
    /// On the smaller sample; `None` where it does not come to the same launches.
    smaller: Option<Vec<Launched>>,
    sample: Vec<Launched>,
    /// On the whole picture, with some blocks counted.
    whole: Vec<Launched>,
}

impl Launches {
    /// A grid for each launch on the sample whose blocks have as much to do as those of the whole; `None` if they have already, or if
    /// the launch does not depend on the picture.
    fn fewer_blocks(&self, scale: f64) -> Vec<Option<[u32; 3]>> {
        let of = |(launch, (sample, whole)): (usize, (&Launched, &Launched))| {
            let smaller = self.smaller.as_ref().map(|smaller| &smaller[launch]);
            let constant = smaller.is_some_and(|smaller| is_constant(&sample.kernel, &smaller.kernel));
            if constant { None } else { fewer_blocks(sample.kernel.grid, whole.kernel.grid, scale) }
        };
        self.sample.iter().zip(&self.whole).enumerate().map(of).collect()
    }
}

impl Ran {
    fn launches(&self) -> Vec<Launched> {
        launched(&self.outcome.work, self.asked.clone())
    }
}

fn launched(steps: &[Step], asked: Vec<Asked>) -> Vec<Launched> {
    let kernels = steps.iter().filter_map(|step| match step {
        Step::Work { work: Work::Kernel(kernel), .. } => Some((**kernel).clone()),
        _ => None,
    });
    kernels.zip(asked).map(|(kernel, asked)| Launched { kernel, asked }).collect()
}

/// What runs need.
struct Call<'a> {
    task: &'a dyn Task,
    case: &'a Case,
    program: &'a Program,
    student: &'a Simulation,
    seed: u64,
    /// Dry runs that may still be made.
    dry_runs: Cell<u32>,
    chance: Chance,
}

/// Runs the sample, and finds out what the whole would be.
pub fn scaled(
    task: &dyn Task,
    case: &Case,
    program: &Program,
    student: &Simulation,
    seed: u64,
) -> Result<Scaled, PredictError> {
    let chance = Chance::new(student.tokens).with(case.name.as_str(), seed);
    let dry_runs = Cell::new(MOST_DRY_RUNS);
    let call = Call { task, case, program, student, seed, dry_runs, chance };
    let (image, height) = pictures::sample(case, seed)?;
    let ran = call.run(&image, Vec::new())?;
    let sample = Sample { image, height, ran };
    let (steps, rough, doubt) = if sample.scale() > 1.0 && !sample.ran.outcome.has_error() {
        call.steps(&sample)?
    } else {
        (sample.steps(), false, None)
    };
    let Sample { image, height, ran } = sample;
    Ok(Scaled { image, height, outcome: ran.outcome, steps, rough, doubt })
}

/// Every step taken to the whole by its rows alone.
pub(super) fn as_they_are(steps: &[Step], scale: f64) -> Vec<(Step, Whole)> {
    let whole = |step: &Step| Whole { scale, blocks: grid(step).map_or(0.0, blocks) * scale, earlier: None };
    marked(steps.iter().map(|step| (step.clone(), whole(step))).collect())
}

impl Call<'_> {
    fn job(&self, image: &Image) -> Job {
        call::job(self.task.name(), self.task.arguments(image), image.pixels() as u64, self.seed)
    }

    /// Runs the call; `grids` replaces those of its launches, in order, where there is one.
    fn run(&self, image: &Image, grids: Vec<Option<[u32; 3]>>) -> Result<Ran, Failure> {
        let job = self.job(image);
        let mut engine = self.student.engine_for(&job, Checks::COUNT).with_grids(grids);
        let outcome = job::run(&mut engine, self.program, &job)?;
        Ok(Ran { outcome, read: engine.take_read(), asked: engine.take_asked() })
    }

    /// The steps taken to the whole, whether by their rows alone, and why they are not to be trusted.
    fn steps(&self, sample: &Sample) -> Result<Taken, PredictError> {
        let mut steps = sample.steps();
        let computing = sample.computing();
        if computing > MOST_HOST_INSTRUCTIONS {
            return Ok((steps, true, Some(Doubt::host_computes(computing))));
        }
        let Some(tried) = self.planned(sample)? else {
            return Ok((steps, true, Some(Doubt::other_launches())));
        };
        let Tried { work, launches: whole } = tried;
        for ((_, on), launched) in kernels(&mut steps).zip(&whole) {
            on.blocks = blocks(launched.kernel.grid);
        }
        let launches = Launches { smaller: self.smaller(sample)?, sample: sample.ran.launches(), whole };
        let fewer = self.count_on_fewer_blocks(sample, &launches, &mut steps);
        if let Some(smaller) = &launches.smaller {
            for (launch, (step, on)) in kernels(&mut steps).enumerate() {
                let Step::Work { work: Work::Kernel(kernel), .. } = step else { continue };
                if fewer[launch].is_none() {
                    let three = [&smaller[launch], &launches.sample[launch], &launches.whole[launch]];
                    **kernel = self.grown(sample, launch, three)?;
                    on.scale = 1.0;
                }
            }
        }
        let steps = as_on_the_whole(&work, steps);
        let doubt = self.doubt(sample, &launches, &steps);
        Ok((steps, false, doubt))
    }

    fn doubt(&self, sample: &Sample, launches: &Launches, steps: &[(Step, Whole)]) -> Option<Doubt> {
        let predicted = steps.iter().filter_map(|(step, on)| match step {
            Step::Work { work: Work::Kernel(kernel), .. } => Some((&**kernel, *on)),
            _ => None,
        });
        let both = launches.sample.iter().zip(&launches.whole).zip(predicted);
        let compared: Vec<Compared<'_>> =
            both.map(|((sample, whole), predicted)| Compared { sample, whole, predicted }).collect();
        let fewest = self.task.fewest_bytes(sample.image.width, sample.height);
        doubt(self.task, fewest, sample.scale(), steps, &compared)
    }

    /// The launches on the smaller sample; `None` if it does not come to those of the sample.
    fn smaller(&self, sample: &Sample) -> Result<Option<Vec<Launched>>, PredictError> {
        let [rows, ..] = sample.rows();
        let ran = self
            .run(&pictures::rows_of(self.case, rows, self.seed)?, Vec::new())
            .ok()
            .filter(|ran| !ran.outcome.has_error());
        Ok(ran.map(|ran| ran.launches()).filter(|launches| launches.len() == sample.launches()))
    }

    /// Counts launches on fewer blocks where those of the whole have more to do each; the grids of those that could do with them.
    fn count_on_fewer_blocks(
        &self,
        sample: &Sample,
        launches: &Launches,
        steps: &mut [(Step, Whole)],
    ) -> Vec<Option<[u32; 3]>> {
        let mut fewer = launches.fewer_blocks(sample.scale());
        if fewer.iter().any(Option::is_some) {
            // Code that cannot do with another grid keeps what was counted on its own.
            match self.run(&sample.image, fewer.clone()) {
                Ok(other) if !other.outcome.has_error() => {
                    replace(steps, &mut fewer, &other.outcome.work);
                }
                _ => fewer.fill(None),
            }
        }
        fewer
    }

    /// What a launch does on the whole, from what it did on the smaller sample and on the sample.
    fn grown(
        &self,
        sample: &Sample,
        launch: usize,
        launched: [&Launched; 3],
    ) -> Result<Kernel, PredictError> {
        let [less, rows, all] = sample.rows();
        let of_rows = (all - rows) as f64 / (rows - less) as f64;
        let farther = growth(launched.map(|launched| &launched.asked.arguments[..])).unwrap_or(of_rows);
        let [smaller, own, whole] = launched.map(|launched| &launched.kernel);
        let grids = [smaller, own, whole].map(|kernel| blocks(kernel.grid));
        let mut growth = Growth::new([rows as f64 / less as f64, farther], grids);
        if let Some(times) = growth.beyond {
            let blocks_on = |rows| self.blocks_on(rows, launch);
            let full = rows_of_a_block([rows, all], grids[1], times, blocks_on)?;
            growth.full = full.map(|full| (full - rows) as f64 / (rows - less) as f64);
        }
        Ok(own.grown(smaller, growth, whole.grid))
    }

    /// The blocks of a launch on so many rows, if the host function comes to it.
    fn blocks_on(&self, rows: usize, launch: usize) -> Result<Option<f64>, PredictError> {
        let launched = self.dry(rows)?;
        let launch = launched.as_ref().and_then(|launched| launched.get(launch));
        Ok(launch.map(|launch| blocks(launch.kernel.grid)))
    }

    /// A run on the whole picture. Where the host function reads back what kernels compute,
    /// it gets what it read on the sample, else that times the scale, as counters of pixels grow. `None` if it does not
    /// come to the sample's launches either way.
    fn planned(&self, sample: &Sample) -> Result<Option<Tried>, PredictError> {
        let (read, launches) = (&sample.ran.read, sample.launches());
        let answers = [read.clone(), read.iter().map(|bytes| grown(bytes, sample.scale())).collect()];
        let tries = if read.is_empty() { 1 } else { 2 };
        let image = pictures::full(self.case, sample.height, self.chance)?;
        let share = TRIED_PIXELS / image.pixels() as f64;
        let job = self.job(&image);
        drop(image);
        for read in answers.into_iter().take(tries) {
            let mut engine = self.student.trial(read, self.chance.number("blocks"), share, launches);
            let planned = self.called(&mut engine, &job)?;
            if let Some(planned) = planned.filter(|planned| planned.launches.len() == launches) {
                return Ok(Some(planned));
            }
        }
        Ok(None)
    }

    /// The launches on a picture of so many rows; `None` if the host function does not come to its end.
    fn dry(&self, rows: usize) -> Result<Option<Vec<Launched>>, PredictError> {
        let Some(left) = self.dry_runs.get().checked_sub(1) else { return Ok(None) };
        self.dry_runs.set(left);
        let width = pictures::rows_of(self.case, 1, self.seed)?.width;
        let job = self.job(&pictures::plain(width, rows)?);
        let mut engine = self.student.engine_for(&job, Checks::COUNT).dry(Vec::new());
        Ok(self.called(&mut engine, &job)?.map(|tried| tried.launches))
    }

    /// What a call does on an engine that does not run whole launches; `None` if it does not come to its end.
    fn called(&self, engine: &mut SimulatedEngine, job: &Job) -> Result<Option<Tried>, PredictError> {
        let prepared = Prepared::new(engine, job).map_err(Failure::from)?;
        engine.take_work();
        engine.take_asked();
        match job::call(engine, self.program, job, &prepared, self.seed) {
            Ok(called) if !called.findings.iter().any(Finding::is_error) => {
                let work = engine.take_work();
                let launches = launched(&work, engine.take_asked());
                Ok(Some(Tried { work, launches }))
            }
            _ => Ok(None),
        }
    }
}

/// The steps of the host function on the whole picture, with the kernels of `sample` as they were taken to it: copies and fills
/// count as they are there, whatever their sizes and their number.
fn as_on_the_whole(whole: &[Step], mut sample: Vec<(Step, Whole)>) -> Vec<(Step, Whole)> {
    let mut predicted = kernels(&mut sample).map(|(step, on)| (step.clone(), *on));
    let as_it_is = |step: &Step| (step.clone(), Whole { scale: 1.0, blocks: 0.0, earlier: None });
    whole
        .iter()
        .map(|step| match grid(step) {
            Some(_) => predicted.next().unwrap_or_else(|| as_it_is(step)),
            None => as_it_is(step),
        })
        .collect()
}

pub(super) fn grid(step: &Step) -> Option<[u32; 3]> {
    match step {
        Step::Work { work: Work::Kernel(kernel), .. } => Some(kernel.grid),
        _ => None,
    }
}

pub(super) fn blocks(grid: [u32; 3]) -> f64 {
    grid.into_iter().map(f64::from).product()
}

pub(super) fn kernels(steps: &mut [(Step, Whole)]) -> impl Iterator<Item = &mut (Step, Whole)> {
    steps.iter_mut().filter(|(step, _)| grid(step).is_some())
}

/// Notes which work comes after other work, and how much that has moved.
fn marked(mut steps: Vec<(Step, Whole)>) -> Vec<(Step, Whole)> {
    let mut earlier: Option<f64> = None;
    for (step, whole) in &mut steps {
        whole.earlier = earlier;
        let Step::Work { work, .. } = step else { continue };
        let moved = match work {
            Work::Kernel(kernel) => kernel.bytes() * whole.scale,
            Work::Memory(bytes) => *bytes as f64 * whole.scale,
            _ => 0.0,
        };
        earlier = Some(earlier.map_or(moved, |most| most.max(moved)));
    }
    steps
}
