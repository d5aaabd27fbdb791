//! A call on a picture too tall to be run: what its work would be there, from runs on fewer rows.
//!
//! Four questions, each answered by running or asking the student's own code:
//! - what it does: on a sample of the rows, counted;
//! - how that grows: on half of those rows again, so that borders and tables are told from what each row adds;
//! - which launches it would make: from the host function alone, on the whole picture, with no kernel run;
//! - what blocks do that would each get far more pixels than in the sample (a grid as large as the GPU): the
//!   sample again, on as few blocks as have as much to do as each of the whole picture's.

use std::collections::BTreeSet;

use crate::call;
use crate::chance::Chance;
use lab::{Case, Image, Task};
use simulator::model::{Growth, Kernel, Whole};
use simulator::performance::CODES;

use super::call::{Call, DryRuns, Tried};
use super::doubt::{Compared, Doubt, doubt, estimate, instructions_at_least};
use super::error::PredictError;
use super::every_block::{self, EveryBlock};
use super::fewer::{atomics, fewer_blocks, replace, same_outputs};
use super::growth::{grown, growth, is_constant};
use super::others::Other;
use super::pictures::{self, Tall};
use super::ran::Sample;
use super::rows::rows_of_a_block;
use super::steps::{
    Launched, aligned_as_there, as_on_the_whole, as_they_are, blocks, kernels, other_steps, over_the_link,
    shared_as_there,
};
use super::suspicion::{self, Evidence, Suspect};
use runtime::engine::{Engine, Profiled, Step, Work};
use runtime::finding::{Finding, merge};
use runtime::job::{Failure, Outcome, Prepared, Program};
use runtime::simulation::Simulation;

/// Pixels of the whole picture whose blocks are tried.
const TRIED_PIXELS: f64 = 100_000.0;
/// Instructions of a host function on the whole picture beyond which it is not run there.
const MOST_HOST_INSTRUCTIONS: f64 = 20e6;

/// Blocks of a cooperative launch, of which tries would run most, one after another.
const FEW_MEETING_BLOCKS: f64 = 20.0;

/// A call on a whole picture.
#[derive(Debug)]
pub struct Scaled {
    /// The sample.
    pub image: Image,
    /// Rows of the whole.
    pub height: usize,
    /// What the call on the sample led to.
    pub outcome: Outcome,
    /// What was done, taken to the whole.
    pub taken: Taken,
    /// The run on the smaller sample, which must be right as well.
    pub smaller: Option<Other>,
    /// Whether the picture is too tall to be run without a reason.
    pub sampled: bool,
    /// The names of the kernels that are launched.
    pub kernels: BTreeSet<String>,
    /// What the lines did in each launch on the sample, on as few blocks as the launch was counted on.
    pub lines: Vec<Profiled>,
}

/// What the lines did in launches, with the numbers of the launches.
type Recounted = Vec<(usize, Profiled)>;

/// A run on the whole picture, pictures on which the file may be wrong, and rows on which it is.
type Planned = (Tried, Vec<Suspect>, Option<Other>);

/// The run on the smaller sample: its launches, if they are those of the sample, and the run itself.
type Smaller = (Option<Vec<Launched>>, Option<Other>);

/// The steps taken to the whole, and whether they, and the file, are to be trusted.
#[derive(Debug)]
pub struct Taken {
    /// What was done, and how to take it to the whole.
    pub steps: Vec<(Step, Whole)>,
    /// Whether the whole comes to other launches than the sample, so that each launch counts by its rows alone.
    pub rough: bool,
    /// Why the steps are not to be trusted.
    pub doubt: Option<Doubt>,
    /// Pictures of full size on which the file may be wrong.
    pub suspects: Vec<Suspect>,
    /// Rows of that picture that are wrong for certain: told where the whole cannot be run.
    pub evidence: Option<Other>,
    /// A loop that never ends on the whole picture.
    pub endless: Option<Finding>,
    /// What the lines did in the launches that were counted on fewer blocks, with the numbers of the launches.
    pub recounted: Recounted,
}

