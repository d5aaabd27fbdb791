//! Printing reports to stdout. A closed pipe is not an error.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use crate::exit::Stop;

/// Prints text.
pub fn text(text: &str) -> Result<(), Stop> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Stop::environment(format!("failed to print the report: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints JSON.
pub fn json(value: &impl Serialize) -> Result<(), Stop> {
    let json = serde_json::to_string_pretty(value)
        .map_err(|error| Stop::environment(format!("failed to write the report as JSON: {error}")))?;
    text(&format!("{json}\n"))
}

/// Writes a data file that is to be committed.
pub fn json_file(path: &Path, value: &impl Serialize) -> Result<(), Stop> {
    let json = serde_json::to_string_pretty(value)
        .map_err(|error| Stop::environment(format!("failed to write the data as JSON: {error}")))?;
    std::fs::write(path, json + "\n")
        .map_err(|error| Stop::environment(format!("failed to write `{}`: {error}", path.display())))
}
