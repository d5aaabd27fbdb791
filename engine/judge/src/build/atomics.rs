//! Atomics whose result is compared wrongly, or that keep the wrong one of two numbers.

use runtime::finding::Finding;
use simulator::performance::ATOMICS_FIRST;
use simulator::{BESIDE_ATOMIC, ONE_LINE};

use super::arguments::{launches, parts};
use super::arrays::sides;
use super::block::{self, body};
use super::code::{
    closing, code, comparisons, has, is_part, is_word, kernel_to, last_name, line_of, numbered_lines, places,
    value,
};
use super::guards;
use super::missed::indices;

/// What to try if no block is the last one.
pub const LAST: &str = "`atomicAdd` gives the value before it adds: of n blocks, the last one gets n - 1. Compare with `gridDim.x - 1`";
/// What to try if a minimum and a maximum are exchanged.
pub const EXTREMES: &str =
    "the lowest of several numbers stays with `atomicMin`, the highest with `atomicMax`";

/// What to try if a counter grows by an index.
pub const ONE: &str = "the second argument of `atomicAdd` is what is added: 1 for each pixel, to the counter of its level, `atomicAdd(&bins[level], 1)`, or the count of a block, `atomicAdd(&bins[level], counts[level])`";
/// What to try if counters are set to zero behind the count.
const ZERO_FIRST: &str =
    "set the counters to zero before anything is counted, with a `__syncthreads()` between";

/// The line of a kernel of `task` that adds, to the counter of an element, the number of that element, or to a counter the element of its own
/// number: `atomicAdd(&bins[gray[i]], i)`, `atomicAdd(&bins[i], gray[i])`.
pub fn adds_index(text: &str, task: &str) -> Option<(u32, String)> {
    launches(text, task).iter().find_map(|launch| {
        body(text, launch.kernel).iter().find_map(|(number, line)| {
            let (_, call) = line.split_once("atomicAdd(&")?;
            let parts = parts(&call[..closing(call)?]);
            let [counter, added] = parts.as_slice() else { return None };
            let (_, index) = counter.strip_suffix(']')?.split_once('[')?;
            // What is read by the index: `gray[i]`.
            let by = |text: &str| {
                let (array, index) = text.strip_suffix(']')?.split_once('[')?;
                (is_word(array) && is_word(index)).then(|| index.to_owned())
            };
            let is_index = by(index).is_some_and(|read| read == *added);
            // A sum over several histograms adds elements of another array of counters.
            let exchanged = by(added).is_some_and(|read| read == index) && added.starts_with("gray[");
            // A count has another name than the counter that it goes to.
            let itself = index == *added && is_word(added);
            (is_index || exchanged || itself).then(|| {
                (*number, format!("line {number} adds `{added}`, which is no count, to `{counter}`"))
            })
        })
    })
}

/// The line that takes the last block for the one whose `atomicAdd` gives the number of blocks, as a fact.
pub fn last_block(text: &str) -> Option<(u32, String)> {
    let lines: Vec<&str> = text.lines().map(code).collect();
    (1..).zip(&lines).find_map(|(number, line)| {
        let (_, call) = line.split_once("atomicAdd(")?;
        let (list, after) = call.split_at(closing(call)?);
        let one = [", 1", ", 1u", ", 1U"].iter().any(|one| list.ends_with(one));
        one.then_some(())?;
        let after = after[1..].trim_start();
        let compared = is_number_of_blocks(after).then_some(number);
        let line = compared.or_else(|| {
            let name = given(line).filter(|_| after.starts_with(';'))?;
            let later = (number + 1..).zip(&lines[number as usize..]).take_while(|(_, line)| !line.starts_with('}'));
            let compares = |line: &str| places(line, name).any(|at| is_number_of_blocks(line[at + name.len()..].trim_start()));
            later.into_iter().find(|(_, line)| compares(line)).map(|(number, _)| number)
        })?;
        Some((line, format!("line {line} compares what `atomicAdd` gave with `gridDim.x`, which no block gets in a first call")))
    })
}

/// Whether a comparison with just the number of blocks begins here.
fn is_number_of_blocks(text: &str) -> bool {
    let of = text.strip_prefix("==").and_then(|rest| rest.trim_start().strip_prefix("gridDim.x"));
    of.is_some_and(|rest| rest.trim_start().starts_with([';', ')']))
}

