//! The page of modelled GPUs: their figures and sources, how predictions compare with what is known of them.

use std::fmt::Write as _;

use records::Papers;
use records::Validate;
use records::papers::{Experiment, Paper, Row};
use simulator::model::{Gpu, gpus};

use crate::data::{self, Data};
use crate::markdown::{Align, prose, table};
use crate::tables::validate;

const BEGINNING: &str = "# Modelled GPUs

`--gpu NAME` predicts times for one of these GPUs. Only the predictions for an H200 were compared with measurements; \
                         all others are marked *unvalidated* wherever they are shown, and have no interval. Use them to see how the same \
                         kernel fares with less bandwidth or fewer multiprocessors, not to foretell milliseconds.

Of each card, the model takes its data sheet, the tables of the CUDA C Programming Guide, and published microbenchmarks. What \
                         it needs and no paper gives is scaled from the H200 by one rule: what takes cycles of a multiprocessor takes \
                         as many; what takes time on the GPU takes as many cycles of its clock; the slices of the L2 that work on \
                         atomics are as many as its bandwidth per clock asks for; what the host takes to launch stays. The kernels are \
                         compiled for the card, and the model reads that machine code; for compute capability below 7.5 it reads PTX \
                         only. `cards.rs`, `gpus.rs` and `rates.rs` in `engine/simulator/src/model/gpu/` have every figure.\n";

const OWN: &str = "\n## Check your own card\n\n`workshop validate` times a fixed set of kernels on the GPU at hand and predicts each, \
                   in some minutes, and writes one file. Send it in: a card gets its table here from `book/data/validate-NAME.json`.\
                   \n\n```sh\ncargo run --release -p workshop -- validate --out book/data/validate-rtx3060.json\n```\n";

const OLDER: &str = "\n## Where predictions for the reports' GPUs fail\n\n[The reports' times, predicted](measurements.md) has every row. \
                     These are off by more than a factor of 1.5; nothing was fitted to them.\n\n";

/// More than this, either way, is shown as a failure.
const FAR: f64 = 1.5;

/// Of which experiments and rungs, and why the prediction fails.
const REASONS: [(&str, &str, &str); 6] = [
    (
        "img00",
        "",
        "A small picture. A launch takes a time that the model assumes; on the report's machine it takes several times as long, \
         whatever the kernel.",
    ),
    (
        "histogram",
        "histogram_per_block",
        "Compute capability 2.0 has no atomics on shared memory: a loop with a lock makes one lane after the other wait. The model \
         takes eight passes for each; neighbours in a photograph have equal levels, and the loop takes far longer.",
    ),
    ("histogram", "more_pixels", "The same lock."),
    ("histogram", "fixed_grid", "The same lock."),
    (
        "darken",
        "grid_stride",
        "The report found hardly any gain from ten pixels per thread. A guess: on 2.0 their loop takes more instructions than the \
         model counts.",
    ),
    (
        "smoothing",
        "one_pixel",
        "A guess: 25 loads of bytes per pixel meet an L1 of 16 KB and address arithmetic of compute capability 2.0; the model counts \
         code for 5.0 or newer, and an L1 like the H200's.",
    ),
];

/// The page.
pub fn page(data: &[Data]) -> String {
    let mut out = BEGINNING.to_owned();
    let _ = write!(out, "\n{}\n{}", table(&COLUMNS, &gpus().iter().map(row).collect::<Vec<_>>()), sources());
    out += OWN;
    out += &data::tables(data, |content: &Validate| Some(format!("{}\n", validate::table_of(content))));
    let failures: Vec<Vec<String>> = data
        .iter()
        .filter_map(|file| file.contents.get::<Papers>())
        .flat_map(|reports| &reports.reports)
        .filter(|report| !report.is_measured())
        .flat_map(failures)
        .collect();
    if !failures.is_empty() {
        let columns = [
            ("GPU", Align::Left),
            ("experiment", Align::Left),
            ("rung", Align::Left),
            ("published, ms", Align::Right),
            ("predicted, ms", Align::Right),
            ("ratio", Align::Right),
            ("why", Align::Left),
        ];
        out += OLDER;
        out += &table(&columns, &failures);
    }
    out
}

