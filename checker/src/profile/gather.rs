//! Running a task for its profile.

use std::collections::{BTreeMap, BTreeSet};

use lab::{Part, Task, next_idea};
use runtime::engine as engines;
use runtime::job;
use serde::Serialize;
use simulator::model::{Gpu, Kernel, Whole};
use simulator::performance::{Turns, cache_serves_rest};
use simulator::{Checks, Counters};

use super::causes::{Around, Indices, Tuned};
use super::lines::Line;
use judge::build::dear::keep_early_returns;
use judge::build::indices::goes_on_by_one;
use judge::build::{Build, block};
use judge::call;
use judge::call::PUBLIC_SEED;
use judge::course;
use judge::exit::Stop;
use judge::next::{self, Dear, Fault, Seen};
use judge::prediction::{self, Cost, Counted, PredictError, Resident, Scaled, Sums, costs, work_seconds};
use judge::report::{Report, Verdict};
use judge::score::{self, Speed, State};
use judge::setup::Setup;
use judge::submission::Submission;
use judge::tunable;
use judge::verdict::in_source;
use judge::verify;
use runtime::finding::{Finding, merge};

/// Blocks per multiprocessor up to which a grid is small.
const FEW_BLOCKS: f64 = 2.0;

/// The profile of a task.
#[derive(Debug, Clone, Serialize)]
pub struct Profiled {
    /// The task.
    pub task: String,
    /// Why the numbers are those of a wrong kernel; absent if it is right on the sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong: Option<String>,
    /// Size of the picture in pixels.
    pub width: usize,
    /// Its rows.
    pub height: usize,
    /// Rows of it that were run.
    pub rows: usize,
    /// Seconds of the kernels.
    pub kernel_seconds: f64,
    /// Seconds of the whole call, as a report has them: with copies, and where kernels overlap their launches.
    pub seconds: f64,
    /// What all the work is spent on.
    pub costs: Vec<Cost>,
    /// The idea that a report and a hint tell, too; absent if the kernel has all that shorten what limits it, or is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Next>,
    /// The kernels.
    pub kernels: Vec<KernelTime>,
    /// Instructions for each pixel of the picture, of all kernels.
    pub instructions: Instructions,
    /// The share of the kernels' time that no line causes: launches, and starting blocks.
    pub outside: f64,
    /// The lines that did anything, by number.
    pub lines: Vec<Line>,
    /// The line whose accesses are drawn, and some of its requests.
    pub chosen: Option<Chosen>,
}

impl Profiled {
    /// With what the cases of the task say against the file, which the command `check` explains.
    pub(super) fn with_fault(mut self, fault: Option<Fault>, check: &str) -> Self {
        let Some(Fault { what, wrong }) = fault else { return self };
        let so = if wrong {
            "These are the times of a wrong kernel, and a right one may cost more"
        } else {
            "Every case passes all the same, but another GPU may give other values"
        };
        self.wrong = Some(format!("{what}. {so}: solve this first (`{check}` explains it)."));
        self.next = None;
        self
    }
}

/// The idea to work on next.
#[derive(Debug, Clone, Serialize)]
pub struct Next {
    /// Its name; absent if it comes before all ideas of the lab.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'static str>,
    /// What it is, as an imperative without a full stop.
    pub idea: String,
    /// The command that says more.
    pub command: String,
}

/// Instructions for each pixel of the picture, those of a warp counted 32 times.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Instructions {
    /// All of them.
    pub all: f64,
    /// Multiplications and dot products.
    pub products: f64,
    /// Additions, comparisons and clamps.
    pub additions: f64,
    /// Masks, shifts and permutes of bytes.
    pub bits: f64,
    /// Branches.
    pub branches: f64,
    /// Of all, those that belong to no line of the file.
    pub elsewhere: f64,
}

/// The line where a file defines a kernel, by its name with the arguments of a template.
fn defined(kernel: &str, text: &str) -> Option<u32> {
    let name = kernel.split('<').next()?;
    block::body(text, name).first().map(|(line, _)| *line)
}