impl Taken {
    fn trusted(steps: Vec<(Step, Whole)>) -> Self {
        Self {
            steps,
            rough: false,
            doubt: None,
            suspects: Vec::new(),
            evidence: None,
            endless: None,
            recounted: Vec::new(),
        }
    }
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

/// Runs the sample, and finds out what the whole would be.
pub fn scaled(
    task: &dyn Task,
    case: &Case,
    program: &Program,
    student: &Simulation,
    seed: u64,
) -> Result<Scaled, PredictError> {
    let chance = Chance::new(student.tokens).with(case.name.as_str(), seed);
    let call = Call { task, case, program, student, seed, dry_runs: DryRuns::default(), chance };
    let (image, height) = pictures::sample(case, seed)?;
    let ran = call.run(&image, Vec::new())?;
    let less = pictures::smaller(image.height);
    let sample = call.of_all_parts(Sample { image, height, less, ran })?;
    let sample = call.in_step(sample)?;
    if let EveryBlock::Ran(image, outcome) = call.at_once(&sample)? {
        let (_, smaller) = call.smaller(&sample)?;
        let taken = Taken::trusted(as_they_are(&outcome.work, 1.0));
        let kernels = sample.ran.asked.iter().map(|asked| asked.kernel.clone()).collect();
        let (height, lines) = (sample.height, sample.ran.lines);
        return Ok(Scaled { image, height, outcome, taken, smaller, sampled: true, kernels, lines });
    }
    let (mut taken, smaller) = if sample.scale() > 1.0 && !sample.ran.outcome.has_error() {
        let (launches, smaller) = call.smaller(&sample)?;
        (call.steps(&sample, launches)?, smaller)
    } else {
        (Taken::trusted(sample.steps()), None)
    };
    let kernels = sample.ran.asked.iter().map(|asked| asked.kernel.clone()).collect();
    let settled = call.settled(&sample, &taken)?;
    if !matches!(settled, EveryBlock::Not) {
        // The same again would not come farther.
        taken.suspects.retain(|suspect| *suspect != Suspect::TimedPicture);
    }
    if let EveryBlock::Ran(image, outcome) = settled {
        let taken = Taken { suspects: taken.suspects, ..Taken::trusted(as_they_are(&outcome.work, 1.0)) };
        let (height, lines) = (sample.height, sample.ran.lines);
        return Ok(Scaled { image, height, outcome, taken, smaller, sampled: true, kernels, lines });
    }
    let Sample { image, height, mut ran, .. } = sample;
    for (launch, lines) in taken.recounted.drain(..) {
        ran.lines[launch] = lines;
    }
    remark(&mut ran.outcome.findings, &ran.lines);
    let sampled = height > image.height;
    Ok(Scaled { image, height, outcome: ran.outcome, taken, smaller, sampled, kernels, lines: ran.lines })
}

/// Puts the remarks on what the lines of the whole picture do in place of those on the sample, whose threads may have less to do each.
fn remark(findings: &mut Vec<Finding>, launches: &[Profiled]) {
    if launches.is_empty() {
        return;
    }
    findings.retain(|finding| !CODES.contains(&finding.code.as_str()));
    for remark in launches.iter().flat_map(Profiled::remarks) {
        merge(findings, remark.into(), None);
    }
}

/// The most atomics on global memory of a launch whose grid stays, whatever the picture is, as its blocks on the whole picture tell.
fn most_atomics([_, sample, whole]: [&Launched; 3]) -> Option<f64> {
    let tried = whole.asked.tried.as_ref().filter(|tried| !tried.groups.is_empty())?;
    let stays = sample.kernel.grid == whole.kernel.grid;
    let all = blocks(whole.kernel.grid);
    stays.then(|| estimate(&tried.groups, all, &|counters| counters.global_atomics).most)
}

impl Call<'_> {
    /// What the call does on the picture of full size, if its blocks meet and are so few that to try some is to run most of it.
    fn at_once(&self, sample: &Sample) -> Result<EveryBlock, PredictError> {
        let few = |launched: &Launched| {
            launched.asked.cooperative && blocks(launched.kernel.grid) <= FEW_MEETING_BLOCKS
        };
        let promised = every_block::promised(&sample.steps());
        let all_of_it = sample.scale() > 1.0
            && !sample.ran.outcome.has_error()
            && sample.ran.launches().iter().any(few)
            && sample.computing() <= MOST_HOST_INSTRUCTIONS
            && every_block::is_short(promised);
        if !all_of_it {
            return Ok(EveryBlock::Not);
        }
        let image = Tall::new(self.task, self.case, sample.height, self.chance)?.image();
        Ok(every_block::run(self.student, self.program, &self.job(&image), image, promised))
    }

