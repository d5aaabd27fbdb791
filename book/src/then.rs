//! The experiments of the five reports beside the same experiments on an H200, one piece per experiment, for the chapters of the
//! labs.

use std::fmt::Write as _;

use judge::numbers::significant;
use records::Papers;
use records::papers::{Both, Claim, Experiment, Paper, Verdict};

use crate::data::Data;
use crate::markdown::{Align, capital, prose, table};
use crate::page::Page;

/// The reports whose experiments were measured.
pub fn measured(data: &[Data]) -> impl Iterator<Item = &Paper> {
    let files = data.iter().filter_map(|file| file.contents.get::<Papers>());
    files.flat_map(|reports| &reports.reports).filter(|report| report.is_measured())
}

/// The experiments on which pieces are made: pictures of different sizes and numbers of colours go together.
fn families(report: &Paper) -> Vec<(String, Vec<&Experiment>)> {
    let mut found: Vec<(String, Vec<&Experiment>)> = Vec::new();
    for experiment in &report.experiments {
        let name = family(&experiment.name);
        match found.iter_mut().find(|(known, _)| known == name) {
            Some((_, experiments)) => experiments.push(experiment),
            None => found.push((name.to_owned(), vec![experiment])),
        }
    }
    found
}

/// `darken` of `darken-img04`, `colours` of `5-colours-640x426`.
fn family(name: &str) -> &str {
    let words: Vec<&str> = name.split('-').collect();
    words.iter().copied().find(|word| word.chars().all(char::is_alphabetic)).unwrap_or(name)
}

/// `then-R0-grayscale.md`, and so on.
pub fn pieces(data: &[Data]) -> Vec<Page> {
    let mut pages = Vec::new();
    for report in measured(data) {
        for (name, experiments) in families(report) {
            let text = piece(report, &experiments);
            pages.push(Page { name: format!("then-{}-{name}.md", report.id), text });
        }
    }
    pages
}

fn piece(report: &Paper, experiments: &[&Experiment]) -> String {
    let mut out = format!("*{}, on {}; today on {}.*\n", report.title, report.hardware, report.gpu);
    let several = experiments.len() > 1;
    let rows: Vec<Vec<String>> = experiments
        .iter()
        .flat_map(|experiment| {
            experiment.rows.iter().map(|row| {
                let ours = row.ours.as_deref().unwrap_or_default();
                let ours = match ours {
                    "sequential" | "parallel" => format!("{ours} reference, on a CPU"),
                    rung => format!("`{rung}`"),
                };
                let mut cells = if several { vec![format!("`{}`", experiment.name)] } else { Vec::new() };
                cells.extend([prose(&row.label), ours]);
                cells.extend([
                    time(row.ms.published, row.before.published),
                    time(row.ms.here, row.before.here),
                ]);
                cells
            })
        })
        .collect();
    if !rows.is_empty() {
        let columns = [
            ("experiment", Align::Left),
            ("in the report", Align::Left),
            ("here", Align::Left),
            ("then, ms (step)", Align::Right),
            ("today, ms (step)", Align::Right),
        ];
        let _ = write!(out, "\n{}", table(if several { &columns } else { &columns[1..] }, &rows));
    }
    let claims: Vec<Vec<String>> = experiments
        .iter()
        .flat_map(|experiment| experiment.claims.iter().map(|claim| self::claim(experiment, claim)))
        .collect();
    if !claims.is_empty() {
        let columns = [
            ("experiment", Align::Left),
            ("the report says", Align::Left),
            ("today that", Align::Left),
            ("today, ms", Align::Left),
        ];
        let _ = write!(out, "\n{}", table(&columns, &claims));
    }
    out
}

fn time(ms: Option<f64>, step: Option<f64>) -> String {
    let step = step.map_or_else(String::new, |step| format!(" ({}×)", significant(step)));
    ms.map_or_else(String::new, |ms| format!("{}{step}", significant(ms)))
}

fn claim(experiment: &Experiment, claim: &Claim) -> Vec<String> {
    let times = claim.times.iter().map(|(rung, ms)| format!("`{rung}` {}", significant(*ms)));
    let verdict = match claim.verdict {
        Some(Verdict::Holds) => "holds",
        Some(Verdict::TooClose) => "is too close to tell",
        Some(Verdict::DoesNotHold) => "does not hold",
        None => "was not tried",
    };
    vec![
        format!("`{}`", experiment.name),
        capital(&prose(&claim.text)),
        verdict.to_owned(),
        times.collect::<Vec<_>>().join(", "),
    ]
}

/// A published figure and ours, for pictures.
pub fn both(figures: Both) -> Option<[f64; 2]> {
    Some([figures.published?, figures.here?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_is_the_word_in_a_name() {
        assert_eq!(
            ["darken-img04", "5-colours-640x426", "grayscale"].map(family),
            ["darken", "colours", "grayscale"]
        );
    }
}
