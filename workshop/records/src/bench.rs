//! `workshop bench`: the fastest rungs beside other libraries.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The fastest rungs beside other libraries on the same GPU.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bench {
    /// How long the whole measurement took.
    pub seconds: u64,
    /// Versions of the libraries, by name.
    pub libraries: BTreeMap<String, String>,
    /// Libraries that are not on this machine, or did not work on some picture.
    pub missing: Vec<Missing>,
    /// Operation by operation.
    pub rows: Vec<BenchRow>,
}

/// A library that has no times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// Its name.
    pub library: String,
    /// The picture that it failed on; absent if it has no times at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// The reason.
    pub why: String,
}

/// One operation on one picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BenchRow {
    /// Its name in the table.
    pub operation: String,
    /// The lab.
    pub lab: String,
    /// The task.
    pub task: String,
    /// Width of the picture in pixels.
    pub width: usize,
    /// Height of the picture in pixels.
    pub height: usize,
    /// What the picture shows.
    pub content: String,
    /// The bytes that the yardstick moves, in words.
    pub yardstick: String,
    /// The share of the yardstick's speed to reach.
    pub target: f64,
    /// The fastest rung that is right; absent if none is.
    pub ours: Option<Fastest>,
    /// Every rung timed.
    pub rungs: Vec<TimedRung>,
    /// The libraries.
    pub peers: Vec<Peer>,
}

/// The fastest rung.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fastest {
    /// Its file, without ending.
    pub rung: String,
    /// Milliseconds per call, the median.
    pub ms: f64,
    /// The task's fewest bytes ÷ time, in 10^9 bytes per second.
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
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TimedRung {
    /// Its file, without ending.
    pub rung: String,
    /// Milliseconds per call, the median; absent if it failed.
    pub ms: Option<f64>,
    /// Milliseconds of the yardstick beside it.
    pub yardstick_ms: Option<f64>,
    /// The median of the pairs' ratios.
    pub share: Option<f64>,
    /// Half the width of the 95 % interval of the share, relative.
    pub share_error: Option<f64>,
    /// Whether its outputs in timed calls were right.
    pub right: bool,
    /// The reason for a failure; empty if there was none.
    pub failure: String,
}

/// One library's call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Peer {
    /// Library and function.
    pub peer: String,
    /// Milliseconds, the median; absent if it refused.
    pub ms: Option<f64>,
    /// Its time ÷ ours.
    #[serde(default)]
    pub ratio: Option<f64>,
    /// Measurements.
    #[serde(default)]
    pub runs: usize,
    /// Whether it computes the same; otherwise something similar, such as a filter with other weights.
    #[serde(default = "yes")]
    pub same: bool,
    /// Why it refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// The share of elements that differ from the lab's reference by more than its tolerance, where compared.
    #[serde(default)]
    pub differing: Option<f64>,
}

fn yes() -> bool {
    true
}
