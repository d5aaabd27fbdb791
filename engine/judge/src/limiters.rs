//! The limiter of a kernel's predicted time, in words.

use lab::Part;
use simulator::model::Wait;

use crate::numbers::grouped;
use crate::prediction::Resident;

/// The terms of the timing model (`simulator::model::TERM_NAMES`) in a student's words, each with advice.
const WORDS: [(&str, &str); 15] = [
    ("DRAM", "DRAM bandwidth: read and write each byte once"),
    ("L2", "L2 bandwidth: request each sector once, with loads and stores of whole words"),
    (
        "load/store pipe and shared memory",
        "the load/store units: use wider loads and stores, and avoid bank conflicts in shared memory",
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

/// The reasons of warps to wait when no unit is busy, in words, each with advice.
const WAITS: [(&str, &str, &str); 4] = [
    ("memory", "memory latency, with too few loads in flight", WAIT_FOR_LOADS),
    ("itself", "instruction latency, because instructions wait for earlier results", WAIT_FOR_RESULTS),
    ("both", "latency, of loads and of earlier results about alike", WAIT_FOR_BOTH),
    (
        LONGEST,
        "the block that runs longest",
        "shorten work that only some blocks do, such as a border, or let each block do less",
    ),
];
const WAIT_FOR_LOADS: &str = "issue more loads before the first use, or run more warps";
const WAIT_FOR_BOTH: &str =
    "let a thread load and process several pixels at once, keep branches out of the loop, or run more warps";
const WAIT_FOR_RESULTS: &str =
    "let a thread process several pixels at once, keep branches out of the loop, or run more warps";

/// What to do about a line in which warps wait for this.
pub fn wait_advice(wait: Option<Wait>) -> &'static str {
    match wait {
        Some(Wait::Memory) => WAIT_FOR_LOADS,
        Some(Wait::Both) => WAIT_FOR_BOTH,
        _ => WAIT_FOR_RESULTS,
    }
}

/// What to do about a part of the time of a kernel or a line. `loads`: whether warps that wait do so for loads.
pub fn advice(part: Part, loads: bool) -> &'static str {
    match part {
        Part::Bytes => "move each byte once, and request each sector once",
        Part::Requests => {
            "load and store whole words (`uint32_t`) or vectors (`uint4`), which need fewer requests"
        }
        Part::SharedMemory => "access whole words, avoid bank conflicts, or keep values in registers",
        Part::Atomics => "let fewer updates meet at one address: add up more per thread or block before",
        Part::Instructions => {
            "use fewer instructions per pixel: do work once per thread or block, or for several pixels in one instruction"
        }
        Part::Waiting if loads => WAIT_FOR_LOADS,
        Part::Waiting => WAIT_FOR_RESULTS,
        Part::Launches => "launch fewer kernels, and fewer blocks that each do more",
        Part::Copies => {
            "copy and fill less, let a kernel do it, or pass a small table as an argument of the kernel (a struct)"
        }
    }
}

/// The same without advice, which the next step of a report gives.
pub fn cause(term: &str, wait: Option<&str>, resident: Option<&Resident>) -> String {
    let words = words(term, wait, resident);
    let (cause, rest) = words.split_once(": ").unwrap_or((&words, ""));
    let warps = rest.find(" (").map_or("", |at| &rest[at..]);
    let warps = warps.find(')').map_or(warps, |end| &warps[..=end]);
    format!("{cause}{warps}")
}

/// The names of everything that a report may call the limit.
pub fn all() -> impl Iterator<Item = &'static str> {
    let terms = WORDS.iter().map(|(_, words)| words.split(": ").next().unwrap_or(words));
    terms.chain(WAITS.iter().map(|(_, name, _)| *name))
}

