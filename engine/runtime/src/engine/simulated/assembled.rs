//! What the assembler made of kernels, as far as a prediction needs it.

use std::collections::BTreeMap;
use std::sync::Arc;

use simulator::model::machine::MachineCode;

/// What the assembler made of a kernel.
#[derive(Debug, Clone)]
pub struct Assembled {
    /// Registers a thread.
    pub registers: u32,
    /// Its machine code, where that can be read.
    pub code: Option<Arc<MachineCode>>,
}

/// By mangled name of the kernel; what is not there is not known.
pub type AssembledKernels = Arc<BTreeMap<String, Assembled>>;
