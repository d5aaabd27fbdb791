//! The whole report as text: the setup, each task's cases, the findings, the speed, the score, the verdict.

use std::fmt::Write as _;

use colored::Colorize;

use super::findings::findings;
use super::speed::{Limit, doubt, likely, limits, milliseconds};
use judge::numbers::{grouped, significant};
use judge::report::{Case, Performance, Report, Task, Verdict};
use judge::score::Line;
use judge::submission::Submission;
use judge::wrap::{hanging, shortened, width, wrap};

/// Failed cases per task that show their wrong values.
const DETAILED: usize = 2;
/// Columns of a case's name.
const NAME: usize = 41;
/// Columns before a remark: indent, name, size, verdict.
const BEFORE_REMARK: usize = 2 + NAME + 2 + 13 + 3 + 6 + 2;
/// The fewest columns of a remark.
const NARROWEST: usize = 20;
/// Lines of printed text that are shown.
const PRINTED: usize = 12;

/// The remark on a prediction that scales launches by rows alone.
const ROUGH: &str = "rough estimate: only some rows were run, and on the whole image the host function launches a different \
                     number of kernels. For a better prediction, cut every image into the same number of parts, each of \
                     ceil_div(height, parts) rows";

/// The whole report on these files.
pub fn verbose(report: &Report, submissions: &[&Submission]) -> String {
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
    // Whoever knows the seed knows the random images, and so the answers.
    let seed = if report.practice { format!("{} (practice)", report.seed) } else { "secret".to_owned() };
    let _ = writeln!(out, "seed      {seed}");
    if let Some(course) = &report.course {
        let _ = writeln!(out, "{}", hanging("          ", &course.said()));
    }
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
        let remark = match remark(case) {
            none if none.is_empty() && case.timed => "timed; not one of the counted cases".to_owned(),
            remark => remark,
        };
        let mut remark = wrap(&remark, width().saturating_sub(BEFORE_REMARK).max(NARROWEST)).into_iter();
        let first = remark.next().unwrap_or_default();
        let _ = writeln!(out, "{}", format!("  {name:NAME$}  {size:>13}   {verdict}  {first}").trim_end());
        for rest in remark {
            let _ = writeln!(out, "{:BEFORE_REMARK$}{rest}", "");
        }
        let telling = case.note.is_empty() && !case.mismatches.is_empty();
        if case.verdict == Verdict::Failed && detailed < DETAILED && telling {
            detailed += 1;
            mismatches(out, case, usize::MAX);
        }
    }
    if let Some(cause) = &task.cause {
        let _ = writeln!(out, "{}", hanging("  cause  ", &cause.message).bold());
        let _ = writeln!(out, "{}", hanging("    try  ", &cause.hint));
    }
    for fact in task.facts.iter().flat_map(|facts| &facts.seen) {
        let _ = writeln!(out, "{}", hanging("   seen  ", fact));
    }
    let is_seen = |told: &String| task.facts.as_ref().is_some_and(|facts| facts.seen.contains(told));
    for told in task.repair.iter().map(|repair| &repair.told).filter(|told| !is_seen(told)) {
        let _ = writeln!(out, "{}", hanging("  tried  ", told));
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

/// The remark after a verdict.
pub(super) fn remark(case: &Case) -> String {
    if !case.note.is_empty() {
        case.note.clone()
    } else if case.wrong > 0 {
        format!("{} of {} wrong", grouped(case.wrong as u64), grouped(case.total as u64))
    } else if case.differing > 0 {
        format!("{} differ within the tolerance", grouped(case.differing as u64))
    } else {
        String::new()
    }
}

pub(super) fn mismatches(out: &mut String, case: &Case, most: usize) {
    for wrong in case.mismatches.iter().take(most) {
        let place = match (wrong.x, wrong.y) {
            (Some(x), Some(y)) => {
                let channel = wrong.channel.map(|channel| format!(", {channel}")).unwrap_or_default();
                format!("{} at x {x}, y {y}{channel}", wrong.output)
            }
            _ => format!("{}[{}]", wrong.output, wrong.index),
        };
        let _ = writeln!(out, "      {place}: expected {}, found {}", wrong.expected, wrong.found);
    }
    let more = case.wrong.saturating_sub(case.mismatches.len().min(most));
    if more > 0 {
        let _ = writeln!(out, "      … and {} more", grouped(more as u64));
    }
}

/// Text that the student's code printed, of the first case with any.
pub(super) fn printed(out: &mut String, cases: &[Case]) {
    // What the first wrong case printed is what a student asked for.
    let own = |case: &&Case| !case.printed.is_empty();
    let wrong = cases.iter().filter(own).find(|case| case.verdict == Verdict::Failed);
    let Some(case) = wrong.or_else(|| cases.iter().find(own)) else { return };
    let _ = writeln!(out, "\nprinted by your code in \"{}: {}\"", case.task, case.name);
    for line in case.printed.lines().take(PRINTED) {
        let _ = writeln!(out, "  {}", shortened(line, width() - 2));
    }
    let more = case.printed.lines().count().saturating_sub(PRINTED);
    if more > 0 {
        let _ = writeln!(out, "  … and {more} more lines");
    }
}

fn speed(out: &mut String, report: &Report) {
    let Some(first) = report.performance.first() else { return };
    let _ = writeln!(out, "\n{} ({})", "speed".bold(), first.basis);
    let mut yardstick = "yardstick (a kernel that only moves the same bytes)";
    for timed in &report.performance {
        one_speed(out, timed, yardstick, &report.lab);
        yardstick = "yardstick";
    }
}

fn one_speed(out: &mut String, timed: &Performance, yardstick: &str, lab: &str) {
    let indent = format!("  {:20} ", "");
    let _ = writeln!(
        out,
        "  {:20} {} × {}: {} for {} MB, {} GB/s",
        shortened(&timed.task, 20),
        timed.width,
        timed.height,
        milliseconds(timed.seconds),
        significant(timed.gigabytes_per_second * timed.seconds * 1e3),
        significant(timed.gigabytes_per_second)
    );
    if let Some(interval) = timed.interval {
        let _ = writeln!(out, "{indent}likely {}", likely(interval));
    }
    let error = timed.share_error.map(|error| format!(" ± {:.1} %", 100.0 * error)).unwrap_or_default();
    let beside = format!(
        "{yardstick}: {}, {} GB/s; you reach {} %{error} of its speed",
        milliseconds(timed.yardstick_seconds),
        significant(timed.yardstick_gigabytes_per_second),
        significant(100.0 * timed.share)
    );
    let _ = writeln!(out, "{}", hanging(&indent, &beside));
    if let Some(remark) = doubt(timed) {
        let _ = writeln!(out, "{indent}{}", remark.yellow());
    }
    // W0705 says the same and more.
    if timed.rough == Some(true) && timed.unscored.is_none() {
        let _ = writeln!(out, "{}", hanging(&indent, ROUGH));
    }
    if let (Some(transfers), Some(kernels)) = (timed.transfer_seconds, timed.kernel_seconds) {
        let _ = writeln!(
            out,
            "{indent}without overlap: transfers {} ({} %), kernels {}",
            milliseconds(transfers),
            significant(100.0 * transfers / (transfers + kernels)),
            milliseconds(kernels)
        );
    }
    limiter(out, &indent, timed, lab);
    let parallel = match (timed.parallel_seconds, timed.parallel_speedup) {
        (Some(seconds), Some(times)) => {
            format!("; {}× all cores ({})", significant(times), milliseconds(seconds))
        }
        _ => String::new(),
    };
    let _ = writeln!(
        out,
        "{indent}speedup: {}× one CPU core ({}){parallel}",
        significant(timed.speedup),
        milliseconds(timed.sequential_seconds)
    );
}

/// What most of the time is spent on.
fn limiter(out: &mut String, indent: &str, timed: &Performance, lab: &str) {
    let told = |limit: &Limit| format!("{:.0} % {}", 100.0 * limit.share, limit.words);
    let all: Vec<String> = limits(timed, lab).iter().map(told).collect();
    if !all.is_empty() {
        let _ = writeln!(out, "{}", hanging(indent, &format!("limited by {}", all.join(", and by "))));
    }
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
    let reason = shortened(&line.reason, width() - 52);
    let _ = writeln!(out, "  {:20} {:12} {points:>12}   {reason}", shortened(name, 20), line.what);
}

fn verdict(out: &mut String, report: &Report) {
    let summary = format!("{}: {:.1} of {:.0} points", report.lab, report.score, report.max_score);
    let verdict = if report.passed { "PASSED".green() } else { "FAILED".red() };
    let _ = writeln!(out, "\n{}  {summary}", verdict.bold());
    let _ = writeln!(out, "{}", hanging("next: ", &report.next));
}
