//! `workshop counters`: the simulator's counters beside the GPU's own.
//!
//! Runs one case of every rung on the simulator, counting, and the same on the GPU under NVIDIA's profiler
//! (`ncu`), which has to be on the machine.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use lab::{Case, Lab, Picture};
use records::{Counter, CountersRow, Record};

use crate::command_line::CommandLine;
use crate::launches::{self, ProfileOptions};
use crate::machine::{Machine, heading};
use crate::profiler::{Launch, metric};
use crate::rungs;
use crate::sources::{self, Source};
use checker::output;
use judge::exit::{self, Stop};
use judge::progress::Progress;

/// Compare the simulator's counters with the GPU's own, read by `ncu` (needs both)
#[derive(Debug, Args)]
pub struct Counters {
    #[command(flatten)]
    profile: ProfileOptions,
}

impl Counters {
    /// Does it.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let labs = self.profile.labs()?;
        let sources = sources::ladders(&labs, &sources::workspace()?)?;
        match self.profile.out() {
            Some(out) => compare(&labs, &sources, out)?,
            None => launches::launch::<records::Counters>(&sources, &[case()])?,
        }
        Ok(exit::verdict(true))
    }
}

/// A counter that both sides have: its name here, the profiler's metrics that add up to it, and ours.
struct Pair {
    name: &'static str,
    metrics: &'static [&'static str],
    ours: fn(&simulator::Counters) -> u64,
}

/// Instructions are not compared: the GPU runs machine code, the simulator PTX.
const PAIRS: [Pair; 6] = [
    Pair {
        name: "load requests",
        metrics: &["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"],
        ours: |counters| counters.global_load_requests,
    },
    Pair {
        name: "load sectors",
        metrics: &["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"],
        ours: |counters| counters.global_load_sectors,
    },
    Pair {
        name: "store requests",
        metrics: &["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"],
        ours: |counters| counters.global_store_requests,
    },
    Pair {
        name: "store sectors",
        metrics: &["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"],
        ours: |counters| counters.global_store_sectors,
    },
    Pair {
        name: "shared wavefronts",
        metrics: &[
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
        ],
        ours: |counters| counters.shared_wavefronts,
    },
    Pair {
        name: "shared requests",
        metrics: &["smsp__inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_shared_st.sum"],
        ours: |counters| counters.shared_requests,
    },
];

/// A picture whose width is not a multiple of a block or a sector, large enough for whole waves of blocks.
fn case() -> Case {
    Case::new("noise 1283x967", Picture::Noise { width: 1283, height: 967, colours: 256 })
}

/// Runs both sides, writes the JSON, prints a table.
fn compare(labs: &[&'static dyn Lab], sources: &[Source], out: &Path) -> Result<(), Stop> {
    let progress = Progress::new();
    let machine = Machine::find::<records::Counters>(&progress)?;
    let rows = simulated(sources, &machine)?;
    progress.say("the same under the profiler");
    let metrics: Vec<&str> = PAIRS.iter().flat_map(|pair| pair.metrics.iter().copied()).collect();
    let seen = launches::profiled::<records::Counters>(labs, &[], &metrics)?;
    let rows = launches::paired(rows, &seen)?.into_iter().map(|(row, launch)| with_gpu(row, launch));
    let rows = rows.collect();
    drop(progress);
    let command = CommandLine::of::<records::Counters>().labs(labs).file("--out", Some(out));
    let record = Record::new(machine.provenance(command), records::Counters { case: case().name, rows });
    output::json_file(out, &record)?;
    output::text(&table(&record))
}

/// The simulator's counts, launch by launch; those of the GPU are still missing.
fn simulated(sources: &[Source], machine: &Machine) -> Result<Vec<CountersRow>, Stop> {
    let mut rows = Vec::new();
    rungs::each(sources, machine, &mut |rung| {
        for task in &rung.tasks {
            let kernels = launches::simulated(rung, *task, &case())?;
            rows.extend(kernels.iter().enumerate().map(|(launch, kernel)| {
                let counter = |pair: &Pair| Counter {
                    name: pair.name.to_owned(),
                    simulator: (pair.ours)(&kernel.counters),
                    gpu: 0,
                };
                CountersRow {
                    lab: rung.lab.name().to_owned(),
                    rung: rung.name.clone(),
                    task: task.name().to_owned(),
                    launch,
                    counters: PAIRS.iter().map(counter).collect(),
                }
            }));
        }
        Ok(())
    })?;
    Ok(rows)
}

/// The row with the profiler's counts.
fn with_gpu(mut row: CountersRow, launch: &Launch) -> CountersRow {
    for (counter, pair) in row.counters.iter_mut().zip(&PAIRS) {
        let read = pair.metrics.iter().filter_map(|name| metric(launch, name));
        counter.gpu = read.sum::<f64>() as u64;
    }
    row
}

fn table(record: &Record<records::Counters>) -> String {
    let mut out = format!("{}\n", heading(&record.provenance));
    let _ =
        writeln!(out, "{:26} {:18} {:18} {:>12} {:>12}  same", "rung", "task", "counter", "simulator", "GPU");
    for row in &record.content.rows {
        for counter in row.counters.iter().filter(|counter| counter.simulator + counter.gpu > 0) {
            let _ = writeln!(
                out,
                "{:26} {:18} {:18} {:>12} {:>12}  {}",
                judge::wrap::shortened(&row.rung, 26),
                judge::wrap::shortened(&row.task, 18),
                counter.name,
                counter.simulator,
                counter.gpu,
                if counter.simulator == counter.gpu { "yes" } else { "no" }
            );
        }
    }
    out
}
