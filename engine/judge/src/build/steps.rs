//! Sums and scans of a block or a warp, in rounds over growing or shrinking distances: worked out on their text.

use super::arguments::launches;
use super::arrays::sides;
use super::block::body;
use super::code::{is_part, places};
use super::expression::{Expression, parsed};
use super::missed::indices;
use super::walk::{Loop, Thread, Way};
use crate::numbers::grouped;

/// What to try if a scan is none.
pub const SCAN: &str = "a scan of n elements goes through the distances 1, 2, 4, … below n, `for (int d = 1; d < n; d *= 2)`, and in each round the \
                        threads with `t >= d` add the element at `t - d`";
/// What to try if a sum is not one of all elements.
pub const SUM: &str = "a sum of n elements goes through the distances n / 2, …, 2, 1, `for (int s = n / 2; s > 0; s /= 2)`, and in each round the \
                       threads with `t < s` add the element at `t + s`";
/// What to try if the lanes of a warp are not added up.
pub const WARP: &str = "a sum over the 32 lanes of a warp goes through the distances 16, 8, 4, 2 and 1: `for (int d = 16; d > 0; d /= 2)`";

/// Elements of an array that are followed.
const MOST: usize = 1024;

/// What is wrong with a sum or a scan in a kernel of `task`, as a fact, and what to try.
pub fn told(text: &str, task: &str) -> Option<(String, &'static str)> {
    launches(text, task).iter().find_map(|launch| {
        let lines = body(text, launch.kernel);
        let to = |line: u32, at: usize| Way::to(text, task, line, at);
        lines.iter().find_map(|(line, source)| {
            // Lanes that are compared, as in a sort, are not added up.
            let adds = |at: usize| source[..at].trim_end().ends_with("+=");
            let warp = source
                .find("__shfl_")
                .filter(|at| adds(*at))
                .and_then(|at| of_warp(&to(*line, at)?, &source[at..]));
            warp.or_else(|| of_block(&to(*line, source.find('[')?)?, *line, source))
        })
    })
}

/// The same of the kernel in which a way leads.
pub fn of_kernel(way: &Way<'_>) -> Option<(String, &'static str)> {
    way.kernel.iter().find_map(|(line, source)| {
        let way = Way::to(way.text, way.task, *line, source.find('[')?)?;
        of_block(&way, *line, source)
    })
}

/// A sum over the lanes of a warp whose distances are not those of 32 lanes.
fn of_warp(way: &Way<'_>, call: &str) -> Option<(String, &'static str)> {
    let list =
        call.split_once('(').filter(|(name, _)| ["__shfl_down_sync", "__shfl_xor_sync"].contains(name))?.1;
    let parts = super::arguments::parts(list.split_once(");")?.0);
    let of = way.loops().last().filter(|of| parts.len() == 3 && parts[2] == of.name)?;
    let mut distances = way.counted(of, &Thread::default(), &[])?;
    let shown = listed(&distances);
    let groups = distances.iter().max().map(|most| 2 * most)?;
    distances.sort_unstable();
    let grouped = ["% ", "/ "].iter().any(|by| way.text.contains(&format!("{by}{groups}")));
    (distances != [1, 2, 4, 8, 16] && !(grouped && groups < 32)).then(|| {
        (format!("the loop of line {} adds the lanes of a warp over the distances {shown}", of.line), WARP)
    })
}

/// A round of a sum or a scan: each thread adds, or stores, one element of an array to another.
struct Round<'a> {
    array: &'a str,
    target: (Way<'a>, Expression),
    adds: bool,
    source: Source<'a>,
}

/// The element that a thread takes, and when it does.
struct Source<'a> {
    way: Way<'a>,
    condition: Option<Expression>,
    index: Expression,
}

