//! What `checker dev times` and `checker dev model` write: measured times, and the timing model beside them.

use serde_json::Value;

use super::number;
use crate::markdown::{Align, table};

/// How good the model is, by set and lab. `None` if the file holds no comparison.
pub fn comparison(value: &Value) -> Option<String> {
    let columns = [
        ("kernels", Align::Left),
        ("lab", Align::Left),
        ("times", Align::Right),
        ("mean error", Align::Right),
        ("median error", Align::Right),
        ("pairs swapped", Align::Right),
    ];
    let percent = |value: &Value| format!("{:.1} %", 100.0 * number(value));
    let row = |summary: &Value| {
        vec![
            set(summary).to_owned(),
            summary["lab"].as_str().unwrap_or("all").to_owned(),
            summary["times"].to_string(),
            percent(&summary["mean_absolute_error"]),
            percent(&summary["median_absolute_error"]),
            format!("{} of {}", summary["swapped"], summary["pairs"]),
        ]
    };
    let rows: Vec<Vec<String>> = value["summaries"].as_array()?.iter().map(row).collect();
    Some(format!(
        "Predicted beside measured times. The model was fitted on the ladders, and never on the held-out kernels. An \
         error is the distance of predicted ÷ measured from 1. A pair is two kernels of one task on one picture whose \
         times differ by more than 15 %; swapped, if the model puts the slower one first. The file has every time.\n\n{}",
        table(&columns, &rows)
    ))
}

/// How many times were measured, by set and lab. `None` if the file holds none.
pub fn times(value: &Value) -> Option<String> {
    let points = value["points"].as_array()?;
    let mut counts: Vec<(&str, &str, usize)> = Vec::new();
    for point in points {
        let (set, lab) = (set(point), point["lab"].as_str().unwrap_or_default());
        match counts.iter_mut().find(|(known, of, _)| (*known, *of) == (set, lab)) {
            Some((.., count)) => *count += 1,
            None => counts.push((set, lab, 1)),
        }
    }
    let rows: Vec<Vec<String>> = counts
        .iter()
        .map(|(set, lab, count)| vec![(*set).to_owned(), (*lab).to_owned(), count.to_string()])
        .collect();
    let columns = [("kernels", Align::Left), ("lab", Align::Left), ("times", Align::Right)];
    Some(format!(
        "Times of every rung and every held-out kernel on six pictures; the file has each.\n\n{}",
        table(&columns, &rows)
    ))
}

fn set(value: &Value) -> &'static str {
    if value["set"] == "ladder" { "ladders" } else { "held out" }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_comparison_has_a_row_a_summary_and_times_are_counted() {
        let file = json!({"summaries": [{"set": "held-out", "lab": null, "times": 7, "mean_absolute_error": 0.125,
            "median_absolute_error": 0.1, "pairs": 9, "swapped": 2}]});
        let text = comparison(&file).expect("a comparison");
        assert!(text.ends_with("| held out | all | 7 | 12.5 % | 10.0 % | 2 of 9 |\n"), "{text}");
        assert_eq!(comparison(&json!({"points": []})), None);
        let file = json!({"points": [{"set": "ladder", "lab": "lab1"}, {"set": "ladder", "lab": "lab1"}]});
        assert!(times(&file).expect("times").ends_with("| ladders | lab1 | 2 |\n"));
    }
}
