//! Published times beside times that the timing model predicts for the reports' own GPUs, or beside times measured on the GPU
//! of the machine.

use std::fmt::Write as _;

use records::Papers;
use records::papers::{Experiment, Paper, Verdict};

use crate::markdown::{Align, prose, table};

/// Rows of CPU references, which are not a matter of a GPU.
const ON_A_CPU: [&str; 2] = ["sequential", "parallel"];

const PREDICTED: &str = "Published times beside times predicted for the same GPU, kernels only. *Ratio* is predicted ÷ published; \
                         *step* is the speedup over the rung before, there and here. Nothing was fitted to \
                         these figures. Images, compilers and clocks differ, the rates of these GPUs are published or assumed, \
                         and below compute capability 5.0 the code is that for 5.0. Steps are easier to repeat than times.\n";

const MEASURED: &str = "Published times beside times measured on a newer GPU. *Ratio* is measured ÷ published; *step* is the \
                        speedup over the rung before, there and here: an optimization that paid then need not pay now.\n";

/// Whether the times of a file are measured.
fn is_measured(reports: &Papers) -> bool {
    reports.reports.iter().any(Paper::is_measured)
}

/// The heading of a file.
pub fn title(reports: &Papers) -> &'static str {
    if is_measured(reports) { "The reports' experiments, measured" } else { "The reports' times, predicted" }
}

/// The tables of a file, two per report.
pub fn tables(reports: &Papers) -> String {
    let (introduction, basis) =
        if is_measured(reports) { (MEASURED, "measured") } else { (PREDICTED, "predicted") };
    let mut out = introduction.to_owned();
    for report in &reports.reports {
        let rows: Vec<Vec<String>> = report.experiments.iter().flat_map(rows).collect();
        let claims: Vec<Vec<String>> = report.experiments.iter().flat_map(claims).collect();
        if !rows.is_empty() || !claims.is_empty() {
            let _ = write!(out, "\n{}, {}: {}.\n", report.id, report.title, place(report));
        }
        if !rows.is_empty() {
            let _ = write!(out, "\n{}", times_table(basis, &rows));
        }
        if !claims.is_empty() {
            let _ = write!(out, "\n{}", claims_table(basis, &claims));
        }
    }
    out
}

fn times_table(basis: &str, rows: &[Vec<String>]) -> String {
    let (times, steps) = (format!("{basis}, ms"), format!("step, {basis}"));
    let columns = [
        ("experiment", Align::Left),
        ("published as", Align::Left),
        ("rung", Align::Left),
        ("published, ms", Align::Right),
        (times.as_str(), Align::Right),
        ("ratio", Align::Right),
        ("step, published", Align::Right),
        (steps.as_str(), Align::Right),
    ];
    table(&columns, rows)
}

fn claims_table(basis: &str, claims: &[Vec<String>]) -> String {
    let times = format!("{basis}, ms");
    let columns = [
        ("experiment", Align::Left),
        ("the report says", Align::Left),
        ("here that", Align::Left),
        (times.as_str(), Align::Left),
    ];
    table(&columns, claims)
}

/// `predicted for GeForce GTX 480`; where measured, driver and compiler as well.
fn place(report: &Paper) -> String {
    match &report.driver {
        Some(driver) => {
            format!(
                "measured on {}, driver {}, {}",
                prose(&report.gpu),
                prose(driver),
                prose(&report.compiler)
            )
        }
        None => format!("predicted for {}", prose(&report.gpu)),
    }
}

fn claims(experiment: &Experiment) -> Vec<Vec<String>> {
    let claims = experiment.claims.iter().map(|claim| {
        let times: Vec<String> =
            claim.times.iter().map(|(rung, ms)| format!("`{rung}` {}", short(*ms))).collect();
        let verdict = match claim.verdict {
            Some(Verdict::Holds) => "holds",
            Some(Verdict::TooClose) => "too close",
            Some(Verdict::DoesNotHold) => "does not hold",
            None => "",
        };
        vec![format!("`{}`", experiment.name), prose(&claim.text), verdict.to_owned(), times.join(", ")]
    });
    claims.collect()
}

fn rows(experiment: &Experiment) -> Vec<Vec<String>> {
    let on_a_gpu = experiment.rows.iter().filter_map(|row| {
        let rung = row.ours.as_deref().filter(|ours| !ON_A_CPU.contains(ours))?;
        row.ms.here.is_some().then_some((rung, row))
    });
    let figure = |value: Option<f64>| value.map_or_else(String::new, short);
    on_a_gpu
        .map(|(rung, row)| {
            let figures =
                [row.ms.published, row.ms.here, row.ms.ratio, row.before.published, row.before.here];
            let words = [format!("`{}`", experiment.name), prose(&row.label), format!("`{rung}`")];
            words.into_iter().chain(figures.map(figure)).collect()
        })
        .collect()
}

/// Three significant digits or so.
fn short(value: f64) -> String {
    match value {
        _ if value >= 100.0 => format!("{value:.0}"),
        _ if value >= 10.0 => format!("{value:.1}"),
        _ if value >= 0.1 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use records::papers::{Both, Claim, Row};

    use super::*;

    fn file(driver: Option<&str>, rows: Vec<Row>, claims: Vec<Claim>) -> Papers {
        let experiment = Experiment {
            name: "scan".to_owned(),
            what: String::new(),
            source: String::new(),
            note: String::new(),
            lab: "lab3".to_owned(),
            task: "t".to_owned(),
            size: None,
            basis: None,
            missing: None,
            rows,
            claims,
        };
        let report = Paper {
            id: "R0".to_owned(),
            title: "t".to_owned(),
            hardware: "h".to_owned(),
            engine: "sim".to_owned(),
            gpu: "K80".to_owned(),
            driver: driver.map(str::to_owned),
            compiler: "NVRTC 13.0".to_owned(),
            experiments: vec![experiment],
        };
        Papers { version: "1".to_owned(), reports: vec![report] }
    }

    #[test]
    fn rows_of_a_gpu_are_shown_with_ratio_and_step() {
        let row = |ours: &str| Row {
            label: "naive".to_owned(),
            ours: Some(ours.to_owned()),
            ms: Both::new(Some(2.0), Some(1.0)),
            before: Both::new(Some(3.0), Some(2.5)),
            first: Both::default(),
            right: true,
            missing: None,
        };
        let reports = file(None, vec![row("sequential"), row("01_one")], Vec::new());
        assert!(title(&reports).ends_with("predicted"));
        let text = tables(&reports);
        assert!(text.contains("R0, t: predicted for K80.\n"), "{text}");
        assert!(
            text.ends_with("| `scan` | naive | `01_one` | 2.00 | 1.00 | 0.50 | 3.00 | 2.50 |\n"),
            "{text}"
        );
        assert!(!text.contains("sequential"));
    }

    #[test]
    fn claims_are_shown_with_what_they_rest_on() {
        let claim = Claim {
            text: "a beats b".to_owned(),
            verdict: Some(Verdict::Holds),
            times: vec![("a".to_owned(), 1.0), ("b".to_owned(), 2.0)],
            right: true,
            missing: None,
        };
        let reports = file(Some("580"), Vec::new(), vec![claim]);
        let text = tables(&reports);
        assert!(title(&reports).ends_with("measured"));
        assert!(text.contains("measured on K80, driver 580, NVRTC 13.0."), "{text}");
        assert!(text.ends_with("| `scan` | a beats b | holds | `a` 1.00, `b` 2.00 |\n"), "{text}");
    }
}
