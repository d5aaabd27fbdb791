//! The microbenchmarks: a kernel of `workshop/validation/micro`, its launch shape, and the figure that its time gives.

mod atomics;
mod memory;
mod traffic;

use self::atomics::{global_atomics, shared_memory};
use self::memory::{constants, memory_pipe, textures};
use self::traffic::traffic;
use super::measure::BLOCKS_PER_ROUND;
use super::measure::Repeat::{self, Blocks, Fills, Inside, Launches, Turns, Uploads, Waits};
use super::picture::Picture;

/// A file of kernels.
pub struct File {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! file {
    ($name:literal) => {
        File { name: $name, text: include_str!(concat!("../../validation/micro/", $name)) }
    };
}

/// All of them.
pub const FILES: [File; 7] = [
    file!("arithmetic.cu"),
    file!("memory.cu"),
    file!("traffic.cu"),
    file!("constant.cu"),
    file!("texture.cu"),
    file!("shared.cu"),
    file!("atomics.cu"),
];

/// The figure of a probe: the divisor of its seconds, and the unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Figure {
    /// Cycles of a multiprocessor per warp instruction; the number of instructions of a warp per round.
    CyclesPerWarp(f64),
    /// Cycles per dependent operation; the number of them per round.
    Latency(f64),
    /// Bytes per second, read and written; how often a round moves the buffer.
    Bandwidth(f64),
    /// Nanoseconds of the whole GPU per warp instruction; the number of instructions of a warp per round.
    NanosecondsPerWarp(f64),
    /// Nanoseconds of a multiprocessor per block.
    NanosecondsPerBlock,
    /// Microseconds per round.
    Microseconds,
}

impl Figure {
    /// Its unit, in words.
    pub fn unit(self) -> &'static str {
        match self {
            Self::CyclesPerWarp(_) => "cycles of a multiprocessor per warp",
            Self::Latency(_) => "cycles",
            Self::Bandwidth(_) => "GB/s",
            Self::NanosecondsPerWarp(_) => "ns of the GPU per warp",
            Self::NanosecondsPerBlock => "ns of a multiprocessor per block",
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
    /// Blocks per multiprocessor; 0 for one block in all.
    pub blocks: u32,
    /// Threads of a block.
    pub threads: u32,
    /// Words of the buffer.
    pub words: u64,
    /// The kernel's last parameter.
    pub parameter: u32,
    /// Rounds of the shorter and the longer run: their difference cancels the overhead.
    pub rounds: [u32; 2],
    /// The work of a round.
    pub repeat: Repeat,
    /// The figure.
    pub figure: Figure,
    /// A step by which [`link`](FILES) prepares the buffer.
    pub linked: Option<u32>,
    /// Its texture or surface, which is one more parameter.
    pub picture: Option<Picture>,
}

/// A probe that fills a multiprocessor.
const FULL: Probe = Probe {
    name: "",
    kernel: "",
    blocks: 8,
    threads: 256,
    words: 1024,
    parameter: 3,
    rounds: [500, 2500],
    repeat: Inside,
    figure: Figure::CyclesPerWarp(16.0),
    linked: None,
    picture: None,
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
    let figure = Figure::NanosecondsPerWarp(1.0);
    Probe { name, kernel, words, parameter, rounds: [8, 40], figure, ..FULL }
}

fn launches(name: &'static str, kernel: &'static str, repeat: Repeat, words: u64) -> Probe {
    let figure = match repeat {
        Blocks => Figure::NanosecondsPerBlock,
        Turns => Figure::Latency(f64::from(BLOCKS_PER_ROUND)),
        _ => Figure::Microseconds,
    };
    Probe { name, kernel, repeat, words, rounds: [100, 500], figure, ..ALONE }
}

const MEBI: u64 = 1 << 20;

/// All of them.
pub fn probes() -> Vec<Probe> {
    // A part of the buffer for each of 160 launches.
    let part = |name, words, apart| Probe {
        blocks: 1,
        threads: 256,
        parameter: apart,
        rounds: [40, 160],
        ..launches(name, "read_part", Launches, words)
    };
    let mut all = vec![
        launches("launch of an empty kernel after another", "nothing", Launches, 1024),
        Probe {
            blocks: 1,
            threads: 256,
            ..launches("the same of a block per multiprocessor", "nothing", Launches, 1024)
        },
        // Less than an empty launch and the time of the rows: their last are on the way while the next launch begins.
        Probe {
            blocks: 8,
            threads: 256,
            ..launches("the same of 8 blocks, with rows of 32 in 256 words", "rows_at_the_end", Launches, 256)
        },
        launches("copy of 1 KiB from the host, and a launch", "nothing", Uploads, 1024),
        launches("launch, and a copy of 1 KiB that the host waits for", "nothing", Waits, 1024),
        part("launch that reads a block's 4 KiB from the L2", 1 << 18, 0),
        part("launch that reads a block's 4 KiB from DRAM", 160 << 18, 1 << 18),
        launches("fill of 1 KiB after another", "nothing", Fills, 256),
        launches("fill of 32 MiB after another", "nothing", Fills, 8 * MEBI),
        Probe { threads: 32, ..launches("start of a block of 32 threads", "nothing", Blocks, 1024) },
        Probe { threads: 256, ..launches("start of a block of 256 threads", "nothing", Blocks, 1024) },
        Probe { threads: 1024, ..launches("start of a block of 1024 threads", "nothing", Blocks, 1024) },
        Probe { threads: 32, ..launches("turn of a block of 32 threads", "nothing", Turns, 1024) },
        Probe { threads: 1024, ..launches("turn of a block of 1024 threads", "nothing", Turns, 1024) },
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
            ("redux", "reduce"),
        ]
        .map(|(name, kernel)| arithmetic(name, kernel)),
    );
    all.extend(matches());
    all.extend(chains());
    all.push(branch());
    all.extend(memory_pipe());
    all.extend(traffic());
    all.extend(constants());
    all.extend(textures());
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
        chase("latency of DRAM, 64 bytes farther each time", "chase", 256 * MEBI, 16),
        chase("latency of DRAM, 32 bytes farther each time", "chase", 256 * MEBI, 8),
        Probe { name: "latency of shared memory", kernel: "shared_chase", parameter: 33, ..ALONE },
        Probe { name: "barrier of a block of 256 alone", kernel: "barriers", threads: 256, ..ALONE },
        Probe { name: "barrier of a block of 1024 alone", kernel: "barriers", threads: 1024, ..ALONE },
    ]
}

