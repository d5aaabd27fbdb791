//! What limits a right kernel, and costs that single lines were seen to have.

use lab::{Idea, Part, Signs};

use super::first::MOST;
use super::{percent, plain_sentence, sentence};
use crate::limiters;
use crate::numbers::grouped;
use crate::prediction::{Cost, Division, Idle, LANES, LineShare, PIPE, Resident};
use crate::report::Performance;

/// What limits a task that was predicted, and what to do about it. `swept`: whether its constants were compared.
pub(super) fn limit(timed: &Performance, swept: bool) -> Option<String> {
    let limiter = timed.limiter?;
    if let Some(next) = beside_bytes(timed) {
        let loads = limiters::advice(next.part, true);
        let advice = match next.part {
            Part::Atomics => sums_of_blocks(timed, swept).unwrap_or_else(|| loads.to_owned()),
            // How many warps run is a matter of constants.
            Part::Waiting if swept => limiters::without_more_warps(loads),
            _ => loads.to_owned(),
        };
        return Some(format!(
            "It reads and writes each byte once already; of the other time, most goes to {}: {advice}.",
            next.part.words().0
        ));
    }
    let named =
        joined(costs_named(&Dear::of(timed), None)).map(|named| format!(" {named}")).unwrap_or_default();
    let words = if limiter == "DRAM"
        && let Some(told) = several_passes(timed, swept)
    {
        told
    } else if limiter == PIPE {
        // Which of its parts it is decides what helps.
        let parts = [Part::Requests, Part::SharedMemory, Part::Atomics];
        let most = timed.costs.iter().find(|cost| parts.contains(&cost.part));
        let part = most.map_or(Part::Requests, |cost| cost.part);
        format!("the load/store units: {}", limiters::advice(part, true))
    } else {
        limiters::words(limiter, timed.wait, timed.resident.as_ref())
    };
    Some(format!("The kernel that takes longest is limited by {}{named}", plain_sentence(&words)))
}

/// The part of the instructions, of the time of a line, and of the time of all launches from which on a cost is named.
const SIGNED: f64 = 0.03;
const BRANCHED: f64 = 0.1;
/// The part of a line's time that goes to instructions from which on one of them is blamed.
const MUCH_OF_A_LINE: f64 = 0.25;
const SECOND_LAUNCH: f64 = 0.04;
/// The same of a second launch before an idea: a condition more in a long loop may cost as much as a shorter launch saves.
const LAUNCH_BEFORE: f64 = 0.08;

/// Costs that were seen and that a small change saves before this idea: threads without work, what only negative dividends need, loads
/// behind a branch, a division, a second launch.
pub fn named(idea: &Idea, timed: &Performance) -> Option<String> {
    joined(costs_named(&Dear::of(timed), Some(idea)))
}

fn joined(costs: impl Iterator<Item = String>) -> Option<String> {
    let told: Vec<String> = costs.map(|told| sentence(&told)).collect();
    (!told.is_empty()).then(|| told.join(" "))
}

/// The share of the time in which the link is busy from which on only the copies limit a task.
pub const MOSTLY_COPIES: f64 = 0.9;

/// What the costs of a task are read from.
#[derive(Debug, Clone, Copy)]
pub struct Dear<'a> {
    /// The lines' shares of the time, largest first.
    pub lines: &'a [LineShare],
    /// What its kernels do per pixel.
    pub signs: Signs,
    /// Pixels of the picture.
    pub pixels: f64,
    /// The share of the time of the longest kernel.
    pub longest_share: Option<f64>,
    /// A kernel most of whose threads have nothing to do.
    pub idle: Option<&'a Idle>,
}

impl<'a> Dear<'a> {
    /// Of a task that was predicted.
    pub fn of(timed: &'a Performance) -> Self {
        Self {
            lines: &timed.lines,
            signs: timed.signs.unwrap_or_default(),
            pixels: (timed.width * timed.height) as f64,
            longest_share: timed.longest_share,
            idle: timed.idle.as_ref(),
        }
    }
}

