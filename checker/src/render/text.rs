//! The report as text: what was run, each task's cases, what was found, the speed, the score, the verdict.

use std::fmt::Write as _;

use colored::Colorize;

use super::findings::findings;
use super::limits;
use super::wrap::{WIDTH, grouped, hanging, shortened};
use crate::report::{Case, Performance, Report, Task, Verdict};
use crate::score::Line;
use crate::score::State;
use crate::submission::Submission;

/// Failed cases of a task whose wrong values are shown.
const DETAILED: usize = 2;
/// Columns of a case's name.
const NAME: usize = 41;
/// Columns before what stands behind a verdict: indent, name, size, verdict.
const BEFORE_REMARK: usize = 2 + NAME + 2 + 13 + 3 + 6 + 2;
/// Lines of a student's printing that are shown.
const PRINTED: usize = 12;

/// Said of a prediction that rests on fewer facts than others.
const ROUGH: &str = "rough: only some rows were run, and on all of them the host function launches another number of kernels. \
                     Cut the image into a number of parts of ceil_div(height, parts) rows, whatever its height, for a \
                     better prediction";

/// A kernel with less than this share of the time is not what holds a submission up.
const LONG_KERNEL: f64 = 0.3;

/// The whole report of these files.
pub fn text(report: &Report, submissions: &[&Submission]) -> String {
    let mut out = String::new();
    header(&mut out, report);
    for task in &report.tasks {
        cases(&mut out, task, report);
    }
    if !report.findings.is_empty() {
        out.push('\n');
        out.push_str(findings(&report.findings, submissions).trim_end());
        out.push('\n');
    }
    printed(&mut out, &report.cases);
    speed(&mut out, report);
    score(&mut out, report);
    verdict(&mut out, report);
    out
}

fn header(out: &mut String, report: &Report) {
    let _ = writeln!(out, "{}", format!("{}: {}", report.lab, report.title).bold());
    let untouched = if report.untouched { " (the untouched skeleton)" } else { "" };
    let _ = writeln!(out, "file      {}{untouched}", report.file);
    let engine = if let Some(driver) = &report.driver {
        format!("{}, driver {driver}; times are measured", report.gpu)
    } else {
        let why = if report.no_gpu.is_some() { " (no GPU found)" } else { "" };
        format!("simulator, as {}{why}; {}", report.gpu, super::predicted(&report.gpu))
    };
    let _ = writeln!(out, "engine    {engine}");
    let _ = writeln!(out, "compiler  {}", report.compiler);
}

fn cases(out: &mut String, task: &Task, report: &Report) {
    let _ = writeln!(out, "\n{}", hanging(&format!("{}: ", task.name), &task.summary));
    if let Some(file) = &task.file {
        let _ = writeln!(out, "{}", hanging("  file  ", file));
    }
    let own: Vec<&Case> = report.cases.iter().filter(|case| case.task == task.name).collect();
    let mut detailed = 0;
    for case in own.iter().filter(|case| case.verdict != Verdict::Skipped) {
        let (name, size) = (shortened(&case.name, NAME), format!("{} × {}", case.width, case.height));
        let verdict = match case.verdict {
            Verdict::Passed => "passed".green(),
            _ => "FAILED".red().bold(),
        };
        let remark = shortened(&remark(case), WIDTH - BEFORE_REMARK);
        let _ = writeln!(out, "{}", format!("  {name:NAME$}  {size:>13}   {verdict}  {remark}").trim_end());
        let telling = case.note.is_empty() && !case.mismatches.is_empty();
        if case.verdict == Verdict::Failed && detailed < DETAILED && telling {
            detailed += 1;
            mismatches(out, case);
        }
    }
    if let Some(cause) = &task.cause {
        let _ = writeln!(out, "{}", hanging("  cause  ", &cause.message).bold());
        let _ = writeln!(out, "{}", hanging("    try  ", &cause.hint));
    }
    let skipped: Vec<&&Case> = own.iter().filter(|case| case.verdict == Verdict::Skipped).collect();
    if let Some(first) = skipped.first() {
        let count = match skipped.len() {
            1 => "1 case".to_owned(),
            count => format!("{count} cases"),
        };
        let _ = writeln!(out, "  {count:NAME$}  {:>13}   {}  {}", "", "skipped".yellow(), first.note);
    }
}

/// What stands behind a verdict.
fn remark(case: &Case) -> String {
    if !case.note.is_empty() {
        case.note.clone()
    } else if case.wrong > 0 {
        format!("{} of {} wrong", grouped(case.wrong as u64), grouped(case.total as u64))
    } else if case.differing > 0 {
        format!("{} within the tolerance", grouped(case.differing as u64))
    } else {
        String::new()
    }
}

fn mismatches(out: &mut String, case: &Case) {
    for wrong in &case.mismatches {
        let place = match (wrong.x, wrong.y) {
            (Some(x), Some(y)) => format!("{} at x {x}, y {y}", wrong.output),
            _ => format!("{}[{}]", wrong.output, wrong.index),
        };
        let _ = writeln!(out, "      {place}: expected {}, found {}", wrong.expected, wrong.found);
    }
    let more = case.wrong.saturating_sub(case.mismatches.len());
    if more > 0 {
        let _ = writeln!(out, "      … and {} more", grouped(more as u64));
    }
}

