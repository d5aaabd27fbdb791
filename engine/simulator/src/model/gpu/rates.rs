//! What single operations cost on a GPU: physical rates, none of them fitted.
//!
//! Those of the H200 are figures of `book/data/micro-h200.json`, which `workshop micro` measured. Those of the other
//! GPUs come from the tables of the CUDA C Programming Guide (results a clock and multiprocessor, so that 32 results are a
//! warp) and published microbenchmarks, and where there are none are assumed: see each.

/// Cycles are those of a multiprocessor for an instruction of a warp.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// Instructions that a multiprocessor issues a cycle, for warps.
    pub issue: f64,
    /// Cycles of integer addition, logic, shifts and comparisons in machine code; of integer multiplication and dot products; of
    /// single precision; of conversions and special functions.
    pub machine: [f64; 4],
    /// Cycles of a conversion between integer and floating.
    pub convert: f64,
    /// Cycles of a special function.
    pub special: f64,
    /// Cycles of double precision.
    pub double: f64,
    /// Cycles of a shuffle or a vote.
    pub warp: f64,
    /// Cycles of a match for each different value of 32 bits.
    pub matching: f64,
    /// Cycles of a barrier.
    pub barrier: f64,
    /// Cycles for each different word that a load of constant memory asks for and the first level has.
    pub constant: f64,
    /// Cycles for what an H200's texture units do in one: see [`texture_passes`](crate::Counters::texture_passes).
    pub texture: f64,
    /// Cycles of a pass of the load/store pipe or of shared memory.
    pub pass: f64,
    /// Passes that a request takes at the least: 2 where the load/store units serve half a warp in a cycle.
    pub request: f64,
    /// Passes that shared memory takes for each pass of an atomic: more than 1 where a lock does it.
    pub shared_atomic: f64,
    /// Machine instructions of an integer division.
    pub divide: f64,
    /// Machine instructions of a floating division or root.
    pub divide_float: f64,
    /// Bytes a second that multiprocessors read from the L2.
    pub l2_bytes_per_second: f64,
    /// Seconds that a slice of the L2 takes for atomics of one request in one sector, and again for each lane that
    /// meets another at an address.
    pub atomic_seconds: f64,
    /// Share of that where the lanes change several words of the sector.
    pub atomic_neighbours: f64,
    /// Slices that work on atomics at once.
    pub atomic_slices: f64,
    /// Seconds that a multiprocessor takes to start a block.
    pub block_seconds: f64,
    /// Seconds of a fill of nothing, or of a small table that comes from the host, between kernels.
    pub fill_seconds: f64,
    /// Seconds that the first loads of a launch take longer than later ones if they come from DRAM.
    pub first_seconds: f64,
    /// Cycles until a load is there that the L1 does not have: from the L2, and from DRAM.
    pub far: [f64; 2],
    /// Standard deviation of that: a block ends with the slowest of its warps.
    pub far_deviation: [f64; 2],
    /// Cycles from the end of a block until the next one in its place begins, and how much later each of its warps does than the one
    /// before.
    pub turn: [f64; 2],
    /// Cycles of a chain of instructions, as a multiple of what an H200 takes.
    pub chain: f64,
    /// The same of shared memory and the L1.
    pub near: f64,
}

/// Machine code of older GPUs is not read: see [`crate::model::machine`].
const UNREAD: [f64; 4] = [0.0; 4];

/// Not known of older GPUs, and left out.
const UNKNOWN: [f64; 2] = [0.0; 2];

