//! Every rung of every ladder, built for both engines.

use std::path::Path;

use cuda::driver::DeviceProperties;
use lab::{Lab, Task};
use rayon::prelude::*;

use super::again;
use checker::build::{self, Build, BuildError};
use checker::exit::Stop;
use checker::progress::Progress;
use checker::setup::EngineChoice;
use checker::setup::{Engine, Setup};
use checker::submission;
use checker::workspace::{Chosen, Workspace};
use runtime::job::Program;
use runtime::remote::RemoteGpu;
use runtime::simulation::Simulation;

/// A rung, ready to run.
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

/// A GPU to run on, or why there is none.
pub fn setup(progress: &Progress, what: &str) -> Result<(Setup, DeviceProperties), Stop> {
    let setup = Setup::new(EngineChoice::Gpu, &simulator::model::gpus()[0], progress)?;
    let Engine::Gpu(device) = &setup.engine else {
        return Err(Stop::environment(format!("failed to use a GPU: `{what}` needs one")));
    };
    let device = DeviceProperties::clone(device);
    Ok((setup, device))
}

/// Builds every rung of the labs, on all cores, and visits them in order: one at a time, so that nothing runs beside what
/// is timed.
pub fn each_rung(
    labs: &[&'static dyn Lab],
    workspace: &Workspace,
    setup: &Setup,
    device: &DeviceProperties,
    visit: &mut dyn FnMut(&mut Rung<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    some_rungs(labs, &[], workspace, setup, device, visit)
}

/// The same of rungs whose name holds one of `only`; all of them if it is empty.
pub fn some_rungs(
    labs: &[&'static dyn Lab],
    only: &[String],
    workspace: &Workspace,
    setup: &Setup,
    device: &DeviceProperties,
    visit: &mut dyn FnMut(&mut Rung<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    for lab in labs {
        let mut rungs = workspace.rungs(*lab)?;
        rungs.retain(|rung| again::is_chosen(only, &rung.name()));
        let builds = rungs.par_iter().map(|rung| compiled(*lab, &rung.path, &rung.tasks, setup));
        let builds: Vec<(String, Build)> = builds.collect::<Result<_, Stop>>()?;
        for (rung, (name, build)) in rungs.into_iter().zip(builds) {
            visit_build(*lab, name, rung.tasks, &build, setup, device, visit)?;
        }
    }
    Ok(())
}

/// Builds one file of a lab for its tasks, and visits it.
pub fn built(
    lab: &'static dyn Lab,
    file: Chosen,
    setup: &Setup,
    device: &DeviceProperties,
    visit: &mut dyn FnMut(&mut Rung<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let (name, build) = compiled(lab, &file.path, &file.tasks, setup)?;
    visit_build(lab, name, file.tasks, &build, setup, device, visit)
}

/// Visits what has been built already for these tasks.
pub fn visit_build(
    lab: &'static dyn Lab,
    name: String,
    tasks: Vec<&'static dyn Task>,
    build: &Build,
    setup: &Setup,
    device: &DeviceProperties,
    visit: &mut dyn FnMut(&mut Rung<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let gpu = setup.worker_on(device, build)?;
    let simulation = build.simulation(setup.simulated_gpu());
    visit(&mut Rung { lab, name, tasks, program: &build.program, simulation, gpu })
}

/// Compiles one file of a lab for these tasks; its name without ending.
pub fn compiled(
    lab: &'static dyn Lab,
    path: &Path,
    tasks: &[&'static dyn Task],
    setup: &Setup,
) -> Result<(String, Build), Stop> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let submission = submission::read(path, name.clone(), lab, "check that the checkout is whole")?;
    let tasks: Vec<&dyn Task> = tasks.iter().map(|task| *task as &dyn Task).collect();
    let build = build::build(&setup.compiler, &submission, &tasks, setup.targets);
    let build = build.map_err(|error| match error {
        BuildError::Stop(stop) => stop,
        BuildError::Source(_) => {
            Stop::environment(format!("`{name}` does not compile: run `workshop verify`"))
        }
    })?;
    Ok((name.trim_end_matches(".cu").to_owned(), build))
}
