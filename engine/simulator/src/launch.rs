//! One kernel launch: what goes in, what comes out.

use std::ops::Range;

pub use crate::decode::Class;
use crate::finding::{Finding, Location};
use crate::traffic::Traffic;

/// A launch as `<<<grid, block, dynamic_shared>>>` asks for it.
#[derive(Debug, Clone)]
pub struct Launch<'a> {
    /// Mangled kernel name.
    pub kernel: &'a str,
    /// `gridDim`, in blocks.
    pub grid: [u32; 3],
    /// `blockDim`, in threads.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// Whether all blocks are on the GPU at once, so that they can wait for each other (`cudaLaunchCooperativeKernel`).
    /// That they fit is for the caller to know.
    pub cooperative: bool,
    /// The bytes of each argument, in order; lengths as in [`crate::KernelInfo::parameter_sizes`].
    pub arguments: &'a [Vec<u8>],
    /// Who watches.
    pub checks: Checks,
}

/// One thread, no arguments, every check: for `Launch { kernel: "add", ..Launch::default() }`.
impl Default for Launch<'_> {
    fn default() -> Self {
        Self {
            kernel: "",
            grid: [1; 3],
            block: [1; 3],
            dynamic_shared: 0,
            cooperative: false,
            arguments: &[],
            checks: Checks::ALL,
        }
    }
}

/// Which analyses watch a launch. Each costs time; faults that stop a launch are found in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each can be had without the others")]
pub struct Checks {
    /// Count events, for the timing model.
    pub count: bool,
    /// Follow values that nothing wrote.
    pub initialisation: bool,
    /// Look for races between threads.
    pub races: bool,
    /// With `count`: follow the chains of instructions that depend on each other, for
    /// [`Counters::dependency_depth`].
    pub dependencies: bool,
    /// Note which bytes of global memory are read and written.
    pub touched: bool,
}

impl Checks {
    /// No analysis.
    pub const NONE: Self =
        Self { count: false, initialisation: false, races: false, dependencies: false, touched: false };
    /// Only what the timing model needs.
    pub const COUNT: Self = Self { count: true, ..Self::NONE };
    /// All that looks for faults, and the counts.
    pub const ALL: Self =
        Self { count: true, initialisation: true, races: true, dependencies: true, touched: false };
}

