//! Remarks on speed, from the counted events of a launch: which line wastes what, and what to try.
//!
//! Thresholds are round numbers at which the effect shows in a kernel's time; none of these is ever an error.

use crate::decode::Class;
use crate::finding::{Finding, Kind, Location, Severity};
use crate::launch::LaunchReport;
use crate::model::counters::{Counters, ratio};

/// Sectors a request may touch beyond the least before it is remarked on.
const WASTED_SECTORS: f64 = 2.0;
/// The same of loads and stores of vectors: neighbouring ones cannot begin inside a sector, and each second `uint4` is twice the least.
const WASTED_BY_VECTORS: f64 = 1.9;
/// How often a line touches each of its sectors where their other bytes are used too.
const USED_AGAIN: f64 = 2.0;
/// The same where the same load uses them in later turns of a loop: a sector holds two `uint4`.
const USED_IN_TURN: f64 = 1.6;
/// The part of the lanes of a request that each touch a sector of their own where they lie far apart, and of the uses of a sector.
const MOST: f64 = 0.8;
/// Sectors that the bytes of a full warp fill if each thread moves eight bytes or more.
pub const WIDE: f64 = 7.5;
/// How often the sectors of single bytes are touched that lie as the bytes of pixels do: up to four bytes apart.
const FEW_BYTES_APART: f64 = 4.5;
/// The share of the sectors beyond the least that the cache has to serve if they are to cost no memory.
const SERVED: f64 = 0.75;
/// Wavefronts of shared memory beyond the least.
const WASTED_WAVEFRONTS: f64 = 1.5;
/// Lanes of a request that may update one address.
const CROWDED_ATOMICS: f64 = 8.0;
/// Active lanes below which a line is called divergent.
const FEW_LANES: f64 = 16.0;
/// The share of a launch's instructions or sectors that makes a line worth a remark.
const WORTH_A_WORD: f64 = 0.02;

/// What to do about bank conflicts beside more frequent atomics that have none: padding would give these conflicts.
pub const ATOMICS_FIRST: &str = "keep the layout, in which the atomics have no conflicts, and change which thread uses which word here: in a \
                             loop over the banks, let each thread begin at another one, `(l + threadIdx.x) % 32` instead of `l`";

/// Sectors of a request from which on nearly every thread of a warp has one to itself.
const A_SECTOR_EACH: f64 = 31.0;

/// What to do where each thread loads neighbouring bytes by itself, in a loop.
pub const RUN_PER_THREAD: &str = "each thread loads a run of neighbouring bytes, in turns of a loop, so the threads of a warp are far apart in each turn: let \
                                  neighbouring threads load neighbouring elements, and go on by the number of all threads, \
                                  `i += gridDim.x * blockDim.x`";

/// The same of vectors, which a thread may need together: the cache has the rest of each sector.
pub const VECTORS_IN_A_ROW: &str = "each thread loads neighbouring vectors, which costs requests, not memory. Where a loop goes through them one by one (`i++`), let \
                                    it go on by the number of all threads, `i += gridDim.x * blockDim.x`; where a thread needs them together, \
                                    such as the three of sixteen colour pixels, leave it so";

/// What a waste costs that the cache makes good.
pub const REQUESTS_ONLY: &str = "more requests, but no memory traffic: the cache has the rest";

/// The codes of the remarks.
pub const CODES: [&str; 5] = ["W0701", "W0702", "W0703", "W0704", "W0801"];

/// What is known of a line beside its events; nothing where all is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Turns {
    /// Loads from global memory in its text, however often the compiler repeats them: `from[0]`, `from[1]` and `from[2]` are three.
    pub loads: u64,
    /// Warps of its launches.
    pub warps: u64,
    /// Different sectors that it reads.
    pub sectors: u64,
}

impl Turns {
    /// How often the line touches each sector that it reads.
    fn again(self, line: &Counters) -> f64 {
        ratio(line.global_load_sectors, self.sectors.max(line.unique_read_sectors))
    }
}

/// A line of a launch.
#[derive(Debug, Clone, Copy)]
pub struct CountedLine<'a> {
    /// Where it is.
    pub location: &'a Location,
    /// Its events.
    pub counters: &'a Counters,
    /// What else is known of it.
    pub turns: Turns,
}

/// All remarks on a launch that was counted, in the order of the lines.
pub fn remarks(report: &LaunchReport) -> Vec<Finding> {
    let seen = report.lines.iter().map(|line| CountedLine {
        location: &line.location,
        counters: &line.counters,
        turns: Turns::default(),
    });
    remarks_on(&report.counters, &seen.collect::<Vec<_>>())
}