/// The variable that a line declares with the result of a call.
fn given(line: &str) -> Option<&str> {
    let before = line.split_once("= atomicAdd(")?.0.trim_end();
    Some(last_name(before)).filter(|name| !name.is_empty())
}

/// Explains races of blocks that wait for a last block that does not come.
pub fn explained(finding: &mut Finding, text: &str) {
    let raced = ["W0302", "W0303", "W0307"].contains(&finding.code.as_str());
    let waits = finding.hint.starts_with("if an atomic counter or a flag tells the other block");
    if let Some((_, told)) = last_block(text).filter(|_| raced && waits) {
        finding.hint = format!("{told}: {LAST}");
    }
    let line = finding.line.unwrap_or(0);
    if finding.hint == ONE_LINE
        && let Some(told) = in_one_line(finding, line_of(text, line), text)
    {
        finding.hint = told;
    }
    if finding.hint == BESIDE_ATOMIC
        && let Some(told) = beside_atomic(finding, line, text)
    {
        finding.hint = told;
    }
    if finding.code == "W0702" && reads_copies(line, text) {
        ATOMICS_FIRST.clone_into(&mut finding.hint);
    }
    if finding.code == "W0303"
        && let Some(told) = overwritten(line, text)
    {
        finding.hint = told;
    }
    if ["W0304", "W0307"].contains(&finding.code.as_str())
        && let Some(told) = zeroed_in_loop(finding, text)
    {
        finding.hint = told;
    }
    if finding.code == "W0307"
        && let Some(counted) = finding.labels.iter().map(|label| label.line).min()
        && zeroed_late(counted, line, text)
    {
        finding.hint = format!("line {line} sets to 0 what line {counted} has counted: {ZERO_FIRST}");
    }
}

/// What to do about counters that a loop both sets to 0 and adds to: a barrier between the two loses what earlier rounds have counted.
fn zeroed_in_loop(finding: &Finding, text: &str) -> Option<String> {
    let line = finding.line.filter(|_| finding.message.starts_with("updates atomically `"))?;
    let name = finding.message.split('`').nth(1)?.split_once('[')?.0;
    let is_zero = |source: &str| {
        source.split_once(" = ").is_some_and(|(target, value)| {
            target.trim_start().starts_with(&format!("{name}[")) && ["0;", "0u;"].contains(&value.trim())
        })
    };
    let kernel = kernel_to(line, text)?;
    let stored = finding.labels.iter().map(|label| label.line);
    let stored = stored.filter(|stored| *stored < line).find(|at| is_zero(code(line_of(text, *at))))?;
    let loops = |source: &str| has(source, "for") || has(source, "while");
    let (head, _) = kernel
        .iter()
        .rev()
        .find(|(number, source)| *number < stored && loops(source) && !guards::is_closed(&kernel, *number))?;
    Some(format!(
        "line {stored} sets `{name}` to 0 in each round of the loop of line {head}, in which line {line} adds to it. If `{name}` is to hold the counts of all \
         rounds, set it to 0 before the loop, and put a `__syncthreads()` between. If each round has counts of its own, it needs a barrier behind the zeros and one before those of the next round"
    ))
}

/// What to do about a line that counts without an atomic beside one that has it, if its threads may count for the same element.
fn beside_atomic(finding: &Finding, line: u32, text: &str) -> Option<String> {
    let told = in_one_line(finding, line_of(text, line), text)?;
    let (_, call) = told.split_once(", `atomicAdd(&")?;
    let (_, index) = call.split_once('[')?;
    // An element of its own needs a barrier alone.
    let kernel = kernel_to(line, text)?;
    let own = [block::counters(&kernel, "x"), block::counters(&kernel, "y")].concat();
    if has(index, "threadIdx") || own.iter().any(|own| has(index, own)) {
        return None;
    }
    let atomic =
        finding.labels.iter().map(|label| label.line).find(|of| line_of(text, *of).contains("atomicAdd"));
    Some(atomic.map_or_else(|| told.clone(), |atomic| format!("{told}, as line {atomic} does")))
}

