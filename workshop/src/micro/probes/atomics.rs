//! Shared memory, and atomics on it and on global memory.

use super::{ALONE, Figure, MEBI, Probe, atomics, shared};

pub(super) fn shared_memory() -> Vec<Probe> {
    let block = |name, levels| Probe {
        name,
        kernel: "shared_float_histogram",
        threads: 256,
        parameter: levels,
        rounds: [20, 100],
        figure: Figure::Latency(16.0 * 256.0),
        ..ALONE
    };
    let alone = |name, kernel, distinct| Probe {
        name,
        kernel,
        parameter: distinct,
        rounds: [200, 1000],
        figure: Figure::Latency(16.0),
        ..ALONE
    };
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
        shared("shared float add, 32 words 2 apart", "shared_float_adds_apart", 2),
        shared("shared float add, 32 words 8 apart", "shared_float_adds_apart", 8),
        shared("shared float add, 32 words 32 apart", "shared_float_adds_apart", 32),
        shared("shared float add, random of 256 words", "shared_float_histogram", 256),
        shared("shared float add, random of 64 words", "shared_float_histogram", 64),
        shared("shared float add, random of 16 words", "shared_float_histogram", 16),
        shared("shared float add, random of 4 words", "shared_float_histogram", 4),
        shared("shared float add, 1 word for the block", "shared_float_histogram", 1),
        block("shared float add of a block alone, 1 word, a lane", 1),
        block("shared float add of a block alone, 4 words, a lane", 4),
        block("shared float add of a block alone, 16 words, a lane", 16),
        block("shared float add of a block alone, 256 words, a lane", 256),
        alone("latency of a shared float add, 32 words", "shared_float_adds", 32),
        alone("latency of a shared float add, 8 words", "shared_float_adds", 8),
        alone("latency of a shared float add, 1 word", "shared_float_adds", 1),
        alone("latency of a shared float add, 32 words 32 apart", "shared_float_adds_apart", 32),
        alone("latency of a shared add with result", "shared_add_chase", 1),
        shared("shared increment, random of 256 words", "shared_histogram", 256),
        shared("shared increment, random of 16 words", "shared_histogram", 16),
        Probe { figure: Figure::CyclesPerWarp(1.0), ..shared("barrier, 8 blocks of 256", "barriers", 3) },
        Probe {
            figure: Figure::CyclesPerWarp(1.0),
            threads: 1024,
            blocks: 2,
            ..shared("barrier, 2 blocks of 1024", "barriers", 3)
        },
    ]
}

pub(super) fn global_atomics() -> Vec<Probe> {
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
        atomics("atomic float add, random of 4 Mi words", "scattered_float_adds", 4 * MEBI, 3),
        atomics("atomic float add, 1 word, 32 lanes", "meeting_float_adds", 1024, 1),
        atomics("atomic float add, 4 words, 32 lanes", "meeting_float_adds", 1024, 4),
        atomics("atomic float add, 8 words, 32 lanes", "meeting_float_adds", 1024, 8),
        atomics("atomic float add, 16 words, 32 lanes", "meeting_float_adds", 1024, 16),
        atomics("atomic float add, the same word, 1 lane", "one_lane_float_adds", 1024, 1),
        Probe {
            name: "latency of an atomic add with result",
            kernel: "atomic_chase",
            rounds: [50, 250],
            figure: Figure::Latency(16.0),
            ..ALONE
        },
        atomics("atomic float add, 32 words, 32 lanes", "meeting_float_adds", 1024, 32),
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
