//! What the lines of a file did in each launch, and which addresses one of them touched: for a profile.

use std::collections::{BTreeMap, BTreeSet};

use simulator::model::MachineWork;
use simulator::performance::{CountedLine, Turns, remarks_on};
use simulator::{Access, AccessKind, Counters, Device, DeviceError, Launch, LaunchReport, Location};
use simulator::{Observer, Space, Step};

use super::{AssembledKernels, SimulatedEngine};
use crate::engine::EngineError;

/// A launch, line by line.
#[derive(Debug, Clone)]
pub struct Profiled {
    /// Its kernel, as in the source.
    pub kernel: String,
    /// Threads of a block, in each direction.
    pub block: [u32; 3],
    /// The events of the whole launch.
    pub counters: Counters,
    /// Its lines, in the order of file and line.
    pub lines: Vec<ProfiledLine>,
    /// Requests of the chosen line.
    pub requests: Vec<SeenRequest>,
}

/// What a source line did in a launch.
#[derive(Debug, Clone)]
pub struct ProfiledLine {
    /// The line.
    pub location: Location,
    /// The lines of the PTX that it became, and how often warps executed each.
    pub executed: Vec<(u32, u64)>,
    /// Its events.
    pub counters: Counters,
    /// The loads from memory in its text.
    pub loads: u64,
    /// Its machine instructions and what it waited for; `None` where there is no machine code that can be read.
    pub machine: Option<MachineWork>,
}

impl ProfiledLine {
    /// What is known of it beside its events, in a launch of so many warps.
    pub fn turns(&self, warps: u64) -> Turns {
        Turns { loads: self.loads, warps, sectors: self.counters.unique_read_sectors }
    }

    /// Executions by warps: those of its most frequent instruction.
    pub fn runs(&self) -> u64 {
        self.executed.iter().map(|(_, warps)| *warps).max().unwrap_or_default()
    }
}

/// A request of a warp to memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenRequest {
    /// Whether it went to shared memory; else to global memory.
    pub shared: bool,
    /// Whether it is a load, a store or an atomic.
    pub kind: AccessKind,
    /// The block and the warp in it.
    pub warp: (u64, u32),
    /// Bytes per lane.
    pub bytes: u64,
    /// By lane, its address; `None` if the lane takes no part.
    pub addresses: [Option<u64>; 32],
}

/// Requests of a line that are kept, from the launch's first blocks.
const KEPT: usize = 4;

impl SimulatedEngine {
    /// Carries out a launch; its lines are noted if a profile asks for them.
    pub(super) fn noted(&mut self, launch: &Launch<'_>) -> Result<LaunchReport, EngineError> {
        if let Some(line) = self.seen_line {
            let (report, requests) = Profiled::seen(&mut self.device, launch, line)?;
            let profiled = Profiled::of(launch, &report, &self.device, &self.assembled);
            self.profile.get_or_insert_default().push(Profiled { requests, ..profiled });
            return Ok(report);
        }
        let report = self.device.launch(launch)?;
        if let Some(profile) = &mut self.profile {
            profile.push(Profiled::of(launch, &report, &self.device, &self.assembled));
        }
        Ok(report)
    }
}

impl Profiled {
    /// Its warps: each executes its first instruction once.
    pub fn warps(&self) -> u64 {
        let executed = self.lines.iter().flat_map(|line| &line.executed);
        // Loads of arguments are not executed.
        executed.filter(|(_, warps)| *warps > 0).min_by_key(|(line, _)| *line).map_or(0, |(_, warps)| *warps)
    }

    /// Remarks on its speed.
    pub fn remarks(&self) -> Vec<simulator::Finding> {
        let warps = self.warps();
        let seen = self.lines.iter().map(|line| CountedLine {
            location: &line.location,
            counters: &line.counters,
            turns: line.turns(warps),
        });
        remarks_on(&self.counters, &seen.collect::<Vec<_>>())
    }

    /// From the report of a launch.
    pub(super) fn of(
        launch: &Launch<'_>,
        report: &LaunchReport,
        device: &Device,
        assembled: &AssembledKernels,
    ) -> Self {
        let code = assembled.get(launch.kernel).and_then(|kernel| kernel.code.as_ref());
        let sources = device.module().source_lines(launch.kernel);
        // Copies that the compiler makes of a load stand in the same column.
        let mut loads: BTreeMap<Location, BTreeSet<u32>> = BTreeMap::new();
        for place in device.module().loads(launch.kernel) {
            loads.entry(Location { column: 0, ..place.clone() }).or_default().insert(place.column);
        }
        let mut executed: BTreeMap<Location, Vec<(u32, u64)>> = BTreeMap::new();
        for one in &report.executed {
            if let Some(location) = sources.get(&one.line) {
                let line = executed.entry(Location { column: 0, ..location.clone() }).or_default();
                line.push((one.line, one.warps));
            }
        }
        let machine = code.map(|code| {
            let mut lines: BTreeMap<Location, MachineWork> = BTreeMap::new();
            for (line, work) in code.work_by_line(&report.executed) {
                if let Some(location) = sources.get(&line) {
                    lines.entry(Location { column: 0, ..location.clone() }).or_default().join(&work);
                }
            }
            lines
        });
        let lines = report.lines.iter().map(|line| ProfiledLine {
            location: line.location.clone(),
            executed: executed.remove(&line.location).unwrap_or_default(),
            counters: line.counters.clone(),
            loads: loads.get(&line.location).map_or(0, |columns| columns.len() as u64),
            machine: machine.as_ref().map(|lines| lines.get(&line.location).copied().unwrap_or_default()),
        });
        Self {
            kernel: device.module().readable(launch.kernel),
            block: launch.block,
            counters: report.counters.clone(),
            lines: lines.collect(),
            requests: Vec::new(),
        }
    }

    /// Runs a launch once more, and keeps the first requests of a line.
    pub(super) fn seen(
        device: &mut Device,
        launch: &Launch<'_>,
        line: u32,
    ) -> Result<(LaunchReport, Vec<SeenRequest>), DeviceError> {
        let (report, seen) = device.launch_observed(launch, || Seen { line, requests: Vec::new() })?;
        let mut requests = seen.requests;
        requests.sort_by_key(|request| request.warp);
        requests.truncate(KEPT);
        Ok((report, requests))
    }
}

/// Keeps the requests of the first warp that comes to a line.
struct Seen {
    line: u32,
    requests: Vec<SeenRequest>,
}

impl Observer for Seen {
    fn access(&mut self, step: &Step<'_>, access: &Access<'_>) {
        let here = step.location.is_some_and(|location| location.line == self.line);
        let shared = access.space == Space::Shared;
        if !here || !(shared || access.space == Space::Global) {
            return;
        }
        let warp = (step.block, step.warp);
        // A thread of the simulator runs whole blocks, so that the first of each is enough.
        if self.requests.len() >= KEPT && self.requests.iter().all(|known| known.warp <= warp) {
            return;
        }
        self.requests.push(SeenRequest {
            shared,
            kind: access.kind,
            warp,
            bytes: access.bytes,
            addresses: std::array::from_fn(|lane| {
                (step.mask >> lane & 1 == 1).then(|| access.addresses[lane])
            }),
        });
        self.requests.sort_by_key(|request| request.warp);
        self.requests.truncate(KEPT);
    }

    fn absorb(&mut self, other: Self) {
        self.requests.extend(other.requests);
    }
}
