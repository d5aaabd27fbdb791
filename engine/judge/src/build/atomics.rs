//! Atomics whose result is compared wrongly, or that keep the wrong one of two numbers.

use runtime::finding::Finding;

use super::code::{closing, code, is_part, last_name, numbered_lines, places};

/// What to try if no block is the last one.
pub const LAST: &str = "`atomicAdd` gives the value before it adds: of n blocks, the last one gets n - 1. Compare with `gridDim.x - 1`";
/// What to try if a minimum and a maximum are exchanged.
pub const EXTREMES: &str =
    "the lowest of several numbers stays with `atomicMin`, the highest with `atomicMax`";

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