/// The same of a launch with these events, and these lines.
pub fn remarks_on(total: &Counters, lines: &[CountedLine<'_>]) -> Vec<Finding> {
    let cached = cache_serves_rest(total, lines.iter().map(|line| line.counters));
    lines.iter().flat_map(|line| of_line(line, total, cached)).collect()
}

fn of_line(line: &CountedLine<'_>, total: &Counters, cached: bool) -> Vec<Finding> {
    [
        coalescing(line, total, cached),
        banks(line, total),
        contention(line, total),
        divergence(line, total),
        doubles(line),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn remark(
    line: &CountedLine<'_>,
    (code, kind, severity): (&'static str, Kind, Severity),
    count: u64,
    message: String,
    hint: &str,
) -> Finding {
    Finding {
        code,
        kind,
        severity,
        message,
        location: Some(line.location.clone()),
        labels: Vec::new(),
        thread: None,
        count,
        hint: hint.to_owned(),
    }
}

/// Whether most of what loads touch beyond the bytes that they use is found in the first-level cache: neighbouring lines, or later
/// turns of a loop, use it.
pub fn cache_serves_rest<'a>(total: &Counters, lines: impl Iterator<Item = &'a Counters>) -> bool {
    let loads_much = |counters: &&Counters| counters.global_store_sectors == 0 && is_wasteful(counters);
    let wasteful = lines.filter(loads_much);
    let rest: u64 =
        wasteful.map(|counters| counters.global_load_sectors - counters.global_sectors_least).sum();
    let found = total.global_load_sectors.saturating_sub(total.missed_sectors);
    rest > 0 && found as f64 >= SERVED * rest as f64
}

/// How many times the sectors that its bytes need a line touches.
fn excess(counters: &Counters) -> f64 {
    ratio(counters.global_sectors(), counters.global_sectors_least)
}

/// Whether the requests of a line touch many more sectors than hold their bytes.
pub fn is_wasteful(line: &Counters) -> bool {
    let least = if line.least_sectors_per_request() >= WIDE { WASTED_BY_VECTORS } else { WASTED_SECTORS };
    excess(line) >= least
}

/// Whether the loads of a line are as wide as they can be, and the lines beside it use the sectors beyond them, as three vectors of sixteen
/// colour pixels do: nothing is to be mended. `cached`: the first-level cache serves what loads touch beyond their own bytes.
fn shares_sectors(line: &Counters, turns: Turns, cached: bool) -> bool {
    is_wide_and_cached(line, cached) && turns.again(line) < USED_IN_TURN
}

/// Whether the loads of a line are as wide as they can be, and the cache has the rest of their sectors.
pub fn is_wide_and_cached(line: &Counters, cached: bool) -> bool {
    cached && line.global_store_sectors == 0 && line.least_sectors_per_request() >= WIDE
}

/// Whether each thread loads neighbouring bytes by itself, in turns of a loop: the lanes of a request each touch a sector of their own, and
/// the same thread uses all of it.
pub fn has_run_per_thread(line: &Counters, turns: Turns) -> bool {
    let lanes = line.active_lanes();
    let uses = lanes / line.least_sectors_per_request().max(1.0);
    let again = turns.again(line);
    line.global_store_sectors == 0
        && turns.loads == 1
        && turns.warps > 0
        && line.sectors_per_request() >= MOST * lanes
        && again >= MOST * uses
        && ratio(line.global_load_requests, turns.warps) >= MOST * again
}

fn coalescing(line: &CountedLine<'_>, total: &Counters, cached: bool) -> Option<Finding> {
    let counters = line.counters;
    let excess = excess(counters);
    let share = ratio(counters.global_sectors(), total.global_sectors());
    if !is_wasteful(counters) || share < WORTH_A_WORD {
        return None;
    }
    if shares_sectors(counters, line.turns, cached) {
        return None;
    }
    // Sectors whose other bytes the same line uses are fetched once: they cost requests, no memory.
    let again = (cached || counters.loads_per_sector() >= USED_AGAIN) && counters.global_store_sectors == 0;
    let cost = if again { REQUESTS_ONLY } else { "bandwidth" };
    let message = format!(
        "each warp request touches {:.1} sectors of 32 bytes; {:.1} would hold the bytes it uses ({:.0} % efficiency); this costs {cost}",
        counters.sectors_per_request(),
        counters.least_sectors_per_request(),
        100.0 / excess
    );
    let hint = if again && counters.least_sectors_per_request() >= WIDE {
        VECTORS_IN_A_ROW
    } else if has_run_per_thread(counters, line.turns) {
        RUN_PER_THREAD
    } else if again && counters.sectors_per_request() >= A_SECTOR_EACH {
        "the other bytes are used too, by other loads, and come from the cache: this costs requests, not memory. If a thread needs one \
         element here, let neighbouring threads take neighbouring elements; if it needs those beside it as well, loads of 4 or 16 bytes \
         need fewer requests"
    } else if again {
        "the other bytes are used too, by other loads, and come from the cache: this costs requests, not memory. Loads \
         of 4 or 16 bytes need fewer of them; where they are that wide already, look elsewhere first"
    } else if excess <= FEW_BYTES_APART && counters.least_sectors_per_request() <= 1.0 {
        "each thread uses single bytes a few bytes apart, as those of a pixel: let it take four neighbouring pixels, and load or \
         store their bytes as whole words (`uint32_t`). One thread per byte would compute each index once more for every byte"
    } else if counters.global_store_sectors > 0 {
        "let neighbouring threads use neighbouring addresses, or let each thread store a whole word or vector instead of \
         single bytes"
    } else {
        "let neighbouring threads use neighbouring addresses, or let each thread load a whole word or vector instead of \
         single bytes"
    };
    let requests = counters.global_requests();
    Some(remark(line, ("W0701", Kind::Performance, Severity::Note), requests, message, hint))
}

fn banks(line: &CountedLine<'_>, total: &Counters) -> Option<Finding> {
    let counters = line.counters;
    let excess = ratio(counters.shared_wavefronts, counters.shared_wavefronts_least);
    let share = ratio(counters.shared_wavefronts, total.shared_wavefronts);
    if excess < WASTED_WAVEFRONTS || share < WORTH_A_WORD {
        return None;
    }
    let message = format!(
        "bank conflicts: shared memory goes round {:.1} times for each warp here where {:.1} would do",
        counters.wavefronts_per_request(),
        counters.least_wavefronts_per_request()
    );
    let hint = bank_hint(counters, total);
    Some(remark(line, ("W0702", Kind::Performance, Severity::Note), counters.shared_requests, message, hint))
}

/// What to do about the bank conflicts of a line, among all events of its kernel.
pub fn bank_hint(line: &Counters, total: &Counters) -> &'static str {
    if total.layout_suits_atomics() && total.atomic_requests > line.shared_requests {
        ATOMICS_FIRST
    } else {
        "32 banks of 4 bytes serve a warp at once: pad each row of a tile by one element, or change which thread uses which \
         word"
    }
}

fn contention(line: &CountedLine<'_>, _total: &Counters) -> Option<Finding> {
    let counters = line.counters;
    let crowd = counters.atomic_multiplicity();
    if crowd < CROWDED_ATOMICS {
        return None;
    }
    let message = format!("{crowd:.1} threads of a warp update the same address at once here, on average");
    let hint = "updates of one address wait for each other: count in registers or in shared memory first, or let one \
                lane add for all that agree";
    Some(remark(line, ("W0703", Kind::Performance, Severity::Note), counters.atomic_requests, message, hint))
}

fn divergence(line: &CountedLine<'_>, total: &Counters) -> Option<Finding> {
    let counters = line.counters;
    let lanes = counters.active_lanes();
    let share = ratio(counters.warp_instructions, total.warp_instructions);
    if lanes >= FEW_LANES || share < 0.05 {
        return None;
    }
    let message = format!("only {lanes:.1} of a warp's 32 threads are active in this line, on average");
    let hint = "threads of a warp that take different branches run one after another: arrange the work so that a \
                whole warp decides alike";
    Some(remark(
        line,
        ("W0704", Kind::Performance, Severity::Note),
        counters.warp_instructions,
        message,
        hint,
    ))
}

fn doubles(line: &CountedLine<'_>) -> Option<Finding> {
    let count = line.counters.mix[Class::Fp64 as usize];
    if count == 0 {
        return None;
    }
    let message =
        "this line computes in double precision, which most GPUs do at a small fraction of the speed of \
                   float"
            .to_owned();
    let hint = "a constant such as `0.3` is a double and turns the whole expression into one: write `0.3f`";
    Some(remark(line, ("W0801", Kind::Lint, Severity::Note), count, message, hint))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::model::counters::LineCounters;

    fn with_lines(counters: Counters, lines: Vec<Counters>) -> LaunchReport {
        let location = Location { file: "a.cu".into(), line: 1, column: 0 };
        let line = |counters| LineCounters { location: location.clone(), counters };
        LaunchReport { counters, lines: lines.into_iter().map(line).collect(), ..LaunchReport::default() }
    }

    fn codes(counters: Counters) -> Vec<&'static str> {
        remarks(&with_lines(counters.clone(), vec![counters])).iter().map(|finding| finding.code).collect()
    }

    #[test]
    fn each_waste_has_its_remark() {
        let full = Counters { warp_instructions: 100, thread_instructions: 3200, ..Counters::default() };
        assert_eq!(codes(full.clone()), [""; 0]);
        let strided = Counters {
            global_load_requests: 10,
            global_load_sectors: 30,
            global_sectors_least: 10,
            ..full.clone()
        };
        assert_eq!(codes(strided.clone()), ["W0701"]);
        // Three loads of one line, each of every third byte: the sectors are fetched once.
        let hint = |unique_read_sectors, missed_sectors| {
            let counters = Counters { unique_read_sectors, missed_sectors, ..strided.clone() };
            remarks(&with_lines(counters.clone(), vec![counters])).remove(0).hint
        };
        assert!(hint(10, 30).contains("from the cache"), "{}", hint(10, 30));
        assert!(hint(30, 30).contains("four neighbouring pixels"), "{}", hint(30, 30));
        // Neighbouring lines that load what is between: each of them touches each sector once.
        assert!(hint(30, 12).contains("from the cache"), "{}", hint(30, 12));
        let conflicts = Counters {
            shared_requests: 10,
            shared_wavefronts: 320,
            shared_wavefronts_least: 10,
            ..full.clone()
        };
        assert_eq!(codes(conflicts.clone()), ["W0702"]);
        // Atomics without conflicts, more often: the layout is for them.
        let hint = |shared_atomic_wavefronts| {
            let location = Location { file: "a.cu".into(), line: 1, column: 0 };
            let line = CountedLine { location: &location, counters: &conflicts, turns: Turns::default() };
            let total = Counters { atomic_requests: 40, shared_atomic_wavefronts, ..conflicts.clone() };
            of_line(&line, &total, false).remove(0).hint
        };
        assert_eq!([hint(40) == ATOMICS_FIRST, hint(200) == ATOMICS_FIRST], [true, false]);
        let crowded = Counters { atomic_requests: 10, atomic_rounds: 320, ..full.clone() };
        assert_eq!(codes(crowded), ["W0703"]);
        let lonely = Counters { thread_instructions: 400, ..full.clone() };
        assert_eq!(codes(lonely), ["W0704"]);
        let mut double = full;
        double.mix[Class::Fp64 as usize] = 1;
        assert_eq!(codes(double), ["W0801"]);
    }

    /// A thousand requests of sixteen bytes per lane, of which each lane touches a sector of its own.
    fn vectors(unique_read_sectors: u64) -> Counters {
        Counters {
            warp_instructions: 2000,
            thread_instructions: 64_000,
            global_load_requests: 1000,
            global_load_sectors: 31_990,
            global_sectors_least: 16_000,
            unique_read_sectors,
            missed_sectors: unique_read_sectors,
            ..Counters::default()
        }
    }

    fn hint(counters: &Counters, turns: Turns) -> Option<String> {
        let location = Location { file: "a.cu".into(), line: 1, column: 0 };
        let line = CountedLine { location: &location, counters, turns };
        remarks_on(counters, &[line]).pop().map(|finding| finding.hint)
    }

    #[test]
    fn vectors_in_a_row_of_one_line_are_not_to_be_mended() {
        // Each vector in a line by itself.
        let turns = Turns { loads: 1, warps: 100, sectors: 0 };
        let mut apart = vectors(31_990);
        apart.missed_sectors = 16_000;
        assert_eq!(hint(&apart, turns), None);
        // In one line, or in turns of a loop: both are named.
        assert_eq!(hint(&vectors(16_000), turns).as_deref(), Some(VECTORS_IN_A_ROW));
    }

    #[test]
    fn a_run_of_bytes_per_thread_is_told_from_a_column() {
        let mut bytes = vectors(1000);
        bytes.global_sectors_least = 1000;
        let of = |loads, warps| hint(&bytes, Turns { loads, warps, sectors: 0 });
        assert_eq!(of(1, 10).as_deref(), Some(RUN_PER_THREAD));
        // Other warps use the rest of each sector.
        assert!(of(1, 1000).is_some_and(|hint| hint.contains("used too")));
        assert!(of(0, 0).is_some_and(|hint| hint.contains("used too")));
    }
}
