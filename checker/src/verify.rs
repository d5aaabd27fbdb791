//! Running the cases of a task, and comparing their outputs with the reference.

use lab::{Argument, Case, Image, Task};
use simulator::Checks;

use crate::call;
use crate::cause::{self, Cause, Failed, NOTHING_WRITTEN, Ran, Rounds};
use crate::exit::Stop;
use crate::facts::{self, Facts, Output};
use crate::orders;
use crate::report::{self, Mismatch, Verdict};
use crate::root;
use crate::wrong::{Gallery, Wrong};
use runtime::finding::{Finding, Kind, Severity, merge};
use runtime::job::{Failure, GUARD_DAMAGED, Job, Outcome, Program};
use runtime::remote::RemoteGpu;
use runtime::simulation::Simulation;

/// Images up to this size are called twice, with different patterns in the outputs: a result that is right by chance,
/// or that depends on an earlier call, is then wrong. If calls leave something in `__device__` variables, another picture follows.
const TWICE_PIXELS: u64 = 100_000;

/// The note of a case whose outputs are those of another picture: no known mistake is looked for in them.
const ANOTHER_PICTURE: &str = "wrong in a second call, on another picture";

/// The largest images on which another picture follows: all but those of many megapixels.
const KEPT_PIXELS: u64 = 2_000_000;

/// Of images up to this size the analyses watch both calls, of larger ones the first.
const WATCHED_TWICE_PIXELS: u64 = 10_000;

/// Images up to this size also run on the simulator if the engine is a GPU: the simulator sees faults that a GPU hides.
const EXPLAINED_PIXELS: u64 = 10_000;

/// Larger images are compared with the parallel reference.
const LARGE_PIXELS: usize = 4_000_000;

/// Images up to this size run with all analyses, which are several times slower; of larger images they watch some blocks.
const WATCHED_PIXELS: u64 = 100_000;

/// The analyses for a job.
fn checks(job: &Job) -> Checks {
    if job.pixels <= WATCHED_PIXELS {
        Checks { count: false, ..Checks::ALL }
    } else {
        Checks { sample: Some(job.poison), ..Checks::NONE }
    }
}

/// Where cases run.
pub struct Runner<'a> {
    /// The host functions.
    pub program: &'a Program,
    /// The simulator: the engine itself, or the one that explains a GPU's faults.
    pub simulation: &'a Simulation,
    /// The GPU, if that is the engine.
    pub gpu: Option<&'a mut RemoteGpu>,
}

/// The verdicts on the cases of one task.
pub struct Verified {
    /// Case by case.
    pub cases: Vec<report::Case>,
    /// Whether all are right, without an error-level finding.
    pub right: bool,
    /// The cause of wrong outputs, if one is certain.
    pub cause: Option<Cause>,
    /// What was seen of the first wrong case, if no cause says it.
    pub facts: Option<Facts>,
}

/// Runs these cases of `task`. `findings` collects findings; `progress` is told each case.
pub fn verify(
    task: &dyn Task,
    tried: &[Case],
    runner: &mut Runner<'_>,
    seed: u64,
    gallery: Option<&dyn Gallery>,
    findings: &mut Vec<Finding>,
    progress: &mut dyn FnMut(&str),
) -> Result<Verified, Stop> {
    let (mut cases, mut ran) = (Vec::new(), Vec::new());
    let mut ended: Option<String> = None;
    for (index, case) in tried.iter().enumerate() {
        progress(&format!("{}: {}", task.name(), case.name));
        let image = call::image(case, seed)?;
        if let Some(code) = &ended {
            cases.push(skipped(task, case, &image, code));
            continue;
        }
        let poison = seed.wrapping_mul(0x0100_0000_01b3) ^ index as u64;
        let (verdict, found, outputs) = run(task, case, &image, poison, runner)?;
        let error = root::main_error(&found).map(|finding| finding.code.clone());
        for finding in found {
            merge(findings, finding, Some(&format!("{}: {}", task.name(), case.name)));
        }
        ended = error;
        let of_image = verdict.note != ANOTHER_PICTURE;
        let failed = verdict.verdict == Verdict::Failed && verdict.wrong > 0 && of_image;
        if let Some(gallery) = gallery.filter(|_| failed) {
            gallery.add(&Wrong { task, number: index + 1, case, image: &image, outputs: &outputs });
        }
        let failed = failed.then_some(Failed { rounds: outputs, poison });
        if of_image {
            ran.push(Ran { case: case.clone(), calls: calls(&image), failed });
        }
        cases.push(verdict);
    }
    let right = ended.is_none() && cases.iter().all(|case| case.verdict == Verdict::Passed);
    // A finding explains more than a comparison of outputs.
    let comparable = ended.is_none()
        && !right
        && !cases.iter().any(|case| case.verdict == Verdict::Failed && case.wrong == 0);
    let cause = if comparable {
        progress(&format!("{}: searching for the cause", task.name()));
        name_cause(task, runner, &ran, seed)?
    } else {
        None
    };
    let says_nothing = |cause: &Cause| NOTHING_WRITTEN.contains(&cause.name.as_str());
    let unexplained = !right && cause.as_ref().is_none_or(says_nothing);
    let facts = if unexplained { seen(task, runner, &ran, &cases, seed)? } else { None };
    // An error is a better explanation, unless an index is wrong: that explains the error as well.
    let facts = facts.filter(|facts| ended.is_none() || facts.name_an_index());
    Ok(Verified { cases, right, cause, facts })
}

