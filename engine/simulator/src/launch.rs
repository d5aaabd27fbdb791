//! One kernel launch: what goes in, what comes out.

use crate::exec::{Order, Slowest};
use crate::finding::Finding;
use crate::model::counters::{Counters, Executed, LineCounters};
use crate::observe::TouchedRanges;

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
    /// Who runs first.
    pub order: Order,
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
            order: Order::Forward,
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
    /// Note which bytes of global memory are read and written.
    pub touched: bool,
    /// Where neither races nor undefined values are looked for: watch some of the blocks, which this seed selects.
    pub sample: Option<u64>,
}

impl Checks {
    /// No analysis.
    pub const NONE: Self =
        Self { count: false, initialisation: false, races: false, touched: false, sample: None };
    /// Only what the timing model needs.
    pub const COUNT: Self = Self { count: true, ..Self::NONE };
    /// All that looks for faults, and the counts.
    pub const ALL: Self = Self { count: true, initialisation: true, races: true, ..Self::NONE };
}

/// What a launch leaves.
#[derive(Debug, Clone, Default)]
pub struct LaunchReport {
    /// Faults and remarks, grouped; any of severity error means the output cannot be trusted.
    pub findings: Vec<Finding>,
    /// Whether a fault stopped the launch before its end.
    pub stopped: bool,
    /// Whether it was stopped in a loop that certainly never ends.
    pub endless: bool,
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
    /// Warp instructions that were executed, and what blocks cost besides, as a number of instructions.
    pub instructions: u64,
    /// Those of the block with the most.
    pub longest: u64,
    /// How long the slowest warps of its blocks may take.
    pub slowest: Slowest,
    /// Of blocks that take turns: the rounds of turns in which one or more ended.
    pub rounds_with_ends: u64,
}
