//! What is measured, as it is committed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// All of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bench {
    /// The GPU.
    pub gpu: String,
    /// Its driver.
    pub driver: String,
    /// Day of the measurement, UTC.
    pub date: String,
    /// The command.
    pub command: String,
    /// The compiler of our kernels.
    pub compiler: String,
    /// How long the whole measurement took.
    pub seconds: u64,
    /// Versions of the libraries, by name.
    pub libraries: BTreeMap<String, String>,
    /// Libraries that are not on this machine, or did not work on some picture.
    pub missing: Vec<Missing>,
    /// Operation by operation.
    pub rows: Vec<Row>,
}

/// A library that has no times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// Its name.
    pub library: String,
    /// On which picture; absent if on none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// Why.
    pub why: String,
}

/// One operation on one picture.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// What it is called.
    pub operation: String,
    /// The lab.
    pub lab: String,
    /// The task.
    pub task: String,
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// What the picture shows.
    pub content: String,
    /// What the yardstick moves.
    pub yardstick: String,
    /// The share to reach.
    pub target: f64,
    /// The fastest rung that is right; absent if none is.
    pub ours: Option<Ours>,
    /// Every rung timed.
    pub rungs: Vec<Timed>,
    /// The libraries.
    pub peers: Vec<Beside>,
}

/// The fastest rung.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ours {
    /// Its file, without ending.
    pub rung: String,
    /// Milliseconds of a call, the median.
    pub ms: f64,
    /// The task's fewest bytes ÷ time, in 10^9 bytes a second.
    pub gigabytes_per_second: f64,
    /// Milliseconds of the yardstick, the median.
    pub yardstick_ms: f64,
    /// The yardstick's time ÷ ours: the median of neighbouring pairs.
    pub share: f64,
    /// Half the width of the 95 % interval of the share, relative; absent where there are no pairs.
    pub share_error: Option<f64>,
    /// Whether the share reaches the target.
    pub reached: bool,
}

/// One rung; by default, not timed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Timed {
    /// Its file, without ending.
    pub rung: String,
    /// Milliseconds of a call, the median; absent if it failed.
    pub ms: Option<f64>,
    /// The yardstick's, beside it.
    pub yardstick_ms: Option<f64>,
    /// The median of the pairs' ratios.
    pub share: Option<f64>,
    /// How sure that is.
    pub share_error: Option<f64>,
    /// Whether its outputs in timed calls were right.
    pub right: bool,
    /// Why it failed; empty if it did not.
    pub failure: String,
}

/// One library's call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Beside {
    /// Library and function.
    pub peer: String,
    /// Milliseconds, the median; absent if it refused.
    pub ms: Option<f64>,
    /// Its time ÷ ours.
    #[serde(skip_deserializing)]
    pub ratio: Option<f64>,
    /// Measurements.
    #[serde(default)]
    pub runs: usize,
    /// Whether it computes the same; else something like it, such as a filter of other weights.
    #[serde(default = "yes")]
    pub same: bool,
    /// Why it refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// The share of elements that differ from the lab's reference by more than its tolerance, where compared.
    #[serde(skip_deserializing)]
    pub differing: Option<f64>,
}

fn yes() -> bool {
    true
}
