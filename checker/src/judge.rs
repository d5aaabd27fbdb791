//! Checking a submission: from the file to its report.

use lab::{Lab, Task};

use crate::album::Album;
use crate::build::{self, Build, BuildError};
use crate::cause::{self, Cause};
use crate::course;
use crate::exit::Stop;
use crate::next;
use crate::performance::{self, TimingFixtures};
use crate::report::{self, Report, Verdict};
use crate::root;
use crate::score;
use crate::setup::{Engine, Setup};
use crate::submission::Submission;
use crate::supervise::{Loss, Lost};
use crate::verify::{self, Runner};
use runtime::finding::{Finding, Kind, Severity, merge};

/// The check to make.
pub struct Order<'a> {
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
    /// The album for pictures of failed cases.
    pub album: Option<&'a Album>,
}

/// Checks a file. Faults of the file are part of the report; an error is a fault of the machine or the checker.
/// `fixtures` keeps the inputs and CPU times of timed tasks for further files with the same seed.
pub fn judge(
    setup: &Setup,
    order: &Order<'_>,
    fixtures: &mut TimingFixtures,
    progress: &mut dyn FnMut(&str),
) -> Result<Report, Stop> {
    progress("compiling");
    let tasks: Vec<&dyn Task> = order.tasks.iter().map(|task| *task as &dyn Task).collect();
    let mut report = blank(setup, order);
    match build::build(setup.submissions(), order.submission, &tasks, setup.targets) {
        Err(BuildError::Stop(stop)) => return Err(stop),
        Err(BuildError::Source(findings)) => {
            let code = findings.first().map_or("W0001", |finding| finding.code.as_str()).to_owned();
            for task in &tasks {
                report.cases.extend(verify::all_skipped(*task, order.seed, &code)?);
                score_task(setup, &mut report, *task, None, false, "");
            }
            report.findings = findings;
        }
        Ok(build) => run(setup, order, &build, fixtures, &mut report, progress)?,
    }
    conclude(setup, &mut report, &order.command, order.tasks);
    Ok(report)
}

