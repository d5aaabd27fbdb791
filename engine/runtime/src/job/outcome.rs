//! What a call leaves.

use serde::{Deserialize, Serialize};

use crate::engine::{EngineError, Step};
use crate::finding::Finding;

/// A host function that ran to its end or to its first fault.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// By call, the bytes of each output; sent apart. Calls that a fault ended are missing.
    #[serde(skip)]
    pub outputs: Vec<Vec<Vec<u8>>>,
    /// Outputs that hold after the first call what they held before it.
    pub unwritten: Vec<String>,
    /// Faults and remarks.
    pub findings: Vec<Finding>,
    /// What the student's code printed, host and kernels, as far as this process sees it.
    pub printed: String,
    /// What was counted, where the engine counts.
    #[serde(skip)]
    pub work: Vec<Step>,
}

impl Outcome {
    /// Whether any finding makes the case fail.
    pub fn has_error(&self) -> bool {
        self.findings.iter().any(Finding::is_error)
    }
}

/// Why a call has no outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Failure {
    /// A kernel broke the GPU's context.
    #[error("the GPU reports error {code}, {message}")]
    Crashed {
        /// Number of the `cudaError_t`.
        code: i32,
        /// What the driver calls it.
        message: String,
    },
    /// It did not end in time.
    #[error("it did not finish within {seconds} s")]
    Deadline {
        /// The time it had.
        seconds: u64,
    },
    /// The worker process ended in the middle of it.
    #[error("the process that runs the kernels ended ({status})")]
    Died {
        /// How it ended.
        status: String,
    },
    /// Not the student's doing.
    #[error("{0}")]
    Broken(String),
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Crashed { code, message } => Self::Crashed { code, message },
            EngineError::Refused { .. } | EngineError::Broken(_) => Self::Broken(error.to_string()),
        }
    }
}
