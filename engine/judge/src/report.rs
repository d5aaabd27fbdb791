//! The report: `--json` prints exactly this, and the text is generated from it.

use std::collections::BTreeMap;

use cuda::text::{clean, short};
use serde::Serialize;

pub use crate::case::{Case, Mismatch, Verdict, telling};

use crate::cause::Cause;
use crate::facts::Facts;
use crate::prediction::{Cost, Idle, LineShare, Resident};
use crate::repair::Repair;
use crate::score::{Line, State};
use runtime::finding::Finding;

/// How fast one task is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Performance {
    /// The task.
    pub task: String,
    /// The case that was timed.
    pub case: String,
    /// Width of its image in pixels.
    pub width: usize,
    /// Height of its image in pixels.
    pub height: usize,
    /// `measured` or `predicted`.
    pub basis: &'static str,
    /// Seconds one call takes on the GPU.
    pub seconds: f64,
    /// The least and the most seconds that the call may well take: four of five kernels like this one lie between; predicted only.
    pub interval: Option<[f64; 2]>,
    /// Whether predictions for the GPU were compared with measurements; predicted only.
    pub validated: Option<bool>,
    /// The fewest bytes ÷ seconds, in 10^9 bytes per second.
    pub gigabytes_per_second: f64,
    /// Seconds that the yardstick takes for the fewest bytes.
    pub yardstick_seconds: f64,
    /// The yardstick's speed, in 10^9 bytes per second.
    pub yardstick_gigabytes_per_second: f64,
    /// Yardstick seconds ÷ seconds (measured: the median of the interleaved pairs).
    pub share: f64,
    /// Half the width of the 95 % interval of the share, relative; measured only.
    pub share_error: Option<f64>,
    /// Whether the times are reliable; only stable times are scored.
    pub state: State,
    /// Pairs of runs; measured only.
    pub pairs: Option<usize>,
    /// Pairs left out, because the GPU's clock changed between their two runs; measured only.
    pub dropped_pairs: Option<usize>,
    /// Calls per measurement, whose time is their mean: several if one call is too short to time alone; measured only.
    pub calls: Option<usize>,
    /// Kernels launched in one call; predicted only.
    pub launches: Option<usize>,
    /// Bytes of the sectors that kernels accessed, counted at each access; predicted only.
    pub sector_bytes: Option<u64>,
    /// The same, each sector counted once in each kernel; predicted only.
    #[serde(skip)]
    pub distinct_bytes: Option<f64>,
    /// Rows of the picture that were run; predicted only.
    pub rows: Option<usize>,
    /// The term of the timing model that limits the longest kernel; predicted only.
    pub limiter: Option<&'static str>,
    /// What the time is spent on, largest first; predicted only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub costs: Vec<Cost>,
    /// What the kernels do per pixel; predicted only.
    #[serde(skip)]
    pub signs: Option<lab::Signs>,
    /// The lines' shares of the time, largest first; predicted only.
    #[serde(skip)]
    pub lines: Vec<LineShare>,
    /// A kernel most of whose threads have nothing to do; predicted only.
    #[serde(skip)]
    pub idle: Option<Idle>,
    /// If the limiter is `latency`, the main reason to wait: `memory`, `itself`, `both` or `longest block`; predicted only.
    pub wait: Option<&'static str>,
    /// Resident warps of the longest kernel per multiprocessor; predicted only.
    pub resident: Option<Resident>,
    /// The longest kernel's share of the time; predicted only.
    pub longest_share: Option<f64>,
    /// Whether the host function launches other kernels on the whole picture than on the sample of its rows that was
    /// run, so that each launch was scaled by the rows alone; predicted only.
    pub rough: Option<bool>,
    /// Why the time is not scored although the task is right; predicted only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unscored: Option<String>,
    /// Seconds of the sequential reference on one CPU core.
    pub sequential_seconds: f64,
    /// Sequential seconds ÷ seconds.
    pub speedup: f64,
    /// Seconds of the parallel reference on all cores of this CPU; measured only.
    pub parallel_seconds: Option<f64>,
    /// Parallel seconds ÷ seconds; measured only.
    pub parallel_speedup: Option<f64>,
    /// Seconds of the copies between host and GPU, measured or predicted apart; only for tasks from host memory to host
    /// memory. With streams they overlap the kernels.
    pub transfer_seconds: Option<f64>,
    /// The same for kernels, and for copies and fills within the GPU.
    pub kernel_seconds: Option<f64>,
}

