//! `workshop scores`: scores from measured and from predicted times.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Every rung scored twice: with measured and with predicted times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// The GPU that the predictions are for.
    pub predicted_for: String,
    /// Points that the two scores of a rung may lie apart.
    pub allowed_difference: f64,
    /// Rungs whose scores do not lie further apart.
    pub within: usize,
    /// Rung by rung.
    pub rungs: Vec<RungScores>,
}

/// One rung: all of its lab's 100 points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RungScores {
    /// The lab.
    pub lab: String,
    /// The rung's file, without ending.
    pub rung: String,
    /// Points with measured times.
    pub measured: f64,
    /// Points with predicted times.
    pub predicted: f64,
    /// Predicted − measured.
    pub difference: f64,
    /// Task by task.
    pub tasks: Vec<TaskScores>,
}

/// One task of a rung.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskScores {
    /// Its name.
    pub task: String,
    /// Points that it can earn.
    pub points: f64,
    /// The score with measured times.
    pub measured: Score,
    /// The score with predicted times.
    pub predicted: Score,
    /// Predicted − measured.
    pub difference: f64,
}

/// A score and the speeds it follows from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Points in all.
    pub score: f64,
    /// Points for bandwidth.
    pub bandwidth: f64,
    /// Points for the speedup.
    pub speedup: f64,
    /// The yardstick's time ÷ the kernel's.
    pub share: f64,
    /// The speedup itself, over one CPU core.
    pub times: f64,
    /// Whether the times can be believed.
    pub state: State,
}

/// Whether times can be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Enough pairs of runs agree; or the time is predicted.
    Stable,
    /// The pairs do not agree: something else was using the GPU.
    Unstable,
    /// Faster than the memory can move the bytes.
    Suspect,
}

impl fmt::Display for State {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Self::Stable => "stable",
            Self::Unstable => "unstable",
            Self::Suspect => "suspect",
        })
    }
}
