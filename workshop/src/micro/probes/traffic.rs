//! Traffic past the L1.

use super::{FULL, Figure, MEBI, Probe};

pub(super) fn traffic() -> Vec<Probe> {
    let of = |name, kernel, words, rounds| Probe {
        name,
        kernel,
        words,
        rounds,
        figure: Figure::NanosecondsPerWarp(1.0),
        ..FULL
    };
    let own = |name, blocks| Probe { blocks, threads: 128, ..of(name, "own_kibibyte", 1024, [200, 1000]) };
    let anywhere = |name, kernel, words| of(name, kernel, words, [16, 80]);
    let stores = |name, kernel| Probe { blocks: 32, threads: 64, ..of(name, kernel, 4 * MEBI, [16, 80]) };
    // 512 loads of 16 bytes by each of eight warps.
    let all = |name, apart| Probe {
        parameter: apart,
        blocks: 1,
        figure: Figure::Latency(512.0),
        ..of(name, "read_by_all", MEBI / 2, [2, 10])
    };
    let places = |name, kernel, words| Probe {
        blocks: 1,
        threads: 32,
        figure: Figure::Latency(1.0),
        ..of(name, kernel, words, [500, 2500])
    };
    vec![
        own("a word of a kibibyte of one's own, 16 MiB in all", 1),
        own("a word of a kibibyte of one's own, 33 MiB in all", 2),
        own("a word of a kibibyte of one's own, 66 MiB in all", 4),
        own("a word of a kibibyte of one's own, 132 MiB in all", 8),
        own("a word of a kibibyte of one's own, 264 MiB in all", 16),
        anywhere("load of 32 words anywhere in 16 MiB", "load_anywhere", 4 * MEBI),
        anywhere("store of 32 words anywhere in 16 MiB", "store_anywhere", 4 * MEBI),
        anywhere("load of 32 words anywhere in 512 MiB", "load_anywhere", 128 * MEBI),
        anywhere("store of 32 words anywhere in 512 MiB", "store_anywhere", 128 * MEBI),
        anywhere("load and store of 32 words anywhere in 512 MiB", "change_anywhere", 128 * MEBI),
        anywhere("store of 32 words of one's own", "store_own_words", MEBI),
        anywhere("store of a byte in each of 32 rows of 4 KiB", "store_down_columns", 4 * MEBI),
        stores("store of a byte in eight", "stores_of_1"),
        stores("two stores of bytes side by side", "stores_of_2"),
        stores("four stores of bytes side by side", "stores_of_4"),
        stores("eight stores of bytes side by side", "stores_of_8"),
        stores("eight stores of bytes side by side, loads between", "stores_of_8_and_loads"),
        all("load of what all blocks load", 0),
        all("load of what all blocks load at other times", 1),
        places("latency of the L2, loads of 1 place in a row", "load_1_place", MEBI),
        places("latency of the L2, loads of 3 places in a row", "load_3_places", MEBI),
        places("latency of DRAM, loads of 1 place in a row", "load_1_place", 256 * MEBI),
        places("latency of DRAM, loads of 3 places in a row", "load_3_places", 256 * MEBI),
    ]
}