/// An idea in words, behind a small change that saves what a line was seen to waste.
pub fn told_after_costs(idea: &Idea, dear: &Dear<'_>) -> String {
    let named = costs_named(dear, Some(idea)).next();
    let first = named.map(|named| format!("{named} After that: ")).unwrap_or_default();
    format!("{first}{}", idea.told(&dear.signs))
}

/// The costs, each in words, those that come before this idea; without one, those that are worth a change.
fn costs_named(dear: &Dear<'_>, idea: Option<&Idea>) -> impl Iterator<Item = String> {
    let hidden = is_hidden(dear);
    let saves = idea.is_none_or(Idea::saves_instructions);
    let of_lines = [signed(dear), branched(dear.lines), divided(dear.lines).filter(|_| counts(idea))];
    let [first, last] = [idle(dear, idea), small_launch(dear, idea)];
    let of_lines = of_lines.into_iter().flatten().filter(move |_| saves);
    first.into_iter().chain(of_lines).chain(last).filter(move |_| !hidden)
}

/// The first of them where no idea is left.
pub fn cost_named(dear: &Dear<'_>) -> Option<String> {
    costs_named(dear, None).next()
}

/// Whether an idea says no more than how many instructions are too many, or none is left: the kernel may do already what it says.
fn counts(idea: Option<&Idea>) -> bool {
    idea.is_none_or(|idea| idea.idea.contains("{instructions}"))
}

/// Whether copies take nearly all of the time: beside them, a faster kernel changes nothing.
fn is_hidden(dear: &Dear<'_>) -> bool {
    dear.signs.link_share >= MOSTLY_COPIES
}

/// Quotients and remainders of numbers that may be negative.
fn signed(&Dear { lines, signs, pixels, .. }: &Dear<'_>) -> Option<String> {
    let all: f64 = lines.iter().map(|line| line.instructions).sum();
    let mut lines: Vec<&LineShare> = lines.iter().filter(|line| line.signed > 0.005 * all).collect();
    lines.sort_by(|one, other| other.signed.total_cmp(&one.signed));
    lines.truncate(DENSEST);
    let sum: f64 = lines.iter().map(|line| line.signed).sum();
    (sum > 0.0 && sum >= SIGNED * all).then(|| {
        let mut numbers: Vec<u32> = lines.iter().map(|line| line.number).collect();
        numbers.sort_unstable();
        format!(
            "in {}, {:.1} of the {:.1} instructions per pixel are there because the dividend of a `/` or `%` might be negative: if it never \
             is, make it unsigned (`uint32_t`).",
            in_lines(&numbers),
            LANES * sum / pixels,
            signs.instructions
        )
    })
}

/// Loads that wait for a branch with an early return.
fn branched(lines: &[LineShare]) -> Option<String> {
    let line = lines.iter().find(|line| line.branches && line.share >= BRANCHED)?;
    Some(format!(
        "the load in line {} ({:.0} % of the time) {BEHIND_A_BRANCH}.",
        line.number,
        100.0 * line.share
    ))
}

/// A division that takes many instructions.
fn divided(lines: &[LineShare]) -> Option<String> {
    let of_instructions = |line: &&LineShare| {
        let own = line.parts.iter().filter(|(part, _)| *part == Part::Instructions);
        line.share >= BRANCHED && own.map(|(_, share)| share).sum::<f64>() >= MUCH_OF_A_LINE * line.share
    };
    let found = lines.iter().filter(of_instructions).find_map(|line| Some((line, line.divides?)));
    found.map(|(line, Division { what, hint })| {
        format!(
            "in line {} ({:.0} % of the time) there is {what}. Try: {hint}.",
            line.number,
            100.0 * line.share
        )
    })
}

/// What a load behind a branch costs, and what to do about it.
pub const BEHIND_A_BRANCH: &str = "stands behind a branch that returns early, so the compiler cannot start the loads of several rounds \
                                   together: load without the branch, and choose the value after it";

/// The share of the longest kernel from which on the others are small.
const NEARLY_ALL: f64 = 0.8;

