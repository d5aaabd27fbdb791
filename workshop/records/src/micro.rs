//! `workshop micro`: costs of single operations.

use serde::{Deserialize, Serialize};

/// Costs of single operations, for the timing model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Micro {
    /// Multiprocessors of the GPU.
    pub multiprocessors: u32,
    /// Cycles per second of the multiprocessors under load.
    pub clock_hz: f64,
    /// Operation by operation.
    pub figures: Vec<Figure>,
}

/// One operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// In words.
    pub name: String,
    /// Its cost.
    pub value: f64,
    /// The unit of the cost.
    pub unit: String,
    /// The kernel that was timed.
    pub kernel: String,
}
