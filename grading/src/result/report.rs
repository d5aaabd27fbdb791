//! The checker's report, as far as grading reads it. Fields that a later version adds are ignored.

use serde::{Deserialize, Serialize};

/// A report on one file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Report {
    /// Version of the checker.
    pub version: String,
    /// The compiler and its version.
    pub compiler: String,
    /// `gpu` or `sim`.
    pub engine: String,
    /// The GPU, real or simulated.
    pub gpu: String,
    /// Driver, on a real GPU.
    pub driver: Option<String>,
    /// Whether it is the untouched skeleton.
    pub untouched: bool,
    /// Whether the seed was public.
    pub practice: bool,
    /// Points earned.
    pub score: f64,
    /// Points that can be earned.
    pub max_score: f64,
    /// The verdict.
    pub passed: bool,
    /// The tasks.
    pub tasks: Vec<Task>,
    /// The cases.
    pub cases: Vec<Case>,
    /// The findings, the most severe first.
    pub findings: Vec<Finding>,
    /// Times of right tasks.
    pub performance: Vec<Performance>,
    /// The score line by line.
    pub points: Vec<Points>,
    /// The next step.
    pub next: String,
    /// What the student's page shows beside all this.
    pub illustration: Illustration,
}

/// Costs of the lines of right tasks, and pictures of the outputs of wrong ones.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Illustration {
    /// By task.
    pub costs: Vec<Costs>,
    /// The pictures.
    pub pictures: Vec<Pictures>,
}

/// What the lines of a task cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Costs {
    /// The task.
    pub task: String,
    /// Seconds of its kernels.
    pub seconds: f64,
    /// The lines that cost anything.
    pub lines: Vec<Cost>,
}

/// What a line costs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cost {
    /// The line.
    pub line: u32,
    /// Its share of the seconds, 0 to 1.
    pub share: f64,
    /// What makes it cost so much, and what to try.
    pub why: Vec<String>,
}

/// An output of a wrong case, or a window of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Pictures {
    /// The task.
    pub task: String,
    /// The case.
    pub case: String,
    /// The output.
    pub output: String,
    /// Whether a pixel is an element of the output; else the pictures draw its values.
    pub pixels: bool,
    /// The window: column, row, columns, rows.
    pub window: [u64; 4],
    /// Columns and rows of the whole.
    pub whole: [u64; 2],
    /// What is right, as a `data:` URL.
    pub expected: String,
    /// What the file gave.
    pub found: String,
    /// The difference.
    pub difference: String,
}

/// A task.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Task {
    /// Its host function.
    pub name: String,
    /// What it computes.
    pub summary: String,
    /// Whether it is right.
    pub passed: bool,
}

/// A case of a task.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Case {
    /// The task.
    pub task: String,
    /// The case.
    pub name: String,
    /// `passed`, `failed` or `skipped`.
    pub verdict: String,
    /// Wrong elements.
    pub wrong: u64,
    /// Compared elements.
    pub total: u64,
    /// A remark, or empty.
    pub note: String,
}

/// A fault or remark.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Finding {
    /// Code, such as `W0101`.
    pub code: String,
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// Line of the file, if one is known.
    pub line: Option<u32>,
    /// Column.
    pub column: u32,
    /// What happened.
    pub message: String,
    /// What to try.
    pub hint: String,
    /// Other lines.
    pub labels: Vec<Label>,
    /// How often.
    pub count: u64,
    /// Cases with it.
    pub cases: Vec<String>,
}

/// Another line of a finding.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Label {
    /// The line.
    pub line: u32,
    /// What happens there.
    pub text: String,
}

/// The speed of a task.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Performance {
    /// The task.
    pub task: String,
    /// `measured` or `predicted`.
    pub basis: String,
    /// Seconds.
    pub seconds: f64,
    /// Share of the yardstick's speed.
    pub share: f64,
    /// Times one CPU core.
    pub speedup: f64,
    /// `stable`, `unstable` or `suspect`.
    pub state: String,
    /// Why the time is not scored.
    pub unscored: Option<String>,
}

/// A line of the score.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Points {
    /// The task.
    pub task: String,
    /// The part of the score.
    pub what: String,
    /// Points earned.
    pub points: f64,
    /// Points that can be earned.
    pub max: f64,
    /// Why.
    pub reason: String,
}
