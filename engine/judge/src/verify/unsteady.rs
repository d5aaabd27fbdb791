//! Results that differ from run to run.

use lab::Task;

use super::runner::Runner;
use crate::call;
use crate::cause::{self, Cause, Ran, Rounds};
use crate::exit::Stop;
use runtime::job::Job;

/// The cause: a known mistake, or results that differ from run to run. Only a GPU can show the latter, because the
/// simulator runs threads in a fixed order.
pub fn name_cause(
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
