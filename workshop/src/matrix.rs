//! `workshop matrix`: every rung on a GPU and on the simulator, bytes compared, times measured.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use lab::{Lab, Task};
use serde::Serialize;
use serde_json::Value;
use simulator::Checks;

use super::again;
use super::date::today;
use super::rungs::{self, Rung};
use checker::call;
use checker::exit::{self, Stop};
use checker::labs;
use checker::output;
use checker::performance::{self, TimingFixtures};
use checker::progress::Progress;
use checker::report::{Performance, Verdict};
use checker::setup::Setup;
use checker::verify::Runner;
use checker::workspace::{Workspace, current_folder};
use runtime::job::Program;
use runtime::remote::RemoteGpu;
use runtime::simulation::Simulation;

/// Of random images.
const SEED: u64 = 1;

/// Run every rung on a GPU and on the simulator, compare bytes, measure times (needs a GPU)
#[derive(Debug, Args)]
pub struct Matrix {
    /// Only these labs
    labs: Vec<String>,
    /// Only rungs whose name holds one of these; what the file has of the others stays
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    only: Vec<String>,
    /// Where to write the JSON
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Matrix {
    /// Does it.
    pub fn run(self) -> Result<ExitCode, Stop> {
        run(&labs::named(&self.labs)?, &self.only, &self.out)
    }
}

/// The table, as it is committed.
#[derive(Debug, Serialize)]
struct MatrixData {
    gpu: String,
    driver: String,
    date: String,
    command: String,
    compiler: String,
    rows: Vec<Value>,
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

/// Runs everything, writes the JSON, prints a table. With names in `only`, runs the rungs whose name holds one of them,
/// and keeps the rows that the file has of the others.
fn run(labs: &[&'static dyn Lab], only: &[String], out: &Path) -> Result<ExitCode, Stop> {
    let here = current_folder()?;
    let workspace = Workspace::find(&here)?;
    let before = if only.is_empty() { None } else { Some(before(out)?) };
    let progress = Progress::new();
    let (setup, device) = rungs::setup(&progress, "workshop matrix")?;
    let (driver, compiler) = (device.driver_name(), setup.compiler_name());
    let kept = match &before {
        Some(before) => kept(before, only, [&device.name, &driver, &compiler])?,
        None => Vec::new(),
    };
    let (mut rows, mut fixtures) = (Vec::new(), TimingFixtures::default());
    rungs::some_rungs(labs, only, &workspace, &setup, &device, &mut |rung| {
        rows.extend(rung_rows(rung, &setup, &mut fixtures, &progress)?);
        Ok(())
    })?;
    drop(progress);
    let chosen = again::option(only);
    let matrix = MatrixData {
        gpu: device.name.clone(),
        driver,
        date: today(),
        command: format!("workshop matrix{chosen} --out {}", workspace.shown(&here.join(out))),
        compiler,
        rows: joined(kept, &rows)?,
    };
    output::json_file(out, &matrix)?;
    output::text(&table(&matrix, &rows))?;
    Ok(exit::verdict(rows.iter().all(|row| row.right && row.unequal.is_empty())))
}

/// The file as it was.
fn before(out: &Path) -> Result<Value, Stop> {
    let failed = |error: &dyn std::fmt::Display| {
        Stop::environment(format!(
            "failed to read `{}`: {error}; `--only` adds to a file of before",
            out.display()
        ))
    };
    let text = std::fs::read_to_string(out).map_err(|error| failed(&error))?;
    let file: Value = serde_json::from_str(&text).map_err(|error| failed(&error))?;
    if file["rows"].is_array() { Ok(file) } else { Err(failed(&"it has no rows")) }
}

/// Its rows of rungs that are not run again; `here` is this GPU, its driver, the compiler.
fn kept(before: &Value, only: &[String], here: [&str; 3]) -> Result<Vec<Value>, Stop> {
    let text = |value: &'static str| before[value].as_str().unwrap_or_default();
    again::same_machine([text("gpu"), text("driver"), text("compiler")], here)?;
    let is_kept = |row: &&Value| !again::is_chosen(only, row["rung"].as_str().unwrap_or_default());
    Ok(before["rows"].as_array().into_iter().flatten().filter(is_kept).cloned().collect())
}

/// Both, lab by lab and rung by rung; tasks of a rung stay in their order.
fn joined(mut rows: Vec<Value>, new: &[Row]) -> Result<Vec<Value>, Stop> {
    for row in new {
        rows.push(serde_json::to_value(row).map_err(|error| Stop::environment(error.to_string()))?);
    }
    let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    rows.sort_by_key(|row| (text(row, "lab"), text(row, "rung")));
    Ok(rows)
}

fn rung_rows(
    rung: &mut Rung<'_>,
    setup: &Setup,
    fixtures: &mut TimingFixtures,
    progress: &Progress,
) -> Result<Vec<Row>, Stop> {
    let mut rows = Vec::new();
    let Rung { lab, name, tasks, program, simulation, gpu } = rung;
    for task in tasks.iter().copied() {
        progress.say(&format!("{name}: {}", task.name()));
        let unequal = unequal(task, program, simulation, gpu)?;
        let mut runner = Runner { program, simulation, gpu: Some(&mut *gpu) };
        let timed = performance::time_on(task, &task.timed_case(), setup, &mut runner, SEED, fixtures)?;
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
        let image = call::image(&case, SEED)?;
        let pixels = (image.width * image.height) as u64;
        let job = call::job(task.name(), task.arguments(&image), pixels, SEED);
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

fn table(matrix: &MatrixData, rows: &[Row]) -> String {
    let mut out = format!("{}, driver {}, {}\n", matrix.gpu, matrix.driver, matrix.date);
    let _ = writeln!(
        out,
        "{:26} {:18} {:>10} {:>10} {:>8} {:>7}  equal bytes",
        "rung", "task", "ms", "GB/s", "share", "right"
    );
    for row in rows {
        let equal = format!("{} of {}", row.cases - row.unequal.len(), row.cases);
        let _ = writeln!(
            out,
            "{:26} {:18} {:>10.4} {:>10.1} {:>6.1} % {:>7}  {equal}",
            checker::render::shortened(&row.rung, 26),
            checker::render::shortened(&row.performance.task, 18),
            row.median_ms,
            row.performance.gigabytes_per_second,
            100.0 * row.performance.share,
            if row.right { "yes" } else { "NO" }
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::json;

    use super::*;

    #[test]
    fn rows_of_rungs_that_are_run_again_are_left_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("matrix.json");
        let row = |rung: &str| json!({"lab": "lab1", "rung": rung});
        let file =
            json!({"gpu": "g", "driver": "d", "compiler": "c", "rows": [row("01_one"), row("02_two")]});
        std::fs::write(&out, file.to_string()).expect("a file");
        let file = before(&out).expect("the file");
        assert_eq!(kept(&file, &["02".to_owned()], ["g", "d", "c"]).expect("rows"), [row("01_one")]);
        assert!(kept(&file, &["02".to_owned()], ["another", "d", "c"]).is_err());
        assert!(before(&folder.path().join("none.json")).is_err());
    }
}