fn matches() -> Vec<Probe> {
    let of = |name, kernel, distinct| Probe { parameter: distinct, ..arithmetic(name, kernel) };
    vec![
        of("match_any of 1 value", "match_any", 1),
        of("match_any of 2 values", "match_any", 2),
        of("match_any of 8 values", "match_any", 8),
        of("match_any of 32 values", "match_any", 32),
        of("match_any of 32 values of 64 bits", "match_any_wide", 32),
        of("match_all of 1 value", "match_all", 1),
        of("match_all of 32 values", "match_all", 32),
    ]
}

/// Chains of 32 steps of one warp.
fn chains() -> Vec<Probe> {
    [
        ("latency of an addition and an exclusive or", "chain_add_and_xor"),
        ("latency of a fused multiply-add", "chain_fma"),
        ("latency of an integer multiply-add", "chain_multiply"),
        ("latency of a funnel shift", "chain_shift"),
        ("latency of a dot product of bytes", "chain_dot"),
        ("latency of a conversion", "chain_convert"),
        ("latency of a conversion of a byte", "chain_convert_byte"),
        ("latency of a population count and addition", "chain_population"),
        ("latency of an unsigned division and or", "chain_divide_unsigned"),
        ("latency of a signed division and or", "chain_divide_signed"),
        ("latency of an unsigned remainder and or", "chain_remainder"),
        ("latency of a float division", "chain_divide_float"),
        ("latency of a square root", "chain_root"),
        ("latency of a double fused multiply-add", "chain_fma_double"),
        ("latency of a double division", "chain_divide_double"),
        ("latency of ex2.approx", "chain_exponential"),
        ("latency of a shuffle and addition", "chain_shuffle"),
        ("latency of a ballot and comparison", "chain_vote"),
        ("latency of match_any of 32 values", "chain_match"),
        ("latency of match_any of 1 value", "chain_match_same"),
        ("latency of redux", "chain_reduce"),
    ]
    .map(|(name, kernel)| Probe { name, kernel, rounds: [200, 1000], figure: Figure::Latency(32.0), ..ALONE })
    .into()
}

/// The additional time of eight taken branches per round: both runs have the same number of rounds.
fn branch() -> Probe {
    let rounds = [2000, 10_000];
    let figure = Figure::Latency(8.0);
    Probe { name: "branch taken", kernel: "take_branches", parameter: rounds[1], rounds, figure, ..ALONE }
}
