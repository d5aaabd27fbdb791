//! The terms of a launch: for each resource, the seconds that it alone would need.

use super::gpus::Gpu;
use super::model::{Kernel, Model, Whole};
use super::occupancy::{Needs, occupancy};
use crate::launch::{Class, Stay};

/// Number of terms.
pub const TERMS: usize = 13;

/// What each term stands for, in the order of [`terms`] and [`Model::weights`].
pub const TERM_NAMES: [&str; TERMS] = [
    "DRAM",
    "L2",
    "load/store pipe and shared memory",
    "issue",
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

/// Bytes of a sector.
const SECTOR: f64 = 32.0;
/// Stores move half as many bytes a second to the L2 as loads (8.2 and 4.0 TB/s on an H200).
const STORE: f64 = 2.0;
/// What the observer of paths takes a load to last that the L1 does not have, in cycles.
const NOMINAL_FAR: f64 = crate::observe::FAR as f64;

/// The terms of a launch, unweighted, in seconds.
pub fn terms(kernel: &Kernel, whole: Whole, model: &Model, gpu: &Gpu) -> [f64; TERMS] {
    let counters = &kernel.counters;
    let rates = &gpu.rates;
    let count = |events: u64| events as f64 * whole.scale;
    let live = |class: Class| count(counters.live[class as usize]);
    let multiprocessors = whole.blocks.clamp(1.0, f64::from(gpu.multiprocessors));
    // A cycle of one multiprocessor, shared by all that work.
    let spread = 1.0 / (gpu.clock_hz * multiprocessors);

    let traffic = Traffic::of(kernel, whole, model, gpu);
    let l2_share = multiprocessors / f64::from(gpu.multiprocessors);
    let l2_sectors = count(counters.missed_sectors) + STORE * count(counters.global_store_sectors);
    let passes = counters.global_wavefronts + counters.shared_wavefronts + counters.local_wavefronts;
    let shared_atomics = count(counters.shared_atomic_wavefronts) * rates.shared_atomic;
    let atomics = count(counters.global_atomic_rounds) / rates.atomic_slices;

    [
        traffic.dram_bytes / gpu.dram_bytes_per_second,
        l2_sectors * SECTOR / (rates.l2_bytes_per_second * l2_share),
        (count(passes) + shared_atomics) * rates.pass * spread,
        machine_instructions(kernel, whole, gpu) / rates.issue * spread,
        (live(Class::Convert) * rates.convert + live(Class::Sfu) * rates.special) * spread,
        live(Class::Fp64) * rates.double * spread,
        (live(Class::Warp) * rates.warp + count(counters.match_values) * rates.matching) * spread,
        live(Class::Barrier) * rates.barrier * spread,
        count(counters.constant_addresses) * rates.constant * spread,
        count(counters.texture_requests) * rates.texture * spread,
        count(counters.hottest_atomic_rounds).max(atomics) * rates.atomic_seconds,
        whole.blocks * rates.block_seconds / f64::from(gpu.multiprocessors),
        latency(kernel, whole, &traffic, multiprocessors, gpu),
    ]
}

/// What goes to and from DRAM.
struct Traffic {
    dram_bytes: f64,
    /// Share of the sectors that the L1 does not have that come from DRAM.
    from_dram: f64,
}

impl Traffic {
    fn of(kernel: &Kernel, whole: Whole, model: &Model, gpu: &Gpu) -> Self {
        let counters = &kernel.counters;
        let count = |events: u64| events as f64 * whole.scale;
        let read = count(counters.unique_read_sectors) * SECTOR;
        let written = count(counters.unique_write_sectors) * SECTOR;
        let l2 = gpu.l2_bytes as f64;
        let found = if whole.again { (model.reuse * l2 / (read + written).max(1.0)).min(1.0) } else { 0.0 };
        // What is written last stays in the L2 for later.
        let leaves = (written - l2).max(0.0);
        let missed = count(counters.missed_sectors).max(1.0) * SECTOR;
        Self {
            dram_bytes: read * (1.0 - found) + leaves,
            from_dram: (read / missed).min(1.0) * (1.0 - found),
        }
    }
}

/// Machine instructions: those of PTX that are left, routines by their length.
fn machine_instructions(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> f64 {
    let live = &kernel.counters.live;
    let of = |class: Class| live[class as usize] as f64;
    let all: f64 = live.iter().map(|&events| events as f64).sum();
    let rates = &gpu.rates;
    let routines = of(Class::IntDiv) * (rates.divide - 1.0) + of(Class::Fp32Div) * (rates.divide_float - 1.0);
    (all + routines) * whole.scale
}

/// What a block takes by itself, times how often a multiprocessor replaces its resident blocks by others, and what the
/// longest block takes longer.
fn latency(kernel: &Kernel, whole: Whole, traffic: &Traffic, multiprocessors: f64, gpu: &Gpu) -> f64 {
    let needs = Needs { threads: kernel.threads, registers: kernel.registers, shared: kernel.shared };
    let resident = f64::from(occupancy(needs, &gpu.residency).blocks.max(1));
    let waves = (whole.blocks / (multiprocessors * resident)).max(1.0);
    let [from_l2, from_dram] = gpu.rates.far;
    let far = (from_l2 + traffic.from_dram * (from_dram - from_l2)) / NOMINAL_FAR;
    let cycles = |path: &crate::Path| {
        let of = |stay: Stay| path.cycles[stay as usize] as f64;
        (of(Stay::Compute) + of(Stay::Barrier)) * gpu.rates.chain
            + of(Stay::Near) * gpu.rates.near
            + of(Stay::Far) * far
    };
    // A block of the whole may have more to do than one of the sample.
    let sample = kernel.blocks();
    let more = whole.scale * sample / whole.blocks.max(1.0);
    let average = cycles(&kernel.counters.path) / sample.max(1.0) * more;
    // The longest block of the sample may be one that does not grow, such as one of the border.
    let longest = cycles(&kernel.counters.longest_path);
    (average * waves + (longest - average).max(0.0)) / gpu.clock_hz
}