/// What is seen of the first telling case, if the simulator can tell it in a short time.
fn seen(
    task: &dyn Task,
    runner: &Runner<'_>,
    ran: &[Ran],
    cases: &[report::Case],
    seed: u64,
) -> Result<Option<Facts>, Stop> {
    let Some(at) = report::telling(cases) else { return Ok(None) };
    let Some((ran, failed)) = ran.get(at).and_then(|ran| Some((ran, ran.failed.as_ref()?))) else {
        return Ok(None);
    };
    let image = call::image(&ran.case, seed)?;
    let pixels = image.pixels() as u64;
    let Some(found) = failed.rounds.first().filter(|_| pixels <= WATCHED_PIXELS) else { return Ok(None) };
    let job = call::job(task.name(), task.arguments(&image), pixels, failed.poison);
    let Some(witness) = runner.simulation.witness(runner.program, &job) else { return Ok(None) };
    let (shapes, expected) = (call::shapes(task, &image), task.reference(&image));
    let output = |((shape, expected), found)| Output { shape, expected, found };
    let outputs = shapes.iter().zip(expected.iter().map(Vec::as_slice)).zip(found.iter().map(Vec::as_slice));
    let outputs: Vec<Output<'_>> = outputs.map(output).collect();
    // Or else only the second call is wrong.
    let wrong = outputs.iter().any(|output| output.expected != output.found);
    let facts = wrong.then(|| facts::facts(&witness, &outputs, (image.width, image.height)));
    Ok(facts.filter(|facts| !facts.seen.is_empty()))
}

/// The number of calls of a case.
fn calls(image: &Image) -> u32 {
    if image.pixels() as u64 <= TWICE_PIXELS { 2 } else { 1 }
}

/// The cause: a known mistake, or results that differ from run to run. Only a GPU can show the latter, because the
/// simulator runs threads in a fixed order.
fn name_cause(
    task: &dyn Task,
    runner: &mut Runner<'_>,
    ran: &[Ran],
    seed: u64,
) -> Result<Option<Cause>, Stop> {
    if let Some(gpu) = runner.gpu.as_mut() {
        let mut again = |job: &Job| gpu.run(job).ok().map(|outcome| outcome.outputs);
        if let Some(cause) = unsteady(task, ran, seed, &mut again)? {
            return Ok(Some(cause));
        }
    }
    cause::name(task, ran, seed)
}

/// Number of repetitions of a failed case.
const REPETITIONS: usize = 3;

/// Runs a job again. Returns the outputs of all calls, or `None` if the run failed.
pub type Again<'a> = dyn FnMut(&Job) -> Option<Rounds> + 'a;

/// The cause "differs from run to run", if the largest failed case gives other outputs when it runs `again`.
pub fn unsteady(
    task: &dyn Task,
    ran: &[Ran],
    seed: u64,
    again: &mut Again<'_>,
) -> Result<Option<Cause>, Stop> {
    let Some((ran, failed)) = ran.iter().rev().find_map(|ran| Some((ran, ran.failed.as_ref()?))) else {
        return Ok(None);
    };
    let image = call::image(&ran.case, seed)?;
    let mut job = call::job(task.name(), task.arguments(&image), image.pixels() as u64, failed.poison);
    job.calls = ran.calls;
    for _ in 0..REPETITIONS {
        let Some(rounds) = again(&job) else { return Ok(None) };
        let pairs = rounds.iter().flatten().flatten().zip(failed.rounds.iter().flatten().flatten());
        let wrong = pairs.filter(|(now, then)| now != then).count();
        if rounds.len() == failed.rounds.len() && wrong > 0 {
            return Ok(Some(Cause {
                name: "differs_from_run_to_run".to_owned(),
                message: format!(
                    "\"{}\" gives different results from run to run: {wrong} bytes differ",
                    ran.case.name
                ),
                hint: "run with `--engine sim` to see the lines. Likely causes: a race (a store without an atomic, a missing \
                       `__syncthreads()`), or memory that nothing has written"
                    .to_owned(),
                explained: wrong,
                wrong,
                not_started: false,
            }));
        }
    }
    Ok(None)
}

