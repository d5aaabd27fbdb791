//! A bound on the memory that a short text may ask for.

use super::super::error::ParseError;
use super::cursor::error_at;

/// Registers and zero-filled elements that a module may declare without writing each out. The largest
/// kernels that compilers emit name some hundred thousand registers.
const ELEMENTS: u64 = 1 << 20;

/// The number of further declarations.
pub(super) struct Budget {
    left: u64,
}

impl Budget {
    /// A full budget, for one module.
    pub fn new() -> Self {
        Self { left: ELEMENTS }
    }

    /// Takes `count` elements for `what`, which stands at `line`.
    pub fn take(&mut self, count: u64, what: &str, line: u32) -> Result<(), ParseError> {
        self.left = self.left.checked_sub(count).ok_or_else(|| {
            let message =
                format!("expected at most {ELEMENTS} registers and initial values in all, found {count} more for {what}");
            error_at(line, message)
        })?;
        Ok(())
    }
}
