//! The runtime's state during one host function, and the ways in which a call fails.

use std::collections::{BTreeMap, BTreeSet};

use kernels::HostCall;
use simulator::host::{HostCallError, HostView};
use simulator::{Finding, KernelInfo, Kind, Severity};

use super::clocks::Op;
use super::effort::Effort;
use super::graphs::GraphRest;
use super::host_function::InStream;
use super::kept::Kept;
use super::resources::{Allocation, Pending};
use super::short::Landed;
use crate::engine::{Engine, EngineError};

/// The CUDA runtime as one call of a host function sees it. [`super::dispatch`] decodes its calls.
pub struct Runtime<'a> {
    pub(super) engine: &'a mut dyn Engine,
    pub(super) kernels: &'a BTreeMap<String, KernelInfo>,
    pub(super) kept: Kept,
    pub(super) findings: Vec<Finding>,
    pub(super) landed: BTreeMap<String, Landed>,
    pub(super) pending: Vec<Pending>,
    /// Operations of which the host has asked whether they are finished.
    pub(super) asked: BTreeSet<Op>,
    pub(super) crash: Option<(i32, String)>,
    pub(super) last_error: i32,
    /// The function in a stream that runs now.
    pub(super) in_stream: Option<InStream>,
    /// The launch of a graph that waits for it.
    pub(super) graph_rest: Option<GraphRest>,
    /// What its calls have cost so far.
    pub(super) effort: Effort,
    /// Instructions of the host function that are free or charged already.
    pub(super) charged: u64,
}

/// Handles 0, 1 and 2 mean the default streams; no other number in a program looks like these.
pub(super) const FIRST_HANDLE: u64 = 0x5744_3a00_0000_0100;

/// Instructions of a host function that cost nothing: those around its runtime calls, and tables of a few hundred entries. A
/// CPU carries them out in the time of two launches, and while the GPU works.
const FREE_INSTRUCTIONS: u64 = 20_000;

/// Why a call was not carried out.
pub(super) enum Refusal {
    /// The call returns this `cudaError_t`, as the real runtime does.
    Code(i32),
    /// The host function ends here.
    End(HostCallError),
    /// The GPU is broken.
    Crash(i32, String),
}

pub(super) type Outcome<T> = Result<T, Refusal>;

impl<'a> Runtime<'a> {
    /// A runtime over `engine`, with what earlier calls have kept. `allocations`: the caller's device memory, by address; `pixels`:
    /// of its picture.
    pub fn new(
        engine: &'a mut dyn Engine,
        kernels: &'a BTreeMap<String, KernelInfo>,
        allocations: BTreeMap<u64, Allocation>,
        pixels: u64,
        mut kept: Kept,
    ) -> Self {
        kept.allocations.extend(allocations);
        Self {
            engine,
            kernels,
            kept,
            findings: Vec::new(),
            landed: BTreeMap::new(),
            pending: Vec::new(),
            asked: BTreeSet::new(),
            crash: None,
            in_stream: None,
            graph_rest: None,
            last_error: 0,
            effort: Effort::on(pixels),
            charged: FREE_INSTRUCTIONS,
        }
    }

    /// Charges what the host function has computed since the last call; `executed` are its instructions so far.
    pub fn computed(&mut self, executed: u64) -> Result<(), EngineError> {
        let more = executed.saturating_sub(self.charged);
        self.charged += more;
        if more > 0 { self.engine.computed_on_host(more) } else { Ok(()) }
    }

    /// The most instructions that this call may execute, if the engine knows.
    pub fn host_limit(&self) -> Option<u64> {
        self.engine.host_limit()
    }

    /// Notes an error-level finding at the current call.
    pub(super) fn note(&mut self, host: &HostView<'_>, found: Finding) {
        let location = found.location.clone().or_else(|| host.location().cloned());
        self.keep(Finding { location, ..found });
    }

    /// Keeps a finding; one that is known from the same line only counts, so that a loop of faulty calls fills no memory.
    pub(super) fn keep(&mut self, found: Finding) {
        let known = self.findings.iter_mut().find(|known| {
            (known.code, known.severity) == (found.code, found.severity) && known.location == found.location
        });
        match known {
            Some(known) => known.count = known.count.saturating_add(found.count),
            None => self.findings.push(found),
        }
    }

    /// Notes a finding, and makes the call return `code`.
    pub(super) fn refuse<T>(&mut self, host: &HostView<'_>, code: i32, found: Finding) -> Outcome<T> {
        self.note(host, found);
        Err(Refusal::Code(code))
    }
}

/// The host code and this crate disagree on a call's arguments: a fault of the workbook.
pub(super) fn malformed(call: HostCall) -> Refusal {
    Refusal::End(HostCallError::Engine(format!("runtime call {call:?} has the wrong number of arguments")))
}

/// An error without a source line.
pub(super) fn finding(code: &'static str, kind: Kind, message: String, hint: &str) -> Finding {
    Finding {
        code,
        kind,
        severity: Severity::Error,
        message,
        location: None,
        labels: Vec::new(),
        thread: None,
        count: 1,
        hint: hint.to_owned(),
    }
}

impl From<HostCallError> for Refusal {
    fn from(error: HostCallError) -> Self {
        Self::End(error)
    }
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Refused { code, .. } => Self::Code(code),
            EngineError::Crashed { code, message } => Self::Crash(code, message),
            EngineError::Broken(message) => Self::End(HostCallError::Engine(message)),
        }
    }
}
