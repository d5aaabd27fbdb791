//! The figures that the five reports published, from the file that `workshop reports` compares with.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;
use serde_json::Value;

use crate::generate::read;
use crate::markdown::{Align, capital, prose, table};

/// Where the published figures stand.
const FILE: &str = "workshop/src/papers/published.json";

/// The page of published figures.
pub fn page(root: &Path) -> anyhow::Result<String> {
    let published: Value = serde_json::from_str(&read(&root.join(FILE))?)
        .with_context(|| format!("`{FILE}` is not valid JSON"))?;
    let mut out = "# The five reports\n\nThe labs come from five reports of students, who solved such tasks on GPUs \
                   of their time. These are the figures they published. `workshop reports` runs the same experiments \
                   and prints its own beside them, ratio by ratio:\n\n```sh\ncargo run --release -- reports R0\n```\n\n"
        .to_owned();
    let _ = writeln!(out, "All of it is in `{FILE}`.");
    for report in published["reports"].as_array().into_iter().flatten() {
        let text = |key: &str| report[key].as_str().unwrap_or_default();
        let _ =
            writeln!(out, "\n## {}: {}\n\nHardware: {}.", text("id"), text("title"), prose(text("hardware")));
        for experiment in report["experiments"].as_array().into_iter().flatten() {
            out += &one(experiment);
        }
    }
    Ok(out)
}

fn one(experiment: &Value) -> String {
    let text = |key: &str| experiment[key].as_str().unwrap_or_default();
    let mut out = format!("\n### `{}`\n\n{}", text("name"), capital(&prose(text("what"))));
    let _ = write!(out, "; {}.", prose(text("source")));
    if !text("note").is_empty() {
        let _ = write!(out, " *{}.*", capital(&prose(text("note"))));
    }
    out += "\n\n";
    let rows = experiment["rows"].as_array().map_or(&[][..], Vec::as_slice);
    if !rows.is_empty() {
        out += &figures(rows);
    }
    for claim in experiment["claims"].as_array().into_iter().flatten() {
        let _ = writeln!(out, "- {}", capital(&prose(claim["text"].as_str().unwrap_or_default())));
    }
    out
}

fn figures(rows: &[Value]) -> String {
    let columns = [
        ("published as", Align::Left),
        ("here", Align::Left),
        ("ms", Align::Right),
        ("times the row before", Align::Right),
        ("times the first", Align::Right),
    ];
    let ms = |row: &Value| row["ms"].as_f64().unwrap_or(f64::NAN);
    let times = |from: &Value, to: &Value| format!("{:.2}", ms(from) / ms(to));
    let cells: Vec<Vec<String>> = rows
        .iter()
        .enumerate()
        .map(|(index, row)| {
            let here = match (row["rung"].as_str(), row["reference"].as_str()) {
                (Some(rung), _) => format!("`{rung}`"),
                (None, Some(reference)) => format!("the {reference} reference"),
                (None, None) => String::new(),
            };
            let label = prose(row["label"].as_str().unwrap_or_default());
            let before = index.checked_sub(1).map_or(String::new(), |before| times(&rows[before], row));
            let first = if index == 0 { String::new() } else { times(&rows[0], row) };
            vec![label, here, row["ms"].to_string(), before, first]
        })
        .collect();
    table(&columns, &cells)
}
