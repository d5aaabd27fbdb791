//! Measured figures in the prose of pages: they come from data by an include, or stand in the list below with their reason.

use std::collections::BTreeSet;

use book::files::{entries, file_name, has_ending, read};
use book::root;

/// What a figure can be of: times, rates, shares, ratios.
const UNITS: [&str; 9] = ["ms", "µs", "ns", "GB/s", "TB/s", "%", "cycles", "×", "per cent"];

/// Why a figure may be typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    /// A report has printed it; the sentence says which.
    Quoted,
    /// A threshold, an aim or a limit that the checker sets, or what a word means.
    Defined,
    /// Given in an exercise, or computed from what is given there.
    Given,
    /// Rounded from the modelled H200, which another test compares.
    Rounded,
    /// The number behind this text in this file, rounded.
    In(&'static str, &'static str),
    /// The figure of this name in the file of micro-benchmarks, rounded.
    Micro(&'static str),
    /// The fastest copy from pageable memory to the GPU of all runs in the file of the link, rounded.
    Upload,
    /// Measured with kernels that have belonged to the pool since, so that no file has it any more.
    NotKept,
}

use Why::{Defined, Given, In, Micro, NotKept, Quoted, Rounded, Upload};

const RATES: &str = "engine/simulator/src/model/gpu/rates.rs";
const TRAFFIC: &str = "engine/simulator/src/model/time/traffic.rs";
const CHECKED: &str = "workshop/validation/checked/README.md";

const TYPED: &[(&str, &str, Why)] = &[
    ("W0701.md", "2 %", Defined),
    ("W0702.md", "1.5×", Defined),
    ("W0704.md", "5 %", Defined),
    ("lab1/arithmetic.md", "19 %", Quoted),
    ("lab1/arithmetic.md", "59 %", Quoted),
    ("lab1/once.md", "59 %", Quoted),
    ("lab1/start.md", "0.047 ms", Given),
    ("lab1/start.md", "4,000 GB/s", Rounded),
    ("lab4/packed.md", "49 %", Quoted),
    ("lab4/start.md", "0.29 ms", Given),
    ("lab4/start.md", "4,000 GB/s", Rounded),
    ("lab4/strips.md", "4,000 GB/s", Rounded),
    ("lab4/strips.md", "400 ns", Rounded),
    ("lab4/strips.md", "5 %", Quoted),
    ("lab5/copies.md", "151×", Quoted),
    ("lab5/copies.md", "53×", Quoted),
    ("lab5/overlap.md", "64 %", Quoted),
    ("learn/arithmetic.md", "4,000 GB/s", Rounded),
    ("learn/coalescing.md", "100 %", Defined),
    ("learn/latency.md", "100 %", Defined),
    ("learn/latency.md", "4,000 GB/s", Rounded),
    ("learn/latency.md", "400 ns", Rounded),
    ("learn/latency.md", "23 GB/s", Given),
    ("learn/moving.md", "50 GB/s", Rounded),
    ("learn/moving.md", "4,000 GB/s", Rounded),
    ("learn/roofline.md", "4,000 GB/s", Rounded),
    ("learn/roofline.md", "90 %", Given),
    ("learn/vectors.md", "100 %", Defined),
    ("learn/vectors.md", "4.6 ms", Quoted),
    ("learn/vectors.md", "1.8 ms", Quoted),
    ("learn/windows.md", "25 %", Given),
    ("measuring.md", "151×", Quoted),
    ("measuring.md", "53×", Quoted),
    ("reading.md", "100 %", Defined),
    ("timing.md", "0.59 ns", Micro("atomic add, the same sector, 8 lanes")),
    (
        "timing.md",
        "0.62 cycles",
        In("engine/simulator/src/model/count/critical_path/totals.rs", "SECTOR_CYCLES: f64 = "),
    ),
    ("timing.md", "0.73 ns", In(RATES, "    atomic_seconds: ")),
    ("timing.md", "1.3 µs", Micro("launch of an empty kernel after another")),
    ("timing.md", "10 %", Defined),
    ("timing.md", "10.2 GB/s", Upload),
    ("timing.md", "10.3 %", In(CHECKED, "predictions are off by **")),
    ("timing.md", "15 %", Defined),
    ("timing.md", "16.3 %", NotKept),
    ("timing.md", "18 µs", Micro("launch, and a copy of 1 KiB that the host waits for")),
    ("timing.md", "2 %", Defined),
    ("timing.md", "2 cycles", In(RATES, "    constant: ")),
    ("timing.md", "2 cycles", In(RATES, "machine: [0.5, 0.5, 0.25, ")),
    ("timing.md", "2.6 µs", Micro("launch that reads a block's 4 KiB from DRAM")),
    ("timing.md", "2.8 %", In(CHECKED, "and they are ")),
    ("timing.md", "231 cycles", In(RATES, "    turn: [")),
    ("timing.md", "32 cycles", Micro("tex1Dfetch of 32 words 16 apart")),
    ("timing.md", "329 cycles", In(RATES, "    far: [")),
    ("timing.md", "50 µs", In("engine/runtime/src/engine/prediction.rs", "FAULTS: f64 = ")),
    ("timing.md", "50 µs", In("engine/runtime/src/timing/batch.rs", "SHORT: f64 = ")),
    ("timing.md", "7.1 %", NotKept),
    ("timing.md", "79 ns", In(RATES, "    block_seconds: ")),
    ("timing.md", "9 %", Defined),
    ("timing.md", "9.0 %", In(CHECKED, "by less than **")),
    ("timing.md", "95 %", In(TRAFFIC, "FOUND: [f64; 2] = [0.5, ")),
];

