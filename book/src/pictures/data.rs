//! Pictures of the committed measurements.

use checker::numbers::significant;
use records::{Matrix, Set, Totals};
use simulator::model::Gpu;

use super::charts::{Bar, Point, bars, roofline};
use crate::data::Data;
use crate::generate::Page;

/// Schedulers of a multiprocessor; each issues an instruction for 32 lanes per cycle.
const LANES_PER_CYCLE: f64 = 4.0 * 32.0;
const SECTOR: f64 = 32.0;

/// Bytes per second of DRAM, and instructions of threads per second.
pub fn roof(gpu: &Gpu) -> [f64; 2] {
    let instructions = f64::from(gpu.multiprocessors) * LANES_PER_CYCLE * gpu.clock_hz;
    [gpu.dram_bytes_per_second, instructions]
}

/// Bars of each lab's ladder, and all rungs below one roof.
pub fn of_data(data: &[Data], gpu: &Gpu) -> Vec<Page> {
    let mut pages = Vec::new();
    for file in data {
        if let Some(matrix) = file.contents.get::<Matrix>() {
            pages.extend(ladders(matrix));
        }
        if let Some(totals) = file.contents.get::<Totals>() {
            pages.push(Page { name: "rungs.svg".into(), text: rungs(totals, gpu) });
        }
    }
    pages
}

/// The measured times of the rungs, a picture for each lab's first task.
fn ladders(matrix: &Matrix) -> Vec<Page> {
    let mut pages: Vec<Page> = Vec::new();
    for first in &matrix.rows {
        let name = format!("{}-ladder.svg", first.lab);
        if pages.iter().any(|page| page.name == name) {
            continue;
        }
        let own = matrix.rows.iter().filter(|row| row.lab == first.lab && row.task == first.task);
        let of = own.map(|row| Bar {
            name: row.rung.clone(),
            value: row.share,
            label: format!("{} % ({} ms)", significant(100.0 * row.share), significant(1e3 * row.seconds)),
            class: if row.share > 0.5 { "c2" } else { "c0" },
        });
        let title = format!(
            "{}, {}: share of the yardstick's speed, measured on an H200 ({} × {} pixels)",
            first.lab, first.task, first.width, first.height
        );
        pages.push(Page { name, text: bars(&title, &of.collect::<Vec<_>>()) });
    }
    pages
}

/// Every rung's longest launch on the largest picture, by the GPU's own counters.
fn rungs(totals: &Totals, gpu: &Gpu) -> String {
    let mut points = Vec::new();
    let mut labs: Vec<String> = Vec::new();
    for kernel in totals.kernels.iter().filter(|kernel| kernel.set == Set::Ladder) {
        if !labs.contains(&kernel.lab) {
            labs.push(kernel.lab.clone());
        }
        let index = labs.iter().position(|lab| *lab == kernel.lab).unwrap_or(0);
        let longest =
            kernel.launches.iter().max_by(|one, other| one.microseconds.total_cmp(&other.microseconds));
        let Some(launch) = longest else { continue };
        let bytes = SECTOR * launch.dram_sectors.iter().sum::<f64>();
        let instructions = 32.0 * launch.instructions;
        points.push(Point {
            intensity: instructions / bytes.max(1.0),
            rate: instructions / (1e-6 * launch.microseconds),
            name: format!("{} {} ({})", kernel.lab, kernel.kernel, launch.name),
            class: format!("c{index}"),
        });
    }
    let legend: Vec<(String, String)> =
        labs.iter().enumerate().map(|(index, lab)| (format!("c{index}"), lab.clone())).collect();
    let title = "Every rung of labs 1 to 4 below the roof of an H200, by the GPU's own counters";
    roofline(title, roof(gpu), &points, &legend, false)
}
