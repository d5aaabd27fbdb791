//! `workshop seeds`: predicted scores under secret seeds.

use serde::{Deserialize, Serialize};

/// How far the scores of rungs lie apart under different seeds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seeds {
    /// The GPU that the predictions are for.
    pub predicted_for: String,
    /// Seeds per rung.
    pub seeds: usize,
    /// Points that the scores of a task may lie apart.
    pub allowed_spread: f64,
    /// The largest spread.
    pub largest: f64,
    /// Tasks of rungs.
    pub rows: Vec<SeedsRow>,
}

/// One task of a rung.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeedsRow {
    /// The lab.
    pub lab: String,
    /// The rung's file, without ending.
    pub rung: String,
    /// The task.
    pub task: String,
    /// The lowest score.
    pub lowest: f64,
    /// The highest.
    pub highest: f64,
    /// Highest − lowest.
    pub spread: f64,
    /// Seeds under which the speed was not scored.
    pub unscored: usize,
}
