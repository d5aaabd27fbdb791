//! Files of kernels built for both engines, and visited one after the other.

use std::path::Path;

use lab::{Lab, Task};
use rayon::prelude::*;

use crate::machine::Machine;
use crate::sources::Source;
use judge::build::{self, Build, BuildError};
use judge::exit::Stop;
use judge::setup::Setup;
use judge::submission;
use runtime::job::Program;
use runtime::remote::RemoteGpu;
use runtime::simulation::Simulation;

/// A file of kernels, ready to run.
pub struct Rung<'a> {
    /// Its lab.
    pub lab: &'static dyn Lab,
    /// File name without ending: `03_coalesced`.
    pub name: String,
    /// The tasks that it is about.
    pub tasks: Vec<&'static dyn Task>,
    /// Its host functions.
    pub program: &'a Program,
    /// Its kernels on the simulator.
    pub simulation: Simulation,
    /// Its kernels on the GPU.
    pub gpu: RemoteGpu,
}

/// Called with each file.
pub type Visit<'a> = &'a mut dyn FnMut(&mut Rung<'_>) -> Result<(), Stop>;

/// Builds the files on all cores, then visits them in order: one at a time, so that nothing else runs while one is timed.
pub fn each(sources: &[Source], machine: &Machine, visit: Visit<'_>) -> Result<(), Stop> {
    let builds = sources.par_iter().map(|source| compiled(source, &machine.setup));
    let builds: Vec<Build> = builds.collect::<Result<_, Stop>>()?;
    for (source, build) in sources.iter().zip(builds) {
        one(source, &build, machine, visit)?;
    }
    Ok(())
}

/// Visits a file that has been built.
pub fn one(source: &Source, build: &Build, machine: &Machine, visit: Visit<'_>) -> Result<(), Stop> {
    let Machine { setup, device } = machine;
    let gpu = setup.worker_on(device, build)?;
    let simulation = build.simulation(setup.simulated_gpu());
    let (lab, name, tasks) = (source.lab, source.name.clone(), source.tasks.clone());
    visit(&mut Rung { lab, name, tasks, program: &build.program, simulation, gpu })
}

/// Compiles a file for the tasks that it is about.
pub fn compiled(source: &Source, setup: &Setup) -> Result<Build, Stop> {
    let tasks: Vec<&dyn Task> = source.tasks.iter().map(|task| *task as &dyn Task).collect();
    compiled_for(source.lab, &tasks, &source.path, setup)
}

/// Compiles one file of a lab for these tasks.
pub fn compiled_for(lab: &dyn Lab, tasks: &[&dyn Task], path: &Path, setup: &Setup) -> Result<Build, Stop> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let submission = submission::read(path, &name, lab, "check that the checkout is whole")?;
    build::build(&setup.compiler, &submission, tasks, setup.targets).map_err(|error| match error {
        BuildError::Stop(stop) => stop,
        BuildError::Source(_) => {
            Stop::environment(format!("`{name}` does not compile: run `workshop verify`"))
        }
    })
}
