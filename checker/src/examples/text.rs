//! The report on an example: at most 25 lines.

use std::fmt::Write as _;

use colored::Colorize;

use super::cell::cell;
use super::column::Column;
use super::example::Example;
use super::run::{Ran, Tried};
use crate::pages;
use crate::render;
use judge::numbers::{grouped, significant};
use judge::setup::{Engine, Setup};
use judge::wrap::{hanging, shortened, width};
use runtime::finding::{Finding, Severity};

/// Findings that are shown, the most severe first.
const FINDINGS: usize = 2;

/// The list of all examples.
pub fn list(examples: &[Example]) -> String {
    let mut out = format!("{}\n", "The examples of the book; run one with `checker try NAME`".bold());
    for example in examples {
        let _ = writeln!(out, "{}", hanging(&format!("  {:14} ", example.name), &example.about));
    }
    out
}

/// The report.
pub fn text(example: &Example, setup: &Setup, tried: &Tried) -> String {
    let mut out = format!("{}\n", hanging(&format!("{}: ", example.name), &example.about).bold());
    match tried {
        Tried::Refused(findings) => {
            out.push('\n');
            out += render::findings(findings, &[&example.file]).trim_end();
            out.push('\n');
        }
        Tried::Ran(variants) => {
            let _ = writeln!(out, "{}\n", about_the_run(example, setup, variants));
            out += &table(example, variants);
            out += &findings(example, variants);
        }
    }
    out
}

fn about_the_run(example: &Example, setup: &Setup, variants: &[Ran]) -> String {
    let counted = format!("counted on {} elements by the simulator", grouped(example.elements));
    if example.columns.iter().all(|column| column.is_counted()) {
        return hanging("", &counted);
    }
    let large = grouped((example.elements as f64 * example.scale) as u64);
    let measured = match &setup.engine {
        Engine::Gpu(device) if variants.iter().any(|ran| ran.gpu_seconds.is_some()) => {
            format!("; measured on this machine: {}", device.name)
        }
        _ => String::new(),
    };
    let gpu = setup.simulated_gpu().title;
    hanging("", &format!("{counted}; times predicted for {large} on this GPU: {gpu}{measured}"))
}

/// A row per variant, a column per figure.
fn table(example: &Example, variants: &[Ran]) -> String {
    let measured = variants.iter().any(|ran| ran.gpu_seconds.is_some());
    let mut heading = vec!["variant".to_owned(), "result".to_owned()];
    heading.extend(example.columns.iter().map(|column| column.title().to_owned()));
    heading.extend(measured.then(|| "measured".to_owned()));
    let mut rows = vec![heading];
    for ran in variants {
        let result = if ran.wrong.is_some() { "WRONG" } else { "right" };
        let mut row = vec![ran.function.clone(), result.to_owned()];
        let figure = |column: &Column| ran.measured.as_ref().map_or("–".to_owned(), |of| cell(*column, of));
        row.extend(example.columns.iter().map(figure));
        if measured {
            let ms = |seconds: f64| format!("{} ms", significant(1e3 * seconds));
            row.push(ran.gpu_seconds.map_or("–".to_owned(), ms));
        }
        rows.push(row);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let mut out = String::new();
    for row in &rows {
        let mut line = String::from(" ");
        for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let space = " ".repeat(width - cell.chars().count());
            let (before, after) = if index < 2 { ("", space.as_str()) } else { (space.as_str(), "") };
            let _ = write!(line, " {before}{cell}{after} ");
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    let wrong = variants.iter().filter_map(|ran| Some((&ran.function, ran.wrong.as_ref()?)));
    for (index, (function, reason)) in wrong.enumerate() {
        let before = if index == 0 { "\n" } else { "" };
        let _ = writeln!(out, "{before}{}", hanging(&format!("{function}: "), reason));
    }
    out
}

/// The findings, one of each code, in three lines each: what, where and in which variants, what to read.
fn findings(example: &Example, variants: &[Ran]) -> String {
    let mut all: Vec<(&Finding, Vec<&str>)> = Vec::new();
    for ran in variants {
        for finding in &ran.findings {
            match all.iter_mut().find(|(known, _)| known.code == finding.code) {
                None => all.push((finding, vec![&ran.function])),
                Some((known, found_in)) if known.line == finding.line => found_in.push(&ran.function),
                Some(_) => {}
            }
        }
    }
    all.sort_by_key(|(finding, _)| std::cmp::Reverse(finding.severity));
    let mut out = String::new();
    for (finding, found_in) in all.iter().take(FINDINGS) {
        let severity = match finding.severity {
            Severity::Error => "error".red(),
            Severity::Warning => "warning".yellow(),
            Severity::Note => "note".cyan(),
        };
        let title = format!("{}[{}]: ", severity.clone().clear(), finding.code);
        let text = hanging(&title, &finding.message);
        let rest: String = text.chars().skip(title.chars().count()).collect();
        let _ = writeln!(out, "\n{severity}[{}]: {rest}", finding.code);
        let line =
            finding.line.and_then(|line| Some((line, example.file.text.lines().nth(line as usize - 1)?)));
        if let Some((line, code)) = line {
            let place = format!("  line {line}, in {}: ", found_in.join(", "));
            let room = width().saturating_sub(place.chars().count()).max(20);
            let _ = writeln!(out, "{place}{}", shortened(code.trim(), room).bold());
        }
        if let Some(command) = pages::command_for(&finding.code) {
            let _ = writeln!(out, "  read: {command}");
        }
    }
    let more = all.len().saturating_sub(FINDINGS);
    if more > 0 {
        let findings = if more == 1 { "finding" } else { "findings" };
        let _ = writeln!(out, "\n… and {more} more {findings}");
    }
    out
}
