//! Sharing out the time of a launch among the lines of its source.

use std::collections::BTreeMap;

use runtime::engine::ProfiledLine;
use serde::Serialize;
use simulator::model::{Breakdown, Gpu, TERM_NAMES};
use simulator::{Class, Counters};

use super::causes::{Around, Cause, causes};
use judge::prediction::{PIPE, Part, part};

/// What a line of the file does.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// Its number, from 1.
    #[serde(rename = "line")]
    pub number: u32,
    /// Its text.
    pub text: String,
    /// Its share of the time of all kernels, 0 to 1.
    pub share: f64,
    /// Executions by warps of its most frequent instruction, on the whole picture.
    pub runs: f64,
    /// Active lanes of an instruction, 0 to 32.
    pub lanes: f64,
    /// Sectors of 32 bytes that a request to global memory touches, and the fewest that hold its bytes.
    pub sectors: Option<[f64; 2]>,
    /// Passes of shared memory per request, and without bank conflicts.
    pub wavefronts: Option<[f64; 2]>,
    /// Passes of shared memory per request of an atomic.
    pub atomic_passes: Option<f64>,
    /// Cycles that a warp by itself takes for the line each time; absent where the machine code cannot be read.
    pub cycles: Option<f64>,
    /// What its share is spent on, largest first.
    pub parts: Vec<(Part, f64)>,
    /// What makes it cost so much.
    pub causes: Vec<Cause>,
}

/// Sums of one line over the launches of a task.
#[derive(Debug, Clone, Default)]
pub(super) struct Sums {
    pub counters: Counters,
    pub seconds: BTreeMap<Part, f64>,
    pub runs: f64,
    pub cycles: Option<f64>,
    /// Executions of the sample, for `cycles`.
    pub sampled: f64,
}

impl Sums {
    /// Seconds of all parts.
    pub fn all(&self) -> f64 {
        self.seconds.values().sum()
    }

    /// Whether it adds up in shared memory, with atomics.
    pub fn adds_in_shared_memory(&self) -> bool {
        self.counters.shared_atomic_wavefronts > 0
    }

    /// The line as data. `whole` is the time of all kernels.
    pub fn line(&self, number: u32, text: &str, whole: f64, around: Around) -> Line {
        let counters = &self.counters;
        let mut parts: Vec<(Part, f64)> =
            self.seconds.iter().map(|(part, seconds)| (*part, seconds / whole)).collect();
        parts.retain(|(_, share)| *share > 0.0);
        parts.sort_by(|one, other| other.1.total_cmp(&one.1));
        let has = |events: u64| (events > 0).then_some(());
        let share = self.all() / whole;
        Line {
            number,
            text: text.to_owned(),
            share,
            runs: self.runs,
            lanes: counters.active_lanes(),
            sectors: has(counters.global_requests())
                .map(|()| [counters.sectors_per_request(), counters.least_sectors_per_request()]),
            wavefronts: has(counters.shared_requests)
                .map(|()| [counters.wavefronts_per_request(), counters.least_wavefronts_per_request()]),
            atomic_passes: has(counters.shared_atomic_wavefronts)
                .map(|()| counters.shared_atomic_wavefronts as f64 / counters.atomic_requests.max(1) as f64),
            cycles: self.cycles.filter(|_| self.sampled > 0.0).map(|cycles| cycles / self.sampled),
            causes: causes(counters, share, &parts, around),
            parts,
        }
    }
}

/// Adds the time of a launch to its lines. `grown` is the number of the whole's events for each of those that were counted. Returns the
/// time that no line causes: launches, and what lines without debug information do.
pub(super) fn share_out(
    lines: &[ProfiledLine],
    time: &Breakdown,
    gpu: &Gpu,
    grown: f64,
    sums: &mut BTreeMap<u32, Sums>,
) -> f64 {
    let mut left = time.launch;
    for (term, seconds) in TERM_NAMES.into_iter().zip(time.terms) {
        left += spread(lines, seconds, sums, |line| of_term(line, term, gpu));
    }
    left += spread(lines, time.first_loads, sums, |line| of_term(line, "DRAM", gpu));
    for line in lines {
        let sum = sums.entry(line.location.line).or_default();
        let counters = &line.counters;
        let runs = line.runs as f64;
        sum.counters.add(counters);
        sum.runs += runs * grown;
        sum.sampled += runs;
        if let Some(work) = line.machine {
            *sum.cycles.get_or_insert(0.0) += work.near + work.far;
        }
    }
    left
}

/// Shares out seconds by the weights of the parts of each line; returns them if there are none.
fn spread(
    lines: &[ProfiledLine],
    seconds: f64,
    sums: &mut BTreeMap<u32, Sums>,
    weights: impl Fn(&ProfiledLine) -> Vec<(Part, f64)>,
) -> f64 {
    let weighted: Vec<(u32, Part, f64)> = lines
        .iter()
        .flat_map(|line| weights(line).into_iter().map(|(part, weight)| (line.location.line, part, weight)))
        .collect();
    let all: f64 = weighted.iter().map(|(_, _, weight)| weight).sum();
    if all <= 0.0 {
        return seconds;
    }
    for (line, part, weight) in weighted {
        *sums.entry(line).or_default().seconds.entry(part).or_default() += seconds * weight / all;
    }
    0.0
}

/// What a line has to do with a term of the timing model.
fn of_term(line: &ProfiledLine, term: &str, gpu: &Gpu) -> Vec<(Part, f64)> {
    let counters = &line.counters;
    let mix = |class: Class| counters.mix[class as usize] as f64;
    let machine = line.machine;
    let own = part(term);
    let weight = match term {
        "DRAM" => (counters.unique_read_sectors + counters.unique_write_sectors) as f64,
        "L2" => (counters.global_sectors() + counters.global_atomic_sectors) as f64,
        PIPE => {
            return vec![
                (Part::Requests, (counters.global_wavefronts + counters.local_wavefronts) as f64),
                (Part::SharedMemory, counters.shared_wavefronts as f64),
                (Part::Atomics, counters.shared_atomic_wavefronts as f64 * gpu.rates.shared_atomic),
            ];
        }
        "integer arithmetic" => machine.map_or(0.0, |work| work.integer),
        "multiplication and single precision" => machine.map_or(0.0, |work| work.multiply + work.float),
        "conversions and special functions" => {
            machine.map_or(mix(Class::Convert) + mix(Class::Sfu), |work| work.special)
        }
        "double precision" => mix(Class::Fp64),
        "shuffles, votes and matches" => mix(Class::Warp) + mix(Class::Match),
        "barriers" => mix(Class::Barrier),
        "textures" => counters.texture_passes as f64,
        "global atomics" => counters.global_atomic_rounds as f64,
        "starting blocks" => 0.0,
        "latency" => machine.map_or(counters.warp_instructions as f64, |work| work.near + work.far),
        // Issue, and loads of constants, which are not counted by line.
        _ => machine.map_or(counters.warp_instructions as f64, |work| work.issued),
    };
    vec![(own, weight)]
}
