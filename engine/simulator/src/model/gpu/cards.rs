//! GPUs that students have, from published figures: no prediction for them was compared with a measurement ([`Gpu::validated`]).
//!
//! Of a card: its data sheet. Of its kind: the tables of the CUDA C Programming Guide (results per clock, resident warps and blocks), the
//! architecture's white paper (load/store units), and published microbenchmarks (bandwidth of the L2, latencies, the share of the memory's
//! peak that a copy reaches), of the card itself or of the nearest one of its kind: each [`Gpu::source`] says which.
//!
//! The rest is scaled from the H200, by one rule: what takes cycles of a multiprocessor takes as many ([`rates::H200`]); what takes time
//! on the GPU takes as many cycles of its clock; the slices of the L2 that work on atomics are as many as its bandwidth per clock asks for;
//! what the host takes to launch stays.

use super::gpus::{Gpu, Residency};
use super::link::Link;
use super::rates::{self, Rates};

/// The H200's clock, and the bytes of its L2 in one cycle of it.
const H200_CLOCK: f64 = 1.98e9;
const H200_L2_CYCLE: f64 = rates::H200.l2_bytes_per_second / H200_CLOCK;

/// What the data sheet of a card says, and microbenchmarks of it.
struct Card {
    name: &'static str,
    title: &'static str,
    kind: Kind,
    multiprocessors: u32,
    /// Boost clock in MHz.
    megahertz: u32,
    /// Memory clock in MHz, with two transfers each, and width of the bus in bits.
    memory: (u32, u32),
    /// Share of the memory's peak that a copy reaches.
    reached: f64,
    memory_gib: u64,
    l2_kib: u64,
    /// Bytes per cycle that each multiprocessor reads from the L2, where all do.
    l2_cycle: f64,
    /// Cycles of a load from the L2, and from DRAM.
    far: [f64; 2],
    /// Of page-locked copies, in 10^9 bytes per second.
    link: f64,
    source: &'static str,
}

/// What all cards of a compute capability have in common.
struct Kind {
    capability: u32,
    warps: u32,
    blocks: u32,
    /// KiB of shared memory of a multiprocessor, and bytes of each block that the system keeps.
    shared_kib: u32,
    shared_reserved: u32,
    /// Results per clock of a multiprocessor: single precision, integer addition, double precision.
    results: [f64; 3],
    /// Lanes that the load/store units serve in a cycle.
    load_store_lanes: f64,
}

/// Turing: T4, GTX 16, RTX 20.
const TURING: Kind = Kind {
    capability: 75,
    warps: 32,
    blocks: 16,
    shared_kib: 64,
    shared_reserved: 0,
    results: [64.0, 64.0, 2.0],
    load_store_lanes: 16.0,
};
/// Ampere in data centers: A100, A30.
const AMPERE_100: Kind = Kind {
    capability: 80,
    warps: 64,
    blocks: 32,
    shared_kib: 164,
    shared_reserved: 1024,
    results: [64.0, 64.0, 32.0],
    load_store_lanes: 32.0,
};
/// Ampere: RTX 30, A40, A10.
const AMPERE: Kind = Kind {
    capability: 86,
    warps: 48,
    blocks: 16,
    shared_kib: 100,
    results: [128.0, 64.0, 2.0],
    load_store_lanes: 16.0,
    ..AMPERE_100
};
/// Ampere in Jetson Orin.
const ORIN_KIND: Kind = Kind { capability: 87, shared_kib: 164, ..AMPERE };
/// Ada: RTX 40, L40, L4.
const ADA: Kind = Kind { capability: 89, blocks: 24, ..AMPERE };
/// Hopper: H100.
const HOPPER: Kind = Kind {
    capability: 90,
    warps: 64,
    blocks: 32,
    shared_kib: 228,
    results: [128.0, 64.0, 64.0],
    load_store_lanes: 32.0,
    ..AMPERE_100
};
/// Blackwell: RTX 50. Its white paper doubles the integer units.
const BLACKWELL: Kind = Kind { capability: 120, results: [128.0, 128.0, 2.0], ..ADA };

/// Of the peak, a copy reaches this share on an A40 and on an L40.
const COPY_A40: f64 = 653.0 / 696.0;
const COPY_L40: f64 = 770.0 / 864.0;
/// Bytes per cycle and multiprocessor that the L2 of an L40 with 142 multiprocessors at 2490 MHz gives.
const L2_L40: f64 = 5250.0 / 142.0 / 2.49;
/// The same of an RTX 3060 with 30 at 1700 MHz, and of a T4.
const L2_RTX3060: f64 = 1276.0 / 30.0 / 1.7;
const L2_T4: f64 = 1270.0 / 40.0 / 1.59;

