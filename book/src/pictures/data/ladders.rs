//! The ladders: measured beside predicted times, and all rungs below one roof.

use judge::numbers::significant;
use records::{Scores, Set, Totals};
use simulator::model::Gpu;

use crate::data::Data;
use crate::files::LABS;
use crate::pictures::charts::{Point, roofline};
use crate::pictures::dots::{Row, dots};
use crate::steps;

/// Schedulers of a multiprocessor; each issues an instruction for 32 lanes per cycle.
const LANES_PER_CYCLE: f64 = 4.0 * 32.0;
const SECTOR: f64 = 32.0;

/// Bytes per second of DRAM, and instructions of threads per second.
pub fn roof(gpu: &Gpu) -> [f64; 2] {
    let instructions = f64::from(gpu.multiprocessors) * LANES_PER_CYCLE * gpu.clock_hz;
    [gpu.dram_bytes_per_second, instructions]
}

pub fn all(data: &[Data], gpu: &Gpu) -> Vec<(String, String)> {
    let mut pictures = Vec::new();
    for lab in LABS {
        for task in steps::tasks(data, lab) {
            let text = model(data, lab, &task).unwrap_or_else(|| shares(data, lab, &task));
            pictures.push((format!("ladder-{lab}-{task}"), text));
        }
    }
    for totals in data.iter().filter_map(|file| file.contents.get::<Totals>()) {
        pictures.push(("rungs".to_owned(), rungs(totals, gpu)));
        for lab in LABS {
            let points = points(totals, lab);
            if points.is_empty() {
                continue;
            }
            let title = format!("The rungs of {lab} below the roof of an H200, by the GPU's own counters");
            pictures.push((format!("roof-{lab}"), roofline(&title, roof(gpu), &points, &[], true)));
        }
    }
    pictures
}

/// Measured and predicted times of a task's rungs; `None` without predictions.
fn model(data: &[Data], lab: &str, task: &str) -> Option<String> {
    let times = steps::times(data, lab, task);
    let rows: Vec<Row> = times
        .iter()
        .filter(|time| time.predicted.is_some())
        .map(|time| Row {
            name: time.rung.clone(),
            values: vec![Some(time.measured), time.predicted],
            note: [format!("{} ms", significant(time.measured)), time.limiter.clone()]
                .into_iter()
                .filter(|words| !words.is_empty())
                .collect::<Vec<_>>()
                .join(": "),
        })
        .collect();
    let title = format!("{lab}, {task}: every rung on an H200, and what limits it by the model");
    (!rows.is_empty()).then(|| dots(&title, "milliseconds", &["measured", "predicted"], &rows))
}

/// Shares of the yardstick's speed.
fn shares(data: &[Data], lab: &str, task: &str) -> String {
    let scores = data.iter().filter_map(|file| file.contents.get::<Scores>());
    let rungs = scores.flat_map(|scores| &scores.rungs).filter(|rung| rung.lab == lab);
    let rows = rungs.filter_map(|rung| {
        let of = rung.tasks.iter().find(|own| own.task == task)?;
        Some(Row {
            name: rung.rung.clone(),
            values: vec![Some(100.0 * of.measured.share), Some(100.0 * of.predicted.share)],
            note: format!("{} %", significant(100.0 * of.measured.share)),
        })
    });
    let title = format!("{lab}, {task}: share of the link's speed, per rung, on an H200");
    dots(&title, "% of the yardstick's speed", &["measured", "predicted"], &rows.collect::<Vec<_>>())
}

/// The longest launch of each rung of a lab.
fn points(totals: &Totals, lab: &str) -> Vec<Point> {
    let own = totals.kernels.iter().filter(|kernel| kernel.set == Set::Ladder && kernel.lab == lab);
    let points = own.filter_map(|kernel| {
        let launches = kernel.launches.iter();
        let launch = launches.max_by(|one, other| one.microseconds.total_cmp(&other.microseconds))?;
        let bytes = SECTOR * launch.dram_sectors.iter().sum::<f64>();
        let instructions = 32.0 * launch.instructions;
        Some(Point {
            intensity: instructions / bytes.max(1.0),
            rate: instructions / (1e-6 * launch.microseconds),
            name: kernel.kernel.split('_').next().unwrap_or_default().to_owned(),
            tip: format!("{lab} {} ({})", kernel.kernel, launch.name),
            class: "c0".into(),
        })
    });
    points.collect()
}

/// Every rung's longest launch on the largest picture.
fn rungs(totals: &Totals, gpu: &Gpu) -> String {
    let mut all = Vec::new();
    let mut legend = Vec::new();
    for lab in LABS {
        let points = points(totals, lab);
        if points.is_empty() {
            continue;
        }
        let class = format!("c{}", legend.len());
        all.extend(points.into_iter().map(|point| Point { class: class.clone(), ..point }));
        legend.push((class, lab.to_owned()));
    }
    let title = "Every rung of labs 1 to 4 below the roof of an H200, by the GPU's own counters";
    roofline(title, roof(gpu), &all, &legend, false)
}
