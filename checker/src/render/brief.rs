//! The report on one screen: the verdict, each task in a line, the one problem to solve first, the others in a line each.

use std::fmt::Write as _;

use colored::Colorize;

use super::cases::folded;
use super::findings::{one, painted};
use super::speed::{MANY_TASKS, Told, breakdown};
use super::verbose::{mismatches, printed, remark};
use judge::blanks;
use judge::numbers::significant;
use judge::problem::{self, Problem};
use judge::report::{self, Case, Performance, Report, Task, Verdict};
use judge::root::{Root, roots};
use judge::score::{self, Line};
use judge::submission::Submission;
use judge::weight;
use judge::wrap::{hanging, shortened, shortened_to_words, width};
use runtime::finding::{Finding, Kind, Severity};

/// Columns of a task's name, and before the words on its cases.
const NAME: usize = 18;
const BEFORE_CASES: usize = 2 + 4 + 2 + NAME + 11 + 3;
/// Per cent of values that differ within the tolerance: more than rounding in `float` leads to, fewer than truncation does.
const MOST_ROUNDED: f64 = 3.0;
/// Wrong values that are shown.
const VALUES: usize = 3;
/// Findings in a line each that are shown.
const OTHERS: usize = 6;
/// So few of them are not cut.
const WHOLE: usize = 3;

/// The report on these files.
pub fn brief(report: &Report, submissions: &[&Submission]) -> String {
    let mut out = String::new();
    verdict(&mut out, report);
    if report.untouched {
        to_fill_in(&mut out, submissions);
    } else {
        // If nothing ran, the problem says why.
        if report.cases.iter().any(|case| case.verdict != Verdict::Skipped) {
            tasks(&mut out, report);
        }
        let solved = problem(&mut out, report, submissions);
        also(&mut out, report, solved);
        printed(&mut out, &report.cases);
    }
    let _ = writeln!(out, "\n{}", hanging("next: ", &report.next));
    out
}

fn verdict(out: &mut String, report: &Report) {
    let word = if report.passed { "PASSED".green() } else { "FAILED".red() }.bold();
    let score = format!("{:.1} of {:.0} points", report.score, report.max_score);
    let _ = writeln!(out, "{word}  {}", format!("{}: {}, {score}", report.lab, report.title).bold());
    let untouched = if report.untouched { ", the untouched skeleton" } else { "" };
    let _ = writeln!(out, "{}", hanging("        ", &format!("{}{untouched}", report.file)));
    let engine = if let Some(driver) = &report.driver {
        format!("{}, driver {driver}; times are measured", report.gpu)
    } else {
        let why = if report.no_gpu.is_some() { " (no GPU found)" } else { "" };
        format!("simulator, as {}{why}; {}", report.gpu, super::predicted(&report.gpu))
    };
    // Whoever knows the seed knows the random images, and so the answers.
    let seed =
        if report.practice { format!("seed {} (practice)", report.seed) } else { "secret seed".to_owned() };
    let setup = format!("{engine}; {}; {seed}", report.compiler);
    let _ = writeln!(out, "{}", hanging("        ", &setup).dimmed());
    if let Some(course) = &report.course {
        let _ = writeln!(out, "{}", hanging("        ", &course.said()).dimmed());
    }
}

/// What an untouched skeleton asks for, line by line.
fn to_fill_in(out: &mut String, submissions: &[&Submission]) {
    let _ = writeln!(out, "\n{}", "to fill in".bold());
    for submission in submissions {
        for blanks::Todo { line, function, text } in blanks::todos(&submission.text) {
            let _ = writeln!(
                out,
                "{}",
                shortened_to_words(&format!("  line {line:<4} {function:24} {text}"), width())
            );
        }
    }
}

fn tasks(out: &mut String, report: &Report) {
    out.push('\n');
    let names: Vec<&str> = report.tasks.iter().map(|task| task.name.as_str()).collect();
    let mut told = Told::nothing(&report.lab, names.into_iter(), &report.next);
    for task in &report.tasks {
        let points: Vec<&Line> = report.points.iter().filter(|line| line.task == task.name).collect();
        let timed = report.performance.iter().find(|timed| timed.task == task.name);
        task_line(out, task, report, &points, timed);
        // While another task fails, speed can wait.
        if let Some(timed) = timed.filter(|_| report.passed) {
            breakdown(out, &points, timed, &mut told);
        }
    }
}

