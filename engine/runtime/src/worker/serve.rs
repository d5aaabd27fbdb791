//! The worker's side: answers requests until the channel closes or a request fails.

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;

use cuda::driver::DeviceProperties;
use simulator::{Checks, Module};

use super::protocol::{Request, Response, Target, receive, send};
use crate::engine::{Engine, GpuEngine, SimulatedEngine};
use crate::job::{self, Failure, Job, Program};
use crate::simulation::Simulation;
use crate::timing;
use crate::timing::TimeRequest;

/// Serves the parent on standard input until it closes the channel. The error is the channel's.
pub fn serve() -> io::Result<()> {
    let channel = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut from = BufReader::new(channel.try_clone()?);
    let mut to = BufWriter::new(channel);
    let mut loaded = None;
    while let Some((request, bytes)) = next(&mut from)? {
        match answer(request, bytes, &mut loaded) {
            Ok((response, outputs)) => {
                let outputs: Vec<&[u8]> = outputs.iter().map(Vec::as_slice).collect();
                io::stdout().flush()?;
                send(&mut to, &response, &outputs)?;
            }
            Err(failure) => {
                // After a sticky error, only a new process can use the GPU.
                return send(&mut to, &Response::Failed(failure), &[]);
            }
        }
    }
    Ok(())
}

fn next(from: &mut impl Read) -> io::Result<Option<(Request, Vec<Vec<u8>>)>> {
    match receive(from) {
        Ok(message) => Ok(Some(message)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// A loaded submission.
struct Loaded {
    /// Absent if only the yardstick is wanted.
    program: Option<Program>,
    device: Device,
}

enum Device {
    Gpu { properties: Box<DeviceProperties>, image: Vec<u8>, context: Box<GpuEngine> },
    Simulator { student: Box<Simulation>, yardstick: Box<Simulation> },
}

type Answer = Result<(Response, Vec<Vec<u8>>), Failure>;

fn answer(request: Request, bytes: Vec<Vec<u8>>, loaded: &mut Option<Loaded>) -> Answer {
    match request {
        Request::Open(open) => {
            *loaded = Some(load(&open.target, bytes)?);
            Ok((Response::Opened, Vec::new()))
        }
        Request::Run(job) => run(opened(loaded)?, &[with_inputs(job, bytes)?]),
        Request::RunAll(jobs) => {
            let mut bytes = bytes.into_iter();
            let with_own = |job: Job| {
                let own = bytes.by_ref().take(job.inputs().len()).collect();
                with_inputs(job, own)
            };
            let jobs = jobs.into_iter().map(with_own).collect::<Result<Vec<_>, _>>()?;
            run(opened(loaded)?, &jobs)
        }
        Request::Time(mut request) => {
            request.job = with_inputs(request.job, bytes)?;
            time(opened(loaded)?, &request)
        }
        Request::Yardstick { read, write } => {
            let seconds = match &mut opened(loaded)?.device {
                Device::Gpu { context, .. } => timing::time_yardstick(context.as_mut(), read, write)?,
                Device::Simulator { yardstick, .. } => {
                    timing::time_yardstick(&mut simulated(yardstick, (read + write) / 4), read, write)?
                }
            };
            Ok((Response::Seconds(seconds), Vec::new()))
        }
    }
}

fn opened(loaded: &mut Option<Loaded>) -> Result<&mut Loaded, Failure> {
    loaded.as_mut().ok_or_else(|| Failure::Broken("the worker has no file to run".into()))
}

fn no_program() -> Failure {
    Failure::Broken("the worker has no host functions".into())
}

fn with_inputs(mut job: Job, bytes: Vec<Vec<u8>>) -> Result<Job, Failure> {
    if job.set_inputs(bytes) {
        Ok(job)
    } else {
        Err(Failure::Broken("the worker received a wrong number of inputs".into()))
    }
}

fn load(target: &Target, bytes: Vec<Vec<u8>>) -> Result<Loaded, Failure> {
    let Ok([host, image, yardstick]) = <[Vec<u8>; 3]>::try_from(bytes) else {
        return Err(Failure::Broken("the worker received a wrong number of images".into()));
    };
    let program = match host.as_slice() {
        [] => None,
        _ => Some(Program::from_ptx(&text(host)?).map_err(|error| Failure::Broken(error.to_string()))?),
    };
    let device = match target {
        Target::Gpu(index) => {
            let properties = cuda::driver::devices()
                .map_err(|error| Failure::Broken(error.to_string()))?
                .into_iter()
                .find(|properties| properties.index == *index)
                .ok_or_else(|| Failure::Broken(format!("the worker sees no GPU {index}")))?;
            // Keeps the context open, so that loading a fresh module for each request is cheap.
            let context = GpuEngine::open(&properties, &yardstick)?;
            Device::Gpu { properties: Box::new(properties), image, context: Box::new(context) }
        }
        Target::Simulator(name) => {
            let gpu = simulator::model::find(name)
                .ok_or_else(|| Failure::Broken(format!("the worker knows no GPU `{name}`")))?;
            let simulation = |image| -> Result<Simulation, Failure> {
                let module =
                    Module::from_ptx(&text(image)?).map_err(|error| Failure::Broken(error.to_string()))?;
                Ok(Simulation::new(Arc::new(module), gpu))
            };
            Device::Simulator {
                student: Box::new(simulation(image)?),
                yardstick: Box::new(simulation(yardstick)?),
            }
        }
    };
    Ok(Loaded { program, device })
}

fn text(bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|_| Failure::Broken("the worker received PTX that is not UTF-8".into()))
}

/// Runs jobs one after another on one engine. The answer is that of the last.
fn run(loaded: &Loaded, jobs: &[Job]) -> Answer {
    let program = loaded.program.as_ref().ok_or_else(no_program)?;
    let pixels = jobs.iter().map(|job| job.pixels).max().unwrap_or_default();
    let mut engine = student(&loaded.device, pixels)?;
    // From now on it is known what variables hold at first.
    engine.restore_variables()?;
    let mut outcome = job::run_all(engine.as_mut(), program, jobs)?;
    if !outcome.has_error() {
        outcome.kept |= engine.variables_changed()?;
    }
    let outputs = std::mem::take(&mut outcome.outputs);
    let calls = outputs.len();
    Ok((Response::Ran { outcome, calls }, outputs.into_iter().flatten().collect()))
}

fn time(loaded: &mut Loaded, request: &TimeRequest) -> Answer {
    let mut engine = student(&loaded.device, request.job.pixels)?;
    let program = loaded.program.as_ref().ok_or_else(no_program)?;
    let (timed, outputs) = match &mut loaded.device {
        Device::Gpu { context, .. } => timing::time(engine.as_mut(), context.as_mut(), program, request)?,
        Device::Simulator { yardstick, .. } => {
            let mut yardstick = simulated(yardstick, request.job.pixels);
            timing::time(engine.as_mut(), &mut yardstick, program, request)?
        }
    };
    Ok((Response::Timed(timed), outputs))
}

/// A fresh engine with the student's module: no variable keeps a value of an earlier request.
fn student(device: &Device, pixels: u64) -> Result<Box<dyn Engine>, Failure> {
    match device {
        Device::Gpu { properties, image, .. } => Ok(Box::new(GpuEngine::open(properties, image)?)),
        Device::Simulator { student, .. } => Ok(Box::new(simulated(student, pixels))),
    }
}

fn simulated(simulation: &Simulation, pixels: u64) -> SimulatedEngine {
    simulation.engine(pixels, Checks::COUNT)
}