/// What to do about a line in which threads race for an array: it adds to a counter, or uses an element of another thread.
fn in_one_line(finding: &Finding, line: &str, text: &str) -> Option<String> {
    let (name, _) = finding.message.split('`').nth(1)?.split_once('[')?;
    let mut used: Vec<String> = Vec::new();
    for at in places(line, name) {
        let (index, _) = indices(&line[at + name.len()..])?;
        used.push(index.join("]["));
    }
    used.dedup();
    let (own, others) = used.split_first()?;
    let target = format!("{name}[{own}]");
    let (_, after) = line.split_once(&target)?;
    match others {
        [] if after.trim_start().starts_with("++") || after.trim_start().starts_with("+=") => {
            let added = after
                .trim_start()
                .strip_prefix("+=")
                .map_or("1", |added| added.trim_end().trim_end_matches(';').trim());
            let wider = narrow(name, text).map_or_else(String::new, |kind| {
                format!(". There is no `atomicAdd` for `{kind}`: declare `{name}` as `uint32_t`")
            });
            Some(format!(
                "this line loads, adds and stores, and other threads come between: make it one step, `atomicAdd(&{target}, {added})`{wider}"
            ))
        }
        [other] if finding.code != "W0303" => Some(format!(
            "`{name}[{other}]` is the element of another thread, which stores to it in this line too. Read it into a variable first, then a \
             `__syncthreads()` that all threads of the block reach, then store to `{target}`; and one more `__syncthreads()` before the next read"
        )),
        _ => None,
    }
}

/// The type of an array of the block that is too small for atomics.
fn narrow(name: &str, text: &str) -> Option<&'static str> {
    const KINDS: [&str; 6] = ["uint8_t", "int8_t", "uint16_t", "int16_t", "short", "char"];
    let declares = |line: &str| has(line, "__shared__") && has(line, name);
    let (_, line) = numbered_lines(text).find(|(_, line)| declares(line))?;
    KINDS.into_iter().find(|kind| has(line, kind))
}

/// What a line that stores counts of its block where every block stores, or sets to 0 what other blocks have counted, should do.
fn overwritten(line: u32, text: &str) -> Option<String> {
    let (target, value) = line_of(text, line).split_once(" = ")?;
    let (target, value) = (target.trim(), value.trim().strip_suffix(';')?);
    let (name, index) = target.strip_suffix(']')?.split_once('[')?;
    let of_block = index == "threadIdx.x" || index.chars().all(is_part);
    let way = kernel_to(line, text)?;
    let is_parameter = sides(name, line, text).is_none() && name.chars().all(is_part);
    let counts = |name: &str| {
        let update = format!("(&{name}[");
        numbered_lines(text).any(|(_, line)| line.contains("atomic") && line.contains(&update))
    };
    if !of_block || !is_parameter {
        return None;
    }
    if value == "0" && counts(name) {
        return Some(format!(
            "blocks run in any order: a block that begins late sets `{name}` to 0 after others have counted. Leave this line out if `{name}` holds zeros before the \
             launch, as an output of counters does; else set it before the launch, `cudaMemset({name}, 0, bytes)`"
        ));
    }
    let array = value.strip_suffix(']')?.split_once('[')?.0;
    let own = way.iter().any(|(_, line)| line.contains("__shared__") && has(line, array));
    (own && counts(array)).then(|| {
        format!(
            "each block stores its own counts over those of the other blocks: add them, `atomicAdd(&{target}, {value})`"
        )
    })
}

/// Whether a line sets an element of an array of the block to 0 after another one, outside all loops, has updated it, and none before does.
fn zeroed_late(counted: u32, line: u32, text: &str) -> bool {
    let Some(way) = kernel_to(line, text).filter(|_| counted < line) else { return false };
    let stored = |line: &str| {
        let (target, value) = line.split_once(" = ")?;
        let name = last_name(target.split_once('[')?.0);
        Some((name.to_owned(), value.trim() == "0;"))
    };
    let Some((name, true)) = stored(line_of(text, line)) else { return false };
    let counts = |line: &str| line.contains("atomic") && line.contains(&format!("&{name}["));
    let looped = way.iter().any(|(_, line)| ["for", "while", "do"].iter().any(|word| has(line, word)));
    let before = way.iter().filter(|(number, _)| *number < counted);
    let set = before.filter_map(|(_, line)| stored(line)).any(|(other, _)| other == name);
    counts(line_of(text, counted)) && !looped && !set
}

