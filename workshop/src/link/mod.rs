//! `workshop link`: what a copy between host and GPU takes, for the modelled link.
//!
//! Up and down, from and to page-locked and pageable memory, and managed memory that moves when the other side touches
//! it; from four bytes, which take what any copy takes, to an image of the labs. The largest copies give the speeds of
//! the model. Pageable memory is copied by the host, and hosts with the same GPU differ in it by a third: so the file gathers
//! the speeds of several machines, and the middle of them counts.

mod copies;
mod speeds;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use cuda::driver::DeviceProperties;
use cuda::identity;
use cuda::nvrtc::Target;
use serde::{Deserialize, Serialize};

use self::copies::{Row, measure};
use self::speeds::{Run, Speeds, source};
use super::date::today;
use super::{again, rungs};
use checker::build::yardstick;
use checker::exit::{self, Stop};
use checker::output;
use checker::progress::Progress;
use checker::workspace::{Workspace, current_folder};

const COMMAND: &str = "workshop link";

/// Time copies between host and GPU, page-locked, pageable and managed, for the modelled link (needs a GPU)
#[derive(Debug, Args)]
pub struct Link {
    /// Where to write the JSON; a file that is there already keeps its runs, and gets one more
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Write the constants of the model too, from the middle of all machines in the file:
    /// `engine/simulator/src/model/gpu/link_h200.rs`
    #[arg(long, value_name = "FILE")]
    constants: Option<PathBuf>,
}

impl Link {
    /// Does it.
    pub fn run(self) -> Result<ExitCode, Stop> {
        run(&self.out, self.constants.as_deref())
    }
}

/// All of it, as it is committed.
#[derive(Debug, Serialize)]
struct Measured {
    gpu: String,
    driver: String,
    date: String,
    command: String,
    compiler: String,
    what: &'static str,
    /// The largest copies' speeds of all runs, this one last.
    runs: Vec<Run>,
    /// The copies of this run.
    rows: Vec<Row>,
}

/// What is kept of a file when a run is added to it.
#[derive(Debug, Deserialize)]
struct Before {
    gpu: String,
    runs: Vec<Run>,
}

/// Measures, adds the run to the JSON, writes the model's constants if asked for; prints a table.
fn run(out: &Path, constants: Option<&Path>) -> Result<ExitCode, Stop> {
    let here = current_folder()?;
    let workspace = Workspace::find(&here)?;
    let progress = Progress::new();
    let (setup, device) = rungs::setup(&progress, COMMAND)?;
    // First, so that a file of something else stops here and not after the measurement.
    let mut runs = earlier(out, &device.name)?;
    progress.say("copying");
    let cubin = yardstick(&setup.compiler, Target::Cubin(device.capability))?;
    let rows = measure(&device, &cubin)
        .map_err(|error| Stop::environment(format!("failed to time copies on {}: {error}", device.name)))?;
    drop(progress);
    runs.push(this_run(&device, Speeds::of(&rows)));
    let shown = workspace.shown(&here.join(out));
    if let Some(path) = constants {
        std::fs::write(path, source(&runs, &device.name, &shown))
            .map_err(|error| Stop::environment(format!("failed to write `{}`: {error}", path.display())))?;
    }
    let measured = Measured {
        gpu: device.name.clone(),
        driver: device.driver_name(),
        date: today(),
        command: format!("{COMMAND} --out {shown}"),
        compiler: setup.compiler_name(),
        what: "copies between host and GPU until the host knows that they are done; managed: what a kernel or the host \
               takes longer the first time, when the pages move; runs: GB/s of the largest copies, each line a process; \
               rows: the last of these runs",
        runs,
        rows,
    };
    output::json_file(out, &measured)?;
    output::text(&text(&measured))?;
    Ok(ExitCode::from(exit::PASSED))
}

/// The runs that the file holds; none if there is no file yet.
fn earlier(out: &Path, gpu: &str) -> Result<Vec<Run>, Stop> {
    if !out.exists() {
        return Ok(Vec::new());
    }
    let before: Before = again::read(out, COMMAND)?;
    if before.gpu == gpu {
        return Ok(before.runs);
    }
    Err(Stop::environment(format!(
        "`{}` holds the copies of {}, this is {gpu}: give another file with `--out`",
        out.display(),
        before.gpu
    )))
}

fn this_run(device: &DeviceProperties, speeds: Speeds) -> Run {
    Run {
        machine: identity::uuid(&device.pci)
            .map_or_else(|| "unknown".to_owned(), |uuid| speeds::machine(&uuid).to_owned()),
        driver: device.driver_name(),
        date: today(),
        speeds,
    }
}

fn text(measured: &Measured) -> String {
    let mut out = format!("{}, driver {}, {}\n", measured.gpu, measured.driver, measured.date);
    let _ = writeln!(out, "{:12} {:5} {:>12} {:>12} {:>8}", "host memory", "", "bytes", "median us", "GB/s");
    for row in &measured.rows {
        let _ = writeln!(
            out,
            "{:12} {:5} {:>12} {:>12.2} {:>8.2}",
            row.host_memory, row.direction, row.bytes, row.median_microseconds, row.gigabytes_per_second
        );
    }
    let _ = writeln!(
        out,
        "\nGB/s of the largest copies, each line a process\n{:12} {:>12} {:>12} {:>14} {:>8}",
        "machine", "page-locked", "pageable up", "pageable down", "managed"
    );
    let middle = Speeds::middle(&measured.runs);
    let runs = measured.runs.iter().map(|run| (run.machine.as_str(), &run.speeds));
    for (name, speeds) in runs.chain([("the middle", &middle)]) {
        let _ = writeln!(
            out,
            "{name:12} {:>12.2} {:>12.2} {:>14.2} {:>8.2}",
            speeds.page_locked, speeds.pageable_up, speeds.pageable_down, speeds.managed
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn a_file_of_another_gpu_or_of_something_else_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("link.json");
        assert_eq!(earlier(&path, "NVIDIA H200").unwrap().len(), 0);

        let run = r#"{"machine": "a", "driver": "1", "date": "2026-11-23", "page_locked": 55.0,
            "pageable_up": 8.0, "pageable_down": 15.0, "managed": 9.0}"#;
        let file = format!(r#"{{"gpu": "NVIDIA H200", "runs": [{run}], "rows": []}}"#);
        std::fs::write(&path, &file).unwrap();
        let runs = earlier(&path, "NVIDIA H200").unwrap();
        assert_eq!((runs.len(), runs[0].speeds.pageable_up.to_string()), (1, "8".to_owned()));
        let other = earlier(&path, "NVIDIA L4").unwrap_err().to_string();
        assert!(other.contains("holds the copies of NVIDIA H200, this is NVIDIA L4"), "{other}");

        std::fs::write(&path, r#"{"gpu": "NVIDIA H200", "rows": []}"#).unwrap();
        let something = earlier(&path, "NVIDIA H200").unwrap_err().to_string();
        assert!(something.contains("missing field `runs`"), "{something}");
        assert!(something.contains("`workshop link` writes such a file"), "{something}");
    }
}
