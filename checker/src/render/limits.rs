//! What bounds a kernel's predicted time, in words.

/// The terms of the timing model (`simulator::timing::TERM_NAMES`), and what they mean for a student.
const WORDS: [(&str, &str); 15] = [
    ("DRAM", "moving bytes: read and write each byte once"),
    ("L2", "sectors asked of the L2 cache: ask for each once, in whole words"),
    (
        "load/store pipe and shared memory",
        "requests to shared memory and the first cache: use wider loads, and no two words of one bank",
    ),
    ("issue", "executing instructions: save some a pixel"),
    ("integer arithmetic", "adding, comparing and shifting whole numbers: save some a pixel"),
    ("multiplication and single precision", "multiplying: add four products of bytes with one `__dp4a`"),
    ("conversions and special functions", "conversions and special functions: stay in whole numbers"),
    ("double precision", "double precision: write `0.3f` for `0.3`"),
    ("shuffles, votes and matches", "shuffles, votes and matches of warps"),
    ("barriers", "waiting at barriers"),
    ("constant memory", "constant memory, one address after another: look up in shared memory"),
    ("textures", "fetching from textures"),
    (
        "global atomics",
        "atomics on global memory, one after another at one address: add up in shared memory first",
    ),
    ("starting blocks", "starting blocks of threads: launch fewer, and let each do more"),
    (
        "latency",
        "waiting for memory with too few loads under way: load more before the first use, or run more warps",
    ),
];

/// What a term means; its name if it has no words.
pub fn words(term: &str) -> &str {
    WORDS.iter().find(|(name, _)| *name == term).map_or(term, |(_, words)| words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_of_the_model_has_words() {
        for name in simulator::timing::TERM_NAMES {
            assert!(WORDS.iter().any(|(known, _)| *known == name), "{name}");
        }
    }
}
