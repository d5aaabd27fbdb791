//! The latency of a lone warp: how long it takes by itself, and what it waits for.

use super::imbalance::chance;
use super::residency::rounds;
use crate::model::counters::{CriticalPath, StallReason};
use crate::model::gpu::Gpu;
use crate::model::launch::{Kernel, Whole};
use crate::model::machine::FAR;
/// The path of a warp by its PTX is off by this factor at the most.
const SLOWER: f64 = 2.0;

/// Cycles of a pass of the load/store pipe where hardly anybody else uses it: a load of 32 words 32 apart takes a warp alone 69 cycles,
/// and a multiprocessor full of warps 32 each (`workshop micro`).
const LONE_PASS: f64 = 2.16;
/// The part of the longer of two waits from which on the other is about as long: to name one of them would be chance.
const ALIKE: f64 = 0.7;

/// What warps spend most of the time on in which they have nothing to issue. The rounds of blocks, in which nobody waits for an
/// instruction, do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// Loads that the first-level cache does not have.
    Memory,
    /// Results of the warp's own instructions, shared memory, the first-level cache, barriers, locks.
    Itself,
    /// Both: for either about as long.
    Both,
    /// One block that has more to do than the others.
    LongestBlock,
}

impl Wait {
    /// Of these cycles, or seconds, in which warps wait for memory, and for anything else of their own.
    pub fn between(memory: f64, itself: f64) -> Self {
        if itself.min(memory) >= ALIKE * itself.max(memory) {
            Self::Both
        } else if memory >= itself {
            Self::Memory
        } else {
            Self::Itself
        }
    }
}

/// The latency of a launch.
pub(super) struct LoneWarpLatency {
    /// What a warp takes by itself, times the rounds of blocks on the busiest multiprocessor, and what the longest block takes
    /// longer.
    pub seconds: f64,
    /// What most of it is.
    pub mostly: Wait,
}

impl LoneWarpLatency {
    /// `from_dram` is the share of the sectors that the L1 does not have that come from DRAM.
    pub(super) fn of(kernel: &Kernel, whole: Whole, from_dram: f64, gpu: &Gpu) -> Self {
        let counters = &kernel.counters;
        let rounds = rounds(kernel, whole, gpu);
        let away = away(from_dram, gpu);
        let far = |path: &CriticalPath| {
            path.cycles[StallReason::Far as usize] as f64 * away / CriticalPath::FAR as f64
        };
        let cycles = |path: &CriticalPath| {
            let of = |reason: StallReason| path.cycles[reason as usize] as f64;
            (of(StallReason::Compute) + of(StallReason::Barrier)) * gpu.rates.chain
                + of(StallReason::Near) * gpu.rates.near
                + far(path)
        };
        let nominal = |path: &CriticalPath| path.total() as f64;
        // A block of the whole may have more to do than one of the sample.
        let of_block = whole.scale / whole.blocks.max(1.0);
        let path = (cycles(&counters.path) * of_block, far(&counters.path) * of_block);
        let (average, memory) = kernel.machine.map_or(path, |work| {
            let of_warp = of_block / f64::from(kernel.warps());
            let far = work.far * away / FAR;
            // Loads one behind the other keep the pipe busy while the warp waits for the first of them.
            let near = libm::hypot(work.near, LONE_PASS * work.conflicts);
            ((near + far) * of_warp, far * of_warp)
        });
        let average_path = nominal(&counters.path) * of_block;
        // The longest path is known from the PTX alone; machine code is so much faster or slower.
        let pace = (average / average_path.max(1.0)).clamp(SLOWER.recip(), SLOWER);
        let longest = nominal(&counters.longest_path);
        let longer = (longest - average_path).max(0.0) * pace;
        // The first blocks begin with the launch. The next one in a place begins when the slowest warp of the one before is done.
        let [turn, warp] = gpu.rates.turn;
        let [l2, dram] = gpu.rates.far_deviation;
        let warps = f64::from(kernel.warps());
        let slowest = chance(warps) * (l2 + from_dram * (dram - l2));
        let turns = (rounds - 1.0) * (turn + warp * warps + slowest);
        let alone = average * rounds + turns;
        let mostly = if longer > (alone - memory * rounds).max(memory * rounds) {
            Wait::LongestBlock
        } else {
            Wait::between(memory, average - memory)
        };
        Self { seconds: (alone + longer) / gpu.clock_hz, mostly }
    }
}