/// A kernel's place under the roofline.
#[derive(Debug, Clone, Serialize)]
pub struct KernelTime {
    /// Its name.
    pub name: String,
    /// The line where the file defines it.
    #[serde(skip)]
    pub line: Option<u32>,
    /// Seconds of a launch.
    pub seconds: f64,
    /// Warp instructions.
    pub instructions: f64,
    /// Bytes of global memory that it reads and writes, each counted once.
    pub bytes: f64,
    /// The warps that are resident with it, and what limits them.
    pub resident: Resident,
}

/// Some requests of a line.
#[derive(Debug, Clone, Serialize)]
pub struct Chosen {
    /// The line.
    pub line: u32,
    /// The requests of its first warp.
    pub requests: Vec<Request>,
}

/// A request of a warp.
#[derive(Debug, Clone, Serialize)]
pub struct Request {
    /// Whether it went to shared memory; else to global memory.
    pub shared: bool,
    /// Bytes per lane.
    pub bytes: u64,
    /// By lane, its address; null if the lane takes no part.
    pub addresses: Vec<Option<u64>>,
}

/// The line whose accesses are gathered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accesses {
    /// None: that saves a run.
    Unseen,
    /// The most expensive one.
    Dearest,
    /// This one.
    Line(u32),
}

/// Profiles a task of a file, which the command `check` checks. The error is for a student: why there is no profile.
#[expect(clippy::too_many_lines, reason = "one record is filled from one run")]
pub fn profiled(
    task: &'static dyn Task,
    submission: &Submission,
    build: &Build,
    setup: &Setup,
    accesses: Accesses,
    (check, report): (&str, Option<&Report>),
) -> Result<Result<Profiled, String>, Stop> {
    let (gpu, case) = (setup.simulated_gpu(), task.timed_case());
    let simulation = build.simulation(gpu);
    let failed = |failure: job::Failure| Stop::environment(failure.to_string());
    let scaled = match prediction::scaled(task, &case, &build.program, &simulation, PUBLIC_SEED) {
        Ok(scaled) => scaled,
        Err(PredictError::Failure(failure)) => return Err(failed(failure)),
        Err(PredictError::Image(error)) => return Err(Stop::Environment(error.into())),
    };
    if let Some(error) = scaled.outcome.findings.iter().find(|finding| finding.is_error()) {
        return Ok(Err(stopped(error)));
    }
    let compared = verify::compared(task, &case.name, &scaled.image, &scaled.outcome)?;
    let kernels: Vec<(&Kernel, &Whole)> = scaled.taken.steps.iter().filter_map(prediction::kernel).collect();
    let image = &scaled.image;
    let mut sums: BTreeMap<u32, Sums> = BTreeMap::new();
    let mut cached: BTreeSet<u32> = BTreeSet::new();
    let (mut times, mut outside, mut kernel_seconds) = (Vec::new(), 0.0, 0.0);
    for (launch, (kernel, whole)) in scaled.lines.iter().zip(&kernels) {
        let signed = (gpu, &*simulation.signed_divisions);
        let (seconds, left) = prediction::add_lines(launch, (kernel, **whole), signed, &mut sums);
        let counters = launch.lines.iter().map(|line| &line.counters);
        if cache_serves_rest(&launch.counters, counters) {
            cached.extend(launch.lines.iter().map(|line| line.location.line));
        }
        outside += left;
        kernel_seconds += seconds;
        times.push(KernelTime {
            name: launch.kernel.clone(),
            line: defined(&launch.kernel, &submission.text),
            seconds,
            instructions: prediction::instructions(kernel) * whole.scale,
            bytes: kernel.bytes() * whole.scale,
            resident: Resident::of(kernel, **whole, gpu),
        });
    }
    let text: Vec<&str> = submission.text.lines().collect();
    let mut total = Counters::default();
    for sums in sums.values() {
        total.add(&sums.counters);
    }
    let wrong = compared.verdict != Verdict::Passed;
    let Counted { signs, lines: mut shares, idle } = prediction::counted_in(&scaled, task, &simulation);
    keep_early_returns(&mut shares, &submission.text);
    let seconds = prediction::timeline(&scaled.taken.steps, gpu, task.over_link(), &mut |_, _| ()).end();
    let left = points_left(task, &scaled, seconds, setup)?;
    let done = wrong || left <= 0.0;
    // As in a report: other values of constants come before another idea where hardly any point is left. An array in local memory comes
    // first: its line says what to do.
    let nearly = report.filter(|report| !done && next::is_nearly(left, task, report));
    let lacks = next_idea(task.ideas(), &signs);
    let idea = lacks.filter(|_| !done && nearly.is_none() && !uses_local_memory(&total));
    // What a report says first comes first here, too.
    let limit = prediction::limiter(&scaled.taken.steps, gpu, seconds);
    let remarks = remarks(&scaled, &format!("{}: {}", task.name(), case.name), submission);
    let did = Seen {
        signs: Some(signs),
        lines: &shares,
        resident: limit.map(|limit| limit.resident),
        longest_share: limit.map(|limit| limit.share),
        pixels: (image.width * scaled.height) as f64,
        findings: &remarks,
    };
    let first = report.filter(|_| !done).and_then(|report| next::first_seen(check, task, report, did));
    // A small change that saves what was seen to be wasted is told where no idea is left, too.
    let dear = Dear {
        lines: &shares,
        signs,
        pixels: did.pixels,
        longest_share: did.longest_share,
        idle: idle.as_ref(),
    };
    let cost = next::cost_named(&dear).filter(|_| !done && lacks.is_none());
    let name = idea.filter(|_| first.is_none());
    let is_told = idea.is_some() || first.is_some() || done;
    let last = || Some(next::last_tenths(check, task, nearly?, &dear));
    let told = first.or_else(last).or_else(|| idea.map(|idea| next::told_after_costs(idea, &dear))).or(cost);
    let around = Around {
        is_told,
        tuned: tuned(submission, task, report),
        cached: false,
        atomics: 0.0,
        signed: 0.0,
        behind_a_branch: false,
        adds_products: false,
        wait: None,
        turns: Turns::default(),
        few_blocks: false,
        indices: Indices::Computed,
        total: &total,
        of_picture: (image.width * scaled.height) as f64,
        sums_in_blocks: sums.values().any(Sums::adds_in_shared_memory),
    };
    let lines: Vec<Line> = sums
        .iter()
        .filter_map(|(number, sums)| {
            let text = text.get((*number as usize).checked_sub(1)?)?;
            let few_blocks = sums.blocks <= FEW_BLOCKS * f64::from(gpu.multiprocessors);
            let by_one = goes_on_by_one(&submission.text, task.name(), *number);
            let indices = if by_one { Indices::OneByOne } else { Indices::Computed };
            let around = Around { few_blocks, indices, cached: cached.contains(number), ..around };
            Some(Line::of(sums, *number, text.trim_end(), kernel_seconds, around))
        })
        .collect();
    let of_lines: f64 = lines.iter().map(|line| line.instructions).sum();
    let instructions = Instructions {
        all: signs.instructions,
        products: signs.products,
        additions: signs.additions,
        bits: signs.bits,
        branches: signs.branches,
        elsewhere: (signs.instructions - of_lines).max(0.0),
    };
    let chosen = match chosen(&lines, accesses) {
        Some(line) => {
            let job = call::job(task.name(), task.arguments(image), image.pixels() as u64, PUBLIC_SEED);
            // Where blocks of the whole have more to do each, on as many blocks as the launch was counted on.
            let counted = |(kernel, whole): &(&Kernel, &Whole)| {
                ((whole.scale - 1.0).abs() > f64::EPSILON).then_some(kernel.grid)
            };
            let grids = kernels.iter().map(counted).collect();
            let mut engine = simulation.engine_for(&job, Checks::COUNT).with_grids(grids).seeing(line);
            job::run(&mut engine, &build.program, &job).map_err(failed)?;
            seen(line, &engine.take_profile())
        }
        None => None,
    };
    Ok(Ok(Profiled {
        task: task.name().to_owned(),
        wrong: wrong.then(|| {
            "the outputs are wrong: get them right first, because a right kernel may cost more".to_owned()
        }),
        width: image.width,
        height: scaled.height,
        rows: image.height,
        kernel_seconds,
        seconds,
        costs: costs(&scaled.taken.steps, gpu, work_seconds(gpu, task.over_link())),
        next: told.map(|told| Next {
            name: name.map(|idea| idea.name),
            idea: told.trim_end_matches('.').to_owned(),
            command: next::of_file(check, "hint", task),
        }),
        kernels: times,
        instructions,
        outside: outside / kernel_seconds.max(f64::MIN_POSITIVE),
        lines,
        chosen,
    }))
}

