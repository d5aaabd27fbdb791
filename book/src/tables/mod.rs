//! Tables of the committed measurements in `book/data/`.

pub mod bench;
mod comparison;
mod limits;
pub mod matrix;
pub mod model;
pub mod other;
mod references;
pub mod reports;
pub mod scores;

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;
use serde_json::Value;

use crate::generate::{entries, file_name, has_ending, read};
use crate::markdown::prose;

/// A committed file of measurements.
#[derive(Debug)]
pub struct Data {
    /// `matrix-h200.json`
    pub name: String,
    /// What it holds.
    pub value: Value,
}

/// Every JSON file of the folder, by name.
pub fn load(folder: &Path) -> anyhow::Result<Vec<Data>> {
    let mut data = Vec::new();
    for path in entries(folder)?.iter().filter(|path| has_ending(path, "json")) {
        let value = serde_json::from_str(&read(path)?)
            .with_context(|| format!("`{}` is not valid JSON", path.display()))?;
        data.push(Data { name: file_name(path), value });
    }
    Ok(data)
}

/// The measured tables of one lab's ladder; empty if there are none.
pub fn of_lab(data: &[Data], lab: &str) -> String {
    let tables = data.iter().filter_map(|file| {
        let table = matrix::tables(&file.value, Some(lab))?;
        Some(format!("{}{table}", provenance(file)))
    });
    tables.collect::<Vec<_>>().join("\n")
}

/// The page of all measurements.
pub fn page(data: &[Data]) -> String {
    let mut out =
        "# Measurements\n\nEvery table here is made from a file in `book/data/` that a command wrote on \
                   the machine it names. No figure is typed by hand. Two pages hold \
                   more: [other libraries](peers.md) and [scores](scores.md).\n"
            .to_owned();
    for file in data.iter().filter(|file| !has_its_own_page(file)) {
        let (title, table) = described(file);
        let _ = write!(out, "\n## {title}\n\n{}{table}", provenance(file));
    }
    out
}

/// The page of our solutions beside other libraries.
pub fn peers_page(data: &[Data]) -> String {
    let mut out = "# Our solutions beside other libraries\n\nThe fastest rungs of the ladders, and what NVIDIA's \
                   and others' libraries take for the same pictures on the same GPU in the same run.\n\n```sh\ncargo run \
                   --release -- bench\n```\n\n"
        .to_owned();
    let tables = of_kind(data, bench::tables);
    out += if tables.is_empty() { "This checkout holds no such measurement yet.\n" } else { &tables };
    out
}

/// The page of how far scores can be trusted.
pub fn scores_page(data: &[Data]) -> String {
    let mut out =
        "# What a score is worth\n\n## Scored again\n\nThe same file, scored again and again on one \
                   GPU.\n\n```sh\ncargo run --release -- dev repeat lab1 --solution\n```\n\n"
            .to_owned();
    let none = "This checkout holds no such measurement yet.\n";
    let repeated = of_kind(data, scores::repeated);
    out += if repeated.is_empty() { none } else { &repeated };
    out += "\n## With a GPU and without\n\nEvery rung with measured and with predicted times. The scales are the \
            same; a predicted speedup is over the CPU that the lab names, a measured one over that of the machine with \
            the GPU.\n\n```sh\ncargo run --release -- dev scores\n```\n\n";
    let compared = of_kind(data, scores::compared);
    out += if compared.is_empty() { none } else { &compared };
    out
}

/// The tables of all files of a kind, each below where it came from.
fn of_kind(data: &[Data], table: fn(&Value) -> Option<String>) -> String {
    let all = data.iter().filter_map(|file| Some(format!("{}{}", provenance(file), table(&file.value)?)));
    all.collect::<Vec<_>>().join("\n")
}

fn has_its_own_page(file: &Data) -> bool {
    [bench::tables, scores::repeated, scores::compared].iter().any(|table| table(&file.value).is_some())
}

/// Heading and tables of a file, by what it holds.
fn described(file: &Data) -> (String, String) {
    let value = &file.value;
    if let Some(tables) = matrix::tables(value, None) {
        return (format!("Ladders: {}", matrix::labs(value).join(", ")), tables);
    }
    if let Some(table) = references::table_of(value) {
        return ("The CPU references beside OpenCV".into(), table);
    }
    if let Some(table) = comparison::counters(value) {
        return ("The simulator's counters beside the GPU's own".into(), table);
    }
    if let Some(table) = limits::limits(value) {
        return ("What keeps the last rungs busy".into(), table);
    }
    if let Some(table) = comparison::differential(value) {
        return ("Random kernels on the simulator and on the GPU".into(), table);
    }
    if let Some(table) = model::comparison(value) {
        return ("The timing model beside measured times".into(), table);
    }
    if let Some(table) = model::totals(value) {
        return ("What launches do, by the GPU's counters".into(), table);
    }
    if let Some(table) = model::times(value) {
        return ("Times that the timing model is held against".into(), table);
    }
    if let Some(table) = model::rates(value) {
        return ("What single operations cost".into(), table);
    }
    if let Some((title, tables)) = reports::beside_published(value) {
        return (title.into(), tables);
    }
    (format!("`{}`", file.name), other::tables(value))
}

/// Where, when and by which command a file was made.
pub fn provenance(file: &Data) -> String {
    let text = |key: &str| file.value[key].as_str().filter(|text| !text.is_empty());
    let mut parts = Vec::new();
    parts.extend(text("gpu").map(prose));
    parts.extend(text("cpu").map(prose));
    parts.extend(text("driver").map(|driver| format!("driver {driver}")));
    parts.extend(text("compiler").map(prose));
    parts.extend(text("date").map(prose));
    parts.push(format!("`book/data/{}`", file.name));
    let last = parts.len() - 1;
    let mut out = parts[..last].join(", ") + if last > 0 { "; " } else { "" } + &parts[last];
    if let Some(command) = text("command") {
        let _ = write!(out, ", made by `{command}`");
    }
    out + ".\n\n"
}

/// A number of a file; NaN if it is none.
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}