/// All cases of a task, marked as skipped.
pub fn all_skipped(task: &dyn Task, seed: u64, code: &str) -> Result<Vec<report::Case>, Stop> {
    task.cases().iter().map(|case| Ok(skipped(task, case, &call::image(case, seed)?, code))).collect()
}

fn blank(task: &dyn Task, name: &str, image: &Image) -> report::Case {
    report::Case {
        task: task.name().to_owned(),
        name: name.to_owned(),
        width: image.width,
        height: image.height,
        verdict: Verdict::Failed,
        wrong: 0,
        differing: 0,
        total: 0,
        mismatches: Vec::new(),
        note: String::new(),
        printed: String::new(),
    }
}

fn skipped(task: &dyn Task, case: &Case, image: &Image, code: &str) -> report::Case {
    report::Case {
        verdict: Verdict::Skipped,
        note: format!("after {code}"),
        ..blank(task, &case.name, image)
    }
}

/// Runs one case.
fn run(
    task: &dyn Task,
    case: &Case,
    image: &Image,
    poison: u64,
    runner: &mut Runner<'_>,
) -> Result<(report::Case, Vec<Finding>, Rounds), Stop> {
    let pixels = (image.width * image.height) as u64;
    let mut job = call::job(task.name(), task.arguments(image), pixels, poison);
    job.calls = calls(image);
    if job.calls > 1 {
        job.orders = orders::TWO_CALLS.to_vec();
        job.watched_calls = if job.pixels <= WATCHED_TWICE_PIXELS { job.calls } else { 1 };
    } else {
        job.orders = orders::ONE_CALL.to_vec();
    }
    let mut outcome = outcome(task, image, runner, &job)?;
    let mut judged = compared(task, &case.name, image, &outcome)?;
    if judged.wrong > 0 && orders::was_it(task, image, runner, &job, &mut outcome)? {
        judged = compared(task, &case.name, image, &outcome)?;
    }
    let kept = outcome.kept && pixels <= KEPT_PIXELS && runner.gpu.is_none();
    if judged.verdict == Verdict::Passed && kept {
        let other = narrower(image);
        let first = Job { calls: 1, ..job };
        let second = Job {
            orders: vec![orders::ONE_CALL[0]],
            ..call::job(task.name(), task.arguments(&other), pixels, poison)
        };
        let after = runner.simulation.run_after(runner.program, &first, &second);
        let after = after.map_err(|failure| Stop::environment(failure.to_string()))?;
        judged = compared(task, &case.name, &other, &after)?;
        if judged.wrong > 0 {
            ANOTHER_PICTURE.clone_into(&mut judged.note);
        }
        outcome.outputs = after.outputs;
        for finding in after.findings {
            merge(&mut outcome.findings, finding, None);
        }
    }
    Ok((judged, outcome.findings, outcome.outputs))
}

/// A picture of the same size and with fewer levels, neither the darkest nor the lightest: what is kept of a picture before it shows.
fn narrower(image: &Image) -> Image {
    Image { data: image.data.iter().map(|level| 64 + level / 2).collect(), ..*image }
}

