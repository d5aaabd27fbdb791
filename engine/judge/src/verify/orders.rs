//! The same call in other legal orders of blocks, warps and lanes: a result that changes with the order is wrong, even if
//! the usual order gives the right one.
//!
//! The second call of a small image runs its blocks and warps backwards, and so does the only call of a large one, which
//! costs nothing extra. Lanes run one by one
//! only where the race detector has seen threads of a warp rely on each other's steps.

use lab::{Image, Task};
use simulator::{Checks, Order};

use super::compared::compared;
use super::runner::Runner;
use crate::exit::Stop;
use crate::report;
use runtime::finding::{Finding, Kind, Severity, merge};
use runtime::job::{Job, Outcome};

/// The orders of the two calls of a small image.
pub const TWO_CALLS: [Order; 2] = [Order::Forward, Order::Backward];

/// The order of the only call of a large image.
pub const ONE_CALL: [Order; 1] = [Order::Backward];

/// Two threads of a warp use the same bytes without a `__syncwarp()`.
const WITHIN_A_WARP: &str = "W0304";

/// What the order of a finished run tells: adds findings to `outcome`.
pub fn judge(
    task: &dyn Task,
    image: &Image,
    runner: &Runner<'_>,
    job: &Job,
    outcome: &mut Outcome,
) -> Result<(), Stop> {
    if outcome.findings.iter().any(Finding::is_error) || outcome.outputs.is_empty() {
        return Ok(());
    }
    let run = |job: &Job| {
        runner
            .simulation
            .run(runner.program, job, Checks::NONE)
            .map_err(|failure| Stop::environment(failure.to_string()))
    };
    let right = |outcome: &Outcome| -> Result<bool, Stop> {
        Ok(compared(task, "", image, outcome)?.verdict == report::Verdict::Passed)
    };
    if outcome.outputs.windows(2).any(|calls| calls[0] != calls[1]) && !right(outcome)? {
        // Wrong in the second call only: because of the first one, or of the order?
        let forward = run(&Job { orders: Vec::new(), ..job.clone() })?;
        if right(&forward)? {
            let finding = by_block(runner, job);
            merge(&mut outcome.findings, finding, None);
        }
        return Ok(());
    }
    ahead(runner, job, outcome, &run, &right)?;
    if !outcome.findings.iter().any(|finding| finding.code == WITHIN_A_WARP) {
        return Ok(());
    }
    for order in [Order::LanesApart, Order::LanesRising] {
        let apart = run(&Job { orders: vec![order], calls: 1, ..job.clone() })?;
        // A limit of instructions says nothing here, as lanes that run alone need many more; nor do barriers, at which they
        // arrive one by one.
        let beside = |finding: &Finding| finding.code == "W0504" || finding.kind == Kind::Barrier;
        let unfinished = apart.findings.iter().any(|finding| finding.is_error() && beside(finding));
        if !unfinished && !right(&apart)? {
            outcome.findings.iter_mut().filter(|finding| finding.code == WITHIN_A_WARP).for_each(by_lane);
            break;
        }
    }
    Ok(())
}

/// The largest images on which blocks take turns after every instruction.
const TURNS_PIXELS: u64 = 10_000;

/// One warp of every block far ahead of the others, and blocks that take turns: only where threads draw numbers, as for the last
/// block to come.
fn ahead(
    runner: &Runner<'_>,
    job: &Job,
    outcome: &mut Outcome,
    run: &dyn Fn(&Job) -> Result<Outcome, Stop>,
    right: &dyn Fn(&Outcome) -> Result<bool, Stop>,
) -> Result<(), Stop> {
    // What is wrong in the usual order has another cause.
    if job.calls < 2 || !runner.simulation.module.draws_numbers() || !right(outcome)? {
        return Ok(());
    }
    let turns = (job.pixels <= TURNS_PIXELS).then_some(Order::InTurns);
    for order in [Order::FirstWarps, Order::LastWarps].into_iter().chain(turns) {
        let job = Job { orders: vec![order], calls: 1, ..job.clone() };
        let ahead = run(&job)?;
        // Blocks that wait for others in their own way may need more instructions than they have.
        if !ahead.has_error() && !right(&ahead)? {
            let found = if order == Order::InTurns { by_turns(runner, &job) } else { by_warp(runner, &job) };
            merge(&mut outcome.findings, found, None);
            return Ok(());
        }
    }
    Ok(())
}

