//! Launches under the GPU's profiler, for `counters`, `limits` and `totals`.
//!
//! The profiler starts this program again with the same command and `--launch-only`. That process launches the kernels on the
//! GPU and nothing else, so that the profiler sees them alone and in a known order.

use std::path::{Path, PathBuf};

use clap::Args;
use lab::{Case, Lab, Task};
use records::Content;
use simulator::Checks;
use simulator::model::Kernel;

use crate::machine::Machine;
use crate::profiler::{self, Launch};
use crate::rungs::{self, Rung};
use crate::sources::Source;
use judge::call;
use judge::call::PUBLIC_SEED;
use judge::exit::Stop;
use judge::labs;
use judge::progress::Progress;
use runtime::engine::{Step, Work};
use runtime::job::{Failure, Job};

/// Options of a command that needs the profiler.
#[derive(Debug, Args)]
pub struct ProfileOptions {
    /// Only these labs
    labs: Vec<String>,
    /// Where to write the JSON
    #[arg(long, value_name = "FILE", required_unless_present = "launch_only")]
    out: Option<PathBuf>,
    /// Only launch the kernels, for the profiler to watch
    #[arg(long, hide = true)]
    launch_only: bool,
}

impl ProfileOptions {
    /// The labs; all if none is named.
    pub fn labs(&self) -> Result<Vec<&'static dyn Lab>, Stop> {
        labs::named(&self.labs)
    }

    /// Where the JSON goes; `None` if this process only launches.
    pub fn out(&self) -> Option<&Path> {
        self.out.as_deref().filter(|_| !self.launch_only)
    }
}

/// Launches on the GPU: every task of every file on every picture, in this order.
pub fn launch<C: Content>(sources: &[Source], cases: &[Case]) -> Result<(), Stop> {
    let machine = Machine::find::<C>(&Progress::new())?;
    let images = cases.iter().map(|case| call::image(case, PUBLIC_SEED)).collect::<Result<Vec<_>, _>>()?;
    rungs::each(sources, &machine, &mut |rung| {
        for task in &rung.tasks {
            for image in &images {
                let job = call::job(task.name(), task.arguments(image), image.pixels() as u64, PUBLIC_SEED);
                rung.gpu.run(&job).map_err(|failure| failed(&rung.name, &failure))?;
            }
        }
        Ok(())
    })
}

/// The kernels that a task launches on the simulator, counted.
pub fn simulated(rung: &Rung<'_>, task: &dyn Task, case: &Case) -> Result<Vec<Kernel>, Stop> {
    let outcome = rung.simulation.run(rung.program, &job(task, case)?, Checks::COUNT);
    let steps = outcome.map_err(|failure| failed(&rung.name, &failure))?.work.into_iter();
    Ok(steps
        .filter_map(|step| match step {
            Step::Work { work: Work::Kernel(kernel), .. } => Some(*kernel),
            _ => None,
        })
        .collect())
}

fn job(task: &dyn Task, case: &Case) -> Result<Job, Stop> {
    let image = call::image(case, PUBLIC_SEED)?;
    Ok(call::job(task.name(), task.arguments(&image), image.pixels() as u64, PUBLIC_SEED))
}

fn failed(rung: &str, failure: &Failure) -> Stop {
    Stop::environment(format!("`{rung}`: {failure}"))
}

/// Runs this program under the profiler with the command that writes files of this kind; launch by launch, in order.
pub fn profiled<C: Content>(
    labs: &[&'static dyn Lab],
    only: &[String],
    metrics: &[&str],
) -> Result<Vec<Launch>, Stop> {
    profiler::profiled(&arguments::<C>(labs, only), metrics)
}

/// The arguments of the process that the profiler watches.
pub fn arguments<C: Content>(labs: &[&'static dyn Lab], only: &[String]) -> Vec<String> {
    let mut arguments: Vec<String> = C::COMMAND.split(' ').skip(1).map(str::to_owned).collect();
    arguments.push("--launch-only".to_owned());
    arguments.extend(labs.iter().map(|lab| lab.name().to_owned()));
    if !only.is_empty() {
        arguments.extend(["--only".to_owned(), only.join(",")]);
    }
    arguments
}

/// Each launch that the host functions make, beside the profiler's row of it.
pub fn paired<T>(expected: Vec<T>, seen: &[Launch]) -> Result<Vec<(T, &Launch)>, Stop> {
    if expected.len() != seen.len() {
        return Err(Stop::environment(format!(
            "the profiler saw {} launches where the host functions make {}",
            seen.len(),
            expected.len()
        )));
    }
    Ok(expected.into_iter().zip(seen).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_number_of_launches_is_an_error() {
        let seen = [Launch::new()];
        assert_eq!(paired(vec!["a"], &seen).expect("one each").len(), 1);
        assert!(paired(vec!["a", "b"], &seen).is_err() && paired(Vec::<&str>::new(), &seen).is_err());
    }
}
