//! The terms of a launch: for each resource, the seconds that it alone would need.

use super::imbalance::LoadImbalance;
use super::lone_warp::{LoneWarpLatency, Wait, away};
use super::residency::working;
use super::traffic::Traffic;
use super::units::Units;
use crate::model::gpu::Gpu;
use crate::model::launch::{Kernel, Whole};
use crate::model::machine::FAR;

/// Number of terms.
pub const TERMS: usize = 15;
/// The last one, which is no resource.
pub(super) const LATENCY: usize = TERMS - 1;

/// Atomics on global memory.
pub(super) const ATOMICS: usize = 12;

/// Starting blocks, which comes behind all other resources.
pub(super) const BLOCKS: usize = LATENCY - 1;

/// What each term stands for, in the order of [`terms_of`] and [`super::Model::weights`].
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
pub(super) fn terms_of(kernel: &Kernel, whole: Whole, traffic: &Traffic, gpu: &Gpu) -> [f64; TERMS] {
    let counters = &kernel.counters;
    let rates = &gpu.rates;
    let count = |events: u64| events as f64 * whole.scale;
    let multiprocessors = working(whole, gpu);
    // A cycle of one multiprocessor, shared by all that work; the busiest has to be waited for.
    let cycle = 1.0 / (gpu.clock_hz * multiprocessors);
    let busiest = LoadImbalance::of(kernel, whole, gpu);
    let (all, own) = (cycle * busiest.multiprocessor, cycle * busiest.scheduler);

    let l2_share = multiprocessors / f64::from(gpu.multiprocessors);
    let wavefronts = counters.global_wavefronts + counters.shared_wavefronts + counters.local_wavefronts;
    let requests = counters.global_requests() + counters.shared_requests + counters.local_requests;
    let passes = count(wavefronts).max(count(requests) * rates.request)
        + count(counters.shared_atomic_wavefronts) * rates.shared_atomic;
    // What a request does in a sector whose words differ, the L2 does sooner.
    let sooner = 1.0 - rates.atomic_neighbours;
    let turns = |rounds: [u64; 2]| count(rounds[0]) - sooner * count(rounds[1]);
    let hottest = turns([counters.hottest_atomic_rounds, counters.hottest_atomic_neighbours]);
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
        LoneWarpLatency::of(kernel, whole, traffic.from_dram, gpu).seconds,
    ]
}

/// What most of the last term, the latency, is spent on.
pub fn waits_for(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> Wait {
    LoneWarpLatency::of(kernel, whole, Traffic::of(kernel, whole, gpu).from_dram, gpu).mostly
}

/// Cycles that a launch waits for loads, for each nominal one of [`crate::model::MachineWork::far`].
pub fn far_cycles(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> f64 {
    away(Traffic::of(kernel, whole, gpu).from_dram, gpu) / FAR
}

/// What a launch waits for its first loads longer than for any later ones.
pub(super) fn first_loads(kernel: &Kernel, traffic: &Traffic, gpu: &Gpu) -> f64 {
    if kernel.counters.unique_read_sectors == 0 {
        return 0.0;
    }
    (1.0 - traffic.found) * gpu.rates.first_seconds
}