/// A sum or a scan in a line of a block with as many threads as its array has elements.
fn of_block(way: &Way<'_>, line: u32, source: &str) -> Option<(String, &'static str)> {
    let round = round(way, line, source)?;
    let of = round.target.0.loops().last()?.clone();
    let (_, size) = sides(round.array, line, way.text)?;
    let n = usize::try_from(*size.first()?).ok().filter(|n| size.len() == 1 && (2..=MOST).contains(n))?;
    if way.sides != [n as i64, 1] || !round.source.way.depends(&round.source.index, &|name| name == of.name) {
        return None;
    }
    let distances = way.counted(&of, &Thread::default(), &[])?;
    let first = *distances.first()?;
    let taken = |own: usize, distance: i64| {
        let thread = Thread { own: [own as i64, 0, 0], ..Thread::default() };
        round.source.of(&thread, &[(of.name.clone(), distance)])
    };
    let ahead = (0..n).find_map(|own| Some(taken(own, first)?? > own as i64))?;
    if ahead && uses_more(way, line, round.array) {
        return None;
    }
    let array = round.array;
    if (0..n).any(|own| taken(own, first).flatten().is_some_and(|at| at >= n as i64)) && first >= n as i64 {
        let told = format!(
            "the loop of line {} begins with the distance {first}, but `{array}` has {n} elements",
            of.line
        );
        return Some((told, if ahead { SUM } else { SCAN }));
    }
    let sums = round.carried_out(n, &of, &distances)?;
    if ahead { not_all(array, &of, &sums[0]) } else { no_scan(array, &of, &sums) }
}

/// A sum that is not one of all elements, each of them once.
fn not_all(array: &str, of: &Loop, sum: &[u32]) -> Option<(String, &'static str)> {
    let has = sum.iter().filter(|times| **times > 0).count();
    let twice = sum.iter().any(|times| *times > 1);
    (has < sum.len() || twice).then(|| {
        let [has, all] = [has, sum.len()].map(|number| grouped(number as u64));
        let more = if twice { ", some of them more than once" } else { "" };
        (
            format!(
                "after the loop of line {}, `{array}[0]` is the sum of {has} of the {all} elements{more}",
                of.line
            ),
            SUM,
        )
    })
}

/// An element of a scan that is not the sum of all elements up to it.
fn no_scan(array: &str, of: &Loop, sums: &[Vec<u32>]) -> Option<(String, &'static str)> {
    sums.iter().enumerate().find_map(|(at, sum)| {
        let (wrong, times) =
            sum.iter().enumerate().find(|(other, times)| **times != u32::from(*other <= at))?;
        let whole = match at {
            0 => "element 0 itself".to_owned(),
            _ => format!("the sum of the elements 0 to {at}"),
        };
        let how = match times {
            0 => "is missing".to_owned(),
            times => format!("is counted {times} times"),
        };
        let told = format!(
            "after the loop of line {}, `{array}[{at}]` is not {whole}: element {wrong} {how}",
            of.line
        );
        Some((told, SCAN))
    })
}

impl Source<'_> {
    /// The element that a thread takes; `Some(None)` if it takes none, `None` if that is not known.
    fn of(&self, thread: &Thread, counters: &[(String, i64)]) -> Option<Option<i64>> {
        if !self.way.is_let_through(thread, counters, self.condition.as_ref())? {
            return Some(None);
        }
        self.way.value(&self.index, thread, counters).map(Some)
    }
}

impl Round<'_> {
    /// How often each element is in the sum that each element then holds.
    fn carried_out(&self, n: usize, of: &Loop, distances: &[i64]) -> Option<Vec<Vec<u32>>> {
        let mut sums: Vec<Vec<u32>> =
            (0..n).map(|at| (0..n).map(|other| u32::from(other == at)).collect()).collect();
        let (way, target) = &self.target;
        for distance in distances {
            let counters = [(of.name.clone(), *distance)];
            let before = sums.clone();
            for own in 0..n {
                let thread = Thread { own: [own as i64, 0, 0], ..Thread::default() };
                let stores = way.is_let_through(&thread, &counters, None)?;
                if way.value(target, &thread, &counters)? != own as i64 {
                    return None;
                }
                let taken = self.source.of(&thread, &counters)?;
                if !stores {
                    continue;
                }
                let taken = match taken {
                    Some(at) => Some(before.get(usize::try_from(at).ok()?)?),
                    None => None,
                };
                if !self.adds {
                    sums[own] = vec![0; n];
                }
                for (sum, times) in sums[own].iter_mut().zip(taken.into_iter().flatten()) {
                    *sum = sum.saturating_add(*times);
                }
            }
        }
        Some(sums)
    }
}