/// The verdict on the outputs of one or several calls on this image.
pub fn compared(task: &dyn Task, name: &str, image: &Image, outcome: &Outcome) -> Result<report::Case, Stop> {
    let mut case = report::Case { printed: outcome.printed.clone(), ..blank(task, name, image) };
    if let Some(error) = root::main_error(&outcome.findings) {
        case.note = format!("stopped by {}", error.code);
        return Ok(case);
    }
    let shapes = output_shapes(&task.arguments(image));
    // Both references return the same bytes, as each lab's tests show; on a large image only the parallel one is fast.
    let large = image.pixels() > LARGE_PIXELS;
    let expected = if large { task.parallel_reference(image) } else { task.reference(image) };
    for (round, outputs) in outcome.outputs.iter().enumerate() {
        if outputs.len() != expected.len() || expected.len() != shapes.len() {
            return Err(Stop::environment(format!(
                "task `{}` has {} outputs, its reference {}",
                task.name(),
                outputs.len(),
                expected.len()
            )));
        }
        (case.wrong, case.differing, case.total) = (0, 0, 0);
        for ((found, expected), shape) in outputs.iter().zip(&expected).zip(&shapes) {
            shape.compare(task.tolerance(), expected, found, &mut case);
        }
        if case.wrong > 0 {
            if round > 0 {
                "wrong in the second call".clone_into(&mut case.note);
            } else if let Some(name) = outcome.unwritten.first() {
                case.note = format!("nothing was written to `{name}`");
            }
            return Ok(case);
        }
    }
    if !outcome.outputs.is_empty() {
        case.verdict = Verdict::Passed;
    }
    Ok(case)
}

/// The facts of an output that the comparison needs.
struct Shape {
    name: &'static str,
    element: lab::Element,
    row: usize,
}

impl Shape {
    fn compare(&self, tolerance: lab::Tolerance, expected: &[u8], found: &[u8], case: &mut report::Case) {
        let verdict = tolerance.compare(self.element, expected, found);
        case.wrong += verdict.wrong;
        case.differing += verdict.differing;
        case.total += verdict.total;
        let at = |place: fn(usize, usize) -> usize, index| (self.row > 0).then(|| place(index, self.row));
        case.mismatches.extend(verdict.first.iter().map(|mismatch| Mismatch {
            output: self.name.to_owned(),
            index: mismatch.index,
            x: at(|index, row| index % row, mismatch.index),
            y: at(|index, row| index / row, mismatch.index),
            expected: mismatch.expected,
            found: mismatch.found,
        }));
    }
}

fn output_shapes(arguments: &[Argument]) -> Vec<Shape> {
    arguments
        .iter()
        .filter_map(|argument| match argument {
            Argument::Output { name, element, row, .. } => Some(Shape { name, element: *element, row: *row }),
            _ => None,
        })
        .collect()
}

/// Runs a job on the engine. If it fails on a GPU, the simulator runs it as well and explains the fault.
fn outcome(task: &dyn Task, image: &Image, runner: &mut Runner<'_>, job: &Job) -> Result<Outcome, Stop> {
    let simulated = |runner: &Runner<'_>| {
        let run = runner.simulation.run(runner.program, job, checks(job));
        let mut outcome = run.map_err(|failure| Stop::environment(failure.to_string()))?;
        orders::judge(task, image, runner, job, &mut outcome)?;
        Ok(outcome)
    };
    let Some(gpu) = runner.gpu.as_mut() else { return simulated(runner) };
    match gpu.run(job) {
        Ok(mut outcome) => {
            if job.pixels <= EXPLAINED_PIXELS || outcome.has_error() {
                explain(&mut outcome, simulated(runner)?);
            }
            Ok(outcome)
        }
        Err(Failure::Broken(message)) => Err(Stop::environment(message)),
        Err(failure) => {
            let mut outcome = Outcome::default();
            explain(&mut outcome, simulated(runner)?);
            if !outcome.has_error() {
                outcome.findings.push(unexplained(&failure));
            }
            Ok(outcome)
        }
    }
}

/// Adds the simulator's results of the same job: findings with lines instead of a damaged guard band, and the text
/// that kernels printed, which a GPU's driver may hold back.
fn explain(outcome: &mut Outcome, simulated: Outcome) {
    if simulated.has_error() {
        outcome.findings.retain(|finding| finding.code != GUARD_DAMAGED);
    }
    outcome.printed = simulated.printed;
    for finding in simulated.findings {
        merge(&mut outcome.findings, finding, None);
    }
}

/// The finding for a failure of the GPU that the simulator does not see.
pub fn unexplained(failure: &Failure) -> Finding {
    let (code, kind) = match failure {
        Failure::Deadline { .. } => ("W0504", Kind::Launch),
        _ => ("W0123", Kind::Memory),
    };
    let message = match failure {
        Failure::Deadline { seconds } => format!("the kernel did not finish within {seconds} s on the GPU"),
        other => format!("the kernel failed on the GPU: {other}"),
    };
    Finding::new(
        code,
        kind,
        Severity::Error,
        message,
        "run with `--engine sim`, which checks every access of every case; on this case the simulator found no fault",
    )
}
