//! The comparison as a person reads it.

use std::fmt::Write as _;

use colored::Colorize;

use records::Papers;
use records::papers::{Both, Claim, Experiment, Paper, Row, Verdict};

use judge::wrap::{hanging, shortened};

/// Columns of a row's label.
const LABEL: usize = 34;

/// The whole text.
pub fn text(comparison: &Papers) -> String {
    let parts: Vec<String> = comparison.reports.iter().map(report).collect();
    parts.join("\n")
}

fn report(report: &Paper) -> String {
    let mut out = format!("{}\n", format!("{}: {}", report.id, report.title).bold());
    let _ = writeln!(out, "published  {}", report.hardware);
    let engine = match &report.driver {
        Some(driver) => format!("{}, driver {driver}; times are measured", report.gpu),
        None => format!("simulator, as {}; {}", report.gpu, checker::render::predicted(&report.gpu)),
    };
    let _ = writeln!(out, "here       {engine}");
    let _ = writeln!(out, "compiler   {}", report.compiler);
    for one in &report.experiments {
        experiment(&mut out, one, &report.id);
    }
    out
}

fn experiment(out: &mut String, one: &Experiment, report: &str) {
    let size = one.size.map(|[width, height]| format!(", {width} × {height} here")).unwrap_or_default();
    let title = format!("{report}/{}: ", one.name);
    let words = format!("{} ({}); `{}` of {}{size}", one.what, one.source, one.task, one.lab);
    let _ = writeln!(out, "\n{}", hanging(&title, &words));
    if let Some(missing) = &one.missing {
        let _ = writeln!(out, "{}", hanging("  ", &format!("{missing}; published figures only")));
    }
    if !one.note.is_empty() {
        let _ = writeln!(out, "{}", hanging("  note: ", &one.note));
    }
    if !one.rows.is_empty() {
        let heads =
            format!("  {:LABEL$} {:^16} {:^21} {:^22}", "", "ms", "times the row before", "times the first");
        let _ = writeln!(out, "{}", heads.trim_end());
        let pair = format!("{:>8} {:>7}", "report", "here");
        let three = format!("{:>7} {:>6} {:>6}", "report", "here", "ratio");
        let _ = writeln!(out, "  {:LABEL$} {pair} {three} {three}", "");
    }
    for row in &one.rows {
        let _ = writeln!(out, "{}", line(row).trim_end());
    }
    for one in &one.claims {
        claim(out, one);
    }
}

fn line(row: &Row) -> String {
    let number = row.ours.as_deref().and_then(|name| name.split_once('_')).map(|(number, _)| number);
    let label = match number {
        Some(number) => format!("{} [{number}]", shortened(&row.label, LABEL - 5)),
        None => shortened(&row.label, LABEL),
    };
    let Both { published, here, .. } = row.ms;
    let mut out = format!("  {label:LABEL$} {:>8} {:>7}", as_published(published), milliseconds(here));
    for both in [row.before, row.first] {
        let _ = write!(out, " {:>7} {:>6} {:>6}", times(both.published), times(both.here), times(both.ratio));
    }
    if !row.right {
        out += "\n      its result here is WRONG: run `workshop verify`";
    }
    if let Some(missing) = &row.missing {
        let _ = write!(out, "\n      {missing}");
    }
    out
}

fn claim(out: &mut String, claim: &Claim) {
    let verdict = match claim.verdict {
        Some(Verdict::Holds) => "holds here".green(),
        Some(Verdict::TooClose) => "too close to tell here".normal(),
        Some(Verdict::DoesNotHold) => "does not hold here".yellow(),
        None => "not tried".normal(),
    };
    let _ = writeln!(out, "{}: {verdict}", hanging("  - ", &claim.text));
    let times = claim.times.iter().map(|(name, ms)| format!("{name} {} ms", milliseconds(Some(*ms))));
    let times = times.chain(claim.missing.clone()).collect::<Vec<_>>().join(", ");
    let _ = writeln!(out, "{}", hanging("    ", &times));
    if !claim.right {
        out.push_str("    a result here is WRONG: run `workshop verify`\n");
    }
}

/// With the digits that the report prints.
fn as_published(ms: Option<f64>) -> String {
    ms.map_or_else(|| "–".to_owned(), |ms| ms.to_string())
}

/// Four significant digits at the most.
fn milliseconds(ms: Option<f64>) -> String {
    match ms {
        None => "–".to_owned(),
        Some(ms) if ms >= 100.0 => format!("{ms:.1}"),
        Some(ms) if ms >= 10.0 => format!("{ms:.2}"),
        Some(ms) if ms >= 1.0 => format!("{ms:.3}"),
        Some(ms) => format!("{ms:.4}"),
    }
}

/// A ratio; nothing where the report has none.
fn times(ratio: Option<f64>) -> String {
    match ratio {
        None => String::new(),
        Some(ratio) if ratio >= 100.0 => format!("{ratio:.0}"),
        Some(ratio) if ratio >= 10.0 => format!("{ratio:.1}"),
        Some(ratio) => format!("{ratio:.2}"),
    }
}