pub(super) const RTX5070: Gpu = gpu(&Card {
    name: "rtx5070",
    title: "GeForce RTX 5070",
    kind: BLACKWELL,
    multiprocessors: 48,
    megahertz: 2512,
    memory: (14_001, 192),
    reached: COPY_L40,
    memory_gib: 12,
    l2_kib: 48 << 10,
    l2_cycle: L2_L40,
    far: [360.0, 936.0],
    link: 55e9,
    source: "NVIDIA RTX Blackwell white paper; latencies of an RTX 5090 (markdewing/AI_kernels); copy and L2 of an L40 (RRZE gpu-benches)",
});

pub(super) const RTX4090: Gpu = gpu(&Card {
    name: "rtx4090",
    title: "GeForce RTX 4090",
    kind: ADA,
    multiprocessors: 128,
    megahertz: 2520,
    memory: (10_501, 384),
    reached: COPY_L40,
    memory_gib: 24,
    l2_kib: 72 << 10,
    l2_cycle: L2_L40,
    far: [296.0, 636.0],
    link: 26e9,
    source: "NVIDIA Ada white paper; its latencies (markdewing/AI_kernels); copy and L2 of an L40 (RRZE gpu-benches)",
});

pub(super) const RTX4060: Gpu = gpu(&Card {
    name: "rtx4060",
    title: "GeForce RTX 4060",
    kind: ADA,
    multiprocessors: 24,
    megahertz: 2460,
    memory: (8501, 128),
    reached: COPY_L40,
    memory_gib: 8,
    l2_kib: 24 << 10,
    l2_cycle: L2_L40,
    far: [296.0, 636.0],
    // Eight lanes.
    link: 13e9,
    source: "NVIDIA's specification; latencies of an RTX 4090 (markdewing/AI_kernels); copy and L2 of an L40 (RRZE gpu-benches)",
});

pub(super) const RTX3060: Gpu = gpu(&Card {
    name: "rtx3060",
    title: "GeForce RTX 3060",
    kind: AMPERE,
    multiprocessors: 28,
    megahertz: 1777,
    memory: (7501, 192),
    reached: COPY_A40,
    memory_gib: 12,
    l2_kib: 2304,
    l2_cycle: L2_RTX3060,
    far: [219.0, 515.0],
    link: 26e9,
    source: "NVIDIA's specification; latencies and L2 of an RTX 3060 with 6 GB (YKTian-x2b/AmpereArchViaMicroBenchMark); copy of an A40 \
             (RRZE gpu-benches)",
});

pub(super) const GTX1650: Gpu = gpu(&Card {
    name: "gtx1650",
    title: "GeForce GTX 1650",
    kind: TURING,
    multiprocessors: 14,
    megahertz: 1665,
    memory: (4001, 128),
    // 171 GB/s of the 192 of the same chip with GDDR6.
    reached: 171.0 / 192.0,
    memory_gib: 4,
    l2_kib: 1 << 10,
    l2_cycle: L2_T4,
    far: T4_FAR,
    link: 12e9,
    source: "NVIDIA's specification (GDDR5); copy of one with GDDR6 (GPUInspector.jl); L2 of a T4 (Jia et al., arXiv 1903.07486)",
});

pub(super) const T4: Gpu = gpu(&Card {
    name: "t4",
    title: "NVIDIA T4",
    kind: TURING,
    multiprocessors: 40,
    megahertz: 1590,
    memory: (5001, 256),
    reached: 220.0 / 320.0,
    memory_gib: 16,
    l2_kib: 4 << 10,
    l2_cycle: L2_T4,
    far: T4_FAR,
    link: 12e9,
    source: "NVIDIA's data sheet; copy and L2: Jia et al., arXiv 1903.07486; DRAM latency of an RTX 3060. Its power limit lowers the clock",
});

/// From the L2 as measured, from DRAM so much longer as on an RTX 3060.
const T4_FAR: [f64; 2] = [188.0, 188.0 + (515.0 - 219.0) / 1.7 * 1.59];

pub(super) const A100: Gpu = gpu(&Card {
    name: "a100",
    title: "NVIDIA A100-SXM4-40GB",
    kind: AMPERE_100,
    multiprocessors: 108,
    megahertz: 1410,
    memory: (1215, 5120),
    reached: 1381.0 / 1555.0,
    memory_gib: 40,
    l2_kib: 40 << 10,
    l2_cycle: 5400.0 / 108.0 / 1.41,
    far: [213.0, 571.0],
    link: 26e9,
    source: "NVIDIA's data sheet; copy, L2 and latencies: RRZE gpu-benches",
});

pub(super) const H100: Gpu = gpu(&Card {
    name: "h100",
    title: "NVIDIA H100 PCIe",
    kind: HOPPER,
    multiprocessors: 114,
    megahertz: 1755,
    memory: (1593, 5120),
    reached: 1704.0 / 2039.0,
    memory_gib: 80,
    l2_kib: 50 << 10,
    l2_cycle: 6950.0 / 114.0 / 1.755,
    far: [265.0, 650.0],
    link: 55e9,
    source: "NVIDIA's data sheet; copy, L2 and latencies: RRZE gpu-benches",
});

