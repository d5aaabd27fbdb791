//! The points and times of a task in a few lines.

use std::fmt::Write as _;

use colored::Colorize;
use lab::Part;
use simulator::model::COVERED;

use crate::pages;
use judge::limiters;
use judge::numbers::significant;
use judge::prediction::{self, PIPE};
use judge::report::Performance;
use judge::score::{Line, State};
use judge::wrap::{hanging, width};

/// Columns before the names of rows, and of a name.
const INDENT: usize = 8;
const NAME: usize = 18;
/// Columns of points or a time.
const FIGURE: usize = 11;

/// Columns before the words of a row.
const PREFIX: usize = INDENT + NAME + FIGURE + 3;

/// What the tasks above have told already.
#[derive(Debug, Default)]
pub struct Told {
    pages: Vec<&'static str>,
    yardstick: Option<String>,
    /// Of many tasks, the one that is to become faster: the others are told without what limits them.
    wanted: Option<String>,
    /// The lab, whose own pages come first.
    lab: String,
}

/// Tasks from which on only one is told what limits it: the report has to fit a screen.
pub(super) const MANY_TASKS: usize = 3;

impl Told {
    /// Nothing is told of a report on these tasks; `next` says what to do next.
    pub fn nothing<'a>(lab: &str, tasks: impl ExactSizeIterator<Item = &'a str>, next: &str) -> Self {
        let many = tasks.len() >= MANY_TASKS;
        let named = tasks.map(str::to_owned).find(|task| next.contains(&format!("`{task}`")));
        Self { wanted: named.filter(|_| many), lab: lab.to_owned(), ..Self::default() }
    }
}

/// The lines of a task that was timed; the correctness stands in the line of its cases. The first task says what the rows mean, and the
/// others leave out what it has told.
pub fn breakdown(out: &mut String, points: &[&Line], timed: &Performance, told: &mut Told) {
    let first = told.yardstick.is_none();
    for line in points.iter().filter(|line| line.what != "correctness") {
        let all_cores = timed.parallel_speedup.filter(|_| line.what == "speedup");
        let more = all_cores.map(|times| format!("; {}× all cores", significant(times))).unwrap_or_default();
        let words = format!("{}{more}", line.reason);
        row(out, line.what, &format!("{:.1} / {:.0}", line.points, line.max), &words);
    }
    // What limits the time stands below it.
    let yardstick = milliseconds(timed.yardstick_seconds);
    if told.yardstick.as_ref() != Some(&yardstick) {
        let words = match (first, &told.wanted) {
            (true, None) if timed.transfer_seconds.is_some() => {
                "a page-locked copy of the image to the GPU, and of the result back".to_owned()
            }
            (true, None) => "a kernel that only moves the same bytes".to_owned(),
            (true, Some(_)) => format!("moves the same bytes, {} × {}", timed.width, timed.height),
            _ => String::new(),
        };
        row(out, "yardstick", &yardstick, &words);
        told.yardstick = Some(yardstick);
    }
    time(out, timed, first, told.wanted.is_some());
    if let (Some(transfers), Some(kernels)) = (timed.transfer_seconds, timed.kernel_seconds) {
        let both = milliseconds(transfers + kernels);
        row(out, "  transfers", &milliseconds(transfers), "alone");
        row(out, "  kernels", &milliseconds(kernels), &format!("alone: {both} if nothing overlaps"));
    }
    if told.wanted.as_ref().is_some_and(|wanted| *wanted != timed.task) {
        return remarks(out, timed);
    }
    for (place, Limit { share, words, page }) in limits(timed, &told.lab).iter().take(2).enumerate() {
        let name = ["  limited by", "  and by"][place];
        let share = format!("{:.0} %", 100.0 * share);
        let short = told.wanted.is_some();
        let Some(page) = page.filter(|page| !short && !told.pages.contains(page)) else {
            row(out, name, &share, words);
            continue;
        };
        told.pages.push(page);
        // The page stands behind the words where both fit a line.
        let page = format!("`checker book {page}`");
        let both = format!("{words}; {page}");
        if PREFIX + both.chars().count() <= width() {
            row(out, name, &share, &both);
        } else {
            row(out, name, &share, words);
            row(out, "", "", &page);
        }
    }
    remarks(out, timed);
}

/// What to keep in mind about a time.
fn remarks(out: &mut String, timed: &Performance) {
    if let Some(remark) = doubt(timed) {
        row(out, "", "", &remark.yellow().to_string());
    }
    if timed.rough == Some(true) {
        row(out, "", "", "rough estimate: only some rows of the image were run");
    }
}

