//! Running the variants of an example.

use kernels::Entry;
use runtime::engine::Recording;
use runtime::finding::Finding;
use runtime::job::{Failure, Job, JobArgument, Outcome, Place};
use runtime::remote::RemoteGpu;
use runtime::simulation::Simulation;
use runtime::statistics;
use runtime::timing::YardstickBytes;
use simulator::Checks;

use super::example::{Example, Variant};
use super::measure::Measured;
use crate::programs::{Parameter, outputs, signature};
use judge::build::{Build, BuildError, build_functions};
use judge::exit::Stop;
use judge::setup::Setup;

/// An example that ran.
#[derive(Debug)]
pub enum Tried {
    /// Its variants, in order.
    Ran(Vec<Ran>),
    /// It does not compile.
    Refused(Vec<Finding>),
}

/// A variant that ran.
#[derive(Debug)]
pub struct Ran {
    /// Its host function.
    pub function: String,
    /// Why it is wrong; `None` if it is right.
    pub wrong: Option<String>,
    /// Everything found.
    pub findings: Vec<Finding>,
    /// Its figures; `None` if a fault stopped it.
    pub measured: Option<Measured>,
    /// Seconds on a GPU, if that is the engine.
    pub gpu_seconds: Option<f64>,
}

/// A compiled example.
pub struct Workbench<'a> {
    example: &'a Example,
    setup: &'a Setup,
    build: Build,
    simulation: Simulation,
    gpu: Option<RemoteGpu>,
}

impl<'a> Workbench<'a> {
    /// Compiles an example. The inner error has the compiler's messages.
    pub fn new(example: &'a Example, setup: &'a Setup) -> Result<Result<Self, Vec<Finding>>, Stop> {
        let parameters = signature(&example.parameters);
        let entries: Vec<Entry<'_>> = example
            .variants
            .iter()
            .map(|variant| Entry { function: &variant.function, parameters: &parameters })
            .collect();
        let build = match build_functions(&setup.submissions(), &example.file, &entries, setup.targets) {
            Ok(build) => build,
            Err(BuildError::Source(findings)) => return Ok(Err(findings)),
            Err(BuildError::Stop(stop)) => return Err(stop),
        };
        let simulation = build.simulation(setup.simulated_gpu());
        let gpu = setup.worker(&build)?;
        Ok(Ok(Self { example, setup, build, simulation, gpu }))
    }

    /// Runs all variants.
    pub fn run(&mut self) -> Result<Vec<Ran>, Stop> {
        let example = self.example;
        example.variants.iter().map(|variant| self.variant(variant)).collect()
    }

    fn variant(&mut self, variant: &Variant) -> Result<Ran, Stop> {
        let job = self.job(variant, 1);
        let outcome = self.simulation.run(&self.build.program, &job, Checks::ALL);
        let outcome = outcome.map_err(|failure| Stop::environment(failure.to_string()))?;
        let stopped = outcome.has_error();
        let wrong = self.wrong(&outcome);
        let measured = (!stopped).then(|| Measured::of(self.example, &outcome, self.setup.simulated_gpu()));
        let mut ran = Ran {
            function: variant.function.clone(),
            wrong,
            findings: outcome.findings,
            measured,
            gpu_seconds: None,
        };
        if !stopped {
            self.on_gpu(variant, &job, &mut ran)?;
        }
        Ok(ran)
    }

    /// What the first blocks of a variant do.
    pub fn record(&self, function: &str, blocks: u64) -> Result<Vec<Recording>, Stop> {
        let variant = self.example.variants.iter().find(|variant| variant.function == function);
        let variant = variant.ok_or_else(|| Stop::environment(format!("no variant `{function}`")))?;
        let recorded = self.simulation.record(&self.build.program, &self.job(variant, 1), blocks);
        recorded.map_err(|failure| Stop::environment(failure.to_string()))
    }

    fn wrong(&self, outcome: &Outcome) -> Option<String> {
        if let Some(error) = outcome.findings.iter().find(|finding| finding.is_error()) {
            return Some(format!("stopped by {}", error.code));
        }
        let of_call = outcome.outputs.first().map(Vec::as_slice).unwrap_or_default();
        outputs(&self.example.parameters, of_call).err()
    }

    /// Compares the outputs of a GPU, and times the large run there.
    fn on_gpu(&mut self, variant: &Variant, job: &Job, ran: &mut Ran) -> Result<(), Stop> {
        let Some(mut gpu) = self.gpu.take() else { return Ok(()) };
        let broken = |failure: Failure| Stop::environment(failure.to_string());
        match gpu.run(job) {
            Ok(outcome) => ran.wrong = ran.wrong.take().or_else(|| self.wrong(&outcome)),
            Err(Failure::Broken(message)) => return Err(Stop::environment(message)),
            Err(failure) => ran.wrong = Some(failure.to_string()),
        }
        if ran.wrong.is_none() && (self.example.grows.is_some() || self.example.scale <= 1.0) {
            let times = self.example.scale as usize;
            let [read, write] = self.example.bytes().map(|bytes| bytes * times as u64);
            let bytes = YardstickBytes { read, write };
            let large = self.job(variant, times);
            let (timed, _) = gpu.time(&large, Vec::new(), bytes, self.example.over_link).map_err(broken)?;
            ran.gpu_seconds = Some(statistics::median(&timed.student));
        }
        self.gpu = Some(gpu);
        Ok(())
    }

    /// A call on `times` as many elements: the `int` that grows is so many times as large, and so are buffers whose length is
    /// a multiple of it. Inputs repeat.
    fn job(&self, variant: &Variant, times: usize) -> Job {
        let place = if self.example.over_link { Place::Host } else { Place::Device };
        let growing = self.example.parameters.iter().find_map(|parameter| match parameter {
            Parameter::Int(name, value) if Some(name) == self.example.grows.as_ref() => Some(*value as usize),
            _ => None,
        });
        let of = |length: usize| match growing {
            Some(unit) if unit > 0 && length.is_multiple_of(unit) => times,
            _ => 1,
        };
        let arguments = self.example.parameters.iter().map(|parameter| match parameter {
            Parameter::Input(buffer) => JobArgument::Input {
                name: buffer.name.clone(),
                place,
                bytes: buffer.bytes.repeat(of(buffer.length)),
            },
            Parameter::Output { buffer, zeroed, .. } => JobArgument::Output {
                name: buffer.name.clone(),
                place,
                size: buffer.bytes.len() * of(buffer.length),
                zeroed: *zeroed,
            },
            Parameter::Int(name, value) => {
                let grows = Some(name) == self.example.grows.as_ref();
                JobArgument::Int(if grows { *value * times as i32 } else { *value })
            }
        });
        let elements = self.example.elements * times as u64;
        Job::new(&variant.function, arguments.collect(), elements, 1)
    }
}
