//! Running the cases of a task, and comparing their outputs with the reference.

mod another;
mod branches;
mod compared;
mod late;
mod launched;
mod orders;
mod outcome;
mod runner;
mod tall;
mod unsteady;

use lab::{Case, Image, Task};

use self::compared::skipped;
use self::outcome::{WATCHED_PIXELS, outcome};
use crate::call;
use crate::cause::{Cause, Failed, NOTHING_WRITTEN, Ran, Rounds};
use crate::exit::Stop;
use crate::facts::{self, Facts, Steps};
use crate::problem::TOO_MUCH;
use crate::report::{self, Verdict};
use crate::root;
use crate::rounding::Output;
use crate::supervise;
use crate::wrong::{Gallery, Wrong};
use runtime::engine::Witness;
use runtime::finding::{Finding, merge};

pub use self::another::{AFTER_ANOTHER_TASK, ON_ANOTHER};
pub use self::branches::numbers;
pub use self::compared::compared;
pub use self::compared::{IN_THE_SECOND, is_late};
pub use self::outcome::unexplained;
pub use self::runner::Runner;
pub use self::unsteady::{Again, unsteady};

/// Images up to this size are called twice, with different patterns in the outputs: a result that is right by chance,
/// or that depends on an earlier call, is then wrong.
const TWICE_PIXELS: u64 = 100_000;

/// Of images up to this size the analyses watch both calls, of larger ones the first.
const WATCHED_TWICE_PIXELS: u64 = 10_000;

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

impl Verified {
    /// A task that is right alone has to be so after calls of the other functions of the file, too.
    pub fn after_others<'a>(
        &mut self,
        task: &dyn Task,
        others: impl Iterator<Item = &'a dyn Task>,
        runner: &Runner<'_>,
        seed: u64,
    ) -> Result<(), Stop> {
        for other in others {
            if self.right
                && let Some(wrong) = another::after_task(task, other, runner, seed)?
            {
                self.cases.push(wrong);
                self.right = false;
            }
        }
        Ok(())
    }
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
    let most_kept = another::KEPT_PIXELS;
    let mut done = Tried {
        task,
        seed,
        gallery,
        cases: Vec::new(),
        ran: Vec::new(),
        ended: None,
        kept: false,
        most_kept,
    };
    for case in tried {
        progress(&format!("{}: {}{}", task.name(), case.name, wrong_before(&done.cases)));
        done.case(case, runner, findings)?;
    }
    if done.right() {
        done.most_kept = branches::LARGEST as u64;
        for case in branches::added(task, tried, runner, seed)? {
            progress(&format!("{}: {}", task.name(), case.name));
            let mut found = Vec::new();
            done.case(&case, runner, &mut found)?;
            if !done.right() {
                for finding in found {
                    merge(findings, finding, None);
                }
                break;
            }
            // It says nothing that the others do not.
            done.cases.pop();
        }
    }
    if done.right()
        && done.kept
        && let Some((late, found)) = late::calls(task, tried, runner, seed)?
    {
        let place = format!("{}: {}", task.name(), late.name);
        for finding in found {
            merge(findings, finding, Some(&place));
        }
        done.cases.push(late);
    }
    let right = done.right();
    let Tried { cases, ran, ended, .. } = done;
    if let Some(first) = tried.first().filter(|_| right)
        && let Some(warning) = tall::refused(task, first, runner, seed)?
    {
        merge(findings, warning, None);
    }
    // A finding explains more than a comparison of outputs, unless smaller pictures were wrong before the instructions were spent.
    let late = ended.as_deref() == Some(TOO_MUCH) && ran.iter().any(|ran| ran.failed.is_some());
    let silent = |case: &report::Case| case.verdict == Verdict::Failed && case.wrong == 0;
    let comparable = late
        || ended.is_none()
            && !right
            && ran.iter().any(|ran| ran.failed.is_some())
            && !cases.iter().any(silent);
    let cause = if comparable {
        progress(&format!("{}: {}", task.name(), supervise::SEARCHING));
        let cause = unsteady::name_cause(task, runner, &ran, seed)?;
        launched::proven(cause, task, runner, &ran, seed)?
    } else {
        None
    };
    let says_nothing = |cause: &Cause| NOTHING_WRITTEN.contains(&cause.name.as_str());
    let unexplained = !right && cause.as_ref().is_none_or(says_nothing);
    let facts = if right { None } else { seen(task, runner, &ran, &cases, (seed, unexplained))? };
    // What every thread has read and written was not left out.
    let refuted = facts.as_ref().is_some_and(Facts::leave_nothing_out);
    let cause = cause.filter(|cause| !(refuted && LEAVES_PIXELS_OUT.contains(&cause.name.as_str())));
    let unexplained = unexplained || (!right && cause.is_none());
    let cause = cause.map(|cause| {
        if facts.as_ref().is_some_and(Facts::name_no_launch) { not_launched(cause, task) } else { cause }
    });
    // A known mistake says more than what was seen, unless that is a fault for certain.
    let facts = facts.filter(|facts| unexplained || facts.are_faults());
    // It also knows better what to do about a division.
    let facts = facts.map(|facts| {
        let known = !unexplained && facts.name_a_division();
        Facts { hint: if known { String::new() } else { facts.hint }, ..facts }
    });
    // What such a call undoes or comes before looks as if it had never been computed.
    let cause = cause.filter(|_| !facts.as_ref().is_some_and(Facts::name_a_misplaced_call));
    // An error is a better explanation, unless an index is wrong: that explains the error as well.
    let facts = facts.filter(|facts| ended.is_none() || late || facts.name_an_index());
    let facts = match facts {
        None if ended.is_some() => counted_wrong(task, tried, &cases, runner, seed)?,
        facts => facts,
    };
    Ok(Verified { cases, right, cause, facts })
}

