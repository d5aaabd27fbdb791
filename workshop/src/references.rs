//! `workshop references`: the CPU references of all labs beside OpenCV, as criterion measured them.
//!
//! Runs the benchmark `reference` of every lab several times and reads criterion's samples. Of each way it keeps the best
//! sample, and the best median of a run: other work on the machine only ever adds time.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Args;

use lab::Lab;
use records::{Provenance, Record, Reference};
use serde::Deserialize;

use crate::command_line::CommandLine;
use crate::date::today;
use crate::machine::heading;
use crate::sources::workspace;
use checker::output;
use judge::exit::{self, Stop};
use judge::labs;

/// Time the CPU references of all labs beside OpenCV, with criterion
#[derive(Debug, Args)]
pub struct References {
    /// Number of runs: the best counts
    #[arg(long, value_name = "N", default_value_t = 3)]
    runs: usize,
    /// Where to write the JSON
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl References {
    /// Runs the benchmarks, writes the JSON, prints a table.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let (workspace, opencv) = (workspace()?, opencv());
        if opencv.is_none() {
            eprintln!(
                "OpenCV is not timed: Python cannot import cv2. Run `pip install opencv-python-headless`, perhaps in a \
                 virtual environment whose Python OPENCV_PYTHON names"
            );
        }
        let mut times = Times::new();
        let mut load: f64 = 0.0;
        for _ in 0..self.runs {
            load = load.max(load_average());
            // A lab of somebody's own may have nothing to compare its references with.
            let has_bench = |lab: &&'static dyn Lab| {
                workspace.root().join("labs").join(lab.folder()).join("benches/reference.rs").is_file()
            };
            for lab in labs::all().into_iter().filter(has_bench) {
                bench(lab, workspace.root(), &mut times)?;
            }
        }
        let rows = times.into_iter().map(|((lab, task, way), (best_ms, median_ms))| Reference {
            lab: lab.to_owned(),
            task: task.to_owned(),
            way,
            best_ms,
            median_ms,
        });
        let references = records::References {
            opencv,
            cores: std::thread::available_parallelism().map_or(1, Into::into),
            runs: self.runs,
            load_average: load,
            rows: rows.collect(),
        };
        let record = Record::new(self.provenance(), references);
        output::json_file(&self.out, &record)?;
        output::text(&text(&record))?;
        Ok(exit::verdict(true))
    }

    fn provenance(&self) -> Provenance {
        let what = "milliseconds of one call on 8773 x 5352 pixels: the best sample of all runs, and the best median of a run";
        let command = CommandLine::of::<records::References>().option("--runs", Some(self.runs));
        Provenance {
            cpu: Some(cpu()),
            compiler: told("rustc", &["--version"]),
            date: Some(today()),
            command: command.file("--out", Some(&self.out)).into(),
            what: Some(what.to_owned()),
            ..Provenance::default()
        }
    }
}

/// Criterion's file of a run.
#[derive(Debug, Deserialize)]
struct Sample {
    /// Repetitions of each measurement.
    iters: Vec<f64>,
    /// Nanoseconds of each.
    times: Vec<f64>,
}

/// Best and median milliseconds by task and way.
type Times = BTreeMap<(&'static str, &'static str, String), (f64, f64)>;

/// Runs the benchmark of one lab and takes criterion's samples.
fn bench(lab: &'static dyn Lab, root: &Path, times: &mut Times) -> Result<(), Stop> {
    let failed = |what: &str| Stop::environment(format!("failed to measure {}: {what}", lab.name()));
    let home = tempfile::tempdir().map_err(|error| failed(&error.to_string()))?;
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["bench", "--quiet", "-p", lab.folder(), "--bench", "reference"])
        .current_dir(root)
        .env("CRITERION_HOME", home.path())
        .status()
        .map_err(|error| failed(&error.to_string()))?;
    if !status.success() {
        return Err(failed("`cargo bench` did not succeed"));
    }
    for task in lab.tasks() {
        let folder = home.path().join(task.name());
        let ways = std::fs::read_dir(&folder).map_err(|error| failed(&error.to_string()))?;
        for way in ways.flatten() {
            let file = way.path().join("new/sample.json");
            // Beside the ways lies criterion's own `report`.
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let sample: Sample = serde_json::from_str(&text).map_err(|error| failed(&error.to_string()))?;
            let key = (lab.name(), task.name(), way.file_name().to_string_lossy().into_owned());
            let (best, median) = sample.milliseconds();
            let entry = times.entry(key).or_insert((best, median));
            *entry = (entry.0.min(best), entry.1.min(median));
        }
    }
    Ok(())
}

impl Sample {
    /// The best and the median of its measurements.
    fn milliseconds(&self) -> (f64, f64) {
        let mut each: Vec<f64> =
            self.times.iter().zip(&self.iters).map(|(time, n)| time / n * 1e-6).collect();
        each.sort_by(f64::total_cmp);
        (each.first().copied().unwrap_or(f64::NAN), each.get(each.len() / 2).copied().unwrap_or(f64::NAN))
    }
}

/// The version of the OpenCV that the benchmarks will find.
fn opencv() -> Option<String> {
    let python = std::env::var("OPENCV_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    told(&python, &["-c", "import cv2; print(cv2.__version__)"])
}

/// The output of a program; `None` if it fails.
fn told(program: &str, arguments: &[&str]) -> Option<String> {
    let output =
        Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn cpu() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or_else(|| "a CPU without a name".to_owned(), |(_, name)| name.to_owned())
}

fn load_average() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(0.0)
}

fn text(record: &Record<records::References>) -> String {
    let references = &record.content;
    let version = references.opencv.as_deref().unwrap_or("none");
    let heading = heading(&record.provenance);
    let mut out = format!("{heading}, OpenCV {version}, load {:.1}\n", references.load_average);
    let _ = writeln!(out, "{:20} {:16} {:>10} {:>10}", "task", "way", "best ms", "median ms");
    for row in &references.rows {
        let _ = writeln!(out, "{:20} {:16} {:>10.2} {:>10.2}", row.task, row.way, row.best_ms, row.median_ms);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_taken_by_the_repetition() {
        let text = r#"{"sampling_mode":"Flat","iters":[2.0,1.0,4.0],"times":[4e6,3e6,4e6]}"#;
        let sample: Sample = serde_json::from_str(text).expect("criterion's form");
        assert_eq!(sample.milliseconds(), (1.0, 2.0));
    }
}
