//! The speeds of the largest copies on several machines, and the constants of the model that they make.

use records::{Copy, LinkRun, LinkSpeeds};

use super::copies::SIZES;
use runtime::statistics::median;

/// The part of a GPU's identifier that is different for each GPU of a file: `048d65a6` of `GPU-048d65a6-73bc-…`.
pub fn machine(uuid: &str) -> &str {
    uuid.trim_start_matches("GPU-").split('-').next().unwrap_or(uuid)
}

/// Of one run's copies.
pub fn of(rows: &[Copy]) -> LinkSpeeds {
    LinkSpeeds {
        page_locked: speed(rows, "page-locked", None),
        pageable_up: speed(rows, "pageable", Some("up")),
        pageable_down: speed(rows, "pageable", Some("down")),
        managed: speed(rows, "managed", None),
    }
}

/// The median of all machines, each of which counts once: with the median of its runs.
pub fn middle(runs: &[LinkRun]) -> LinkSpeeds {
    let mut machines: Vec<&str> = runs.iter().map(|run| run.machine.as_str()).collect();
    machines.sort_unstable();
    machines.dedup();
    let middle = |figure: fn(&LinkSpeeds) -> f64| {
        let of_machine = |machine: &&str| {
            let runs = runs.iter().filter(|run| run.machine == *machine);
            median(&runs.map(|run| figure(&run.speeds)).collect::<Vec<f64>>())
        };
        median(&machines.iter().map(of_machine).collect::<Vec<f64>>())
    };
    LinkSpeeds {
        page_locked: middle(|speeds| speeds.page_locked),
        pageable_up: middle(|speeds| speeds.pageable_up),
        pageable_down: middle(|speeds| speeds.pageable_down),
        managed: middle(|speeds| speeds.managed),
    }
}

/// 10⁹ bytes per second of the largest copies of a kind: both directions together, or one.
fn speed(rows: &[Copy], host_memory: &str, direction: Option<&str>) -> f64 {
    let largest = SIZES[SIZES.len() - 1];
    let of_kind = |row: &&Copy| {
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
pub fn source(runs: &[LinkRun], gpu: &str, from: &str) -> String {
    let speeds = middle(runs);
    let bytes_per_second = |speed: f64| format!("{:.3e}", speed * 1e9);
    format!(
        "//! The link of an H200. Written by `workshop link --constants`; not by hand.\n\n\
         use super::link::Link;\n\n\
         /// Measured on an {gpu}, copies of {} bytes; the middle of all machines of the file.\n\
         pub const H200: Link = Link {{\n    pinned: {},\n    pageable_up: {},\n    pageable_down: {},\n    \
         managed: {},\n    source: \"measured, {from}\",\n}};\n",
        SIZES[SIZES.len() - 1],
        bytes_per_second(speeds.page_locked),
        bytes_per_second(speeds.pageable_up),
        bytes_per_second(speeds.pageable_down),
        bytes_per_second(speeds.managed),
    )
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn rows() -> Vec<Copy> {
        let row = |host_memory: &str, direction: &str, bytes: u64, median_microseconds: f64| Copy {
            host_memory: host_memory.to_owned(),
            direction: direction.to_owned(),
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

    fn run(machine: &str, speeds: LinkSpeeds) -> LinkRun {
        LinkRun { machine: machine.to_owned(), driver: "1".to_owned(), date: "2026-11-23".to_owned(), speeds }
    }

    #[test]
    fn the_largest_copies_give_the_speeds() {
        let text = source(&[run("a", of(&rows()))], "NVIDIA H200", "book/data/link-h200.json");
        for line in
            ["pinned: 5.634e10,", "pageable_up: 1.409e10,", "pageable_down: 7.043e9,", "managed: 3.521e10,"]
        {
            assert!(text.contains(line), "{line} in\n{text}");
        }
        assert!(text.contains("source: \"measured, book/data/link-h200.json\""), "{text}");
    }

    #[test]
    fn a_machine_counts_once_however_often_it_ran() {
        let at = |machine, pageable_up| run(machine, LinkSpeeds { pageable_up, ..of(&rows()) });
        let runs = [at("a", 6.0), at("b", 8.0), at("a", 7.0), at("c", 9.0), at("a", 6.5)];
        // Of all five lines the median would be 7.
        let middles = [&runs[..], &runs[..2]].map(|runs| middle(runs).pageable_up.to_string());
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
