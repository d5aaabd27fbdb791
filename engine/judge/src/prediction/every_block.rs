//! A call on the whole picture, every block of it, where only that settles a doubt.

use lab::Image;
use simulator::model::Whole;
use simulator::{Checks, instructions_of_a_start};

use super::others::is_limited;
use runtime::engine::{Step, Work};
use runtime::job::{self, Job, Outcome, Program};
use runtime::simulation::Simulation;

/// Instructions of all warps that such a run may execute: some seconds.
const MOST_INSTRUCTIONS: f64 = 150e6;
/// And as a multiple of those that are predicted: work that is much more on the whole picture is given up early.
const MORE: f64 = 2.0;
/// Predictions below this are not compared.
const FEW: f64 = 10e6;

/// A run of all blocks.
pub(super) enum EveryBlock {
    /// It came to its end on this picture. Nothing is left to doubt: the counts are those of the true picture, and the outputs can be
    /// compared.
    Ran(Image, Outcome),
    /// It was not tried, or stopped at a finding.
    Not,
    /// It took more instructions than it may.
    Limited,
}

/// Instructions of all warps that these steps promise, as the limits of a launch count them.
pub(super) fn promised(steps: &[(Step, Whole)]) -> f64 {
    let of = |(step, on): &(Step, Whole)| match step {
        Step::Work { work: Work::Kernel(kernel), .. } => {
            on.scale * kernel.simulated as f64 + on.blocks * instructions_of_a_start(kernel.threads) as f64
        }
        _ => 0.0,
    };
    steps.iter().map(of).sum()
}

/// The instructions that a run may execute where so many are promised, and `most` in any case.
pub(super) fn allowed(promised: f64, most: f64) -> u64 {
    (MORE * promised).clamp(FEW, most) as u64
}

/// Whether a call that promises so many instructions is short enough to be run.
pub(super) fn is_short(promised: f64) -> bool {
    promised <= MOST_INSTRUCTIONS
}

/// Whether a run of these steps would surely stop at its limit, because their blocks execute so many instructions at least.
pub(super) fn is_hopeless(steps: &[(Step, Whole)], at_least: f64) -> bool {
    at_least > allowed(promised(steps), MOST_INSTRUCTIONS) as f64
}

/// Runs the job on this picture, for which so many instructions are promised.
///
/// Blocks that take their work from a queue, and loops that end only with the right data of an earlier kernel, cannot be tried one
/// by one.
pub(super) fn run(
    student: &Simulation,
    program: &Program,
    job: &Job,
    image: Image,
    promised: f64,
) -> EveryBlock {
    let mut engine = student.engine_within(allowed(promised, MOST_INSTRUCTIONS), Checks::COUNT);
    match job::run(&mut engine, program, job) {
        Ok(outcome) if !outcome.has_error() => EveryBlock::Ran(image, outcome),
        Ok(outcome) if is_limited(&outcome, student.gpu) => EveryBlock::Limited,
        _ => EveryBlock::Not,
    }
}