    /// What the call does on the picture of full size, if only that settles a doubt and it is not too much work.
    fn settled(&self, sample: &Sample, taken: &Taken) -> Result<EveryBlock, PredictError> {
        let doubted = taken.doubt.as_ref().is_some_and(|doubt| doubt.settled_by_running);
        let promised = every_block::promised(&taken.steps);
        if !doubted || taken.endless.is_some() || !every_block::is_short(promised) {
            return Ok(EveryBlock::Not);
        }
        let image = Tall::new(self.task, self.case, sample.height, self.chance)?.image();
        Ok(every_block::run(self.student, self.program, &self.job(&image), image, promised))
    }

    /// The steps taken to the whole, whether by their rows alone, and why they are not to be trusted.
    fn steps(&self, sample: &Sample, smaller: Option<Vec<Launched>>) -> Result<Taken, PredictError> {
        let mut steps = sample.steps();
        let computing = sample.computing();
        if computing > MOST_HOST_INSTRUCTIONS {
            let doubt = Some(Doubt::host_computes(computing));
            return Ok(Taken { rough: true, doubt, ..Taken::trusted(steps) });
        }
        let Some((tried, mut suspects, evidence)) = self.planned(sample)? else {
            let (doubt, suspects) = (Some(Doubt::other_launches()), vec![Suspect::TimedPicture]);
            return Ok(Taken { rough: true, doubt, suspects, ..Taken::trusted(steps) });
        };
        let Tried { work, launches: whole, .. } = tried;
        for ((_, on), launched) in kernels(&mut steps).zip(&whole) {
            on.blocks = blocks(launched.kernel.grid);
        }
        let launches = Launches { smaller, sample: sample.ran.launches(), whole };
        let (fewer, recounted) = self.count_on_fewer_blocks(sample, &launches, &mut steps);
        if let Some(smaller) = &launches.smaller {
            for (launch, (step, on)) in kernels(&mut steps).enumerate() {
                let Step::Work { work: Work::Kernel(kernel), .. } = step else { continue };
                if fewer[launch].is_none() {
                    let three = [&smaller[launch], &launches.sample[launch], &launches.whole[launch]];
                    **kernel = self.grown(sample, launch, three)?;
                    on.scale = 1.0;
                    // Later launches were tried on what the blocks before them left out.
                    if launch == 0
                        && let Some(most) = most_atomics(three)
                    {
                        kernel.limit_atomics(most);
                    }
                }
            }
        }
        aligned_as_there(&mut steps, &launches.sample, &launches.whole);
        shared_as_there(&mut steps, &launches.sample, &launches.whole);
        let mut steps = as_on_the_whole(&work, steps);
        let links = [&sample.ran.outcome.work, &work].map(|work| over_the_link(work));
        let (mut doubt, at_least, charged) = self.doubt(sample, &launches, &steps, links);
        for ((_, on), charged) in kernels(&mut steps).zip(charged) {
            on.scale *= charged;
        }
        let hopeless = every_block::is_hopeless(&steps, at_least);
        if let Some(doubt) = &mut doubt {
            doubt.settled_by_running &= !hopeless;
            if !hopeless && !suspects.contains(&Suspect::TimedPicture) {
                suspects.push(Suspect::TimedPicture);
            }
        }
        let tried = launches.whole.first().and_then(|launch| launch.asked.tried.as_ref());
        let endless = tried.and_then(|tried| tried.endless.clone());
        Ok(Taken { steps, rough: false, doubt, suspects, evidence, endless, recounted })
    }

