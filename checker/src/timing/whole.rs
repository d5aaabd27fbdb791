//! A call on a picture too tall to be run: what its work would be there, from runs on fewer rows.
//!
//! Four questions, each answered by running or asking the student's own code:
//! - what it does: on a sample of the rows, counted;
//! - which launches it would make: from the host function alone, on the whole picture, with no kernel run;
//! - which launches do not depend on the picture (a scan of 256 counters): those that do as much on half the sample;
//! - what blocks do that would each get far more pixels than in the sample (a grid as large as the GPU): the
//!   sample again, on as few blocks as have as much to do as each of the whole picture's.

use lab::{Case, Image, ImageError, Picture, Task};
use simulator::Checks;
use simulator::timing::Whole;

use super::predicted::PredictError;
use crate::engine::{Engine, Step, Work};
use crate::finding::Finding;
use crate::job::{self, Failure, Job, Outcome, Prepared, Program};
use crate::session::Simulation;

/// Pixels of the sample: enough for every multiprocessor to have work, few enough for a tenth of a second.
const SAMPLE_PIXELS: usize = 250_000;
/// Rows of a sample are a multiple of this, so that colour planes and rows stay aligned as they are in the whole.
const ROWS: usize = 32;
/// A launch that does this share of its work on half the rows does not depend on them.
const CONSTANT: f64 = 0.9;
/// A run on fewer blocks is the same work if it reads this share of the sectors. Blocks may each read a table.
const SAME_READS: f64 = 0.9;

/// A grid, or where it would be between two grids.
type Grid = [f64; 3];

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

/// What runs need.
struct Call<'a> {
    task: &'a dyn Task,
    case: &'a Case,
    program: &'a Program,
    student: &'a Simulation,
    seed: u64,
}

/// Runs the sample, and finds out what the whole would be.
pub fn scaled(
    task: &dyn Task,
    case: &Case,
    program: &Program,
    student: &Simulation,
    seed: u64,
) -> Result<Scaled, PredictError> {
    let call = Call { task, case, program, student, seed };
    let (image, height) = sample(case, seed)?;
    let (outcome, read) = call.run(&image, Vec::new())?;
    let scale = height as f64 / image.height as f64;
    let (steps, rough) = if scale > 1.0 && !outcome.has_error() {
        call.steps(&image, height, &outcome, &read)?
    } else {
        (as_they_are(&outcome.work, scale), false)
    };
    Ok(Scaled { image, height, outcome, steps, rough })
}

/// Every step taken to the whole by its rows alone.
pub fn as_they_are(steps: &[Step], scale: f64) -> Vec<(Step, Whole)> {
    let whole = |step: &Step| Whole { scale, blocks: grid(step).map_or(0.0, blocks) * scale, again: false };
    marked(steps.iter().map(|step| (step.clone(), whole(step))).collect())
}

