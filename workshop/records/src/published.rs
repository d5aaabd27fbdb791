//! The figures that the reports published: `workshop/src/papers/published.json`, which is written by hand.

use serde::Deserialize;

/// Everything that the reports published and the workbook repeats.
#[derive(Debug, Deserialize)]
pub struct Published {
    /// The reports.
    pub reports: Vec<Paper>,
}

/// One report.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// `R0`
    pub id: String,
    /// Its subject.
    pub title: String,
    /// Short name of its GPU among the modelled ones.
    pub gpu: Option<String>,
    /// The hardware of its figures.
    pub hardware: String,
    /// Its experiments.
    pub experiments: Vec<Experiment>,
}

/// One table or statement of a report.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Short name: `grayscale`.
    pub name: String,
    /// In words.
    pub what: String,
    /// Its place in the report.
    pub source: String,
    /// The lab that repeats it.
    pub lab: String,
    /// The task.
    pub task: String,
    /// The image; the task's timed one if not given.
    pub image: Option<ImageOf>,
    /// How ours differs; empty if it does not.
    #[serde(default)]
    pub note: String,
    /// Published times, in the report's order.
    #[serde(default)]
    pub rows: Vec<Row>,
    /// Statements without figures.
    #[serde(default)]
    pub claims: Vec<Claim>,
}

/// A published time.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Its name in the report.
    pub label: String,
    /// Milliseconds.
    pub ms: f64,
    /// The rung that repeats it, by its name without number.
    pub rung: Option<String>,
    /// The CPU reference that repeats it.
    pub reference: Option<Reference>,
}

/// Which CPU reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reference {
    /// On one core.
    Sequential,
    /// On all cores; only where times are measured.
    Parallel,
}

/// A statement about which of several kernels is faster, or that none is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// In words.
    pub text: String,
    /// The rung that is faster than those of `slower`.
    pub faster: Option<String>,
    /// The others.
    #[serde(default)]
    pub slower: Vec<String>,
    /// Rungs that take the same time.
    #[serde(default)]
    pub same: Vec<String>,
}

/// The image of an experiment.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImageOf {
    /// A synthetic scene of this width and height.
    pub scene: Option<[usize; 2]>,
    /// One colour.
    pub flat: Option<[usize; 2]>,
    /// Noise of [`levels`](Self::levels) grays.
    pub gray_noise: Option<[usize; 2]>,
    /// Grays of the noise.
    pub levels: Option<usize>,
}
