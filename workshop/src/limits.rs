//! `workshop limits`: the limiting part of the GPU for the last rung of each ladder, by the GPU's own counters.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use lab::{Case, Lab, Picture};
use records::{Busy, LimitsRow, Provenance, Record, Set};

use crate::command_line::CommandLine;
use crate::launches::{self, ProfileOptions};
use crate::machine::{Machine, heading};
use crate::profiler::{Launch, required};
use crate::rungs;
use crate::sources::{self, Source};
use checker::output;
use judge::exit::{self, Stop};
use judge::progress::Progress;
use judge::wrap::shortened;

/// Utilization of a part of the GPU, in percent of its peak: our name and the profiler's.
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
/// The last of [`PARTS`] is not a part that could be the limit.
const LIMITS: usize = PARTS.len() - 1;
const TIME: &str = "gpu__time_duration.sum";

/// Show the utilization of each part of the GPU in the last rungs, read by `ncu` (needs both)
#[derive(Debug, Args)]
pub struct Limits {
    #[command(flatten)]
    profile: ProfileOptions,
}

impl Limits {
    /// Does it.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let labs = self.profile.labs()?;
        let sources = last_rungs(&labs)?;
        match self.profile.out() {
            Some(out) => measure(&labs, &sources, out)?,
            None => launches::launch::<records::Limits>(&sources, &[case(SIZE.1)])?,
        }
        Ok(exit::verdict(true))
    }
}

/// The size of the other measurements; its rows are aligned.
const SIZE: (usize, usize) = (8784, 5352);
/// Rows that show the simulator which kernels a host function launches.
const FEW_ROWS: usize = 64;

fn case(height: usize) -> Case {
    Case::new(format!("scene {}x{height}", SIZE.0), Picture::Scene { width: SIZE.0, height })
}

/// The last rungs of each lab: those that its solution is made of.
fn last_rungs(labs: &[&'static dyn Lab]) -> Result<Vec<Source>, Stop> {
    let workspace = sources::workspace()?;
    let mut last = Vec::new();
    for lab in labs {
        let files = workspace.solution(*lab, None, lab.tasks())?.into_iter();
        last.extend(files.map(|file| sources::source((Set::Ladder, ""), *lab, file.path, file.tasks)));
    }
    Ok(last)
}

/// Profiles, writes the JSON, prints a table.
fn measure(labs: &[&'static dyn Lab], sources: &[Source], out: &Path) -> Result<(), Stop> {
    let progress = Progress::new();
    let machine = Machine::find::<records::Limits>(&progress)?;
    let mut names = Vec::new();
    rungs::each(sources, &machine, &mut |rung| {
        for task in &rung.tasks {
            let launches = launches::simulated(rung, *task, &case(FEW_ROWS))?.len();
            names.extend((0..launches).map(|launch| (rung.name.clone(), task.name().to_owned(), launch)));
        }
        Ok(())
    })?;
    progress.say("the last rungs under the profiler");
    let metrics: Vec<&str> = PARTS.iter().map(|(_, metric)| *metric).chain([TIME]).collect();
    let seen = launches::profiled::<records::Limits>(labs, &[], &metrics)?;
    drop(progress);
    let rows = launches::paired(names, &seen)?.into_iter().map(|(name, launch)| row(name, launch));
    let rows = rows.collect::<Result<_, Stop>>()?;
    let command = CommandLine::of::<records::Limits>().labs(labs).file("--out", Some(out));
    let what = "how busy the parts of the GPU are in each launch of the last rungs, in percent of their peak";
    let provenance = Provenance { what: Some(what.to_owned()), ..machine.provenance(command) };
    let record = Record::new(provenance, records::Limits { case: case(SIZE.1).name, rows });
    output::json_file(out, &record)?;
    output::text(&table(&record))
}

fn row((rung, task, launch): (String, String, usize), profile: &Launch) -> Result<LimitsRow, Stop> {
    let busy = PARTS
        .iter()
        .map(|(part, name)| Ok(Busy { part: (*part).to_owned(), percent: required(profile, name)? }));
    let busy: Vec<Busy> = busy.collect::<Result<_, Stop>>()?;
    let limit = busy[..LIMITS].iter().max_by(|one, other| one.percent.total_cmp(&other.percent));
    let limit = limit.map_or_else(String::new, |busy| busy.part.clone());
    // In base units: nanoseconds.
    let microseconds = required(profile, TIME)? / 1e3;
    Ok(LimitsRow { rung, task, launch, microseconds, busy, limit })
}

fn table(record: &Record<records::Limits>) -> String {
    let mut out = format!("{}, {}\n", heading(&record.provenance), record.content.case);
    let _ = write!(out, "{:24} {:18} {:>8}", "rung", "task", "µs");
    for (part, _) in PARTS {
        let _ = write!(out, " {part:>8}");
    }
    out.push('\n');
    for row in &record.content.rows {
        let (rung, task) = (shortened(&row.rung, 24), shortened(&row.task, 18));
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
        let name = ("14".to_owned(), "smooth_box".to_owned(), 0);
        let row = row(name.clone(), &profile).expect("all metrics are there");
        assert_eq!(row.limit, "L2");
        assert!((row.microseconds - 27.14).abs() < 1e-9);
        assert_eq!(row.busy.len(), PARTS.len());
        profile.remove(TIME);
        assert!(super::row(name, &profile).is_err());
    }
}
