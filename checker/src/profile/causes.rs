//! What makes a line cost so much, from what it was seen to do.

use lab::Part;
use serde::Serialize;
use simulator::model::Wait;
use simulator::performance::{
    RUN_PER_THREAD, Turns, VECTORS_IN_A_ROW, WIDE, bank_hint, has_run_per_thread, is_wasteful,
    is_wide_and_cached,
};
use simulator::{Class, Counters};

use judge::limiters;
use judge::next::BEHIND_A_BRANCH;
use judge::numbers::significant;
use judge::prediction::{Division, division, is_frequent};

/// A cause, with a hint.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cause {
    /// What was seen, with its numbers.
    pub what: String,
    /// What to try, as an imperative without a full stop; empty if the idea for the whole kernel says it.
    pub hint: &'static str,
}

impl Cause {
    /// Both in sentences.
    pub fn told(&self) -> String {
        if self.hint.is_empty() {
            format!("{}.", self.what)
        } else {
            format!("{}. Try: {}.", self.what, self.hint)
        }
    }
}

/// Lines with a smaller share have no causes: they are not worth a change.
const WORTH: f64 = 0.02;
/// Lines with at least this share are always told what their time is spent on.
const DEAR: f64 = 0.1;
/// Lanes below which threads of a warp count as divergent.
const FEW_LANES: f64 = 24.0;
/// The share of a line's time that has to go to instructions before one of them is blamed.
const MUCH: f64 = 0.25;

/// Requests to each sector from which on it is a table that lanes look up, from the cache.
const LOOKED_UP: f64 = 16.0;

/// The share of a line's time below which it is not worth while to make fewer requests.
const FEW_REQUESTS: f64 = 0.1;

/// The part of a line's instructions from which on those that only negative dividends need are worth a word.
const SIGNED: f64 = 0.1;

/// How many times the fewest sectors a request may touch, or each sector be requested, to count as once.
const ONCE: f64 = 1.02;
/// How often each sector is requested that could be kept.
const AGAIN: f64 = 1.5;

/// Atomics on global memory per pixel below which it is not the pixels that are counted there, but sums of blocks.
const SUMS: f64 = 0.3;

/// Where the indices of a line come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Indices {
    /// From the number of the thread, and loops.
    Computed,
    /// From a loop that goes on by one from an element of the thread's own.
    OneByOne,
    /// From the data: the line looks something up.
    LookedUp,
}

/// What is known of other values of a task's constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tuned {
    /// The file marks none to try.
    Unmarked,
    /// It marks some, which have not been tried.
    Marked,
    /// They were tried.
    Swept,
}

/// What is known of the run that a line is a part of.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Around<'a> {
    /// Pixels of the whole picture.
    pub of_picture: f64,
    /// Whether some line adds up in shared memory, with atomics.
    pub sums_in_blocks: bool,
    /// Whether no launch of the line has more blocks than a few per multiprocessor: fewer of them would leave multiprocessors idle.
    pub few_blocks: bool,
    /// Where the indices of the line come from.
    pub indices: Indices,
    /// Whether nothing is to be said about what the whole kernel does: the task has an idea that it lacks, or has all points.
    pub is_told: bool,
    /// Whether `checker tune` has compared other values of its constants, or can.
    pub tuned: Tuned,
    /// Whether the first-level cache serves what the loads of the kernel touch beyond their own bytes.
    pub cached: bool,
    /// Atomics on global memory of the line, on the whole picture.
    pub atomics: f64,
    /// Instructions per pixel of the line that only negative dividends need.
    pub signed: f64,
    /// Whether the line loads behind a branch that returns early.
    pub behind_a_branch: bool,
    /// Whether the line adds up products.
    pub adds_products: bool,
    /// What warps wait for in the line.
    pub wait: Option<Wait>,
    /// What is known of the loads of the line.
    pub turns: Turns,
    /// The events of all lines.
    pub total: &'a Counters,
}

