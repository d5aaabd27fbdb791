//! `checker dev matrix`: every rung on a GPU and on the simulator, bytes compared, times measured.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use lab::{Lab, Task};
use serde::Serialize;
use simulator::Checks;

use super::date::today;
use super::rungs::{self, Rung};
use crate::exit::{self, Stop};
use crate::gpu::RemoteGpu;
use crate::job::{Job, Program};
use crate::judge::driver_name;
use crate::output;
use crate::performance::{self, Subjects};
use crate::progress::Progress;
use crate::report::{Performance, Verdict};
use crate::session::Simulation;
use crate::setup::Setup;
use crate::verify::{self, Runner};
use crate::workspace::{Workspace, current_folder};

/// Of random images.
const SEED: u64 = 1;

/// The table, as it is committed.
#[derive(Debug, Serialize)]
struct Matrix {
    gpu: String,
    driver: String,
    date: String,
    command: String,
    compiler: String,
    rows: Vec<Row>,
}

/// One rung of one task.
#[derive(Debug, Serialize)]
struct Row {
    lab: String,
    rung: String,
    cases: usize,
    /// Cases whose outputs are not the same bytes on both engines.
    unequal: Vec<String>,
    /// Whether the timed outputs are right.
    right: bool,
    median_ms: f64,
    #[serde(flatten)]
    performance: Performance,
}

/// Runs everything, writes the JSON, prints a table.
pub fn run(labs: &[&'static dyn Lab], out: &Path) -> Result<ExitCode, Stop> {
    let here = current_folder()?;
    let workspace = Workspace::find(&here)?;
    let progress = Progress::new();
    let (setup, device) = rungs::setup(&progress, "checker dev matrix")?;
    let (mut rows, mut subjects) = (Vec::new(), Subjects::default());
    rungs::each_rung(labs, &workspace, &setup, &device, &mut |rung| {
        rows.extend(rung_rows(rung, &setup, &mut subjects, &progress)?);
        Ok(())
    })?;
    drop(progress);
    let matrix = Matrix {
        gpu: device.name.clone(),
        driver: driver_name(device.driver_version),
        date: today(),
        command: format!("checker dev matrix --out {}", workspace.shown(&here.join(out))),
        compiler: setup.compiler_name(),
        rows,
    };
    output::json_file(out, &matrix)?;
    output::text(&table(&matrix))?;
    Ok(exit::verdict(matrix.rows.iter().all(|row| row.right && row.unequal.is_empty())))
}

fn rung_rows(
    rung: &mut Rung<'_>,
    setup: &Setup,
    subjects: &mut Subjects,
    progress: &Progress,
) -> Result<Vec<Row>, Stop> {
    let mut rows = Vec::new();
    let Rung { lab, name, tasks, program, simulation, gpu } = rung;
    for task in tasks.iter().copied() {
        progress.say(&format!("{name}: {}", task.name()));
        let unequal = unequal(task, program, simulation, gpu)?;
        let mut runner = Runner { program, simulation, gpu: Some(&mut *gpu) };
        let timed = performance::time_on(task, &task.timed_case(), setup, &mut runner, SEED, subjects)?;
        let right = timed.case.verdict == Verdict::Passed;
        let performance = timed.performance.ok_or_else(|| {
            let reason = timed.findings.first().map(|finding| finding.message.clone()).unwrap_or_default();
            Stop::environment(format!("failed to time `{name}`, task `{}`: {reason}", task.name()))
        })?;
        rows.push(Row {
            lab: lab.name().to_owned(),
            rung: name.clone(),
            cases: task.cases().len(),
            unequal,
            right,
            median_ms: performance.seconds * 1e3,
            performance,
        });
    }
    Ok(rows)
}

/// The cases whose outputs differ between the engines.
fn unequal(
    task: &dyn Task,
    program: &Program,
    simulation: &Simulation,
    gpu: &mut RemoteGpu,
) -> Result<Vec<String>, Stop> {
    let mut unequal = Vec::new();
    for case in task.cases() {
        let image = verify::image(&case, SEED)?;
        let pixels = (image.width * image.height) as u64;
        let job = Job::new(task.name(), task.arguments(&image), pixels, SEED);
        let failed =
            |failure| Stop::environment(format!("case `{}` of `{}`: {failure}", case.name, task.name()));
        let real = gpu.run(&job).map_err(failed)?;
        let simulated = simulation.run(program, &job, Checks::NONE).map_err(failed)?;
        if real.outputs.is_empty() || real.outputs != simulated.outputs {
            unequal.push(case.name);
        }
    }
    Ok(unequal)
}

fn table(matrix: &Matrix) -> String {
    let mut out = format!("{}, driver {}, {}\n", matrix.gpu, matrix.driver, matrix.date);
    let _ = writeln!(
        out,
        "{:26} {:18} {:>10} {:>10} {:>8} {:>7}  equal bytes",
        "rung", "task", "ms", "GB/s", "share", "right"
    );
    for row in &matrix.rows {
        let equal = format!("{} of {}", row.cases - row.unequal.len(), row.cases);
        let _ = writeln!(
            out,
            "{:26} {:18} {:>10.4} {:>10.1} {:>6.1} % {:>7}  {equal}",
            crate::render::shortened(&row.rung, 26),
            crate::render::shortened(&row.performance.task, 18),
            row.median_ms,
            row.performance.gigabytes_per_second,
            100.0 * row.performance.share,
            if row.right { "yes" } else { "NO" }
        );
    }
    out
}
