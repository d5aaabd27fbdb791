//! The four exit codes, and the two kinds of error that end a run without a verdict.

use std::process::ExitCode;

/// Everything that was checked is right.
pub const PASSED: u8 = 0;
/// Something that was checked is wrong.
pub const FAILED: u8 = 1;
/// The command line asks for something that does not exist.
pub const USAGE: u8 = 2;
/// The machine lacks something that the checker needs, or the checker itself is broken.
pub const ENVIRONMENT: u8 = 3;

/// The lines of `--help` about exit codes.
pub const HELP: &str = "\
Exit codes:
  0  passed: every case right, no error-level finding
  1  failed: the file does not compile, a case is wrong, or there is an error-level finding
  2  wrong usage: an unknown lab, option, GPU or file
  3  broken environment: no compiler, no GPU with `--engine gpu`, or a fault of the checker";

/// In the description of a process that was killed.
pub const KILLED: &str = "(SIGKILL)";

/// Why there is no verdict. Students read the message.
#[derive(Debug, thiserror::Error)]
pub enum Stop {
    /// The command line is wrong.
    #[error("{0}")]
    Usage(String),
    /// The machine lacks something, or the checker is at fault.
    #[error("{0:#}")]
    Environment(#[from] anyhow::Error),
}

impl Stop {
    /// An environment error with this message.
    pub fn environment(message: impl Into<String>) -> Self {
        Self::Environment(anyhow::Error::msg(message.into()))
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => USAGE,
            Self::Environment(_) => ENVIRONMENT,
        }
    }
}

impl From<grading::Error> for Stop {
    fn from(error: grading::Error) -> Self {
        match error {
            grading::Error::Usage(text) => Self::Usage(text),
            grading::Error::Environment(text) => Self::environment(text),
        }
    }
}

/// The exit code of a verdict.
pub fn verdict(passed: bool) -> ExitCode {
    ExitCode::from(if passed { PASSED } else { FAILED })
}
