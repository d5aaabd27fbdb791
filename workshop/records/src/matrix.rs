//! `workshop matrix`: every rung on a GPU and on the simulator.

use serde::{Deserialize, Serialize};

use crate::State;

/// Every rung of every task: its bytes on both engines compared, its time measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Matrix {
    /// Lab by lab, rung by rung.
    pub rows: Vec<MatrixRow>,
}

/// One rung of one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatrixRow {
    /// The lab.
    pub lab: String,
    /// The rung's file, without ending.
    pub rung: String,
    /// The task.
    pub task: String,
    /// Cases run on both engines.
    pub cases: usize,
    /// Cases whose outputs are not the same bytes on both.
    pub unequal: Vec<String>,
    /// Whether the timed outputs are right.
    pub right: bool,
    /// The case that was timed.
    pub case: String,
    /// Width of its picture in pixels.
    pub width: usize,
    /// Height of its picture in pixels.
    pub height: usize,
    /// Seconds per call.
    pub seconds: f64,
    /// The fewest bytes ÷ seconds, in 10^9 bytes per second.
    pub gigabytes_per_second: f64,
    /// Seconds of the yardstick for the fewest bytes.
    pub yardstick_seconds: f64,
    /// The yardstick's speed, in 10^9 bytes per second.
    pub yardstick_gigabytes_per_second: f64,
    /// Yardstick seconds ÷ seconds: the median of the interleaved pairs.
    pub share: f64,
    /// Half the width of the 95 % interval of the share, relative.
    pub share_error: Option<f64>,
    /// Whether the times can be believed.
    pub state: State,
    /// Pairs of runs.
    pub pairs: Option<usize>,
    /// Pairs left out, because the GPU's clock changed between their two runs.
    pub dropped_pairs: Option<usize>,
    /// Calls per measurement, whose time is the mean: several where one is too short to time alone.
    pub calls: Option<usize>,
    /// Seconds of the sequential reference on one CPU core.
    pub sequential_seconds: f64,
    /// Sequential seconds ÷ seconds.
    pub speedup: f64,
    /// Seconds of the parallel reference on all CPU cores.
    pub parallel_seconds: Option<f64>,
    /// Parallel seconds ÷ seconds.
    pub parallel_speedup: Option<f64>,
    /// Seconds of the copies between host and GPU alone, for a task from host memory to host memory.
    pub transfer_seconds: Option<f64>,
    /// Seconds of the kernels, and of copies and fills within the GPU, for such a task.
    pub kernel_seconds: Option<f64>,
}
