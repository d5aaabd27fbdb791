//! A real GPU, reached through a worker process.

use std::path::PathBuf;
use std::time::Duration;

use cuda::driver::DeviceProperties;

use crate::job::{Failure, Job, Outcome, shown};
use crate::timing::{GpuLock, Pace, Patch, TimeRequest, Timed, YardstickBytes};
use crate::worker::{Open, Request, Response, Target, Worker};

/// Time limit to start the process and load the modules.
const OPEN_LIMIT: Duration = Duration::from_secs(60);
/// Time limit of the calls of one case.
const RUN_LIMIT: Duration = Duration::from_secs(10);
/// Time limit of a measurement, with its warm-up and checks.
const TIME_LIMIT: Duration = Duration::from_secs(40);

/// The modules that a worker loads.
#[derive(Debug, Clone)]
pub struct Images {
    /// PTX of the host pass.
    pub host: Vec<u8>,
    /// The student's kernels.
    pub device: Vec<u8>,
    /// The yardstick.
    pub yardstick: Vec<u8>,
}

/// A GPU in a worker process, which is started when needed, and again after a failure.
#[derive(Debug)]
pub struct RemoteGpu {
    program: PathBuf,
    target: Target,
    /// PCI address of the GPU, which a measurement locks; `None` on the simulator.
    pci: Option<String>,
    images: Images,
    worker: Option<Worker>,
    limit: Duration,
}

/// The first GPU of this machine, or why there is none.
pub fn first() -> Result<DeviceProperties, String> {
    let devices = cuda::driver::devices().map_err(|error| error.to_string())?;
    devices.into_iter().next().ok_or_else(|| "the driver found no GPU".to_owned())
}

impl RemoteGpu {
    /// A worker of this same binary for `target`, the GPU with the PCI address `pci`. An error means that the binary
    /// was not found.
    pub fn new(target: Target, pci: String, images: Images) -> std::io::Result<Self> {
        let program = std::env::current_exe()?;
        Ok(Self { pci: Some(pci), ..Self::with(program, target, images, RUN_LIMIT) })
    }

    /// The same with another binary and another time limit.
    pub fn with(program: PathBuf, target: Target, images: Images, limit: Duration) -> Self {
        Self { program, target, pci: None, images, worker: None, limit }
    }

    /// Runs a job.
    pub fn run(&mut self, job: &Job) -> Result<Outcome, Failure> {
        self.ran(&Request::Run(job.described()), &job.inputs())
    }

    /// Runs jobs, each with what those before have left in variables. The outcome is that of the last.
    pub fn run_all(&mut self, jobs: &[Job]) -> Result<Outcome, Failure> {
        let inputs: Vec<&[u8]> = jobs.iter().flat_map(Job::inputs).collect();
        self.ran(&Request::RunAll(jobs.iter().map(Job::described).collect()), &inputs)
    }

    fn ran(&mut self, request: &Request, inputs: &[&[u8]]) -> Result<Outcome, Failure> {
        let (response, bytes) = self.ask(request, inputs, self.limit)?;
        let Response::Ran { mut outcome, calls } = response else { return Err(unexpected()) };
        let each = bytes.len().checked_div(calls).unwrap_or(0);
        if each * calls != bytes.len() {
            return Err(unexpected());
        }
        let mut bytes = bytes.into_iter();
        outcome.outputs = (0..calls).map(|_| bytes.by_ref().take(each).collect()).collect();
        outcome.printed.push_str(&self.printed());
        Ok(outcome)
    }

    /// Times a job beside the yardstick, with `patches` of its inputs switched on and off, while no other process
    /// measures on this GPU. The outputs are those of [`Timed::checked`].
    pub fn time(
        &mut self,
        job: &Job,
        patches: Vec<Patch>,
        fewest: YardstickBytes,
        over_link: bool,
    ) -> Result<(Timed, Vec<Vec<u8>>), Failure> {
        self.time_at(Pace::score(over_link), job, patches, fewest, over_link)
    }

    /// The same with another [`Pace`].
    pub fn time_at(
        &mut self,
        pace: Pace,
        job: &Job,
        patches: Vec<Patch>,
        fewest: YardstickBytes,
        over_link: bool,
    ) -> Result<(Timed, Vec<Vec<u8>>), Failure> {
        let YardstickBytes { read, write } = fewest;
        let request = TimeRequest { job: job.described(), patches, read, write, over_link, pace };
        let _lock = self.lock()?;
        match self.ask(&Request::Time(request), &job.inputs(), TIME_LIMIT)? {
            (Response::Timed(timed), outputs) => Ok((timed, outputs)),
            _ => Err(unexpected()),
        }
    }

    /// Times the yardstick alone. Returns the seconds of each run.
    pub fn yardstick(&mut self, read: u64, write: u64) -> Result<Vec<f64>, Failure> {
        let _lock = self.lock()?;
        match self.ask(&Request::Yardstick { read, write }, &[], TIME_LIMIT)? {
            (Response::Seconds(seconds), _) => Ok(seconds),
            _ => Err(unexpected()),
        }
    }

    fn ask(
        &mut self,
        request: &Request,
        bytes: &[&[u8]],
        limit: Duration,
    ) -> Result<(Response, Vec<Vec<u8>>), Failure> {
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => self.open()?,
        };
        let reply = worker.ask(request, bytes, limit)?;
        self.worker = Some(worker);
        Ok(reply)
    }

    fn lock(&self) -> Result<Option<GpuLock>, Failure> {
        let Some(pci) = &self.pci else { return Ok(None) };
        let waiting = || eprintln!("waiting: another process of the workbook is measuring on this GPU");
        GpuLock::take(pci, waiting).map(Some).map_err(|stop| Failure::Broken(stop.to_string()))
    }

    fn open(&self) -> Result<Worker, Failure> {
        let mut worker = Worker::start(&self.program)
            .map_err(|error| Failure::Broken(format!("failed to start the worker process: {error}")))?;
        let images: [&[u8]; 3] = [&self.images.host, &self.images.device, &self.images.yardstick];
        let open = Request::Open(Open { target: self.target.clone() });
        match worker.ask(&open, &images, OPEN_LIMIT) {
            Ok((Response::Opened, _)) => Ok(worker),
            Ok(_) => Err(unexpected()),
            // No kernel has run yet, so the failure is not the student's.
            Err(failure) => Err(Failure::Broken(format!("failed to open the GPU: {failure}"))),
        }
    }

    fn printed(&self) -> String {
        self.worker.as_ref().map(|worker| shown(&worker.take_printed())).unwrap_or_default()
    }
}

fn unexpected() -> Failure {
    Failure::Broken("the worker process gave an unexpected answer".to_owned())
}