/// What the cases of a task came to so far.
struct Tried<'a> {
    task: &'a dyn Task,
    seed: u64,
    gallery: Option<&'a dyn Gallery>,
    cases: Vec<report::Case>,
    ran: Vec<Ran>,
    /// The code of the error that ended them.
    ended: Option<String>,
    /// Whether a call has left something in a variable of the program.
    kept: bool,
    /// Pixels of the largest picture that another one follows.
    most_kept: u64,
}

impl Tried<'_> {
    fn right(&self) -> bool {
        self.ended.is_none() && self.cases.iter().all(|case| case.verdict == Verdict::Passed)
    }

    /// Runs the next case, unless what came before tells enough.
    fn case(
        &mut self,
        case: &Case,
        runner: &mut Runner<'_>,
        findings: &mut Vec<Finding>,
    ) -> Result<(), Stop> {
        let task = self.task;
        let number = self.cases.len();
        let size = call::size(case)?;
        let slow = || {
            let pixels = (size.0 * size.1) as u64;
            report::telling(&self.cases).is_some() && runner.simulation.is_slow_on(task.name(), pixels)
        };
        let why_not = self.ended.as_deref().or_else(|| slow().then_some("wrong outputs of smaller pictures"));
        if let Some(why) = why_not {
            self.cases.push(skipped(task, case, size, why));
            return Ok(());
        }
        let image = call::image(case, self.seed)?;
        let poison = self.seed.wrapping_mul(0x0100_0000_01b3) ^ number as u64;
        let Judged { case: verdict, findings: found, rounds, kept } =
            run(task, case, &image, (poison, self.most_kept), runner)?;
        self.kept |= kept;
        let error = root::main_error(&found).map(|finding| finding.code.clone());
        for finding in found {
            merge(findings, finding, Some(&format!("{}: {}", task.name(), case.name)));
        }
        self.ended = error;
        let wrong = verdict.verdict == Verdict::Failed && verdict.wrong > 0;
        if wrong {
            runner.simulation.spent.is_wrong();
        }
        let rounds = rounds.filter(|_| wrong);
        if let Some((gallery, outputs)) = self.gallery.zip(rounds.as_ref()) {
            gallery.add(&Wrong { task, number: number + 1, case, image: &image, outputs });
        }
        let failed = rounds.map(|rounds| Failed { rounds, poison });
        // A long row or column is all border, of which known mistakes say little.
        let telling = image.width.min(image.height) > 1 || image.pixels() as u64 <= WATCHED_PIXELS;
        if telling && self.ended.is_none() {
            self.ran.push(Ran { case: case.clone(), calls: calls(&image), failed });
        }
        self.cases.push(verdict);
        Ok(())
    }
}

