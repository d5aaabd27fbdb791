//! Calling the host function, and collecting its results.

use simulator::host::{self, HostError};

use super::buffers::Prepared;
use super::description::Job;
use super::outcome::{Failure, Outcome};
use super::program::{Program, entry};
use crate::api::{LeftImage, Runtime};
use crate::engine::Engine;
use crate::finding::{Finding, merge};

/// The limit of instructions of a host function: about half a minute of interpretation.
const HOST_INSTRUCTIONS: u64 = 100_000_000;

/// Bytes of printed text that are kept.
const PRINTED: usize = 4096;

/// One finished call.
pub struct Called {
    /// The host buffers among the arguments, after the call.
    pub host_buffers: Vec<Vec<u8>>,
    /// The printed text.
    pub printed: Vec<u8>,
    /// Faults and remarks.
    pub findings: Vec<Finding>,
}

/// Calls the host function once on prepared buffers, and waits for the GPU.
pub fn call(
    engine: &mut dyn Engine,
    program: &Program,
    job: &Job,
    prepared: &Prepared<'_>,
    poison: u64,
) -> Result<Called, Failure> {
    let mut runtime = Runtime::new(engine, &program.kernels, prepared.allocations());
    let arguments = prepared.arguments(poison);
    let ended =
        host::run(&program.module, &entry(&job.function), &arguments, &mut runtime, HOST_INSTRUCTIONS);
    if let Ok(ended) = &ended {
        runtime.computed(ended.instructions)?;
    }
    let faulted = ended.as_ref().is_ok_and(|ended| ended.fault.is_some());
    let left = runtime.finish(faulted);
    if let Some((code, message)) = left.crash {
        return Err(Failure::Crashed { code, message });
    }
    let ended = ended.map_err(|error| match error {
        HostError::Engine(message) => Failure::Broken(message),
        HostError::Unsupported { .. } => Failure::Broken(format!(
            "{error}; the workbook should support this: please report it with your file"
        )),
    })?;
    engine.synchronize()?;
    engine.select_stream(0);
    for address in left.unfreed {
        engine.free(address)?;
    }
    for image in left.unfreed_images {
        match image {
            LeftImage::Object(kind, handle) => engine.destroy_image(kind, handle)?,
            LeftImage::Array(array) => engine.free_array(array)?,
        }
    }
    let findings =
        left.findings.into_iter().chain(ended.undefined).chain(ended.fault).map(Finding::from).collect();
    let mut printed = ended.printed;
    printed.extend(engine.take_printed());
    Ok(Called { host_buffers: ended.buffers, printed, findings })
}

/// Runs a job: [`Job::calls`] calls, each with freshly poisoned outputs, up to the first fault.
pub fn run(engine: &mut dyn Engine, program: &Program, job: &Job) -> Result<Outcome, Failure> {
    let prepared = Prepared::new(engine, job)?;
    let mut outcome = Outcome::default();
    let mut printed = Vec::new();
    for round in 0..u64::from(job.calls) {
        let poison = job.poison.wrapping_add(round);
        prepared.poison(engine, poison)?;
        engine.synchronize()?;
        engine.take_work();
        let called = call(engine, program, job, &prepared, poison)?;
        outcome.work = engine.take_work();
        if round == 0 {
            printed = called.printed;
        }
        for finding in called.findings {
            merge(&mut outcome.findings, finding, None);
        }
        if outcome.has_error() {
            break;
        }
        for finding in prepared.damage(engine, &called.host_buffers)? {
            merge(&mut outcome.findings, finding, None);
        }
        let outputs = prepared.outputs(engine, &called.host_buffers)?;
        if round == 0 {
            outcome.unwritten = prepared.unwritten(&outputs, poison);
        }
        outcome.outputs.push(outputs);
    }
    outcome.printed = shown(&printed);
    prepared.release(engine)?;
    Ok(outcome)
}

/// Printed bytes as text for a report: shortened, and without control characters.
pub fn shown(printed: &[u8]) -> String {
    let kept = &printed[..printed.len().min(PRINTED)];
    let mut text: String = String::from_utf8_lossy(kept)
        .chars()
        .filter(|c| *c == '\n' || *c == '\t' || !c.is_control())
        .collect();
    if printed.len() > kept.len() {
        text.push_str("\n… (more was printed)");
    }
    text
}
