//! The five reports: their times beside ours.

use records::papers::Paper;

use crate::data::Data;
use crate::pictures::dots::{Row, dots};
use crate::then::{both, measured};

pub fn all(data: &[Data]) -> Vec<(String, String)> {
    let mut pictures = Vec::new();
    for report in measured(data) {
        let rows = times(report);
        if !rows.is_empty() {
            let title =
                format!("{} ({}): published, and the same idea on {}", report.title, report.id, report.gpu);
            let text = dots(&title, "milliseconds", &["published", "today"], &rows);
            pictures.push((format!("then-{}", report.id), text));
        }
        pictures.extend(colours(report).map(|text| (format!("then-{}", report.id), text)));
    }
    pictures
}

/// Published and measured times, CPU references too.
fn times(report: &Paper) -> Vec<Row> {
    let rows = report.experiments.iter().flat_map(|experiment| {
        experiment.rows.iter().filter_map(move |row| {
            let [then, today] = both(row.ms)?;
            let name = format!("{}: {}", experiment.name, row.label);
            Some(Row { name, values: vec![Some(then), Some(today)], note: String::new() })
        })
    });
    rows.collect()
}

/// Kernels of a report without figures, by number of colours: its statement names the fastest first.
fn colours(report: &Paper) -> Option<String> {
    let claims = report.experiments.iter().filter(|experiment| experiment.name.contains("colours"));
    let large: Vec<_> = claims.filter(|experiment| experiment.name.ends_with("3840x2160")).collect();
    let first = large.first()?.claims.first()?;
    let names: Vec<String> = large
        .iter()
        .map(|experiment| experiment.name.split('-').take(2).collect::<Vec<_>>().join(" "))
        .collect();
    let rows: Vec<Row> = first
        .times
        .iter()
        .map(|(rung, _)| {
            let of = |experiment: &&records::papers::Experiment| {
                let claim = experiment.claims.first()?;
                claim.times.iter().find(|(name, _)| name == rung).map(|(_, ms)| *ms)
            };
            Row { name: rung.clone(), values: large.iter().map(of).collect(), note: String::new() }
        })
        .collect();
    let title = format!(
        "The five kernels of {} on 3840 × 2160 pixels, by number of colours, on {}",
        report.id, report.gpu
    );
    let series: Vec<&str> = names.iter().map(String::as_str).collect();
    Some(dots(&title, "milliseconds", &series, &rows))
}