/// Whether the kernel goes on to add elements of an array after a line.
fn uses_more(way: &Way<'_>, line: u32, array: &str) -> bool {
    let other = |source: &str| {
        places(source, array).any(|at| {
            let behind = &source[at + array.len()..];
            indices(behind).is_some_and(|(found, _)| found.first().is_none_or(|index| *index != "0"))
        })
    };
    way.kernel.iter().any(|(number, source)| source.contains("__shfl") || *number > line && other(source))
}

/// The round that a line ends: `a[t] += a[t + s]`, or `a[t] += before` behind `before = a[t - d]`.
fn round<'a>(way: &Way<'a>, line: u32, source: &'a str) -> Option<Round<'a>> {
    let at = source.find('[')?;
    let array = &source[source[..at].trim_end_matches(is_part).len()..at];
    let (found, rest) = indices(&source[at..])?;
    let index = parsed(found.first().filter(|_| found.len() == 1)?)?;
    let value = rest.split(';').next()?;
    let (adds, value) = match value.strip_prefix("+=") {
        Some(value) => (true, value.trim()),
        None => {
            let value = value.strip_prefix('=').filter(|value| !value.starts_with('='))?.trim();
            let own = value
                .strip_prefix(&source[at - array.len()..source.len() - rest.len()].trim_end().to_owned());
            let added = own.and_then(|value| value.trim_start().strip_prefix('+'));
            (added.is_some(), added.unwrap_or(value).trim())
        }
    };
    let to = |line: u32, source: &str| Way::to(way.text, way.task, line, source.find('=')?);
    let source = match element(value, array) {
        Some((condition, index)) => Source { way: to(line, source)?, condition, index },
        None => {
            let of = way.loops().last()?;
            // Between the head of the loop and here.
            let before = way.kernel.iter().filter(|(number, _)| (of.line..line).contains(number));
            let mut given = before.filter_map(|(number, source)| {
                let at = places(source, value).find(|at| source[at + value.len()..].starts_with(" = "))?;
                let given = source[at + value.len() + 3..].split(';').next()?;
                let (condition, index) = element(given.trim(), array)?;
                Some(Source { way: Way::to(way.text, way.task, *number, at)?, condition, index })
            });
            given.next().filter(|_| !value.is_empty() && value.chars().all(is_part))?
        }
    };
    let target = (Way::to(way.text, way.task, line, at)?, index);
    Some(Round { array, target, adds, source })
}

/// The index of an element of an array, and the condition without which it is 0: `t >= d ? a[t - d] : 0`.
fn element(value: &str, array: &str) -> Option<(Option<Expression>, Expression)> {
    let (condition, value) = match value.split_once('?') {
        Some((condition, rest)) => {
            let (value, other) = rest.rsplit_once(':')?;
            let zero = ["0", "0u", "0U"].contains(&other.trim());
            (Some(parsed(condition).filter(|_| zero)?), value.trim())
        }
        None => (None, value),
    };
    let (found, rest) = indices(value.strip_prefix(array)?)?;
    let [index] = found.as_slice() else { return None };
    Some((condition, parsed(index).filter(|_| rest.is_empty())?))
}

/// `16, 8 and 4`.
fn listed(numbers: &[i64]) -> String {
    let all: Vec<String> = numbers.iter().map(i64::to_string).collect();
    match all.as_slice() {
        [some @ .., last] if !some.is_empty() => format!("{} and {last}", some.join(", ")),
        _ => all.concat(),
    }
}

