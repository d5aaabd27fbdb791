//! `workshop reports`: the published experiments repeated.

use serde::{Deserialize, Serialize};

/// The experiments of the reports that the labs come from, repeated here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Papers {
    /// Version of the checker.
    pub version: String,
    /// Report by report.
    pub reports: Vec<Paper>,
}

/// One of the reports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Paper {
    /// `R0`
    pub id: String,
    /// Its subject.
    pub title: String,
    /// The hardware of the published figures.
    pub hardware: String,
    /// `gpu` or `sim`.
    pub engine: String,
    /// Our GPU, real or simulated.
    pub gpu: String,
    /// Driver version, on a real GPU.
    pub driver: Option<String>,
    /// The compiler and its version.
    pub compiler: String,
    /// Experiment by experiment.
    pub experiments: Vec<Experiment>,
}

impl Paper {
    /// Whether its times were measured; otherwise they were predicted.
    pub fn is_measured(&self) -> bool {
        self.driver.is_some()
    }
}

/// One experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    /// `grayscale`
    pub name: String,
    /// In words.
    pub what: String,
    /// Its place in the report.
    pub source: String,
    /// How ours differs; empty if it does not.
    pub note: String,
    /// The lab.
    pub lab: String,
    /// The task.
    pub task: String,
    /// Width and height of our picture; absent if nothing ran.
    pub size: Option<[usize; 2]>,
    /// `measured`, or how predicted; absent if nothing ran.
    pub basis: Option<String>,
    /// What is missing for all of it.
    pub missing: Option<String>,
    /// Time by time.
    pub rows: Vec<Row>,
    /// Statement by statement.
    pub claims: Vec<Claim>,
}

/// One published time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Its name in the report.
    pub label: String,
    /// Our rung, such as `03_four_pixels`, or `sequential`, `parallel` for a CPU reference.
    pub ours: Option<String>,
    /// Milliseconds.
    pub ms: Both,
    /// How many times as fast as the row before.
    pub before: Both,
    /// How many times as fast as the first row.
    pub first: Both,
    /// Whether our result was right.
    pub right: bool,
    /// Why there is no time of ours.
    pub missing: Option<String>,
}

/// A published figure and ours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Both {
    /// As published.
    pub published: Option<f64>,
    /// Ours.
    pub here: Option<f64>,
    /// Ours ÷ published.
    pub ratio: Option<f64>,
}

impl Both {
    /// Two figures and their ratio.
    pub fn new(published: Option<f64>, here: Option<f64>) -> Self {
        Self { published, here, ratio: published.zip(here).map(|(published, here)| here / published) }
    }
}

/// Whether a statement holds here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The same order, or the same time.
    Holds,
    /// No slower one is faster, but the difference is too small to count.
    TooClose,
    /// The other way round, or a difference where there should be none.
    DoesNotHold,
}

/// One statement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// In words.
    pub text: String,
    /// Whether it holds here; absent where it could not be tried.
    pub verdict: Option<Verdict>,
    /// Our times: rung and milliseconds.
    pub times: Vec<(String, f64)>,
    /// Whether all our results were right.
    pub right: bool,
    /// Why it could not be tried.
    pub missing: Option<String>,
}
