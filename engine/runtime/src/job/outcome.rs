//! The results of a job, or why there are none.

use serde::{Deserialize, Serialize};

use crate::engine::{EngineError, Step};
use crate::finding::Finding;

/// The results of a host function that ran to its end or to its first fault.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// By call, the bytes of each output; sent separately. A call that a fault ended has none.
    #[serde(skip)]
    pub outputs: Vec<Vec<Vec<u8>>>,
    /// Outputs that the first call did not change.
    pub unwritten: Vec<String>,
    /// Faults and remarks.
    pub findings: Vec<Finding>,
    /// Text that the host function and the kernels printed, if this process sees it.
    pub printed: String,
    /// Whether the calls left other values in `__device__` variables than they found, so that a later call may differ; `false` where
    /// the engine cannot tell.
    pub kept: bool,
    /// The counted steps of the last call; empty if the engine does not count.
    #[serde(skip)]
    pub work: Vec<Step>,
}

impl Outcome {
    /// Whether any finding makes the case fail.
    pub fn has_error(&self) -> bool {
        self.findings.iter().any(Finding::is_error)
    }
}

/// Why a job has no outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Failure {
    /// A kernel broke the GPU's context.
    #[error("the GPU reports error {code}, {message}")]
    Crashed {
        /// Number of the `cudaError_t`.
        code: i32,
        /// The driver's message.
        message: String,
    },
    /// The call did not end in time.
    #[error("the call did not finish within {seconds} s")]
    Deadline {
        /// The limit.
        seconds: u64,
    },
    /// The worker process ended during the call.
    #[error("the process that runs the kernels ended ({status})")]
    Died {
        /// The process's exit status, and the last line that it printed.
        status: String,
    },
    /// The workbook or the machine is at fault, not the student's file.
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