pub(super) const ORIN: Gpu = gpu(&Card {
    name: "orin",
    title: "Jetson AGX Orin 64 GB",
    kind: ORIN_KIND,
    multiprocessors: 16,
    megahertz: 1300,
    memory: (3200, 256),
    reached: 4261.0 / 4800.0,
    memory_gib: 64,
    l2_kib: 4 << 10,
    l2_cycle: L2_RTX3060,
    far: [219.0, 515.0],
    // Host and GPU share the memory, which a copy reads and writes.
    link: 90e9,
    source: "NVIDIA Jetson AGX Orin technical brief; L2 and latencies of an RTX 3060; share of the peak as on an H200",
});

const fn gpu(card: &Card) -> Gpu {
    let Card { kind, .. } = card;
    let clock_hz = card.megahertz as f64 * 1e6;
    let (memory_megahertz, bits) = card.memory;
    let dram = card.reached * 2e6 * memory_megahertz as f64 * bits as f64 / 8.0;
    Gpu {
        name: card.name,
        title: card.title,
        capability: kind.capability,
        multiprocessors: card.multiprocessors,
        dram_bytes_per_second: dram,
        dram_ways: [dram; 2],
        clock_hz,
        l2_bytes: card.l2_kib << 10,
        memory_bytes: card.memory_gib << 30,
        memory_interface: (memory_megahertz * 1000, bits),
        link: Link::assumed(card.link, 10e9),
        launch_seconds: 4.3e-6,
        residency: Residency {
            warps: kind.warps,
            blocks: kind.blocks,
            registers: 65536,
            register_unit: 256,
            schedulers: 4,
            shared: kind.shared_kib * 1024,
            shared_unit: 128,
            shared_reserved: kind.shared_reserved,
        },
        rates: rates(card, clock_hz),
        validated: false,
        source: card.source,
    }
}

const fn rates(card: &Card, clock_hz: f64) -> Rates {
    let of = rates::H200;
    let slower = H200_CLOCK / clock_hz;
    let l2_cycle = card.l2_cycle * card.multiprocessors as f64;
    let [single, integer, double] = card.kind.results;
    let [_, multiply, _, special] = of.machine;
    Rates {
        machine: [32.0 / integer, multiply, 32.0 / single, special],
        double: 32.0 / double,
        request: 32.0 / card.kind.load_store_lanes,
        l2_bytes_per_second: l2_cycle * clock_hz,
        atomic_seconds: of.atomic_seconds * slower,
        atomic_slices: of.atomic_slices * l2_cycle / H200_L2_CYCLE,
        block_seconds: of.block_seconds * slower,
        first_seconds: of.first_seconds * slower,
        far: card.far,
        ..of
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use crate::model::gpu::{find, gpus};

    #[test]
    fn peaks_are_those_of_the_data_sheets() {
        // GB/s of the memory, and TFLOPS of single precision.
        let sheets = [
            ("rtx5070", 672.0, 30.9),
            ("rtx4090", 1008.0, 82.6),
            ("rtx4060", 272.0, 15.1),
            ("rtx3060", 360.0, 12.7),
            ("gtx1650", 128.0, 2.98),
            ("t4", 320.0, 8.1),
            ("a100", 1555.0, 19.5),
            ("h100", 2039.0, 51.2),
            ("orin", 204.8, 5.3),
        ];
        for (name, memory, teraflops) in sheets {
            let gpu = find(name).unwrap();
            let (kilohertz, bits) = gpu.memory_interface;
            let peak = 2e3 * f64::from(kilohertz) * f64::from(bits) / 8.0 / 1e9;
            assert!((peak / memory - 1.0).abs() < 0.005, "{name}: {peak} GB/s");
            let lanes = 32.0 / gpu.rates.machine[2];
            let flops = 2.0 * lanes * gpu.clock_hz * f64::from(gpu.multiprocessors) / 1e12;
            assert!((flops / teraflops - 1.0).abs() < 0.02, "{name}: {flops} TFLOPS");
        }
    }

    #[test]
    fn only_what_was_measured_counts_as_validated() {
        let validated: Vec<&str> = gpus().iter().filter(|gpu| gpu.validated).map(|gpu| gpu.name).collect();
        assert_eq!(validated, ["h200"]);
        assert!(gpus().iter().all(|gpu| !gpu.source.is_empty()));
    }

    #[test]
    fn the_rule_leaves_an_h200_as_it_is() {
        let [h200, h100] = ["h200", "h100"].map(|name| &find(name).unwrap().rates);
        assert_eq!((h100.machine, h100.request, h100.turn), (h200.machine, h200.request, h200.turn));
        // Per cycle of its clock, a slice of the L2 is as fast on both.
        let cycles = |name| find(name).unwrap().clock_hz * find(name).unwrap().rates.atomic_seconds;
        assert!((cycles("h100") / cycles("h200") - 1.0_f64).abs() < 1e-9);
    }
}
