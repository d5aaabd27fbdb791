//! Threads and blocks that take turns, by a lock or until it is their turn: what that takes at the least, which no prediction has.

use std::collections::BTreeSet;

use lab::{Case, Picture, Task};
use runtime::engine::{Step, Work};
use runtime::job::{Failure, Program};
use runtime::simulation::Simulation;
use simulator::model::{Gpu, Kernel, Needs, Whole, occupancy};

use super::doubt::Doubt;
use super::error::PredictError;
use crate::call;

/// Seconds until the next thread has seen a change in global memory and changes it in its turn. An estimate, not measured.
const TURN: f64 = 1e-6;
/// The same in shared memory, an estimate too.
const TURN_IN_A_BLOCK: f64 = 5e-8;
/// Turns are told only if they take at least this share of the predicted time: below it, other work may hide them.
const TELLING: f64 = 0.5;
/// Pixels of a picture on which blocks may wait for each other: enough for some dozens of blocks.
const CHAINED: (usize, usize) = (640, 426);

/// The doubt in kernels whose threads or blocks take turns for a time that counts beside the predicted `seconds`.
pub(super) fn doubt(
    task: &dyn Task,
    program: &Program,
    student: &Simulation,
    launched: &BTreeSet<String>,
    (steps, seconds): (&[(Step, Whole)], f64),
    seed: u64,
) -> Result<Option<Doubt>, PredictError> {
    let sum = |of: &dyn Fn(&Kernel, Whole) -> f64| -> f64 {
        let kernels = steps.iter().filter_map(|(step, whole)| match step {
            Step::Work { work: Work::Kernel(kernel), .. } => Some(of(kernel, *whole)),
            _ => None,
        });
        kernels.sum()
    };
    let far = sum(&|kernel, whole| TURN * whole.scale * kernel.counters.turns_of_threads as f64);
    let near = sum(&|kernel, whole| {
        TURN_IN_A_BLOCK * waves(kernel, whole, student.gpu) * kernel.counters.turns_in_a_block as f64
    });
    if far + near >= TELLING * seconds {
        return Ok(Some(Doubt::turns()));
    }
    let of_blocks = sum(&|_, whole| TURN * whole.blocks);
    if of_blocks < TELLING * seconds {
        return Ok(None);
    }
    chained(task, program, student, launched, seed)
}

/// How often a multiprocessor replaces its resident blocks by others, with the first ones.
fn waves(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> f64 {
    let Kernel { threads, registers, shared, .. } = *kernel;
    let resident = occupancy(Needs { threads, registers, shared }, &gpu.residency).blocks.max(1);
    (whole.blocks / f64::from(resident * gpu.multiprocessors)).max(1.0)
}

/// The doubt in kernels whose blocks wait for each other one after another, each for a word of its own, too.
fn chained(
    task: &dyn Task,
    program: &Program,
    student: &Simulation,
    launched: &BTreeSet<String>,
    seed: u64,
) -> Result<Option<Doubt>, PredictError> {
    if !launched.iter().any(|kernel| student.module.waits_for_others(kernel)) {
        return Ok(None);
    }
    let (width, height) = CHAINED;
    let image = Case::new("", Picture::Scene { width, height }).image(seed)?;
    let pixels = image.pixels() as u64;
    let job = call::job(task.name(), task.arguments_of(image), pixels, seed);
    match student.waits_in_a_chain(program, &job) {
        Err(Failure::Broken(message)) => Err(Failure::Broken(message).into()),
        Err(_) => Ok(None),
        Ok(chain) => Ok(chain.then(Doubt::chain)),
    }
}
