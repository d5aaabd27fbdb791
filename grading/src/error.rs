//! Why grading stops without a result.

/// The reason, for the person at the terminal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The command line, the roster or the submissions folder is wrong.
    #[error("{0}")]
    Usage(String),
    /// The machine lacks something: room on the disk, a right, a process.
    #[error("{0}")]
    Environment(String),
}

impl Error {
    /// An error of the machine, at this path.
    pub fn at(doing: &str, path: &std::path::Path, error: &std::io::Error) -> Self {
        Self::Environment(format!("failed to {doing} `{}`: {error}", path.display()))
    }
}