/// The share of the time from which on a launch is worth a change: before an idea, or where none is left.
fn worth_a_launch(idea: Option<&Idea>) -> f64 {
    if idea.is_some() { LAUNCH_BEFORE } else { SECOND_LAUNCH }
}

/// Threads that are started and have nothing to do.
fn idle(Dear { idle, .. }: &Dear<'_>, idea: Option<&Idea>) -> Option<String> {
    let Idle { kernel, warps, storing, share } = idle.filter(|idle| idle.share >= worth_a_launch(idea))?;
    let [warps, storing] = [warps, storing].map(|warps| grouped(warps.round() as u64));
    Some(format!(
        "of the {warps} warps that `{kernel}` starts, at most {storing} store anything, and to start the others takes {:.0} % of the time: launch only \
         as many threads as have work, such as one per pixel of the border, and let each compute from its number which one is its own.",
        100.0 * share
    ))
}

/// The launch of a second kernel that hardly does anything. Threads without work come before it.
fn small_launch(dear: &Dear<'_>, idea: Option<&Idea>) -> Option<String> {
    second_launch(dear, worth_a_launch(idea)).filter(|_| idle(dear, idea).is_none())
}

/// The same from this share of the time on.
fn second_launch(Dear { signs, longest_share, .. }: &Dear<'_>, least: f64) -> Option<String> {
    let share = signs.time[Part::Launches as usize];
    let small = longest_share.is_some_and(|longest| longest >= NEARLY_ALL);
    (signs.launches > 1.0 && share >= least && small).then(|| {
        let how = if signs.single_blocks > 0.0 {
            "If all of its blocks need what a small kernel computes, each block can compute that again."
        } else {
            "A block chooses its work once, before any loop. Blocks of one grid run in any order: a byte that both parts store now is then left to one of them."
        };
        format!(
            "launching {:.0} kernels takes {:.0} % of the time, and one of them does nearly all the work: let it do that of the others too, in \
             more blocks of the same grid. {how}",
            signs.launches,
            100.0 * share
        )
    })
}

/// `line 3`, or `lines 3, 5 and 7`.
fn in_lines(numbers: &[u32]) -> String {
    let named: Vec<String> = numbers.iter().map(u32::to_string).collect();
    match named.as_slice() {
        [line] => format!("line {line}"),
        [first @ .., last] => format!("lines {} and {last}", first.join(", ")),
        [] => String::new(),
    }
}

/// Blocks per multiprocessor from which on fewer of them would add their sums less often.
const MANY_BLOCKS: f64 = 2.0;

/// What to do about atomics if the dearest are those by which many blocks add their sums to global memory. A sweep has found how many
/// blocks of this size are best, and larger ones keep as many warps with fewer sums.
fn sums_of_blocks(timed: &Performance, swept: bool) -> Option<String> {
    let multiprocessors = f64::from(timed.resident?.multiprocessors);
    let adds = |line: &&LineShare| line.parts.first().is_some_and(|(part, _)| *part == Part::Atomics);
    let line = timed.lines.iter().find(adds)?;
    fewer_sums((line.adding_blocks, line.threads), multiprocessors, swept)
}

/// The same of so many blocks of so many threads.
fn fewer_sums((blocks, threads): (f64, u32), multiprocessors: f64, swept: bool) -> Option<String> {
    if swept {
        let larger = 2 * threads;
        return (blocks >= MANY_BLOCKS * multiprocessors && larger <= LARGEST_BLOCK).then(|| {
            format!(
                "launch half as many blocks of twice as many threads, {} of {}: each of the {} adds its sums to global memory. Let loops \
                 set the sums of a block to zero and add them, so that any number of threads will do",
                grouped((blocks / 2.0).round() as u64),
                grouped(u64::from(larger)),
                grouped(blocks.round() as u64)
            )
        });
    }
    (blocks > MANY_BLOCKS * multiprocessors).then(|| {
        format!(
            "launch fewer blocks, with more pixels each: each of the {} adds its sums to global memory. `checker tune` finds how many are best",
            grouped(blocks.round() as u64)
        )
    })
}