/// A maximum of what is named the lowest, and a minimum of what is named the highest, as a fact.
pub fn exchanged(text: &str) -> Option<String> {
    let of = |call: &str, names: [&str; 2]| {
        numbered_lines(text).find_map(|(number, line)| {
            let (_, list) = line.split_once(call)?;
            let name = list.split([',', ')']).next()?.trim_start_matches(['&', ' ']).trim();
            let last = name.rsplit(['.', '>']).next()?.to_ascii_lowercase();
            names.iter().any(|word| last.starts_with(word)).then(|| (number, name.to_owned()))
        })
    };
    let (first, low): (u32, String) = of("atomicMax(", ["low", "min"])?;
    let (second, high): (u32, String) = of("atomicMin(", ["high", "max"])?;
    // Not in two kernels.
    (first.abs_diff(second) <= 3).then(|| {
        format!("line {first} takes the maximum for `{low}`, and line {second} the minimum for `{high}`")
    })
}

/// What to try if each block counts the last pixels.
pub const REST: &str =
    "let only the first threads of the grid take them: compare `blockIdx.x * blockDim.x + threadIdx.x`";
/// What to try if a minimum or maximum begins with what nothing exceeds.
pub const BEGINS: &str =
    "a minimum begins with the greatest value that may come, and a maximum with the least";

/// The last pixels, which each block counts as its threads have the same numbers in all blocks, as a fact.
pub fn rest_by_all(text: &str, task: &str) -> Option<String> {
    launches(text, task).iter().find_map(|launch| {
        let blocks = launch.sizes.split(',').next()?;
        let lines = body(text, launch.kernel);
        let one = blocks == "1" || lines.iter().any(|(_, line)| has(line, "gridDim") && line.contains("== 1"));
        let own = block::counters(&lines, "x");
        lines.iter().enumerate().filter(|_| !one).find_map(|(at, (number, line))| {
            let (index, _, _) = comparisons(line).into_iter().find(|(left, operator, right)| {
                own.contains(left) && *operator == "<" && right.contains(" % ") && !right.contains("levels")
            })?;
            // A test of the block may stand around it.
            let near = &lines[at.saturating_sub(NEAR)..=at];
            let by_block = near.iter().any(|(_, line)| has(line, "blockIdx") && has(line, "if"));
            let (added, _) = lines[at..].iter().take(3).find(|(_, line)| {
                let of_pixel = line.match_indices("gray[").any(|(at, _)| {
                    indices(&line[at + "gray".len()..]).is_some_and(|(of, _)| of.iter().any(|of| has(of, index)))
                });
                line.contains("atomicAdd(&") && of_pixel && !line.contains("blockIdx")
            })?;
            (has(line, "if") && !by_block).then(|| {
                format!(
                    "line {number} lets the first threads of each block take the last pixels, so that line {added} counts them once for each block"
                )
            })
        })
    })
}

/// Lines before a test where another may stand around it.
const NEAR: usize = 4;

/// A minimum of the block or the GPU that is set to 0 before, or a maximum that is set to 255 or `levels - 1`, as a fact.
pub fn begins_wrong(text: &str) -> Option<String> {
    let lines: Vec<(u32, &str)> = numbered_lines(text).collect();
    lines.iter().find_map(|(number, line)| {
        let (least, (_, list)) = line
            .split_once("atomicMin(&")
            .map(|found| (true, found))
            .or_else(|| line.split_once("atomicMax(&").map(|found| (false, found)))?;
        let name = list.split(',').next()?.trim();
        // What is kept turned round, as a difference, may begin anywhere.
        let compared = list.split_once(',')?.1.split(')').next()?.trim();
        let plain = is_word(name) && (is_word(compared) || compared == "threadIdx.x");
        let kernel = kernel_to(*number, text).filter(|_| plain)?;
        let shared = kernel.iter().any(|(_, line)| line.contains("__shared__") && has(line, name));
        let sets: Vec<(u32, u64)> = kernel
            .iter()
            .flat_map(|(number, line)| places(line, name).map(move |at| (*number, &line[at + name.len()..])))
            .filter_map(|(number, after)| {
                let first = after.trim_start().strip_prefix('=')?.split([';', ',']).next()?;
                Some((number, value(first.trim(), text)?))
            })
            .collect();
        let [(set, begin)] = sets.as_slice() else { return None };
        let wrong = if least { *begin == 0 } else { *begin == 255 };
        let what = if least { "no level is less" } else { "no level is greater" };
        let call = if least { "atomicMin" } else { "atomicMax" };
        (shared && wrong).then(|| {
            format!("line {set} begins `{name}` with {begin}, and {what}: `{call}` in line {number} never changes it")
        })
    })
}

