//! Cells of a CSV file. Spreadsheets run a cell that begins like a formula, so text from a submission never does.

use cuda::text::clean;

use crate::Error;

/// Text in a cell: harmless characters on one line, and a `'` in front of what a spreadsheet would take for a formula.
pub fn text(text: &str) -> String {
    let line = clean(text).replace(['\n', '\t'], " ");
    let formula = line.trim_start().starts_with(['=', '+', '-', '@', '|', '%', '＝', '＋', '－', '＠']);
    // A number is no formula.
    if formula && line.trim().parse::<f64>().is_err() { format!("'{line}") } else { line }
}

/// A number of points in a cell.
pub fn number(value: f64) -> String {
    crate::result::points(value)
}

/// The file of these lines.
pub fn file(lines: impl IntoIterator<Item = Vec<String>>) -> Result<Vec<u8>, Error> {
    let failed =
        |error: &dyn std::fmt::Display| Error::Environment(format!("failed to write a CSV file: {error}"));
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    for line in lines {
        writer.write_record(&line).map_err(|error| failed(&error))?;
    }
    writer.into_inner().map_err(|error| failed(&error))
}
