//! Predicting times on the simulator, from counted events and the GPU's figures.
//!
//! The timed picture is too large for the simulator. Only a sample of its rows is run, and the counted events are
//! scaled to the whole picture. The grids of the whole picture come from a call of the host function in which no kernel
//! runs. [`simulator::model`] turns counts and grids into times.

use std::collections::BTreeSet;
use std::ops::Range;

use lab::{Case, Image, Signs, Task};
use simulator::Checks;
use simulator::model::{Demand, Gpu, H200, Kernel, Wait, Whole, waits_for};

use super::costs::{Cost, LATENCY, costs};
use super::doubt::Doubt;
use super::error::PredictError;
use super::every_block;
use super::idle::{Idle, idle};
use super::lines::{LineShare, line_shares};
use super::others::{self, Other};
use super::resident::Resident;
use super::signs::{executed, signs};
use super::steps::as_they_are;
use super::suspicion::Suspect;
use super::turns;
use super::whole::{self, Scaled, Taken};
use crate::call::yardstick_bytes;
use runtime::engine::{Apart, Engine, Step, Timeline, Work, prediction};
use runtime::job::{Failure, Outcome, Program};
use runtime::simulation::Simulation;
use runtime::timing::Yardstick;

/// Limit of warp instructions of a call on a picture of full size, which is run when something looks wrong there: some seconds.
const IN_FULL: f64 = 500e6;
/// The same where the time is not scored anyway.
const UNSCORED: f64 = 150e6;
/// Instructions of a promise that is run in full although no points count.
const AT_ONCE: f64 = 150e6;
/// The share of the instructions of a run in full that a promise of a shorter one may have.
const SHORT: f64 = 0.5;

/// Predicted times of one task.
#[derive(Debug)]
pub struct Prediction {
    /// The sample that was run.
    pub image: Image,
    /// The results of the call on it.
    pub outcome: Outcome,
    /// Seconds of the student's work.
    pub seconds: f64,
    /// The least and the most seconds that they may well be: most kernels of its kind lie between. Known of GPUs that the model was
    /// validated on.
    pub interval: Option<[f64; 2]>,
    /// Seconds of transfers and kernels, each without overlap.
    pub apart: Apart,
    /// Seconds of the yardstick.
    pub yardstick_seconds: f64,
    /// The limiter of the longest kernel; `None` without kernels.
    pub limiter: Option<Limiter>,
    /// What the time is spent on.
    pub costs: Vec<Cost>,
    /// What the kernels do per pixel.
    pub signs: Signs,
    /// The lines' shares of the time, largest first.
    pub lines: Vec<LineShare>,
    /// A kernel most of whose threads have nothing to do.
    pub idle: Option<Idle>,
    /// Kernels launched.
    pub launches: usize,
    /// Bytes of the sectors that kernels accessed, scaled to the whole picture.
    pub sector_bytes: u64,
    /// The same, each sector counted once in each kernel.
    pub distinct_bytes: f64,
    /// Whether the host function launches other kernels on the whole picture than on the sample.
    pub rough: bool,
    /// Rows of the whole picture.
    pub height: usize,
    /// Why the time is not to be trusted.
    pub doubt: Option<Doubt>,
    /// Runs on other pictures, which must be right as well.
    pub others: Vec<Other>,
}

/// The limiter of a kernel.
#[derive(Debug, Clone, Copy)]
pub struct Limiter {
    /// A term of the timing model.
    pub name: &'static str,
    /// The reason to wait, if that term is the latency.
    pub wait: Option<Wait>,
    /// Resident warps per multiprocessor.
    pub resident: Resident,
    /// The kernel's share of the whole time.
    pub share: f64,
}

