//! `workshop totals`: what every launch of every kernel does on whole pictures, by the GPU's own counters. `checker dev
//! model --totals` puts beside it what the model expects, so that a wrong time can be told from a wrong count.
//!
//! The profiler starts this same command with `--launch-only`, one worker process a file of kernels.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use lab::{Case, Lab};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::again;
use super::date::today;
use super::profiler::{self, Launch, metric};
use super::rungs;
use crate::points::{Set, Source, cases, sources};
use checker::build::Build;
use checker::call;
use checker::exit::{self, Stop};
use checker::labs;
use checker::output;
use checker::progress::Progress;
use checker::workspace::{Workspace, current_folder};

/// Of random pictures.
const SEED: u64 = 1;

/// Those of the pictures that are timed: one round of blocks, many rounds, and a photograph's content beyond the L2.
const CASES: [&str; 3] = ["noise 1920x1080", "noise 4096x4096", "scene 8784x5352"];

/// Machine instructions of warps: all, and those of the busiest scheduler.
const INSTRUCTIONS: [&str; 2] = ["smsp__inst_executed.sum", "smsp__inst_executed.max"];
/// Passes of the load/store pipe.
const PASSES: &str = "l1tex__data_pipe_lsu_wavefronts.sum";
/// Sectors that the L1 asked the L2 for.
const SECTORS: &str = "lts__t_sectors_srcunit_tex.sum";
const DRAM: [&str; 2] = ["dram__sectors_read.sum", "dram__sectors_write.sum"];
const TIME: &str = "gpu__time_duration.sum";

/// Count what every rung and held-out kernel does on whole pictures, by `ncu`'s counters, for `workshop model` (needs both)
#[derive(Debug, Args)]
pub struct Totals {
    /// Only these labs
    labs: Vec<String>,
    /// Only kernels whose name holds one of these; what the file has of the others stays
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,
    /// Where to write the JSON
    #[arg(long, value_name = "FILE", required_unless_present = "launch_only")]
    out: Option<PathBuf>,
    /// Only launch the kernels, for the profiler to watch
    #[arg(long, hide = true)]
    launch_only: bool,
}

impl Totals {
    /// Does it.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let labs = labs::named(&self.labs)?;
        match self.out.filter(|_| !self.launch_only) {
            Some(out) => run(&labs, &self.only, &out),
            None => launch_only(&labs, &self.only),
        }
    }
}

/// The totals, as they are committed.
#[derive(Debug, Serialize, Deserialize)]
pub struct TotalsData {
    what: String,
    gpu: String,
    driver: String,
    date: String,
    command: String,
    compiler: String,
    /// The pictures, in the order of the launches.
    pub cases: Vec<String>,
    /// File by file.
    pub kernels: Vec<Kernels>,
}

/// The launches of one file: of its first task on each picture, of its second.
#[derive(Debug, Serialize, Deserialize)]
pub struct Kernels {
    /// Whether the model was fitted on it.
    pub set: Set,
    /// The lab: `lab1`.
    pub lab: String,
    /// File name without ending.
    pub kernel: String,
    /// In order.
    pub launches: Vec<Total>,
}

/// One launch.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Total {
    /// The kernel.
    pub name: String,
    /// Machine instructions of warps.
    pub instructions: f64,
    /// Those of the scheduler that has most of them.
    pub busiest_scheduler: f64,
    /// Passes of the load/store pipe.
    pub passes: f64,
    /// Sectors read from and written to the L2.
    pub l2_sectors: f64,
    /// Sectors read from DRAM, caches empty before the launch, and written.
    pub dram_sectors: [f64; 2],
    /// With the profiler's overhead.
    pub microseconds: f64,
}

impl Kernels {
    /// Whether these are the launches of this file.
    pub fn are_of(&self, set: Set, lab: &str, kernel: &str) -> bool {
        (self.set, self.lab.as_str(), self.kernel.as_str()) == (set, lab, kernel)
    }
}

impl TotalsData {
    /// Reads the file that `workshop totals` wrote.
    pub fn read(path: &Path) -> Result<Self, Stop> {
        again::read(path, "workshop totals")
    }
}

fn pictures() -> Vec<Case> {
    cases().into_iter().filter(|case| CASES.contains(&case.name.as_str())).collect()
}