impl Call<'_> {
    fn job(&self, image: &Image) -> Job {
        Job::new(self.task.name(), self.task.arguments(image), image.pixels() as u64, self.seed)
    }

    /// Runs the call; `grids` replaces those of its launches, in order, where there is one. What the host function
    /// read back comes too.
    fn run(&self, image: &Image, grids: Vec<Option<[u32; 3]>>) -> Result<(Outcome, Vec<Vec<u8>>), Failure> {
        let job = self.job(image);
        let mut engine = self.student.engine(job.pixels, Checks::COUNT).with_grids(grids);
        let outcome = job::run(&mut engine, self.program, &job)?;
        Ok((outcome, engine.take_read()))
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

    /// The steps, and whether they are taken to the whole by their rows alone.
    fn steps(
        &self,
        image: &Image,
        height: usize,
        outcome: &Outcome,
        read: &[Vec<u8>],
    ) -> Result<(Vec<(Step, Whole)>, bool), PredictError> {
        let scale = height as f64 / image.height as f64;
        let mut steps = as_they_are(&outcome.work, scale);
        let launches = steps.iter().filter(|(step, _)| grid(step).is_some()).count();
        let constant = self.constant(image, &outcome.work, launches)?;
        let Some(grids) = self.grids(height, scale, launches, read)? else {
            return Ok((steps, true));
        };
        let mut fewer = Vec::new();
        for (index, (step, whole)) in kernels(&mut steps).enumerate() {
            let sample = grid(step).expect("a launch");
            if constant[index] {
                (whole.scale, whole.blocks) = (1.0, blocks(sample));
                fewer.push(None);
                continue;
            }
            whole.blocks = blocks(grids[index]);
            fewer.push(fewer_blocks(sample, whole.blocks, scale));
        }
        if fewer.iter().any(Option::is_some) {
            // Code that cannot do with another grid keeps what was counted on its own.
            if let Ok((other, _)) = self.run(image, fewer.clone())
                && !other.has_error()
            {
                replace(&mut steps, &fewer, &other.work);
            }
        }
        Ok((steps, false))
    }

    /// Which launches do not depend on the picture.
    fn constant(&self, image: &Image, steps: &[Step], launches: usize) -> Result<Vec<bool>, PredictError> {
        let all_grow = vec![false; launches];
        if launches < 2 || image.height < 2 {
            return Ok(all_grow);
        }
        let Ok((half, _)) = self.run(&self.cut(image.height / 2)?, Vec::new()) else { return Ok(all_grow) };
        let (whole, half) = (work(steps), work(&half.work));
        if whole.len() != half.len() {
            return Ok(all_grow);
        }
        Ok(whole.iter().zip(half).map(|(whole, half)| half >= CONSTANT * whole).collect())
    }

    /// The grids on the whole picture. Where the host function reads back what kernels compute, it gets what it
    /// read on the sample, else that times the `scale`, as counters of pixels grow. `None` if it does not come to
    /// the sample's launches either way.
    fn grids(
        &self,
        height: usize,
        scale: f64,
        launches: usize,
        read: &[Vec<u8>],
    ) -> Result<Option<Vec<Grid>>, PredictError> {
        let answers = [read.to_vec(), read.iter().map(|bytes| grown(bytes, scale)).collect()];
        let tries = if read.is_empty() { 1 } else { 2 };
        for read in answers.into_iter().take(tries) {
            if let Some(grids) = self.dry(height, read)?.filter(|grids| grids.len() == launches) {
                return Ok(Some(grids));
            }
        }
        Ok(None)
    }

    /// The grids of a picture of so many rows; `None` if the host function does not come to its end.
    fn dry(&self, rows: usize, read: Vec<Vec<u8>>) -> Result<Option<Vec<Grid>>, PredictError> {
        let job = self.job(&self.plain(rows)?);
        let mut engine = self.student.engine(job.pixels, Checks::COUNT).dry(read);
        let prepared = Prepared::new(&mut engine, &job).map_err(Failure::from)?;
        engine.take_work();
        match job::call(&mut engine, self.program, &job, &prepared, self.seed) {
            Ok(called) if !called.findings.iter().any(Finding::is_error) => {
                Ok(Some(engine.take_work().iter().filter_map(grid).collect()))
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
        let wanted = (SAMPLE_PIXELS / width).max(1);
        (wanted.next_multiple_of(ROWS) + height % ROWS).min(height)
    });
    let image = Case { name: case.name.clone(), picture }.image(seed)?;
    let whole = whole.unwrap_or(image.height);
    Ok((image, whole))
}

/// The picture with as many rows as `rows` says for its width and height, and how many it had; unchanged where it
/// cannot be cut.
fn cut(case: &Case, rows: impl Fn(usize, usize) -> usize) -> (Picture, Option<usize>) {
    let mut picture = case.picture.clone();
    let whole = match &mut picture {
        Picture::Photograph(_) => None,
        Picture::Flat { width, height, .. }
        | Picture::HorizontalStripes { width, height, .. }
        | Picture::VerticalStripes { width, height, .. }
        | Picture::Noise { width, height, .. }
        | Picture::GrayNoise { width, height, .. }
        | Picture::LowContrast { width, height, .. }
        | Picture::Scene { width, height } => Some(std::mem::replace(height, rows(*width, *height))),
    };
    (picture, whole)
}

fn grid(step: &Step) -> Option<Grid> {
    match step {
        Step::Work { work: Work::Kernel(kernel), .. } => Some(kernel.grid.map(f64::from)),
        _ => None,
    }
}

fn blocks(grid: Grid) -> f64 {
    grid.iter().product()
}

fn kernels(steps: &mut [(Step, Whole)]) -> impl Iterator<Item = &mut (Step, Whole)> {
    steps.iter_mut().filter(|(step, _)| grid(step).is_some())
}

/// Instructions of each launch.
fn work(steps: &[Step]) -> Vec<f64> {
    let of = |step: &Step| match step {
        Step::Work { work: Work::Kernel(kernel), .. } => Some(kernel.counters.warp_instructions as f64),
        _ => None,
    };
    steps.iter().filter_map(of).collect()
}

/// A grid for the sample whose blocks have as many pixels each as those of the whole; `None` if they have them
/// already, about.
fn fewer_blocks(sample: Grid, whole: f64, scale: f64) -> Option<[u32; 3]> {
    let now = blocks(sample);
    let wanted = (whole / scale).max(1.0);
    if wanted > now / 2.0 {
        return None;
    }
    let longest = (0..3).max_by(|a, b| sample[*a].total_cmp(&sample[*b]))?;
    let mut grid = sample.map(|length| length as u32);
    grid[longest] = (sample[longest] * wanted / now).round().max(1.0) as u32;
    Some(grid)
}

/// Takes what the run on fewer blocks counted, for the launches that did the same work on them.
fn replace(steps: &mut [(Step, Whole)], fewer: &[Option<[u32; 3]>], other: &[Step]) {
    let others: Vec<&Step> = other.iter().filter(|step| grid(step).is_some()).collect();
    if others.len() != fewer.len() {
        return;
    }
    for (((step, _), other), _) in kernels(steps).zip(others).zip(fewer).filter(|(_, grid)| grid.is_some()) {
        let mut both = reads(step).into_iter().zip(reads(other));
        if both.all(|(own, other)| other >= SAME_READS * own) {
            *step = other.clone();
        }
    }
}

/// Sectors read, each once, and each time.
fn reads(step: &Step) -> [f64; 2] {
    match step {
        Step::Work { work: Work::Kernel(kernel), .. } => {
            [kernel.counters.unique_read_sectors, kernel.counters.global_load_sectors]
                .map(|sectors| sectors as f64)
        }
        _ => [0.0; 2],
    }
}

/// Notes which work comes after other work.
fn marked(mut steps: Vec<(Step, Whole)>) -> Vec<(Step, Whole)> {
    let mut again = false;
    for (step, whole) in &mut steps {
        whole.again = again;
        again |= matches!(step, Step::Work { .. });
    }
    steps
}
