//! Every rung of every task, timed.

use records::{Matrix, MatrixRow};

use super::numbers::{distinct, or_dash};
use crate::markdown::{Align, table};

/// Names of the labs in the file, in order.
pub fn labs(matrix: &Matrix) -> Vec<&str> {
    distinct(matrix.rows.iter().map(|row| row.lab.as_str()))
}

/// One table for each task, of one lab or of all; `None` if the file holds none of these rows.
pub fn tables(matrix: &Matrix, lab: Option<&str>) -> Option<String> {
    let rows: Vec<&MatrixRow> =
        matrix.rows.iter().filter(|row| lab.is_none_or(|lab| row.lab == lab)).collect();
    let tables = distinct(rows.iter().map(|row| &row.task)).into_iter().map(|task| {
        let of_task: Vec<&MatrixRow> = rows.iter().copied().filter(|row| row.task == *task).collect();
        one(task, &of_task)
    });
    let tables: Vec<String> = tables.collect();
    (!tables.is_empty()).then(|| tables.join("\n"))
}

/// The first and the fastest rung of each task; `None` if the file holds no rows.
pub fn ends(matrix: &Matrix) -> Option<String> {
    let right = Align::Right;
    let columns = [
        ("task", Align::Left),
        ("first rung", Align::Left),
        ("ms", right),
        ("share", right),
        ("fastest rung", Align::Left),
        ("ms", right),
        ("share", right),
        ("× the first", right),
    ];
    let tasks = distinct(matrix.rows.iter().map(|row| (&row.lab, &row.task)));
    let cells = tasks.into_iter().filter_map(|(lab, task)| {
        let of_task: Vec<&MatrixRow> =
            matrix.rows.iter().filter(|row| (&row.lab, &row.task) == (lab, task)).collect();
        let first = of_task.first()?;
        let fastest = of_task.iter().min_by(|one, other| one.seconds.total_cmp(&other.seconds))?;
        let shown = |row: &MatrixRow| {
            let [rung, ms, _, share, ..] = cells(row);
            [rung, ms, share]
        };
        let times = format!("{:.1}", first.seconds / fastest.seconds);
        Some([&[format!("{lab} `{task}`")][..], &shown(first), &shown(fastest), &[times]].concat())
    });
    let cells: Vec<Vec<String>> = cells.collect();
    let first = matrix.rows.first()?;
    Some(format!(
        "{}; *share*: of the speed of the yardstick, a kernel that only moves the fewest bytes.\n\n{}",
        size(first),
        table(&columns, &cells)
    ))
}

fn one(task: &str, rows: &[&MatrixRow]) -> String {
    let right = Align::Right;
    let columns = [
        ("rung", Align::Left),
        ("ms", right),
        ("GB/s", right),
        ("share of the yardstick", right),
        ("× one CPU core", right),
        ("× all cores", right),
        ("equal bytes", right),
    ];
    let size = rows.first().map_or(String::new(), |row| size(row));
    let cells: Vec<Vec<String>> = rows.iter().map(|row| cells(row).to_vec()).collect();
    format!("`{task}`, {size}:\n\n{}", table(&columns, &cells))
}

fn size(row: &MatrixRow) -> String {
    format!("{} × {} pixels", row.width, row.height)
}

fn cells(row: &MatrixRow) -> [String; 7] {
    [
        format!("`{}`", row.rung),
        format!("{:.4}", 1e3 * row.seconds),
        format!("{:.0}", row.gigabytes_per_second),
        format!("{:.1} %", 100.0 * row.share),
        format!("{:.1}", row.speedup),
        or_dash(row.parallel_speedup, 1),
        format!("{} of {}", row.cases.saturating_sub(row.unequal.len()), row.cases),
    ]
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use records::State;

    use super::*;

    fn row(lab: &str, rung: &str, seconds: f64) -> MatrixRow {
        MatrixRow {
            lab: lab.to_owned(),
            rung: rung.to_owned(),
            task: "gray".to_owned(),
            cases: 3,
            unequal: vec!["1x1".to_owned()],
            right: true,
            case: "scene".to_owned(),
            width: 8,
            height: 4,
            seconds,
            gigabytes_per_second: 1433.9,
            yardstick_seconds: 1.0,
            yardstick_gigabytes_per_second: 1.0,
            share: 0.376,
            share_error: None,
            state: State::Stable,
            pairs: None,
            dropped_pairs: None,
            calls: None,
            sequential_seconds: 1.0,
            speedup: 251.3,
            parallel_seconds: None,
            parallel_speedup: None,
            transfer_seconds: None,
            kernel_seconds: None,
        }
    }

    #[test]
    fn a_row_is_shown_with_its_units_and_another_lab_is_left_out() {
        let matrix = Matrix { rows: vec![row("lab1", "01_a", 0.5e-3), row("lab2", "01_a", 0.5e-3)] };
        assert_eq!(labs(&matrix), ["lab1", "lab2"]);
        let made = tables(&matrix, Some("lab2")).unwrap();
        assert!(made.starts_with("`gray`, 8 × 4 pixels:\n"), "{made}");
        assert!(made.ends_with("| `01_a` | 0.5000 | 1434 | 37.6 % | 251.3 | – | 2 of 3 |\n"), "{made}");
        assert_eq!(made.lines().count(), 5);
        assert_eq!(tables(&matrix, Some("lab3")), None);
    }

    #[test]
    fn the_ends_are_the_first_and_the_fastest() {
        let slow = MatrixRow { share: 0.1, ..row("lab1", "00_z", 2e-3) };
        let made = ends(&Matrix { rows: vec![slow, row("lab1", "01_a", 0.5e-3)] }).unwrap();
        let line = "| lab1 `gray` | `00_z` | 2.0000 | 10.0 % | `01_a` | 0.5000 | 37.6 % | 4.0 |\n";
        assert!(made.ends_with(line), "{made}");
        assert_eq!(ends(&Matrix { rows: Vec::new() }), None);
    }
}