/// Banks of shared memory.
const BANKS: i64 = 32;

/// Whether a line reads an array of the block that has a column for each bank, and that atomics of its kernel update: its layout is for them.
pub fn reads_copies(line: u32, text: &str) -> bool {
    let Some(way) = kernel_to(line, text) else { return false };
    let source = line_of(text, line);
    source.match_indices('[').any(|(at, _)| {
        let name = last_name(&source[..at]);
        let in_banks = sides(name, line, text).is_some_and(|(_, sides)| sides[1..].last() == Some(&BANKS));
        let updated = |line: &str| line.contains("atomic") && line.contains(&format!("(&{name}["));
        in_banks && !source.contains("atomic") && way.iter().any(|(_, line)| updated(line))
    })
}

/// A variable of each thread of which a kernel takes the minimum, or a sum, of all threads: its line, and its name and declaration.
pub fn of_thread<'a>(kernel: &[(u32, &'a str)]) -> Option<(u32, &'a str, &'a str)> {
    kernel.iter().find_map(|(used, line)| {
        let (_, list) = line.split_once("atomic")?;
        let name = list.split_once("(&")?.1.split(',').next()?.trim();
        let before = kernel.iter().filter(|(number, _)| number < used);
        let mut declared = before.filter_map(|(number, line)| {
            let statement = line.trim().strip_suffix(';')?;
            let list = ["int ", "unsigned ", "uint32_t ", "float "]
                .iter()
                .find_map(|kind| statement.strip_prefix(kind))?;
            let is_it = |part: &str| part.split('=').next().is_some_and(|own| own.trim() == name);
            list.split(',').any(is_it).then_some((*number, name, line.trim()))
        });
        declared.next_back().filter(|_| !name.is_empty() && name.chars().all(is_part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_n_blocks_gets_n_less_one() {
        for (line, told) in [
            ("    if (threadIdx.x == 0) last = atomicAdd(&done, 1u) == gridDim.x;", true),
            ("    if (atomicAdd(&done[f(2)], 1) == gridDim.x) {", true),
            ("    const uint32_t ticket = atomicAdd(&done, 1);\n    last = ticket == gridDim.x;", true),
            ("    last = atomicAdd(&done, 1u) == gridDim.x - 1;", false),
            ("    last = atomicAdd(&done, 1u) + 1 == gridDim.x;", false),
            ("    const uint32_t ticket = atomicAdd(&done, 1) + 1;\n    last = ticket == gridDim.x;", false),
            ("    last = atomicAdd(&done, 2u) == gridDim.x;", false),
        ] {
            assert_eq!(last_block(&format!("void k() {{\n{line}\n}}\n")).is_some(), told, "{line}");
        }
    }

    #[test]
    fn an_index_that_is_added_is_told() {
        let told = |line: &str| {
            let text = format!(
                "__global__ void k(int n) {{\n    {line}\n}}\nvoid f(int n) {{\n    k<<<n, 32>>>(n);\n}}\n"
            );
            adds_index(&text, "f").map(|(_, told)| told)
        };
        let said = "line 2 adds `i`, which is no count, to `bins[gray[i]]`";
        assert_eq!(told("if (i < n) atomicAdd(&bins[gray[i]], i);").as_deref(), Some(said));
        let said = "line 2 adds `gray[i]`, which is no count, to `bins[i]`";
        assert_eq!(told("atomicAdd(&bins[i], gray[i]);").as_deref(), Some(said));
        for right in [
            "atomicAdd(&bins[gray[i]], 1);",
            "atomicAdd(&bins[v], counts[v]);",
            "atomicAdd(&bins[t], count);",
        ] {
            assert_eq!(told(right), None, "{right}");
        }
    }

    #[test]
    fn copies_of_counters_keep_their_layout() {
        let text = |sides: &str| {
            format!(
                "__global__ void k() {{\n    __shared__ uint32_t counts{sides};\n    atomicAdd(&counts[level][lane], 1);\n    sum += counts[t][l];\n}}\n"
            )
        };
        assert!(reads_copies(4, &text("[256][32]")) && !reads_copies(3, &text("[256][32]")));
        assert!(!reads_copies(4, &text("[256][33]")));
    }

    #[test]
    fn counters_that_are_set_to_zero_late_are_told() {
        let text =
            "__global__ void k() {\n    atomicAdd(&counts[level], 1);\n    counts[threadIdx.x] = 0;\n}\n";
        assert!(zeroed_late(2, 3, text) && !zeroed_late(3, 2, text));
        assert!(!zeroed_late(3, 4, &text.replacen("    atomic", "    counts[0] = 0;\n    atomic", 1)));
        assert!(!zeroed_late(3, 4, &text.replacen("    atomic", "    for (;;)\n    atomic", 1)));
    }

    #[test]
    fn last_pixels_that_each_block_counts_are_told() {
        let text = |test: &str| {
            format!(
                "__global__ void k(int n) {{\n    const int first = blockIdx.x * blockDim.x + threadIdx.x;\n    {test} {{\n        \
                 atomicAdd(&counts[gray[n / 16 * 16 + threadIdx.x]], 1);\n    }}\n}}\nvoid f(int n) {{\n    k<<<n / 9, 32>>>(n);\n}}\n"
            )
        };
        let said = "line 3 lets the first threads of each block take the last pixels, so that line 4 counts them once for each block";
        assert_eq!(rest_by_all(&text("if (threadIdx.x < n % 16)"), "f").as_deref(), Some(said));
        assert_eq!(rest_by_all(&text("if (first < n % 16)"), "f"), None);
        assert_eq!(rest_by_all(&text("if (blockIdx.x == 0 && threadIdx.x < n % 16)"), "f"), None);
        let one = text("if (threadIdx.x < n % 16)").replace("<<<n / 9,", "<<<1,");
        assert_eq!(rest_by_all(&one, "f"), None);
    }

    #[test]
    fn a_minimum_that_begins_with_the_least_is_told() {
        let text = |low: &str, high: &str| {
            format!(
                "constexpr int levels = 256;\n__global__ void k() {{\n    __shared__ int low, high;\n    low = {low};\n    high = {high};\n    \
                 atomicMin(&low, v);\n    atomicMax(&high, v);\n}}\n"
            )
        };
        let said = "line 4 begins `low` with 0, and no level is less: `atomicMin` in line 6 never changes it";
        assert_eq!(begins_wrong(&text("0", "levels - 1")).as_deref(), Some(said));
        let said =
            "line 5 begins `high` with 255, and no level is greater: `atomicMax` in line 7 never changes it";
        assert_eq!(begins_wrong(&text("255", "levels - 1")).as_deref(), Some(said));
        assert_eq!(begins_wrong(&text("255", "0")), None);
    }

    #[test]
    fn an_exchanged_minimum_is_told() {
        let told = |low: &str, high: &str| {
            exchanged(&format!("    {low}(&low, v);\n    {high}(&range->high, v);\n"))
        };
        let said = "line 1 takes the maximum for `low`, and line 2 the minimum for `range->high`";
        assert_eq!(told("atomicMax", "atomicMin").as_deref(), Some(said));
        assert_eq!(told("atomicMin", "atomicMax"), None);
        assert_eq!(told("atomicMax", "atomicMax"), None);
    }

    #[test]
    fn a_variable_of_each_thread_is_no_place_for_an_atomic() {
        let kernel = |declared: &'static str| of_thread(&[(2, declared), (3, "    atomicMin(&low, v);")]);
        assert_eq!(kernel("    int low, high;"), Some((2, "low", "int low, high;")));
        assert_eq!(kernel("    int low = 255;"), Some((2, "low", "int low = 255;")));
        assert_eq!(kernel("    __shared__ int low, high;"), None);
        assert_eq!(kernel("    int lowest;"), None);
    }
}
