//! `workshop limits`: what keeps the last rung of each ladder from being faster, as the GPU's own counters see it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use cuda::driver::DeviceProperties;
use lab::{Case, Lab, Picture, Task};
use serde::Serialize;
use simulator::Checks;

use super::date::today;
use super::profiler::{self, Launch, metric};
use super::rungs::{self, Rung};
use checker::call;
use checker::exit::{self, Stop};
use checker::labs;
use checker::output;
use checker::progress::Progress;
use checker::setup::Setup;
use checker::workspace::{Workspace, current_folder};
use runtime::engine::{Step, Work};
use runtime::job::{Failure, Job};

/// Of random images.
const SEED: u64 = 1;

/// How busy a part of the GPU was, in percent of what it can do: our name and the profiler's.
const PARTS: [(&str, &str); 8] = [
    ("DRAM", "dram__throughput.avg.pct_of_peak_sustained_elapsed"),
    ("L2", "lts__throughput.avg.pct_of_peak_sustained_elapsed"),
    ("L1 and shared memory", "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"),
    ("issue slots", "sm__issue_active.avg.pct_of_peak_sustained_elapsed"),
    ("integer pipe", "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_elapsed"),
    ("multiply pipe", "sm__inst_executed_pipe_fmaheavy.avg.pct_of_peak_sustained_elapsed"),
    ("load/store pipe", "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed"),
    ("warps resident", "sm__warps_active.avg.pct_of_peak_sustained_active"),
];
/// The last of [`PARTS`] is no part that could be the limit.
const LIMITS: usize = PARTS.len() - 1;
const TIME: &str = "gpu__time_duration.sum";

/// Show what keeps the last rungs from being faster: how busy `ncu` sees each part of the GPU (needs both)
#[derive(Debug, Args)]
pub struct Limits {
    /// Only these labs
    labs: Vec<String>,
    /// Where to write the JSON
    #[arg(long, value_name = "FILE", required_unless_present = "launch_only")]
    out: Option<PathBuf>,
    /// Only launch the kernels, for the profiler to watch
    #[arg(long, hide = true)]
    launch_only: bool,
}

impl Limits {
    /// Does it.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let labs = labs::named(&self.labs)?;
        match self.out.filter(|_| !self.launch_only) {
            Some(out) => run(&labs, &out),
            None => launch_only(&labs),
        }
    }
}

/// The table, as it is committed.
#[derive(Debug, Serialize)]
struct LimitsData {
    what: &'static str,
    gpu: String,
    driver: String,
    date: String,
    command: String,
    compiler: String,
    case: String,
    rows: Vec<Row>,
}

/// One launch.
#[derive(Debug, Serialize)]
struct Row {
    rung: String,
    task: String,
    launch: usize,
    microseconds: f64,
    /// Percent, by part.
    busy: Vec<Busy>,
    /// The busiest part.
    limit: &'static str,
}

#[derive(Debug, Serialize)]
struct Busy {
    part: &'static str,
    percent: f64,
}

/// The size of the other measurements; its rows are aligned.
const SIZE: (usize, usize) = (8784, 5352);
/// Rows that show the simulator which kernels a host function launches.
const FEW_ROWS: usize = 64;

fn case(height: usize) -> Case {
    Case::new(format!("scene {}x{height}", SIZE.0), Picture::Scene { width: SIZE.0, height })
}

fn job(task: &dyn Task, height: usize) -> Result<Job, Stop> {
    let image = call::image(&case(height), SEED)?;
    Ok(call::job(task.name(), task.arguments(&image), image.pixels() as u64, SEED))
}

