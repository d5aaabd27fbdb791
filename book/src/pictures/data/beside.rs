//! Solutions beside other libraries, the model and the simulator beside the GPU.

use judge::numbers::significant;
use records::{Bench, Counters, Limits, Link, Model, References, Scores, Set};

use crate::data::Data;
use crate::pictures::charts::{Bar, bars};
use crate::pictures::dots::{Row, dots};
use crate::tables::numbers::distinct;

/// The width of the pictures that libraries are compared on.
const WIDTH: usize = 8784;

pub fn all(data: &[Data]) -> Vec<(String, String)> {
    let mut pictures = Vec::new();
    for file in data {
        let contents = &file.contents;
        pictures.extend(contents.get::<Bench>().map(|content| ("peers", peers(content))));
        pictures.extend(contents.get::<References>().map(|content| ("references", references(content))));
        pictures.extend(contents.get::<Link>().map(|content| ("link", link(content))));
        pictures.extend(contents.get::<Model>().map(|content| ("errors", errors(content))));
        pictures.extend(contents.get::<Scores>().map(|content| ("scores", scores(content))));
        pictures.extend(contents.get::<Counters>().map(|content| ("counters", counters(content))));
        pictures.extend(contents.get::<Limits>().map(|content| ("limits", limits(content))));
    }
    pictures.into_iter().map(|(name, text)| (name.to_owned(), text)).collect()
}

/// Our fastest rungs, the fastest of the GPU libraries, and OpenCV on all cores.
fn peers(bench: &Bench) -> String {
    let rows = bench.rows.iter().filter(|row| row.width == WIDTH && row.content != "scene");
    let rows = rows.filter_map(|row| {
        let best = |wanted: &dyn Fn(&str) -> bool| {
            let times = row.peers.iter().filter(|peer| wanted(&peer.peer)).filter_map(|peer| peer.ms);
            times.min_by(f64::total_cmp)
        };
        let ours = row.ours.as_ref()?;
        let nvidia = |name: &str| name.starts_with("NPP") || name.starts_with("CUB");
        let values = vec![
            Some(ours.ms),
            best(&nvidia),
            best(&|name| name.starts_with("CuPy")),
            best(&|name| name.starts_with("OpenCV, 16")),
        ];
        let name = if row.content == "one colour" {
            format!("{}, one colour", row.operation)
        } else {
            row.operation.clone()
        };
        Some(Row { name, values, note: String::new() })
    });
    let title = format!("The fastest rungs beside other libraries, on pictures {WIDTH} pixels wide");
    dots(
        &title,
        "milliseconds",
        &["last rung", "NPP or CUB", "CuPy", "OpenCV, 16 threads"],
        &rows.collect::<Vec<_>>(),
    )
}

/// The CPU references beside OpenCV: what a speedup is measured against.
fn references(references: &References) -> String {
    let tasks = distinct(references.rows.iter().map(|row| row.task.as_str()));
    let rows = tasks.into_iter().map(|task| {
        let of = |way: &str| {
            let found = references.rows.iter().find(|row| row.task == task && row.way == way);
            found.map(|row| row.best_ms)
        };
        let ways = ["sequential", "parallel-1", "parallel-all", "opencv-1", "opencv-all"];
        Row { name: task.to_owned(), values: ways.map(of).to_vec(), note: String::new() }
    });
    let series =
        ["plain loop", "fast, 1 thread", "fast, all threads", "OpenCV, 1 thread", "OpenCV, all threads"];
    let title = "The CPU references of the labs beside OpenCV";
    dots(title, "milliseconds", &series, &rows.collect::<Vec<_>>())
}

/// The speed of copies by size.
fn link(link: &Link) -> String {
    let sizes = distinct(link.rows.iter().map(|row| row.bytes));
    let ways = [
        ("page-locked, to the GPU", "page-locked", "up"),
        ("page-locked, to the host", "page-locked", "down"),
        ("pageable, to the GPU", "pageable", "up"),
        ("pageable, to the host", "pageable", "down"),
    ];
    let rows = sizes.into_iter().map(|bytes| {
        let of = |(_, memory, direction): (&str, &str, &str)| {
            let own = |row: &&records::Copy| {
                row.bytes == bytes && row.host_memory == memory && row.direction == direction
            };
            link.rows.iter().find(own).map(|row| row.gigabytes_per_second)
        };
        Row { name: size(bytes), values: ways.map(of).to_vec(), note: String::new() }
    });
    let names = ways.map(|(name, _, _)| name);
    dots("Copies between host and GPU, by size", "GB/s", &names, &rows.collect::<Vec<_>>())
}