/// Events of one launch or one source line. A sector is 32 bytes of global memory; a wavefront is one pass of a warp's
/// request. New events may be added; those here keep their meaning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counters {
    /// Instructions executed, counted once a warp.
    pub warp_instructions: u64,
    /// Instructions executed, counted once an active lane.
    pub thread_instructions: u64,
    /// Global load requests (warp instructions).
    pub global_load_requests: u64,
    /// Sectors that global loads touched, counted each time.
    pub global_load_sectors: u64,
    /// Global store requests.
    pub global_store_requests: u64,
    /// Sectors that global stores touched, counted each time.
    pub global_store_sectors: u64,
    /// Distinct sectors read at least once.
    pub unique_read_sectors: u64,
    /// Distinct sectors written at least once, atomics included.
    pub unique_write_sectors: u64,
    /// Distinct sectors changed by atomics at least once.
    pub unique_atomic_sectors: u64,
    /// Atomic operations on global memory, counted once a lane.
    pub global_atomics: u64,
    /// Sectors that they touched, counted each time.
    pub global_atomic_sectors: u64,
    /// Atomic operations on shared memory, counted once a lane.
    pub shared_atomics: u64,
    /// The share of them in [`Self::atomic_rounds`].
    pub shared_atomic_rounds: u64,
    /// Shared-memory load and store requests.
    pub shared_requests: u64,
    /// Shared-memory wavefronts, loads and stores.
    pub shared_wavefronts: u64,
    /// Wavefronts that the same requests need without bank conflicts.
    pub shared_wavefronts_least: u64,
    /// Sectors that global loads and stores need at the least: the bytes they use, in whole sectors.
    pub global_sectors_least: u64,
    /// Atomic requests (warp instructions), global and shared.
    pub atomic_requests: u64,
    /// The most lanes of one request that update the same address, summed over them: rounds if nothing is merged.
    pub atomic_rounds: u64,
    /// The most lanes of any one request that update the same address: 1 to 32, 0 without atomics.
    pub atomic_rounds_most: u64,
    /// Instructions that lengthened the longest chain of dependent instructions of their warp: over a launch, the
    /// sum of the lengths of all warps' chains. 0 unless asked for ([`Checks::dependencies`]). Values are followed
    /// through registers, not through memory; a barrier depends on all before it and all after it on the barrier.
    pub dependency_depth: u64,
    /// Loads and stores of global memory, in passes of the load/store pipe: bank conflicts and lines count.
    pub global_wavefronts: u64,
    /// Sectors that global loads did not find in the first-level cache, which each block is taken to have to itself.
    pub missed_sectors: u64,
    /// Sectors of the threads' own memory that stores touched, counted each time: they go to the L2 as those of global stores.
    pub local_store_sectors: u64,
    /// Pixels fetched from textures, a request for a warp each.
    pub texture_requests: u64,
    /// Cycles of an H200's texture units for them and for reads through surfaces: 8 a fetch by floating coordinates, 4 by whole
    /// numbers, more where the lanes' texels are scattered.
    pub texture_passes: u64,
    /// The different values that matches found among their lanes, summed over the matches.
    pub match_values: u64,
    /// Loads of constant memory.
    pub constant_requests: u64,
    /// The different addresses that they ask for, summed over the requests: each goes to all lanes at once. What lies at a
    /// known address is an operand of the instruction that uses it, and does not count.
    pub constant_addresses: u64,
    /// What that takes, in words that the first level of the constant cache has: more where the launch touches over 2 KiB.
    pub constant_passes: u64,
    /// Loads and stores of local memory.
    pub local_requests: u64,
    /// Their passes of the load/store pipe.
    pub local_wavefronts: u64,
    /// Passes of shared memory that its atomics need: the most lanes in one bank. Increments by one whose result nobody
    /// reads are merged, lanes at one address count once. What shared memory does by a loop takes a load and two passes more for each
    /// turn, and in each turn one lane of a bank succeeds; turns that another warp makes vain count, too.
    pub shared_atomic_wavefronts: u64,
    /// The most lanes at one address in each sector that a global atomic request touches, summed over sectors and
    /// requests: what the L2 does one after another if all lies in one place.
    pub global_atomic_rounds: u64,
    /// The share of them in the busiest 512 bytes, which one slice of the L2 serves.
    pub hottest_atomic_rounds: u64,
    /// The share of the rounds in [`Self::global_atomic_rounds`] in sectors of which the request changes several words.
    pub global_atomic_neighbours: u64,
    /// The same of [`Self::hottest_atomic_rounds`].
    pub hottest_atomic_neighbours: u64,
    /// `mix` without what the assembler needs not execute: values that are known before the launch, in loops that it
    /// unrolls, and what is settled when the launch begins.
    pub live: [u64; Class::COUNT],
    /// Atomics on shared memory that are done by a loop: the most lanes of a block at one address, which follow one another,
    /// summed over the blocks.
    pub contended: u64,
    /// What goes on from the first-level caches.
    pub traffic: Traffic,
    /// Barriers of the grid that its blocks passed together.
    pub grid_barriers: u64,
    /// Sectors of [`Self::unique_read_sectors`] that were read again behind a barrier of the grid, each time counted once.
    pub reread_sectors: u64,
    /// The longest warp of each block, summed over the blocks.
    pub path: Path,
    /// [`Path::within`] of all warps, not of the longest of each block alone.
    pub warp_cycles: u64,
    /// The longest warp of all.
    pub longest_path: Path,
    /// How instructions of `live` spread over the schedulers.
    pub dealt: Dealt,
    /// `warp_instructions` by the unit that executes them, indexed by [`Class`].
    pub mix: [u64; Class::COUNT],
}

/// Where a warp's time by itself goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stay {
    /// Results of instructions.
    Compute,
    /// What is near: shared and constant memory, the first-level cache, other lanes.
    Near,
    /// The second-level cache and DRAM.
    Far,
    /// Barriers.
    Barrier,
}

/// What a warp takes by itself, in cycles of an H200, by where it stays: nominal latencies along the chain of instructions
/// that wait for each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Path {
    /// Indexed by [`Stay`].
    pub cycles: [u64; 4],
}