    /// Why the steps are not to be trusted, the instructions that tried blocks promise at least, and how many times each is charged.
    fn doubt(
        &self,
        sample: &Sample,
        launches: &Launches,
        steps: &[(Step, Whole)],
        links: [[u64; 2]; 2],
    ) -> (Option<Doubt>, f64, Vec<f64>) {
        let predicted = steps.iter().filter_map(|(step, on)| match step {
            Step::Work { work: Work::Kernel(kernel), .. } => Some((&**kernel, *on)),
            _ => None,
        });
        let both = launches.sample.iter().zip(&launches.whole).zip(predicted);
        let of = |((sample, whole), predicted)| Compared { sample, whole, predicted, charged: 1.0 };
        let mut compared: Vec<Compared<'_>> = both.map(of).collect();
        if !every_block::is_short(every_block::promised(steps)) {
            compared.iter_mut().skip(1).for_each(|launch| launch.charged = launch.charged());
        }
        let fewest = self.task.fewest_bytes(sample.image.width, sample.height);
        let doubt = doubt(self.task, fewest, sample.scale(), steps, &compared, links);
        (doubt, instructions_at_least(&compared), compared.iter().map(|launch| launch.charged).collect())
    }

    /// The run on the smaller sample.
    fn smaller(&self, sample: &Sample) -> Result<Smaller, PredictError> {
        let [rows, ..] = sample.rows();
        let image = pictures::rows_of(self.case, rows, self.seed)?;
        let Ok(ran) = self.run(&image, Vec::new()) else { return Ok((None, None)) };
        let launches = Some(ran.launches()).filter(|launches| launches.len() == sample.launches());
        let launches = launches.filter(|_| !ran.outcome.has_error());
        let name = format!("{}, {} of its rows", self.case.name, image.height);
        Ok((launches, Some(Other { name, image, outcome: ran.outcome })))
    }

    /// Counts launches on fewer blocks where those of the whole have more to do each; the grids of those that could do with them, and what
    /// their lines did.
    fn count_on_fewer_blocks(
        &self,
        sample: &Sample,
        launches: &Launches,
        steps: &mut [(Step, Whole)],
    ) -> (Vec<Option<[u32; 3]>>, Recounted) {
        let mut fewer = launches.fewer_blocks(sample.scale());
        let mut recounted = Vec::new();
        if fewer.iter().any(Option::is_some) {
            // Code that cannot do with another grid keeps what was counted on its own.
            match self.run(&sample.image, fewer.clone()) {
                Ok(other) if same_outputs(&other.outcome, &sample.ran.outcome) => {
                    replace(steps, &mut fewer, &other.outcome.work);
                    for ((step, on), own) in kernels(steps).zip(&launches.sample) {
                        let Step::Work { work: Work::Kernel(kernel), .. } = step else { continue };
                        on.atomics = atomics(&own.kernel, kernel, *on);
                    }
                    let lines = other.lines.into_iter().enumerate();
                    recounted = lines.filter(|(launch, _)| fewer[*launch].is_some()).collect();
                }
                _ => fewer.fill(None),
            }
        }
        (fewer, recounted)
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
        let mut grown = own.grown(smaller, growth, whole.grid);
        // Of blocks of several rows of threads that are taller than the sample, some warps have no rows there: in the whole they have.
        let [few, all] = [own, whole].map(|kernel| kernel.grid[1]);
        if few == 1 && all > 1 && launched[1].asked.block[1] > 1 {
            grown.share_evenly();
        }
        Ok(grown)
    }

