//! Runs one kernel of the coverage programs and hands back what it left.

use std::sync::Arc;

use simulator::{Checks, Device, Launch, LaunchReport, Limits, Module};

/// The architectures that each program is compiled for.
pub const ARCHITECTURES: [u32; 4] = [50, 75, 90, 120];

macro_rules! programs {
    ($($name:literal),*) => {
        /// The PTX of a program.
        pub fn ptx(program: &str, architecture: u32) -> &'static str {
            match (program, architecture) {
                $(
                    ($name, 50) => include_str!(concat!("../programs/coverage/", $name, ".sm_50.ptx")),
                    ($name, 75) => include_str!(concat!("../programs/coverage/", $name, ".sm_75.ptx")),
                    ($name, 90) => include_str!(concat!("../programs/coverage/", $name, ".sm_90.ptx")),
                    ($name, 120) => include_str!(concat!("../programs/coverage/", $name, ".sm_120.ptx")),
                )*
                _ => panic!("no program `{program}` for {architecture}"),
            }
        }
        /// All programs.
        pub const PROGRAMS: &[&str] = &[$($name),*];
    };
}
programs!("integer", "float", "half", "atomics", "memory", "calls", "warps", "image");

/// An argument of a kernel.
pub enum Argument {
    /// A scalar or a structure, by its bytes.
    Value(Vec<u8>),
    /// A buffer with these bytes.
    Buffer(Vec<u8>),
}

pub fn int(value: i32) -> Argument {
    Argument::Value(value.to_le_bytes().to_vec())
}

pub fn words(words: &[u32]) -> Argument {
    Argument::Buffer(bytes_of(words))
}

pub fn zeros(count: usize) -> Argument {
    Argument::Buffer(vec![0; 4 * count])
}

pub fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

pub fn words_of(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

/// Where and how wide a kernel is launched.
#[derive(Clone, Copy)]
pub struct Shape {
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub shared: u32,
}

pub fn line(blocks: u32, threads: u32) -> Shape {
    Shape { grid: [blocks, 1, 1], block: [threads, 1, 1], shared: 0 }
}

/// Runs a kernel; the buffers afterwards, as words. Any finding fails the test.
pub fn run(
    program: &str,
    architecture: u32,
    kernel: &str,
    shape: Shape,
    arguments: &[Argument],
) -> Vec<Vec<u32>> {
    let (report, buffers) = run_and_report(program, architecture, kernel, shape, arguments);
    assert_eq!(report.findings, [], "{program} {kernel} sm_{architecture}");
    buffers
}

pub fn run_and_report(
    program: &str,
    architecture: u32,
    kernel: &str,
    shape: Shape,
    arguments: &[Argument],
) -> (LaunchReport, Vec<Vec<u32>>) {
    let module = Module::from_ptx(ptx(program, architecture)).expect("the PTX is valid");
    let mut device =
        Device::new(Arc::new(module), Limits { block_instructions: 20_000_000, ..Limits::default() });
    let (mut values, mut buffers) = (Vec::new(), Vec::new());
    for (number, argument) in arguments.iter().enumerate() {
        match argument {
            Argument::Value(bytes) => values.push(bytes.clone()),
            Argument::Buffer(bytes) => {
                let address = device.alloc(bytes.len() as u64, &format!("argument {number}")).unwrap();
                device.write(address, bytes).unwrap();
                values.push(address.to_le_bytes().to_vec());
                buffers.push((address, bytes.len()));
            }
        }
    }
    let Shape { grid, block, shared } = shape;
    let launch = Launch {
        kernel,
        grid,
        block,
        dynamic_shared: shared,
        cooperative: false,
        arguments: &values,
        checks: Checks::NONE,
        order: simulator::Order::Forward,
    };
    let report = device
        .launch(&launch)
        .unwrap_or_else(|error| panic!("{program} {kernel} sm_{architecture}: {error}"));
    let read = |&(address, size): &(u64, usize)| {
        let mut out = vec![0; size];
        device.read(address, &mut out).unwrap();
        words_of(&out)
    };
    (report, buffers.iter().map(read).collect())
}

/// A sequence without a pattern, the same on every run (splitmix64).
pub fn noise(seed: u64, count: usize) -> Vec<u32> {
    let mut state = seed;
    (0..count)
        .map(|_| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            (z ^ z >> 31) as u32
        })
        .collect()
}

/// Runs an element kernel (four words in, `K` out) on every architecture that has it, and compares each
/// element's words with `expected`.
pub fn elements<const K: usize>(
    program: &str,
    kernel: &str,
    from: u32,
    inputs: &[[u32; 4]],
    expected: impl Fn([u32; 4]) -> [u32; K],
) {
    let n = inputs.len();
    let flat: Vec<u32> = inputs.iter().flatten().copied().collect();
    for architecture in ARCHITECTURES.into_iter().filter(|&architecture| architecture >= from) {
        let arguments = [words(&flat), zeros(n * K), int(n as i32)];
        let buffers = run(program, architecture, kernel, line(n.div_ceil(128) as u32, 128), &arguments);
        for (index, &input) in inputs.iter().enumerate() {
            let want = expected(input);
            let got = &buffers[1][index * K..][..K];
            for slot in 0..K {
                assert_eq!(
                    got[slot], want[slot],
                    "{kernel} sm_{architecture}, result {slot} of {input:x?}: got {:#x}, expected {:#x}",
                    got[slot], want[slot]
                );
            }
        }
    }
}

/// Words with many corner cases among them.
pub fn corners(seed: u64, count: usize) -> Vec<[u32; 4]> {
    const SPECIAL: [u32; 24] = [
        0,
        1,
        2,
        31,
        32,
        33,
        63,
        64,
        0xff,
        0x80,
        0x7f,
        0xffff,
        0x8000,
        0x7fff,
        0x7fff_ffff,
        0x8000_0000,
        u32::MAX,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0000,
        0x0000_0fff,
        0x3f80_0000,
        0xbf00_0000,
        0x8000_0001,
    ];
    let random = noise(seed, count * 8);
    (0..count)
        .map(|i| {
            std::array::from_fn(|k| {
                let choice = random[i * 8 + 4 + k];
                if choice.is_multiple_of(3) {
                    SPECIAL[(choice >> 8) as usize % SPECIAL.len()]
                } else {
                    random[i * 8 + k]
                }
            })
        })
        .collect()
}
