//! A test program on the simulator, with every check.

use std::sync::OnceLock;

use rayon::ThreadPool;
use simulator::Checks;

use super::compile::{Compiled, FUNCTION, compile};
use super::judge::{Verdict, judge};
use super::load::Program;
use checker::programs::{Header, Parameter};
use cuda::nvrtc::Compiler;
use runtime::finding::Finding;
use runtime::job::{Job, JobArgument, Place};
use runtime::simulation::Simulation;

/// The results of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// The bytes of each output; empty if an error ended it.
    pub outputs: Vec<Vec<u8>>,
    /// Everything found.
    pub findings: Vec<Finding>,
    /// The text that kernels and host function printed.
    pub printed: String,
}

/// Bounds the instructions of a launch as if it were on an image of so many pixels: none of the programs is large.
const PIXELS: u64 = 1;

/// The call that a header describes.
pub fn job(header: &Header) -> Job {
    let arguments = header.parameters.iter().map(|parameter| match parameter {
        Parameter::Input(buffer) => JobArgument::Input {
            name: buffer.name.clone(),
            place: Place::Device,
            bytes: buffer.bytes.clone(),
        },
        Parameter::Output { buffer, zeroed, .. } => JobArgument::Output {
            name: buffer.name.clone(),
            place: Place::Device,
            size: buffer.bytes.len(),
            zeroed: *zeroed,
        },
        Parameter::Int(_, value) => JobArgument::Int(*value),
    });
    let arguments = arguments.collect();
    Job::new(FUNCTION, arguments, PIXELS, 1)
}

/// Runs a program on several threads; the error is the simulator's own.
pub fn simulate(compiled: &Compiled, header: &Header, threads: &ThreadPool) -> Result<Ran, String> {
    let simulation = Simulation::new(compiled.device.clone(), &simulator::model::gpus()[0]);
    let outcome = threads.install(|| simulation.run(&compiled.program, &job(header), Checks::ALL));
    let outcome = outcome.map_err(|failure| failure.to_string())?;
    Ok(Ran {
        outputs: outcome.outputs.into_iter().next().unwrap_or_default(),
        findings: outcome.findings,
        printed: outcome.printed,
    })
}

/// Compiles a program, runs it on one thread and on several, and judges.
pub fn check(compiler: &Compiler, program: &Program) -> (Verdict, Option<Ran>) {
    let compiled = match compile(compiler, program, None) {
        Ok(compiled) => compiled,
        Err(error) => return (Verdict::Wrong(format!("does not compile: {error}")), None),
    };
    let (one, several) = pools();
    let ran = match simulate(&compiled, &program.header, one) {
        Ok(ran) => ran,
        Err(error) => return (Verdict::Wrong(error), None),
    };
    if simulate(&compiled, &program.header, several).as_ref() != Ok(&ran) {
        return (Verdict::Wrong("does something else on several threads than on one".into()), Some(ran));
    }
    (judge(&program.header, &ran), Some(ran))
}

/// One thread, and more than any machine's student would notice.
pub fn pools() -> &'static (ThreadPool, ThreadPool) {
    static POOLS: OnceLock<(ThreadPool, ThreadPool)> = OnceLock::new();
    let pool = |threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started")
    };
    POOLS.get_or_init(|| (pool(1), pool(3)))
}