/// The files of the labs, or those whose name holds one of `only`.
fn chosen(labs: &[&'static dyn Lab], only: &[String], workspace: &Workspace) -> Result<Vec<Source>, Stop> {
    let mut all = sources(labs, workspace)?;
    all.retain(|source| again::is_chosen(only, &source.name));
    Ok(all)
}

/// Only launches the kernels on the GPU, in order: what the profiler watches.
fn launch_only(labs: &[&'static dyn Lab], only: &[String]) -> Result<ExitCode, Stop> {
    let workspace = Workspace::find(&current_folder()?)?;
    let (setup, device) = rungs::setup(&Progress::new(), "workshop totals")?;
    let images = pictures().iter().map(|case| call::image(case, SEED)).collect::<Result<Vec<_>, _>>()?;
    let sources = chosen(labs, only, &workspace)?;
    let builds =
        sources.par_iter().map(|source| rungs::compiled(source.lab, &source.path, &source.tasks, &setup));
    let builds: Vec<(String, Build)> = builds.collect::<Result<_, Stop>>()?;
    for (source, (name, build)) in sources.iter().zip(builds) {
        rungs::visit_build(source.lab, name, source.tasks.clone(), &build, &setup, &device, &mut |rung| {
            for task in &rung.tasks {
                for image in &images {
                    let job = call::job(task.name(), task.arguments(image), image.pixels() as u64, SEED);
                    let ran = rung.gpu.run(&job);
                    ran.map_err(|failure| Stop::environment(format!("`{}`: {failure}", source.name)))?;
                }
            }
            Ok(())
        })?;
    }
    Ok(exit::verdict(true))
}

/// Profiles, writes the JSON, prints how many. With names in `only`, counts the files whose name holds one of them, and keeps
/// what the JSON has of the others.
fn run(labs: &[&'static dyn Lab], only: &[String], out: &Path) -> Result<ExitCode, Stop> {
    let here = current_folder()?;
    let workspace = Workspace::find(&here)?;
    let progress = Progress::new();
    let (setup, device) = rungs::setup(&progress, "workshop totals")?;
    let kept = if only.is_empty() { None } else { Some(TotalsData::read(out)?) };
    if let Some(kept) = &kept {
        let there = [&kept.gpu, &kept.driver, &kept.compiler].map(String::as_str);
        let here = [&device.name, &device.driver_name(), &setup.compiler_name()];
        again::same_machine(there, here.map(String::as_str))?;
    }
    progress.say("every kernel under the profiler");
    let mut arguments = vec!["dev", "totals", "--launch-only"];
    arguments.extend(labs.iter().map(|lab| lab.name()));
    let names = only.join(",");
    if !only.is_empty() {
        arguments.extend(["--only", &names]);
    }
    let mut metrics = vec![PASSES, SECTORS, TIME];
    metrics.extend(INSTRUCTIONS.iter().chain(&DRAM));
    let launches = profiler::profiled(&arguments, &metrics)?;
    let processes: Vec<&[Launch]> =
        launches.chunk_by(|one, other| one["Process ID"] == other["Process ID"]).collect();
    let sources = chosen(labs, only, &workspace)?;
    if processes.len() != sources.len() {
        return Err(Stop::environment(format!(
            "the profiler saw {} processes launch kernels, for {} files",
            processes.len(),
            sources.len()
        )));
    }
    let kernels = sources.iter().zip(&processes).map(|(source, launches)| {
        Ok(Kernels {
            set: source.set,
            lab: source.lab.name().to_owned(),
            kernel: source.name.clone(),
            launches: launches.iter().map(total).collect::<Result<_, Stop>>()?,
        })
    });
    let mut kernels: Vec<Kernels> = kernels.collect::<Result<_, Stop>>()?;
    if let Some(kept) = kept {
        let again = |file: &Kernels| kernels.iter().any(|new| new.are_of(file.set, &file.lab, &file.kernel));
        let others: Vec<Kernels> = kept.kernels.into_iter().filter(|file| !again(file)).collect();
        kernels.extend(others);
        kernels.sort_by(|one, other| {
            (&one.lab, one.set, &one.kernel).cmp(&(&other.lab, other.set, &other.kernel))
        });
    }
    drop(progress);
    let totals = TotalsData {
        what: "what every launch does on whole pictures, by the GPU's counters".to_owned(),
        gpu: device.name.clone(),
        driver: device.driver_name(),
        date: today(),
        command: format!("workshop totals{} --out {}", again::option(only), workspace.shown(&here.join(out))),
        compiler: setup.compiler_name(),
        cases: pictures().into_iter().map(|case| case.name).collect(),
        kernels,
    };
    output::json_file(out, &totals)?;
    output::text(&format!("{} launches of {} files, {}\n", launches.len(), sources.len(), totals.gpu))?;
    Ok(exit::verdict(true))
}

fn total(launch: &Launch) -> Result<Total, Stop> {
    let read = |name: &str| {
        metric(launch, name)
            .ok_or_else(|| Stop::environment(format!("`ncu` has no metric `{name}` on this GPU")))
    };
    Ok(Total {
        name: launch["Kernel Name"].split('(').next().unwrap_or_default().to_owned(),
        instructions: read(INSTRUCTIONS[0])?,
        busiest_scheduler: read(INSTRUCTIONS[1])?,
        passes: read(PASSES)?,
        l2_sectors: read(SECTORS)?,
        dram_sectors: [read(DRAM[0])?, read(DRAM[1])?],
        microseconds: read(TIME)? / 1e3,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_that_the_profiler_does_not_have_is_not_taken_for_nothing() {
        let all = [PASSES, SECTORS, TIME].into_iter().chain(INSTRUCTIONS).chain(DRAM);
        let mut launch: Launch = all.map(|name| (name.to_owned(), "2,000".to_owned())).collect();
        launch.insert("Kernel Name".to_owned(), "k<0>(int)".to_owned());
        let counted = total(&launch).expect("all are there");
        assert_eq!(counted.name, "k<0>");
        assert!((counted.microseconds - 2.0).abs() < 1e-9 && (counted.passes - 2000.0).abs() < 1e-9);
        launch.remove(DRAM[1]);
        let refused = total(&launch).expect_err("one is missing");
        assert!(refused.to_string().contains(DRAM[1]), "{refused}");
    }
}
