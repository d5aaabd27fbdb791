//! The figures that the five reports published, from the file that `workshop reports` compares with.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;
use records::published::{Experiment, Published, Reference, Row};

use crate::files::read;
use crate::markdown::{Align, capital, prose, table};

/// Where the published figures stand.
const FILE: &str = "workshop/src/papers/published.json";

/// The page of published figures.
pub fn page(root: &Path) -> anyhow::Result<String> {
    let published: Published = serde_json::from_str(&read(&root.join(FILE))?)
        .with_context(|| format!("`{FILE}` is not of the form that `workshop reports` reads"))?;
    let mut out = "# The five reports\n\nThe labs come from five reports of students, who solved such tasks on GPUs \
                   of their time. These are their published figures. `workshop reports` repeats the experiments \
                   and prints both figures and their ratio:\n\n```sh\ncargo run --release -p workshop -- reports R0\n```\n\n"
        .to_owned();
    let _ = writeln!(out, "All figures are in `{FILE}`.");
    for report in &published.reports {
        let _ =
            writeln!(out, "\n## {}: {}\n\nHardware: {}.", report.id, report.title, prose(&report.hardware));
        for experiment in &report.experiments {
            out += &one(experiment);
        }
    }
    Ok(out)
}

fn one(experiment: &Experiment) -> String {
    let mut out = format!("\n### `{}`\n\n{}", experiment.name, capital(&prose(&experiment.what)));
    let _ = write!(out, "; {}.", prose(&experiment.source));
    if !experiment.note.is_empty() {
        let _ = write!(out, " *{}.*", capital(&prose(&experiment.note)));
    }
    out += "\n\n";
    if !experiment.rows.is_empty() {
        out += &figures(&experiment.rows);
    }
    for claim in &experiment.claims {
        let _ = writeln!(out, "- {}", capital(&prose(&claim.text)));
    }
    out
}

fn figures(rows: &[Row]) -> String {
    let columns = [
        ("published as", Align::Left),
        ("here", Align::Left),
        ("ms", Align::Right),
        ("times the row before", Align::Right),
        ("times the first", Align::Right),
    ];
    let times = |from: usize, to: usize| format!("{:.2}", rows[from].ms / rows[to].ms);
    let cells = rows.iter().enumerate().map(|(index, row)| {
        let here = match (&row.rung, row.reference) {
            (Some(rung), _) => format!("`{rung}`"),
            (None, Some(Reference::Sequential)) => "the sequential reference".to_owned(),
            (None, Some(Reference::Parallel)) => "the parallel reference".to_owned(),
            (None, None) => String::new(),
        };
        let before = index.checked_sub(1).map_or(String::new(), |before| times(before, index));
        let first = if index == 0 { String::new() } else { times(0, index) };
        vec![prose(&row.label), here, format!("{:?}", row.ms), before, first]
    });
    table(&columns, &cells.collect::<Vec<_>>())
}
