//! The limiter of a kernel's predicted time, in words.

use lab::Part;

use crate::numbers::grouped;
use crate::prediction::Resident;

/// The terms of the timing model (`simulator::model::TERM_NAMES`) in a student's words, each with advice.
const WORDS: [(&str, &str); 15] = [
    ("DRAM", "DRAM bandwidth: read and write each byte once"),
    ("L2", "L2 bandwidth: request each sector once, with loads and stores of whole words"),
    (
        "load/store pipe and shared memory",
        "the load/store units and shared memory: use wider loads, and avoid bank conflicts",
    ),
    ("issue", "instruction issue: use fewer instructions per pixel"),
    ("integer arithmetic", "integer arithmetic: use fewer additions, comparisons and shifts per pixel"),
    (
        "multiplication and single precision",
        "multiplications: use fewer per pixel, or add four products of bytes with one `__dp4a`",
    ),
    ("conversions and special functions", "conversions and special functions: compute with integers"),
    ("double precision", "double-precision arithmetic: write `0.3f` instead of `0.3`"),
    ("shuffles, votes and matches", "warp shuffles, votes and matches: use fewer per pixel"),
    ("barriers", "barriers: use fewer `__syncthreads()` per pixel"),
    (
        "constant memory",
        "constant memory, which serves one address at a time: put the table into shared memory",
    ),
    ("textures", "texture fetches: use fewer per pixel"),
    (
        "global atomics",
        "atomics on global memory, which are serialized per address: let fewer of them meet at one address",
    ),
    ("starting blocks", "the launch of blocks: launch fewer, and let each do more"),
    ("latency", "latency: warps wait, and no unit is busy"),
];

/// The wait for the last block.
const LONGEST: &str = "longest block";

/// The reasons of warps to wait when no unit is busy.
const WAITS: [(&str, &str); 3] = [
    (
        "memory",
        "memory latency, with too few loads in flight: issue more loads before the first use, or run more warps",
    ),
    (
        "itself",
        "instruction latency, because instructions wait for earlier results: let a thread process several pixels at once, \
         keep branches out of the loop, or run more warps",
    ),
    (
        LONGEST,
        "the block that runs longest: shorten work that only some blocks do, such as a border, or let each block do \
         less",
    ),
];

/// A part of the time in words, with what to do about it.
pub fn of_part(part: Part) -> String {
    let (name, _) = part.words();
    let advice = match part {
        Part::Bytes => "request each sector once",
        Part::Requests => "load and store whole words and vectors, which need fewer requests",
        Part::SharedMemory => "use wider accesses, and avoid bank conflicts",
        Part::Atomics => {
            "let fewer updates meet at one address, and give each block more to add up before it adds to global memory"
        }
        Part::Instructions => "use fewer instructions per pixel",
        Part::Waiting => "have more loads in flight, or run more warps",
        Part::Launches => "launch fewer kernels, and fewer blocks that each do more",
        Part::Copies => "copy and fill less, or make it a part of a kernel",
    };
    format!("{name}: {advice}")
}

/// The same without advice, which the next step of a report gives.
pub fn cause(term: &str, wait: Option<&str>, resident: Option<&Resident>) -> String {
    let words = words(term, wait, resident);
    let (cause, rest) = words.split_once(": ").unwrap_or((&words, ""));
    let warps = rest.find(" (").map_or("", |at| &rest[at..]);
    format!("{cause}{warps}")
}

/// Everything that a report may name as the limit, in its words: a name, and after a colon what to do about it.
pub fn all() -> impl Iterator<Item = &'static str> {
    WORDS.iter().chain(&WAITS).map(|(_, words)| *words)
}

/// A term in words; its name if it has none. For the latency, the reason to wait and the number of warps.
pub fn words(term: &str, wait: Option<&str>, resident: Option<&Resident>) -> String {
    let of = |table: &[(&str, &'static str)], key: &str| {
        table.iter().find(|(name, _)| *name == key).map(|(_, words)| *words)
    };
    let Some((wait, words)) = wait.and_then(|wait| Some((wait, of(&WAITS, wait)?))) else {
        return of(&WORDS, term).unwrap_or(term).to_owned();
    };
    // More warps would not shorten the wait for the longest block.
    format!("{words}{}", resident.filter(|_| wait != LONGEST).map(warps).unwrap_or_default())
}

/// The number of resident warps, and the resource that limits it.
fn warps(resident: &Resident) -> String {
    let why = match resident.scarce {
        "registers" => format!("a thread uses {} registers", resident.registers),
        "shared memory" => {
            format!("a block uses {} bytes of shared memory", grouped(u64::from(resident.shared)))
        }
        "blocks" => "a multiprocessor cannot hold more blocks".to_owned(),
        "grid" => "the grid has no more blocks".to_owned(),
        _ => return String::new(),
    };
    let Resident { warps, most, .. } = resident;
    format!(" ({warps:.0} of {most} warps per multiprocessor are resident: {why})")
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
                .ends_with("(12 of 64 warps per multiprocessor are resident: a thread uses 160 registers)")
        );
        assert!(said("shared memory").ends_with("a block uses 20,480 bytes of shared memory)"));
        assert!(said("threads").ends_with("run more warps"));
        assert!(!words("latency", Some(LONGEST), Some(&of("registers"))).contains("resident"));
        assert_eq!(words("issue", None, Some(&of("registers"))), WORDS[3].1);
        let cause = |scarce| cause("latency", Some("memory"), Some(&of(scarce)));
        assert_eq!(cause("threads"), "memory latency, with too few loads in flight");
        assert!(
            cause("registers").starts_with("memory latency, with too few loads in flight (12 of 64 warps")
        );
    }
}
