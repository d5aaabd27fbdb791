//! `workshop repeat`: the same file scored many times.

use serde::{Deserialize, Serialize};

use crate::State;

/// The same file scored many times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Repeat {
    /// The lab.
    pub lab: String,
    /// The file.
    pub file: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// How often it was scored.
    pub times: usize,
    /// The largest spread allowed.
    pub allowed_spread: f64,
    /// Whether every task is repeatable.
    pub passed: bool,
    /// Task by task.
    pub tasks: Vec<RepeatedTask>,
}

/// One task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RepeatedTask {
    /// Its name.
    pub task: String,
    /// Points that it can earn.
    pub points: f64,
    /// Whether spreads are small, levels never change and every score is stable.
    pub passed: bool,
    /// Spread of the score.
    pub score: Spread,
    /// Spread of the share of the yardstick's speed.
    pub share: Spread,
    /// Spread of the speedup.
    pub speedup: Spread,
    /// The levels of bandwidth that were reached; one if they never change.
    pub bandwidth_levels: Vec<String>,
    /// The levels of the speedup that were reached.
    pub speedup_levels: Vec<String>,
    /// Scores whose times can be believed.
    pub stable: usize,
    /// Scores whose pairs of runs do not agree.
    pub unstable: usize,
    /// Scores above what the memory can move.
    pub suspect: usize,
    /// Pairs of runs.
    pub pairs: usize,
    /// Pairs left out.
    pub dropped_pairs: usize,
    /// Score by score.
    pub attempts: Vec<Attempt>,
}

/// How far values lie apart.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The least.
    pub min: f64,
    /// The median.
    pub median: f64,
    /// The most.
    pub max: f64,
    /// Half of the distance between least and most, relative to the median.
    pub spread: f64,
}

/// One score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// Points.
    pub score: f64,
    /// The yardstick's time ÷ the kernel's.
    pub share: f64,
    /// Half the width of the 95 % interval of the share, relative; measured only.
    pub share_error: Option<f64>,
    /// Over one CPU core.
    pub speedup: f64,
    /// The level of bandwidth.
    pub bandwidth_level: String,
    /// The level of the speedup.
    pub speedup_level: String,
    /// Whether the times can be believed.
    pub state: State,
    /// Pairs of runs.
    pub pairs: usize,
    /// Pairs left out.
    pub dropped_pairs: usize,
}
