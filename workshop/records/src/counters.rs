//! `workshop counters`: the simulator's counters beside the GPU's own.

use serde::{Deserialize, Serialize};

/// The simulator's counters beside those of the GPU's profiler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// The picture.
    pub case: String,
    /// Launch by launch.
    pub rows: Vec<CountersRow>,
}

/// One launch of one rung.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountersRow {
    /// The lab.
    pub lab: String,
    /// The rung.
    pub rung: String,
    /// The task.
    pub task: String,
    /// Number of the launch in the call, from 0.
    pub launch: usize,
    /// Each counter on both sides.
    pub counters: Vec<Counter>,
}

/// One counter on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counter {
    /// Its name.
    pub name: String,
    /// The simulator's count.
    pub simulator: u64,
    /// The GPU's count.
    pub gpu: u64,
}