/// Judges the files of a solution, and joins their reports: the first names the file, tasks of others name their own.
/// `orders` are of one lab.
pub fn judge_all(
    setup: &Setup,
    orders: &[Order<'_>],
    fixtures: &mut TimingFixtures,
    progress: &mut dyn FnMut(&str),
) -> Result<Report, Stop> {
    let (first, others) =
        orders.split_first().ok_or_else(|| Stop::environment("there is no file to judge"))?;
    let mut joined = judge(setup, first, fixtures, progress)?;
    if others.is_empty() {
        return Ok(joined);
    }
    for order in others {
        let report = judge(setup, order, fixtures, progress)?;
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
pub fn lost(setup: &Setup, orders: &[Order<'_>], loss: &Loss) -> Result<Report, Stop> {
    let first = orders.first().ok_or_else(|| Stop::environment("there is no file to judge"))?;
    let finding = lost_finding(loss);
    let mut report = blank(setup, first);
    let tasks: Vec<&'static dyn Task> = orders.iter().flat_map(|order| order.tasks).copied().collect();
    for task in &tasks {
        report.cases.extend(verify::all_skipped(*task, first.seed, &finding.code)?);
        score_task(setup, &mut report, *task, None, false, "");
    }
    report.findings = vec![finding];
    conclude(setup, &mut report, &first.command, &tasks);
    Ok(report)
}

/// A loss as a finding.
pub fn lost_finding(loss: &Loss) -> Finding {
    let at = if loss.step.is_empty() { String::new() } else { format!(", at \"{}\"", loss.step) };
    let (code, what, hint) = match &loss.how {
        Lost::Late(seconds) => (
            "W0520",
            format!("the check took longer than {seconds} s{at}"),
            "look for work that grows faster than the picture: a loop over many pixels in every thread, a lock that all \
             threads wait for, a call for every row",
        ),
        Lost::Memory => (
            "W0521",
            format!("the check needed more memory than it may use (2.5 GB){at}"),
            "look for large arrays and allocations, and for allocations in a loop",
        ),
        Lost::Crashed(why) => (
            "W0522",
            format!("the checker itself failed on this file{at}: {why}"),
            "please report it with your file; until then, change the part that is unlike the other solutions",
        ),
    };
    Finding::new(code, Kind::Launch, Severity::Error, what, hint)
}

/// What follows from the tasks, findings and points of a report.
fn conclude(setup: &Setup, report: &mut Report, command: &str, tasks: &[&'static dyn Task]) {
    report.clean();
    root::order(&mut report.findings);
    (report.score, report.max_score) = score::total(&report.points);
    report.passed =
        report.tasks.iter().all(|task| task.passed) && !report.findings.iter().any(Finding::is_error);
    let points = |task: &dyn Task| course::points(setup.course.as_ref(), task);
    report.next = next::advice(command, tasks, report, &points);
}

fn run(
    setup: &Setup,
    order: &Order<'_>,
    build: &Build,
    fixtures: &mut TimingFixtures,
    report: &mut Report,
    progress: &mut dyn FnMut(&str),
) -> Result<(), Stop> {
    for finding in &build.findings {
        merge(&mut report.findings, finding.clone(), None);
    }
    let mut found = Vec::new();
    let simulation = build.simulation(setup.simulated_gpu());
    let mut gpu = setup.worker(build)?;
    for task in order.tasks {
        let task: &dyn Task = *task;
        if build.missing.iter().any(|name| name == task.name()) {
            let code = missing_code(&build.findings, task);
            report.cases.extend(verify::all_skipped(task, order.seed, &code)?);
            score_task(setup, report, task, None, false, "");
            continue;
        }
        let mut runner = Runner { program: &build.program, simulation: &simulation, gpu: gpu.as_mut() };
        let verified =
            verify::verify(task, &task.cases(), &mut runner, order.seed, order.album, &mut found, progress)?;
        report.cases.extend(verified.cases);
        let mut right = verified.right;
        if right && order.timed {
            progress(&format!("{}: timing", task.name()));
            let case = task.timed_case();
            let timed = performance::time_on(task, &case, setup, &mut runner, order.seed, fixtures)?;
            right = timed.case.verdict == Verdict::Passed && !timed.findings.iter().any(Finding::is_error);
            let place = format!("{}: {}", task.name(), timed.case.name);
            for finding in timed.findings {
                merge(&mut found, finding, Some(&place));
            }
            report.cases.push(timed.case);
            report.performance.extend(timed.performance.filter(|_| right));
        }
        // The cause of an untouched skeleton is known: `next` gives the first step.
        let cause = verified.cause.filter(|_| !order.submission.untouched);
        let cause = cause.map(|cause| cause::or_not_started(cause, task, &order.submission.text));
        score_task(setup, report, task, cause, right, "not timed");
        if let Some(judged) = report.tasks.last_mut().filter(|_| !order.submission.untouched) {
            judged.facts = verified.facts;
        }
    }
    report.findings.extend(found.into_iter().map(|finding| in_source(finding, order.submission)));
    Ok(())
}

/// Translates a finding's columns from the rewritten text to the student's.
pub fn in_source(mut finding: Finding, submission: &Submission) -> Finding {
    let column = |file: &str, line: u32, column: u32| {
        let own = file == submission.name && column > 0;
        if own { kernels::source_column(&submission.text, line, column) } else { column }
    };
    finding.column = finding.line.map_or(0, |line| column(&finding.file, line, finding.column));
    for label in &mut finding.labels {
        label.column = column(&label.file, label.line, label.column);
    }
    build::explained(finding, submission)
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
    let why_not = if unscored { "not scored: see W0705" } else { why_not };
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
        file: None,
        sha256: None,
    });
}

fn blank(setup: &Setup, order: &Order<'_>) -> Report {
    let (engine, gpu, driver) = match &setup.engine {
        Engine::Gpu(device) => ("gpu", device.name.clone(), Some(device.driver_name())),
        Engine::Simulator(gpu) => ("sim", gpu.title.to_owned(), None),
    };
    Report {
        version: env!("CARGO_PKG_VERSION"),
        lab: order.lab.name().to_owned(),
        title: order.lab.title().to_owned(),
        file: order.submission.shown.clone(),
        sha256: order.submission.sha256.clone(),
        untouched: order.submission.untouched,
        compiler: setup.compiler_name(),
        engine,
        gpu,
        driver,
        no_gpu: setup.no_gpu.clone(),
        measured: matches!(setup.engine, Engine::Gpu(_)),
        seed: order.seed,
        practice: true,
        course: setup.course.as_ref().map(|course| course.of_report(order.lab)),
        score: 0.0,
        max_score: 0.0,
        passed: false,
        tasks: Vec::new(),
        cases: Vec::new(),
        findings: Vec::new(),
        performance: Vec::new(),
        points: Vec::new(),
        next: String::new(),
    }
}
