//! The command: copies timed, the run added to the file.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use cuda::driver::DeviceProperties;
use cuda::identity;
use cuda::nvrtc::Target;
use records::{LinkRun, LinkSpeeds, Provenance, Record};

use super::copies::measure;
use super::speeds::{self, source};
use crate::again;
use crate::command_line::CommandLine;
use crate::date::today;
use crate::machine::{Machine, heading, provenance};
use crate::sources::workspace;
use checker::output;
use judge::build::yardstick;
use judge::exit::{self, Stop};
use judge::progress::Progress;

/// Time copies between host and GPU, page-locked, pageable and managed, for the modelled link (needs a GPU)
#[derive(Debug, Args)]
pub struct Link {
    /// Where to write the JSON; a file that is there already keeps its runs, and gets one more
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Write the constants of the model too, from the median of all machines in the file:
    /// `engine/simulator/src/model/gpu/link_h200.rs`
    #[arg(long, value_name = "FILE")]
    constants: Option<PathBuf>,
}

const WHAT: &str = "copies between host and GPU until the host knows that they are done; managed: what a kernel or the host \
                    takes longer the first time, when the pages move; runs: GB/s of the largest copies, each line a process; \
                    rows: the last of these runs";

impl Link {
    /// Measures, adds the run to the JSON, writes the model's constants if asked for; prints a table.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let progress = Progress::new();
        let Machine { setup, device } = &Machine::find::<records::Link>(&progress)?;
        // First, so that a file of something else stops here and not after the measurement.
        let mut runs = earlier(&self.out, &device.name)?;
        progress.say("copying");
        let cubin = yardstick(&setup.compiler, Target::Cubin(device.capability))?;
        let rows = measure(device, &cubin).map_err(|error| {
            Stop::environment(format!("failed to time copies on {}: {error}", device.name))
        })?;
        drop(progress);
        runs.push(this_run(device, speeds::of(&rows)));
        if let Some(path) = &self.constants {
            let from = workspace()?.shown(&self.out);
            std::fs::write(path, source(&runs, &device.name, &from)).map_err(|error| {
                Stop::environment(format!("failed to write `{}`: {error}", path.display()))
            })?;
        }
        let command = CommandLine::of::<records::Link>().file("--out", Some(&self.out));
        let provenance = provenance(Some(device), setup.compiler_name(), command);
        let provenance = Provenance { what: Some(WHAT.to_owned()), ..provenance };
        let record = Record::new(provenance, records::Link { runs, rows });
        output::json_file(&self.out, &record)?;
        output::text(&text(&record))?;
        Ok(exit::verdict(true))
    }
}

/// The runs that the file holds; none if there is no file yet.
fn earlier(out: &Path, gpu: &str) -> Result<Vec<LinkRun>, Stop> {
    if !out.exists() {
        return Ok(Vec::new());
    }
    let before = records::read::<records::Link>(out).map_err(again::stop)?;
    let there = before.provenance.gpu.unwrap_or_default();
    if there == gpu {
        return Ok(before.content.runs);
    }
    Err(Stop::environment(format!(
        "`{}` holds the copies of {there}, this is {gpu}: give another file with `--out`",
        out.display()
    )))
}

fn this_run(device: &DeviceProperties, speeds: LinkSpeeds) -> LinkRun {
    LinkRun {
        machine: identity::uuid(&device.pci)
            .map_or_else(|| "unknown".to_owned(), |uuid| speeds::machine(&uuid).to_owned()),
        driver: device.driver_name(),
        date: today(),
        speeds,
    }
}

fn text(record: &Record<records::Link>) -> String {
    let mut out = format!("{}\n", heading(&record.provenance));
    let records::Link { runs, rows } = &record.content;
    let _ = writeln!(out, "{:12} {:5} {:>12} {:>12} {:>8}", "host memory", "", "bytes", "median us", "GB/s");
    for row in rows {
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
    let median = speeds::middle(runs);
    let runs = runs.iter().map(|run| (run.machine.as_str(), &run.speeds));
    for (name, speeds) in runs.chain([("the median", &median)]) {
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

        let speeds = LinkSpeeds { page_locked: 55.0, pageable_up: 8.0, pageable_down: 15.0, managed: 9.0 };
        let run = LinkRun { machine: "a".to_owned(), driver: "1".to_owned(), date: "d".to_owned(), speeds };
        let provenance = Provenance { gpu: Some("NVIDIA H200".to_owned()), ..Provenance::default() };
        let record = Record::new(provenance, records::Link { runs: vec![run], rows: Vec::new() });
        std::fs::write(&path, serde_json::to_string(&record).unwrap()).unwrap();
        let runs = earlier(&path, "NVIDIA H200").unwrap();
        assert_eq!((runs.len(), runs[0].speeds.pageable_up.to_string()), (1, "8".to_owned()));
        let other = earlier(&path, "NVIDIA L4").unwrap_err().to_string();
        assert!(other.contains("holds the copies of NVIDIA H200, this is NVIDIA L4"), "{other}");

        let times = Record::new(Provenance::default(), records::Times { points: Vec::new() });
        std::fs::write(&path, serde_json::to_string(&times).unwrap()).unwrap();
        let something = earlier(&path, "NVIDIA H200").unwrap_err().to_string();
        assert!(something.contains("kind `times`, not `link`"), "{something}");
        assert!(something.contains("`workshop link` writes such a file"), "{something}");
    }
}