/// Predicts the time of `task` on this case. `yardstick` has the yardstick's module loaded.
pub fn predict(
    task: &dyn Task,
    case: &Case,
    program: &Program,
    student: &Simulation,
    yardstick: &Simulation,
    seed: u64,
) -> Result<Prediction, PredictError> {
    let scaled = whole::scaled(task, case, program, student, seed)?;
    let Scaled { image, height, outcome, taken, smaller, sampled, kernels, lines } = scaled;
    let Taken { steps, rough, doubt, suspects, mut evidence, endless, recounted: _ } = taken;
    let timeline = timeline(&steps, student.gpu, task.over_link(), &mut |_, _| ());
    let turns = turns::doubt(task, program, student, &kernels, (&steps, timeline.end()), seed)?;
    let mut doubt = timed_by_itself(&kernels, student).or(turns).or(doubt);
    // A launch for each row of a high picture takes long, and its time is not scored anyway.
    let mut others = if sampled && !outcome.has_error() {
        others::others(task, case, program, student, seed, !rough)?
    } else {
        Vec::new()
    };
    others.extend(smaller);
    if let Some(finding) = endless {
        others.push(Other {
            name: format!("{}, all of it", case.name),
            image: Image { width: image.width, height, channels: image.channels, data: Vec::new() },
            outcome: Outcome { findings: vec![finding], ..Outcome::default() },
        });
    } else {
        let promised = every_block::promised(&steps);
        // A grade is for good: the whole picture is run without a reason, too, unless the file is slow anyway. Else it is run where some
        // blocks may do what no tried one does, if that does not take long.
        let chooses = || kernels.iter().any(|kernel| student.module.chooses_blocks(kernel));
        let short = if student.confirmed { SHORT * IN_FULL } else { AT_ONCE };
        let confirms = sampled && doubt.is_none() && promised <= short && (student.confirmed || chooses());
        let confirmed =
            (confirms && !suspects.contains(&Suspect::TimedPicture)).then_some(Suspect::TimedPicture);
        for suspect in suspects.into_iter().chain(confirmed) {
            let most = if doubt.is_some() { UNSCORED } else { IN_FULL };
            let allowed = every_block::allowed(promised.min(most), most);
            let run = others::in_full(task, case, program, student, (height, seed), (suspect, allowed))?;
            let timed = suspect == Suspect::TimedPicture;
            let doubted = if let Some((other, took)) = run {
                others.push(other);
                let cycles = timeline.end() * student.gpu.clock_hz;
                Doubt::of_run(took, promised, cycles).filter(|_| timed)
            } else {
                // Without a run the rows that are wrong for certain tell as much.
                let told = if timed { evidence.take() } else { None };
                let unconfirmed = told.is_none();
                others.extend(told);
                unconfirmed.then(Doubt::unconfirmed)
            };
            doubt = doubt.or(doubted);
        }
    }
    let scale = height as f64 / image.height as f64;
    let pixels = image.pixels() as f64 * scale;
    let beside = yardstick_steps(task, &image, height, yardstick)?;
    let (seconds, apart) = (timeline.end(), timeline.apart());
    let costs = costs(&steps, student.gpu, work_seconds(student.gpu, task.over_link()));
    Ok(Prediction {
        seconds,
        interval: interval(&steps, student.gpu).map(|bounds| bounds.map(|bound| bound * seconds)),
        apart,
        signs: Signs {
            permutes: executed(&steps, &student.permutes, pixels),
            dot_products: executed(&steps, &student.dot_products, pixels),
            ..signs(&steps, pixels, apart.transfers / seconds, &costs)
        },
        lines: line_shares(&lines, &steps, student.gpu, &student.signed_divisions),
        idle: idle(&lines, &steps, student.gpu),
        costs,
        limiter: limiter(&steps, student.gpu, seconds),
        yardstick_seconds: self::timeline(&beside, yardstick.gpu, task.over_link(), &mut |_, _| ()).end(),
        launches: outcome.work.iter().filter(|step| is_kernel(step)).count(),
        sector_bytes: (outcome.work.iter().map(sector_bytes).sum::<u64>() as f64 * scale) as u64,
        distinct_bytes: outcome.work.iter().map(distinct_bytes).sum::<f64>() * scale,
        rough,
        height,
        doubt,
        others,
        image,
        outcome,
    })
}

/// What was counted of a file that is timed on a GPU.
#[derive(Debug)]
pub struct Counted {
    /// What the kernels do per pixel.
    pub signs: Signs,
    /// The lines' shares of the predicted time, largest first.
    pub lines: Vec<LineShare>,
    /// A kernel most of whose threads have nothing to do.
    pub idle: Option<Idle>,
}

/// Counts what the kernels of a task do, on a sample of the picture.
pub fn counted(
    task: &dyn Task,
    case: &Case,
    program: &Program,
    student: &Simulation,
    seed: u64,
) -> Result<Counted, PredictError> {
    Ok(counted_in(&whole::scaled(task, case, program, student, seed)?, task, student))
}

/// What the kernels of a task did on a sample of the picture.
pub fn counted_in(scaled: &Scaled, task: &dyn Task, student: &Simulation) -> Counted {
    let gpu = student.gpu;
    let Scaled { image, height, taken, lines, .. } = scaled;
    let timeline = timeline(&taken.steps, gpu, task.over_link(), &mut |_, _| ());
    let pixels = (image.width * height) as f64;
    let costs = costs(&taken.steps, gpu, work_seconds(gpu, task.over_link()));
    Counted {
        signs: Signs {
            permutes: executed(&taken.steps, &student.permutes, pixels),
            dot_products: executed(&taken.steps, &student.dot_products, pixels),
            ..signs(&taken.steps, pixels, timeline.apart().transfers / timeline.end(), &costs)
        },
        lines: line_shares(lines, &taken.steps, gpu, &student.signed_divisions),
        idle: idle(lines, &taken.steps, gpu),
    }
}

/// The yardstick's work for a task on a picture of this height, of which `image` is a sample.
pub fn yardstick_steps(
    task: &dyn Task,
    image: &Image,
    height: usize,
    simulation: &Simulation,
) -> Result<Vec<(Step, Whole)>, Failure> {
    let mut engine = simulation.engine(image.pixels() as u64, Checks::COUNT);
    let bytes = yardstick_bytes(task.fewest_bytes(image.width, image.height));
    let yardstick = Yardstick::new(&mut engine, bytes, task.over_link())?;
    yardstick.run(&mut engine)?;
    Ok(as_they_are(&engine.take_work(), height as f64 / image.height as f64))
}