/// The causes of a line with this share of the time, spent on these parts, and so many instructions for each pixel.
pub(super) fn causes(
    counters: &Counters,
    share: f64,
    parts: &[(Part, f64)],
    (per_pixel, around): (f64, Around<'_>),
) -> Vec<Cause> {
    if share < WORTH {
        return Vec::new();
    }
    let of = |wanted: Part| {
        let own: f64 = parts.iter().filter(|(part, _)| *part == wanted).map(|(_, share)| share).sum();
        own / share
    };
    let busy = of(Part::Instructions) + of(Part::Waiting);
    let mut found = Vec::new();
    found.extend(atomics(counters, around));
    // Fewer, wider accesses also take fewer instructions, and fewer waits.
    let requests = of(Part::Requests);
    let moving = requests + of(Part::Bytes) + busy;
    found
        .extend(memory(counters, around, [requests, moving]).filter(|_| around.indices != Indices::LookedUp));
    found.extend(around.behind_a_branch.then(branched));
    found.extend(banks(counters, around.total));
    if counters.local_requests > 0 {
        found.push(Cause {
            what: "it uses local memory, a part of global memory: registers have no index, so an array whose index is not a \
                   constant lies there"
                .into(),
            hint: "unroll the loop (`#pragma unroll`), so that every index is a constant; an index that comes from the data needs \
                   shared memory",
        });
    }
    let computes = instructions(counters, around.adds_products).filter(|_| busy >= MUCH);
    let signed = signed(per_pixel, around.signed).filter(|_| busy >= MUCH);
    let explained = computes.is_some() || signed.is_some();
    found.extend(computes);
    found.extend(signed);
    // Lanes that rest while others wait for memory cost nothing.
    if counters.active_lanes() < FEW_LANES && of(Part::Instructions) >= MUCH {
        found.push(Cause {
            what: format!("only {:.1} of 32 lanes are active, on average", counters.active_lanes()),
            hint: "arrange the work so that all threads of a warp take the same branch",
        });
    }
    if share >= DEAR {
        let most = parts.iter().max_by(|(_, one), (_, other)| one.total_cmp(other));
        let known = |part: &Part| match part {
            Part::Instructions => explained,
            Part::Waiting => false,
            _ => !found.is_empty(),
        };
        let untold = most.filter(|(part, _)| !known(part));
        let cause = untold.and_then(|(part, own)| spent(*part, own / share, (per_pixel, counters), around));
        found.splice(0..0, cause);
    }
    found
}

/// What most of a line's time is spent on, as a cause. What to try is said of the whole kernel if it has an idea left.
fn spent(part: Part, own: f64, (per_pixel, counters): (f64, &Counters), around: Around<'_>) -> Option<Cause> {
    let (bytes, keep) = bytes(counters);
    let what = match part {
        Part::Waiting => match around.wait {
            Some(Wait::Memory) => "warps wait for its loads".to_owned(),
            Some(Wait::Both) => {
                "warps wait for its loads, and about as long for the results of earlier instructions"
                    .to_owned()
            }
            _ => "warps wait for the results of earlier instructions".to_owned(),
        },
        Part::Instructions => format!("executing its instructions{}", kinds(per_pixel, counters)),
        Part::Bytes => format!("moving its bytes from and to memory{bytes}"),
        Part::Requests => "its requests to global memory keep the load/store units busy".to_owned(),
        Part::SharedMemory => "its accesses to shared memory".to_owned(),
        Part::Atomics => "its atomics wait for each other".to_owned(),
        Part::Launches | Part::Copies => return None,
    };
    let hint = match part {
        _ if around.is_told => "",
        Part::Bytes => keep,
        Part::Waiting => limiters::wait_advice(around.wait),
        _ => limiters::advice(part, true),
    };
    Some(Cause { what: format!("{:.0} % of its time: {what}", 100.0 * own), hint })
}

/// What is to be said of the bytes that a line moves, and what to try: nothing where each moves once.
fn bytes(counters: &Counters) -> (String, &'static str) {
    let (sectors, least) = (counters.sectors_per_request(), counters.least_sectors_per_request());
    let again = counters.loads_per_sector();
    if counters.global_requests() == 0 {
        (String::new(), limiters::advice(Part::Bytes, true))
    } else if again >= AGAIN {
        let what = format!("; each sector is requested {again:.1} times");
        (what, "request each sector once: keep what is needed again in registers or in shared memory")
    } else if sectors > ONCE * least {
        (format!("; a request touches {sectors:.1} sectors, and {least:.1} would hold its bytes"), "")
    } else if again <= ONCE {
        ("; each sector once, and no byte too many: this is the work itself".to_owned(), "")
    } else {
        (String::new(), "")
    }
}

/// A load that waits for a branch.
fn branched() -> Cause {
    let (what, hint) = BEHIND_A_BRANCH.split_once(": ").unwrap_or((BEHIND_A_BRANCH, ""));
    Cause { what: format!("its load {what}"), hint }
}

/// What only negative dividends need, of so many instructions per pixel.
fn signed(per_pixel: f64, signed: f64) -> Option<Cause> {
    (signed >= SIGNED * per_pixel && signed > 0.0).then(|| Cause {
        what: format!(
            "`/` or `%` by a constant of a number that might be negative: {signed:.1} of its {per_pixel:.1} instructions per pixel are there for that"
        ),
        hint: "if it never is negative, make the number unsigned (`uint32_t`): one shift, mask or multiplication is left",
    })
}

/// Kinds of instructions, and the classes that they consist of.
const KINDS: [(&str, &[Class]); 7] = [
    ("additions and comparisons", &[Class::Int]),
    ("multiplications", &[Class::IntMul, Class::IntDiv]),
    ("shifts, masks and permutes", &[Class::Logic, Class::Shift]),
    ("floating point", &[Class::Fp32, Class::Fp32Div, Class::Fp64, Class::Sfu]),
    ("conversions", &[Class::Convert]),
    ("loads and stores", &[Class::Memory]),
    ("branches", &[Class::Control]),
];
/// Kinds that are named, those with at least this share of a line's instructions.
const NAMED: usize = 3;
const MANY: f64 = 0.1;

/// How many instructions a pixel takes in a line, and of which kinds most are.
fn kinds(per_pixel: f64, counters: &Counters) -> String {
    let all = counters.warp_instructions.max(1) as f64;
    let of =
        |classes: &[Class]| classes.iter().map(|class| counters.mix[*class as usize]).sum::<u64>() as f64;
    let mut kinds: Vec<(&str, f64)> =
        KINDS.iter().map(|(name, classes)| (*name, of(classes) / all)).collect();
    kinds.retain(|(_, share)| *share >= MANY);
    kinds.sort_by(|one, other| other.1.total_cmp(&one.1));
    let named = |(name, share): &(&str, f64)| format!("{:.1} {name}", per_pixel * share);
    let named: Vec<String> = kinds.iter().take(NAMED).map(named).collect();
    match named.as_slice() {
        _ if per_pixel < 0.05 => String::new(),
        [] => format!(", {per_pixel:.1} per pixel"),
        named => format!(", {per_pixel:.1} per pixel: {}", named.join(", ")),
    }
}

fn atomics(counters: &Counters, around: Around<'_>) -> Option<Cause> {
    if counters.atomic_requests == 0 {
        return None;
    }
    let crowd = counters.atomic_multiplicity();
    let same = if crowd < 1.5 {
        "other blocks update the same addresses".to_owned()
    } else {
        format!("{crowd:.1} lanes of a warp update the same address at once")
    };
    if counters.global_atomics > 0 {
        let per_pixel = around.atomics / around.of_picture;
        let of_blocks = per_pixel < SUMS || around.sums_in_blocks;
        let few = if of_blocks && around.few_blocks {
            "; there are at most two blocks per multiprocessor, and fewer would leave some idle"
        } else {
            ""
        };
        return Some(Cause {
            what: format!("atomics on global memory, {} per pixel; {same}{few}", significant(per_pixel)),
            hint: match around.tuned {
                _ if around.is_told || !few.is_empty() => "",
                _ if !of_blocks => "add up in shared memory first, and to global memory once per block",
                Tuned::Swept => "",
                Tuned::Marked => {
                    "give each block more pixels, so that it adds its sums to global memory less often: `checker tune` compares the values that \
                     the file marks"
                }
                Tuned::Unmarked => {
                    "give each block more pixels, so that it adds its sums to global memory less often. How many blocks are best is a guess \
                     until `checker tune` has compared them: write the number as a constant with values to try, `// tune: 132 264 528` \
                     (1, 2 and 4 for each of the 132 multiprocessors of an H200)"
                }
            },
        });
    }
    let passes = counters.shared_atomic_wavefronts as f64 / counters.atomic_requests as f64;
    (passes >= 1.5).then(|| Cause {
        what: format!("atomics on shared memory that take {passes:.1} passes each; {same}"),
        hint: if around.is_told {
            ""
        } else {
            "let fewer threads share a counter: copies per warp, or one per lane in the lane's own bank"
        },
    })
}

/// The share of a line's time that goes to its accesses from which on wider ones may shorten it.
const WORTH_WIDER: f64 = 0.1;

/// `requests` and `moving`: the shares of the line's time that its requests take, and that all parts take which wider accesses shorten.
fn memory(counters: &Counters, around: Around<'_>, [requests, moving]: [f64; 2]) -> Option<Cause> {
    let (sectors, least) = (counters.sectors_per_request(), counters.least_sectors_per_request());
    let distinct = counters.unique_read_sectors + counters.unique_write_sectors;
    if counters.global_requests() == 0
        || distinct > 0 && counters.global_requests() as f64 >= LOOKED_UP * distinct as f64
    {
        return None;
    }
    // Other accesses shorten no wait for atomics.
    if moving < WORTH_WIDER {
        return None;
    }
    let cached = is_wide_and_cached(counters, around.cached) && around.indices != Indices::OneByOne;
    if is_wasteful(counters) && cached && requests < FEW_REQUESTS {
        return Some(Cause {
            what: format!(
                "a request touches {sectors:.1} sectors, and {least:.1} would hold its bytes: the loads beside it use the rest, which comes \
                 from the cache, so memory moves each byte once"
            ),
            hint: "",
        });
    }
    if is_wasteful(counters) {
        return Some(Cause {
            what: format!("a request touches {sectors:.1} sectors; {least:.1} would hold its bytes"),
            hint: if cached {
                VECTORS_IN_A_ROW
            } else if has_run_per_thread(counters, around.turns) {
                RUN_PER_THREAD
            } else if least >= WIDE {
                "the loads and stores are wide already: let neighbouring threads use neighbouring vectors"
            } else {
                "let neighbouring threads use neighbouring addresses, or load and store whole words and vectors"
            },
        });
    }
    (least <= 1.1 && counters.active_lanes() >= FEW_LANES).then(|| Cause {
        what: "each thread moves one byte at a time".into(),
        hint: "load and store whole words (uint32_t) or vectors (uint4)",
    })
}

fn banks(counters: &Counters, total: &Counters) -> Option<Cause> {
    let (passes, least) = (counters.wavefronts_per_request(), counters.least_wavefronts_per_request());
    (counters.shared_requests > 0 && passes >= 1.5 * least).then(|| Cause {
        what: format!("bank conflicts: {passes:.1} passes of shared memory per request; {least:.1} would do"),
        hint: bank_hint(counters, total),
    })
}

fn instructions(counters: &Counters, adds_products: bool) -> Option<Cause> {
    let cause = |what: &str, hint| Some(Cause { what: what.into(), hint });
    if let Some(Division { what, hint }) = division(counters) {
        return cause(what, hint);
    }
    if is_frequent(counters, Class::Fp64) {
        return cause("double precision", "write constants with an f: `0.3f`");
    }
    let share = counters.mix[Class::Convert as usize] as f64 / counters.warp_instructions.max(1) as f64;
    if share >= 0.1 {
        return cause(
            "conversions between integer and floating numbers, at a quarter of the speed of an addition",
            if adds_products {
                "compute with integers: scaled weights, and `__dp4a` for products of bytes"
            } else {
                "compute with integers (a scaled factor, a multiplication, a shift) where the result stays exact, or look it up in a table of \
                 all 256 levels"
            },
        );
    }
    None
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn whats(counters: &Counters) -> Vec<String> {
        let parts = [(Part::Instructions, 0.5)];
        causes(counters, 0.5, &parts, (0.0, around(&Counters::default())))
            .into_iter()
            .map(|cause| cause.what)
            .collect()
    }

    fn around(total: &Counters) -> Around<'_> {
        Around {
            of_picture: 320.0,
            sums_in_blocks: false,
            few_blocks: false,
            indices: Indices::Computed,
            is_told: false,
            tuned: Tuned::Unmarked,
            cached: false,
            atomics: 320.0,
            signed: 0.0,
            behind_a_branch: false,
            adds_products: false,
            wait: None,
            turns: Turns::default(),
            total,
        }
    }

    #[test]
    fn sums_of_blocks_are_not_to_be_added_up_once_more() {
        let mut counters = full();
        (counters.atomic_requests, counters.atomic_rounds, counters.global_atomics) = (10, 10, 320);
        let hint = |sums_in_blocks, few_blocks| {
            let around = Around { sums_in_blocks, few_blocks, ..around(&counters) };
            causes(&counters, 0.5, &[], (0.0, around))[0].hint
        };
        assert!(hint(false, false).starts_with("add up in shared memory"));
        assert!(hint(true, false).starts_with("give each block more"));
        assert_eq!(hint(true, true), "");
        let swept = Around { sums_in_blocks: true, tuned: Tuned::Swept, ..around(&counters) };
        assert_eq!(causes(&counters, 0.5, &[], (0.0, swept))[0].hint, "", "it was compared already");
        let told = Around { is_told: true, ..around(&counters) };
        assert_eq!(causes(&counters, 0.5, &[], (0.0, told))[0].hint, "", "the idea for the kernel is enough");
    }

    fn full() -> Counters {
        let mut counters = Counters::default();
        (counters.warp_instructions, counters.thread_instructions) = (100, 3200);
        counters
    }

    #[test]
    fn what_costs_little_has_no_cause() {
        let mut counters = full();
        counters.local_requests = 5;
        assert_eq!(causes(&counters, 0.001, &[], (0.0, around(&Counters::default()))), []);
        assert!(whats(&counters)[1].contains("local memory"));
    }

    #[test]
    fn a_look_up_is_not_told_to_load_words() {
        let mut counters = full();
        (counters.global_load_requests, counters.global_load_sectors) = (10, 10);
        counters.global_sectors_least = 10;
        let told = |indices, part| {
            let total = Counters::default();
            let around = Around { indices, ..around(&total) };
            causes(&counters, 0.05, &[(part, 0.05)], (0.0, around))
                .iter()
                .filter(|cause| cause.what.contains("one byte"))
                .count()
        };
        let of_bytes = |indices| told(indices, Part::Bytes);
        assert_eq!([Indices::Computed, Indices::LookedUp].map(of_bytes), [1, 0]);
        assert_eq!(told(Indices::Computed, Part::Atomics), 0, "wider loads shorten no atomics");
    }

    #[test]
    fn each_waste_is_named_with_its_numbers() {
        let mut counters = full();
        (counters.global_load_requests, counters.global_load_sectors) = (10, 120);
        counters.global_sectors_least = 40;
        let executing = "100 % of its time: executing its instructions";
        assert_eq!(whats(&counters), [executing, "a request touches 12.0 sectors; 4.0 would hold its bytes"]);
        let waits = causes(&counters, 0.5, &[(Part::Atomics, 0.5)], (0.0, around(&Counters::default())));
        assert!(!waits.iter().any(|cause| cause.what.contains("sectors")), "it shortens no wait: {waits:?}");
        let mut counters = full();
        (counters.atomic_requests, counters.atomic_rounds, counters.global_atomics) = (10, 80, 320);
        assert_eq!(
            whats(&counters)[1..],
            ["atomics on global memory, 1.00 per pixel; 8.0 lanes of a warp update the same address at once"]
        );
        let mut counters = full();
        counters.mix[Class::IntDiv as usize] = 10;
        assert!(whats(&counters)[0].starts_with("an integer division"));
        let mut counters = full();
        counters.thread_instructions = 320;
        assert_eq!(whats(&counters), [executing, "only 3.2 of 32 lanes are active, on average"]);
        let waiting = causes(&counters, 0.05, &[(Part::Waiting, 0.05)], (0.0, around(&counters)));
        assert_eq!(waiting, [], "resting lanes cost nothing");
        let mut counters = full();
        (counters.shared_requests, counters.shared_wavefronts) = (10, 80);
        counters.shared_wavefronts_least = 10;
        assert!(whats(&counters)[1].starts_with("bank conflicts: 8.0 passes"));
    }

    #[test]
    fn the_instructions_of_a_dear_line_are_counted_by_kind() {
        let mut counters = full();
        counters.mix[Class::Shift as usize] = 50;
        counters.mix[Class::IntMul as usize] = 30;
        counters.mix[Class::Control as usize] = 9;
        let parts = [(Part::Instructions, 0.5)];
        let told = causes(&counters, 0.5, &parts, (4.0, around(&counters)));
        let said =
            "executing its instructions, 4.0 per pixel: 2.0 shifts, masks and permutes, 1.2 multiplications";
        assert_eq!(told[0].what, format!("100 % of its time: {said}"));
    }

    #[test]
    fn each_dear_line_is_told_what_its_time_is_spent_on() {
        let mut counters = full();
        for part in Part::ALL {
            let told = causes(&counters, 0.2, &[(part, 0.2)], (0.0, around(&Counters::default())));
            let silent = matches!(part, Part::Launches | Part::Copies);
            assert_eq!(told.is_empty(), silent, "{part:?}: {told:?}");
        }
        // A line with loads may yet wait for something else.
        (counters.global_load_requests, counters.global_sectors_least) = (10, 40);
        let waiting = |wait| {
            let total = Counters::default();
            let around = Around { wait: Some(wait), ..around(&total) };
            causes(&counters, 0.5, &[(Part::Waiting, 0.5)], (0.0, around))[0].what.clone()
        };
        let results = "the results of earlier instructions";
        assert_eq!(waiting(Wait::Itself), format!("100 % of its time: warps wait for {results}"));
        assert_eq!(waiting(Wait::Memory), "100 % of its time: warps wait for its loads");
        let both = waiting(Wait::Both);
        assert!(both.ends_with(&format!("wait for its loads, and about as long for {results}")), "{both}");
    }
}