/// A term in words; its name if it has none. For the latency, the reason to wait and the number of warps.
pub fn words(term: &str, wait: Option<&str>, resident: Option<&Resident>) -> String {
    let Some((wait, name, advice)) = WAITS.iter().find(|(reason, ..)| Some(*reason) == wait) else {
        return WORDS.iter().find(|(name, _)| *name == term).map_or(term, |(_, words)| *words).to_owned();
    };
    // More warps would not shorten the wait for the longest block.
    let resident = resident.filter(|_| *wait != LONGEST);
    let advice = match resident {
        Some(resident) if resident.is_nearly_full() => without_more_warps(advice),
        _ => (*advice).to_owned(),
    };
    let fewer = resident.and_then(Resident::with_fewer_registers).map(|told| format!(". {told}"));
    format!("{name}: {advice}{}{}", resident.map(warps).unwrap_or_default(), fewer.unwrap_or_default())
}

/// What else to do where as many warps are resident as fit.
pub fn without_more_warps(advice: &str) -> String {
    advice.trim_end_matches(", or run more warps").to_owned()
}

/// The number of resident warps, and the resource that limits it.
fn warps(resident: &Resident) -> String {
    if resident.is_nearly_full() {
        // More blocks of another kernel may well help.
        if resident.one_lacks_blocks {
            return String::new();
        }
        let Resident { warps, most, .. } = resident;
        return format!(
            " ({warps:.0} of {most} warps per multiprocessor are resident already: more blocks would not help)"
        );
    }
    let why = match resident.scarce {
        "registers" => format!("a thread uses {} registers", resident.registers),
        "shared memory" => {
            format!("a block uses {} bytes of shared memory", grouped(u64::from(resident.shared)))
        }
        "blocks" => "a multiprocessor cannot hold more blocks".to_owned(),
        "grid" if resident.idle() >= 1.0 => format!(
            "the grid has {:.0} block{} for {} multiprocessors",
            resident.blocks,
            if resident.blocks < 1.5 { "" } else { "s" },
            resident.multiprocessors
        ),
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
        let (blocks, multiprocessors) = (528.0, 132);
        let of = |scarce| Resident {
            warps: 12.0,
            most: 64,
            scarce,
            registers: 160,
            shared: 20_480,
            threads: 128,
            fewer_registers: 128,
            blocks,
            multiprocessors,
            one_lacks_blocks: false,
        };
        let said = |scarce| words("latency", Some("memory"), Some(&of(scarce)));
        let fewer = "(12 of 64 warps per multiprocessor are resident: a thread uses 160 registers). `__launch_bounds__(128, 4)` before the \
                     kernel's name asks the compiler for at most 128 registers";
        assert!(said("registers").contains(fewer), "{}", said("registers"));
        // So few would not do.
        let many = Resident { fewer_registers: 104, ..of("registers") };
        assert!(words("latency", Some("memory"), Some(&many)).ends_with("a thread uses 160 registers)"));
        assert!(said("shared memory").ends_with("a block uses 20,480 bytes of shared memory)"));
        assert!(said("threads").ends_with("run more warps"));
        assert!(said("grid").ends_with("the grid has no more blocks)"));
        let one = Resident { blocks: 1.0, ..of("grid") };
        assert!(
            words("latency", Some("memory"), Some(&one))
                .ends_with("the grid has 1 block for 132 multiprocessors)")
        );
        assert!(!words("latency", Some(LONGEST), Some(&of("registers"))).contains("resident"));
        let full = Resident { warps: 61.0, ..of("grid") };
        let said = words("latency", Some("memory"), Some(&full));
        assert!(said.ends_with("are resident already: more blocks would not help)"), "{said}");
        assert!(!said.contains("run more warps"), "{said}");
        let other = words("latency", Some("memory"), Some(&Resident { one_lacks_blocks: true, ..full }));
        assert!(!other.contains("would not help"), "another kernel lacks blocks: {other}");
        assert_eq!(words("issue", None, Some(&of("registers"))), WORDS[3].1);
        let cause = |scarce| cause("latency", Some("memory"), Some(&of(scarce)));
        assert_eq!(cause("threads"), "memory latency, with too few loads in flight");
        let registers = cause("registers");
        assert!(registers.starts_with("memory latency, with too few loads in flight (12 of 64 warps"));
        assert!(registers.ends_with("a thread uses 160 registers)"), "{registers}");
    }
}
