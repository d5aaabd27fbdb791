//! One job on the engine, with the simulator as the witness of a GPU's faults.

use lab::{Image, Task};
use simulator::Checks;

use super::orders;
use super::runner::Runner;
use crate::exit::Stop;
use runtime::finding::{Finding, Kind, Severity, merge};
use runtime::job::{Failure, GUARD_DAMAGED, INPUT_CHANGED, Job, Outcome};

/// Images up to this size also run on the simulator if the engine is a GPU: the simulator sees faults that a GPU hides.
const EXPLAINED_PIXELS: u64 = 10_000;

/// Images up to this size run with all analyses, which are several times slower; of larger images they watch some blocks.
pub const WATCHED_PIXELS: u64 = 100_000;

/// The analyses for a job.
fn checks(job: &Job) -> Checks {
    if job.pixels <= WATCHED_PIXELS {
        Checks { count: false, ..Checks::ALL }
    } else {
        Checks { sample: Some(job.poison), ..Checks::NONE }
    }
}

/// Runs a job on the engine. If it fails on a GPU, the simulator runs it as well and explains the fault.
pub fn outcome(task: &dyn Task, image: &Image, runner: &mut Runner<'_>, job: &Job) -> Result<Outcome, Stop> {
    let simulated = |runner: &Runner<'_>| {
        let run = runner.simulation.run(runner.program, job, checks(job));
        let mut outcome = run.map_err(|failure| Stop::environment(failure.to_string()))?;
        orders::judge(task, image, runner, job, &mut outcome)?;
        place_changed_input(runner, job, &mut outcome);
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

/// Gives the finding that an input has changed the line of the first store to it, which another run shows.
fn place_changed_input(runner: &Runner<'_>, job: &Job, outcome: &mut Outcome) {
    let changed =
        outcome.findings.iter_mut().find(|found| found.code == INPUT_CHANGED && found.line.is_none());
    let Some(changed) = changed.filter(|_| job.pixels <= EXPLAINED_PIXELS) else { return };
    if let Some(place) = runner.simulation.first_store_to_an_input(runner.program, job) {
        *changed = changed.clone().at(&place.file, place.line, place.column);
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
        Failure::Deadline { seconds } => format!(
            "the call did not finish within {seconds} s on the GPU: a kernel or a loop of the host function has no end, or takes far too long"
        ),
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
