//! The simulator's counters beside a GPU's.

use records::{Counter, Counters};

use super::numbers::{dash, launch};
use crate::markdown::{Align, table};

/// A row per launch: how far the simulator's counters are from the GPU's.
pub fn table_of(counters: &Counters) -> String {
    let first = counters.rows.first().map_or(&[][..], |row| &row.counters);
    let names: Vec<&str> = first.iter().map(|counter| counter.name.as_str()).collect();
    let mut columns = vec![("launch", Align::Left)];
    columns.extend(names.iter().map(|name| (*name, Align::Right)));
    let cells = counters.rows.iter().map(|row| {
        let mut cells = vec![launch(&row.rung, &row.task, row.launch)];
        cells.extend(names.iter().map(|name| {
            row.counters.iter().find(|counter| counter.name == *name).map_or_else(dash, deviation)
        }));
        cells
    });
    format!(
        "Differences of the simulator's counters from those of the GPU's profiler, on \"{}\"; `=`: equal.\n\n{}",
        counters.case,
        table(&columns, &cells.collect::<Vec<_>>())
    )
}

fn deviation(counter: &Counter) -> String {
    match (counter.simulator, counter.gpu) {
        (simulator, gpu) if simulator == gpu => "=".to_owned(),
        (simulator, 0) => format!("{simulator} for 0"),
        (simulator, gpu) => format!("{:+.1} %", 100.0 * (simulator as f64 / gpu as f64 - 1.0)),
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use records::CountersRow;

    use super::*;

    fn counter(simulator: u64, gpu: u64) -> Counter {
        Counter { name: "loads".to_owned(), simulator, gpu }
    }

    #[test]
    fn a_deviation_is_relative_to_the_gpu() {
        let shown = [(5, 5), (110, 100), (3, 0)].map(|(simulator, gpu)| deviation(&counter(simulator, gpu)));
        assert_eq!(shown, ["=", "+10.0 %", "3 for 0"]);
    }

    #[test]
    fn a_launch_has_a_row() {
        let row = CountersRow {
            lab: "lab1".to_owned(),
            rung: "01_a".to_owned(),
            task: "t".to_owned(),
            launch: 0,
            counters: vec![counter(2, 2)],
        };
        let made = table_of(&Counters { case: "noise".to_owned(), rows: vec![row] });
        assert!(made.contains("on \"noise\"") && made.ends_with("| `01_a`, `t` | = |\n"), "{made}");
    }
}