/// The outputs of a large image are wrong, from the last block to the first: whether they are right from the first to the
/// last. Then a finding is added to `outcome`.
pub fn was_it(
    task: &dyn Task,
    image: &Image,
    runner: &Runner<'_>,
    job: &Job,
    outcome: &mut Outcome,
) -> Result<bool, Stop> {
    if runner.gpu.is_some() || job.orders != ONE_CALL {
        return Ok(false);
    }
    let forward = Job { orders: Vec::new(), ..job.clone() };
    let forward = runner
        .simulation
        .run(runner.program, &forward, Checks::NONE)
        .map_err(|failure| Stop::environment(failure.to_string()))?;
    let right = compared(task, "", image, &forward)?.verdict == report::Verdict::Passed;
    if right {
        merge(&mut outcome.findings, by_block(runner, job), None);
    }
    Ok(right)
}

/// Turns a warning of lanes that rely on each other into an error: it has been seen to matter.
fn by_lane(finding: &mut Finding) {
    finding.severity = Severity::Error;
    finding.message.push_str(
        ". Here it matters: with the threads of each warp one after another, which a GPU may do, the result is wrong",
    );
}

/// The result depends on which warp of a block comes first.
fn by_warp(runner: &Runner<'_>, job: &Job) -> Finding {
    let which = if job.orders == [Order::FirstWarps] { "first" } else { "last" };
    at_place(runner, job, |kernel| {
        Finding::new(
            "W0309",
            Kind::Race,
            Severity::Error,
            format!(
                "the result depends on the order in which the warps{kernel} run: it is wrong if the {which} warp of each block \
                 runs ahead of the block's other warps"
            ),
            "a thread that adds to a counter in global memory to say that its block is done speaks for all threads of the block: \
             first let every thread call `__threadfence()` after its last store or atomic, then call `__syncthreads()`, and \
             only then let one thread add to the counter",
        )
    })
}

/// The result depends on what other blocks do between two instructions.
fn by_turns(runner: &Runner<'_>, job: &Job) -> Finding {
    at_place(runner, job, |kernel| {
        Finding::new(
            "W0309",
            Kind::Race,
            Severity::Error,
            format!(
                "the result depends on the order in which the blocks{kernel} run: it is wrong if they run at the same time and take \
                 turns after every instruction"
            ),
            "what a block reads, changes and stores again in several steps loses what other blocks store between them: let one atomic \
             do all of it, as `atomicAdd(&sum, value)`; or repeat `atomicCAS` until it returns the value that you have read",
        )
    })
}

/// The result depends on the order of blocks or warps.
fn by_block(runner: &Runner<'_>, job: &Job) -> Finding {
    at_place(runner, job, of_blocks)
}

/// A finding at the first place where the order that a job asks for matters; it is told the kernel.
fn at_place(runner: &Runner<'_>, job: &Job, finding: impl Fn(&str) -> Finding) -> Finding {
    let place = runner.simulation.first_order_dependent(runner.program, job);
    let kernel = place.as_ref().map_or_else(String::new, |place| format!(" of `{}`", place.kernel));
    let finding = finding(&kernel);
    match place.and_then(|place| place.location) {
        Some(at) => finding.at(&at.file, at.line, at.column),
        None => finding,
    }
}

fn of_blocks(kernel: &str) -> Finding {
    Finding::new(
        "W0309",
        Kind::Race,
        Severity::Error,
        format!(
            "the result depends on the order in which the blocks and warps{kernel} run: it is right from the first to the \
             last, and wrong from the last to the first"
        ),
        "a GPU runs blocks and warps in any order, or at once: no block may count on another to have run before, the last \
         one by number (`blockIdx.x == gridDim.x - 1`) least of all. Start a second kernel for what needs all results, or let \
         an atomic counter tell which block is the last to come, with `__threadfence()` before it",
    )
}