/// The largest part of the time beside bytes that move once already, which cannot become fewer, if bytes limit a task: the part that a change
/// can shorten.
fn beside_bytes(timed: &Performance) -> Option<&Cost> {
    // The launch of a single kernel with few blocks is there in any case.
    let launches = timed.signs.is_some_and(|signs| signs.launches > 1.0)
        || timed.resident.is_some_and(|at| at.blocks > MANY_BLOCKS * f64::from(at.multiprocessors));
    let other = |cost: &&Cost| cost.part != Part::Bytes && (cost.part != Part::Launches || launches);
    let limits = timed.limiter == Some("DRAM") && moves_each_byte_once(timed);
    timed.costs.iter().find(other).filter(|_| limits)
}

/// Bytes beyond the fewest that a kernel may move and still moves each once: whole sectors at the ends of rows, and counters.
const ONCE: f64 = 1.1;

pub(super) fn moves_each_byte_once(timed: &Performance) -> bool {
    let fewest = timed.gigabytes_per_second * 1e9 * timed.seconds;
    // The cache may serve an access to a sector that another has loaded: then bytes take no longer than the yardstick.
    let bytes = timed.costs.iter().find(|cost| cost.part == Part::Bytes).map_or(0.0, |cost| cost.share);
    timed.distinct_bytes.is_some_and(|distinct| distinct <= ONCE * fewest)
        && bytes * timed.seconds <= timed.yardstick_seconds
}

/// Times the fewest bytes from which on several kernels move what one would not.
const MORE: f64 = 1.25;

/// The share of atomics or waits from which on to shorten them comes before a single kernel for several, which is a large change.
const BEFORE_ONE_KERNEL: f64 = 0.1;

/// The bytes per pixel that several kernels move, and the fewest, if one kernel would move less.
fn moved_in_passes(timed: &Performance) -> Option<[f64; 2]> {
    let pixels = (timed.width * timed.height) as f64;
    let moved = timed.distinct_bytes? / pixels;
    let fewest = timed.gigabytes_per_second * 1e9 * timed.seconds / pixels;
    // A second kernel that does little, such as one for the border, is no pass over the picture.
    let passes = timed.signs.is_some_and(|signs| signs.launches > 1.0)
        && timed.longest_share.is_some_and(|longest| longest < NEARLY_ALL);
    (passes && moved >= MORE * fewest).then_some([moved, fewest])
}

/// The part of the time to shorten before several kernels become one.
fn before_one_kernel(timed: &Performance) -> Option<&Cost> {
    let easier =
        |cost: &&Cost| [Part::Atomics, Part::Waiting].contains(&cost.part) && cost.share >= BEFORE_ONE_KERNEL;
    timed.costs.iter().find(easier)
}

/// What several kernels move that one would not.
fn several_passes(timed: &Performance, swept: bool) -> Option<String> {
    let [moved, fewest] = moved_in_passes(timed)?;
    Some(match before_one_kernel(timed).map(|cost| with_advice(timed, cost, swept)) {
        Some(first) => format!(
            "DRAM bandwidth: only a single kernel, a large change, would move less than the {moved:.1} bytes per pixel of all kernels (the yardstick: \
             {fewest:.1}). First {first}"
        ),
        None => format!(
            "DRAM bandwidth: the kernels move {moved:.1} bytes per pixel, and the yardstick moves {fewest:.1}. What one kernel has loaded, the next \
             loads again; a single kernel can keep it in registers or shared memory"
        ),
    })
}

/// Lines that are named where instructions are to become fewer.
const DENSEST: usize = 3;

/// The lines with most of the instructions, for an idea that makes them fewer.
pub fn densest(idea: &Idea, timed: &Performance) -> Option<String> {
    let pixels = (timed.width * timed.height) as f64;
    let mut lines: Vec<(u32, f64)> =
        timed.lines.iter().map(|line| (line.number, LANES * line.instructions / pixels)).collect();
    lines.retain(|(_, instructions)| *instructions >= 0.05);
    lines.sort_by(|one, other| other.1.total_cmp(&one.1));
    let named: Vec<String> = lines
        .iter()
        .take(DENSEST)
        .map(|(line, instructions)| format!("{instructions:.1} in line {line}"))
        .collect();
    (idea.saves_instructions() && named.len() == DENSEST)
        .then(|| format!("Most instructions per pixel: {}.", named.join(", ")))
}