    /// The rows of the evidence as a picture of their own.
    fn told(&self, tall: &Tall, Evidence { rows, outputs }: Evidence) -> Other {
        let name = format!("{}, rows {} to {} of it", self.case.name, rows.start + 1, rows.end);
        let outcome = Outcome { outputs: vec![outputs], ..Outcome::default() };
        Other { name, image: tall.part(rows), outcome }
    }

    /// A run on the whole picture, and pictures on which the file may be wrong. Where the host function reads back what kernels compute,
    /// it gets what it read on the sample, else that times the scale, as counters of pixels grow. `None` if it does not
    /// come to the sample's launches either way.
    fn planned(&self, sample: &Sample) -> Result<Option<Planned>, PredictError> {
        let (read, launches) = (&sample.ran.read, sample.launches());
        let answers = [read.clone(), read.iter().map(|bytes| grown(bytes, sample.scale())).collect()];
        let tries = if read.is_empty() { 1 } else { 2 };
        let tall = Tall::new(self.task, self.case, sample.height, self.chance)?;
        let (width, pixels) = (sample.image.width, sample.image.width * sample.height);
        let share = TRIED_PIXELS / pixels as f64;
        for read in answers.into_iter().take(tries) {
            let seed = self.chance.number("blocks");
            let mut engine = self.student.trial(read.clone(), seed, share, launches);
            let arguments = self.task.arguments_of(tall.image());
            let mut job = call::job(self.task.name(), arguments, pixels as u64, self.seed);
            let mut prepared = Prepared::moved(&mut engine, &mut job).map_err(Failure::from)?;
            let planned = self.called(&mut engine, &prepared, true)?;
            if let Some(tried) = planned.filter(|planned| planned.launches.len() == launches) {
                let mut suspects = Vec::new();
                let seen = prepared.views(&engine, &tried.host_buffers).map_err(Failure::from)?;
                let tries = (&tried.launches[..], &seen[..]);
                let (wrong, evidence) = suspicion::is_wrong(self.task, &tall, tries, self.unwritten());
                if wrong {
                    suspects.push(Suspect::TimedPicture);
                }
                // What the host function has not read it cannot have read wrong.
                let evidence =
                    evidence.filter(|_| read.is_empty()).map(|evidence| self.told(&tall, evidence));
                if let Some(counted) = suspicion::counted(self.task, &tall, &seen) {
                    // On the same engine: the largest pictures fill much memory.
                    let level = counted.fullest;
                    let low = pictures::plain(width, suspicion::NEAR, level)?;
                    let mut set =
                        |image: &Image| prepared.set_inputs(&mut engine, &self.job(image).arguments);
                    if !set(&low).map_err(Failure::from)? {
                        set(&pictures::plain(width, sample.height, level)?).map_err(Failure::from)?;
                    }
                    engine.restore_variables().map_err(Failure::from)?;
                    let mut engine = engine.uncounted().trying(read, seed, share, launches);
                    if let Some(flat) = self.called(&mut engine, &prepared, true)? {
                        let seen = prepared.views(&engine, &flat.host_buffers).map_err(Failure::from)?;
                        let flat = suspicion::counted(self.task, &tall, &seen);
                        if flat.is_none_or(|flat| flat.lacks(counted, pixels as u64)) {
                            suspects.push(Suspect::OneLevel);
                        }
                    }
                }
                if other_steps(&sample.ran.outcome.work, &tried.work)
                    && !suspects.contains(&Suspect::TimedPicture)
                {
                    suspects.push(Suspect::TimedPicture);
                }
                return Ok(Some((tried, suspects, evidence)));
            }
        }
        Ok(None)
    }
}
