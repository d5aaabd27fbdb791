//! A call on the whole picture, every block of it, where only that settles a doubt.

use simulator::model::Whole;
use simulator::{Checks, INSTRUCTIONS_OF_A_FETCH};

use super::doubt::instructions;
use runtime::engine::{Step, Work};
use runtime::job::{self, Job, Outcome, Program};
use runtime::simulation::Simulation;

/// Instructions of all warps that such a run may execute: some seconds.
const MOST_INSTRUCTIONS: f64 = 150e6;
/// And as a multiple of those that are predicted: work that is much more on the whole picture is given up early.
const MORE: f64 = 2.0;
/// Predictions below this are not compared.
const FEW: f64 = 10e6;

/// The instructions that a run may execute where these steps are predicted; `None` if they are too many to be run.
pub(super) fn allowed(steps: &[(Step, Whole)]) -> Option<u64> {
    let predicted: f64 = steps.iter().map(|(step, on)| on.scale * instructions_of(step) as f64).sum();
    let allowed = (MORE * predicted).clamp(FEW, MOST_INSTRUCTIONS);
    (predicted <= MOST_INSTRUCTIONS).then_some(allowed as u64)
}

/// Runs the job; `None` if it fails, or turns out to be too much work. Otherwise nothing is left to doubt: the counts are those of
/// the true picture, and the outputs can be compared.
///
/// Blocks that take their work from a queue, and loops that end only with the right data of an earlier kernel, cannot be tried one
/// by one.
pub(super) fn run(student: &Simulation, program: &Program, job: &Job, allowed: u64) -> Option<Outcome> {
    let mut engine = student.engine_within(allowed, Checks::COUNT);
    job::run(&mut engine, program, job).ok().filter(|outcome| !outcome.has_error())
}

fn instructions_of(step: &Step) -> u64 {
    match step {
        Step::Work { work: Work::Kernel(kernel), .. } => {
            instructions(kernel) + INSTRUCTIONS_OF_A_FETCH * kernel.counters.texture_requests
        }
        _ => 0,
    }
}
