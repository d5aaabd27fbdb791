//! The GPUs that times can be predicted for.

use super::cards;
use super::link::Link;
use super::link_h200;
use super::rates::{self, Rates};

/// The compute capabilities whose machine code is understood: the encoding is that of 9.0, but for the distance of a jump.
pub const CAPABILITIES: [u32; 7] = [75, 80, 86, 87, 89, 90, 120];

/// What the model knows of a GPU.
#[derive(Debug, Clone, PartialEq)]
pub struct Gpu {
    /// Short name for `--gpu`, lower case: `h200`.
    pub name: &'static str,
    /// Full name: `NVIDIA H200`.
    pub title: &'static str,
    /// Compute capability as in `sm_90`: 90.
    pub capability: u32,
    /// Streaming multiprocessors.
    pub multiprocessors: u32,
    /// DRAM bytes per second that a copy kernel achieves.
    pub dram_bytes_per_second: f64,
    /// DRAM bytes per second that are read, and that are written.
    pub dram_ways: [f64; 2],
    /// Clock of the multiprocessors, in cycles per second.
    pub clock_hz: f64,
    /// Bytes of the L2 cache.
    pub l2_bytes: u64,
    /// Bytes of memory, of the chip that a program sees.
    pub memory_bytes: u64,
    /// Memory clock in kHz and width of the bus in bits, as the driver answers: two transfers per clock.
    pub memory_interface: (u32, u32),
    /// The link to the host.
    pub link: Link,
    /// Seconds an empty kernel takes between two events.
    pub launch_seconds: f64,
    /// What a multiprocessor holds.
    pub residency: Residency,
    /// What single operations cost.
    pub rates: Rates,
    /// Whether predictions were compared with times that were measured on such a GPU.
    pub validated: bool,
    /// Where the figures come from.
    pub source: &'static str,
}

impl Gpu {
    /// Whether its machine code is understood: else times are predicted from PTX alone.
    pub fn reads_machine_code(&self) -> bool {
        CAPABILITIES.contains(&self.capability)
    }
}

/// What one multiprocessor holds at once: CUDA C Programming Guide, table of technical specifications by
/// compute capability, and the allocation units of the occupancy calculator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Residency {
    /// Warps.
    pub warps: u32,
    /// Blocks.
    pub blocks: u32,
    /// 32-bit registers.
    pub registers: u32,
    /// Registers are given to a warp in multiples of this.
    pub register_unit: u32,
    /// Warp schedulers, each with its share of the registers.
    pub schedulers: u32,
    /// Bytes of shared memory.
    pub shared: u32,
    /// Shared memory is given to a block in multiples of this.
    pub shared_unit: u32,
    /// Bytes of shared memory that the system keeps of each block.
    pub shared_reserved: u32,
}

/// All of them, the default first.
pub fn gpus() -> &'static [Gpu] {
    &GPUS
}

/// The GPU of this short name.
pub fn find(name: &str) -> Option<&'static Gpu> {
    GPUS.iter().find(|gpu| gpu.name.eq_ignore_ascii_case(name))
}

static GPUS: [Gpu; 13] = [
    H200,
    cards::RTX5070,
    cards::RTX4090,
    cards::RTX4060,
    cards::RTX3060,
    cards::GTX1650,
    cards::H100,
    cards::A100,
    cards::T4,
    cards::ORIN,
    GTX480,
    K80,
    K620,
];

const H200: Gpu = Gpu {
    name: "h200",
    title: "NVIDIA H200",
    capability: 90,
    multiprocessors: 132,
    dram_bytes_per_second: 4261e9,
    // Reading alone; and what writing must take if copying half and half moves 3,942 GB/s (`book/data/micro-h200.json`).
    dram_ways: [4261e9, 4261e9],
    clock_hz: 1.98e9,
    l2_bytes: 50 << 20,
    memory_bytes: 150_109_880_320,
    memory_interface: (3_201_000, 6144),
    link: link_h200::H200,
    launch_seconds: 4.3e-6,
    residency: Residency {
        warps: 64,
        blocks: 32,
        registers: 65536,
        register_unit: 256,
        schedulers: 4,
        shared: 228 * 1024,
        shared_unit: 128,
        shared_reserved: 1024,
    },
    rates: rates::H200,
    validated: true,
    source: "copy kernel and empty kernel measured on an H200, driver 580.159, 2026-11-21",
};

const GTX480: Gpu = Gpu {
    name: "gtx480",
    title: "GeForce GTX 480",
    capability: 20,
    multiprocessors: 15,
    dram_bytes_per_second: 0.85 * 177.4e9,
    dram_ways: [0.85 * 177.4e9; 2],
    clock_hz: 1.401e9,
    l2_bytes: 768 << 10,
    memory_bytes: 1536 << 20,
    memory_interface: (1_848_000, 384),
    link: Link {
        pageable_up: 140_859_288.0 / 35.1e-3,
        pageable_down: 46_953_096.0 / 18.4e-3,
        source: "pageable copies as the first report measured them, the rest assumed",
        ..Link::assumed(6e9, 6e9)
    },
    launch_seconds: 5e-6,
    residency: Residency {
        warps: 48,
        blocks: 8,
        registers: 32768,
        register_unit: 64,
        schedulers: 2,
        shared: 48 * 1024,
        shared_unit: 128,
        shared_reserved: 0,
    },
    rates: rates::GTX480,
    validated: false,
    source: "177.4 GB/s by specification, 85 % of it assumed reachable; launch cost assumed",
};

const K80: Gpu = Gpu {
    name: "k80",
    title: "Tesla K80, one of its two GPUs",
    capability: 37,
    multiprocessors: 13,
    dram_bytes_per_second: 0.77 * 240e9,
    dram_ways: [0.77 * 240e9; 2],
    clock_hz: 0.875e9,
    l2_bytes: 1536 << 10,
    memory_bytes: 12 << 30,
    memory_interface: (2_505_000, 384),
    link: Link::assumed(11e9, 6e9),
    launch_seconds: 5e-6,
    residency: Residency {
        warps: 64,
        blocks: 16,
        registers: 131_072,
        register_unit: 256,
        schedulers: 4,
        shared: 112 * 1024,
        shared_unit: 256,
        shared_reserved: 0,
    },
    rates: rates::K80,
    validated: false,
    source: "240 GB/s by specification, 77 % of it assumed reachable; launch cost assumed",
};

const K620: Gpu = Gpu {
    name: "k620",
    title: "Quadro K620",
    capability: 50,
    multiprocessors: 3,
    dram_bytes_per_second: 0.8 * 28.8e9,
    dram_ways: [0.8 * 28.8e9; 2],
    clock_hz: 1.124e9,
    l2_bytes: 2 << 20,
    memory_bytes: 2 << 30,
    memory_interface: (900_000, 128),
    link: Link::assumed(6e9, 4e9),
    launch_seconds: 5e-6,
    residency: Residency {
        warps: 64,
        blocks: 32,
        registers: 65536,
        register_unit: 256,
        schedulers: 4,
        shared: 64 * 1024,
        shared_unit: 256,
        shared_reserved: 0,
    },
    rates: rates::K620,
    validated: false,
    source: "28.8 GB/s by specification, 80 % of it assumed reachable; launch cost assumed",
};
