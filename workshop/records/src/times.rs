//! `workshop times`: what the timing model is fitted to and validated with.

use serde::{Deserialize, Serialize};

/// Measured times of every rung and every validation kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// Time by time.
    pub points: Vec<Point>,
}

/// Where a kernel comes from, which says what the timing model knows of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Set {
    /// A rung of a ladder.
    Ladder,
    /// A kernel of `workshop/validation/pool`: known, like the rungs, to who works on the model.
    Pool,
    /// A kernel of `workshop/validation/fresh`, written and measured when the model was done.
    Fresh,
    /// The yardstick, which every time is compared with.
    Yardstick,
}

/// One measured time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Where the kernel comes from.
    pub set: Set,
    /// The lab: `lab1`.
    pub lab: String,
    /// File name without ending.
    pub kernel: String,
    /// The task.
    pub task: String,
    /// The picture.
    pub case: String,
    /// Seconds per call: the median of the runs.
    pub seconds: f64,
    /// Seconds of the yardstick beside it.
    pub yardstick_seconds: f64,
    /// Half the width of the 95 % interval of the ratio of the two, relative.
    pub error: f64,
}
