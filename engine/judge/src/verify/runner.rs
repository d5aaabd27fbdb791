//! Where the cases of a task run.

use runtime::job::Program;
use runtime::remote::RemoteGpu;
use runtime::simulation::Simulation;

/// Where cases run.
pub struct Runner<'a> {
    /// The host functions.
    pub program: &'a Program,
    /// The simulator: the engine itself, or the one that explains a GPU's faults.
    pub simulation: &'a Simulation,
    /// The GPU, if that is the engine.
    pub gpu: Option<&'a mut RemoteGpu>,
}
