//! Measured figures in the prose of pages: they come from data by an include, or stand in the list below with their reason.

use std::collections::BTreeSet;

use book::files::{entries, file_name, has_ending, read};
use book::root;

/// What a figure can be of: times, rates, shares, ratios.
const UNITS: [&str; 9] = ["ms", "µs", "ns", "GB/s", "TB/s", "%", "cycles", "×", "per cent"];

/// Pages whose figures belong to an account of measurements, each with the command that repeats it.
const ACCOUNTS: [(&str, &str); 2] = [
    ("timing.md", "how the model was made: each figure names its command, or is a constant of the model"),
    (
        "limits.md",
        "what was tried and not kept, so that no data of it is kept: `workshop bench` measures such files",
    ),
];

/// Why a figure may be typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    /// A report has printed it; the sentence says which.
    Quoted,
    /// A threshold or a limit that the checker sets, or what a word means.
    Defined,
    /// Given in an exercise, or computed from what is given there.
    Given,
    /// Rounded from the modelled H200, which another test compares.
    Rounded,
}

use Why::{Defined, Given, Quoted, Rounded};

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
    ("learn/latency.md", "29 GB/s", Given),
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
            } else if has_ending(&path, "md") && !ACCOUNTS.iter().any(|(page, _)| *page == name) {
                for figure in figures(&read(&path).unwrap()) {
                    let listed =
                        TYPED.iter().position(|(page, known, _)| name.ends_with(page) && *known == figure);
                    if let Some(index) = listed {
                        used.insert(index);
                    } else {
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

#[test]
fn figures_are_found_and_sizes_are_not() {
    let text = "It takes 1.3 µs of `5 ms`, 7 % more, 2.5× as much, a 5×5 filter of 32 × 8, 10,000 GB/s.\n```\n4 ms\n```\n";
    let found: Vec<String> = figures(text).into_iter().collect();
    assert_eq!(found, ["1.3 µs", "10,000 GB/s", "2.5×", "7 %"]);
}
