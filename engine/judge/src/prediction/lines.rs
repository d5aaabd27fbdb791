//! Which source line takes which share of the time of the kernels.

use std::collections::BTreeMap;

use lab::Part;
use runtime::engine::{Profiled, ProfiledLine, Step, Work};
use simulator::model::{Breakdown, Gpu, H200, Kernel, TERM_NAMES, Wait, Whole, breakdown, far_cycles};
use simulator::performance::Turns;
use simulator::{Class, Counters, Executed};

use super::costs::{LATENCY, PIPE, part};
use super::divisions::{Division, division};
use super::signs::conversions;

/// A line's share of the time.
#[derive(Debug, Clone, PartialEq)]
pub struct LineShare {
    /// Its number, from 1.
    pub number: u32,
    /// Its share of the time of all kernels, 0 to 1.
    pub share: f64,
    /// The same by part, largest first.
    pub parts: Vec<(Part, f64)>,
    /// Of the part [`Part::Waiting`], the share in which warps wait for loads that the first-level cache does not have.
    pub for_loads: f64,
    /// Whether it uses an array in local memory.
    pub local: bool,
    /// Instructions that warps execute for it on the whole picture.
    pub instructions: f64,
    /// Of these, those that only serve to divide numbers that may be negative by a constant.
    pub signed: f64,
    /// Whether it loads from global memory behind a branch.
    pub branches: bool,
    /// The division in it that takes many instructions.
    pub divides: Option<Division>,
    /// Blocks that add their sums to global memory in it, on the whole picture; 0 if it adds nothing, or more than sums.
    pub adding_blocks: f64,
    /// Threads of each of these blocks.
    pub threads: u32,
}

/// The most sums of a block: the counters of a few histograms.
const SUMS_OF_A_BLOCK: f64 = 1024.0;

/// Sums of one line over the launches of a task.
#[derive(Debug, Clone, Default)]
pub struct Sums {
    /// Its events.
    pub counters: Counters,
    /// Seconds by part.
    pub seconds: BTreeMap<Part, f64>,
    /// Of the seconds of [`Part::Waiting`], those in which warps wait for loads that the first-level cache does not have.
    pub for_loads: f64,
    /// Executions by warps of its most frequent instruction, on the whole picture.
    pub runs: f64,
    /// Executions by warps of all its instructions, on the whole picture.
    pub instructions: f64,
    /// Of these, those that only serve to divide numbers that may be negative by a constant.
    pub signed: f64,
    /// Atomics on global memory, on the whole picture.
    pub global_atomics: f64,
    /// Cycles of warps, on the sample; `None` where the machine code cannot be read.
    pub cycles: Option<f64>,
    /// Executions on the sample, for `cycles`.
    pub sampled: f64,
    /// Blocks of the launch with the most of them, on the whole picture.
    pub blocks: f64,
    /// Threads of each of them.
    pub threads: u32,
    /// What is known of its loads on the sample.
    pub turns: Turns,
}

impl Sums {
    /// Seconds of all parts.
    pub fn all(&self) -> f64 {
        self.seconds.values().sum()
    }

    /// What warps wait for in it; `None` if they never do.
    pub fn wait(&self) -> Option<Wait> {
        wait(self.for_loads, self.seconds.get(&Part::Waiting).copied().unwrap_or_default())
    }

    /// Whether it adds up in shared memory, with atomics.
    pub fn adds_in_shared_memory(&self) -> bool {
        self.counters.shared_atomic_wavefronts > 0
    }

    /// Blocks that add their sums to global memory in it.
    fn adding_blocks(&self) -> f64 {
        let adds = self.global_atomics > 0.0 && self.global_atomics <= SUMS_OF_A_BLOCK * self.blocks;
        if adds { self.blocks } else { 0.0 }
    }

    /// Whether it loads from global memory behind a branch.
    pub fn loads_behind_a_branch(&self) -> bool {
        self.counters.global_load_requests > 0 && self.counters.mix[Class::Control as usize] > 0
    }