/// The timeline on the whole picture. Streams have the same number of operations as on the sample; a host function that
/// cuts its work into parts of a fixed size would have more. A task over the link waits as the host function does; any
/// other task waits only for downloads.
/// `seen` is told when each piece of work begins and ends.
pub fn timeline(
    steps: &[(Step, Whole)],
    gpu: &Gpu,
    over_link: bool,
    seen: &mut dyn FnMut(&Step, Range<f64>),
) -> Timeline {
    let mut timeline = Timeline::default();
    let seconds = work_seconds(gpu, over_link);
    for (step, whole) in steps {
        if let Some(span) = timeline.add(step, |work: &Work| seconds(work, *whole)) {
            seen(step, span);
        }
    }
    timeline
}

/// Gives the duration of work on the whole picture.
pub fn work_seconds(gpu: &Gpu, over_link: bool) -> impl Fn(&Work, Whole) -> f64 {
    let seconds = if over_link { prediction::seconds } else { prediction::seconds_gathered };
    move |work, whole| seconds(work, whole, &H200, gpu)
}

/// The kernels, each with what it demands.
fn kernels<'a>(steps: &'a [(Step, Whole)], gpu: &Gpu) -> impl Iterator<Item = (Demand, &'a Kernel, Whole)> {
    steps.iter().filter_map(|(step, whole)| match step {
        Step::Work { work: Work::Kernel(kernel), .. } => {
            Some((Demand::of(kernel, *whole, gpu), &**kernel, *whole))
        }
        _ => None,
    })
}

/// The longest kernel.
fn longest<'a>(steps: &'a [(Step, Whole)], gpu: &Gpu) -> Option<(Demand, &'a Kernel, Whole)> {
    kernels(steps, gpu).max_by(|(one, ..), (other, ..)| one.seconds(&H200).total_cmp(&other.seconds(&H200)))
}

/// What the time may well be as multiples of the predicted one.
fn interval(steps: &[(Step, Whole)], gpu: &Gpu) -> Option<[f64; 2]> {
    let (demand, ..) = longest(steps, gpu).filter(|_| gpu.validated)?;
    Some(H200.bounds[demand.group(&H200)])
}

/// The share of the time from which on it matters that a kernel has few warps.
const MUCH: f64 = 0.25;

/// The limiter of the longest kernel; `whole_seconds` is the time of all work.
pub fn limiter(steps: &[(Step, Whole)], gpu: &Gpu, whole_seconds: f64) -> Option<Limiter> {
    let (demand, kernel, whole) = longest(steps, gpu)?;
    let name = demand.limiter(&H200);
    let lacks = |(demand, kernel, whole): (Demand, &Kernel, Whole)| {
        demand.seconds(&H200) >= MUCH * whole_seconds && Resident::of(kernel, whole, gpu).lacks_blocks()
    };
    let one_lacks_blocks = kernels(steps, gpu).any(lacks);
    Some(Limiter {
        name,
        wait: (name == LATENCY).then(|| waits_for(kernel, whole, gpu)),
        resident: Resident { one_lacks_blocks, ..Resident::of(kernel, whole, gpu) },
        share: demand.seconds(&H200) / whole_seconds,
    })
}

/// The doubt in a kernel whose threads sleep or read a clock, if perhaps only on the whole picture.
fn timed_by_itself(launched: &BTreeSet<String>, student: &Simulation) -> Option<Doubt> {
    let module = &student.module;
    let (mut own, mut of_others) = (BTreeSet::new(), BTreeSet::new());
    for kernel in module.kernels() {
        let lines = if launched.contains(&kernel.name) { &mut own } else { &mut of_others };
        lines.extend(module.source_lines(&kernel.name).into_keys());
    }
    // A line without a place in the source may belong to any kernel.
    let may_execute =
        |lines: &[u32]| lines.iter().any(|line| own.contains(line) || !of_others.contains(line));
    let sleeps = may_execute(&student.sleeps).then(Doubt::sleeps);
    sleeps.or_else(|| may_execute(&student.clocks).then(Doubt::reads_a_clock))
}

fn is_kernel(step: &Step) -> bool {
    matches!(step, Step::Work { work: Work::Kernel(_), .. })
}

fn distinct_bytes(step: &Step) -> f64 {
    match step {
        Step::Work { work: Work::Kernel(kernel), .. } => kernel.bytes(),
        _ => sector_bytes(step) as f64,
    }
}

fn sector_bytes(step: &Step) -> u64 {
    match step {
        Step::Work { work: Work::Kernel(kernel), .. } => kernel.counters.moved_bytes(),
        Step::Work { work: Work::Memory(bytes), .. } => *bytes,
        _ => 0,
    }
}
