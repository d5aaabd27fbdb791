//! The committed measurements in `book/data/`.

use std::fmt::Write as _;
use std::path::Path;

use records::{Content, Contents, Provenance};

use crate::files::{entries, file_name, has_ending};
use crate::markdown::prose;

/// A committed file of measurements.
#[derive(Debug)]
pub struct Data {
    /// `matrix-h200.json`
    pub name: String,
    /// Where its figures come from.
    pub provenance: Provenance,
    /// Its figures.
    pub contents: Contents,
}

/// Every JSON file of the folder, by name.
pub fn load(folder: &Path) -> anyhow::Result<Vec<Data>> {
    let paths = entries(folder)?;
    let files = paths.iter().filter(|path| has_ending(path, "json")).map(|path| {
        let (provenance, contents) = records::load(path)?;
        Ok(Data { name: file_name(path), provenance, contents })
    });
    files.collect()
}

/// The tables of each file of one kind, below its provenance; empty if there is no such file.
pub fn tables<C: Content>(data: &[Data], table: impl Fn(&C) -> Option<String>) -> String {
    let tables = data.iter().filter_map(|file| {
        let table = table(file.contents.get()?)?;
        Some(format!("{}{table}", provenance(file)))
    });
    tables.collect::<Vec<_>>().join("\n")
}

/// The machine, the day and the command of a file.
pub fn provenance(file: &Data) -> String {
    let Provenance { gpu, cpu, driver, compiler, date, command, what: _ } = &file.provenance;
    let driver = driver.as_ref().map(|driver| format!("driver {driver}"));
    let parts = [gpu, cpu, &driver, compiler, date];
    let parts: Vec<String> = parts.into_iter().flatten().map(|part| prose(part)).collect();
    let mut out = parts.join(", ");
    let end = if out.is_empty() { "" } else { "; " };
    let _ = write!(out, "{end}`book/data/{}`, written by `{command}`.\n\n", file.name);
    out
}
