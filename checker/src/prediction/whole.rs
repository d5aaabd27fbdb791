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
use lab::{Case, Image, ImageError, Picture, Task};
use simulator::Checks;
use simulator::model::{Growth, Kernel, Whole};

use super::fewer::{fewer_blocks, replace};
use super::predicted::PredictError;
use super::rows::rows_of_a_block;
use runtime::engine::{Arguments, Engine, Step, Work};
use runtime::finding::Finding;
use runtime::job::{self, Failure, Job, Outcome, Prepared, Program};
use runtime::simulation::Simulation;

/// Pixels of the sample: enough for every multiprocessor to have work, few enough for a tenth of a second.
const SAMPLE_PIXELS: usize = 250_000;
/// Rows of a sample are a multiple of this, so that colour planes and rows stay aligned as they are in the whole.
const ROWS: usize = 32;
/// Dry runs of one prediction: each launch may ask for a dozen, and each may take a second.
const MOST_DRY_RUNS: u32 = 48;
/// A launch that does this share of its work on half the rows does not depend on them.
const CONSTANT: f64 = 0.9;

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
}

/// What a run led to.
struct Ran {
    outcome: Outcome,
    /// What the host function read back.
    read: Vec<Vec<u8>>,
    /// By launch.
    arguments: Vec<Arguments>,
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
        [smaller(self.image.height), self.image.height, self.height]
    }

    /// Launches of kernels.
    fn launches(&self) -> usize {
        self.ran.outcome.work.iter().filter(|step| grid(step).is_some()).count()
    }
}

/// A launch, and what it was given.
struct Launched {
    kernel: Kernel,
    arguments: Arguments,
}

/// The launches of a call, in order.
struct Launches {
    /// On the smaller sample; `None` where it does not come to the same launches.
    smaller: Option<Vec<Launched>>,
    sample: Vec<Launched>,
    /// On the whole picture, with nothing counted.
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
        launched(&self.outcome.work, self.arguments.clone())
    }
}

fn launched(steps: &[Step], arguments: Vec<Arguments>) -> Vec<Launched> {
    let kernels = steps.iter().filter_map(|step| match step {
        Step::Work { work: Work::Kernel(kernel), .. } => Some((**kernel).clone()),
        _ => None,
    });
    kernels.zip(arguments).map(|(kernel, arguments)| Launched { kernel, arguments }).collect()
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
}

/// Runs the sample, and finds out what the whole would be.
pub fn scaled(
    task: &dyn Task,
    case: &Case,
    program: &Program,
    student: &Simulation,
    seed: u64,
) -> Result<Scaled, PredictError> {
    let call = Call { task, case, program, student, seed, dry_runs: Cell::new(MOST_DRY_RUNS) };
    let (image, height) = sample(case, seed)?;
    let ran = call.run(&image, Vec::new())?;
    let sample = Sample { image, height, ran };
    let (steps, rough) = if sample.scale() > 1.0 && !sample.ran.outcome.has_error() {
        call.steps(&sample)?
    } else {
        (sample.steps(), false)
    };
    let Sample { image, height, ran } = sample;
    Ok(Scaled { image, height, outcome: ran.outcome, steps, rough })
}

/// Every step taken to the whole by its rows alone.
pub fn as_they_are(steps: &[Step], scale: f64) -> Vec<(Step, Whole)> {
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
        Ok(Ran { outcome, read: engine.take_read(), arguments: engine.take_arguments() })
    }

    fn cut(&self, rows: usize) -> Result<Image, ImageError> {
        let (picture, _) = cut(self.case, |_, _| rows);
        Case { name: self.case.name.clone(), picture }.image(self.seed)
    }

    /// As many rows as that of one colour: where kernels do not run, the content does not matter.
    fn plain(&self, rows: usize) -> Result<Image, ImageError> {
        let width = self.cut(1)?.width;
        let picture = Picture::Flat { width, height: rows, value: [90, 90, 90] };
        Case { name: self.case.name.clone(), picture }.image(self.seed)
    }

    /// The steps taken to the whole, and whether by their rows alone.
    fn steps(&self, sample: &Sample) -> Result<(Vec<(Step, Whole)>, bool), PredictError> {
        let mut steps = sample.steps();
        let Some(whole) = self.planned(sample)? else { return Ok((steps, true)) };
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
        Ok((steps, false))
    }

    /// The launches on the smaller sample; `None` if it does not come to those of the sample.
    fn smaller(&self, sample: &Sample) -> Result<Option<Vec<Launched>>, PredictError> {
        let [rows, ..] = sample.rows();
        let ran = self.run(&self.cut(rows)?, Vec::new()).ok().filter(|ran| !ran.outcome.has_error());
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
                Ok(other) if !other.outcome.has_error() => replace(steps, &mut fewer, &other.outcome.work),
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
        let farther = growth(launched.map(|launched| &launched.arguments[..])).unwrap_or(of_rows);
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
        let launched = self.dry(rows, Vec::new())?;
        let launch = launched.as_ref().and_then(|launched| launched.get(launch));
        Ok(launch.map(|launch| blocks(launch.kernel.grid)))
    }

    /// The launches on the whole picture, with nothing counted. Where the host function reads back what kernels compute,
    /// it gets what it read on the sample, else that times the scale, as counters of pixels grow. `None` if it does not
    /// come to the sample's launches either way.
    fn planned(&self, sample: &Sample) -> Result<Option<Vec<Launched>>, PredictError> {
        let (read, launches) = (&sample.ran.read, sample.launches());
        let answers = [read.clone(), read.iter().map(|bytes| grown(bytes, sample.scale())).collect()];
        let tries = if read.is_empty() { 1 } else { 2 };
        for read in answers.into_iter().take(tries) {
            let planned = self.dry(sample.height, read)?;
            if let Some(planned) = planned.filter(|planned| planned.len() == launches) {
                return Ok(Some(planned));
            }
        }
        Ok(None)
    }

    /// The launches on a picture of so many rows; `None` if the host function does not come to its end.
    fn dry(&self, rows: usize, read: Vec<Vec<u8>>) -> Result<Option<Vec<Launched>>, PredictError> {
        let Some(left) = self.dry_runs.get().checked_sub(1) else { return Ok(None) };
        self.dry_runs.set(left);
        let job = self.job(&self.plain(rows)?);
        let mut engine = self.student.engine_for(&job, Checks::COUNT).dry(read);
        let prepared = Prepared::new(&mut engine, &job).map_err(Failure::from)?;
        engine.take_work();
        engine.take_arguments();
        match job::call(&mut engine, self.program, &job, &prepared, self.seed) {
            Ok(called) if !called.findings.iter().any(Finding::is_error) => {
                let work = engine.take_work();
                Ok(Some(launched(&work, engine.take_arguments())))
            }
            _ => Ok(None),
        }
    }
}