/// What the student's code printed: of the first case in which it printed anything.
fn printed(out: &mut String, cases: &[Case]) {
    let Some(case) = cases.iter().find(|case| !case.printed.is_empty()) else { return };
    let _ = writeln!(out, "\nprinted by your code in \"{}: {}\"", case.task, case.name);
    for line in case.printed.lines().take(PRINTED) {
        let _ = writeln!(out, "  {}", shortened(line, WIDTH - 2));
    }
    let more = case.printed.lines().count().saturating_sub(PRINTED);
    if more > 0 {
        let _ = writeln!(out, "  … and {more} more lines");
    }
}

fn speed(out: &mut String, report: &Report) {
    let Some(first) = report.performance.first() else { return };
    let _ = writeln!(out, "\n{} ({})", "speed".bold(), first.basis);
    for timed in &report.performance {
        one_speed(out, timed);
    }
}

fn one_speed(out: &mut String, timed: &Performance) {
    let _ = writeln!(
        out,
        "  {:20} {} × {}: {} for {:.0} MB, {:.1} GB/s",
        shortened(&timed.task, 20),
        timed.width,
        timed.height,
        milliseconds(timed.seconds),
        timed.gigabytes_per_second * timed.seconds * 1e3,
        timed.gigabytes_per_second
    );
    let error = timed.share_error.map(|error| format!(" ± {:.1} %", 100.0 * error)).unwrap_or_default();
    let _ = writeln!(
        out,
        "  {:20} the yardstick: {}, {:.1} GB/s; your share {:.1} %{error}",
        "",
        milliseconds(timed.yardstick_seconds),
        timed.yardstick_gigabytes_per_second,
        100.0 * timed.share
    );
    if let Some(remark) = doubt(timed) {
        let _ = writeln!(out, "  {:20} {}", "", remark.yellow());
    }
    if timed.rough == Some(true) {
        let indent = format!("  {:20} ", "");
        let _ = writeln!(out, "{}", hanging(&indent, ROUGH));
    }
    if let (Some(transfers), Some(kernels)) = (timed.transfer_seconds, timed.kernel_seconds) {
        let _ = writeln!(
            out,
            "  {:20} apart: transfers {}, kernels {}: {:.0} % is transfers",
            "",
            milliseconds(transfers),
            milliseconds(kernels),
            100.0 * transfers / (transfers + kernels)
        );
    }
    if let (Some(limiter), Some(share)) = (timed.limiter, timed.longest_share)
        && share >= LONG_KERNEL
    {
        let what = format!(
            "{:.0} % of the time in one kernel, and there mostly {}",
            100.0 * share,
            limits::words(limiter, timed.wait, timed.resident.as_ref())
        );
        let indent = format!("  {:20} ", "");
        let _ = writeln!(out, "{}", hanging(&indent, &what));
    }
    let parallel = match (timed.parallel_seconds, timed.parallel_speedup) {
        (Some(seconds), Some(times)) => {
            format!("; on all cores: {}, {times:.1} times", milliseconds(seconds))
        }
        _ => String::new(),
    };
    let _ = writeln!(
        out,
        "  {:20} one CPU core: {}; you are {:.1} times as fast{parallel}",
        "",
        milliseconds(timed.sequential_seconds),
        timed.speedup
    );
}

fn doubt(timed: &Performance) -> Option<&'static str> {
    match timed.state {
        State::Stable => None,
        State::Unstable => {
            Some("unstable: the runs do not agree closely enough; is something else on the GPU?")
        }
        State::Suspect => Some("suspect: faster than the bytes can be moved; was all of the work done?"),
    }
}

fn milliseconds(seconds: f64) -> String {
    format!("{:.4} ms", seconds * 1e3)
}

fn score(out: &mut String, report: &Report) {
    let _ = writeln!(out, "\n{}", "score".bold());
    let mut task = "";
    for line in &report.points {
        let name = if line.task == task { "" } else { &line.task };
        task = &line.task;
        score_line(out, name, line);
    }
    let total = format!("{:.1} / {:.0}", report.score, report.max_score);
    let _ = writeln!(out, "  {:20} {:12} {total:>12}", "total", "");
}

fn score_line(out: &mut String, name: &str, line: &Line) {
    let points = format!("{:.1} / {:.0}", line.points, line.max);
    let reason = shortened(&line.reason, WIDTH - 52);
    let _ = writeln!(out, "  {:20} {:12} {points:>12}   {reason}", shortened(name, 20), line.what);
}

fn verdict(out: &mut String, report: &Report) {
    let summary = format!("{}: {:.1} of {:.0} points", report.lab, report.score, report.max_score);
    let verdict = if report.passed { "PASSED".green() } else { "FAILED".red() };
    let _ = writeln!(out, "\n{}  {summary}", verdict.bold());
    let _ = writeln!(out, "{}", hanging("next: ", &report.next));
}