/// `64 KiB`
fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{} KiB", bytes / 1024),
        _ => format!("{} MiB", bytes / 1_048_576),
    }
}

/// How many predictions are how far off.
fn errors(model: &Model) -> String {
    const EDGES: [f64; 6] = [0.0, 0.05, 0.1, 0.2, 0.35, 0.5];
    let of = |set: Set| -> Vec<f64> {
        let own = model.rows.iter().filter(|row| row.point.set == set);
        own.map(|row| (row.ratio - 1.0).abs()).collect()
    };
    let errors = of(Set::Ladder);
    let all = errors.len().max(1) as f64;
    let bar = |(index, from): (usize, &f64)| {
        let to = EDGES.get(index + 1).copied().unwrap_or(f64::INFINITY);
        let count = errors.iter().filter(|error| (*from..to).contains(*error)).count();
        let name = if to.is_finite() {
            format!("off by {:.0} to {:.0} %", 100.0 * from, 100.0 * to)
        } else {
            format!("off by more than {:.0} %", 100.0 * from)
        };
        let label = format!("{} % of {} times", significant(100.0 * count as f64 / all), errors.len());
        Bar { name, value: count as f64, label, class: if index < 2 { "c0" } else { "c1" } }
    };
    let bar_list: Vec<Bar> = EDGES.iter().enumerate().map(bar).collect();
    bars("How far predicted times of the ladders are from measured ones", &bar_list)
}

/// Points with measured and with predicted times.
fn scores(scores: &Scores) -> String {
    let rows = scores.rungs.iter().filter(|rung| rung.difference.abs() >= 1.0).map(|rung| Row {
        name: format!("{} {}", rung.lab, rung.rung),
        values: vec![Some(rung.measured), Some(rung.predicted)],
        note: format!("{:+.1}", rung.difference),
    });
    let rows: Vec<Row> = rows.collect();
    let title = format!(
        "Points with measured and with predicted times: the {} of {} rungs that differ by a point or more",
        rows.len(),
        scores.rungs.len()
    );
    dots(&title, "points of 100", &["on a GPU", "on the simulator"], &rows)
}

/// The simulator's counts as a share of the GPU's, by counter: the farthest of all launches.
fn counters(counters: &Counters) -> String {
    let names =
        distinct(counters.rows.iter().flat_map(|row| &row.counters).map(|counter| counter.name.as_str()));
    let bar = |name: &str| {
        let own = counters.rows.iter().flat_map(|row| &row.counters).filter(|counter| counter.name == name);
        let own: Vec<_> = own.filter(|counter| counter.gpu > 0).collect();
        let equal = own.iter().filter(|counter| counter.simulator == counter.gpu).count();
        Bar {
            name: name.to_owned(),
            value: equal as f64,
            label: format!("{equal} of {}", own.len()),
            class: "c0",
        }
    };
    let bar_list: Vec<Bar> = names.into_iter().map(bar).collect();
    bars("Launches in which the simulator counts exactly what the GPU counts", &bar_list)
}

/// The busiest part of the GPU in the last rungs.
fn limits(limits: &Limits) -> String {
    let bar = |row: &records::LimitsRow| {
        let busiest = row.busy.iter().filter(|busy| busy.part != "warps resident");
        let busiest = busiest.max_by(|one, other| one.percent.total_cmp(&other.percent))?;
        let launch = if row.launch == 0 { String::new() } else { format!(" ({})", row.launch + 1) };
        Some(Bar {
            name: format!("{}{launch}", row.task),
            value: busiest.percent,
            label: format!("{}: {} % busy", busiest.part, significant(busiest.percent)),
            class: "c0",
        })
    };
    let bar_list: Vec<Bar> = limits.rows.iter().filter_map(bar).collect();
    bars("The busiest part of an H200 in the last rung of each task, per launch", &bar_list)
}
