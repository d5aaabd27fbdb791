//! Lines of a source, with findings below them.

use cuda::text::clean;
use serde::Serialize;

use crate::result::{Costs, Finding};

/// Lines before and after a finding.
const AROUND: usize = 2;
/// Lines of a file that a page shows at most.
const MOST: usize = 3000;
/// Characters of a line that a page shows at most.
const WIDEST: usize = 400;

/// A line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// From 1.
    pub number: usize,
    /// Its text.
    pub text: String,
    /// Whether a finding is here.
    pub hit: bool,
    /// What is said about it.
    pub notes: Vec<String>,
    /// What it costs, if that is known.
    pub cost: Option<Cost>,
}

/// What a line costs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// Per cent of the kernels' time.
    pub share: String,
    /// How strong its colour is, from 0 to 1.
    pub heat: String,
    /// Why, and what to try.
    pub why: Vec<String>,
}

/// All lines of a text, as a page shows them.
pub fn lines(text: &str) -> Vec<Row> {
    let row = |(index, line): (usize, &str)| Row {
        number: index + 1,
        text: clean(&line.trim_end_matches('\r').chars().take(WIDEST).collect::<String>()),
        hit: false,
        notes: Vec::new(),
        cost: None,
    };
    text.split('\n').take(MOST).enumerate().map(row).collect()
}

/// The file with all findings and costs at their lines.
pub fn annotated(all: &[Row], findings: &[Finding], costs: &[Costs]) -> Vec<Row> {
    let mut rows = all.to_vec();
    // A line that several tasks use shows the largest of its costs.
    let mut lines: Vec<&crate::result::Cost> = costs.iter().flat_map(|task| &task.lines).collect();
    lines.sort_by(|one, other| one.share.total_cmp(&other.share));
    for line in lines {
        let Some(row) = (line.line as usize).checked_sub(1).and_then(|at| rows.get_mut(at)) else { continue };
        let percent = 100.0 * line.share;
        row.cost = Some(Cost {
            share: if percent < 10.0 { format!("{percent:.1}") } else { format!("{percent:.0}") },
            // The root, so that lines of a few per cent are seen too.
            heat: format!("{:.2}", 0.75 * line.share.clamp(0.0, 1.0).sqrt()),
            why: line.why.iter().map(|why| clean(why)).collect(),
        });
    }
    for finding in findings {
        mark(&mut rows, finding.line, format!("{}: {}", finding.code, finding.message));
    }
    rows
}

/// The lines round a finding and round the other lines that it names.
pub fn around(all: &[Row], finding: &Finding) -> Vec<Row> {
    let mut rows = all.to_vec();
    mark(&mut rows, finding.line, String::new());
    for label in &finding.labels {
        mark(&mut rows, Some(label.line), label.text.clone());
    }
    let hits: Vec<usize> = rows.iter().filter(|row| row.hit).map(|row| row.number).collect();
    rows.retain(|row| hits.iter().any(|hit| hit.abs_diff(row.number) <= AROUND));
    rows
}

fn mark(rows: &mut [Row], line: Option<u32>, note: String) {
    let Some(row) = line.and_then(|line| rows.get_mut((line as usize).checked_sub(1)?)) else { return };
    row.hit = true;
    row.notes.extend(Some(note).filter(|note| !note.is_empty()));
}