impl Path {
    /// All of it.
    pub fn total(&self) -> u64 {
        self.cycles.iter().sum()
    }

    /// All but what is far: which warp of a block is the first to ask for what all wait for depends on their order.
    pub fn within(&self) -> u64 {
        self.total() - self.cycles[Stay::Far as usize]
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.cycles.iter_mut().zip(other.cycles) {
            *mine += theirs;
        }
    }

    /// The longer one; of two that are as long, whichever has more in the first place where they differ.
    #[must_use]
    pub(crate) fn longer(self, other: Self) -> Self {
        if (other.total(), other.cycles) > (self.total(), self.cycles) { other } else { self }
    }
}

/// Instructions by the place in its block of the warp that executes them: warps 0, 4, 8 … first. A multiprocessor of four
/// schedulers gives each to another one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dealt {
    /// Summed over the blocks.
    pub sums: [u64; 4],
    /// The squares of what each block has, summed over the blocks.
    pub squares: [u128; 4],
}

impl Dealt {
    /// Takes in a block.
    pub(crate) fn add_block(&mut self, block: [u64; 4]) {
        for ((sum, square), block) in self.sums.iter_mut().zip(&mut self.squares).zip(block) {
            *sum += block;
            *square += u128::from(block) * u128::from(block);
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.sums.iter_mut().zip(other.sums) {
            *mine += theirs;
        }
        for (mine, theirs) in self.squares.iter_mut().zip(other.squares) {
            *mine += theirs;
        }
    }

    /// Sums and squares for one, two or four schedulers. Of fewer than four, each gets warps of several places; squares are
    /// then those of parts, as if they had nothing to do with each other.
    pub(crate) fn among(&self, schedulers: usize) -> (Vec<f64>, Vec<f64>) {
        let of = |number: usize| (0..4).skip(number).step_by(schedulers.clamp(1, 4));
        let sums = (0..schedulers.min(4)).map(|number| of(number).map(|at| self.sums[at] as f64).sum());
        let squares = (0..schedulers.min(4)).map(|number| of(number).map(|at| self.squares[at] as f64).sum());
        (sums.collect(), squares.collect())
    }
}

/// The events of one source line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineCounters {
    /// The student's line.
    pub location: Location,
    /// Its share of the launch's events. `unique_*` are the line's own: a sector that two lines touch counts for both.
    pub counters: Counters,
}

/// Addresses of global memory that work on the GPU touches, in ranges.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TouchedRanges {
    /// Read.
    pub reads: Vec<Range<u64>>,
    /// Written.
    pub writes: Vec<Range<u64>>,
    /// Changed by atomic operations.
    pub atomics: Vec<Range<u64>>,
}

impl TouchedRanges {
    /// Only reads one range.
    pub fn read(address: u64, bytes: u64) -> Self {
        Self { reads: one(address, bytes), ..Self::default() }
    }

    /// Only writes one range.
    pub fn write(address: u64, bytes: u64) -> Self {
        Self { writes: one(address, bytes), ..Self::default() }
    }
}

fn one(address: u64, bytes: u64) -> Vec<Range<u64>> {
    std::iter::once(address..address + bytes).collect()
}

/// What the instruction at one line of the PTX did in a launch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Executed {
    /// Line of the PTX, from 1.
    pub line: u32,
    /// Executions, once a warp.
    pub warps: u64,
    /// Executions, once a lane.
    pub threads: u64,
    /// Times round of the loop by which shared memory does an atomic that it has no adder for; 0 of all else.
    pub turns: u64,
    /// Requests that the first-level cache did not have all of.
    pub missed: u64,
    /// Of those, the first of their warp since it last went back in the code or came from a barrier: at most one in a round of a loop.
    pub first_missed: u64,
    /// Requests that the first-level cache has all of, but another warp of the block has come for some of it since their last barrier
    /// and theirs had not: it may be on its way still.
    pub behind: u64,
    /// Passes of shared memory beyond the first of each request, and cycles by which a match is later for several values.
    pub passes: u64,
    /// Passes of the load/store pipe beyond the first of each request to global memory or the threads' own.
    pub conflicts: u64,
}

