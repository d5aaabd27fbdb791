//! How far predicted scores lie apart under different secret seeds.

use records::{Seeds, SeedsRow};

use super::numbers::distinct;
use crate::markdown::{Align, table};

/// A row per lab: how many tasks of rungs, the largest spread of points, and whose it is.
pub fn table_of(seeds: &Seeds) -> String {
    let labs = distinct(seeds.rows.iter().map(|row| &row.lab));
    let rows = labs.into_iter().map(|lab| {
        let rows: Vec<&SeedsRow> = seeds.rows.iter().filter(|row| row.lab == *lab).collect();
        let widest = rows.iter().max_by(|one, other| one.spread.total_cmp(&other.spread));
        vec![
            lab.clone(),
            rows.len().to_string(),
            widest.map_or_else(String::new, |row| format!("{:.2}", row.spread)),
            widest.map_or_else(String::new, |row| format!("`{}`: `{}`", row.rung, row.task)),
        ]
    });
    let columns = [
        ("lab", Align::Left),
        ("tasks of rungs", Align::Right),
        ("largest difference, points", Align::Right),
        ("of", Align::Left),
    ];
    format!(
        "Each rung is scored under {} secret seeds, with times predicted for {}.\n\n{}",
        seeds.seeds,
        seeds.predicted_for,
        table(&columns, &rows.collect::<Vec<_>>())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lab_has_one_row_with_its_widest_spread() {
        let row = |lab: &str, rung: &str, spread: f64| SeedsRow {
            lab: lab.to_owned(),
            rung: rung.to_owned(),
            task: "t".to_owned(),
            lowest: 50.0,
            highest: 50.0 + spread,
            spread,
            unscored: 0,
        };
        let seeds = Seeds {
            predicted_for: "a GPU".to_owned(),
            seeds: 5,
            allowed_spread: 1.0,
            largest: 0.5,
            rows: vec![row("lab1", "01_a", 0.25), row("lab1", "02_b", 0.5), row("lab2", "01_c", 0.0)],
        };
        let made = table_of(&seeds);
        assert!(made.contains("| lab1 | 2 | 0.50 | `02_b`: `t` |"), "{made}");
        assert!(made.contains("| lab2 | 1 | 0.00 | `01_c`: `t` |"), "{made}");
    }
}
