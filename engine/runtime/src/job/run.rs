//! Calling the host function, and collecting its results.

use std::collections::BTreeMap;

use simulator::Location;
use simulator::host::{self, HostError, HostMemory, HostOutcome};

use super::buffers::Prepared;
use super::description::Job;
use super::outcome::{Failure, Outcome};
use super::program::{Program, entry};
use crate::api::{Kept, Landed, Runtime, at_its_copy};
use crate::engine::Engine;
use crate::finding::{Finding, merge, without_consequences};

/// The limit of instructions of a host function: a base and an amount per pixel, up to about a second of interpretation. Where
/// smaller pictures tell what it needs, the engine knows better.
const HOST_BASE: u64 = 10_000_000;
const HOST_PER_PIXEL: u64 = 300;
const HOST_MOST: u64 = 100_000_000;

/// Bytes of printed text that are kept.
const PRINTED: usize = 4096;

/// Printed bytes from which on it is the printing that takes the time.
const FLOOD: usize = 60_000;

/// One finished call.
pub struct Called {
    /// The host buffers among the arguments, after the call.
    pub host_buffers: Vec<Vec<u8>>,
    /// The printed text.
    pub printed: Vec<u8>,
    /// Faults and remarks.
    pub findings: Vec<Finding>,
    /// Where its copies went.
    landed: BTreeMap<String, Landed>,
}

/// A program between two calls of its host functions: its variables, and what it has allocated and not freed.
pub struct Life {
    memory: HostMemory,
    kept: Kept,
}

impl Life {
    /// The program before its first call.
    pub fn new(program: &Program) -> Self {
        Self { memory: HostMemory::new(&program.module), kept: Kept::default() }
    }

    /// Ends the program: the GPU has its memory back.
    pub fn end(self, engine: &mut dyn Engine) -> Result<(), Failure> {
        Ok(self.kept.release(engine)?)
    }
}

/// The most instructions that a call of the host function may execute on a picture of so many pixels, if nothing else is known.
pub(crate) fn host_limit(pixels: u64) -> u64 {
    HOST_MOST.min(HOST_BASE.saturating_add(HOST_PER_PIXEL.saturating_mul(pixels)))
}

/// Calls the host function of a fresh program once on prepared buffers, and waits for the GPU.
pub fn call(
    engine: &mut dyn Engine,
    program: &Program,
    prepared: &Prepared<'_>,
    poison: u64,
) -> Result<Called, Failure> {
    let mut life = Life::new(program);
    let called = call_again(engine, program, &mut life, prepared, poison)?;
    life.end(engine)?;
    Ok(called)
}

/// The same in a program that may have had calls before.
fn call_again(
    engine: &mut dyn Engine,
    program: &Program,
    life: &mut Life,
    prepared: &Prepared<'_>,
    poison: u64,
) -> Result<Called, Failure> {
    let job = prepared.job();
    let (kernels, kept) = (&program.kernels, std::mem::take(&mut life.kept));
    let mut runtime = Runtime::new(engine, kernels, prepared.allocations(), job.pixels, kept);
    let arguments = prepared.arguments(poison);
    let limit = runtime.host_limit().unwrap_or_else(|| host_limit(job.pixels));
    let (memory, function) = (&mut life.memory, entry(&job.function));
    let ended = host::run(&program.module, memory, &function, &arguments, &mut runtime, limit);
    if let Ok(ended) = &ended {
        runtime.computed(ended.instructions)?;
    }
    let faulted = ended.as_ref().is_ok_and(|ended| ended.fault.is_some());
    let left = runtime.finish(&life.memory, faulted);
    life.kept = left.kept;
    let told = |remark| life.kept.with_copies(remark);
    if let Some((code, message)) = left.crash {
        return Err(Failure::Crashed { code, message });
    }
    let ended = match ended {
        Ok(ended) => ended,
        Err(HostError::Engine(message)) => return Err(Failure::Broken(message)),
        Err(HostError::Unsupported { message, location, .. }) => not_interpreted(&message, location),
    };
    engine.synchronize()?;
    engine.select_stream(0);
    let mut findings: Vec<Finding> = left
        .findings
        .into_iter()
        .chain(ended.remarks.into_iter().map(told))
        .chain(ended.fault)
        .map(Finding::from)
        .collect();
    let mut printed = ended.printed;
    printed.extend(engine.take_printed());
    if printed.len() >= FLOOD {
        findings.iter_mut().for_each(blame_printing);
    }
    Ok(Called {
        host_buffers: ended.buffers,
        printed,
        findings: without_consequences(findings),
        landed: left.landed,
    })
}

