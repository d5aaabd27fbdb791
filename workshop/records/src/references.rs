//! `workshop references`: the CPU references of the labs beside OpenCV.

use serde::{Deserialize, Serialize};

/// The CPU references of the labs beside OpenCV.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct References {
    /// OpenCV's version; absent if Python has no OpenCV.
    pub opencv: Option<String>,
    /// Cores of the CPU.
    pub cores: usize,
    /// How often the benchmarks ran.
    pub runs: usize,
    /// The highest load of the last minute at the start of a run: above `cores` there was other work.
    pub load_average: f64,
    /// Task by task.
    pub rows: Vec<Reference>,
}

/// One way to do one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// The lab.
    pub lab: String,
    /// The task.
    pub task: String,
    /// `sequential`, `parallel-1`, `opencv-all` and such.
    pub way: String,
    /// Milliseconds of the best sample of all runs.
    pub best_ms: f64,
    /// The best median of a run, in milliseconds.
    pub median_ms: f64,
}