/// Known mistakes that leave pixels out, in which counters of other mistakes may look the same.
const LEAVES_PIXELS_OUT: [&str; 2] = ["one_of_several_pixels", "first_block_only"];

/// The cause of outputs that nothing was written to, where the host function launches nothing.
fn not_launched(cause: Cause, task: &dyn Task) -> Cause {
    Cause { message: format!("`{}` launches no kernel, so {}", task.name(), cause.message), ..cause }
}

/// What was wrong in the cases so far, for a check that does not come to its end.
fn wrong_before(cases: &[report::Case]) -> String {
    let Some(first) = report::telling(cases).map(|at| &cases[at]) else { return String::new() };
    let value = first.mismatches.first().map_or_else(String::new, |wrong| {
        format!(", with {} for {} in `{}[{}]`", wrong.found, wrong.expected, wrong.output, wrong.index)
    });
    format!(" ({}, first \"{}\"{value})", supervise::WRONG_BEFORE, first.name)
}

/// What is seen of the first telling case, if the simulator can tell it in a short time. If that case shows only wrong values, larger
/// ones may show pixels that nothing wrote.
fn seen(
    task: &dyn Task,
    runner: &Runner<'_>,
    ran: &[Ran],
    cases: &[report::Case],
    (seed, unexplained): (u64, bool),
) -> Result<Option<Facts>, Stop> {
    let Some(at) = report::telling(cases) else { return Ok(None) };
    let facts = |ran: &Ran, tell: Tell| seen_of(task, runner, ran, seed, tell);
    let Some(first) = ran.iter().find(|ran| ran.case.name == cases[at].name) else { return Ok(None) };
    if unexplained && first.failed.is_some() && (cases[at].width * cases[at].height) as u64 > WATCHED_PIXELS {
        let told = large(task, first, seed)?;
        let early = early(task, runner, ran, seed)?;
        return Ok(told.map(|facts| facts.with_early(early)));
    }
    let Some(mut told) = facts(first, &|witness, outputs, size| Some(facts::facts(witness, outputs, size)))?
    else {
        return Ok(None);
    };
    let slow = runner.simulation.is_slow_on(task.name(), 0);
    if unexplained && !slow && !told.name_a_place() && !told.are_faults() {
        let failed = |ran: &&Ran| ran.failed.is_some() && ran.case.name != first.case.name;
        for other in ran.iter().filter(failed).take(OTHERS) {
            if let Some(left_out) = facts(other, &facts::left_out)? {
                told.tell_of_another(&other.case.name, left_out);
                break;
            }
        }
    }
    // Where nearly all is wrong, what is right is so by chance: nothing lies between the two.
    let nearly_all =
        |case: &report::Case| case.width * case.height >= SEVERAL_STRIPS && case.wrong * 10 >= case.total * 9;
    if unexplained && told.may_have_seams() && !cases.iter().any(nearly_all) {
        for other in ran.iter().filter(|ran| ran.failed.is_some()) {
            if let Some(seam) = seam(task, other, seed)? {
                told.tell_of_seams(&other.case.name, &seam);
                break;
            }
        }
    }
    // Where nothing was seen, the text may still say something.
    Ok(Some(told).filter(|facts| unexplained || !facts.seen.is_empty()))
}

/// Cases beside the telling one that are looked at for pixels that nothing wrote, unless the kernel is slow.
const OTHERS: usize = 8;