/// Counters of 32 bits on a picture so much larger.
fn grown(bytes: &[u8], scale: f64) -> Vec<u8> {
    let (words, rest) = bytes.as_chunks::<4>();
    let grown =
        words.iter().flat_map(|word| ((f64::from(u32::from_le_bytes(*word)) * scale) as u32).to_le_bytes());
    grown.chain(rest.iter().copied()).collect()
}

/// The first rows of a picture, and the height of the whole. Only a synthetic picture can be cut: a photograph is
/// small enough to run whole.
fn sample(case: &Case, seed: u64) -> Result<(Image, usize), ImageError> {
    let (picture, whole) = cut(case, |width, height| {
        let wanted = (SAMPLE_PIXELS / width).max(2 * ROWS);
        (wanted.next_multiple_of(ROWS) + height % ROWS).min(height)
    });
    let image = Case { name: case.name.clone(), picture }.image(seed)?;
    let whole = whole.unwrap_or(image.height);
    Ok((image, whole))
}

/// Rows of the smaller sample: about half as many, as well aligned.
fn smaller(rows: usize) -> usize {
    rows / ROWS / 2 * ROWS + rows % ROWS
}

/// The picture with as many rows as `rows` says for its width and height, and how many it had; unchanged where it
/// cannot be cut. Of a scene these are rows of it, and not a scene that is less high: blocks should find side by side what
/// they find in the whole.
fn cut(case: &Case, rows: impl Fn(usize, usize) -> usize) -> (Picture, Option<usize>) {
    let mut picture = case.picture.clone();
    let whole = match &mut picture {
        Picture::Photograph(_) | Picture::SceneBands { .. } => None,
        Picture::Scene { width, height } => {
            let (width, whole) = (*width, *height);
            picture = Picture::SceneBands { width, height: rows(width, whole), whole };
            Some(whole)
        }
        Picture::Flat { width, height, .. }
        | Picture::HorizontalStripes { width, height, .. }
        | Picture::VerticalStripes { width, height, .. }
        | Picture::Noise { width, height, .. }
        | Picture::GrayNoise { width, height, .. }
        | Picture::LowContrast { width, height, .. } => {
            Some(std::mem::replace(height, rows(*width, *height)))
        }
    };
    (picture, whole)
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

/// Whether a launch does not depend on the picture.
fn is_constant(sample: &Kernel, half: &Kernel) -> bool {
    let [sample, half] = [sample, half].map(|kernel| kernel.counters.warp_instructions as f64);
    half >= CONSTANT * sample
}

/// How much farther the whole is from the sample than the sample from its half, by the numbers that a launch is given:
/// what it does may depend on how many parts an earlier launch made rather than on the rows. `None` if they do not tell.
fn growth([half, sample, whole]: [&[Vec<u8>]; 3]) -> Option<f64> {
    let number = |bytes: &Vec<u8>| Some(f64::from(u32::from_le_bytes(bytes.as_slice().try_into().ok()?)));
    let mut found: Option<f64> = None;
    for ((half, sample), whole) in half.iter().zip(sample).zip(whole) {
        let (Some(half), Some(sample), Some(whole)) = (number(half), number(sample), number(whole)) else {
            continue;
        };
        if half.to_bits() == sample.to_bits() {
            continue;
        }
        let growth = (whole - sample) / (sample - half);
        if found.is_some_and(|found| (found - growth).abs() > 0.1 * growth.abs()) {
            return None;
        }
        found = Some(growth);
    }
    found
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
