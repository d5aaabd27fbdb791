//! The CPU references of the labs beside OpenCV.

use records::References;

use super::numbers::{distinct, or_dash};
use crate::markdown::{Align, table};

/// The ways that each have a column: their names in the file, and the headings.
const WAYS: [(&str, &str); 5] = [
    ("sequential", "sequential"),
    ("parallel-1", "parallel, 1 thread"),
    ("parallel-all", "parallel, all"),
    ("opencv-1", "OpenCV, 1 thread"),
    ("opencv-all", "OpenCV, all"),
];

/// A row per task, the best times in milliseconds.
pub fn table_of(references: &References) -> String {
    let best = |task: &str, way: &str| {
        references.rows.iter().find(|row| row.task == task && row.way == way).map(|row| row.best_ms)
    };
    let tasks = distinct(references.rows.iter().map(|row| &row.task));
    let cells = tasks.into_iter().map(|task| {
        let ratio = |ours: &str, theirs: &str| Some(best(task, ours)? / best(task, theirs)?);
        let mut row = vec![format!("`{task}`")];
        row.extend(WAYS.map(|(way, _)| or_dash(best(task, way), 1)));
        row.push(or_dash(ratio("parallel-1", "opencv-1"), 2));
        row.push(or_dash(ratio("parallel-all", "opencv-all"), 2));
        row
    });
    let mut columns = vec![("task", Align::Left)];
    columns.extend(WAYS.map(|(_, heading)| (heading, Align::Right)));
    columns.push(("ratio, 1 thread", Align::Right));
    columns.push(("ratio, all", Align::Right));
    let cores = references.cores;
    format!(
        "OpenCV {}; all threads are {cores}. Milliseconds, the best of {} runs; the load of the machine was up to \
         {:.1} when a run began (above {cores}: other work ran beside it). A ratio is our time ÷ OpenCV's. Each lab's \
         `benches/reference.rs` names the nearest calls of OpenCV; `grayscale_darken` has none.\n\n{}",
        references.opencv.as_deref().unwrap_or("none"),
        references.runs,
        references.load_average,
        table(&columns, &cells.collect::<Vec<_>>())
    )
}

#[cfg(test)]
mod tests {
    use records::Reference;

    use super::*;

    #[test]
    fn a_task_has_a_row_and_what_is_missing_a_dash() {
        let row = |task: &str, way: &str, best_ms: f64| Reference {
            lab: "lab1".to_owned(),
            task: task.to_owned(),
            way: way.to_owned(),
            best_ms,
            median_ms: 99.0,
        };
        let rows = vec![
            row("gray", "parallel-1", 12.0),
            row("gray", "opencv-1", 10.0),
            row("dark", "sequential", 3.0),
        ];
        let opencv = Some("5.0.0".to_owned());
        let made = table_of(&References { opencv, cores: 2, runs: 3, load_average: 0.5, rows });
        assert!(made.contains("| `gray` | – | 12.0 | – | 10.0 | – | 1.20 | – |"), "{made}");
        assert!(made.contains("| `dark` | 3.0 | – | – | – | – | – | – |"), "{made}");
    }
}