/// Visits the last rungs of each lab: those that its solution is made of.
fn last_rungs(
    labs: &[&'static dyn Lab],
    setup: &Setup,
    device: &DeviceProperties,
    visit: &mut dyn FnMut(&mut Rung<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let workspace = Workspace::find(&current_folder()?)?;
    for lab in labs {
        for last in workspace.solution(*lab, None, lab.tasks())? {
            rungs::built(*lab, last, setup, device, visit)?;
        }
    }
    Ok(())
}

fn failed(rung: &str) -> impl Fn(Failure) -> Stop {
    move |failure| Stop::environment(format!("`{rung}`: {failure}"))
}

/// Only launches on the GPU: what the profiler watches.
fn launch_only(labs: &[&'static dyn Lab]) -> Result<ExitCode, Stop> {
    let (setup, device) = rungs::setup(&Progress::new(), "workshop limits")?;
    last_rungs(labs, &setup, &device, &mut |rung| {
        for task in &rung.tasks {
            rung.gpu.run(&job(*task, SIZE.1)?).map_err(failed(&rung.name))?;
        }
        Ok(())
    })?;
    Ok(exit::verdict(true))
}

/// Profiles, writes the JSON, prints a table.
fn run(labs: &[&'static dyn Lab], out: &Path) -> Result<ExitCode, Stop> {
    let progress = Progress::new();
    let (setup, device) = rungs::setup(&progress, "workshop limits")?;
    let mut names = Vec::new();
    last_rungs(labs, &setup, &device, &mut |rung| {
        for task in &rung.tasks {
            let outcome = rung.simulation.run(rung.program, &job(*task, FEW_ROWS)?, Checks::COUNT);
            let work = outcome.map_err(failed(&rung.name))?.work;
            let launches =
                work.iter().filter(|step| matches!(step, Step::Work { work: Work::Kernel(_), .. }));
            names.extend(
                (0..launches.count()).map(|index| (rung.name.clone(), task.name().to_owned(), index)),
            );
        }
        Ok(())
    })?;
    progress.say("the last rungs under the profiler");
    let mut arguments = vec!["dev", "limits", "--launch-only"];
    arguments.extend(labs.iter().map(|lab| lab.name()));
    let metrics: Vec<&str> = PARTS.iter().map(|(_, metric)| *metric).chain([TIME]).collect();
    let launches = profiler::profiled(&arguments, &metrics)?;
    drop(progress);
    if launches.len() != names.len() {
        return Err(Stop::environment(format!(
            "the profiler saw {} launches where the host functions make {}",
            launches.len(),
            names.len()
        )));
    }
    let workspace = Workspace::find(&current_folder()?)?;
    let limits = LimitsData {
        what: "how busy the parts of the GPU are in each launch of the last rungs, in percent of their peak",
        gpu: device.name.clone(),
        driver: device.driver_name(),
        date: today(),
        command: format!("workshop limits --out {}", workspace.shown(&current_folder()?.join(out))),
        compiler: setup.compiler_name(),
        case: case(SIZE.1).name,
        rows: names.into_iter().zip(&launches).map(|(name, launch)| row(name, launch)).collect(),
    };
    output::json_file(out, &limits)?;
    output::text(&table(&limits))?;
    Ok(exit::verdict(true))
}

fn row((rung, task, launch): (String, String, usize), profile: &Launch) -> Row {
    let percent = |name: &str| metric(profile, name).unwrap_or(f64::NAN);
    let busy: Vec<Busy> = PARTS.iter().map(|(part, name)| Busy { part, percent: percent(name) }).collect();
    let limit = busy[..LIMITS].iter().max_by(|one, other| one.percent.total_cmp(&other.percent));
    let limit = limit.map_or("", |busy| busy.part);
    // In base units: nanoseconds.
    Row { rung, task, launch, microseconds: percent(TIME) / 1e3, busy, limit }
}

fn table(limits: &LimitsData) -> String {
    let mut out = format!("{}, driver {}, {}, {}\n", limits.gpu, limits.driver, limits.date, limits.case);
    let _ = write!(out, "{:24} {:18} {:>8}", "rung", "task", "µs");
    for (part, _) in PARTS {
        let _ = write!(out, " {part:>8}");
    }
    out.push('\n');
    for row in &limits.rows {
        let (rung, task) =
            (checker::render::shortened(&row.rung, 24), checker::render::shortened(&row.task, 18));
        let _ = write!(out, "{rung:24} {task:18} {:8.1}", row.microseconds);
        for busy in &row.busy {
            let _ = write!(out, " {:>w$.0}", busy.percent, w = busy.part.chars().count().max(8));
        }
        let _ = writeln!(out, "  {}", row.limit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_busiest_part_is_the_limit_but_for_resident_warps() {
        let mut profile: Launch =
            PARTS.iter().map(|(_, name)| ((*name).to_owned(), "10.5".to_owned())).collect();
        profile.insert(PARTS[1].1.to_owned(), "81.2".to_owned());
        profile.insert(PARTS[LIMITS].1.to_owned(), "99".to_owned());
        profile.insert(TIME.to_owned(), "27,140".to_owned());
        let row = row(("14".to_owned(), "smooth_box".to_owned(), 0), &profile);
        assert_eq!(row.limit, "L2");
        assert!((row.microseconds - 27.14).abs() < 1e-9);
        assert_eq!(row.busy.len(), PARTS.len());
    }
}
