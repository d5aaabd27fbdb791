//! What `workshop times` and `workshop model` write: measured times, and the timing model beside them.

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

/// What the model expects launches to do, beside the GPU's counters. `None` if the file does not compare them.
pub fn counts(value: &Value) -> Option<String> {
    let counts = value["counts"].as_array().filter(|counts| !counts.is_empty())?;
    let columns = [
        ("kernels", Align::Left),
        ("counted", Align::Left),
        ("launches", Align::Right),
        ("mean error", Align::Right),
        ("median error", Align::Right),
    ];
    let percent = |value: &Value| format!("{:.1} %", 100.0 * number(value));
    let row = |count: &Value| {
        vec![
            set(count).to_owned(),
            count["what"].as_str().unwrap_or_default().to_owned(),
            count["launches"].to_string(),
            percent(&count["mean_absolute_error"]),
            percent(&count["median_absolute_error"]),
        ]
    };
    let rows: Vec<Vec<String>> = counts.iter().map(row).collect();
    Some(format!(
        "A time can be wrong because the model counts wrongly or because it weighs what it counts wrongly. Here are the counts \
         alone: what each launch is expected to do on the whole picture, from the samples that the simulator runs, beside \
         the GPU's own counters (`book/data/totals-h200.json`, on three of the pictures). What the GPU counts as \
         passes of the load/store pipe holds more than the model's: what loads and stores bring back, for one.\n\n{}",
        table(&columns, &rows)
    ))
}

/// What a file of the GPU's counters holds. `None` if it is none.
pub fn totals(value: &Value) -> Option<String> {
    let files = value["kernels"].as_array()?;
    let launches = |file: &Value| file["launches"].as_array().map_or(0, Vec::len);
    files.first().filter(|file| launches(file) > 0)?;
    Some(format!(
        "{} launches of {} files of kernels, on pictures of three kinds; the file has each. The timing model's counts [are \
         compared with them](timing-model.md).\n",
        files.iter().map(launches).sum::<usize>(),
        files.len()
    ))
}

/// Each kernel and task: predicted ÷ measured on every picture. `None` if the file holds no comparison.
pub fn kernels(value: &Value) -> Option<String> {
    // Other measurements have rows with ratios, too.
    value["summaries"].as_array()?;
    let rows = value["rows"].as_array()?;
    let mut kernels: Vec<(Vec<String>, Vec<f64>, &str)> = Vec::new();
    for row in rows {
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        let name =
            vec![set(row).to_owned(), text("lab").to_owned(), code(text("kernel")), code(text("task"))];
        let ratio = number(&row["ratio"]);
        match kernels.iter_mut().find(|(known, ..)| *known == name) {
            Some((_, ratios, limiter)) => {
                ratios.push(ratio);
                *limiter = text("limiter");
            }
            None => kernels.push((name, vec![ratio], text("limiter"))),
        }
    }
    let columns = [
        ("kernels", Align::Left),
        ("lab", Align::Left),
        ("kernel", Align::Left),
        ("task", Align::Left),
        ("predicted ÷ measured, picture by picture", Align::Left),
        ("limited by (largest picture)", Align::Left),
    ];
    let rows: Vec<Vec<String>> = kernels
        .into_iter()
        .map(|(mut cells, ratios, limiter)| {
            cells.push(ratios.iter().map(|ratio| format!("{ratio:.2}")).collect::<Vec<_>>().join(", "));
            cells.push(limiter.to_owned());
            cells
        })
        .collect();
    Some(format!(
        "The pictures are those of `workshop times`, from 512 × 512 to 8784 × 5352.\n\n{}",
        table(&columns, &rows)
    ))
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

/// What single operations cost, as `workshop micro` measured. `None` if the file holds no such figures.
pub fn rates(value: &Value) -> Option<String> {
    let figures = value["figures"].as_array()?;
    let columns = [("operation", Align::Left), ("figure", Align::Right), ("unit", Align::Left)];
    let rows: Vec<Vec<String>> = figures
        .iter()
        .map(|figure| {
            let text = |key: &str| figure[key].as_str().unwrap_or_default().to_owned();
            vec![text("name"), format!("{:.3}", number(&figure["value"])), text("unit")]
        })
        .collect();
    Some(format!(
        "A cycle is one of a multiprocessor at {:.0} MHz; a kernel of each kind ran few and many rounds, so that what both \
         have in common cancels. Kernels: `workshop/validation/micro`.\n\n{}",
        number(&value["clock_hz"]) * 1e-6,
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
        let file = json!({"counts": [{"set": "ladder", "what": "instructions", "launches": 3,
            "mean_absolute_error": 0.125, "median_absolute_error": 0.1}]});
        let text = counts(&file).expect("counts");
        assert!(text.ends_with("| ladders | instructions | 3 | 12.5 % | 10.0 % |\n"), "{text}");
        assert_eq!(counts(&json!({"counts": []})), None);
        let file = json!({"kernels": [{"launches": [{}, {}]}, {"launches": [{}]}]});
        assert!(totals(&file).expect("totals").starts_with("3 launches of 2 files"));
        assert_eq!(totals(&json!({"kernels": [{"name": "k"}]})), None);
        let file = json!({"summaries": [], "rows": [
            {"set": "held-out", "lab": "lab2", "kernel": "k", "task": "t", "ratio": 0.5, "limiter": "issue"},
            {"set": "held-out", "lab": "lab2", "kernel": "k", "task": "t", "ratio": 1.5, "limiter": "DRAM"}]});
        let text = kernels(&file).expect("kernels");
        assert!(text.ends_with("| held out | lab2 | `k` | `t` | 0.50, 1.50 | DRAM |\n"), "{text}");
        assert_eq!(kernels(&json!({"rows": [{"kernel": "box", "ratio": 703.7}]})), None);
        let file = json!({"clock_hz": 1.98e9, "figures": [{"name": "add", "value": 0.5, "unit": "cycles"}]});
        let text = rates(&file).expect("rates");
        assert!(text.contains("1980 MHz") && text.ends_with("| add | 0.500 | cycles |\n"), "{text}");
        let file = json!({"points": [{"set": "ladder", "lab": "lab1"}, {"set": "ladder", "lab": "lab1"}]});
        assert!(times(&file).expect("times").ends_with("| ladders | lab1 | 2 |\n"));
    }
}
