//! The microbenchmarks: which kernel of `simulator/validation/micro`, in which shape, and what its time tells.

use super::measure::Repeat::{self, Blocks, Fills, Inside, Launches};

/// A file of kernels.
pub struct File {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! file {
    ($name:literal) => {
        File { name: $name, text: include_str!(concat!("../../../../simulator/validation/micro/", $name)) }
    };
}

/// All of them.
pub const FILES: [File; 4] =
    [file!("arithmetic.cu"), file!("memory.cu"), file!("shared.cu"), file!("atomics.cu")];

/// What a probe's seconds are divided by, and the unit of what comes out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Figure {
    /// Cycles of a multiprocessor for an instruction of a warp; a round of a warp has so many.
    CyclesAWarp(f64),
    /// Cycles from one to the next; a round has so many one after the other.
    Latency(f64),
    /// Bytes a second, read and written; a round moves the buffer so many times.
    Bandwidth(f64),
    /// Nanoseconds of the whole GPU for an instruction of a warp; a round of a warp has so many.
    NanosecondsAWarp(f64),
    /// Nanoseconds of a multiprocessor for a block.
    NanosecondsABlock,
    /// Microseconds for a round.
    Microseconds,
}

impl Figure {
    /// Its unit, in words.
    pub fn unit(self) -> &'static str {
        match self {
            Self::CyclesAWarp(_) => "cycles of a multiprocessor a warp",
            Self::Latency(_) => "cycles",
            Self::Bandwidth(_) => "GB/s",
            Self::NanosecondsAWarp(_) => "ns of the GPU a warp",
            Self::NanosecondsABlock => "ns of a multiprocessor a block",
            Self::Microseconds => "µs",
        }
    }
}

/// One microbenchmark.
pub struct Probe {
    /// In words.
    pub name: &'static str,
    /// The kernel.
    pub kernel: &'static str,
    /// Blocks a multiprocessor; 0 for one block in all.
    pub blocks: u32,
    /// Threads of a block.
    pub threads: u32,
    /// Words of the buffer.
    pub words: u64,
    /// The kernel's last parameter.
    pub parameter: u32,
    /// Rounds of the shorter and the longer run: what both have in common cancels.
    pub rounds: [u32; 2],
    /// What a round is.
    pub repeat: Repeat,
    /// What comes out.
    pub figure: Figure,
    /// A step by which [`link`](FILES) prepares the buffer.
    pub linked: Option<u32>,
}

/// What fills a multiprocessor.
const FULL: Probe = Probe {
    name: "",
    kernel: "",
    blocks: 8,
    threads: 256,
    words: 1024,
    parameter: 3,
    rounds: [500, 2500],
    repeat: Inside,
    figure: Figure::CyclesAWarp(16.0),
    linked: None,
};

/// A single block of one warp.
const ALONE: Probe =
    Probe { blocks: 0, threads: 32, figure: Figure::Latency(1.0), rounds: [2000, 10_000], ..FULL };

fn arithmetic(name: &'static str, kernel: &'static str) -> Probe {
    Probe { name, kernel, ..FULL }
}

fn shared(name: &'static str, kernel: &'static str, parameter: u32) -> Probe {
    Probe { name, kernel, parameter, rounds: [100, 500], ..FULL }
}

fn atomics(name: &'static str, kernel: &'static str, words: u64, parameter: u32) -> Probe {
    let figure = Figure::NanosecondsAWarp(1.0);
    Probe { name, kernel, words, parameter, rounds: [8, 40], figure, ..FULL }
}

fn launches(name: &'static str, kernel: &'static str, repeat: Repeat, words: u64) -> Probe {
    let figure = if repeat == Blocks { Figure::NanosecondsABlock } else { Figure::Microseconds };
    Probe { name, kernel, repeat, words, rounds: [100, 500], figure, ..ALONE }
}

const MEBI: u64 = 1 << 20;

