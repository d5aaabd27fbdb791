//! Checking a submission: from the file to its report.

use std::collections::{BTreeMap, BTreeSet};

use lab::{Lab, Task};
use simulator::model::Gpu;

use crate::build::{self, Build, BuildError};
use crate::call::PUBLIC_SEED;
use crate::case;
use crate::cause::{self, Cause};
use crate::course;
use crate::exit::Stop;
use crate::next;
use crate::performance::{self, TimingFixtures};
use crate::prediction::{self, Counted};
use crate::progress::Progress;
use crate::repair::{self, Searches};
use crate::report::{self, Performance, Report, Verdict};
use crate::root;
use crate::score;
use crate::setup::{Engine, EngineChoice, Setup};
use crate::submission::{Part, Submission};
use crate::supervise::{self, Loss};
use crate::tunable;
use crate::verify::{self, Runner};
use crate::wasted;
use crate::watcher::Message;
use crate::wrong::Gallery;
use runtime::finding::{Finding, Kind, Severity, merge};
use runtime::simulation::{Simulation, Spent};

/// A file to judge, and how.
pub struct Request<'a> {
    /// The lab.
    pub lab: &'a dyn Lab,
    /// Its tasks to check.
    pub tasks: &'a [&'static dyn Task],
    /// The file.
    pub submission: &'a Submission,
    /// Seed of random images.
    pub seed: u64,
    /// The command that checks the file again.
    pub command: String,
    /// Whether right tasks are timed and scored.
    pub timed: bool,
    /// Whether points are for good: what is predicted is run in full where that is possible.
    pub graded: bool,
    /// Where pictures of failed cases go.
    pub album: Option<&'a dyn Gallery>,
    /// Whether a small change that makes a wrong task right is searched for, where nothing else says what its mistake is: it takes seconds.
    pub repaired: bool,
    /// Who is told of a task that is right before it is timed.
    pub watcher: Option<&'a Progress>,
    /// Constants that need no advice to sweep them, by their marks: see [`tunable::mark`].
    pub swept: &'a BTreeSet<String>,
}

/// Why speed has no points where a finding says more.
const NOT_SCORED: &str = "not scored: see W0705";

/// Nothing was swept.
static NONE_SWEPT: BTreeSet<String> = BTreeSet::new();

