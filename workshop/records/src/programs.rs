//! `workshop programs`: the simulator's test programs.

use serde::{Deserialize, Serialize};

/// The simulator's test programs: outputs and findings beside what their headers say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Programs {
    /// Where they ran: `simulator and NVIDIA H200`.
    pub engine: String,
    /// Program by program.
    pub programs: Vec<Program>,
}

/// One program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// `topic/name`
    pub program: String,
    /// What it tests.
    pub about: String,
    /// The findings that its header names.
    pub expected: Vec<String>,
    /// The findings of the simulator.
    pub found: Vec<String>,
    /// Whether all is as its header says.
    pub right: bool,
    /// What is wrong, or why it does not count yet.
    pub remark: String,
    /// Whether it does not count yet.
    pub pending: bool,
    /// The GPU's outcome, where it ran on one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gpu: Option<String>,
    /// The outcome under compute-sanitizer, where it ran under it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sanitizer: Option<Sanitized>,
}

/// One program under compute-sanitizer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sanitized {
    /// Which of its tools.
    pub tool: String,
    /// Errors, hazards and warnings that it counts; absent if it did not get that far.
    pub count: Option<u64>,
    /// The program's lines that it names, in order.
    pub lines: Vec<u32>,
    /// What went wrong, or the first thing it says.
    pub said: String,
}
