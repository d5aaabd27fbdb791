//! `workshop attacks`: files that want the machine and not the points.

use serde::{Deserialize, Serialize};

/// What attacks on the checker cost, and what became of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attacks {
    /// Cores of the CPU.
    pub cores: usize,
    /// Attack by attack.
    pub rows: Vec<Attack>,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attack {
    /// What it attacks: `compiler`, `files`, `memory` …
    pub family: String,
    /// Its name.
    pub name: String,
    /// The checker's exit code; absent if it ended by a signal or had to be killed.
    pub exit: Option<i32>,
    /// The codes of the errors in the report.
    pub codes: Vec<String>,
    /// Seconds from start to end.
    pub seconds: f64,
    /// The most memory that all its processes used at once, in MiB, as sampled.
    pub mebibytes: f64,
    /// Bytes of a secret file and of the environment that the report holds.
    pub leaked: usize,
}
