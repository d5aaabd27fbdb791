//! The terms of a launch: for each resource, the seconds that it alone would need.

use super::alone::{Alone, Wait, away, slowest};
use super::gpus::Gpu;
use super::model::{Kernel, Whole};
use super::occupancy::{Needs, occupancy};
use super::spread::Spread;
use super::traffic::Traffic;
use crate::launch::Class;
use crate::machine::{FAR, PHASES};

/// Number of terms.
pub const TERMS: usize = 15;
/// The last one, which is no resource.
pub(super) const LATENCY: usize = TERMS - 1;

/// The first of the terms of a multiprocessor's own units, which end before the atomics on global memory.
pub(super) const UNITS: usize = 2;
/// Atomics on global memory.
pub(super) const ATOMICS: usize = 12;

/// Where blocks are replaced less often on a multiprocessor than this, loops of their own take them through the picture, and all come to
/// their end together.
const GO_ROUND: f64 = 2.0;

/// The warps of a block do not meet where each comes to fewer barriers than this on average.
const FEW_BARRIERS: f64 = 0.5;

/// Starting blocks, which comes behind all other resources.
pub(super) const BLOCKS: usize = LATENCY - 1;

/// What each term stands for, in the order of [`terms`] and [`super::Model::weights`].
pub const TERM_NAMES: [&str; TERMS] = [
    "DRAM",
    "L2",
    "load/store pipe and shared memory",
    "issue",
    "integer arithmetic",
    "multiplication and single precision",
    "conversions and special functions",
    "double precision",
    "shuffles, votes and matches",
    "barriers",
    "constant memory",
    "textures",
    "global atomics",
    "starting blocks",
    "latency",
];