fn task_line(out: &mut String, task: &Task, report: &Report, points: &[&Line], timed: Option<&Performance>) {
    let word = if task.passed { "PASS".green() } else { "FAIL".red() }.bold();
    let sum = |value: fn(&&Line) -> f64| points.iter().map(value).sum::<f64>();
    let score = format!("{:.1} / {:.0}", sum(|line| line.points), sum(|line| line.max));
    let own: Vec<&Case> = report.cases.iter().filter(|case| case.task == task.name).collect();
    let started = task.cause.as_ref().is_none_or(|cause| !cause.not_started);
    let mut cases = if started { folded(&own, width() - BEFORE_CASES) } else { "not started".to_owned() };
    if let Some(timed) = timed.filter(|_| !report.passed) {
        // Which of the two gives the points: a share below the lowest level gives none.
        let speed = points.iter().filter(|line| line.what != "correctness");
        let share = format!(" ({} % of the yardstick)", significant(100.0 * timed.share));
        let of = |line: &&Line| if line.what == "bandwidth" { share.as_str() } else { "" };
        let speed: Vec<String> = speed
            .map(|line| format!("{} {:.1} / {:.0}{}", line.what, line.points, line.max, of(line)))
            .collect();
        let _ = write!(cases, "; {}", speed.join(", "));
    }
    let name = shortened(&task.name, NAME - 1);
    let before = format!("  ....  {name:NAME$}{score:>11}   ");
    let line: String = hanging(&before, &cases).chars().skip("  ....".len()).collect();
    let _ = writeln!(out, "  {word}{line}");
    if let Some(file) = &task.file {
        let _ = writeln!(out, "{}", hanging("        ", file));
    }
    if let Some(remark) = near_misses(task, &own) {
        let _ = writeln!(out, "{}", hanging("        ", &remark).yellow());
    }
}

/// What to say of a right task with far more values within the tolerance than the rounding of `float` explains, which moves only
/// values that are exactly a half.
fn near_misses(task: &Task, cases: &[&Case]) -> Option<String> {
    let sum = |of: fn(&Case) -> usize| cases.iter().map(|case| of(case)).sum::<usize>();
    let share = 100.0 * sum(|case| case.differing) as f64 / sum(|case| case.total).max(1) as f64;
    (task.passed && share >= MOST_ROUNDED).then(|| {
        format!(
            "{share:.0} % of the values are one level off, which this task allows. Either they are cut off, not rounded, by a conversion to an \
             integer or by `/` of integers: a half (0.5f, or half of the divisor) has to be added before that, inside the brackets of a \
             conversion. Or a number in the formula is not exact: compare each with the task sheet"
        )
    })
}

/// The one problem to solve first, with all that is known of it. Returns the finding that it is, if it is one.
fn problem(out: &mut String, report: &Report, submissions: &[&Submission]) -> Option<usize> {
    match problem::first(report)? {
        Problem::Finding(root) => {
            out.push('\n');
            one(out, &report.findings[root.finding], submissions);
            if let Some(repair) = problem::tried(report, &report.findings[root.finding]) {
                let _ = writeln!(out, "{}", hanging("   = tried: ", &repair.told));
            }
            if let Some(task) = problem::facts_behind(report, &report.findings[root.finding]) {
                seen(out, task);
            }
            if let Some(effects) = effects(report, &root) {
                let _ = writeln!(out, "{}", hanging("   = also: ", &effects));
            }
            if let Some(task) = problem::wrong_beside(report, &root) {
                wrong_output(out, task, report, true);
            }
            Some(root.finding)
        }
        Problem::Output(task) => {
            wrong_output(out, task, report, false);
            None
        }
    }
}

/// The findings that follow from this one, in words.
fn effects(report: &Report, root: &Root) -> Option<String> {
    let mut named: Vec<(&str, Vec<String>)> = Vec::new();
    let effects = root.effects.iter().map(|of| &report.findings[*of]);
    // Harmless ones are there without it, too.
    for effect in effects.filter(|effect| effect.severity > Severity::Note) {
        let line = effect.line.map(|line| line.to_string());
        match named.iter_mut().find(|(code, _)| *code == effect.code) {
            Some((_, lines)) => lines.extend(line.filter(|line| !lines.contains(line))),
            None => named.push((&effect.code, line.into_iter().collect())),
        }
    }
    let words = |(code, lines): (&str, Vec<String>)| match lines.as_slice() {
        [] => code.to_owned(),
        [line] => format!("{code} in line {line}"),
        _ => format!("{code} in lines {}", lines.join(", ")),
    };
    let named: Vec<String> = named.into_iter().map(words).collect();
    (!named.is_empty()).then(|| format!("{}: seen because of this", named.join("; ")))
}

