//! The speeds of the largest copies on several machines, and the constants of the model that they make.

use serde::{Deserialize, Serialize};

use super::copies::{Row, SIZES};
use runtime::statistics::median;

/// One process on one machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The first digits of the GPU's identifier: lines of one machine share them.
    pub machine: String,
    pub driver: String,
    pub date: String,
    #[serde(flatten)]
    pub speeds: Speeds,
}

/// Of the largest copies, in 10⁹ bytes a second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Speeds {
    /// Both directions together.
    pub page_locked: f64,
    pub pageable_up: f64,
    pub pageable_down: f64,
    /// Both directions together.
    pub managed: f64,
}

/// The part of a GPU's identifier that tells it from the few others of a file: `048d65a6` of `GPU-048d65a6-73bc-…`.
pub fn machine(uuid: &str) -> &str {
    uuid.trim_start_matches("GPU-").split('-').next().unwrap_or(uuid)
}

impl Speeds {
    /// Of one run's copies.
    pub fn of(rows: &[Row]) -> Self {
        Self {
            page_locked: speed(rows, "page-locked", None),
            pageable_up: speed(rows, "pageable", Some("up")),
            pageable_down: speed(rows, "pageable", Some("down")),
            managed: speed(rows, "managed", None),
        }
    }

    /// The median of all machines, each of which counts once: with the median of its runs.
    pub fn middle(runs: &[Run]) -> Self {
        let mut machines: Vec<&str> = runs.iter().map(|run| run.machine.as_str()).collect();
        machines.sort_unstable();
        machines.dedup();
        let middle = |figure: fn(&Self) -> f64| {
            let of_machine = |machine: &&str| {
                let all: Vec<f64> = runs
                    .iter()
                    .filter(|run| run.machine == *machine)
                    .map(|run| figure(&run.speeds))
                    .collect();
                median(&all)
            };
            median(&machines.iter().map(of_machine).collect::<Vec<f64>>())
        };
        Self {
            page_locked: middle(|speeds| speeds.page_locked),
            pageable_up: middle(|speeds| speeds.pageable_up),
            pageable_down: middle(|speeds| speeds.pageable_down),
            managed: middle(|speeds| speeds.managed),
        }
    }
}

/// 10⁹ bytes a second of the largest copies of a kind: both directions together, or one.
fn speed(rows: &[Row], host_memory: &str, direction: Option<&str>) -> f64 {
    let largest = SIZES[SIZES.len() - 1];
    let of_kind = |row: &&Row| {
        row.bytes == largest
            && row.host_memory == host_memory
            && direction.is_none_or(|direction| direction == row.direction)
    };
    let (bytes, microseconds) = rows.iter().filter(of_kind).fold((0, 0.0), |(bytes, microseconds), row| {
        (bytes + row.bytes, microseconds + row.median_microseconds)
    });
    bytes as f64 / microseconds * 1e-3
}

/// The model's constants as the source file that holds them.
pub fn source(runs: &[Run], gpu: &str, from: &str) -> String {
    let speeds = Speeds::middle(runs);
    let bytes_a_second = |speed: f64| format!("{:.3e}", speed * 1e9);
    format!(
        "//! The link of an H200. Written by `workshop link --constants`; not by hand.\n\n\
         use super::link::Link;\n\n\
         /// Measured on an {gpu}, copies of {} bytes; the middle of all machines of the file.\n\
         pub const H200: Link = Link {{\n    pinned: {},\n    pageable_up: {},\n    pageable_down: {},\n    \
         managed: {},\n    source: \"measured, {from}\",\n}};\n",
        SIZES[SIZES.len() - 1],
        bytes_a_second(speeds.page_locked),
        bytes_a_second(speeds.pageable_up),
        bytes_a_second(speeds.pageable_down),
        bytes_a_second(speeds.managed),
    )
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn rows() -> Vec<Row> {
        let row = |host_memory, direction, bytes: u64, median_microseconds: f64| Row {
            host_memory,
            direction,
            bytes,
            median_microseconds,
            best_microseconds: median_microseconds,
            gigabytes_per_second: bytes as f64 / median_microseconds * 1e-3,
        };
        let large = SIZES[SIZES.len() - 1];
        vec![
            row("page-locked", "up", 16, 8.0),
            row("page-locked", "up", large, 2000.0),
            row("page-locked", "down", large, 3000.0),
            row("pageable", "up", large, 10_000.0),
            row("pageable", "down", large, 20_000.0),
            row("managed", "up", large, 4000.0),
            row("managed", "down", large, 4000.0),
        ]
    }

    fn run(machine: &str, speeds: Speeds) -> Run {
        Run { machine: machine.to_owned(), driver: "1".to_owned(), date: "2026-11-23".to_owned(), speeds }
    }

    #[test]
    fn the_largest_copies_give_the_speeds() {
        let text = source(&[run("a", Speeds::of(&rows()))], "NVIDIA H200", "book/data/link-h200.json");
        for line in
            ["pinned: 5.634e10,", "pageable_up: 1.409e10,", "pageable_down: 7.043e9,", "managed: 3.521e10,"]
        {
            assert!(text.contains(line), "{line} in\n{text}");
        }
        assert!(text.contains("source: \"measured, book/data/link-h200.json\""), "{text}");
    }

    #[test]
    fn a_machine_counts_once_however_often_it_ran() {
        let at = |machine, pageable_up| run(machine, Speeds { pageable_up, ..Speeds::of(&rows()) });
        let runs = [at("a", 6.0), at("b", 8.0), at("a", 7.0), at("c", 9.0), at("a", 6.5)];
        // Of all five lines the median would be 7.
        let middles = [&runs[..], &runs[..2]].map(|runs| Speeds::middle(runs).pageable_up.to_string());
        assert_eq!(middles, ["8", "7"]);
    }

    #[test]
    fn machines_are_told_by_the_first_digits() {
        assert_eq!(machine("GPU-048d65a6-73bc-de9d-e447-a41f78772e74"), "048d65a6");
    }

    #[test]
    fn sizes_are_whole_words_of_the_kernel_that_touches_them() {
        assert_eq!(SIZES.map(|bytes| bytes % 16), [0; 7]);
    }
}