/// Cycles until a load is there of which this share comes from DRAM.
pub(super) fn away(from_dram: f64, gpu: &Gpu) -> f64 {
    let [from_l2, all_from_dram] = gpu.rates.far;
    from_l2 + from_dram * (all_from_dram - from_l2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::counters::Counters;
    use crate::model::gpu::find;
    use crate::model::machine::MachineWork;

    /// Cycles of a launch of one warp.
    fn cycles(work: &MachineWork) -> f64 {
        cycles_of(work, 1)
    }

    /// Cycles of so many blocks of a warp.
    fn cycles_of(work: &MachineWork, blocks: u32) -> f64 {
        let gpu = find("h200").unwrap();
        let kernel = Kernel { machine: Some(*work), ..Kernel::of(Counters::default(), blocks, 32) };
        let whole = Whole::new(1.0, kernel.blocks());
        LoneWarpLatency::of(&kernel, whole, 0.0, gpu).seconds * gpu.clock_hz
    }

    #[test]
    fn one_block_more_than_fits_takes_another_round() {
        // 32 blocks on each of 132 multiprocessors.
        let of = |blocks: u32| {
            cycles_of(&MachineWork { near: 1000.0 * f64::from(blocks), ..MachineWork::default() }, blocks)
        };
        assert!((of(1) - 1000.0).abs() < 1e-6 && (of(4224) - 1000.0).abs() < 1e-6);
        let turn = find("h200").unwrap().rates.turn;
        for blocks in [4225, 8448] {
            assert!((of(blocks) - 2000.0 - turn[0] - turn[1]).abs() < 1e-6, "{}", of(blocks));
        }
    }

    #[test]
    fn a_place_is_free_when_the_slowest_warp_of_its_block_is_done() {
        let gpu = find("h200").unwrap();
        // So many times as many blocks of 1024 threads as fit: what all of them wait for the slowest.
        let waits = |times: u32, from_dram: f64| {
            let kernel = Kernel::of(Counters::default(), 264 * times, 1024);
            let whole = Whole::new(1.0, kernel.blocks());
            let turn = gpu.rates.turn[0] + 32.0 * gpu.rates.turn[1];
            LoneWarpLatency::of(&kernel, whole, from_dram, gpu).seconds * gpu.clock_hz
                - f64::from(times - 1) * turn
        };
        assert!(waits(1, 1.0).abs() < 1e-6, "{}", waits(1, 1.0));
        // The largest of 32 normal numbers lies 2.07 deviations above their mean (tables of normal order statistics).
        let [l2, dram] = gpu.rates.far_deviation;
        for (from_dram, deviation) in [(0.0, l2), (1.0, dram)] {
            let expected = 2.0 * 2.07 * deviation;
            assert!((waits(3, from_dram) / expected - 1.0).abs() < 0.04, "{}", waits(3, from_dram));
        }
    }

    #[test]
    fn conflicts_of_a_warp_alone_take_twice_as_long_and_hide_what_it_waits_for_meanwhile() {
        let of = |near, conflicts| cycles(&MachineWork { near, conflicts, ..MachineWork::default() });
        // A load of 32 words 32 apart: 31 passes more than one that has no conflicts.
        assert!((of(0.0, 31.0) - 67.0).abs() < 1.0, "{}", of(0.0, 31.0));
        assert!((of(1000.0, 0.0) - 1000.0).abs() < 1e-6);
        assert!((1000.0..1100.0).contains(&of(1000.0, 200.0)), "{}", of(1000.0, 200.0));
    }

    #[test]
    fn the_largest_part_has_the_name() {
        assert_eq!(Wait::between(6.0, 4.0), Wait::Memory);
        assert_eq!(Wait::between(3.0, 7.0), Wait::Itself);
        assert_eq!(Wait::between(4.5, 5.5), Wait::Both);
        let wait = |far, longest: u64| {
            let mut counters = Counters::default();
            counters.longest_path.cycles[StallReason::Compute as usize] = longest;
            let work = MachineWork { near: 1000.0, far, ..MachineWork::default() };
            let kernel = Kernel { machine: Some(work), ..Kernel::of(counters, 264 * 50, 1024) };
            let whole = Whole::new(1.0, kernel.blocks());
            LoneWarpLatency::of(&kernel, whole, 1.0, find("h200").unwrap()).mostly
        };
        assert_eq!(wait(0.0, 0), Wait::Itself);
        assert_eq!(
            wait(2000.0, 0),
            Wait::Memory,
            "that a block begins when another is done is no wait for a result"
        );
        assert_eq!(wait(2000.0, 10_000_000), Wait::LongestBlock);
    }
}
