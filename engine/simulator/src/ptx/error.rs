//! The one error of this module.

/// A text that is not PTX as this parser knows it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the PTX: {message}")]
pub struct ParseError {
    /// Line of the text, from 1.
    pub line: u32,
    /// The expected and the actual text.
    pub message: String,
}
