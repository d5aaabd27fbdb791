//! Remarks on speed, from the counted events of a launch: which line wastes what, and what to try.
//!
//! Thresholds are round numbers at which the effect shows in a kernel's time; none of these is ever an error.

use crate::decode::Class;
use crate::finding::{Finding, Kind, Severity};
use crate::launch::LaunchReport;
use crate::model::counters::{Counters, LineCounters, ratio};

/// Sectors a request may touch beyond the least before it is remarked on.
const WASTED_SECTORS: f64 = 2.0;
/// How often a line touches each of its sectors where their other bytes are used too.
const USED_AGAIN: f64 = 2.0;
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

/// All remarks on a launch that was counted, in the order of the lines.
pub fn remarks(report: &LaunchReport) -> Vec<Finding> {
    let total = &report.counters;
    let cached = cache_serves_rest(total, report.lines.iter().map(|line| &line.counters));
    report.lines.iter().flat_map(|line| of_line(line, total, cached)).collect()
}

fn of_line(line: &LineCounters, total: &Counters, cached: bool) -> Vec<Finding> {
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
    line: &LineCounters,
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
    let loads_much =
        |counters: &&Counters| counters.global_store_sectors == 0 && excess(counters) >= WASTED_SECTORS;
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

/// Whether the loads of a line are as wide as they can be, and the lines beside it use the sectors beyond them, as three vectors of sixteen
/// colour pixels do: nothing is to be mended. `cached`: the first-level cache serves what loads touch beyond their own bytes.
pub fn shares_sectors(line: &Counters, cached: bool) -> bool {
    cached
        && line.global_store_sectors == 0
        && line.least_sectors_per_request() >= WIDE
        && line.loads_per_sector() < USED_AGAIN
}

fn coalescing(line: &LineCounters, total: &Counters, cached: bool) -> Option<Finding> {
    let counters = &line.counters;
    let excess = excess(counters);
    let share = ratio(counters.global_sectors(), total.global_sectors());
    if excess < WASTED_SECTORS || share < WORTH_A_WORD {
        return None;
    }
    if shares_sectors(counters, cached) {
        return None;
    }
    // Sectors whose other bytes the same line uses are fetched once: they cost requests, no memory.
    let again = (cached || counters.loads_per_sector() >= USED_AGAIN) && counters.global_store_sectors == 0;
    let cost =
        if again { "more requests, but no memory traffic: the cache has the rest" } else { "bandwidth" };
    let message = format!(
        "each warp request touches {:.1} sectors of 32 bytes; {:.1} would hold the bytes it uses ({:.0} % efficiency); this costs {cost}",
        counters.sectors_per_request(),
        counters.least_sectors_per_request(),
        100.0 / excess
    );
    let hint = if again && counters.least_sectors_per_request() >= WIDE {
        "the loads are wide already: let neighbouring threads load neighbouring vectors, and go on by the number of threads in each round of a \
         loop, not by one. The rest of a sector comes from the cache later, so this costs requests, not memory"
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

fn banks(line: &LineCounters, total: &Counters) -> Option<Finding> {
    let counters = &line.counters;
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

fn contention(line: &LineCounters, _total: &Counters) -> Option<Finding> {
    let counters = &line.counters;
    let crowd = counters.atomic_multiplicity();
    if crowd < CROWDED_ATOMICS {
        return None;
    }
    let message = format!("{crowd:.1} threads of a warp update the same address at once here, on average");
    let hint = "updates of one address wait for each other: count in registers or in shared memory first, or let one \
                lane add for all that agree";
    Some(remark(line, ("W0703", Kind::Performance, Severity::Note), counters.atomic_requests, message, hint))
}

fn divergence(line: &LineCounters, total: &Counters) -> Option<Finding> {
    let counters = &line.counters;
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

fn doubles(line: &LineCounters) -> Option<Finding> {
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
    use crate::finding::Location;

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
            let line = LineCounters { location, counters: conflicts.clone() };
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
}
