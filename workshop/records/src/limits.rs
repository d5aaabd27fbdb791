//! `workshop limits`: how busy the parts of the GPU are in the last rungs.

use serde::{Deserialize, Serialize};

/// How busy the parts of the GPU are in each launch of the last rungs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// The picture.
    pub case: String,
    /// Launch by launch.
    pub rows: Vec<LimitsRow>,
}

/// One launch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LimitsRow {
    /// The rung.
    pub rung: String,
    /// The task.
    pub task: String,
    /// Number of the launch in the call, from 0.
    pub launch: usize,
    /// Its time under the profiler.
    pub microseconds: f64,
    /// Each part of the GPU.
    pub busy: Vec<Busy>,
    /// The busiest part.
    pub limit: String,
}

/// How busy one part of the GPU is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Busy {
    /// The part.
    pub part: String,
    /// Percent of its peak.
    pub percent: f64,
}
