//! The output of a command: printed, and written to a file.

use std::path::PathBuf;

use clap::Args;
use records::{Content, Record};

use checker::output;
use judge::exit::Stop;

/// Output as text or as JSON, and to a file.
#[derive(Debug, Clone, Default, Args)]
pub struct ResultOptions {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Write the JSON to this file too
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

impl ResultOptions {
    /// Writes the file, if one is asked for.
    pub fn write<C: Content>(&self, record: &Record<C>) -> Result<(), Stop> {
        self.out.as_ref().map_or(Ok(()), |out| output::json_file(out, record))
    }

    /// Prints the figures.
    pub fn print<C: Content>(&self, record: &Record<C>, text: impl FnOnce() -> String) -> Result<(), Stop> {
        if self.json { output::json(record) } else { output::text(&text()) }
    }
}