/// All of them.
pub fn probes() -> Vec<Probe> {
    let mut all = vec![
        launches("launch of an empty kernel after another", "nothing", Launches, 1024),
        launches("fill of 1 KiB after another", "nothing", Fills, 256),
        launches("fill of 32 MiB after another", "nothing", Fills, 8 * MEBI),
        Probe { threads: 32, ..launches("start of a block of 32 threads", "nothing", Blocks, 1024) },
        Probe { threads: 256, ..launches("start of a block of 256 threads", "nothing", Blocks, 1024) },
        Probe { threads: 1024, ..launches("start of a block of 1024 threads", "nothing", Blocks, 1024) },
    ];
    all.extend(bandwidth());
    all.extend(latency());
    all.extend(
        [
            ("fused multiply-add", "fma_float"),
            ("integer multiply-add", "multiply"),
            ("funnel shift", "shift"),
            ("minimum and maximum", "min_max"),
            ("dot product of bytes", "dot"),
            ("float to integer and back", "to_float_and_back"),
            ("byte to float, and a shift", "byte_to_float"),
            ("population count and add", "population"),
            ("unsigned division", "divide_unsigned"),
            ("signed division", "divide_signed"),
            ("unsigned remainder", "remainder_unsigned"),
            ("float division", "divide_float"),
            ("square root", "root"),
            ("double fused multiply-add", "fma_double"),
            ("double division", "divide_double"),
            ("ex2.approx", "exponential"),
            ("shuffle and add", "shuffle"),
            ("ballot and compare", "vote"),
            ("match_any", "match_any"),
            ("redux", "reduce"),
        ]
        .map(|(name, kernel)| arithmetic(name, kernel)),
    );
    all.extend(memory_pipe());
    all.extend(shared_memory());
    all.extend(global_atomics());
    all
}

fn bandwidth() -> Vec<Probe> {
    let of = |name, kernel, words, moved, rounds| Probe {
        name,
        kernel,
        words,
        rounds,
        figure: Figure::Bandwidth(moved),
        ..FULL
    };
    vec![
        of("DRAM read", "read_all", 512 * MEBI, 1.0, [1, 4]),
        of("DRAM write", "write_all", 512 * MEBI, 1.0, [1, 4]),
        of("DRAM copy", "copy_half", 512 * MEBI, 1.0, [1, 4]),
        of("L2 read, 8 MiB", "read_all", 2 * MEBI, 1.0, [50, 250]),
        of("L2 read, 24 MiB", "read_all", 6 * MEBI, 1.0, [20, 100]),
        of("L2 read, 40 MiB", "read_all", 10 * MEBI, 1.0, [10, 50]),
        of("L2 write, 8 MiB", "write_all", 2 * MEBI, 1.0, [50, 250]),
        of("L2 copy, 24 MiB", "copy_half", 6 * MEBI, 1.0, [20, 100]),
    ]
}

fn latency() -> Vec<Probe> {
    let chase = |name, kernel, words, step: u32| Probe {
        name,
        kernel,
        words,
        parameter: step,
        linked: Some(step),
        ..ALONE
    };
    vec![
        Probe { name: "clock", kernel: "clock_cycles", rounds: [200_000, 1_000_000], ..ALONE },
        chase("latency of the L1", "chase_near", 2048, 33),
        chase("latency of the L2, 1 MiB", "chase", MEBI / 4, 1031),
        chase("latency of the L2, 16 MiB", "chase", 4 * MEBI, 1031),
        chase("latency of DRAM, 1 GiB", "chase", 256 * MEBI, 100_003),
        Probe { name: "latency of shared memory", kernel: "shared_chase", parameter: 33, ..ALONE },
        Probe { name: "barrier of a block of 256 alone", kernel: "barriers", threads: 256, ..ALONE },
        Probe { name: "barrier of a block of 1024 alone", kernel: "barriers", threads: 1024, ..ALONE },
    ]
}

fn memory_pipe() -> Vec<Probe> {
    let near = |name, stride| Probe { words: 4096, ..shared(name, "near_loads", stride) };
    vec![
        near("load of 32 words side by side, in the L1", 1),
        near("load of 32 words 2 apart, in the L1", 2),
        near("load of 32 words 8 apart, in the L1", 8),
        near("load of 32 words 32 apart, in the L1", 32),
        near("load of 32 words 33 apart, in the L1", 33),
        shared("constant load of 1 word", "constant_loads", 1),
        shared("constant load of 2 words", "constant_loads", 2),
        shared("constant load of 8 words", "constant_loads", 8),
        shared("constant load of 32 words", "constant_loads", 32),
        Probe {
            figure: Figure::CyclesAWarp(1.0),
            ..shared("read, add, write in an array of one's own", "own_array", 3)
        },
    ]
}