const COLUMNS: [(&str, Align); 9] = [
    ("`--gpu`", Align::Left),
    ("GPU", Align::Left),
    ("compute capability", Align::Right),
    ("SMs", Align::Right),
    ("MHz", Align::Right),
    ("DRAM, GB/s: peak", Align::Right),
    ("a copy reaches", Align::Right),
    ("L2, MiB", Align::Right),
    ("predictions", Align::Left),
];

fn row(gpu: &Gpu) -> Vec<String> {
    let (kilohertz, bits) = gpu.memory_interface;
    let peak = 2e3 * f64::from(kilohertz) * f64::from(bits) / 8.0;
    let gigabytes = |bytes: f64| format!("{:.0}", bytes / 1e9);
    vec![
        format!("`{}`", gpu.name),
        prose(gpu.title),
        format!("{}.{}", gpu.capability / 10, gpu.capability % 10),
        gpu.multiprocessors.to_string(),
        format!("{:.0}", gpu.clock_hz / 1e6),
        gigabytes(peak),
        gigabytes(gpu.dram_bytes_per_second),
        format!("{:.1}", gpu.l2_bytes as f64 / f64::from(1 << 20)),
        if gpu.validated { "validated" } else { "unvalidated" }.to_owned(),
    ]
}

fn sources() -> String {
    let mut out = String::new();
    for gpu in gpus() {
        let _ = writeln!(out, "- `{}`: {}.", gpu.name, prose(gpu.source));
    }
    out
}

/// The predictions of a report on its own GPU that are far off.
fn failures(report: &Paper) -> Vec<Vec<String>> {
    let Some(own) = gpus().iter().find(|gpu| gpu.title == report.gpu && !gpu.validated) else {
        return Vec::new();
    };
    let rows = report
        .experiments
        .iter()
        .flat_map(|experiment| experiment.rows.iter().filter_map(move |row| failure(own, experiment, row)));
    rows.collect()
}

fn failure(gpu: &Gpu, experiment: &Experiment, row: &Row) -> Option<Vec<String>> {
    let rung = row.ours.as_deref().filter(|ours| !["sequential", "parallel"].contains(ours))?;
    let (ratio, here) = (row.ms.ratio?, row.ms.here?);
    if (FAR.recip()..=FAR).contains(&ratio) {
        return None;
    }
    let fits = |(name, part, _): &&(&str, &str, &str)| experiment.name.contains(name) && rung.contains(part);
    let note = if experiment.note.contains("does not name") {
        "Another GPU, which the report does not name."
    } else {
        ""
    };
    let why = REASONS.iter().find(fits).map_or(note, |(_, _, why)| *why);
    let figure = |value: f64| format!("{value:.3}");
    Some(vec![
        format!("`{}`", gpu.name),
        format!("`{}`", experiment.name),
        format!("`{rung}`"),
        figure(row.ms.published?),
        figure(here),
        format!("{ratio:.2}"),
        why.to_owned(),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_gpu_has_a_row_and_a_source() {
        let text = page(&[]);
        for gpu in gpus() {
            assert!(
                text.contains(&format!("| `{}` |", gpu.name))
                    && text.contains(&format!("- `{}`: ", gpu.name))
            );
        }
        assert!(
            text.contains(
                "| `rtx3060` | GeForce RTX 3060 | 8.6 | 28 | 1777 | 360 | 338 | 2.2 | unvalidated |"
            ),
            "{text}"
        );
    }

    #[test]
    fn every_failure_has_a_reason() {
        let data = data::load(&crate::root().join("book/data")).unwrap();
        let text = page(&data);
        let failures = text.split("## Where predictions").nth(1).expect("failures");
        assert!(failures.contains("The same lock."), "{failures}");
        assert!(!failures.contains("|  |"), "a failure without a reason: {failures}");
    }
}
