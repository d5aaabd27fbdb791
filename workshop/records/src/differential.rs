//! `workshop differential`: random kernels on the simulator and on a GPU.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Random kernels on the simulator and on a GPU, their outputs compared byte for byte.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Differential {
    /// Selects the kernels.
    pub seed: u64,
    /// Kernels in all.
    pub kernels: usize,
    /// Kernels that are neither equal nor refused by name.
    pub mismatches: usize,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Seconds of compilation, summed over the child processes.
    pub compile_seconds: f64,
    /// By family.
    pub families: Vec<FamilyRow>,
    /// Instructions that the simulator says it lacks, and how many kernels need each.
    pub not_simulated: BTreeMap<String, usize>,
    /// Every kernel that did not give the same bytes.
    pub failures: Vec<Failure>,
    /// Every kernel on which the compiler crashed or its optimizer changed the result.
    pub compiler_faults: Vec<Failure>,
}

/// One family of kernels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FamilyRow {
    /// Its name.
    pub family: String,
    /// Kernels run.
    pub kernels: usize,
    /// The same bytes.
    pub same: usize,
    /// Other bytes.
    pub differ: usize,
    /// Other bytes only from optimized machine code, or no machine code at all: the compiler's fault.
    pub compiler: usize,
    /// Refused by the simulator by name.
    pub not_simulated: usize,
    /// Findings where nothing is wrong.
    pub found: usize,
    /// Did not compile or run.
    pub failed: usize,
}

/// A kernel to look at: `--seed S --only INDEX` repeats it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Its number.
    pub index: u64,
    /// Its family.
    pub family: String,
    /// Its outcome.
    pub outcome: Outcome,
}

/// The outcome of one kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The same bytes.
    Same,
    /// Other bytes.
    Differs(Difference),
    /// Other bytes, but the same ones from the machine code that the assembler makes of the same PTX without
    /// optimizing: its optimizer changes what the PTX says.
    Optimizer(Difference),
    /// The compiler itself crashed on it.
    NotCompiled(String),
    /// The simulator says by name that it lacks an instruction.
    NotSimulated(String),
    /// The simulator found a fault in a kernel that has none.
    Found(String),
    /// It did not compile, the GPU refused it, or it never ended.
    Failed(String),
}

impl Outcome {
    /// Whether it is neither right nor honestly refused, and the compiler is not to blame.
    pub fn is_mismatch(&self) -> bool {
        matches!(self, Self::Differs(_) | Self::Found(_) | Self::Failed(_))
    }
}

/// The first element that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// Its place: `thread 3, result 1`.
    pub place: String,
    /// The word that the simulator computed.
    pub simulated: String,
    /// The word of the GPU, or of the simulator on several threads.
    pub other: String,
    /// Words that differ in all.
    pub words: usize,
    /// The inputs of that thread.
    pub inputs: Vec<String>,
}