/// The rows on the time: the first task names the picture, and what the interval means.
fn time(out: &mut String, timed: &Performance, first: bool, short: bool) {
    let error = timed.share_error.map(|error| format!(" (± {:.1} %)", 100.0 * error)).unwrap_or_default();
    let speed = significant(timed.gigabytes_per_second);
    let unvalidated = if timed.validated == Some(false) { ", unvalidated" } else { "" };
    let basis = format!("{}{unvalidated}{error}", timed.basis);
    let seconds = milliseconds(timed.seconds);
    if first && !short {
        let megabytes = significant(timed.gigabytes_per_second * timed.seconds * 1e3);
        let (columns, rows) = (timed.width, timed.height);
        row(out, "time", &seconds, &format!("{basis}, {columns} × {rows}, {megabytes} MB: {speed} GB/s"));
        if let Some(interval) = timed.interval {
            row(out, "  likely", "", &likely(interval));
        }
    } else {
        let range = timed.interval.map(|interval| format!(" ({})", range(interval))).unwrap_or_default();
        row(out, "time", &seconds, &format!("{basis}{range}: {speed} GB/s"));
    }
}

/// The limiter of a kernel with less than this share of the time is not shown.
const LONG_KERNEL: f64 = 0.3;
/// Shares of the time below which a part of it is not worth a line.
const WORTH: f64 = 0.1;

/// What part of the time is spent on.
pub(super) struct Limit {
    pub(super) share: f64,
    pub(super) words: String,
    /// The page of the book that helps.
    page: Option<&'static str>,
}

/// The page on shared memory.
const BANKS: &str = "banks";

/// What the time is spent on, the largest share first: the limiter of the longest kernel, if that is most of the work, and the
/// largest other part, each with the page that helps.
pub(super) fn limits(timed: &Performance, lab: &str) -> Vec<Limit> {
    let (Some(limiter), Some(longest)) = (timed.limiter, timed.longest_share) else { return Vec::new() };
    if longest < LONG_KERNEL {
        return Vec::new();
    }
    let own = |part: Part| match limiter {
        PIPE => matches!(part, Part::Requests | Part::SharedMemory | Part::Atomics),
        _ => part == prediction::part(limiter),
    };
    let parts = timed.costs.iter().filter(|cost| own(cost.part));
    let most = parts.max_by(|one, other| one.share.total_cmp(&other.share)).map(|cost| cost.part);
    let of_pipe = most.filter(|_| limiter == PIPE);
    // Atomics wait for each other in shared and in global memory alike: neither wide loads nor other banks help.
    let waits_for_atomics = of_pipe == Some(Part::Atomics);
    let own = |part: Part| if waits_for_atomics { part == Part::Atomics } else { own(part) };
    let of_part = |share: f64, part: Part| {
        let (name, meaning) = part.words();
        // Copies need not be named twice.
        let words = if meaning.starts_with(name) { meaning.to_owned() } else { format!("{name}: {meaning}") };
        Limit { share, words, page: pages::on_limit(name, lab) }
    };
    let share = timed.costs.iter().filter(|cost| own(cost.part)).map(|cost| cost.share).sum();
    let first = if waits_for_atomics {
        of_part(share, Part::Atomics)
    } else {
        let words = limiters::cause(limiter, timed.wait, timed.resident.as_ref());
        // Of that pipe, the page on wide loads says nothing of banks.
        let page = match of_pipe {
            Some(Part::SharedMemory) => Some(BANKS),
            _ => pages::on_limit(words.split(" (").next().unwrap_or_default(), lab),
        };
        // The name of the part comes first, as in a profile. The load/store units have several.
        let name = if limiter == PIPE { "" } else { prediction::part(limiter).words().0 };
        let words = if words.starts_with(name) { words } else { format!("{name}: {words}") };
        Limit { share, words, page }
    };
    let other = timed.costs.iter().find(|cost| !own(cost.part) && cost.share >= WORTH);
    let mut found = vec![first];
    found.extend(other.map(|cost| of_part(cost.share, cost.part)));
    found.sort_by(|one, other| other.share.total_cmp(&one.share));
    found
}

/// The interval of a prediction.
pub(super) fn likely(interval: [f64; 2]) -> String {
    format!("{} ms: {:.0} of 10 predictions were this close", range(interval), 10.0 * COVERED)
}

/// Its ends, in milliseconds.
fn range(interval: [f64; 2]) -> String {
    let [least, most] = interval.map(|seconds| significant(seconds * 1e3));
    format!("{least} to {most}")
}

pub(super) fn doubt(timed: &Performance) -> Option<&'static str> {
    match timed.state {
        State::Stable => None,
        State::Unstable => Some("unstable: the runs do not agree closely enough; run again on an idle GPU"),
        State::Suspect => Some("suspect: faster than memory can move the bytes; check that all work is done"),
    }
}

pub(super) fn milliseconds(seconds: f64) -> String {
    format!("{} ms", significant(seconds * 1e3))
}

fn row(out: &mut String, name: &str, figure: &str, words: &str) {
    let prefix = format!("{:INDENT$}{name:NAME$}{figure:>FIGURE$}   ", "");
    let _ = writeln!(out, "{}", hanging(&prefix, words).trim_end());
}
