//! What `checker reports --engine sim --json` writes: published times beside those that the timing model predicts for the
//! reports' own GPUs.

use std::fmt::Write as _;

use serde_json::Value;

use crate::markdown::{Align, prose, table};

/// Rows of references on a CPU, which the model has nothing to do with.
const ON_A_CPU: [&str; 2] = ["sequential", "parallel"];

/// A table a report. `None` if the file holds no reports.
pub fn predictions(value: &Value) -> Option<String> {
    let reports = value["reports"].as_array()?;
    let mut out = "Published times beside times predicted for the same GPU, kernels only. *Ratio* is predicted ÷ published; \
                   *step* is how many times as fast a rung is as the one before it, there and here. Nothing was fitted to \
                   these figures: images, compilers and clocks differ, the rates of these GPUs are published or assumed, \
                   and below compute capability 5.0 the code is that for 5.0. What a report says about steps is \
                   easier to repeat than its times.\n"
        .to_owned();
    for report in reports {
        let rows: Vec<Vec<String>> = experiments(report).flat_map(rows).collect();
        if rows.is_empty() {
            continue;
        }
        let text = |key: &str| report[key].as_str().unwrap_or_default();
        let _ = write!(out, "\n{}, {}: predicted for {}.\n\n", text("id"), text("title"), prose(text("gpu")));
        let columns = [
            ("experiment", Align::Left),
            ("published as", Align::Left),
            ("rung", Align::Left),
            ("published, ms", Align::Right),
            ("predicted, ms", Align::Right),
            ("ratio", Align::Right),
            ("step, published", Align::Right),
            ("step, predicted", Align::Right),
        ];
        out += &table(&columns, &rows);
    }
    Some(out)
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
        let text = predictions(&file).expect("a table");
        assert!(
            text.ends_with("| `grayscale` | naive | `01_one` | 2.00 | 1.00 | 0.50 | 3.00 | 2.50 |\n"),
            "{text}"
        );
        assert!(!text.contains("sequential"));
        assert_eq!(predictions(&json!({"points": []})), None);
    }
}