/// The measured figures in the prose of a page: numbers with a unit, outside of code.
fn figures(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            code = !code;
            continue;
        }
        if code {
            continue;
        }
        let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("…");
        for (at, _) in prose.char_indices().filter(|(_, letter)| letter.is_ascii_digit()) {
            let before = prose[..at].chars().next_back();
            if before.is_some_and(|letter| letter.is_alphanumeric() || ".,".contains(letter)) {
                continue;
            }
            let rest = &prose[at..];
            let digits = rest.find(|letter: char| !letter.is_ascii_digit() && !".,".contains(letter));
            let (number, rest) = rest.split_at(digits.unwrap_or(rest.len()));
            let (space, rest) =
                if let Some(rest) = rest.strip_prefix(' ') { (" ", rest) } else { ("", rest) };
            let Some(unit) = UNITS.iter().find(|unit| rest.starts_with(**unit)) else { continue };
            let next = rest[unit.len()..].chars().next();
            // `32 × 8` and `5×5` are sizes; `ns` does not begin a word.
            let is_size =
                *unit == "×" && (!space.is_empty() || next.is_some_and(|next| next.is_ascii_digit()));
            if !is_size && !next.is_some_and(char::is_alphanumeric) {
                found.insert(format!("{number}{space}{unit}"));
            }
        }
    }
    found
}

#[test]
fn measured_figures_are_generated_or_say_where_they_come_from() {
    let mut folders = vec![root().join("book/pages")];
    let (mut unlisted, mut used) = (Vec::new(), BTreeSet::new());
    while let Some(folder) = folders.pop() {
        for path in entries(&folder).unwrap() {
            let name = path.strip_prefix(root().join("book/pages")).unwrap().display().to_string();
            if path.is_dir() && file_name(&path) != "generated" {
                folders.push(path);
            } else if has_ending(&path, "md") {
                for figure in figures(&read(&path).unwrap()) {
                    let is_it = |row: &(&str, &str, Why)| name.ends_with(row.0) && row.1 == figure;
                    let listed = (0..TYPED.len()).filter(|index| is_it(&TYPED[*index]));
                    let before = used.len();
                    used.extend(listed);
                    if used.len() == before {
                        unlisted.push(format!("{name}: {figure}"));
                    }
                }
            }
        }
    }
    assert!(
        unlisted.is_empty(),
        "include these from data, or say in TYPED why they are typed: {unlisted:#?}"
    );
    let gone: Vec<_> = TYPED.iter().enumerate().filter(|(index, _)| !used.contains(index)).collect();
    assert!(gone.is_empty(), "no page has these any more: {gone:?}");
}