/// Wrong outputs: the cause if there is a certain one, the first wrong values, and what was seen. `beside`: a warning is shown before, which
/// may be the cause.
fn wrong_output(out: &mut String, task: &Task, report: &Report, beside: bool) {
    let own: Vec<Case> = report.cases.iter().filter(|case| case.task == task.name).cloned().collect();
    let Some(case) = report::telling(&own).map(|at| &own[at]) else { return };
    let what = match &task.cause {
        Some(cause) => cause.message.clone(),
        None if beside => "wrong output, which may follow from that".to_owned(),
        None if task.facts.as_ref().is_some_and(|facts| facts.only_large) => {
            "wrong output, in large pictures only".to_owned()
        }
        // What was seen may explain it.
        None if task.facts.as_ref().is_some_and(|facts| !facts.hint.is_empty()) => "wrong output".to_owned(),
        None => "wrong output, which no known mistake explains".to_owned(),
    };
    let title = format!("{}: ", task.name);
    let text = hanging(&title, &what);
    let rest: String = text.chars().skip(title.chars().count()).collect();
    let _ = writeln!(out, "\n{}{}", title.red().bold(), rest.bold());
    if task.cause.as_ref().is_some_and(|cause| cause.not_started) {
        return;
    }
    let remark = shortened(&remark(case), width() / 2);
    let _ = writeln!(out, "{}", shortened(&format!("  --> case \"{}\": {remark}", case.name), width()));
    if case.note.is_empty() {
        mismatches(out, case, VALUES);
    }
    seen(out, task);
}

/// The facts on a task's wrong outputs.
fn seen(out: &mut String, task: &Task) {
    for fact in task.facts.iter().flat_map(|facts| &facts.seen) {
        let is_tried = task.repair.as_ref().is_some_and(|repair| repair.told == *fact);
        let label = if is_tried { "   = tried: " } else { "   = seen: " };
        let _ = writeln!(out, "{}", hanging(label, fact));
    }
}

/// The other findings, in a line each; remarks of one kind share one, the dearest first. Remarks are left out while a task fails,
/// on tasks that have all points, and on lines that take hardly any of the time.
fn also(out: &mut String, report: &Report, solved: Option<usize>) {
    let others =
        roots(&report.findings).into_iter().map(|root| root.finding).filter(|of| Some(*of) != solved);
    let others: Vec<&Finding> =
        others.map(|of| &report.findings[of]).filter(|finding| !idle(finding, report)).collect();
    let shown = shared_lines(&others, report);
    if shown.is_empty() {
        return;
    }
    let whole = shown.len() <= WHOLE && !(report.passed && report.tasks.len() >= MANY_TASKS);
    let _ = writeln!(out, "\n{}", "also found".bold());
    for (finding, lines) in shown.iter().take(OTHERS) {
        let line = finding.line.map(|line| format!("line {line}")).unwrap_or_default();
        let before = format!("  {} {line:9}  ", finding.code);
        let indent = before.chars().count();
        let message = format!("{}{}", finding.message, also_in(lines));
        // A few are told in full, unless many tasks fill the screen.
        let text = if whole {
            hanging(&before, &message)
        } else {
            shortened_to_words(&(before + &message), width())
        };
        let rest: String = text.chars().skip(indent).collect();
        let _ = writeln!(out, "  {} {line:9}  {rest}", painted(&finding.code, finding.severity).bold());
    }
    let more = shown.len().saturating_sub(OTHERS);
    let more = if more > 0 { format!("and {more} more; ") } else { String::new() };
    let _ = writeln!(out, "  {more}`--verbose` explains them");
}

/// Whether a finding need not be told.
fn idle(finding: &Finding, report: &Report) -> bool {
    let full = |task: &str| score::missing(&report.points, task) <= 0.0;
    if !report.passed && finding.severity == Severity::Note {
        return true;
    }
    let mut tasks = finding.cases.iter().filter_map(|case| case.split(": ").next());
    let done = matches!(finding.kind, Kind::Performance | Kind::Lint)
        && !finding.cases.is_empty()
        && (!report.passed || tasks.all(full));
    done || !weight::is_worth_a_line(finding, report)
}

/// The findings, each with the other lines of the same remark on speed.
fn shared_lines<'a>(findings: &[&'a Finding], report: &Report) -> Vec<(&'a Finding, Vec<u32>)> {
    let remark = |finding: &Finding| finding.kind == Kind::Performance && finding.severity == Severity::Note;
    let mut shown: Vec<(&Finding, Vec<u32>)> = Vec::new();
    let mut dearest = findings.to_vec();
    dearest.sort_by(|one, other| match (remark(one), remark(other)) {
        (true, true) => weight::weight(other, report).total_cmp(&weight::weight(one, report)),
        (one, other) => one.cmp(&other),
    });
    for finding in dearest {
        match shown.iter_mut().find(|(first, _)| remark(finding) && first.code == finding.code) {
            Some((_, lines)) => lines.extend(finding.line),
            None => shown.push((finding, Vec::new())),
        }
    }
    shown
}

/// The other lines of a finding, in words.
fn also_in(lines: &[u32]) -> String {
    let mut lines = lines.to_vec();
    lines.sort_unstable();
    let named: Vec<String> = lines.iter().map(u32::to_string).collect();
    match named.as_slice() {
        [] => String::new(),
        [line] => format!("; also in line {line}"),
        [first @ .., last] => format!("; also in lines {} and {last}", first.join(", ")),
    }
}