/// Measured.
pub const H200: Rates = Rates {
    issue: 4.0,
    // A funnel shift, an integer multiply-add, a fused multiply-add, a conversion of a byte.
    machine: [0.5, 0.5, 0.25, 2.0],
    // Of 32 bits; a byte takes 2.
    convert: 0.5,
    special: 2.0,
    double: 0.55,
    warp: 1.0,
    // 2.01 of one value, 4.01 of two, 16.0 of eight, 64.2 of 32; 128 of 32 values of 64 bits.
    matching: 2.0,
    barrier: 2.13,
    constant: 2.0,
    // By definition; the fetches themselves are measured: 8 cycles with floating coordinates, 4 with whole ones.
    texture: 1.0,
    pass: 1.0,
    request: 1.0,
    shared_atomic: 1.0,
    // 7.1 cycles of 4 instructions each, and 4.5.
    divide: 28.0,
    divide_float: 18.0,
    l2_bytes_per_second: 8600e9,
    atomic_seconds: 0.73e-9,
    // Eight lanes in one sector take 0.586 ns, one 0.735.
    atomic_neighbours: 0.8,
    // 32 lanes scattered over 4 Mi words take 0.30 ns.
    atomic_slices: 77.0,
    block_seconds: 79e-9,
    // A copy of 1 KiB and a launch take 2.80 µs, the launch alone 1.29.
    fill_seconds: 1.51e-6,
    // 0.75 µs lie between launches that read little from DRAM and from the L2, 0.18 of them those between the latencies.
    first_seconds: 0.6e-6,
    far: [329.0, 676.0],
    // Loads of three places at once take 44 and 165 cycles more than of one, some 14 of them for two loads and additions more; the
    // largest of three normal numbers lies 0.85 deviations above their mean.
    far_deviation: [35.0, 178.0],
    // 286 cycles per block of 32 threads that does nothing, and 348 of 1024. Of the former, 55 are taken to be the block's own beginning and end:
    // an assumption, as only the sum was measured.
    turn: [231.0, 2.0],
    chain: 1.0,
    near: 1.0,
};

/// Compute capability 2.0: two schedulers that issue half a warp each cycle of the shader clock; shared atomics by a lock.
/// Latencies: 22 cycles of arithmetic, 26 of shared memory (published). Assumed: barrier, block, lock (8 passes), and the
/// routines of division, which are as long as those of compute capability 5.0.
pub const GTX480: Rates = Rates {
    issue: 1.0,
    machine: UNREAD,
    convert: 2.0,
    special: 8.0,
    double: 8.0,
    warp: 2.0,
    matching: 4.0,
    barrier: 4.0,
    constant: 2.0,
    texture: 1.0,
    pass: 2.0,
    request: 1.0,
    shared_atomic: 8.0,
    divide: 34.0,
    divide_float: 30.0,
    l2_bytes_per_second: 320e9,
    // About nine cycles at one address.
    atomic_seconds: 9.0 / 1.401e9,
    atomic_neighbours: 1.0,
    atomic_slices: 6.0,
    block_seconds: 300e-9,
    fill_seconds: 5e-6,
    first_seconds: 0.0,
    far: [120.0, 600.0],
    far_deviation: UNKNOWN,
    turn: UNKNOWN,
    chain: 4.4,
    near: 0.9,
};

/// Compute capability 3.7. Shared atomics by a lock (assumed 6 passes). Latencies: 11 and 26 cycles (published), the rest
/// assumed.
pub const K80: Rates = Rates {
    issue: 5.0,
    machine: UNREAD,
    convert: 1.0,
    special: 1.0,
    double: 0.5,
    warp: 1.0,
    matching: 2.1,
    barrier: 2.0,
    constant: 2.0,
    texture: 0.25,
    pass: 1.0,
    request: 1.0,
    shared_atomic: 6.0,
    divide: 34.0,
    divide_float: 30.0,
    l2_bytes_per_second: 339e9,
    atomic_seconds: 1.0 / 0.875e9,
    atomic_neighbours: 1.0,
    atomic_slices: 12.0,
    block_seconds: 200e-9,
    fill_seconds: 5e-6,
    first_seconds: 0.0,
    far: [200.0, 600.0],
    far_deviation: UNKNOWN,
    turn: UNKNOWN,
    chain: 2.2,
    near: 0.9,
};

/// Compute capability 5.0: native shared atomics on 32-bit integers. Latencies: 6 and 26 cycles (published), the rest
/// assumed, the L2's bandwidth too.
pub const K620: Rates = Rates {
    issue: 4.0,
    machine: UNREAD,
    convert: 1.0,
    special: 1.0,
    double: 8.0,
    warp: 1.0,
    matching: 2.1,
    barrier: 2.0,
    constant: 2.0,
    texture: 0.5,
    pass: 1.0,
    request: 1.0,
    shared_atomic: 1.0,
    divide: 34.0,
    divide_float: 30.0,
    l2_bytes_per_second: 60e9,
    atomic_seconds: 1.0 / 1.124e9,
    atomic_neighbours: 1.0,
    atomic_slices: 2.0,
    block_seconds: 150e-9,
    fill_seconds: 5e-6,
    first_seconds: 0.0,
    far: [200.0, 500.0],
    far_deviation: UNKNOWN,
    turn: UNKNOWN,
    chain: 1.2,
    near: 0.9,
};
