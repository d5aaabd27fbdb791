//! What `workshop reports --json` writes: published times beside those that the timing model predicts for the reports' own
//! GPUs, or beside those measured on the GPU of the machine.

use std::fmt::Write as _;

use serde_json::Value;

use crate::markdown::{Align, prose, table};

/// Rows of references on a CPU, which the model has nothing to do with.
const ON_A_CPU: [&str; 2] = ["sequential", "parallel"];

const PREDICTED: &str = "Published times beside times predicted for the same GPU, kernels only. *Ratio* is predicted ÷ published; \
                         *step* is how many times as fast a rung is as the one before it, there and here. Nothing was fitted to \
                         these figures: images, compilers and clocks differ, the rates of these GPUs are published or assumed, \
                         and below compute capability 5.0 the code is that for 5.0. What a report says about steps is \
                         easier to repeat than its times.\n";

const MEASURED: &str = "Published times beside times measured on another GPU, years younger. *Ratio* is measured ÷ published; *step* \
                        is how many times as fast a rung is as the one before it, there and here: what was worth a step \
                        then need not be worth one now.\n";

/// Heading and tables, two a report. `None` if the file holds no reports.
pub fn beside_published(value: &Value) -> Option<(&'static str, String)> {
    let reports = value["reports"].as_array()?;
    let measured = reports.iter().any(|report| report["driver"].is_string());
    let (title, basis) = if measured {
        ("The reports' experiments, measured", "measured")
    } else {
        ("The reports' times, predicted", "predicted")
    };
    let mut out = if measured { MEASURED } else { PREDICTED }.to_owned();
    for report in reports {
        let rows: Vec<Vec<String>> = experiments(report).flat_map(rows).collect();
        let claims: Vec<Vec<String>> = experiments(report).flat_map(claims).collect();
        let text = |key: &str| report[key].as_str().unwrap_or_default();
        if !rows.is_empty() || !claims.is_empty() {
            let (id, title, place) = (text("id"), text("title"), place(report, measured));
            let _ = write!(out, "\n{id}, {title}: {place}.\n");
        }
        if !rows.is_empty() {
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
            let _ = write!(out, "\n{}", table(&columns, &rows));
        }
        if !claims.is_empty() {
            let times = format!("{basis}, ms");
            let columns = [
                ("experiment", Align::Left),
                ("the report says", Align::Left),
                ("here that", Align::Left),
                (times.as_str(), Align::Left),
            ];
            let _ = write!(out, "\n{}", table(&columns, &claims));
        }
    }
    Some((title, out))
}

/// `predicted for GeForce GTX 480`; where measured, driver and compiler as well.
fn place(report: &Value, measured: bool) -> String {
    let text = |key: &str| prose(report[key].as_str().unwrap_or_default());
    if measured {
        format!("measured on {}, driver {}, {}", text("gpu"), text("driver"), text("compiler"))
    } else {
        format!("predicted for {}", text("gpu"))
    }
}

fn claims(experiment: &Value) -> Vec<Vec<String>> {
    let name = experiment["name"].as_str().unwrap_or_default();
    let all = experiment["claims"].as_array().into_iter().flatten();
    all.map(|claim| {
        let times = claim["times"].as_array().into_iter().flatten();
        let times = times.map(|time| {
            let milliseconds = short(time[1].as_f64().unwrap_or(f64::NAN));
            format!("`{}` {milliseconds}", time[0].as_str().unwrap_or_default())
        });
        vec![
            format!("`{name}`"),
            prose(claim["text"].as_str().unwrap_or_default()),
            claim["verdict"].as_str().unwrap_or_default().replace('_', " "),
            times.collect::<Vec<_>>().join(", "),
        ]
    })
    .collect()
}

fn experiments(report: &Value) -> impl Iterator<Item = &Value> {
    report["experiments"].as_array().into_iter().flatten()
}

fn rows(experiment: &Value) -> Vec<Vec<String>> {
    let name = experiment["name"].as_str().unwrap_or_default();
    let of_gpu = |row: &&Value| {
        row["ours"].as_str().is_some_and(|ours| !ON_A_CPU.contains(&ours)) && row["ms"]["here"].is_number()
    };
    let all = experiment["rows"].as_array().into_iter().flatten();
    all.filter(of_gpu)
        .map(|row| {
            let figure = |of: &str, which: &str| row[of][which].as_f64().map_or_else(String::new, short);
            vec![
                format!("`{name}`"),
                prose(row["label"].as_str().unwrap_or_default()),
                format!("`{}`", row["ours"].as_str().unwrap_or_default()),
                figure("ms", "published"),
                figure("ms", "here"),
                figure("ms", "ratio"),
                figure("before", "published"),
                figure("before", "here"),
            ]
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
    use pretty_assertions::assert_eq;
    use serde_json::json;

    use super::*;

    #[test]
    fn rows_of_a_gpu_are_shown_with_ratio_and_step() {
        let row = |ours: &str| {
            json!({"label": "naive", "ours": ours, "ms": {"published": 2.0, "here": 1.0, "ratio": 0.5},
                   "before": {"published": 3.0, "here": 2.5}})
        };
        let file = json!({"reports": [{"id": "R0", "title": "t", "gpu": "K80", "experiments": [
            {"name": "grayscale", "rows": [row("sequential"), row("01_one")]}]}]});
        let (title, text) = beside_published(&file).expect("a table");
        assert!(title.ends_with("predicted") && text.contains("R0, t: predicted for K80.\n"), "{text}");
        assert!(
            text.ends_with("| `grayscale` | naive | `01_one` | 2.00 | 1.00 | 0.50 | 3.00 | 2.50 |\n"),
            "{text}"
        );
        assert!(!text.contains("sequential"));
        assert_eq!(beside_published(&json!({"points": []})), None);
    }

    #[test]
    fn claims_are_shown_with_what_they_rest_on() {
        let claim = json!({"text": "a beats b", "verdict": "holds", "times": [["a", 1.0], ["b", 2.0]]});
        let file = json!({"reports": [{"id": "R3", "title": "t", "gpu": "H200", "driver": "580", "compiler": "NVRTC 13.0",
            "experiments": [{"name": "scan", "rows": [], "claims": [claim]}]}]});
        let (title, text) = beside_published(&file).expect("a table");
        assert!(title.ends_with("measured") && text.contains("measured on H200, driver 580, NVRTC 13.0."));
        assert!(text.ends_with("| `scan` | a beats b | holds | `a` 1.00, `b` 2.00 |\n"), "{text}");
    }
}