#[cfg(test)]
mod tests {
    fn file(lines: &str) -> String {
        format!(
            "__global__ void k(int* a) {{\n    __shared__ int s[128];\n    const int t = threadIdx.x;\n{lines}\n    a[0] = s[0];\n}}\n\
             void f(int* a) {{\n    k<<<1, 128>>>(a);\n}}\n"
        )
    }

    #[test]
    fn sums_and_scans_over_the_wrong_distances_are_told() {
        let sum = |head: &str, guard: &str| {
            file(&format!(
                "    for ({head}) {{\n        if ({guard}) s[t] += s[t + d];\n        __syncthreads();\n    }}"
            ))
        };
        let scan = |head: &str, read: &str, add: &str| {
            file(&format!(
                "    for ({head}) {{\n        int b = 0;\n        {read}\n        __syncthreads();\n        {add}\n        __syncthreads();\n    }}"
            ))
        };
        let halving = "int d = 64; d > 0; d /= 2";
        let doubling = "int d = 1; d < 128; d *= 2";
        for (text, said) in [
            (sum(halving, "t < d"), None),
            (sum("int d = blockDim.x / 2; d > 0; d >>= 1", "t < d"), None),
            (sum(doubling, "t % (2 * d) == 0"), None),
            (
                sum("int d = 32; d > 0; d /= 2", "t < d"),
                Some("line 4, `s[0]` is the sum of 64 of the 128 elements"),
            ),
            (sum("int d = 1; d <= 32; d *= 2", "t < d"), Some("is the sum of 7 of the 128")),
            (sum("int d = 64; d > 1; d /= 2", "t < d"), Some("is the sum of 64 of the 128")),
            (
                sum("int d = 128; d > 0; d /= 2", "t < d"),
                Some("the loop of line 4 begins with the distance 128"),
            ),
            (scan(doubling, "if (t >= d) b = s[t - d];", "s[t] += b;"), None),
            (scan(doubling, "b = t >= d ? s[t - d] : 0;", "s[t] = s[t] + b;"), None),
            (
                scan(doubling, "if (t > d) b = s[t - d];", "s[t] += b;"),
                Some("`s[1]` is not the sum of the elements 0 to 1: element 0 is missing"),
            ),
            (
                scan("int d = 2; d < 128; d *= 2", "if (t >= d) b = s[t - d];", "s[t] += b;"),
                Some("`s[1]` is not"),
            ),
            (
                scan("int d = 1; d < 64; d *= 2", "if (t >= d) b = s[t - d];", "s[t] += b;"),
                Some("`s[64]` is not"),
            ),
            (
                scan("int d = 1; d < 128; d++", "if (t >= d) b = s[t - d];", "s[t] += b;"),
                Some("is counted 2 times"),
            ),
            (scan(doubling, "if (t >= d) b = s[t - d];", "s[t] = b;"), Some("element 0 is missing")),
            (file("    for (int d = 1; d < 4; d *= 2) s[t] += n[t - d];"), None),
        ] {
            let told = super::told(&text, "f").map(|(told, _)| told);
            assert_eq!(told.is_some(), said.is_some(), "{text}{told:?}");
            assert!(said.is_none_or(|said| told.is_some_and(|told| told.contains(said))), "{text}");
        }
    }

    #[test]
    fn sums_over_a_part_of_a_warp_are_told() {
        let told = |head: &str, more: &str| {
            let text = file(&format!("    {more}\n    for ({head}) n += __shfl_down_sync(~0u, n, d);"));
            super::told(&text, "f").map(|(told, _)| told)
        };
        let said = told("int d = 8; d > 0; d /= 2", "").unwrap_or_default();
        assert!(said.ends_with("line 5 adds the lanes of a warp over the distances 8, 4, 2 and 1"), "{said}");
        assert_eq!(told("int d = 16; d > 0; d /= 2", ""), None);
        assert_eq!(told("int d = 8; d > 0; d /= 2", "const int group = t / 16;"), None);
    }
}