/// One task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Task {
    /// Its host function.
    pub name: String,
    /// What it computes.
    pub summary: String,
    /// Whether every case is right, without an error.
    pub passed: bool,
    /// The cause of its wrong outputs; absent if none is certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// What was seen of the smallest telling case, if no cause says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facts: Option<Facts>,
    /// A small change that makes it right, if one was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repair: Option<Repair>,
    /// Its file, if that is not the report's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// SHA-256 of that file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// The course that was used: see [`crate::course`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Course {
    /// Its file.
    pub file: String,
    /// Its title, or empty.
    pub title: String,
    /// Whether this lab counts in it; if not, the points are the lab's own.
    pub counts: bool,
    /// When this lab is due, with the offset from UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
}

impl Course {
    /// In words.
    pub fn said(&self) -> String {
        let title = if self.title.is_empty() { String::new() } else { format!("{}, ", self.title) };
        let due = self.due.as_ref().map(|due| format!("; due {due}")).unwrap_or_default();
        let counts = if self.counts { "" } else { "; this lab does not count in it" };
        format!("course: {title}{}{counts}{due}", self.file)
    }
}

/// The report on one file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own in the JSON")]
pub struct Report {
    /// The version of the checker.
    pub version: &'static str,
    /// Name of the lab.
    pub lab: String,
    /// Its title.
    pub title: String,
    /// The file.
    pub file: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Whether it is the untouched skeleton.
    pub untouched: bool,
    /// The compiler and its version.
    pub compiler: String,
    /// `gpu` or `sim`.
    pub engine: &'static str,
    /// The GPU, real or simulated.
    pub gpu: String,
    /// Driver version, on a real GPU.
    pub driver: Option<String>,
    /// Why the simulator runs although a GPU was preferred.
    pub no_gpu: Option<String>,
    /// Whether times are measured; else predicted.
    pub measured: bool,
    /// Selects the values of random images; 0 if it is secret.
    pub seed: u64,
    /// Whether the seed is public, so that a file may know its pictures: only a report with a secret seed is a grade.
    pub practice: bool,
    /// The course whose points these are; absent if they are the lab's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub course: Option<Course>,
    /// Points earned.
    pub score: f64,
    /// Points that can be earned.
    pub max_score: f64,
    /// The verdict.
    pub passed: bool,
    /// The tasks that were checked.
    pub tasks: Vec<Task>,
    /// All cases of all tasks.
    pub cases: Vec<Case>,
    /// Faults and remarks, the most severe first.
    pub findings: Vec<Finding>,
    /// Times of the tasks that are right.
    pub performance: Vec<Performance>,
    /// The score line by line.
    pub points: Vec<Line>,
    /// For each task, the constants that are marked as tunable and that it uses.
    #[serde(skip)]
    pub tunable: BTreeMap<String, Vec<String>>,
    /// For each task, those of its constants that `checker tune` has swept already.
    #[serde(skip)]
    pub swept: BTreeMap<String, Vec<String>>,
    /// For each task, what it does for nothing although it is right.
    #[serde(skip)]
    pub wasted: BTreeMap<String, String>,
    /// The next step.
    pub next: String,
    /// All that is to be said of it, for a hint; empty if that is `next`.
    #[serde(skip)]
    pub next_whole: String,
}

impl Report {
    /// Cleans and shortens all text in which the submission has a part (see [`clean`] and [`short`]): a terminal, a browser or another
    /// program shows it later.
    pub(crate) fn clean(&mut self) {
        // Almost always nothing changes.
        let replace = |text: &mut String, by: fn(&str) -> String| {
            let new = by(text);
            if new != *text {
                *text = new;
            }
        };
        // What was printed has a length of its own, and a path is of use only as a whole.
        let files = self.tasks.iter_mut().filter_map(|task| task.file.as_mut());
        let whole = self.cases.iter_mut().map(|case| &mut case.printed).chain(files);
        whole.chain([&mut self.file]).for_each(|text| replace(text, clean));
        let findings = self.findings.iter_mut().flat_map(|finding| {
            let labels = finding.labels.iter_mut().flat_map(|label| [&mut label.file, &mut label.text]);
            let kernel = finding.thread.iter_mut().map(|thread| &mut thread.kernel);
            [&mut finding.file, &mut finding.message, &mut finding.hint]
                .into_iter()
                .chain(labels)
                .chain(kernel)
        });
        let notes = self.cases.iter_mut().map(|case| &mut case.note);
        let tasks = self.tasks.iter_mut().flat_map(|task| {
            let causes = task.cause.iter_mut().flat_map(|cause| [&mut cause.message, &mut cause.hint]);
            causes.chain(task.facts.iter_mut().flat_map(|facts| &mut facts.seen))
        });
        findings.chain(notes).chain(tasks).for_each(|text| replace(text, short));
    }

    /// Marks the report of a run with a secret seed, and removes all that could tell of it: the seed, and what the student's code
    /// printed, which has seen the pictures.
    pub fn hide_secrets(&mut self) {
        self.practice = false;
        self.seed = 0;
        for case in &mut self.cases {
            case.printed.clear();
        }
    }
}