/// The line that takes most of the time, where updates that wait for each other are to become fewer.
pub(super) fn atomic_line(idea: &Idea, timed: &Performance) -> String {
    // A line that waits for its loads is not what fewer updates would help.
    let eased = |line: &LineShare| line.parts.first().is_some_and(|(part, _)| *part == Part::Atomics);
    let line = timed
        .lines
        .first()
        .filter(|line| line.share >= MOST && idea.eases[0] == Part::Atomics && eased(line));
    line.map_or_else(String::new, |line| {
        format!(" Line {} takes {:.0} % of the time.", line.number, 100.0 * line.share)
    })
}

/// The share of a line from which on it is told what its time is spent on.
const WORTH_NAMING: f64 = 0.1;

/// The line that takes most of the time, or most of what a change can shorten, and where the others are shown.
pub(super) fn dearest(timed: &Performance, profile: &str) -> String {
    // A line that only moves bytes that have to move costs no more than it must.
    if let Some(next) = beside_bytes(timed) {
        let of = |line: &LineShare| {
            let parts = line.parts.iter().filter(|(part, _)| *part == next.part);
            parts.map(|(_, share)| share).sum::<f64>()
        };
        let line = timed.lines.iter().max_by(|one, other| of(one).total_cmp(&of(other)));
        let told = line.filter(|line| of(line) >= WORTH_A_WORD).map(|line| {
            let much = if of(line) >= MOST * next.share { "Most" } else { "The largest part" };
            format!("{much} of it is in line {}, {:.0} % of all time; ", line.number, 100.0 * of(line))
        });
        return format!("{}{profile} shows all lines.", told.unwrap_or_default());
    }
    match timed.lines.first() {
        Some(line) => {
            let on = line.parts.first().map(|(part, _)| format!(", mainly for {}", part.words().0));
            let much = if line.share >= MOST { "most" } else { "the largest part" };
            format!(
                "Line {} takes {much} of the time: {:.0} %{}; {profile} shows the others.",
                line.number,
                100.0 * line.share,
                on.filter(|_| line.share >= WORTH_NAMING).unwrap_or_default()
            )
        }
        None => format!("{profile} shows the lines."),
    }
}

/// Parts of the time that a change can shorten although they do not limit, from this share on.
const BESIDE: [(Part, f64); 4] = [
    (Part::Waiting, WORTH_A_WORD),
    (Part::Launches, WORTH_A_WORD),
    (Part::Copies, WORTH_A_WORD),
    (Part::Atomics, 0.15),
];
const WORTH_A_WORD: f64 = 0.015;

/// Copies to shared memory per pixel from which on a kernel copies ahead, and what may then shorten the waits.
const COPIES: f64 = 0.05;
const ROWS_AT_ONCE: &str = ", or wait once for the copies of several rows";

/// The part of the warps that a multiprocessor can hold below which more of them are the first thing to try.
const FEW_WARPS: f64 = 0.75;
/// The most threads of a block.
const LARGEST_BLOCK: u32 = 1024;

/// What to do about few warps for each multiprocessor. `sums`: whether each block adds its sums to global memory, so that more blocks would add
/// more of them.
fn few_warps(resident: Option<Resident>, sums: bool, swept: bool) -> Option<String> {
    let resident = resident.filter(|resident| resident.warps < FEW_WARPS * f64::from(resident.most))?;
    let more = match resident.scarce {
        "grid" => match (resident.threads < LARGEST_BLOCK, sums) {
            // A sweep has found how many are best.
            _ if swept => return None,
            (true, true) => "launch as many blocks of more threads".to_owned(),
            (true, false) => "launch blocks of more threads, or more blocks".to_owned(),
            (false, true) => return None,
            (false, false) => "launch more blocks".to_owned(),
        },
        _ => resident.with_fewer_registers()?,
    };
    Some(format!("{:.0} of {} warps per multiprocessor are resident: {more}", resident.warps, resident.most))
}

