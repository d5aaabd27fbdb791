//! `workshop counters`: what the simulator counts beside what the GPU's own counters say.
//!
//! Runs one case of every rung on the simulator, counting, and the same on the GPU under NVIDIA's profiler
//! (`ncu`), which has to be on the machine. The profiler starts this same command with `--launch-only`, so that
//! it sees the students' kernels and nothing else, in the same order.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use lab::{Case, Lab, Picture, Task};
use serde::Serialize;
use simulator::Checks;

use super::date::today;
use super::profiler::{self, metric};
use super::rungs;
use checker::call;
use checker::exit::{self, Stop};
use checker::labs;
use checker::output;
use checker::progress::Progress;
use checker::workspace::{Workspace, current_folder};
use runtime::engine::{Step, Work};
use runtime::job::Job;

/// Of random images.
const SEED: u64 = 1;

/// Compare the simulator's counters with the GPU's own, read by `ncu` (needs both)
#[derive(Debug, Args)]
pub struct Counters {
    /// Only these labs
    labs: Vec<String>,
    /// Where to write the JSON
    #[arg(long, value_name = "FILE", required_unless_present = "launch_only")]
    out: Option<PathBuf>,
    /// Only launch the kernels, for the profiler to watch
    #[arg(long, hide = true)]
    launch_only: bool,
}

impl Counters {
    /// Does it.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let labs = labs::named(&self.labs)?;
        match self.out.filter(|_| !self.launch_only) {
            Some(out) => run(&labs, &out),
            None => launch_only(&labs),
        }
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

/// The comparison, as it is committed.
#[derive(Debug, Serialize)]
struct Comparison {
    gpu: String,
    driver: String,
    date: String,
    command: String,
    compiler: String,
    case: String,
    rows: Vec<Row>,
}

/// One launch of one rung.
#[derive(Debug, Serialize)]
struct Row {
    lab: String,
    rung: String,
    task: String,
    launch: usize,
    counters: Vec<Compared>,
}

/// One counter on both sides.
#[derive(Debug, Serialize)]
struct Compared {
    name: &'static str,
    simulator: u64,
    gpu: u64,
}

/// A picture whose width is no multiple of anything, large enough for whole waves of blocks.
fn case() -> Case {
    Case::new("noise 1283x967", Picture::Noise { width: 1283, height: 967, colours: 256 })
}

fn job(task: &dyn Task) -> Result<Job, Stop> {
    let image = call::image(&case(), SEED)?;
    Ok(call::job(task.name(), task.arguments(&image), (image.width * image.height) as u64, SEED))
}

fn here() -> Result<Workspace, Stop> {
    Workspace::find(&current_folder()?)
}

/// Only launches the kernels on the GPU, in order: what the profiler watches.
fn launch_only(labs: &[&'static dyn Lab]) -> Result<ExitCode, Stop> {
    let (workspace, progress) = (here()?, Progress::new());
    let (setup, device) = rungs::setup(&progress, "workshop counters")?;
    rungs::each_rung(labs, &workspace, &setup, &device, &mut |rung| {
        for task in &rung.tasks {
            rung.gpu.run(&job(*task)?).map_err(|failure| Stop::environment(failure.to_string()))?;
        }
        Ok(())
    })?;
    Ok(exit::verdict(true))
}

/// Runs both sides, writes the JSON, prints a table.
fn run(labs: &[&'static dyn Lab], out: &Path) -> Result<ExitCode, Stop> {
    let (workspace, progress) = (here()?, Progress::new());
    let (setup, device) = rungs::setup(&progress, "workshop counters")?;
    let mut rows = Vec::new();
    rungs::each_rung(labs, &workspace, &setup, &device, &mut |rung| {
        for task in &rung.tasks {
            let outcome = rung.simulation.run(rung.program, &job(*task)?, Checks::COUNT);
            let outcome = outcome.map_err(|failure| Stop::environment(failure.to_string()))?;
            let kernels = outcome.work.iter().filter_map(|work| match work {
                Step::Work { work: Work::Kernel(kernel), .. } => Some(&kernel.counters),
                _ => None,
            });
            rows.extend(kernels.enumerate().map(|(launch, counters)| {
                Row {
                    lab: rung.lab.name().to_owned(),
                    rung: rung.name.clone(),
                    task: task.name().to_owned(),
                    launch,
                    counters: PAIRS
                        .iter()
                        .map(|pair| Compared { name: pair.name, simulator: (pair.ours)(counters), gpu: 0 })
                        .collect(),
                }
            }));
        }
        Ok(())
    })?;
    progress.say("the same under the profiler");
    let mut arguments = vec!["dev", "counters", "--launch-only"];
    arguments.extend(labs.iter().map(|lab| lab.name()));
    let metrics: Vec<&str> = PAIRS.iter().flat_map(|pair| pair.metrics.iter().copied()).collect();
    let launches = profiler::profiled(&arguments, &metrics)?;
    if launches.len() != rows.len() {
        return Err(Stop::environment(format!(
            "the profiler saw {} launches, the simulator {}",
            launches.len(),
            rows.len()
        )));
    }
    for (row, metrics) in rows.iter_mut().zip(&launches) {
        for (compared, pair) in row.counters.iter_mut().zip(&PAIRS) {
            let read = pair.metrics.iter().filter_map(|name| metric(metrics, name));
            compared.gpu = read.sum::<f64>() as u64;
        }
    }
    drop(progress);
    let comparison = Comparison {
        gpu: device.name.clone(),
        driver: device.driver_name(),
        date: today(),
        command: format!("workshop counters --out {}", workspace.shown(&current_folder()?.join(out))),
        compiler: setup.compiler_name(),
        case: case().name,
        rows,
    };
    output::json_file(out, &comparison)?;
    output::text(&table(&comparison))?;
    Ok(exit::verdict(true))
}

fn table(comparison: &Comparison) -> String {
    let mut out = format!("{}, driver {}, {}\n", comparison.gpu, comparison.driver, comparison.date);
    let _ =
        writeln!(out, "{:26} {:18} {:18} {:>12} {:>12}  same", "rung", "task", "counter", "simulator", "GPU");
    for row in &comparison.rows {
        for compared in row.counters.iter().filter(|compared| compared.simulator + compared.gpu > 0) {
            let _ = writeln!(
                out,
                "{:26} {:18} {:18} {:>12} {:>12}  {}",
                checker::render::shortened(&row.rung, 26),
                checker::render::shortened(&row.task, 18),
                compared.name,
                compared.simulator,
                compared.gpu,
                if compared.simulator == compared.gpu { "yes" } else { "no" }
            );
        }
    }
    out
}