    /// The shares of `whole` seconds by part, largest first.
    pub fn parts(&self, whole: f64) -> Vec<(Part, f64)> {
        let mut parts: Vec<(Part, f64)> =
            self.seconds.iter().map(|(part, seconds)| (*part, seconds / whole)).collect();
        parts.retain(|(_, share)| *share > 0.0);
        parts.sort_by(|one, other| other.1.total_cmp(&one.1));
        parts
    }
}

/// What warps wait for in these lines; `None` if they never do.
pub fn wait_of(lines: &[LineShare]) -> Option<Wait> {
    let parts = lines.iter().flat_map(|line| &line.parts);
    let waiting = parts.filter(|(part, _)| *part == Part::Waiting).map(|(_, share)| share).sum();
    wait(lines.iter().map(|line| line.for_loads).sum(), waiting)
}

/// What is waited for, of the time that warps wait for loads, and that they wait.
fn wait(for_loads: f64, all: f64) -> Option<Wait> {
    (all > 0.0).then(|| Wait::between(for_loads, all - for_loads))
}

/// The shares of all lines, largest first, from the launches that were noted and the same launches taken to the whole picture.
pub fn line_shares(
    launches: &[Profiled],
    steps: &[(Step, Whole)],
    gpu: &Gpu,
    signed: &[u32],
) -> Vec<LineShare> {
    let mut sums = BTreeMap::new();
    let mut whole = 0.0;
    for (launch, (kernel, on)) in launches.iter().zip(steps.iter().filter_map(kernel)) {
        whole += add(launch, (kernel, *on), (gpu, signed), &mut sums).0;
    }
    let whole = whole.max(f64::MIN_POSITIVE);
    let mut lines: Vec<LineShare> = sums
        .into_iter()
        .map(|(number, sums): (u32, Sums)| LineShare {
            number,
            share: sums.all() / whole,
            parts: sums.parts(whole),
            for_loads: sums.for_loads / whole,
            local: sums.counters.local_requests > 0,
            instructions: sums.instructions,
            signed: sums.signed,
            branches: sums.loads_behind_a_branch(),
            divides: division(&sums.counters),
            adding_blocks: sums.adding_blocks(),
            threads: sums.threads,
        })
        .collect();
    lines.sort_by(|one, other| other.share.total_cmp(&one.share));
    lines
}

/// A kernel among the steps.
pub fn kernel((step, whole): &(Step, Whole)) -> Option<(&Kernel, &Whole)> {
    match step {
        Step::Work { work: Work::Kernel(kernel), .. } => Some((kernel, whole)),
        _ => None,
    }
}

/// Adds a launch to its lines. Returns its seconds on the whole picture, and those of them that no line causes. `signed` are the lines of
/// the PTX that only serve to divide numbers that may be negative by a constant.
pub fn add(
    launch: &Profiled,
    (kernel, whole): (&Kernel, Whole),
    (gpu, signed): (&Gpu, &[u32]),
    sums: &mut BTreeMap<u32, Sums>,
) -> (f64, f64) {
    let time = breakdown(kernel, whole, &H200, gpu);
    let lines: Vec<Grown<'_>> = launch
        .lines
        .iter()
        .map(|line| Grown { line, by: whole.scale * growth(&line.executed, &kernel.executed) })
        .collect();
    let stored = kernel.counters.local_store_sectors as f64 / kernel.counters.local_requests.max(1) as f64;
    let warps = launch.warps();
    for line in &launch.lines {
        let sum = sums.entry(line.location.line).or_default();
        if whole.blocks > sum.blocks {
            (sum.blocks, sum.threads) = (whole.blocks, kernel.threads);
        }
        sum.turns.warps += warps;
        sum.turns.loads = sum.turns.loads.max(line.loads);
        sum.turns.sectors += line.counters.unique_read_sectors;
        let part = line.counters.global_atomics as f64 / launch.counters.global_atomics.max(1) as f64;
        let all = kernel.counters.global_atomics;
        sum.global_atomics += part * all as f64 * whole.atomics_by(all);
        let of_signs = line.executed.iter().filter(|(number, _)| signed.binary_search(number).is_ok());
        let by = whole.scale * growth(&line.executed, &kernel.executed);
        sum.signed += of_signs.map(|(_, warps)| *warps).sum::<u64>() as f64 * by;
    }
    let far = far_cycles(kernel, whole, gpu);
    (time.seconds(), share_out(&lines, (&time, stored, far), gpu, sums))
}