/// What was found in the run, as a report has it.
fn remarks(scaled: &Scaled, place: &str, submission: &Submission) -> Vec<Finding> {
    let mut found = Vec::new();
    for finding in &scaled.outcome.findings {
        merge(&mut found, finding.clone(), Some(place));
    }
    found.into_iter().map(|finding| in_source(finding, submission)).collect()
}

/// What is known of other values of the constants that a task uses.
fn tuned(submission: &Submission, task: &dyn Task, report: Option<&Report>) -> Tuned {
    let unswept = report.and_then(|report| report.tunable.get(task.name()));
    match tunable::marked(&submission.text, task.name()).len() {
        0 => Tuned::Unmarked,
        _ if unswept.is_some_and(Vec::is_empty) => Tuned::Swept,
        _ => Tuned::Marked,
    }
}

/// The part of the accesses to memory from which on an array in local memory is the first thing to mend.
const LOCAL: f64 = 0.05;

fn uses_local_memory(total: &Counters) -> bool {
    let all = total.local_requests + total.global_requests() + total.shared_requests;
    total.local_requests as f64 > LOCAL * all as f64
}

/// Points that the predicted time leaves: without them no idea is worth telling, as in a report.
fn points_left(task: &dyn Task, scaled: &Scaled, own: f64, setup: &Setup) -> Result<f64, Stop> {
    let (gpu, over_link) = (setup.simulated_gpu(), task.over_link());
    let yardstick = setup.simulated_yardstick()?;
    let steps = prediction::yardstick_steps(task, &scaled.image, scaled.height, yardstick)
        .map_err(|failure| Stop::environment(failure.to_string()))?;
    let least = prediction::timeline(&steps, gpu, over_link, &mut |_, _| ()).end();
    let pixels = (scaled.image.width * scaled.height) as f64;
    let sequential = task.nominal_nanoseconds_per_pixel() * pixels * 1e-9;
    let speed = Speed { share: least / own, speedup: sequential / own, state: State::Stable };
    let points = course::points(setup.course.as_ref(), task);
    Ok(score::missing(&score::lines(task.name(), &points, true, Some(speed), ""), task.name()))
}

