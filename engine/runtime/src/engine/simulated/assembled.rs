//! The assembled kernels, as a prediction needs them.

use std::collections::BTreeMap;
use std::sync::Arc;

use simulator::model::machine::MachineCode;

/// A kernel after the assembler.
#[derive(Debug, Clone)]
pub struct Assembled {
    /// Registers per thread.
    pub registers: u32,
    /// Its machine code, if that can be read.
    pub code: Option<Arc<MachineCode>>,
}

/// By mangled name; kernels that are absent are unknown.
pub type AssembledKernels = Arc<BTreeMap<String, Assembled>>;