/// What a launch leaves.
#[derive(Debug, Clone, Default)]
pub struct LaunchReport {
    /// Faults and remarks, grouped; any of severity error means the output cannot be trusted.
    pub findings: Vec<Finding>,
    /// Whether a fault stopped the launch before its end.
    pub stopped: bool,
    /// Events of the whole launch; zero unless asked for.
    pub counters: Counters,
    /// What each instruction of the PTX did.
    pub executed: Vec<Executed>,
    /// Shared memory of a block in bytes, static and dynamic.
    pub shared: u32,
    /// Events by source line, in the order of file and line; empty unless asked for.
    pub lines: Vec<LineCounters>,
    /// Global memory that was touched; empty unless asked for.
    pub touched: TouchedRanges,
    /// What `printf` in the kernel wrote.
    pub printed: Vec<u8>,
}

/// `a / b`, and 0 where there is no `b`.
fn ratio(a: u64, b: u64) -> f64 {
    if b == 0 { 0.0 } else { a as f64 / b as f64 }
}

impl Counters {
    /// Active lanes of an instruction, on average: 0 to 32.
    pub fn active_lanes(&self) -> f64 {
        ratio(self.thread_instructions, self.warp_instructions)
    }

    /// Sectors that a global load or store request touches, on average: 1 to 32 for each 32 bytes of a lane.
    pub fn sectors_per_request(&self) -> f64 {
        ratio(
            self.global_load_sectors + self.global_store_sectors,
            self.global_load_requests + self.global_store_requests,
        )
    }

    /// Wavefronts that a shared-memory request needs, on average: 1 without bank conflicts, for up to 4 bytes a lane.
    pub fn wavefronts_per_request(&self) -> f64 {
        ratio(self.shared_wavefronts, self.shared_requests)
    }

    /// Lanes of an atomic request that update the same address, the most of each request, on average.
    pub fn atomic_multiplicity(&self) -> f64 {
        ratio(self.atomic_rounds, self.atomic_requests)
    }

    /// Bytes of global memory that were read, and that were written, at least once, in whole sectors.
    pub fn unique_bytes(&self) -> (u64, u64) {
        (32 * self.unique_read_sectors, 32 * self.unique_write_sectors)
    }

    /// Instructions for each link of the dependent chain: how many of a warp's instructions could run at once. 0 if
    /// chains were not followed.
    pub fn parallelism(&self) -> f64 {
        ratio(self.warp_instructions, self.dependency_depth)
    }

    /// Adds another's events. `unique_*`, `missed_sectors`, `grid_barriers`, `reread_sectors`, `constant_*s` but for requests, `hottest_*`, `live`, `traffic` and paths are a launch's, not sums of lines'.
    pub(crate) fn add(&mut self, other: &Self) {
        self.warp_instructions += other.warp_instructions;
        self.thread_instructions += other.thread_instructions;
        self.global_load_requests += other.global_load_requests;
        self.global_load_sectors += other.global_load_sectors;
        self.global_store_requests += other.global_store_requests;
        self.global_store_sectors += other.global_store_sectors;
        self.global_atomics += other.global_atomics;
        self.shared_atomic_rounds += other.shared_atomic_rounds;
        self.global_atomic_sectors += other.global_atomic_sectors;
        self.shared_atomics += other.shared_atomics;
        self.shared_requests += other.shared_requests;
        self.shared_wavefronts += other.shared_wavefronts;
        self.shared_wavefronts_least += other.shared_wavefronts_least;
        self.global_sectors_least += other.global_sectors_least;
        self.atomic_requests += other.atomic_requests;
        self.atomic_rounds += other.atomic_rounds;
        self.atomic_rounds_most = self.atomic_rounds_most.max(other.atomic_rounds_most);
        self.dependency_depth += other.dependency_depth;
        self.global_wavefronts += other.global_wavefronts;
        self.texture_requests += other.texture_requests;
        self.texture_passes += other.texture_passes;
        self.match_values += other.match_values;
        self.constant_requests += other.constant_requests;
        self.local_requests += other.local_requests;
        self.local_wavefronts += other.local_wavefronts;
        self.shared_atomic_wavefronts += other.shared_atomic_wavefronts;
        self.global_atomic_rounds += other.global_atomic_rounds;
        self.global_atomic_neighbours += other.global_atomic_neighbours;
        for (mine, theirs) in self.mix.iter_mut().zip(&other.mix) {
            *mine += theirs;
        }
    }
}
