//! How busy the parts of a GPU are in the last rungs.

use records::Limits;

use super::numbers::launch;
use crate::markdown::{Align, table};

/// A row per launch.
pub fn table_of(limits: &Limits) -> String {
    let parts = limits.rows.first().map_or(&[][..], |row| &row.busy);
    let mut columns = vec![("launch", Align::Left), ("µs", Align::Right)];
    columns.extend(parts.iter().map(|busy| (busy.part.as_str(), Align::Right)));
    columns.push(("busiest", Align::Left));
    let cells = limits.rows.iter().map(|row| {
        let mut cells = vec![launch(&row.rung, &row.task, row.launch), format!("{:.1}", row.microseconds)];
        cells.extend(row.busy.iter().map(|busy| format!("{:.0}", busy.percent)));
        cells.push(row.limit.clone());
        cells
    });
    format!(
        "How busy each part of the GPU is while a launch runs on \"{}\", in percent of its peak, as the GPU's \
         profiler reads it.\n\n{}",
        limits.case,
        table(&columns, &cells.collect::<Vec<_>>())
    )
}

#[cfg(test)]
mod tests {
    use records::{Busy, LimitsRow};

    use super::*;

    #[test]
    fn a_launch_has_a_row_and_a_part_a_column() {
        let row = LimitsRow {
            rung: "14".to_owned(),
            task: "t".to_owned(),
            launch: 1,
            microseconds: 27.14,
            busy: vec![Busy { part: "L2".to_owned(), percent: 81.6 }],
            limit: "L2".to_owned(),
        };
        let text = table_of(&Limits { case: "c".to_owned(), rows: vec![row] });
        assert!(text.contains("| launch | µs | L2 | busiest |"), "{text}");
        assert!(text.ends_with("| `14`, `t`, launch 2 | 27.1 | 82 | L2 |\n"), "{text}");
    }
}