/// The terms of a launch, unweighted, in seconds.
pub fn terms(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> [f64; TERMS] {
    terms_of(kernel, whole, &Traffic::of(kernel, whole, gpu), gpu)
}

/// The same with the traffic that is known already.
pub(super) fn terms_of(kernel: &Kernel, whole: Whole, traffic: &Traffic, gpu: &Gpu) -> [f64; TERMS] {
    let counters = &kernel.counters;
    let rates = &gpu.rates;
    let count = |events: u64| events as f64 * whole.scale;
    let multiprocessors = working(whole, gpu);
    // A cycle of one multiprocessor, shared by all that work; the busiest has to be waited for.
    let cycle = 1.0 / (gpu.clock_hz * multiprocessors);
    let busiest = Spread::of(kernel, whole, gpu);
    let (all, own) = (cycle * busiest.multiprocessor, cycle * busiest.scheduler);

    let l2_share = multiprocessors / f64::from(gpu.multiprocessors);
    let passes = count(counters.global_wavefronts + counters.shared_wavefronts + counters.local_wavefronts)
        + count(counters.shared_atomic_wavefronts) * rates.shared_atomic;
    // What a request does in a sector whose words differ, the L2 does sooner.
    let sooner = 1.0 - rates.atomic_neighbours;
    let turns = |rounds: [u64; 2]| count(rounds[0]) - sooner * count(rounds[1]);
    let mut hottest = turns([counters.hottest_atomic_rounds, counters.hottest_atomic_neighbours]);
    if waves(kernel, whole, gpu) < GO_ROUND {
        hottest = hottest.max(turns(counters.traffic.hottest_in_step));
    }
    let everywhere = count(counters.global_atomic_rounds) - sooner * count(counters.global_atomic_neighbours);
    let units = Units::of(kernel, whole.scale, gpu);

    [
        traffic.seconds,
        traffic.l2_bytes / (rates.l2_bytes_per_second * l2_share),
        passes * rates.pass * all,
        units.issue * own,
        units.integer * own,
        units.multiply * own,
        units.special * own,
        units.double * own,
        (units.warp + count(counters.match_values) * rates.matching) * all,
        units.barrier * all,
        count(counters.constant_passes) * rates.constant * all,
        count(counters.texture_passes) * rates.texture * all,
        hottest.max(everywhere / rates.atomic_slices) * rates.atomic_seconds,
        whole.blocks * rates.block_seconds / f64::from(gpu.multiprocessors),
        Alone::of(kernel, whole, traffic.from_dram, gpu).seconds,
    ]
}

/// What most of the last term, the latency, is spent on.
pub fn waits_for(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> Wait {
    Alone::of(kernel, whole, Traffic::of(kernel, whole, gpu).from_dram, gpu).mostly
}

/// Multiprocessors that have a block.
pub(super) fn working(whole: Whole, gpu: &Gpu) -> f64 {
    whole.blocks.clamp(1.0, f64::from(gpu.multiprocessors))
}

/// Blocks at once on a multiprocessor.
pub(super) fn resident(kernel: &Kernel, gpu: &Gpu) -> f64 {
    let needs = Needs { threads: kernel.threads, registers: kernel.registers, shared: kernel.shared };
    f64::from(occupancy(needs, &gpu.residency).blocks.max(1))
}

/// The same on a multiprocessor that works.
fn at_once(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> f64 {
    resident(kernel, gpu).min(whole.blocks / working(whole, gpu)).max(1.0)
}

/// The share of what a multiprocessor's units do that a block's own warps do at the same time, and not while some of them wait: where they meet
/// at barriers they set out together, so that first all wait and then all work. That is the whole of what they do for the block if a
/// warp waits for memory once between two barriers, and half of it if twice; the other blocks go on meanwhile. Nothing where copies to shared
/// memory run ahead, or where there is no machine code to say how often a warp waits.
pub(super) fn in_step(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> f64 {
    let Some(work) = kernel.machine.filter(|work| work.fetched_ahead == 0.0) else { return 0.0 };
    if kernel.barriers() < FEW_BARRIERS {
        return 0.0;
    }
    let waits = work.far / FAR / kernel.all_warps() / (kernel.barriers() + 1.0);
    (waits.max(1.0) * at_once(kernel, whole, gpu)).recip()
}

/// For each phase of a launch, its shares of what the units are busy for and of what a warp takes by itself; the rest are nothing. Blocks
/// that begin together load together and compute together, and what one phase leaves idle no other makes up.
pub(super) fn phases(kernel: &Kernel, traffic: &Traffic, gpu: &Gpu) -> [[f64; 2]; PHASES] {
    let away = away(traffic.from_dram, gpu) / FAR;
    let mut all = kernel.machine.map_or([[0.0; 2]; PHASES], |work| {
        work.phases.map(|phase| [phase.issued, phase.near + phase.far * away])
    });
    let sum = |which: usize| all.iter().map(|phase| phase[which]).sum::<f64>();
    let sums = [sum(0), sum(1)];
    if sums.contains(&0.0) {
        // Nothing is known: one phase.
        all[0] = [1.0; 2];
        return all;
    }
    all.map(|[busy, alone]| [busy / sums[0], alone / sums[1]])
}

/// Warps at once on a multiprocessor that works, those left out that are done before the slowest of their block.
pub fn warps(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> f64 {
    (at_once(kernel, whole, gpu) * f64::from(kernel.warps()) / slowest(kernel)).max(1.0)
}

/// The share of the atomics on global memory that come when all else is done. Where the warps of a block wait for each other,
/// these are mostly sums that the block has made, and where they do not, those behind the last load of a warp are its own: as
/// many blocks as run at once come to that at about the same time, and only other blocks have anything else to do meanwhile.
pub(super) fn atomics_at_the_end(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> f64 {
    let share = if kernel.barriers() < FEW_BARRIERS { behind_loads(kernel) } else { 1.0 };
    share / waves(kernel, whole, gpu)
}

/// The share of the atomics on global memory that come behind the last load of their warp.
fn behind_loads(kernel: &Kernel) -> f64 {
    let counters = &kernel.counters;
    (counters.traffic.last_atomics as f64 / (counters.global_atomics as f64).max(1.0)).min(1.0)
}

/// How often a multiprocessor replaces its resident blocks by others, with the first ones.
pub(super) fn waves(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> f64 {
    (whole.blocks / (working(whole, gpu) * resident(kernel, gpu))).max(1.0)
}

/// Rounds of blocks on the multiprocessor that has most of them: what does not fit at once waits until a block is done, however few are
/// left for the last round.
pub(super) fn rounds(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> f64 {
    let most = (whole.blocks / working(whole, gpu)).ceil();
    (most / resident(kernel, gpu)).ceil().max(1.0)
}

/// What a launch waits for its first loads longer than for any later ones.
pub(super) fn first_loads(kernel: &Kernel, traffic: &Traffic, gpu: &Gpu) -> f64 {
    if kernel.counters.unique_read_sectors == 0 {
        return 0.0;
    }
    (1.0 - traffic.found) * gpu.rates.first_seconds
}

/// What the barriers of the grid take, once all blocks have come: a fence, an atomic with a result that takes its turn
/// among those of the other blocks, a look that comes too early and one that does not, a fence. That makes 0.9 µs for a
/// block on each multiprocessor of an H200.
pub(super) fn grid_barriers(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> f64 {
    let [from_l2, _] = gpu.rates.far;
    let one =
        (2.0 * gpu.rates.fence + 2.0 * from_l2) / gpu.clock_hz + whole.blocks * gpu.rates.atomic_seconds;
    kernel.counters.grid_barriers as f64 * one
}

/// What the units of a multiprocessor are busy for, in its cycles.
struct Units {
    issue: f64,
    integer: f64,
    multiply: f64,
    special: f64,
    double: f64,
    warp: f64,
    barrier: f64,
}

impl Units {
    fn of(kernel: &Kernel, scale: f64, gpu: &Gpu) -> Self {
        let rates = &gpu.rates;
        let Some(work) = kernel.machine else { return Self::by_ptx(kernel, scale, gpu) };
        let [integer, multiply, float, special] = rates.machine;
        Self {
            issue: scale * work.issued / rates.issue,
            integer: scale * work.integer * integer,
            multiply: scale * (work.multiply * multiply + work.float * float),
            special: scale * work.special * special,
            double: scale * work.double * rates.double,
            warp: scale * work.warp * rates.warp,
            barrier: scale * work.barrier * rates.barrier,
        }
    }

    /// Where there is no machine code that could be read: instructions of PTX that are left when known values are worked
    /// out, [`ASSEMBLED`] machine instructions each, routines by their length. Integer and single-precision units are then
    /// taken to keep up with issue.
    fn by_ptx(kernel: &Kernel, scale: f64, gpu: &Gpu) -> Self {
        let (live, rates) = (&kernel.counters.live, &gpu.rates);
        let of = |class: Class| live[class as usize] as f64 * scale;
        let all: f64 = live.iter().map(|&events| events as f64 * scale).sum();
        let routines =
            of(Class::IntDiv) * (rates.divide - 1.0) + of(Class::Fp32Div) * (rates.divide_float - 1.0);
        Self {
            issue: ASSEMBLED * (all + routines) / rates.issue,
            integer: 0.0,
            multiply: 0.0,
            special: of(Class::Convert) * rates.convert + of(Class::Sfu) * rates.special,
            double: of(Class::Fp64) * rates.double,
            warp: of(Class::Warp) * rates.warp,
            barrier: of(Class::Barrier) * rates.barrier,
        }
    }
}

/// Machine instructions that become of one of PTX on average: as fitted to the ladders on the H200 when the model knew no machine code.
const ASSEMBLED: f64 = 0.93;
