//! How much a remark on speed matters: the share of the time that its line spends on what it speaks of.

use lab::Part;
use runtime::finding::{Finding, Kind};
use simulator::performance::{REQUESTS_ONLY, VECTORS_IN_A_ROW};

use crate::prediction::LineShare;
use crate::report::{Performance, Report};

/// What of a line's time a remark speaks of.
const ABOUT: [(&str, &[Part]); 3] = [
    ("W0701", &[Part::Bytes, Part::Requests, Part::Waiting]),
    ("W0702", &[Part::SharedMemory]),
    ("W0703", &[Part::Atomics]),
];
/// Remarks on accesses that do more work than their bytes need.
const WASTES: [&str; 2] = ["W0702", "W0701"];
/// The parts of it that the waste itself takes: warps wait for loads that waste nothing, too.
const WASTED: [Part; 3] = [Part::Bytes, Part::Requests, Part::SharedMemory];
/// Shares of the time: of a remark that is worth a line, and of one that is the next thing to do.
const WORTH_A_LINE: f64 = 0.02;
const WORTH_DOING: f64 = 0.1;
/// The share of the waste itself from which on its remark is worth a line.
const WORTH_A_WORD: f64 = 0.005;

/// The share of a task's time, 0 to 1; `None` if it is not known.
fn share(finding: &Finding, timed: &Performance) -> Option<f64> {
    if timed.lines.is_empty() {
        return None;
    }
    let line = timed.lines.iter().find(|line| Some(line.number) == finding.line);
    let about = ABOUT.iter().find(|(code, _)| *code == finding.code).map(|(_, parts)| *parts);
    Some(line.map_or(0.0, |line| match about {
        Some(about) => {
            line.parts.iter().filter(|(part, _)| about.contains(part)).map(|(_, share)| share).sum()
        }
        None => line.share,
    }))
}

/// The largest share of the time of one of its tasks; 1 if that is not known.
pub fn weight(finding: &Finding, report: &Report) -> f64 {
    let of = |timed: &&Performance| seen_in(finding, &timed.task);
    let shares: Vec<Option<f64>> =
        report.performance.iter().filter(of).map(|timed| share(finding, timed)).collect();
    if shares.is_empty() || shares.contains(&None) {
        return 1.0;
    }
    shares.into_iter().flatten().fold(0.0, f64::max)
}

/// Whether a remark on speed is worth a line of the report. Other findings are.
pub fn is_worth_a_line(finding: &Finding, report: &Report) -> bool {
    let scored = finding.code == "W0705";
    let wastes = || !WASTES.contains(&finding.code.as_str()) || wastes_time(finding, report);
    finding.kind != Kind::Performance || scored || (weight(finding, report) >= WORTH_A_LINE && wastes())
}

/// Whether what the accesses of a remark waste takes time in one of its tasks, or that is not known: warps wait for loads that waste
/// nothing, too, and those of a border hardly do anything.
fn wastes_time(finding: &Finding, report: &Report) -> bool {
    let mut timed = report.performance.iter().filter(|timed| seen_in(finding, &timed.task)).peekable();
    timed.peek().is_none() || timed.any(|timed| timed.lines.is_empty() || costs_much(finding, timed))
}

/// Whether the waste takes time. Where the cache has the rest of the sectors, only the requests cost.
fn costs_much(finding: &Finding, timed: &Performance) -> bool {
    if finding.hint == VECTORS_IN_A_ROW {
        wasted_by(&[Part::Requests], finding, &timed.lines) >= WORTH_A_LINE
    } else {
        wasted(finding, timed) >= WORTH_A_WORD
    }
}

/// The share of a task's time that the waste itself takes.
fn wasted(finding: &Finding, timed: &Performance) -> f64 {
    wasted_by(&WASTED, finding, &timed.lines)
}

/// The share of the time that the requests of a remark take, with the bytes that they move for nothing.
pub(crate) fn scattered(finding: &Finding, lines: &[LineShare]) -> f64 {
    // Where the cache has the rest of the sectors, the bytes have to move in any case.
    let by: &[Part] = if finding.message.ends_with(REQUESTS_ONLY) {
        &[Part::Requests]
    } else {
        &[Part::Requests, Part::Bytes]
    };
    wasted_by(by, finding, lines)
}

fn wasted_by(by: &[Part], finding: &Finding, lines: &[LineShare]) -> f64 {
    let line = lines.iter().find(|line| Some(line.number) == finding.line);
    let parts = line.into_iter().flat_map(|line| &line.parts);
    parts.filter(|(part, _)| by.contains(part)).map(|(_, share)| share).sum()
}

/// The remark on wasteful accesses of a task whose mending saves most, if it is worth doing.
pub fn worst<'a>(report: &'a Report, timed: &Performance) -> Option<&'a Finding> {
    let of_task = report
        .findings
        .iter()
        .filter(|finding| WASTES.contains(&finding.code.as_str()) && seen_in(finding, &timed.task));
    let weighed = of_task
        .filter(|finding| wasted(finding, timed) >= WORTH_A_LINE)
        .map(|finding| (share(finding, timed).unwrap_or(0.0), finding));
    let worst = weighed.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    (worst.0 >= WORTH_DOING).then_some(worst.1)
}

/// Whether a task was run where a finding was seen.
pub(crate) fn seen_in(finding: &Finding, task: &str) -> bool {
    finding.cases.iter().any(|case| case.split(": ").next() == Some(task))
}
