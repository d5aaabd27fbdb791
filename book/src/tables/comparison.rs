//! What `workshop counters` and `workshop differential` write: the simulator beside a GPU.

use serde_json::Value;

use super::number;
use crate::markdown::{Align, table};

/// The counters of every launch: how far the simulator's are from the GPU's. `None` if the file holds none.
pub fn counters(value: &Value) -> Option<String> {
    let rows = value["rows"].as_array()?;
    let first = rows.first()?["counters"].as_array()?;
    let names: Vec<&str> = first.iter().filter_map(|counter| counter["name"].as_str()).collect();
    let mut columns = vec![("launch", Align::Left)];
    columns.extend(names.iter().map(|name| (*name, Align::Right)));
    let cells = rows.iter().map(|row| {
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        let launch = row["launch"].as_u64().filter(|launch| *launch > 0);
        let launch = launch.map(|launch| format!(", launch {}", launch + 1)).unwrap_or_default();
        let mut cells = vec![format!("`{}`, `{}`{launch}", text("rung"), text("task"))];
        cells.extend(names.iter().map(|name| {
            let counter = row["counters"].as_array().into_iter().flatten().find(|one| one["name"] == *name);
            counter.map_or_else(|| "–".to_owned(), deviation)
        }));
        cells
    });
    let cells: Vec<Vec<String>> = cells.collect();
    let case = value["case"].as_str().unwrap_or_default();
    Some(format!(
        "How far the simulator's counters are from those that the GPU's profiler reads, on \"{case}\"; `=` where \
         they are equal.\n\n{}",
        table(&columns, &cells)
    ))
}

fn deviation(counter: &Value) -> String {
    let (simulator, gpu) = (number(&counter["simulator"]), number(&counter["gpu"]));
    if (simulator - gpu).abs() < 0.5 {
        "=".to_owned()
    } else if gpu == 0.0 {
        format!("{simulator} for 0")
    } else {
        format!("{:+.1} %", 100.0 * (simulator / gpu - 1.0))
    }
}

/// The random kernels, by family. `None` if the file holds none.
pub fn differential(value: &Value) -> Option<String> {
    let families = value["families"].as_array()?;
    let keys = ["kernels", "same", "differ", "compiler", "not_simulated", "found", "failed"];
    let titles = ["kernels", "same", "differ", "compiler", "not simulated", "false findings", "failed"];
    let mut columns = vec![("family", Align::Left)];
    columns.extend(titles.map(|title| (title, Align::Right)));
    let rows: Vec<Vec<String>> = families
        .iter()
        .map(|family| {
            let name = family["family"].as_str().unwrap_or_default().to_owned();
            [name].into_iter().chain(keys.iter().map(|key| family[*key].to_string())).collect()
        })
        .collect();
    Some(format!(
        "Kernels made at random from seed {}, each run on both, their outputs compared byte for byte. \
         *compiler*: the optimised machine code alone gives other bytes than the same PTX assembled without \
         optimisation, or the compiler crashed.\n\n{}",
        value["seed"],
        table(&columns, &rows)
    ))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_deviation_is_relative_to_the_gpu() {
        let of = |simulator: u64, gpu: u64| deviation(&json!({"simulator": simulator, "gpu": gpu}));
        assert_eq!(
            (of(5, 5).as_str(), of(110, 100).as_str(), of(3, 0).as_str()),
            ("=", "+10.0 %", "3 for 0")
        );
    }

    #[test]
    fn counters_and_families_are_told_by_their_shape() {
        let counted = json!({"case": "noise", "rows": [{"rung": "01_a", "task": "t", "launch": 0,
            "counters": [{"name": "loads", "simulator": 2, "gpu": 2}]}]});
        assert!(counters(&counted).unwrap().ends_with("| `01_a`, `t` | = |\n"));
        assert_eq!(differential(&counted), None);
        let random = json!({"seed": 1, "families": [{"family": "warp", "kernels": 9, "same": 8, "differ": 0,
            "compiler": 1, "not_simulated": 0, "found": 0, "failed": 0}]});
        assert!(differential(&random).unwrap().ends_with("| warp | 9 | 8 | 0 | 1 | 0 | 0 | 0 |\n"));
        assert_eq!(counters(&random), None);
    }
}
