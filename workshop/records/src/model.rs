//! `workshop model`: predicted beside measured times.

use serde::{Deserialize, Serialize};

use crate::{Point, Set};

/// Predicted beside measured times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// In all, by set, and by set and lab: each fitted, and cross-validated where that was done.
    pub summaries: Vec<TimesSummary>,
    /// What each mechanism of the model is worth, where that was asked for.
    #[serde(default)]
    pub ablation: Vec<Ablation>,
    /// How often the intervals of predictions hold, where the model was cross-validated: by group of limiters, and of all.
    #[serde(default)]
    pub coverage: Vec<Coverage>,
    /// Expected counts beside the GPU's, where they were compared.
    pub counts: Vec<CountsSummary>,
    /// Time by time.
    pub rows: Vec<Prediction>,
}

/// How good the predicted times of a set are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimesSummary {
    /// The set; absent for all but the yardstick together.
    pub set: Option<Set>,
    /// Whether each kernel was predicted with constants fitted to the kernels of all other families.
    pub cross_validated: bool,
    /// Its part of this lab; absent for all of it.
    pub lab: Option<String>,
    /// Times compared.
    pub times: usize,
    /// Mean of |predicted ÷ measured − 1|.
    pub mean_absolute_error: f64,
    /// Half of the errors are below this.
    pub median_absolute_error: f64,
    /// Mean of predicted ÷ measured − 1: below 0 where predictions are too fast.
    pub bias: f64,
    /// Pairs of kernels of one task and picture whose times differ by more than 15 %.
    pub pairs: usize,
    /// Pairs that the model puts in the other order.
    pub swapped: usize,
}

/// How good the model is without one of its mechanisms, of all known kernels, cross-validated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ablation {
    /// What was left out; nothing in the row to compare with.
    pub mechanism: Option<String>,
    /// What it counts.
    pub unit: String,
    /// Where its figures come from.
    pub source: String,
    /// Mean of |predicted ÷ measured − 1|.
    pub mean_absolute_error: f64,
    /// Mean of predicted ÷ measured − 1.
    pub bias: f64,
    /// Pairs that the model puts in the wrong order.
    pub swapped: usize,
}

/// How often intervals hold whose bounds come from the kernels of all other families.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Coverage {
    /// The group of limiters; absent for all.
    pub group: Option<String>,
    /// Its bounds by all families: the least and the most that measured times are of predicted ones.
    pub bounds: Option<[f64; 2]>,
    /// Times.
    pub times: usize,
    /// Those inside their interval.
    pub inside: usize,
    /// The share that should be.
    pub asked: f64,
}

/// How far the expected counts of a set are from the GPU's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CountsSummary {
    /// The set.
    pub set: Set,
    /// What is counted.
    pub what: String,
    /// Launches compared.
    pub launches: usize,
    /// Mean of |expected ÷ counted − 1|.
    pub mean_absolute_error: f64,
    /// Half of the errors are below this.
    pub median_absolute_error: f64,
}

/// A prediction beside its measurement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// The measurement.
    #[serde(flatten)]
    pub point: Point,
    /// The family of kernels that it was left out with.
    pub family: String,
    /// Seconds per call.
    pub predicted_seconds: f64,
    /// The same with constants fitted to all other families.
    pub cross_validated_seconds: Option<f64>,
    /// Predicted ÷ measured.
    pub ratio: f64,
    /// The term of the model that takes most of the longest launch's time.
    pub limiter: String,
}
