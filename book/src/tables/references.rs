//! What `workshop references` writes: the CPU references of the labs beside OpenCV.

use serde_json::Value;

use super::number;
use crate::markdown::{Align, table};

/// The ways that each have a column: their names in the file, and the headings.
const WAYS: [(&str, &str); 5] = [
    ("sequential", "sequential"),
    ("parallel-1", "parallel, 1 thread"),
    ("parallel-all", "parallel, all"),
    ("opencv-1", "OpenCV, 1 thread"),
    ("opencv-all", "OpenCV, all"),
];

/// A row a task, the best times in milliseconds. `None` if the file holds no references.
pub fn table_of(value: &Value) -> Option<String> {
    value.get("load_average")?;
    let rows = value["rows"].as_array()?;
    let mut tasks: Vec<&str> = Vec::new();
    for task in rows.iter().filter_map(|row| row["task"].as_str()) {
        if !tasks.contains(&task) {
            tasks.push(task);
        }
    }
    let best = |task: &str, way: &str| {
        let row = rows.iter().find(|row| row["task"] == task && row["way"] == way)?;
        Some(number(&row["best_ms"]))
    };
    let shown =
        |value: Option<f64>, digits: usize| value.map_or("–".into(), |value| format!("{value:.digits$}"));
    let body: Vec<Vec<String>> = tasks
        .iter()
        .map(|task| {
            let ratio = |ours: &str, theirs: &str| Some(best(task, ours)? / best(task, theirs)?);
            let mut row = vec![format!("`{task}`")];
            row.extend(WAYS.map(|(way, _)| shown(best(task, way), 1)));
            row.push(shown(ratio("parallel-1", "opencv-1"), 2));
            row.push(shown(ratio("parallel-all", "opencv-all"), 2));
            row
        })
        .collect();
    let mut columns = vec![("task", Align::Left)];
    columns.extend(WAYS.map(|(_, heading)| (heading, Align::Right)));
    columns.push(("ratio, 1 thread", Align::Right));
    columns.push(("ratio, all", Align::Right));
    let opencv = value["opencv"].as_str().unwrap_or("none");
    let cores = value["cores"].as_u64().unwrap_or_default();
    Some(format!(
        "OpenCV {opencv}; all threads are {cores}. Milliseconds, the best of {} runs; the load of the machine was up to \
         {:.1} when a run began, and above {cores} there was other work beside it. A ratio is ours by OpenCV's. The calls \
         of OpenCV that come nearest are named in each lab's `benches/reference.rs`; there is none for \
         `grayscale_darken`.\n\n{}",
        value["runs"],
        number(&value["load_average"]),
        table(&columns, &body)
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_task_has_a_row_and_what_is_missing_a_dash() {
        let row = |task: &str, way: &str, best: f64| json!({"task": task, "way": way, "best_ms": best});
        let value = json!({
            "opencv": "5.0.0", "cores": 2, "runs": 3, "load_average": 0.5,
            "rows": [row("gray", "parallel-1", 12.0), row("gray", "opencv-1", 10.0), row("dark", "sequential", 3.0)],
        });
        let made = table_of(&value).expect("references");
        assert!(made.contains("| `gray` | – | 12.0 | – | 10.0 | – | 1.20 | – |"), "{made}");
        assert!(made.contains("| `dark` | 3.0 | – | – | – | – | – | – |"), "{made}");
        assert!(table_of(&json!({"rows": []})).is_none());
    }
}
