//! The timing model beside one card.

use std::fmt::Write as _;

use records::Validate;

use crate::markdown::{Align, prose, table};

/// The table, and the errors in a line.
pub fn table_of(validate: &Validate) -> String {
    let columns = [
        ("lab", Align::Left),
        ("kernel", Align::Left),
        ("task", Align::Left),
        ("picture", Align::Left),
        ("measured, ms", Align::Right),
        ("predicted, ms", Align::Right),
        ("predicted ÷ measured", Align::Right),
    ];
    let rows: Vec<Vec<String>> = validate
        .rows
        .iter()
        .map(|row| {
            let point = &row.point;
            let milliseconds = |seconds: f64| format!("{:.4}", seconds * 1e3);
            vec![
                point.lab.clone(),
                format!("`{}`", point.kernel),
                format!("`{}`", point.task),
                prose(&point.case),
                milliseconds(point.seconds),
                row.predicted_seconds.map_or_else(String::new, milliseconds),
                row.ratio().map_or_else(String::new, |ratio| format!("{ratio:.2}")),
            ]
        })
        .collect();
    let mut out = match validate.errors() {
        Some([error, bias]) => format!(
            "Mean error {:.1} %, bias {:+.1} % (below 0: predicted too fast).\n",
            100.0 * error,
            100.0 * bias
        ),
        None => "There is no model of this GPU yet: its times alone.\n".to_owned(),
    };
    let _ = write!(out, "\n{}", table(&columns, &rows));
    out
}

#[cfg(test)]
mod tests {
    use records::{Point, Set, Validated};

    use super::*;

    #[test]
    fn a_card_without_a_model_has_times_alone() {
        let row = |predicted_seconds| Validated {
            point: Point {
                set: Set::Pool,
                lab: "lab1".to_owned(),
                kernel: "k".to_owned(),
                task: "t".to_owned(),
                case: "c".to_owned(),
                seconds: 2e-3,
                yardstick_seconds: 1e-3,
                error: 0.0,
            },
            predicted_seconds,
            predicted_yardstick_seconds: None,
        };
        let of = |predicted| table_of(&Validate { model: None, rows: vec![row(predicted)] });
        assert!(of(None).starts_with("There is no model") && of(None).contains("| 2.0000 |  |  |"));
        assert!(of(Some(1e-3)).starts_with("Mean error 50.0 %, bias -50.0 %"));
        assert!(of(Some(1e-3)).ends_with("| lab1 | `k` | `t` | c | 2.0000 | 1.0000 | 0.50 |\n"));
    }
}
