//! Errors in the checker's own lines after the student's text: the host functions that they are about.

use cuda::diagnostics::{Diagnostic, Severity};
use kernels::{ENTRY_FILE, Entry, explain_entry_errors};
use lab::Task;

/// A task whose host function is missing or has another signature.
pub struct Blame {
    /// Index among the tasks.
    pub task: usize,
    /// Whether the function is missing.
    pub missing: bool,
    /// The fault in words.
    pub message: String,
}

/// The tasks that the errors of a pass are about; `None` if an error is about anything else. `tasks` are in the order of
/// the entries.
pub fn blame(diagnostics: &[Diagnostic], tasks: &[&dyn Task]) -> Option<Vec<Blame>> {
    let errors: Vec<&Diagnostic> =
        diagnostics.iter().filter(|error| error.severity == Severity::Error).collect();
    if errors.iter().any(|error| error.file != ENTRY_FILE) {
        return None;
    }
    let mut blamed = Vec::new();
    for (index, task) in tasks.iter().enumerate() {
        let own: Vec<(u32, &str)> = errors
            .iter()
            .filter(|error| error.line as usize == index + 1)
            .map(|error| (1, error.message.as_str()))
            .collect();
        if own.is_empty() {
            continue;
        }
        let message = explain_entry_errors(&[entry(*task)], &own).into_iter().next()?;
        if !message.contains(&format!("`{}`", task.name())) {
            // The error is about the end of the file, not about a function.
            return None;
        }
        let missing = message.contains("defines no function");
        blamed.push(Blame { task: index, missing, message });
    }
    (!blamed.is_empty()).then_some(blamed)
}

/// The entry point of a task's host function.
pub fn entry(task: &dyn Task) -> Entry<'_> {
    Entry { function: task.name(), parameters: task.parameters() }
}
