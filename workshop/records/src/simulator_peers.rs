//! `engine/simulator/benches/peers/run`: the simulator beside other simulators.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The simulator beside other simulators on the same kernels and the same CPU.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SimulatorPeers {
    /// Cores of the CPU.
    pub cores: usize,
    /// Load of the machine in the last minute: above `cores` there was other work.
    pub load_average_at_the_end: f64,
    /// Version of Oclgrind.
    pub oclgrind: String,
    /// Version of `PoCL`.
    pub pocl: String,
    /// Kernel by kernel.
    pub rows: Vec<SimulatorPeersRow>,
}

/// One kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SimulatorPeersRow {
    /// Its name.
    pub kernel: String,
    /// Pixels per second, by simulator and level of checks: `ours, unchecked`, `Oclgrind`.
    pub pixels_per_second: BTreeMap<String, u64>,
    /// Ours with the analyses of initialisation and races ÷ Oclgrind with its own two.
    pub ratio: f64,
}