/// What to tell of a run.
type Tell<'a> = &'a dyn Fn(&Witness, &[Output<'_>], (usize, usize)) -> Option<Facts>;

/// What is told of a failed case.
fn seen_of(
    task: &dyn Task,
    runner: &Runner<'_>,
    ran: &Ran,
    seed: u64,
    tell: Tell<'_>,
) -> Result<Option<Facts>, Stop> {
    let Some(failed) = ran.failed.as_ref() else { return Ok(None) };
    let image = call::image(&ran.case, seed)?;
    let pixels = image.pixels() as u64;
    let Some(found) = failed.rounds.first().filter(|_| pixels <= WATCHED_PIXELS) else { return Ok(None) };
    let job = call::job(task.name(), task.arguments(&image), pixels, failed.poison);
    let Some(witness) = runner.simulation.witness(runner.program, &job) else { return Ok(None) };
    let tell = |outputs: &[Output<'_>]| {
        // Or else only the second call is wrong.
        let wrong = outputs.iter().any(|output| output.expected != output.found);
        let told = if wrong { tell(&witness, outputs, (image.width, image.height)) } else { None };
        told.map(|facts| {
            let gray = levels(task, &image);
            facts.or_by_part(outputs, &gray).or_by_level(outputs, &gray).with_steps(
                &witness,
                task.stages(&image),
                outputs,
                (image.width, image.height),
            )
        })
    };
    Ok(with_outputs(task, &image, found, tell))
}

/// Sides of pictures that may have several strips, and most pixels of those that are looked at for them.
const SEVERAL_STRIPS: usize = 32;
const SEAMS: usize = 1 << 18;

/// Rows or columns of a failed case that are wrong, or right, at equal distances.
fn seam(task: &dyn Task, ran: &Ran, seed: u64) -> Result<Option<String>, Stop> {
    let Some(found) = ran.failed.as_ref().and_then(|failed| failed.rounds.first()) else { return Ok(None) };
    let (width, height) = call::size(&ran.case)?;
    if width.max(height) < SEVERAL_STRIPS || width * height > SEAMS {
        return Ok(None);
    }
    let image = call::image(&ran.case, seed)?;
    let tell = |outputs: &[Output<'_>]| outputs.iter().find_map(|output| facts::seam(output, width));
    Ok(with_outputs(task, &image, found, tell))
}

/// What the outputs of a case that is too large to be watched say by themselves.
fn large(task: &dyn Task, ran: &Ran, seed: u64) -> Result<Option<Facts>, Stop> {
    let Some(found) = ran.failed.as_ref().and_then(|failed| failed.rounds.first()) else { return Ok(None) };
    let image = call::image(&ran.case, seed)?;
    let size = (image.width, image.height);
    let tell = |outputs: &[Output<'_>]| Facts::of_outputs(outputs, &levels(task, &image), size);
    Ok(Some(with_outputs(task, &image, found, tell)))
}

/// Pictures that are looked at for a wrong first step though their outputs are right.
const EARLY: usize = 5;

/// A wrong first step of the largest pictures that can be watched, if they are right all the same: only large ones are wrong then, but for a
/// reason that has nothing to do with their size.
fn early(task: &dyn Task, runner: &Runner<'_>, ran: &[Ran], seed: u64) -> Result<Option<Steps>, Stop> {
    let pixels = |ran: &Ran| call::size(&ran.case).map(|(width, height)| (width * height) as u64);
    let mut watched = Vec::new();
    for ran in ran.iter().filter(|ran| ran.failed.is_none()) {
        let pixels = pixels(ran)?;
        if pixels <= WATCHED_PIXELS {
            watched.push((pixels, ran));
        }
    }
    watched.sort_by_key(|(pixels, _)| std::cmp::Reverse(*pixels));
    for (pixels, ran) in watched.into_iter().take(EARLY) {
        let image = call::image(&ran.case, seed)?;
        let stages = task.stages(&image);
        // Of pictures, nothing is told.
        if stages.first().is_none_or(|stage| stage.row > 0) {
            break;
        }
        let job = call::job(task.name(), task.arguments(&image), pixels, seed);
        let Some(witness) = runner.simulation.witness(runner.program, &job) else { continue };
        let steps = Steps::early(&witness, stages, &ran.case.name, true);
        if steps.is_some() {
            return Ok(steps);
        }
    }
    Ok(None)
}

/// Wrong counters of the first step of a task in the case that an error has ended.
fn counted_wrong(
    task: &dyn Task,
    tried: &[Case],
    cases: &[report::Case],
    runner: &Runner<'_>,
    seed: u64,
) -> Result<Option<Facts>, Stop> {
    let ended = cases.iter().rposition(|case| case.verdict == Verdict::Failed);
    let Some(case) = ended.and_then(|at| tried.get(at)) else { return Ok(None) };
    let image = call::image(case, seed)?;
    let pixels = image.pixels() as u64;
    let stages = task.stages(&image);
    if pixels > WATCHED_PIXELS || stages.is_empty() {
        return Ok(None);
    }
    let job = call::job(task.name(), task.arguments(&image), pixels, seed);
    let witness = runner.simulation.witness_to_the_end(runner.program, &job);
    let steps = witness.and_then(|witness| Steps::early(&witness, stages, &case.name, false));
    Ok(steps.map(Facts::before_an_error))
}

/// The gray levels that a task reads; none if it reads colours.
fn levels(task: &dyn Task, image: &Image) -> Vec<u8> {
    if task.is_gray() { lab::gray(image) } else { Vec::new() }
}

/// What is told of these outputs of a task, beside those that are expected.
fn with_outputs<T>(
    task: &dyn Task,
    image: &Image,
    found: &[Vec<u8>],
    tell: impl FnOnce(&[Output<'_>]) -> T,
) -> T {
    let (shapes, expected) = (call::shapes(task, image), task.reference(image));
    let tolerance = task.tolerance();
    let output = |((shape, expected), found)| Output { shape, expected, found, tolerance };
    let outputs = shapes.iter().zip(expected.iter().map(Vec::as_slice)).zip(found.iter().map(Vec::as_slice));
    let outputs: Vec<Output<'_>> = outputs.map(output).collect();
    tell(&outputs)
}

/// The number of calls of a case.
fn calls(image: &Image) -> u32 {
    if image.pixels() as u64 <= TWICE_PIXELS { 2 } else { 1 }
}

/// All cases of a task, marked as skipped.
pub fn all_skipped(task: &dyn Task, code: &str) -> Result<Vec<report::Case>, Stop> {
    task.cases().iter().map(|case| Ok(skipped(task, case, call::size(case)?, code))).collect()
}

/// A case that ran.
struct Judged {
    case: report::Case,
    findings: Vec<Finding>,
    /// The outputs of its calls; `None` if they were right, and those of a call on another picture were not.
    rounds: Option<Rounds>,
    /// Whether its calls have left something in a variable of the program.
    kept: bool,
}

/// Runs one case.
fn run(
    task: &dyn Task,
    case: &Case,
    image: &Image,
    (poison, most_kept): (u64, u64),
    runner: &mut Runner<'_>,
) -> Result<Judged, Stop> {
    let mut job = call::job(task.name(), task.arguments(image), image.pixels() as u64, poison);
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
    let (mut findings, mut rounds) = (outcome.findings, Some(outcome.outputs));
    let follows = job.pixels <= most_kept || runner.gpu.is_some();
    if judged.verdict == Verdict::Passed && outcome.kept && follows {
        let (verdict, found) =
            another::after(task, case, image, &job, runner)?.unwrap_or((judged, Vec::new()));
        if verdict.verdict != Verdict::Passed {
            rounds = None;
        }
        judged = verdict;
        let place = format!("{}: {}, then another picture", task.name(), case.name);
        for finding in found {
            merge(&mut findings, finding, Some(&place));
        }
    }
    Ok(Judged { case: judged, findings, rounds, kept: outcome.kept })
}
