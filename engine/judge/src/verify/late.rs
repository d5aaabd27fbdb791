//! Many calls on one small picture, where calls leave something in variables of the program: what is right in the first two may be
//! wrong later, when a counter overflows, a ring of buffers comes round, or a call is to be the last honest one.

use lab::{Case, Task};
use simulator::Checks;

use super::compared::compared;
use super::runner::Runner;
use crate::call;
use crate::exit::Stop;
use crate::report::{self, Verdict};
use runtime::finding::Finding;
use runtime::job::{Failure, Job};

/// Calls that are always made.
const CALLS: usize = 50;

/// Numbers of the file up to this one may be numbers of calls.
const MOST_CALLS: usize = 300;

/// Instructions of warps that all calls may execute.
const MOST_INSTRUCTIONS: u64 = 20_000_000;

/// What a host function may ask for in all its calls together: those of a right file may come to more.
const TOO_MUCH_ASKED: &str = "W0630";

/// Pixels of the picture: more than a warp has threads, as one warp may be right by itself.
const LEAST_PIXELS: usize = 64;

/// The first call that is wrong or fails, and its findings; `None` if all are right.
pub fn calls(
    task: &dyn Task,
    tried: &[Case],
    runner: &Runner<'_>,
    seed: u64,
) -> Result<Option<(report::Case, Vec<Finding>)>, Stop> {
    if runner.gpu.is_some() {
        return Ok(None);
    }
    for case in tried {
        let image = call::image(case, seed)?;
        if image.pixels() < LEAST_PIXELS {
            continue;
        }
        let numbers = runner.simulation.numbers.iter().map(|number| number.value);
        let most = numbers.filter(|number| *number <= MOST_CALLS).max().unwrap_or(0);
        let job = call::job(task.name(), task.arguments(&image), image.pixels() as u64, seed);
        let mut engine = runner.simulation.engine_for(&job, Checks::NONE);
        let broken = |failure: Failure| Stop::environment(failure.to_string());
        runner.simulation.run_on(&mut engine, runner.program, &job).map_err(broken)?;
        let affordable = MOST_INSTRUCTIONS / engine.all_instructions().max(1);
        let wanted = CALLS.max(most + 2) as u64;
        let job = Job { calls: wanted.min(affordable).max(2) as u32, ..job };
        let outcome = runner.simulation.run(runner.program, &job, Checks::NONE).map_err(broken)?;
        if outcome.findings.iter().any(|finding| finding.code == TOO_MUCH_ASKED) {
            return Ok(None);
        }
        let name = format!("{}, call after call", case.name);
        let judged = compared(task, &name, &image, &outcome)?;
        return Ok((judged.verdict != Verdict::Passed).then_some((judged, outcome.findings)));
    }
    Ok(None)
}