/// A call that prints for ever mostly takes too long by that.
fn blame_printing(finding: &mut Finding) {
    if finding.code == "W0504" {
        let message = std::mem::take(&mut finding.message);
        finding.message = format!("prints too much, and {message}");
        let hint = "print from one thread and for a small picture only, such as `if (i == 0 && n < 100)`, or take the `printf` out: each \
                    costs thousands of instructions, on a GPU too";
        hint.clone_into(&mut finding.hint);
    }
}

/// The outcome of a host function that the interpreter cannot run: nothing ran.
fn not_interpreted(message: &str, location: Option<Location>) -> HostOutcome {
    let fault = simulator::Finding {
        code: "W0622",
        kind: simulator::Kind::Host,
        severity: simulator::Severity::Error,
        message: format!("the host function uses a feature that the checker cannot interpret: {message}"),
        location,
        labels: Vec::new(),
        thread: None,
        count: 1,
        hint: "host functions are for allocation, copies and launches: leave out inline assembly and GPU instructions there"
            .to_owned(),
    };
    HostOutcome {
        fault: Some(fault),
        remarks: Vec::new(),
        buffers: Vec::new(),
        printed: Vec::new(),
        instructions: 0,
    }
}

/// Runs a job in a fresh program: [`Job::calls`] calls, each with freshly poisoned outputs, up to the first fault.
pub fn run(engine: &mut dyn Engine, program: &Program, job: &Job) -> Result<Outcome, Failure> {
    run_all(engine, program, std::slice::from_ref(job))
}

/// Runs jobs one after another in one program. The outcome is that of the last.
pub fn run_all(engine: &mut dyn Engine, program: &Program, jobs: &[Job]) -> Result<Outcome, Failure> {
    let mut life = Life::new(program);
    let mut outcome = Outcome::default();
    let mut before = Vec::new();
    for (number, job) in jobs.iter().enumerate() {
        let prepared = Prepared::between(engine, job, &before, &jobs[number + 1..])?;
        outcome = run_again(engine, program, &mut life, &prepared)?;
        before.push(prepared);
    }
    before.into_iter().try_for_each(|prepared| prepared.release(engine))?;
    life.end(engine)?;
    Ok(outcome)
}

fn run_again(
    engine: &mut dyn Engine,
    program: &Program,
    life: &mut Life,
    prepared: &Prepared<'_>,
) -> Result<Outcome, Failure> {
    let job = prepared.job();
    let mut outcome = Outcome::default();
    let mut printed = Vec::new();
    let fresh = engine.variables_digest();
    for round in 0..u64::from(job.calls) {
        let poison = job.poison.wrapping_add(round);
        prepared.poison(engine, poison)?;
        engine.synchronize()?;
        engine.take_work();
        engine.set_order(job.orders.get(round as usize).copied().unwrap_or_default());
        engine.set_watched(round < u64::from(job.watched_calls));
        let called = call_again(engine, program, life, prepared, poison)?;
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
            merge(&mut outcome.findings, at_its_copy(finding, &called.landed), None);
        }
        let outputs = prepared.outputs(engine, &called.host_buffers)?;
        if round == 0 {
            outcome.unwritten = prepared.unwritten(&outputs, poison);
        }
        outcome.outputs.push(outputs);
    }
    outcome.kept = engine.variables_digest() != fresh || life.memory.changed(&program.module);
    outcome.printed = shown(&printed);
    Ok(outcome)
}

/// Printed bytes as text for a report, shortened.
pub fn shown(printed: &[u8]) -> String {
    let kept = &printed[..printed.len().min(PRINTED)];
    let mut text = cuda::text::clean(&String::from_utf8_lossy(kept).replace('\r', ""));
    if printed.len() > kept.len() {
        text.push_str("\n… (more was printed)");
    }
    text
}