fn shared_memory() -> Vec<Probe> {
    vec![
        shared("shared load, 1 wavefront", "shared_loads", 1),
        shared("shared load, 2 wavefronts", "shared_loads", 2),
        shared("shared load, 8 wavefronts", "shared_loads", 8),
        shared("shared load, 32 wavefronts", "shared_loads", 32),
        shared("shared store, 1 wavefront", "shared_stores", 1),
        shared("shared store, 8 wavefronts", "shared_stores", 8),
        shared("shared increment, 32 words", "shared_increments", 32),
        shared("shared increment, 8 words", "shared_increments", 8),
        shared("shared increment, 1 word", "shared_increments", 1),
        shared("shared add, 32 words", "shared_adds", 32),
        shared("shared add, 8 words", "shared_adds", 8),
        shared("shared add, 2 words", "shared_adds", 2),
        shared("shared add, 1 word", "shared_adds", 1),
        shared("shared add with result, 32 words", "shared_adds_returning", 32),
        shared("shared add with result, 1 word", "shared_adds_returning", 1),
        shared("shared float add, 32 words", "shared_float_adds", 32),
        shared("shared float add, 4 words", "shared_float_adds", 4),
        shared("shared float add, 1 word", "shared_float_adds", 1),
        shared("shared increment, random of 256 words", "shared_histogram", 256),
        shared("shared increment, random of 16 words", "shared_histogram", 16),
        Probe { figure: Figure::CyclesAWarp(1.0), ..shared("barrier, 8 blocks of 256", "barriers", 3) },
        Probe {
            figure: Figure::CyclesAWarp(1.0),
            threads: 1024,
            blocks: 2,
            ..shared("barrier, 2 blocks of 1024", "barriers", 3)
        },
    ]
}

fn global_atomics() -> Vec<Probe> {
    vec![
        atomics("atomic add, 1 word, 32 lanes", "meeting_adds", 1024, 1),
        atomics("atomic add, 2 words, 32 lanes", "meeting_adds", 1024, 2),
        atomics("atomic add, 4 words, 32 lanes", "meeting_adds", 1024, 4),
        atomics("atomic add, 8 words, 32 lanes", "meeting_adds", 1024, 8),
        atomics("atomic add, 16 words, 32 lanes", "meeting_adds", 1024, 16),
        atomics("atomic add, 32 words, 32 lanes", "meeting_adds", 1024, 32),
        atomics("atomic add, the same word, 1 lane", "same_row_adds", 1024, 1),
        atomics("atomic add, the same sector, 8 lanes", "same_row_adds", 1024, 8),
        atomics("atomic add, the same line, 16 lanes", "same_row_adds", 1024, 16),
        atomics("atomic add, random of 32 words", "scattered_adds", 32, 3),
        atomics("atomic add, random of 256 words", "scattered_adds", 256, 3),
        atomics("atomic add, random of 1024 words", "scattered_adds", 1024, 3),
        atomics("atomic add, random of 4096 words", "scattered_adds", 4096, 3),
        atomics("atomic add, random of 65536 words", "scattered_adds", 65536, 3),
        atomics("atomic add, random of 4 Mi words", "scattered_adds", 4 * MEBI, 3),
        atomics("atomic add with result, random of 256 words", "scattered_adds_returning", 256, 3),
        atomics("atomic add with result, random of 4 Mi words", "scattered_adds_returning", 4 * MEBI, 3),
        atomics("atomic float add, random of 256 words", "scattered_float_adds", 256, 3),
        atomics("atomic add, rows of 32 in 256 words", "row_adds", 256, 32),
        atomics("atomic add, rows of 32 in 1024 words", "row_adds", 1024, 32),
        atomics("atomic add, rows of 32 in 4096 words", "row_adds", 4096, 32),
        atomics("atomic add, rows of 32 in 65536 words", "row_adds", 65536, 32),
        atomics("atomic add, rows of 32 in 4 Mi words", "row_adds", 4 * MEBI, 32),
        atomics("atomic add, rows of 32 in 64 Mi words", "row_adds", 64 * MEBI, 32),
        atomics("atomic add, 1 lane, rows of 256 words", "one_lane_adds", 256, 8),
        atomics("atomic add, 1 lane, rows of 64 Ki words", "one_lane_adds", 65536, 8),
    ]
}
