//! A place of a source that cannot be read, as the student is told of it.

/// A launch that the rewriter cannot parse.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct RewriteError {
    /// Line from 1.
    pub line: u32,
    /// Column from 1, in characters.
    pub column: u32,
    /// The error, and the correct form.
    pub message: String,
    /// What to try.
    pub hint: &'static str,
}

/// What to try if a launch cannot be parsed.
const FORM: &str = "write the launch as `kernel<<<grid, block>>>(arguments);`";

impl RewriteError {
    /// An error at a byte offset.
    pub(crate) fn at(source: &str, offset: usize, message: impl Into<String>) -> Self {
        let before = &source[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: before.matches('\n').count() as u32 + 1,
            column: before[line_start..].chars().count() as u32 + 1,
            message: message.into(),
            hint: FORM,
        }
    }
}