/// A line, and how many times as much it does on the whole picture as was counted: what blocks at the border do grows less than the
/// picture.
struct Grown<'a> {
    line: &'a ProfiledLine,
    by: f64,
}

/// How many times as often some lines of the PTX were executed in `all`, which is in their order.
fn growth(some: &[(u32, u64)], all: &[Executed]) -> f64 {
    let grown = |line: u32| all.binary_search_by_key(&line, |one| one.line).map_or(0, |at| all[at].warps);
    let sum: u64 = some.iter().map(|(line, _)| grown(*line)).sum();
    sum as f64 / some.iter().map(|(_, warps)| *warps).sum::<u64>().max(1) as f64
}

/// Adds the time of a launch to its lines. Returns the time that no line causes: launches, and what lines without debug information do.
/// `stored` is the number of sectors that reach the L2 for each request to local memory: it is counted of the whole launch only. `far` are
/// cycles for each nominal one of a wait for loads.
fn share_out(
    lines: &[Grown<'_>],
    (time, stored, far): (&Breakdown, f64, f64),
    gpu: &Gpu,
    sums: &mut BTreeMap<u32, Sums>,
) -> f64 {
    let mut left = time.launch;
    for (term, seconds) in TERM_NAMES.into_iter().zip(time.terms) {
        left += spread(lines, seconds, sums, |line| of_term(line, term, stored, gpu));
        if term == LATENCY {
            wait_for_loads(lines, seconds, far, sums);
        }
    }
    left += spread(lines, time.first_loads, sums, |line| of_term(line, "DRAM", stored, gpu));
    for Grown { line, by } in lines {
        let sum = sums.entry(line.location.line).or_default();
        let runs = line.runs() as f64;
        let mut counters = line.counters.clone();
        let converts = &mut counters.mix[Class::Convert as usize];
        *converts = conversions(*converts as f64, line.machine.as_ref()).round() as u64;
        sum.counters.add(&counters);
        sum.counters.unique_read_sectors += counters.unique_read_sectors;
        sum.counters.unique_write_sectors += counters.unique_write_sectors;
        sum.runs += runs * by;
        sum.instructions += counters.warp_instructions as f64 * by;
        sum.sampled += runs;
        if let Some(work) = line.machine {
            *sum.cycles.get_or_insert(0.0) += work.near + work.far;
        }
    }
    left
}

/// Adds to each line for how long its warps wait for loads, of the seconds of the latency of all lines.
fn wait_for_loads(lines: &[Grown<'_>], seconds: f64, far: f64, sums: &mut BTreeMap<u32, Sums>) {
    let weight = |Grown { line, by }: &Grown<'_>| by * latency(line);
    let all: f64 = lines.iter().map(weight).sum();
    for grown in lines.iter().filter(|grown| weight(grown) > 0.0) {
        let line = grown.line;
        let of_line = match line.machine {
            Some(work) => far * work.far / (work.near + far * work.far).max(f64::MIN_POSITIVE),
            // The loads of a line are what takes longest in it.
            None if line.counters.global_load_requests > 0 => 1.0,
            None => 0.0,
        };
        let own = seconds * weight(grown) / all;
        sums.entry(line.location.line).or_default().for_loads += own * of_line;
    }
}

/// The cycles that a warp by itself takes for a line.
fn latency(line: &ProfiledLine) -> f64 {
    line.machine.map_or(line.counters.warp_instructions as f64, |work| work.near + work.far)
}

/// Shares out seconds by the weights of the parts of each line; returns them if there are none.
fn spread(
    lines: &[Grown<'_>],
    seconds: f64,
    sums: &mut BTreeMap<u32, Sums>,
    weights: impl Fn(&ProfiledLine) -> Vec<(Part, f64)>,
) -> f64 {
    let of_line = |Grown { line, by }: &Grown<'_>| {
        let (number, by) = (line.location.line, *by);
        weights(line).into_iter().map(move |(part, weight)| (number, part, weight * by))
    };
    let weighted: Vec<(u32, Part, f64)> = lines.iter().flat_map(of_line).collect();
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
fn of_term(line: &ProfiledLine, term: &str, stored: f64, gpu: &Gpu) -> Vec<(Part, f64)> {
    let counters = &line.counters;
    let mix = |class: Class| counters.mix[class as usize] as f64;
    let machine = line.machine;
    let own = part(term);
    let weight = match term {
        "DRAM" => (counters.unique_read_sectors + counters.unique_write_sectors) as f64,
        "L2" => {
            (counters.global_sectors() + counters.global_atomic_sectors) as f64
                + counters.local_requests as f64 * stored
        }
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
        LATENCY => latency(line),
        // Issue, and loads of constants, which are not counted by line.
        _ => machine.map_or(counters.warp_instructions as f64, |work| work.issued),
    };
    vec![(own, weight)]
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use simulator::Location;
    use simulator::model::MachineWork;

    use super::*;

    #[test]
    fn a_clamp_of_the_machine_is_no_conversion() {
        let of = |special: Option<f64>| {
            let mut counters = Counters::default();
            counters.warp_instructions = 8;
            counters.mix[Class::Convert as usize] = 4;
            let line = ProfiledLine {
                loads: 0,
                location: Location { file: String::new(), line: 3, column: 0 },
                executed: vec![(1, 4)],
                counters,
                machine: special.map(|special| MachineWork { special, ..MachineWork::default() }),
            };
            let mut sums = BTreeMap::new();
            let time = Breakdown { terms: [0.0; TERM_NAMES.len()], launch: 0.0, first_loads: 0.0 };
            share_out(
                &[Grown { line: &line, by: 10.0 }],
                (&time, 0.0, 1.0),
                &simulator::model::gpus()[0],
                &mut sums,
            );
            (sums[&3].counters.mix[Class::Convert as usize], sums[&3].instructions.round() as u64)
        };
        assert_eq!([None, Some(0.0), Some(3.0)].map(of), [(4, 80), (0, 80), (3, 80)]);
    }

    #[test]
    fn stores_to_local_memory_take_their_share_of_the_l2() {
        let line = |line: u32, sectors: u64, local: u64| {
            let mut counters = Counters::default();
            (counters.global_load_sectors, counters.local_requests) = (sectors, local);
            let location = Location { file: String::new(), line, column: 0 };
            ProfiledLine { location, executed: vec![(line, 1)], counters, loads: 0, machine: None }
        };
        let both = [line(1, 100, 0), line(2, 0, 75)]
            .map(|line| of_term(&line, "L2", 4.0, &simulator::model::gpus()[0]));
        assert_eq!(both.map(|parts| parts[0].1.to_bits()), [100.0, 300.0].map(f64::to_bits));
    }

    #[test]
    fn a_line_grows_as_its_own_instructions_do() {
        let whole = [(1, 900), (2, 12), (3, 100)].map(|(line, warps)| Executed {
            line,
            warps,
            ..Executed::default()
        });
        let [interior, border, both] =
            [&[(1, 9)][..], &[(2, 12)], &[(1, 9), (3, 1)]].map(|some| growth(some, &whole));
        assert_eq!([interior, border, both].map(f64::to_bits), [100.0, 1.0, 100.0].map(f64::to_bits));
        assert_eq!(
            growth(&[(4, 1)], &whole).to_bits(),
            0.0f64.to_bits(),
            "a line that the whole does not execute"
        );
    }
}
