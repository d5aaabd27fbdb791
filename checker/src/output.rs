//! Printing reports to stdout. A closed pipe is not an error.

use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use judge::exit::Stop;

/// Asks this program to clear the screen before its first text: until then the text before it can be read.
pub const CLEAR: &str = "WORKBOOK_CLEAR_SCREEN";
/// The whole screen, and what was scrolled away.
const CLEARED: &str = "\x1b[2J\x1b[3J\x1b[H";
/// Whether some text was printed.
static BEGUN: AtomicBool = AtomicBool::new(false);

/// Prints text.
pub fn text(text: &str) -> Result<(), Stop> {
    let mut stdout = io::stdout().lock();
    let is_first = !BEGUN.swap(true, Ordering::Relaxed);
    let before = if is_first && std::env::var_os(CLEAR).is_some() { CLEARED } else { "" };
    match stdout
        .write_all(before.as_bytes())
        .and_then(|()| stdout.write_all(text.as_bytes()))
        .and_then(|()| stdout.flush())
    {
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
