//! `workshop totals`: the GPU's counters of every launch on whole pictures. `workshop model --totals` puts the model's counts
//! beside them, so that a wrong time can be told from a wrong count.
//!
//! The process under the profiler has a worker process per file of kernels.

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use lab::{Case, Lab};
use records::{KernelTotals, LaunchTotals, Provenance, Record};

use crate::again::{self, Only};
use crate::command_line::CommandLine;
use crate::launches::{self, ProfileOptions};
use crate::machine::Machine;
use crate::profiler::{Launch, required};
use crate::sources::{self, Source, cases};
use checker::output;
use judge::exit::{self, Stop};
use judge::progress::Progress;

/// Some of the timed pictures: one wave of blocks, many waves, and the content of a photograph larger than the L2.
const CASES: [&str; 3] = ["noise 1920x1080", "noise 4096x4096", "scene 8784x5352"];

/// Machine instructions of warps: all, and those of the busiest scheduler.
const INSTRUCTIONS: [&str; 2] = ["smsp__inst_executed.sum", "smsp__inst_executed.max"];
/// Passes of the load/store pipe.
const PASSES: &str = "l1tex__data_pipe_lsu_wavefronts.sum";
/// Sectors that the L1 asked the L2 for.
const SECTORS: &str = "lts__t_sectors_srcunit_tex.sum";
const DRAM: [&str; 2] = ["dram__sectors_read.sum", "dram__sectors_write.sum"];
const TIME: &str = "gpu__time_duration.sum";

/// Read the GPU's counters of every rung and validation kernel with `ncu`, for `workshop model` (needs both)
#[derive(Debug, Args)]
pub struct Totals {
    #[command(flatten)]
    profile: ProfileOptions,
    #[command(flatten)]
    only: Only,
}

impl Totals {
    /// Does it.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let labs = self.profile.labs()?;
        let mut sources = sources::of_the_model(&labs, &sources::workspace()?)?;
        sources.retain(|source| self.only.has(&source.name));
        match self.profile.out() {
            Some(out) => self.measure(&labs, &sources, out)?,
            None => launches::launch::<records::Totals>(&sources, &pictures())?,
        }
        Ok(exit::verdict(true))
    }

    /// Profiles, writes the JSON, prints the number of launches.
    fn measure(&self, labs: &[&'static dyn Lab], sources: &[Source], out: &Path) -> Result<(), Stop> {
        let progress = Progress::new();
        let machine = Machine::find::<records::Totals>(&progress)?;
        let is_new = self.only.is_new(labs, out);
        let command = CommandLine::of::<records::Totals>().chosen(labs, &self.only.names, !is_new);
        let what = "what every launch does on whole pictures, by the GPU's counters";
        let provenance = Provenance {
            what: Some(what.to_owned()),
            ..machine.provenance(command.file("--out", Some(out)))
        };
        let kept =
            if is_new { Vec::new() } else { again::figures::<records::Totals>(out, &provenance)?.kernels };
        progress.say("every kernel under the profiler");
        let mut metrics = vec![PASSES, SECTORS, TIME];
        metrics.extend(INSTRUCTIONS.iter().chain(&DRAM));
        let launches = launches::profiled::<records::Totals>(labs, &self.only.names, &metrics)?;
        drop(progress);
        let kernels = joined(kept, of_files(sources, &launches)?);
        let cases = pictures().into_iter().map(|case| case.name).collect();
        let record = Record::new(provenance, records::Totals { cases, kernels });
        output::json_file(out, &record)?;
        let (launches, files) = (launches.len(), sources.len());
        output::text(&format!("{launches} launches of {files} files, {}\n", machine.device.name))
    }
}

fn pictures() -> Vec<Case> {
    cases().into_iter().filter(|case| CASES.contains(&case.name.as_str())).collect()
}

/// The launches of each file: those of one worker process.
fn of_files(sources: &[Source], launches: &[Launch]) -> Result<Vec<KernelTotals>, Stop> {
    let processes: Vec<&[Launch]> =
        launches.chunk_by(|one, other| one["Process ID"] == other["Process ID"]).collect();
    if processes.len() != sources.len() {
        return Err(Stop::environment(format!(
            "the profiler saw {} processes launch kernels, for {} files",
            processes.len(),
            sources.len()
        )));
    }
    let files = sources.iter().zip(&processes).map(|(source, launches)| {
        Ok(KernelTotals {
            set: source.set,
            lab: source.lab.name().to_owned(),
            kernel: source.name.clone(),
            launches: launches.iter().map(total).collect::<Result<_, Stop>>()?,
        })
    });
    files.collect()
}

/// The new files, and those of the kept ones that are not among them; lab by lab.
fn joined(kept: Vec<KernelTotals>, mut new: Vec<KernelTotals>) -> Vec<KernelTotals> {
    if kept.is_empty() {
        return new;
    }
    let is_new = |file: &KernelTotals| new.iter().any(|one| one.are_of(file.set, &file.lab, &file.kernel));
    let others: Vec<KernelTotals> = kept.into_iter().filter(|file| !is_new(file)).collect();
    new.extend(others);
    new.sort_by(|one, other| (&one.lab, one.set, &one.kernel).cmp(&(&other.lab, other.set, &other.kernel)));
    new
}

fn total(launch: &Launch) -> Result<LaunchTotals, Stop> {
    let read = |name: &str| required(launch, name);
    Ok(LaunchTotals {
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
    use pretty_assertions::assert_eq;
    use records::Set;

    use super::*;

    #[test]
    fn a_file_that_is_counted_again_takes_its_old_place() {
        let file = |set, kernel: &str, passes: f64| {
            let launch = LaunchTotals {
                name: "k".to_owned(),
                instructions: 1.0,
                busiest_scheduler: 1.0,
                passes,
                l2_sectors: 1.0,
                dram_sectors: [1.0, 1.0],
                microseconds: 1.0,
            };
            let (lab, kernel) = ("lab1".to_owned(), kernel.to_owned());
            KernelTotals { set, lab, kernel, launches: vec![launch] }
        };
        let kept = [(Set::Ladder, "01"), (Set::Ladder, "02"), (Set::Pool, "01")];
        let kept = kept.map(|(set, kernel)| file(set, kernel, 1.0)).to_vec();
        let all = joined(kept.clone(), vec![file(Set::Ladder, "02", 7.0)]);
        assert_eq!(all, [kept[0].clone(), file(Set::Ladder, "02", 7.0), kept[2].clone()]);
    }

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
