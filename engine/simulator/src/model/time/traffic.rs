//! Traffic past the L1: to the L2, and to and from DRAM.
//!
//! Constants without another source were measured on an H200 by `workshop micro`, and seen in the counters of NVIDIA's
//! profiler while its kernels ran; other GPUs are taken to behave alike.

use super::residency::resident;
use crate::model::counters::SIDE_BY_SIDE;
use crate::model::gpu::Gpu;
use crate::model::launch::{Kernel, Whole};
use crate::model::machine::FAR;

/// Bytes of a sector.
const SECTOR: f64 = 32.0;
/// What stores take of the way to the L2, in sectors loaded (269 of which go there in a nanosecond on an H200): each line of a request,
/// each sector, and each sector of which only a part is stored. Of whole lines a nanosecond moves 133 sectors, of lines of four parts
/// 117, of one part each 63, as they are stored down columns (77 anywhere at random). By its counters the ports of the L2's slices are
/// busy with them then.
const STORED: [f64; 3] = [2.58, 1.38, 0.29];
/// Of the 132 multiprocessors of an H200 that load the same sector at once, the L2 hears 35 times: two that share a port to the
/// crossbar always ask together, and often those of a cluster of them. GPUs before compute capability 8.0 have no such unit.
const PORTS: f64 = 36.0 / 132.0;
const JOINS_LOADS: u32 = 80;
/// Data of up to this share of the L2 are all there when they are read again, and beyond this share none: of 24 MiB an H200 reads 5 %
/// from DRAM again, of 32 and 40 MiB 30 and 75 %, of 48 MiB 97 %.
const FOUND: [f64; 2] = [0.5, 0.95];

/// Sectors read of which a sixteenth tells when they are come for.
const ENOUGH: u64 = 1024;

/// What a launch moves.
pub(super) struct Traffic {
    /// Seconds of DRAM.
    pub seconds: f64,
    /// Share of the sectors that the L1 does not have that come from DRAM.
    pub from_dram: f64,
    /// Share of what is read that an earlier launch has left in the L2.
    pub found: f64,
    /// Bytes between the multiprocessors and the L2, as if they were loaded: what is loaded or what is stored, whichever is more.
    /// They go different ways: a copy within the L2 takes no longer than storing half of its bytes.
    pub l2_bytes: f64,
}

