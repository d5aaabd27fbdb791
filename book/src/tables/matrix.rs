//! What `workshop matrix` writes: every rung of every task, timed.

use serde_json::Value;

use super::number;
use crate::markdown::{Align, table};

/// The rows, if this is such a file.
fn rows(value: &Value) -> Option<Vec<&Value>> {
    let rows = value["rows"].as_array()?;
    let is_timed = |row: &&Value| row["rung"].is_string() && row["share"].is_f64();
    let timed: Vec<&Value> = rows.iter().filter(is_timed).collect();
    (!timed.is_empty()).then_some(timed)
}

/// Names of the labs in the file, in order.
pub fn labs(value: &Value) -> Vec<String> {
    let mut labs: Vec<String> = Vec::new();
    for row in rows(value).into_iter().flatten() {
        let lab = row["lab"].as_str().unwrap_or_default();
        if !labs.iter().any(|known| known == lab) {
            labs.push(lab.to_owned());
        }
    }
    labs
}

/// One table for each task, of one lab or of all; `None` if the file holds no such rows.
pub fn tables(value: &Value, lab: Option<&str>) -> Option<String> {
    let rows: Vec<&Value> =
        rows(value)?.into_iter().filter(|row| lab.is_none_or(|lab| row["lab"] == lab)).collect();
    let mut tasks: Vec<&str> = Vec::new();
    for row in &rows {
        let task = row["task"].as_str().unwrap_or_default();
        if !tasks.contains(&task) {
            tasks.push(task);
        }
    }
    let made: Vec<String> = tasks
        .iter()
        .map(|task| one(task, &rows.iter().copied().filter(|row| row["task"] == *task).collect::<Vec<_>>()))
        .collect();
    (!made.is_empty()).then(|| made.join("\n"))
}

/// The first and the fastest rung of each task; `None` if the file holds no such rows.
pub fn ends(value: &Value) -> Option<String> {
    let rows = rows(value)?;
    let right = Align::Right;
    let columns = [
        ("task", Align::Left),
        ("first rung", Align::Left),
        ("ms", right),
        ("share", right),
        ("fastest rung", Align::Left),
        ("ms", right),
        ("share", right),
        ("times the first", right),
    ];
    let mut tasks: Vec<(&Value, &Value)> = Vec::new();
    for row in &rows {
        if !tasks.iter().any(|(lab, task)| **lab == row["lab"] && **task == row["task"]) {
            tasks.push((&row["lab"], &row["task"]));
        }
    }
    let seconds = |row: &Value| number(&row["seconds"]);
    let cells: Vec<Vec<String>> = tasks
        .iter()
        .filter_map(|(lab, task)| {
            let of: Vec<&&Value> =
                rows.iter().filter(|row| row["lab"] == **lab && row["task"] == **task).collect();
            let first = of.first()?;
            let fastest = of.iter().min_by(|one, other| seconds(one).total_cmp(&seconds(other)))?;
            let shown = |row: &Value| {
                let all = cells(row);
                [all[0].clone(), all[1].clone(), all[3].clone()]
            };
            let name =
                format!("{} `{}`", lab.as_str().unwrap_or_default(), task.as_str().unwrap_or_default());
            let times = format!("{:.1}", seconds(first) / seconds(fastest));
            Some([vec![name], shown(first).to_vec(), shown(fastest).to_vec(), vec![times]].concat())
        })
        .collect();
    let size = rows.first().map(|row| format!("{} × {} pixels", row["width"], row["height"]))?;
    Some(format!(
        "{size}; *share*: of the speed of a kernel that only moves the fewest bytes.\n\n{}",
        table(&columns, &cells)
    ))
}

fn one(task: &str, rows: &[&Value]) -> String {
    let right = Align::Right;
    let columns = [
        ("rung", Align::Left),
        ("ms", right),
        ("GB/s", right),
        ("share of the yardstick", right),
        ("times one CPU core", right),
        ("times all cores", right),
        ("equal bytes", right),
    ];
    let size =
        rows.first().map_or(String::new(), |row| format!("{} × {} pixels", row["width"], row["height"]));
    format!(
        "`{task}`, {size}:\n\n{}",
        table(&columns, &rows.iter().map(|row| cells(row)).collect::<Vec<_>>())
    )
}

fn cells(row: &Value) -> Vec<String> {
    let times = |key: &str| row[key].as_f64().map_or_else(|| "–".to_owned(), |times| format!("{times:.1}"));
    let cases = row["cases"].as_u64().unwrap_or(0);
    let unequal = row["unequal"].as_array().map_or(0, Vec::len) as u64;
    vec![
        format!("`{}`", row["rung"].as_str().unwrap_or_default()),
        format!("{:.4}", 1e3 * number(&row["seconds"])),
        format!("{:.0}", number(&row["gigabytes_per_second"])),
        format!("{:.1} %", 100.0 * number(&row["share"])),
        times("speedup"),
        times("parallel_speedup"),
        format!("{} of {cases}", cases.saturating_sub(unequal)),
    ]
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_row_is_shown_with_its_units_and_another_lab_is_left_out() {
        let row = |lab: &str| {
            json!({"lab": lab, "rung": "01_a", "task": "gray", "cases": 3, "unequal": ["1x1"], "width": 8,
                "height": 4, "seconds": 0.5e-3, "gigabytes_per_second": 1433.9, "share": 0.376, "speedup": 251.3,
                "parallel_speedup": null})
        };
        let file = json!({"rows": [row("lab1"), row("lab2")]});
        assert_eq!(labs(&file), ["lab1", "lab2"]);
        let made = tables(&file, Some("lab2")).unwrap();
        assert!(made.starts_with("`gray`, 8 × 4 pixels:\n"), "{made}");
        assert!(made.ends_with("| `01_a` | 0.5000 | 1434 | 37.6 % | 251.3 | – | 2 of 3 |\n"), "{made}");
        assert_eq!(made.lines().count(), 5);
        let slow = json!({"lab": "lab1", "rung": "00_z", "task": "gray", "seconds": 2e-3, "share": 0.1, "width": 8,
            "height": 4, "gigabytes_per_second": 1.0});
        let made = ends(&json!({"rows": [slow, row("lab1")]})).unwrap();
        assert!(
            made.ends_with("| lab1 `gray` | `00_z` | 2.0000 | 10.0 % | `01_a` | 0.5000 | 37.6 % | 4.0 |\n"),
            "{made}"
        );
        assert_eq!(tables(&file, Some("lab3")), None);
        assert_eq!(tables(&json!({"rows": [{"kernel": "x"}]}), None), None);
    }
}