#[test]
fn a_sentence_with_a_quotation_names_its_report() {
    for (page, figure, _) in TYPED.iter().filter(|(_, _, why)| *why == Quoted) {
        let path =
            [format!("labs/{page}"), (*page).to_owned()].map(|page| root().join("book/pages").join(page));
        let text = read(path.iter().find(|path| path.is_file()).expect("a page")).unwrap();
        let paragraph = text.split("\n\n").find(|paragraph| paragraph.contains(figure)).expect("the figure");
        assert!(paragraph.to_lowercase().contains("report"), "{page}: {figure}");
    }
}

#[test]
fn rounded_rates_are_those_of_the_modelled_gpu() {
    let gpu = simulator::model::find("h200").unwrap();
    let near =
        |rounded: f64, exact: f64| assert!((rounded / exact - 1.0).abs() < 0.2, "{rounded} and {exact}");
    near(4000e9, gpu.dram_bytes_per_second);
    near(1.98e9, gpu.clock_hz);
    near(132.0, f64::from(gpu.multiprocessors));
}

/// The number that a text begins with.
fn number(text: &str) -> f64 {
    let end = text.find(|letter: char| !letter.is_ascii_digit() && !".e-_".contains(letter));
    text[..end.unwrap_or(text.len())]
        .replace('_', "")
        .parse()
        .unwrap_or_else(|_| panic!("no number: {text:.20}"))
}

/// Whether a figure such as `0.73 ns` is this number, rounded to as many digits as it shows. The number is in the figure's unit, or
/// in seconds, bytes per second and parts of one.
fn is_rounded(figure: &str, exact: f64) -> bool {
    let (shown, unit) = figure.split_once(' ').expect("a number and a unit");
    let scale = match unit {
        "ns" => 1e-9,
        "µs" => 1e-6,
        "ms" => 1e-3,
        "GB/s" => 1e9,
        "%" => 1e-2,
        _ => 1.0,
    };
    let digits = i32::try_from(shown.split_once('.').map_or(0, |(_, after)| after.len())).unwrap();
    let half = 0.501 * 10f64.powi(-digits);
    [exact, exact / scale].iter().any(|exact| (number(shown) - exact).abs() <= half)
}

#[test]
fn figures_of_the_model_are_those_in_its_sources_and_its_measurements() {
    let micro: serde_json::Value =
        serde_json::from_str(&read(&root().join("book/data/micro-h200.json")).unwrap()).unwrap();
    let link: serde_json::Value =
        serde_json::from_str(&read(&root().join("book/data/link-h200.json")).unwrap()).unwrap();
    let uploads = link["runs"].as_array().unwrap().iter().map(|run| run["pageable_up"].as_f64().unwrap());
    let upload = uploads.fold(0.0, f64::max);
    let mut compared = 0;
    for (page, figure, why) in TYPED {
        let exact = match why {
            In(file, start) => {
                let text = read(&root().join(file)).unwrap();
                number(text.split_once(start).unwrap_or_else(|| panic!("{page}: {file} has no `{start}`")).1)
            }
            Micro(name) => {
                let mut figures = micro["figures"].as_array().unwrap().iter();
                let found = figures.find(|figure| figure["name"] == *name);
                found.unwrap_or_else(|| panic!("{page}: no figure `{name}`"))["value"].as_f64().unwrap()
            }
            Upload => upload,
            _ => continue,
        };
        compared += 1;
        assert!(is_rounded(figure, exact), "{page}: {figure} is {exact} in its source, {why:?}");
    }
    assert!(compared > 15, "{compared}");
    assert!(is_rounded("61 %", 0.614) && is_rounded("0.59 ns", 0.586) && !is_rounded("0.58 ns", 0.586e-9));
}

#[test]
fn figures_are_found_and_sizes_are_not() {
    let text = "It takes 1.3 µs of `5 ms`, 7 % more, 2.5× as much, a 5×5 filter of 32 × 8, 10,000 GB/s.\n```\n4 ms\n```\n";
    let found: Vec<String> = figures(text).into_iter().collect();
    assert_eq!(found, ["1.3 µs", "10,000 GB/s", "2.5×", "7 %"]);
}