impl Traffic {
    pub(super) fn of(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> Self {
        let counters = &kernel.counters;
        let count = |events: u64| events as f64 * whole.scale;
        let read = count(counters.unique_read_sectors) * SECTOR;
        let written = count(counters.unique_write_sectors) * SECTOR;
        // What an earlier launch left, which is no more than it had; if this one reads more, it pushes out what it has not come
        // to yet.
        let left = |moved: f64| (moved / read.max(SECTOR)).min(1.0) * found(moved.max(read), gpu);
        let found = whole.earlier.map_or(0.0, left);
        let missed = count(counters.missed_sectors).max(1.0) * SECTOR;
        let [reading, writing] = gpu.dram_ways;
        let shared = shared_loads(kernel, gpu);
        let waited =
            waiting(kernel, whole, gpu).unwrap_or((read * shared.blocks / missed).min(1.0)) * (1.0 - found);
        Self {
            // What is written stays in the L2 at first, and pushes out what was written before.
            seconds: read * (1.0 - found) / reading + written / writing,
            from_dram: waited,
            found,
            l2_bytes: (missed * shared.heard).max(stored(kernel) * whole.scale * SECTOR),
        }
    }
}

/// The share of the sectors missed for which a warp waits until they come from DRAM, if the L2 has nothing yet: those of who comes first for
/// them and of those who come at the same time. `None` where too few were looked at to tell.
fn waiting(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> Option<f64> {
    let counters = &kernel.counters;
    if counters.unique_read_sectors < ENOUGH {
        return None;
    }
    let at_once = (resident(kernel, gpu) * f64::from(gpu.multiprocessors)).min(whole.blocks);
    let share = |figures: [u64; SIDE_BY_SIDE.len()]| {
        let sectors = between(
            &SIDE_BY_SIDE.map(|blocks| blocks as f64),
            &figures.map(|sectors| sectors as f64),
            at_once,
        );
        (sectors / counters.missed_sectors.max(1) as f64).min(1.0)
    };
    // Of what a warp waits for one after the other in a round of a loop, all but the first has come meanwhile.
    let first = match kernel.machine {
        Some(work) if work.far > 0.0 => (work.rounds_missed * FAR / work.far).min(1.0),
        _ => 1.0,
    };
    Some(share(counters.traffic.first_by_request).max(first * share(counters.traffic.first_by_round)))
}

/// What share of so many bytes the L2 still has when they are read again in the same order: what is missing pushes out what
/// comes next.
fn found(bytes: f64, gpu: &Gpu) -> f64 {
    let [whole, nothing] = FOUND.map(|share| share * gpu.l2_bytes as f64);
    ((nothing - bytes) / (nothing - whole)).clamp(0.0, 1.0)
}

/// Sectors that go between the multiprocessors and the L2, as counted: loads that the L2 hears of, stores that leave, atomics.
pub fn l2_sectors(kernel: &Kernel, gpu: &Gpu) -> f64 {
    let counters = &kernel.counters;
    let loads = counters.missed_sectors as f64 * shared_loads(kernel, gpu).heard;
    loads + sent(kernel) + counters.global_atomic_sectors as f64
}

/// Sectors of stores.
fn sent(kernel: &Kernel) -> f64 {
    (kernel.counters.global_store_sectors + kernel.counters.local_store_sectors) as f64
}

/// Sectors stored, as if they were loaded.
fn stored(kernel: &Kernel) -> f64 {
    let of = |events: u64| events as f64;
    let traffic = &kernel.counters.traffic;
    let [line, sector, part] = STORED;
    line * of(traffic.store_lines) + sector * sent(kernel) + part * of(traffic.partial_sectors)
}

/// How many blocks load the same sectors at the same time, and how much of what they miss the L2 hears of.
struct SharedLoads {
    blocks: f64,
    heard: f64,
}

/// Blocks of which each goes over the same data keep step: whoever is first waits, and the others find what it has brought.
fn shared_loads(kernel: &Kernel, gpu: &Gpu) -> SharedLoads {
    let counters = &kernel.counters;
    let multiprocessors = f64::from(gpu.multiprocessors);
    let at_once = resident(kernel, gpu) * multiprocessors;
    let apart = match counters.traffic.distinct_missed_sectors {
        // Not known.
        0 => counters.missed_sectors.max(1),
        apart => apart,
    };
    let blocks = (counters.missed_sectors as f64 / apart as f64).min(at_once).max(1.0);
    // Those on one multiprocessor share its cache.
    let asking = blocks.min(multiprocessors);
    let ports = PORTS * multiprocessors;
    let heard = if gpu.capability >= JOINS_LOADS {
        ports * (1.0 - libm::pow(1.0 - 1.0 / ports, asking))
    } else {
        asking
    };
    SharedLoads { blocks, heard: heard / blocks }
}

/// A figure known at these places, at this one.
fn between<const N: usize>(places: &[f64; N], figures: &[f64; N], at: f64) -> f64 {
    let above = places.partition_point(|&place| place < at);
    if above == 0 || above == N {
        return figures[above.min(N - 1)];
    }
    let way = (at - places[above - 1]) / (places[above] - places[above - 1]);
    figures[above - 1] * (1.0 - way) + figures[above] * way
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::counters::{self, Counters};
    use crate::model::gpu::find;
    use crate::model::machine::MachineWork;

    fn kernel(blocks: u32, counters: Counters) -> Kernel {
        Kernel::of(counters, blocks, 256)
    }

    fn traffic(kernel: &Kernel, gpu: &str) -> Traffic {
        let whole = Whole::new(1.0, kernel.blocks());
        Traffic::of(kernel, whole, find(gpu).unwrap())
    }

    /// 264 blocks, two on each multiprocessor of an H200, that miss a million sectors, and read an eighth of a million, so many of them
    /// alike.
    fn loads(alike: u64) -> Kernel {
        let mut counters =
            Counters { missed_sectors: 264_000, unique_read_sectors: 1000, ..Counters::default() };
        counters.traffic.distinct_missed_sectors = alike;
        kernel(264, counters)
    }

    #[test]
    fn what_all_blocks_load_at_once_the_l2_hears_of_less_often() {
        let sectors = |alike, gpu| traffic(&loads(alike), gpu).l2_bytes / SECTOR;
        assert!((sectors(264_000, "h200") - 264_000.0).abs() < 1e-6);
        // 35 of 132 multiprocessors, as counted on an H200, and one of two blocks on each.
        let heard = sectors(1000, "h200");
        assert!((34_500.0..35_500.0).contains(&heard), "{heard}");
        // Ninety of the blocks at once, on fifteen multiprocessors that nothing joins: each sixth asks.
        assert!((sectors(1000, "gtx480") - 44_000.0).abs() < 1.0, "{}", sectors(1000, "gtx480"));
    }

    /// Two blocks of each pair miss the same sectors, of many more pairs than run at once: so many are come for first, or by both at the same
    /// time, counted by requests and by rounds.
    fn neighbours(by_request: u64, by_round: u64) -> Kernel {
        let mut counters =
            Counters { missed_sectors: 40_000, unique_read_sectors: 20_000, ..Counters::default() };
        counters.traffic.distinct_missed_sectors = 20_000;
        counters.traffic.first_by_request = [by_request; SIDE_BY_SIDE.len()];
        counters.traffic.first_by_round = [by_round; SIDE_BY_SIDE.len()];
        kernel(40_000, counters)
    }

    #[test]
    fn neighbours_that_load_the_same_at_once_all_wait_for_dram() {
        let from_dram = |by_request, by_round| traffic(&neighbours(by_request, by_round), "h200").from_dram;
        assert!((from_dram(40_000, 40_000) - 1.0).abs() < 1e-9);
        assert!((from_dram(20_000, 20_000) - 0.5).abs() < 1e-9);
        // More than there are, as a sample may say.
        assert!((from_dram(44_000, 20_000) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn what_is_waited_for_later_in_a_round_has_come_meanwhile() {
        let mut kernel = neighbours(10_000, 40_000);
        let mut from_dram = |waits: f64| {
            kernel.machine = Some(MachineWork {
                rounds_missed: 100.0,
                far: 100.0 * waits * FAR,
                ..MachineWork::default()
            });
            traffic(&kernel, "h200").from_dram
        };
        // One wait a round, two, and so many that the requests by themselves say more.
        let found = [from_dram(1.0), from_dram(2.0), from_dram(8.0)];
        for (found, expected) in found.into_iter().zip([1.0, 0.5, 0.25]) {
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
    }

    #[test]
    fn fewer_blocks_at_once_have_fewer_neighbours() {
        let mut kernel = neighbours(0, 0);
        for (place, sectors) in kernel.counters.traffic.first_by_request.iter_mut().enumerate() {
            *sectors = 4_000 * (place as u64 + 1);
        }
        let from_dram = |blocks| {
            let whole = Whole::new(1.0, blocks);
            Traffic::of(&kernel, whole, find("h200").unwrap()).from_dram
        };
        assert!((from_dram(4.0) - 0.1).abs() < 1e-9 && (from_dram(256.0) - 0.4).abs() < 1e-9);
        // Eight of these blocks on each multiprocessor, and no more at once.
        assert!((from_dram(1056.0) - from_dram(40_000.0)).abs() < 1e-9 && from_dram(1056.0) > 0.5);
    }

    #[test]
    fn loads_and_stores_go_different_ways() {
        let of = |missed_sectors, global_store_sectors, store_lines| {
            let mut counters = Counters { global_store_sectors, missed_sectors, ..Counters::default() };
            counters.traffic.distinct_missed_sectors = missed_sectors;
            counters.traffic.store_lines = store_lines;
            traffic(&kernel(40_000, counters), "h200").l2_bytes
        };
        let (loads, stores) = (of(1 << 20, 0, 0), of(0, 1 << 20, 1 << 18));
        assert!(stores > 1.5 * loads);
        assert!((of(1 << 20, 1 << 20, 1 << 18) - stores).abs() < 1e-6);
    }

    #[test]
    fn all_wait_for_what_one_of_them_brings() {
        assert!((traffic(&loads(264_000), "h200").from_dram - 1.0 / 264.0).abs() < 1e-9);
        assert!((traffic(&loads(1000), "h200").from_dram - 1.0).abs() < 1e-9);
    }

    #[test]
    fn stores_count_as_they_are_sent() {
        let of = |store_lines, partial_sectors| {
            let mut counters = Counters { global_store_sectors: 600, ..Counters::default() };
            counters.traffic = counters::Traffic { partial_sectors, store_lines, ..counters.traffic };
            stored(&kernel(1, counters))
        };
        // Whole lines at 133 sectors a nanosecond, lines in part at 117, and parts of their own at 63 (loads: 269).
        for (lines, parts, rate) in [(150, 0, 133.0), (150, 600, 117.0), (600, 600, 63.0)] {
            let expected = 600.0 * 269.0 / rate;
            assert!((of(lines, parts) / expected - 1.0).abs() < 0.07, "{lines} {parts}");
        }
    }
}