impl<'a> Request<'a> {
    /// These tasks of a file, timed, with the public seed.
    pub fn of(lab: &'a dyn Lab, tasks: &'a [&'static dyn Task], submission: &'a Submission) -> Self {
        Self {
            lab,
            tasks,
            submission,
            seed: PUBLIC_SEED,
            command: String::new(),
            timed: true,
            graded: false,
            repaired: false,
            album: None,
            watcher: None,
            swept: &NONE_SWEPT,
        }
    }
}

/// A file that comes to its fifth case is likely to be timed. Most wrong ones fail before.
const PROMISING: usize = 5;

/// Checks a file. Faults of the file are part of the report; an error is a fault of the machine or the checker.
/// `fixtures` keeps the inputs and CPU times of timed tasks for further files with the same seed.
pub fn judge(
    setup: &Setup,
    request: &Request<'_>,
    fixtures: &mut TimingFixtures,
    progress: &mut dyn FnMut(&str),
) -> Result<Report, Stop> {
    progress("compiling");
    let tasks: Vec<&dyn Task> = request.tasks.iter().map(|task| *task as &dyn Task).collect();
    let mut report = blank(setup, request);
    match build::build(&setup.submissions(), request.submission, &tasks, setup.targets) {
        Err(BuildError::Stop(stop)) => return Err(stop),
        Err(BuildError::Source(findings)) => {
            let code = findings.first().map_or("W0001", |finding| finding.code.as_str()).to_owned();
            for task in &tasks {
                report.cases.extend(verify::all_skipped(*task, &code)?);
                score_task(setup, &mut report, *task, None, false, "");
            }
            report.findings = findings;
        }
        Ok(build) => std::thread::scope(|scope| {
            let simulated = matches!(setup.engine, Engine::Simulator(_));
            let timed = request.timed && !request.submission.untouched && simulated;
            let mut told = 0;
            run(setup, request, &build, fixtures, &mut report, &mut |what| {
                told += 1;
                if timed && told == PROMISING {
                    // Most cases are too small for two cores. An error is told where the yardstick is needed.
                    scope.spawn(|| setup.simulated_yardstick().is_ok());
                }
                progress(what);
            })
        })?,
    }
    conclude(setup, &mut report, &request.command, request.tasks);
    Ok(report)
}

/// The report on a file from the simulator, in the watched process, for commands that tell about its numbers. `check` is the command that
/// checks the file.
pub fn simulated(
    lab: &dyn Lab,
    part: &Part,
    check: &str,
    gpu: &'static Gpu,
    swept: &BTreeSet<String>,
    progress: Progress,
) -> Result<Report, Stop> {
    let setup = Setup::new(EngineChoice::Simulator, gpu, &progress)?.confined()?.remembering();
    supervise::begin(&progress, &setup.engine)?;
    let own = Request::of(lab, &part.tasks, &part.submission);
    let request = Request { command: check.to_owned(), repaired: true, swept, ..own };
    let report = judge(&setup, &request, &mut TimingFixtures::default(), &mut |what| progress.say(what))?;
    drop(progress);
    setup.tell_if_unconfined();
    Ok(report)
}

/// Judges the files of a solution, and joins their reports: the first names the file, tasks of others name their own.
/// `requests` are of one lab.
pub fn judge_all(
    setup: &Setup,
    requests: &[Request<'_>],
    fixtures: &mut TimingFixtures,
    progress: &mut dyn FnMut(&str),
) -> Result<Report, Stop> {
    let (first, others) =
        requests.split_first().ok_or_else(|| Stop::environment("there is no file to judge"))?;
    let mut joined = judge(setup, first, fixtures, progress)?;
    if others.is_empty() {
        return Ok(joined);
    }
    for request in others {
        let report = judge(setup, request, fixtures, progress)?;
        let of_file = |task| report::Task {
            file: Some(report.file.clone()),
            sha256: Some(report.sha256.clone()),
            ..task
        };
        joined.tasks.extend(report.tasks.into_iter().map(of_file));
        joined.cases.extend(report.cases);
        joined.findings.extend(report.findings);
        joined.performance.extend(report.performance);
        joined.points.extend(report.points);
        joined.tunable.extend(report.tunable);
        joined.swept.extend(report.swept);
        joined.wasted.extend(report.wasted);
    }
    let place = |name: &str| first.lab.tasks().iter().position(|task| task.name() == name);
    joined.tasks.sort_by_key(|task| place(&task.name));
    joined.cases.sort_by_key(|case| place(&case.task));
    joined.performance.sort_by_key(|timed| place(&timed.task));
    joined.points.sort_by_key(|line| place(&line.task));
    let judged = |task: &&'static dyn Task| joined.tasks.iter().any(|judged| judged.name == task.name());
    let tasks: Vec<&'static dyn Task> = first.lab.tasks().iter().copied().filter(judged).collect();
    conclude(setup, &mut joined, &first.command, &tasks);
    Ok(joined)
}

/// The report on files whose check was lost: no case has a verdict, and the loss is the finding.
pub fn lost(setup: &Setup, requests: &[Request<'_>], loss: &Loss) -> Result<Report, Stop> {
    let first = requests.first().ok_or_else(|| Stop::environment("there is no file to judge"))?;
    let mut finding = loss.finding();
    let tasks: Vec<&'static dyn Task> = requests.iter().flat_map(|request| request.tasks).copied().collect();
    let names: Vec<&str> = tasks.iter().map(|task| task.name()).collect();
    build::too_slow(&mut finding, &first.submission.text, &names);
    let mut report = blank(setup, first);
    let mut verified = Vec::new();
    for task in &tasks {
        if let Some(cases) = loss.verified(task.name()) {
            verified.push(task.name());
            report.cases.extend(cases);
            score_task(setup, &mut report, *task, None, true, NOT_SCORED);
        } else {
            report.cases.extend(verify::all_skipped(*task, &finding.code)?);
            score_task(setup, &mut report, *task, None, false, "");
        }
    }
    report.findings = if verified.is_empty() { Vec::new() } else { vec![loss.unscored(&verified)] };
    if verified.len() < tasks.len() {
        report.findings.push(finding);
    }
    conclude(setup, &mut report, &first.command, &tasks);
    Ok(report)
}

/// What follows from the tasks, findings and points of a report.
fn conclude(setup: &Setup, report: &mut Report, command: &str, tasks: &[&'static dyn Task]) {
    report.clean();
    root::order(&mut report.findings);
    (report.score, report.max_score) = score::total(&report.points);
    report.passed =
        report.tasks.iter().all(|task| task.passed) && !report.findings.iter().any(Finding::is_error);
    let points = |task: &dyn Task| course::points(setup.course.as_ref(), task);
    let step = next::advice(command, tasks, report, &points);
    (report.next, report.next_whole) = (step.text, step.whole);
}

fn run(
    setup: &Setup,
    request: &Request<'_>,
    build: &Build,
    fixtures: &mut TimingFixtures,
    report: &mut Report,
    progress: &mut dyn FnMut(&str),
) -> Result<(), Stop> {
    for finding in &build.findings {
        merge(&mut report.findings, finding.clone(), None);
    }
    let mut found = Vec::new();
    let numbers = verify::numbers(&request.submission.text).into();
    let simulation =
        Simulation { confirmed: request.graded, numbers, ..build.simulation(setup.simulated_gpu()) };
    let mut gpu = setup.worker(build)?;
    let tasks: Vec<&dyn Task> = request.tasks.iter().map(|task| *task as &dyn Task).collect();
    for &task in &tasks {
        if build.missing.iter().any(|name| name == task.name()) {
            let code = missing_code(&build.findings, task);
            report.cases.extend(verify::all_skipped(task, &code)?);
            score_task(setup, report, task, None, false, "");
            continue;
        }
        // What one task wastes is not taken from the next one.
        let simulation = Simulation { spent: Spent::default(), ..simulation.clone() };
        let mut runner = Runner { program: &build.program, simulation: &simulation, gpu: gpu.as_mut() };
        let mut verified = verify::verify(
            task,
            &task.cases(),
            &mut runner,
            request.seed,
            request.album,
            &mut found,
            progress,
        )?;
        let there = |other: &&&dyn Task| !build.missing.iter().any(|name| name == other.name());
        let others = tasks.iter().filter(|other| other.name() != task.name()).filter(there).copied();
        verified.after_others(task, others, &runner, request.seed)?;
        report.cases.extend(verified.cases);
        let mut right = verified.right;
        if right && request.submission.is_read() {
            let overrun = build::overrun::found(request.submission, task.name());
            right = overrun.is_none();
            report.findings.extend(overrun);
        }
        if right && request.timed {
            let own = report.cases.iter().filter(|case| case.task == task.name());
            let cases = own.map(|case| report::Case { printed: String::new(), ..case.clone() }).collect();
            request.watcher.inspect(|watcher| watcher.tell(&Message::Verified(cases)));
            progress(&format!("{}: timing", task.name()));
            let case = task.timed_case();
            let timed = performance::time_on(task, &case, setup, &mut runner, request.seed, fixtures)?;
            right = timed.case.verdict == Verdict::Passed && !timed.findings.iter().any(Finding::is_error);
            let place = format!("{}: {}", task.name(), timed.case.name);
            for finding in timed.findings {
                merge(&mut found, finding, Some(&place));
            }
            report.cases.push(report::Case { timed: true, ..timed.case });
            let mut performance = timed.performance.filter(|_| right);
            let slow =
                |timed: &&mut Performance| timed.signs.is_none() && timed.share < task.points().share.target;
            if let Some(timed) = performance.as_mut().filter(slow) {
                // What a kernel does is counted in the simulator only. Where that fails, the next level gives the advice.
                progress(&format!("{}: counting", task.name()));
                let counted = prediction::counted(task, &case, &build.program, &simulation, request.seed);
                if let Ok(Counted { signs, lines, idle }) = counted {
                    (timed.signs, timed.lines, timed.idle) = (Some(signs), lines, idle);
                }
            }
            if let Some(timed) = &mut performance {
                build::dear::keep_early_returns(&mut timed.lines, &request.submission.text);
            }
            report.performance.extend(performance);
        }
        // The cause of an untouched skeleton is known: `next` gives the first step.
        let cause = verified.cause.filter(|_| !request.submission.untouched);
        let cause = cause.map(|cause| cause::or_not_started(cause, task, &request.submission.text));
        score_task(setup, report, task, cause, right, "not timed");
        if !request.submission.untouched && request.submission.is_read() {
            explain(report, verified.facts, &request.submission.text, (task, right));
        }
    }
    let mut searches = Searches::default();
    for &task in &tasks {
        let right: Vec<&dyn Task> = tasks.iter().copied().filter(|other| is_right(report, *other)).collect();
        mend(setup, request, (task, &right), (report, &found), &mut searches, progress)?;
    }
    report.findings.extend(found.into_iter().map(|finding| in_source(finding, request.submission)));
    tell_repairs(report);
    let errors = report.findings.iter().any(Finding::is_error);
    report.findings.extend(past_the_end(request.submission).filter(|_| !errors));
    Ok(())
}

/// Tells what was seen of wrong outputs of the last task, and what the text says of it.
fn explain(
    report: &mut Report,
    facts: Option<crate::facts::Facts>,
    text: &str,
    (task, right): (&dyn Task, bool),
) {
    let Some(judged) = report.tasks.last_mut() else { return };
    judged.facts = facts.map(|facts| facts.in_source(text));
    // Of counts that are doubled, the text may say which launch does it.
    let vague = ["all_zero", "counted_several_times", cause::NOTHING_WRITTEN[0], cause::NOTHING_WRITTEN[1]];
    let named = judged.cause.as_ref().filter(|cause| !cause.not_started).map(|cause| cause.name.as_str());
    let open = named.map_or(judged.cause.is_none(), |name| vague.contains(&name));
    let own: Vec<_> = report.cases.iter().filter(|case| case.task == task.name()).collect();
    let again = own.iter().filter(|case| case.verdict == Verdict::Failed).any(|case| {
        let note = case.note.as_str();
        [verify::IN_THE_SECOND, verify::ON_ANOTHER].contains(&note) || verify::is_late(note)
    });
    let all: Vec<report::Case> = own.iter().map(|case| (*case).clone()).collect();
    let pixels = case::telling(&all).map_or(0, |at| all[at].width * all[at].height);
    if !right && open {
        let facts = crate::facts::Facts { pixels, ..judged.facts.take().unwrap_or_default() };
        let which = [named.is_some(), again, crate::facts::is_large(&own), crate::facts::are_few(&own)];
        let mut facts = facts.with_source(text, task.name(), which);
        if named.is_none() {
            facts.warn(&report.findings);
            facts.or_by_size(&own, (text, task.name()));
        }
        judged.facts = Some(facts).filter(|facts| !facts.seen.is_empty());
    }
    if let Some(cause) = judged.cause.as_ref().filter(|cause| !right && !cause.not_started) {
        let mut facts = crate::facts::Facts { pixels, ..judged.facts.take().unwrap_or_default() };
        facts.locate(text, task.name(), &cause.name, &cause.message);
        judged.facts = Some(facts).filter(|facts| !facts.seen.is_empty());
    }
}

fn is_right(report: &Report, task: &dyn Task) -> bool {
    report.tasks.iter().any(|judged| judged.name == task.name() && judged.passed)
}

/// Searches for a small change of the text that makes a task right, if nothing says for certain what its mistake is. `found` are the
/// findings of its cases, among others, and `right` the tasks that are right.
fn mend(
    setup: &Setup,
    request: &Request<'_>,
    (task, right): (&dyn Task, &[&dyn Task]),
    (report, found): (&mut Report, &[Finding]),
    searches: &mut Searches,
    progress: &mut dyn FnMut(&str),
) -> Result<(), Stop> {
    let reads = !request.submission.untouched && request.submission.is_read();
    let judged = report.tasks.iter_mut().find(|judged| judged.name == task.name());
    let Some(judged) = judged.filter(|_| reads && request.repaired && supervise::may_search()) else {
        return Ok(());
    };
    let mut errors =
        found.iter().filter(|finding| finding.is_error() && finding.is_of(task.name())).peekable();
    // What a call of the host function or a launch does wrong is named for certain.
    let is_open = if errors.peek().is_some() {
        errors.all(|error| WHERE_OPEN.contains(&error.kind))
    } else {
        judged.facts.as_ref().is_none_or(crate::facts::Facts::are_vague)
    };
    // The line of a known mistake is worth a search, if nothing names it.
    let is_known = judged.cause.as_ref().is_some_and(|cause| {
        let mut seen = judged.facts.iter().flat_map(|facts| &facts.seen);
        cause.not_started || seen.any(|seen| seen.contains("line "))
    });
    let is_open = is_open || judged.cause.is_some();
    if judged.passed || is_known || !is_open {
        return Ok(());
    }
    let own: Vec<_> = report.cases.iter().filter(|case| case.task == task.name()).cloned().collect();
    let facts = judged.facts.clone().unwrap_or_default();
    let known = (&own[..], found, &facts);
    judged.repair =
        repair::search(setup, request.submission, (task, request.seed), known, right, searches, progress)?;
    Ok(())
}

/// Kinds of errors whose line is not always the one with the mistake.
const WHERE_OPEN: [Kind; 4] = [Kind::Memory, Kind::Initialisation, Kind::Race, Kind::Barrier];

/// Tells of the changes that make tasks right in place of what was seen of their outputs. Beside an error, the report shows them as they are.
fn tell_repairs(report: &mut Report) {
    for judged in &mut report.tasks {
        let Some(repair) = &judged.repair else { continue };
        if !report.findings.iter().any(|finding| finding.is_error() && finding.is_of(&judged.name)) {
            let facts = judged.facts.get_or_insert_default();
            if judged.cause.is_some() {
                facts.seen.push(repair.told.clone());
            } else {
                facts.tell_tried(repair);
            }
        }
    }
}

/// What the host uses past the end of an array: what lies there may look right.
fn past_the_end(submission: &Submission) -> Option<Finding> {
    let (line, what, why) =
        build::host_arrays::read_past(&submission.text).filter(|_| submission.is_read())?;
    let message = format!("the host function uses {what}");
    let finding = Finding::new("W0602", Kind::Memory, Severity::Warning, message, &why);
    Some(finding.at(&submission.name, line, 0))
}

/// Translates a finding's columns from the rewritten text to the student's.
pub fn in_source(mut finding: Finding, submission: &Submission) -> Finding {
    finding.column = finding.line.map_or(0, |line| submission.column(&finding.file, line, finding.column));
    for label in &mut finding.labels {
        label.column = submission.column(&label.file, label.line, label.column);
    }
    if submission.is_read() { build::explained(finding, submission) } else { finding }
}

fn missing_code(findings: &[Finding], task: &dyn Task) -> String {
    let quoted = format!("`{}`", task.name());
    let about = findings.iter().find(|finding| finding.is_error() && finding.message.contains(&quoted));
    about.map_or_else(|| "W0003".to_owned(), |finding| finding.code.clone())
}

fn score_task(
    setup: &Setup,
    report: &mut Report,
    task: &dyn Task,
    cause: Option<Cause>,
    right: bool,
    why_not: &str,
) {
    let performance = report.performance.iter().find(|performance| performance.task == task.name());
    let unscored = performance.is_some_and(|timed| timed.unscored.is_some());
    let why_not = if unscored { NOT_SCORED } else { why_not };
    let speed = performance.filter(|_| !unscored).map(|timed| score::Speed {
        share: timed.share,
        speedup: timed.speedup,
        state: timed.state,
    });
    let points = course::points(setup.course.as_ref(), task);
    report.points.extend(score::lines(task.name(), &points, right, speed, why_not));
    report.tasks.push(report::Task {
        name: task.name().to_owned(),
        summary: task.summary().to_owned(),
        passed: right,
        cause,
        facts: None,
        repair: None,
        file: None,
        sha256: None,
    });
}

fn blank(setup: &Setup, request: &Request<'_>) -> Report {
    let (engine, gpu, driver) = match &setup.engine {
        Engine::Gpu(device) => ("gpu", device.name.clone(), Some(device.driver_name())),
        Engine::Simulator(gpu) => ("sim", gpu.title.to_owned(), None),
    };
    Report {
        version: env!("CARGO_PKG_VERSION"),
        lab: request.lab.name().to_owned(),
        title: request.lab.title().to_owned(),
        file: request.submission.shown.clone(),
        sha256: request.submission.sha256.clone(),
        untouched: request.submission.untouched,
        compiler: setup.compiler_name(),
        engine,
        gpu,
        driver,
        no_gpu: setup.no_gpu.clone(),
        measured: matches!(setup.engine, Engine::Gpu(_)),
        seed: request.seed,
        practice: true,
        course: setup.course.as_ref().map(|course| course.of_report(request.lab)),
        score: 0.0,
        max_score: 0.0,
        passed: false,
        tasks: Vec::new(),
        cases: Vec::new(),
        findings: Vec::new(),
        performance: Vec::new(),
        points: Vec::new(),
        tunable: tunable(request),
        swept: swept(request),
        wasted: wasted(request),
        next: String::new(),
        next_whole: String::new(),
    }
}

/// For each task, what its text does for nothing.
fn wasted(request: &Request<'_>) -> BTreeMap<String, String> {
    let submission = request.submission;
    let told = |task: &&'static dyn Task| {
        Some((task.name().to_owned(), wasted::told(&submission.text, task.name())?))
    };
    request.tasks.iter().filter(|_| submission.is_read()).filter_map(told).collect()
}

/// For each task, the constants that were tried.
fn swept(request: &Request<'_>) -> BTreeMap<String, Vec<String>> {
    let text = &request.submission.text;
    let of_task = |task: &&'static dyn Task| {
        let unswept = tunable::unswept(text, task.name(), request.swept);
        let names = tunable::marked(text, task.name()).into_iter().map(|constant| constant.name);
        names.filter(|name| !unswept.contains(name)).collect()
    };
    request.tasks.iter().map(|task| (task.name().to_owned(), of_task(task))).collect()
}

/// For each task, the constants to try.
fn tunable(request: &Request<'_>) -> BTreeMap<String, Vec<String>> {
    let of_task =
        |task: &&'static dyn Task| tunable::unswept(&request.submission.text, task.name(), request.swept);
    request.tasks.iter().map(|task| (task.name().to_owned(), of_task(task))).collect()
}
