//! The one problem to solve first.

use crate::facts::Facts;
use crate::repair::Repair;
use crate::report::{Case, Report, Task, Verdict};
use crate::root::{Root, is_error, roots};
use runtime::finding::{Finding, Kind};

/// The code of a kernel that needs too many instructions.
pub const TOO_MUCH: &str = "W0504";

/// A check that takes too long.
const TOO_LONG: &str = "W0520";

/// What the compiler says of `if (a = b)`.
const ASSIGNED: &str = "use of \"=\" where \"==\"";

/// What to solve first.
#[derive(Debug, PartialEq)]
pub enum Problem<'a> {
    /// A finding, and those that follow from it.
    Finding(Root),
    /// The wrong outputs of a task.
    Output(&'a Task),
}

/// The first problem, in the order in which a student works: what keeps every task from running, then the tasks one after
/// the other, those that are not started last. `None` if all is right.
pub fn first(report: &Report) -> Option<Problem<'_>> {
    let errors: Vec<Root> =
        roots(&report.findings).into_iter().filter(|root| is_error(&report.findings, root)).collect();
    let about = |root: &Root, task: &Task| task_of(report, root).is_some_and(|name| name == task.name);
    let of_all = errors.iter().find(|root| task_of(report, root).is_none());
    // Several functions that are missing share one finding.
    let missing = |task: &Task| {
        let any = report.findings.iter().any(|finding| finding.code == "W0003");
        let mut own = report.cases.iter().filter(|case| case.task == task.name);
        any && own.all(|case| case.verdict == Verdict::Skipped)
    };
    let not_started =
        |task: &Task| missing(task) || task.cause.as_ref().is_some_and(|cause| cause.not_started);
    let mut failed: Vec<&Task> = report.tasks.iter().filter(|task| !task.passed).collect();
    failed.sort_by_key(|task| not_started(task));
    let of_tasks = || {
        failed.first().map(|task| {
            let leads = |root: &&Root| about(root, task) && !is_late(report, root, task);
            let error = errors.iter().find(leads).cloned();
            // Threads that miss a barrier do not do their part of the work after it.
            let barrier = || {
                let mut all = roots(&report.findings).into_iter().filter(|root| about(root, task));
                all.find(|root| report.findings[root.finding].kind == Kind::Barrier)
            };
            let explained = task.cause.is_some() || task.facts.as_ref().is_some_and(Facts::are_faults);
            let finding = error.or_else(|| if explained { None } else { barrier() });
            finding.map_or(Problem::Output(task), Problem::Finding)
        })
    };
    // Hardly ever meant, and wrong wherever it leads.
    let assigned = || {
        let doubtful = |root: &Root| report.findings[root.finding].message.contains(ASSIGNED);
        roots(&report.findings).into_iter().find(doubtful).filter(|_| !failed.is_empty())
    };
    let assigned = || assigned().map(Problem::Finding);
    let rest = || errors.first().cloned().map(Problem::Finding);
    of_all.cloned().map(Problem::Finding).or_else(assigned).or_else(of_tasks).or_else(rest)
}

/// The task that a finding and its effects are about; `None` if they are about none, or about the whole file.
fn task_of<'a>(report: &'a Report, root: &Root) -> Option<&'a str> {
    let all = std::iter::once(&root.finding).chain(&root.effects).map(|of| &report.findings[*of]);
    let of_task = |finding: &Finding, task: &Task| {
        let prefix = format!("{}: ", task.name);
        let missing = ["W0003", "W0004"].contains(&finding.code.as_str())
            && finding.message.contains(&format!("`{}`", task.name));
        missing || finding.cases.iter().any(|case| case.starts_with(&prefix))
    };
    let mut all = all.flat_map(|finding| report.tasks.iter().filter(move |task| of_task(finding, task)));
    all.next().map(|task| task.name.as_str())
}

/// The task whose wrong outputs a warning alone may not explain.
pub fn wrong_beside<'a>(report: &'a Report, root: &Root) -> Option<&'a Task> {
    let wrong = |task: &&Task| !task.passed && task_of(report, root) == Some(task.name.as_str());
    report.tasks.iter().find(wrong).filter(|_| !is_error(&report.findings, root))
}

/// Whether a fault of larger cases only follows from what the task's facts say of smaller ones, where it does not happen and the outputs
/// are wrong already: an access out of bounds from a wrong index, too many instructions from any mistake.
fn is_late(report: &Report, root: &Root, task: &Task) -> bool {
    let finding = &report.findings[root.finding];
    let is_wrong = |case: &&Case| case.task == task.name && case.verdict == Verdict::Failed;
    let first = report.cases.iter().find(is_wrong).map(|case| format!("{}: {}", case.task, case.name));
    let is_explained = match finding.code.as_str() {
        "W0101" => task.facts.as_ref().is_some_and(Facts::name_an_index),
        // Two threads that store one element: smaller pictures show which are stored wrongly.
        "W0302" | "W0303"
            if finding.message.starts_with("writes ") && finding.message.contains(" writes too") =>
        {
            task.cause.is_some() || task.facts.is_some()
        }
        TOO_MUCH | TOO_LONG => task.cause.is_some() || task.facts.is_some(),
        _ => false,
    };
    is_explained && first.is_some_and(|first| !finding.cases.contains(&first))
}

/// A small change that was tried, and makes the task of a fault right.
pub fn tried<'a>(report: &'a Report, fault: &Finding) -> Option<&'a Repair> {
    report.tasks.iter().filter(|task| fault.is_of(&task.name)).find_map(|task| task.repair.as_ref())
}

/// The task whose wrong index or wrong counters explain a fault: its other facts only follow from them.
pub fn facts_behind<'a>(report: &'a Report, fault: &Finding) -> Option<&'a Task> {
    let explain = |facts: &Facts| facts.name_an_index() || facts.explain(fault);
    let own = |task: &&Task| fault.is_of(&task.name) && task.facts.as_ref().is_some_and(explain);
    report.tasks.iter().find(own)
}
