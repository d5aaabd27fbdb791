//! What single operations cost on an H200: measured by `workshop micro`.

use judge::numbers::significant;
use records::Micro;

use crate::data::Data;
use crate::pictures::charts::{Bar, bars};

/// A picture: its name, its title, and the operations that it compares, in the words of the file.
struct Comparison {
    name: &'static str,
    title: &'static str,
    operations: &'static [&'static str],
}

const COMPARISONS: [Comparison; 6] = [
    Comparison {
        name: "operations",
        title: "Cycles of a multiprocessor that one instruction of a warp takes",
        operations: &[
            "fused multiply-add",
            "dot product of bytes",
            "integer multiply-add",
            "shuffle and add",
            "minimum and maximum",
            "byte to float, and a shift",
            "float division",
            "unsigned division",
            "double division",
        ],
    },
    Comparison {
        name: "latencies",
        title: "Cycles from a load to its value",
        operations: &[
            "latency of shared memory",
            "latency of constant memory",
            "latency of the L1",
            "latency of the L2, 1 MiB",
            "latency of DRAM, 1 GiB",
        ],
    },
    Comparison {
        name: "wavefronts",
        title: "Cycles that a load from shared memory takes, by its wavefronts",
        operations: &[
            "shared load, 1 wavefront",
            "shared load, 2 wavefronts",
            "shared load, 8 wavefronts",
            "shared load, 32 wavefronts",
        ],
    },
    Comparison {
        name: "constants",
        title: "Cycles that a load from constant memory takes, by the number of different words in a warp",
        operations: &[
            "constant load of 1 word of 1 KiB",
            "constant load of 2 words of 1 KiB",
            "constant load of 4 words of 1 KiB",
            "constant load of 8 words of 1 KiB",
            "constant load of 16 words of 1 KiB",
            "constant load of 32 words of 1 KiB",
        ],
    },
    Comparison {
        name: "increments",
        title: "Nanoseconds of the whole GPU per warp that adds to global memory, by the number of counters",
        operations: &[
            "atomic add, 1 word, 32 lanes",
            "atomic add, random of 32 words",
            "atomic add, random of 256 words",
            "atomic add, random of 1024 words",
            "atomic add, random of 4096 words",
            "atomic add, random of 65536 words",
        ],
    },
    Comparison {
        name: "matches",
        title: "Cycles of __match_any_sync, by the number of different values in a warp",
        operations: &[
            "match_any of 1 value",
            "match_any of 2 values",
            "match_any of 8 values",
            "match_any of 32 values",
        ],
    },
];

pub fn all(data: &[Data]) -> Vec<(String, String)> {
    let files = data.iter().filter_map(|file| file.contents.get::<Micro>());
    files
        .flat_map(|micro| COMPARISONS.map(|comparison| (comparison.name.to_owned(), one(&comparison, micro))))
        .collect()
}

fn one(comparison: &Comparison, micro: &Micro) -> String {
    let bar = |name: &&str| {
        let figure = micro.figures.iter().find(|figure| figure.name == **name)?;
        let value = figure.value;
        Some(Bar { name: (*name).to_owned(), value, label: significant(value), class: "c0" })
    };
    bars(comparison.title, &comparison.operations.iter().filter_map(bar).collect::<Vec<_>>())
}
