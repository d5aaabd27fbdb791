//! The timing model: from the counted events of a launch and its shape to seconds on a given GPU.
//!
//! T = launch + (Σ Tᵢᵖ)^(1/p). Each Tᵢ is what one resource alone would need: DRAM, L2, the load/store pipe, issue
//! slots, slow instructions, shared memory, atomics, the start of blocks, and the latency that the resident warps
//! cannot hide. A smooth p lets resources that are about equally busy get in each other's way.
//!
//! A term is counted in GPU time (bytes over the bandwidth, or events over multiprocessors and clock) times a weight.
//! The weights are per multiprocessor and clock, so that they carry over to GPUs they were not fitted on, as far as
//! those resemble it.

use super::gpus::Gpu;
use super::occupancy::{Needs, occupancy};
use crate::decode::Class;
use crate::launch::Counters;

/// A launch as the model sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// Its counted events.
    pub counters: Counters,
    /// `gridDim`.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub threads: u32,
    /// Shared memory of a block in bytes, static and dynamic.
    pub shared: u32,
    /// Registers a thread, 0 if not known.
    pub registers: u32,
    /// Instructions of its text, by class.
    pub text: [u32; Class::COUNT],
    /// Machine instructions that the assembler made of them, 0 if not known.
    pub machine: u32,
}

impl Kernel {
    /// Blocks of the grid.
    pub fn blocks(&self) -> f64 {
        self.grid.iter().copied().map(f64::from).product()
    }
}

/// A launch on a larger picture than the one it was counted on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Whole {
    /// The counted events, times this.
    pub scale: f64,
    /// Blocks of its grid.
    pub blocks: f64,
    /// Whether an earlier launch of the same call may have left its data in the L2.
    pub again: bool,
}

/// Number of terms.
pub const TERMS: usize = 20;

/// What each term stands for, in the order of [`terms`] and [`Model::weights`].
pub const TERM_NAMES: [&str; TERMS] = [
    "DRAM reads",
    "DRAM writes",
    "writes that stay in the L2",
    "L2 sectors",
    "global wavefronts",
    "issue",
    "conversions",
    "integer division",
    "division and root",
    "double precision",
    "shuffles, votes, special functions",
    "barriers",
    "shared wavefronts",
    "shared atomics",
    "lanes of shared atomics at one address",
    "global atomics",
    "global atomics at few addresses",
    "latency of instructions",
    "latency of memory",
    "starting blocks",
];

/// The fitted numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Model {
    /// Seconds of a launch that follows another.
    pub launch: f64,
    /// Exponent of the sum.
    pub p: f64,
    /// A launch finds in the L2 what earlier ones left, as far as its data are below this share of the L2.
    pub reuse: f64,
    /// Weight of each term.
    pub weights: [f64; TERMS],
}

/// Bytes of a sector.
const SECTOR: f64 = 32.0;
/// Sectors that one wavefront of a global request moves.
const WAVEFRONT_SECTORS: f64 = 4.0;

/// The terms of a launch, unweighted, in seconds.
pub fn terms(kernel: &Kernel, whole: Whole, model: &Model, gpu: &Gpu) -> [f64; TERMS] {
    let Kernel { counters, threads, shared, registers, .. } = kernel;
    let count = |events: u64| events as f64 * whole.scale;
    let mix = |class: Class| count(counters.mix[class as usize]);
    let multiprocessors = whole.blocks.clamp(1.0, f64::from(gpu.multiprocessors));
    let cycle = 1.0 / gpu.clock_hz;
    let spread = cycle / multiprocessors;

    let read = count(counters.unique_read_sectors) * SECTOR;
    let written = count(counters.unique_write_sectors) * SECTOR;
    let l2 = gpu.l2_bytes as f64;
    let found = if whole.again { (model.reuse * l2 / (read + written).max(1.0)).min(1.0) } else { 0.0 };
    let (stays, leaves) = (written.min(l2), (written - l2).max(0.0));
    let byte = 1.0 / gpu.dram_bytes_per_second;

    let sectors = count(counters.global_load_sectors + counters.global_store_sectors);
    let requests = count(counters.global_load_requests + counters.global_store_requests);
    let wavefronts = requests.max(sectors / WAVEFRONT_SECTORS);
    // Each sector has its place in the L2, where atomics follow one another; it does not grow with the picture.
    let atomic_sectors = count(counters.global_atomic_sectors);
    let at_each = atomic_sectors / (counters.unique_atomic_sectors as f64).max(1.0);
    // There, lanes that meet at one address follow one another too.
    let rounds = (counters.atomic_rounds - counters.shared_atomic_rounds) as f64;
    let meeting = (32.0 * rounds / (counters.global_atomics as f64).max(1.0)).max(1.0);
    let instructions = count(counters.warp_instructions);
    let warps = (whole.blocks * f64::from(threads.div_ceil(32))).max(1.0);
    let turns = turns(whole.blocks, multiprocessors, (*threads, *registers, *shared), gpu);

    [
        read * (1.0 - found) * byte,
        leaves * byte,
        stays * byte,
        sectors * SECTOR / 64.0 * spread,
        wavefronts * spread,
        instructions / 4.0 * spread,
        mix(Class::Convert) * spread,
        mix(Class::IntDiv) * spread,
        mix(Class::Fp32Div) * spread,
        mix(Class::Fp64) * spread,
        (mix(Class::Warp) + mix(Class::Sfu)) * spread,
        mix(Class::Barrier) * spread,
        count(counters.shared_wavefronts) * spread,
        count(counters.shared_atomics) / 32.0 * spread,
        count(counters.shared_atomic_rounds) * spread,
        atomic_sectors * spread,
        at_each * meeting * cycle,
        instructions / warps * turns * cycle,
        (requests + count(counters.atomic_requests)) / warps * turns * cycle,
        whole.blocks * spread,
    ]
}

/// How often a multiprocessor has to replace its resident warps by others.
fn turns(
    blocks: f64,
    multiprocessors: f64,
    (threads, registers, shared): (u32, u32, u32),
    gpu: &Gpu,
) -> f64 {
    let resident = occupancy(Needs { threads, registers, shared }, &gpu.residency).blocks.max(1);
    ((blocks / multiprocessors).ceil() / f64::from(resident)).max(1.0)
}

/// Seconds of a launch.
pub fn seconds(kernel: &Kernel, whole: Whole, model: &Model, gpu: &Gpu) -> f64 {
    combine(&terms(kernel, whole, model, gpu), model)
}

/// Seconds from terms that are known already.
pub fn combine(terms: &[f64; TERMS], model: &Model) -> f64 {
    let power = |(term, weight): (&f64, &f64)| libm::pow(term * weight, model.p);
    let sum: f64 = terms.iter().zip(&model.weights).map(power).sum();
    model.launch + libm::pow(sum, 1.0 / model.p)
}

/// The name of the largest term.
pub fn limiter(terms: &[f64; TERMS], model: &Model) -> &'static str {
    let weighted = terms.iter().zip(&model.weights).map(|(term, weight)| term * weight);
    let largest = weighted.enumerate().max_by(|one, other| one.1.total_cmp(&other.1));
    largest.map_or("launch", |(index, _)| TERM_NAMES[index])
}
