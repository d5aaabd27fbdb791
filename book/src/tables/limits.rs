//! What `workshop limits` writes: how busy the parts of a GPU are in the last rungs.

use serde_json::Value;

use super::number;
use crate::markdown::{Align, table};

/// A row a launch. `None` if the file holds none.
pub fn limits(value: &Value) -> Option<String> {
    let rows = value["rows"].as_array()?;
    let parts: Vec<&str> =
        rows.first()?["busy"].as_array()?.iter().filter_map(|busy| busy["part"].as_str()).collect();
    let mut columns = vec![("launch", Align::Left), ("µs", Align::Right)];
    columns.extend(parts.iter().map(|part| (*part, Align::Right)));
    columns.push(("busiest", Align::Left));
    let cells = rows.iter().map(|row| {
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        let launch = row["launch"].as_u64().filter(|launch| *launch > 0);
        let launch = launch.map(|launch| format!(", launch {}", launch + 1)).unwrap_or_default();
        let mut cells = vec![
            format!("`{}`, `{}`{launch}", text("rung"), text("task")),
            format!("{:.1}", number(&row["microseconds"])),
        ];
        let busy = row["busy"].as_array().into_iter().flatten();
        cells.extend(busy.map(|busy| format!("{:.0}", number(&busy["percent"]))));
        cells.push(text("limit").to_owned());
        cells
    });
    let cells: Vec<Vec<String>> = cells.collect();
    let case = value["case"].as_str().unwrap_or_default();
    Some(format!(
        "How busy each part of the GPU is while a launch runs on \"{case}\", in percent of its peak, as the GPU's \
         profiler reads it.\n\n{}",
        table(&columns, &cells)
    ))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_launch_has_a_row_and_a_part_a_column() {
        let file = json!({"case": "c", "rows": [{"rung": "14", "task": "t", "launch": 1, "microseconds": 27.14,
            "busy": [{"part": "L2", "percent": 81.6}], "limit": "L2"}]});
        let text = limits(&file).expect("limits");
        assert!(text.contains("| launch | µs | L2 | busiest |"), "{text}");
        assert!(text.ends_with("| `14`, `t`, launch 2 | 27.1 | 82 | L2 |\n"), "{text}");
        assert_eq!(limits(&json!({"rows": [{"lab": "lab1"}]})), None);
    }
}
