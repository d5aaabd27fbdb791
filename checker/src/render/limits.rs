//! What bounds a kernel's predicted time, in words.

use super::wrap::grouped;
use crate::prediction::Resident;

/// The terms of the timing model (`simulator::model::TERM_NAMES`), and what they mean for a student.
const WORDS: [(&str, &str); 15] = [
    ("DRAM", "moving bytes: read and write each byte once"),
    ("L2", "sectors asked of the L2 cache: ask for each once, in whole words"),
    (
        "load/store pipe and shared memory",
        "requests to shared memory and the first cache: use wider loads, and no two words of one bank",
    ),
    ("issue", "executing instructions: save some a pixel"),
    ("integer arithmetic", "adding, comparing and shifting whole numbers: save some a pixel"),
    (
        "multiplication and single precision",
        "multiplying: save products, or add four of bytes with one `__dp4a`",
    ),
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
    ("latency", "waiting with nothing else to do"),
];

/// A wait that ends with one block.
const LONGEST: &str = "longest block";

/// What warps wait for if they do not wait for a resource.
const WAITS: [(&str, &str); 3] = [
    (
        "memory",
        "waiting for memory with too few loads under way: load more before the first use, or run more warps",
    ),
    (
        "itself",
        "waiting for results of the instructions before: let a thread work on several pixels at once, keep branches out \
         of the loop, or run more warps",
    ),
    (
        LONGEST,
        "waiting for the block that takes longest: shorten what only some blocks do, such as a border, or let each block \
         do less",
    ),
];

/// What a term means; its name if it has no words. With the latency, what warps wait for, and how many there are.
pub fn words(term: &str, wait: Option<&str>, resident: Option<&Resident>) -> String {
    let of = |table: &[(&str, &'static str)], key: &str| {
        table.iter().find(|(name, _)| *name == key).map(|(_, words)| *words)
    };
    let Some((wait, words)) = wait.and_then(|wait| Some((wait, of(&WAITS, wait)?))) else {
        return of(&WORDS, term).unwrap_or(term).to_owned();
    };
    // More warps would not shorten it.
    format!("{words}{}", resident.filter(|_| wait != LONGEST).map(warps).unwrap_or_default())
}

/// How many warps there are at once, and what keeps their number down.
fn warps(resident: &Resident) -> String {
    let why = match resident.scarce {
        "registers" => format!("a thread takes {} registers", resident.registers),
        "shared memory" => {
            format!("a block takes {} bytes of shared memory", grouped(u64::from(resident.shared)))
        }
        "blocks" => "it holds no more blocks".to_owned(),
        "grid" => "the grid has no more blocks".to_owned(),
        _ => return String::new(),
    };
    let Resident { warps, most, .. } = resident;
    format!(" (a multiprocessor has {warps:.0} of {most} at once: {why})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_of_the_model_has_words() {
        for name in simulator::model::TERM_NAMES {
            assert!(WORDS.iter().any(|(known, _)| *known == name), "{name}");
        }
    }

    #[test]
    fn few_warps_have_a_reason() {
        let of = |scarce| Resident { warps: 12.0, most: 64, scarce, registers: 160, shared: 20_480 };
        let said = |scarce| words("latency", Some("memory"), Some(&of(scarce)));
        assert!(
            said("registers")
                .ends_with("(a multiprocessor has 12 of 64 at once: a thread takes 160 registers)")
        );
        assert!(said("shared memory").ends_with("a block takes 20,480 bytes of shared memory)"));
        assert!(said("threads").ends_with("run more warps"));
        assert!(!words("latency", Some(LONGEST), Some(&of("registers"))).contains("at once"));
        assert_eq!(words("issue", None, Some(&of("registers"))), WORDS[3].1);
    }
}