fn stopped(error: &Finding) -> String {
    let line = error.in_line();
    format!("{}{line} stops it: {}", error.code, error.message)
}

/// The line to draw; the most expensive one is one that accesses memory.
fn chosen(lines: &[Line], asked: Accesses) -> Option<u32> {
    let accesses = |line: &&Line| {
        let atomics = line.parts.iter().any(|(part, _)| *part == Part::Atomics);
        line.sectors.is_some() || line.wavefronts.is_some() || atomics
    };
    match asked {
        Accesses::Unseen => None,
        Accesses::Line(line) => Some(line),
        Accesses::Dearest => {
            let dearest =
                lines.iter().filter(accesses).max_by(|one, other| one.share.total_cmp(&other.share));
            dearest.map(|line| line.number)
        }
    }
}

fn seen(line: u32, launches: &[engines::Profiled]) -> Option<Chosen> {
    let requests = &launches.iter().find(|launch| !launch.requests.is_empty())?.requests;
    let first = requests.first()?.warp;
    let of_first = requests.iter().filter(|request| request.warp == first);
    let requests = of_first.map(|request| Request {
        shared: request.shared,
        bytes: request.bytes,
        addresses: request.addresses.to_vec(),
    });
    Some(Chosen { line, requests: requests.collect() })
}

/// The highest speeds that a roofline shows.
pub(super) struct Roof {
    /// Warp instructions per second.
    pub instructions: f64,
    /// Bytes per second.
    pub bytes: f64,
}

impl Roof {
    pub fn of(gpu: &Gpu) -> Self {
        Self {
            instructions: gpu.rates.issue * gpu.clock_hz * f64::from(gpu.multiprocessors),
            bytes: gpu.dram_bytes_per_second,
        }
    }
}