/// A part of the time, its share, and what to do about it.
fn with_advice(timed: &Performance, cost: &Cost, swept: bool) -> String {
    let special = match cost.part {
        Part::Waiting => {
            few_warps(timed.resident, timed.lines.iter().any(|line| line.adding_blocks > 0.0), swept)
        }
        Part::Atomics => sums_of_blocks(timed, swept),
        _ => None,
    };
    let loads = timed.wait.is_some_and(|wait| ["memory", "both"].contains(&wait));
    let advice = special.unwrap_or_else(|| limiters::advice(cost.part, loads).to_owned());
    let copies = timed.signs.is_some_and(|signs| signs.copies_ahead > COPIES);
    let more = if cost.part == Part::Waiting && copies { ROWS_AT_ONCE } else { "" };
    format!("{}, {} %: {advice}{more}", cost.part.words().0, percent(cost.share))
}

/// What takes time beside the limit, and what to do about it.
pub(super) fn beside(timed: &Performance, swept: bool) -> Option<String> {
    let (limit, others) = timed.costs.split_first()?;
    // What the limit names already: of the load/store units, the part that takes most.
    let is_told = |part: Part| match timed.limiter {
        _ if ![Part::Atomics, Part::Waiting].contains(&part) => false,
        Some("DRAM")
            if moved_in_passes(timed).is_some()
                && before_one_kernel(timed).is_some_and(|cost| cost.part == part) =>
        {
            true
        }
        Some("DRAM") if moves_each_byte_once(timed) => {
            beside_bytes(timed).is_some_and(|next| next.part == part)
        }
        limiter => part == Part::Atomics && (limiter == Some(PIPE) || limiter == Some("global atomics")),
    };
    let single = timed.signs.is_some_and(|signs| signs.launches <= 1.0);
    let told = |cost: &&Cost| {
        let shortened = BESIDE.iter().any(|(part, from)| *part == cost.part && cost.share >= *from);
        shortened
            && !(cost.part == Part::Launches && single)
            && cost.part != limit.part
            && !is_told(cost.part)
    };
    let parts: Vec<String> = others.iter().filter(told).map(|cost| with_advice(timed, cost, swept)).collect();
    (!parts.is_empty()).then(|| format!("Beside that: {}.", parts.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_launch_comes_before_an_idea_only_where_it_takes_long() {
        let idea = &crate::labs::find("lab4").expect("a lab").tasks()[0].ideas()[0];
        let line = LineShare {
            number: 1,
            share: 1.0,
            parts: Vec::new(),
            for_loads: 0.0,
            local: false,
            instructions: 1.0,
            signed: 0.0,
            branches: false,
            divides: None,
            adding_blocks: 0.0,
            threads: 256,
        };
        let told = |share, single_blocks| {
            let mut signs = Signs { launches: 2.0, single_blocks, ..Signs::default() };
            signs.time[Part::Launches as usize] = share;
            told_after_costs(
                idea,
                &Dear {
                    lines: std::slice::from_ref(&line),
                    signs,
                    pixels: 1.0,
                    longest_share: Some(0.9),
                    idle: None,
                },
            )
        };
        assert!(!told(0.05, 0.0).contains("launching"), "{}", told(0.05, 0.0));
        let border = told(0.09, 0.0);
        assert!(border.contains("is then left to one of them. After that: "), "{border}");
        assert!(!border.contains("compute that again"), "no kernel has a single block: {border}");
        assert!(told(0.09, 1.0).contains("each block can compute that again"), "{}", told(0.09, 1.0));
    }

    #[test]
    fn threads_without_work_come_before_a_launch_and_a_division_before_a_vague_idea() {
        let task = crate::labs::find("lab4").expect("a lab").tasks()[2];
        let idea = |name| task.ideas().iter().find(|idea| idea.name == name).expect("an idea");
        let line = LineShare {
            number: 7,
            share: 0.2,
            parts: vec![(Part::Instructions, 0.15), (Part::Waiting, 0.05)],
            for_loads: 0.0,
            local: false,
            instructions: 1.0,
            signed: 0.0,
            branches: false,
            divides: Some(Division { what: "a division", hint: "multiply" }),
            adding_blocks: 0.0,
            threads: 256,
        };
        let mut signs = Signs { launches: 2.0, ..Signs::default() };
        signs.time[Part::Launches as usize] = 0.3;
        let found = |share| Idle { kernel: "border".into(), warps: 2000.0, storing: 30.0, share };
        let told = |name, idle: Option<&Idle>| {
            let lines = std::slice::from_ref(&line);
            told_after_costs(idea(name), &Dear { lines, signs, pixels: 1.0, longest_share: Some(0.9), idle })
        };
        let first = told("dot products", Some(&found(0.25)));
        let said = "of the 2,000 warps that `border` starts, at most 30 store anything, and to start the others takes 25 % of the time: launch only";
        assert!(first.starts_with(said) && first.contains("After that: let one `__dp4a`"), "{first}");
        let small = told("dot products", Some(&found(0.07)));
        assert!(small.starts_with("launching 2 kernels takes 30 %"), "{small}");
        // What an idea says by itself is not told before it.
        let vague = told("addresses that move on", None);
        assert!(
            vague.starts_with("in line 7 (20 % of the time) there is a division. Try: multiply. After"),
            "{vague}"
        );
        let dear = Dear {
            lines: std::slice::from_ref(&line),
            signs,
            pixels: 1.0,
            longest_share: Some(0.9),
            idle: None,
        };
        let left: Vec<String> = costs_named(&dear, None).collect();
        assert!(left.len() == 2 && left[1].starts_with("launching 2 kernels"), "{left:?}");
        signs.time[Part::Launches as usize] = 0.05;
        let dear = Dear { lines: &[], signs, ..dear };
        assert!(cost_named(&dear).is_some_and(|told| told.starts_with("launching 2 kernels takes 5 %")));
        assert_eq!(costs_named(&dear, Some(idea("dot products"))).count(), 0, "less than it may cost");
    }

    #[test]
    fn after_a_sweep_larger_blocks_add_fewer_sums() {
        let told = |at, swept| fewer_sums(at, 132.0, swept).unwrap_or_default();
        assert!(told((528.0, 256), false).starts_with("launch fewer blocks, with more pixels each"));
        let larger = "launch half as many blocks of twice as many threads, 264 of 512: each of the 528 adds";
        assert!(told((528.0, 256), true).starts_with(larger), "{}", told((528.0, 256), true));
        assert_eq!(told((528.0, 1024), true), "", "no larger blocks");
        assert_eq!(told((132.0, 256), true), "", "half of them would leave multiprocessors without a block");
    }

    #[test]
    fn blocks_that_are_full_are_not_told_to_have_more_threads() {
        let resident = |threads, scarce| Resident {
            warps: 32.0,
            most: 64,
            scarce,
            registers: 32,
            shared: 32_768,
            threads,
            fewer_registers: 0,
            blocks: 132.0,
            multiprocessors: 132,
            one_lacks_blocks: false,
        };
        let told = |threads, sums, swept| {
            let told = few_warps(Some(resident(threads, "grid")), sums, swept);
            told.map(|told| {
                told.split_once(" are resident: ").map(|(_, told)| told.to_owned()).unwrap_or_default()
            })
        };
        assert_eq!(told(256, false, false).as_deref(), Some("launch blocks of more threads, or more blocks"));
        assert_eq!(told(256, true, false).as_deref(), Some("launch as many blocks of more threads"));
        assert_eq!(told(1024, false, false).as_deref(), Some("launch more blocks"));
        assert_eq!(told(1024, true, false), None, "fewer blocks would be told next");
        assert_eq!(told(256, false, true), None, "a sweep has found how many are best");
        assert_eq!(few_warps(Some(resident(256, "shared memory")), false, false), None);
    }
}
