//! The elements of an array of the block that the lines of a kernel reach, worked out for all threads of a block.
//!
//! Conditions that are not known count as true: what is told never to be reached never is.

use super::arguments::launches;
use super::arrays::sides;
use super::block::body;
use super::code::{code, has, is_outermost, is_part, kernel_to, last_name, places};
use super::expression::parsed;
use super::missed::indices;
use super::walk::{Thread, Way};
use crate::numbers::grouped;

/// What to try if counters of a block are left over.
pub const LEFT_OVER: &str = "let the threads of a block add all of its counters, whatever else a condition keeps them from: `for (int v = threadIdx.x; v < 256; v += \
                             blockDim.x)`";

/// Levels of a gray picture, each with a counter.
const LEVELS: usize = 256;
/// Elements of an array that are followed.
const MOST: usize = 1 << 14;

/// What a line does with an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Does {
    Read,
    Set,
    Count,
}

/// A use of an array in a line: its elements, if they are known, and the innermost condition around it.
struct Use<'a> {
    line: u32,
    does: Does,
    texts: Vec<&'a str>,
    reach: Option<Reach>,
    condition: Option<String>,
    /// Whether it stands in a loop.
    looped: bool,
}

/// The elements that any thread of a block reaches.
struct Reach {
    elements: Vec<bool>,
    /// How often, all threads and rounds together.
    visits: usize,
    /// The first index that leaves its side of the array, as a fact.
    outside: Option<String>,
}

/// Counters of a block of which no line of a kernel of `task` reads all, as a fact.
pub fn left_over(text: &str, task: &str) -> Option<String> {
    launches(text, task).iter().find_map(|launch| {
        let lines = body(text, launch.kernel);
        let declared = lines.iter().filter(|(_, line)| has(line, "__shared__"));
        declared.into_iter().find_map(|(_, line)| {
            let name = last_name(line.split_once('[')?.0);
            let uses = uses(text, task, &lines, name).filter(|_| !name.is_empty())?;
            let is_counted = uses.iter().any(|of| of.does == Does::Count);
            let (lines, reached) = reached(&uses, Does::Read)?;
            let is_all = reached.len() != LEVELS || reached.iter().all(|is| *is);
            (is_counted && !is_all).then(|| {
                format!(
                    "{} {}: what the block counts in the others never comes to the result",
                    verb(&lines, "read"),
                    said(("counters", name), &reached, uses.iter().filter(|of| of.does == Does::Read))
                )
            })
        })
    })
}

/// The lines before a use that set elements of an array, but not this one, as a fact and what to try.
pub fn unset(text: &str, task: &str, used: u32, name: &str, element: usize) -> Option<(String, String)> {
    let kernel = kernel_to(used, text)?;
    let uses = uses(text, task, &kernel, name)?;
    let (lines, reached) = reached(&uses, Does::Set)?;
    let setting = || uses.iter().filter(|of| of.does == Does::Set);
    let told = (reached.get(element) == Some(&false))
        .then(|| format!("{} {}", verb(&lines, "set"), said(("elements", name), &reached, setting())))?;
    if reached.iter().filter(|is| **is).count() <= 1 && setting().all(|of| of.condition.is_none()) {
        return Some((told.clone(), format!("{told}: set `{name}[{element}]`, too, or read what is set")));
    }
    let often = setting().filter_map(|of| Some((of, of.reach.as_ref()?)));
    if let Some((of, reach)) = often.into_iter().find(|(_, reach)| reach.visits >= reached.len()) {
        let index: String = of.texts.iter().flat_map(|text| ["[", text, "]"]).collect();
        let outside = reach.outside.as_ref().map_or_else(
            || format!("Work out the index `{index}` for a few threads: several come to the same element"),
            |outside| format!("{outside}: likely the indices are meant in another order"),
        );
        return Some((
            told.clone(),
            format!(
                "line {} is carried out {} times by the threads of a block, and the array has {} elements, but several times it sets the same one. {outside}",
                of.line,
                grouped(reach.visits as u64),
                grouped(reach.elements.len() as u64)
            ),
        ));
    }
    let way = Way::to(text, task, setting().next()?.line, 0)?;
    Some((told.clone(), format!("{told}: {}", go_on(&way, setting().any(|of| of.looped), reached.len()))))
}

/// What to try if the threads of a block, which may go on in a loop already, set too few elements.
fn go_on(way: &Way<'_>, looped: bool, all: usize) -> String {
    let [across, down] = way.sides;
    let block = if down == 1 { across.to_string() } else { format!("{across} × {down}") };
    if looped {
        return format!(
            "a block has {block} threads, by line {}: work out for the first and the last of them which elements they set, and by how many \
             the loop goes on",
            way.launch
        );
    }
    let [first, step] = if down == 1 {
        ["threadIdx.x", "blockDim.x"]
    } else {
        ["threadIdx.y * blockDim.x + threadIdx.x", "blockDim.x * blockDim.y"]
    };
    format!(
        "let each thread go on by the threads of the block, {block}, until all are set, `for (int v = {first}; v < {all}; v += {step})`"
    )
}

/// The lines of all uses of a kind, and the elements that they reach; `None` if there is none, or one whose elements are not known.
fn reached(uses: &[Use<'_>], does: Does) -> Option<(String, Vec<bool>)> {
    let own = || uses.iter().filter(|of| of.does == does);
    let mut all: Vec<bool> = own().next()?.reach.as_ref()?.elements.clone();
    for of in own() {
        all.iter_mut().zip(&of.reach.as_ref()?.elements).for_each(|(all, is)| *all |= is);
    }
    Some((crate::numbers::lines_in_words(own().map(|of| of.line).collect())?, all))
}

/// `line 3 sets`, or `lines 3 and 4 set`.
fn verb(lines: &str, verb: &str) -> String {
    format!("{lines} {verb}{}", if lines.starts_with("lines") { "" } else { "s" })
}

/// The part of an array that is reached, and the condition of a single line: `` only `local[0]` of the 256 elements (under the condition `t == 0`) ``.
/// `what` its elements are, and its name.
fn said<'a>(
    (what, name): (&str, &str),
    reached: &[bool],
    mut uses: impl Iterator<Item = &'a Use<'a>>,
) -> String {
    let at: Vec<usize> = (0..reached.len()).filter(|at| reached[*at]).collect();
    let all = grouped(reached.len() as u64);
    let part = match at.as_slice() {
        [] => format!("none of the {all} {what} of `{name}`"),
        [only] => format!("only `{name}[{only}]` of the {all} {what}"),
        [first, .., last] if last - first + 1 == at.len() => {
            format!("only `{name}[{first}]` to `{name}[{last}]` of the {all} {what}")
        }
        _ => format!("only {} of the {all} {what} of `{name}`", grouped(at.len() as u64)),
    };
    match (uses.next().and_then(|of| of.condition.clone()), uses.next()) {
        (Some(condition), None) => format!("{part} (under the condition `{condition}`)"),
        _ => part,
    }
}

/// All uses of an array in these lines of a kernel; `None` if it is used otherwise than by its elements.
fn uses<'a>(text: &str, task: &str, kernel: &[(u32, &'a str)], name: &str) -> Option<Vec<Use<'a>>> {
    let all = kernel.iter().filter(|(_, line)| !has(line, "__shared__"));
    let all = all.flat_map(|(number, line)| places(line, name).map(move |at| (*number, *line, at)));
    all.map(|(number, line, at)| {
        let (texts, rest) = indices(&line[at + name.len()..])?;
        // A function that only counts sets nothing.
        if texts.is_empty() && counted_by(text, &line[..at]) {
            return Some(Use {
                line: number,
                does: Does::Count,
                texts,
                reach: None,
                condition: None,
                looped: false,
            });
        }
        let (_, sides) = sides(name, number, text).filter(|(_, sides)| sides.len() == texts.len())?;
        let way = Way::to(text, task, number, at)?;
        let condition = way.guards().next_back().map(|(_, text)| text.to_owned());
        let reach = reach(&way, &texts, &sides);
        let looped = way.loops().next().is_some();
        Some(Use { line: number, does: does(line[..at].trim_end(), rest)?, texts, reach, condition, looped })
    })
    .collect()
}

/// Whether an array is passed here to a function of the text that does nothing with its first parameter but to count by atomics.
fn counted_by(text: &str, before: &str) -> bool {
    let Some(call) = before.trim_end().strip_suffix('(') else { return false };
    let name = last_name(call);
    let head = |line: &str| is_outermost(line) && has(line, "__device__") && has(line, name);
    let mut lines = text.lines().map(code).skip_while(|line| !head(line)).peekable();
    let Some(first) = lines.next().filter(|_| !name.is_empty()) else { return false };
    let list = first.split_once('(').map_or("", |(_, list)| list);
    let parameter = list.split([',', '(', ')', '*', '[', ' ']).filter(|word| !word.is_empty()).nth(1);
    let Some(parameter) = parameter else { return false };
    let body: Vec<&str> = lines.take_while(|line| !line.starts_with('}')).collect();
    let uses = |line: &str| -> Vec<usize> { places(line, parameter).collect() };
    let atomic = |line: &&str| uses(line).iter().all(|at| line[..*at].trim_end().ends_with("atomicAdd(&"));
    body.iter().all(atomic) && body.iter().any(|line| !uses(line).is_empty())
}

/// What is done with an element between these texts; `None` if its address is taken.
fn does(before: &str, after: &str) -> Option<Does> {
    let changes = ["+=", "-=", "|=", "^=", "++", "--"];
    if let Some(before) = before.strip_suffix('&').filter(|before| !before.ends_with('&')) {
        let call = before.trim_end().strip_suffix('(')?;
        return call[call.trim_end_matches(is_part).len()..].starts_with("atomic").then_some(Does::Count);
    }
    let counts = changes.iter().any(|change| after.starts_with(change))
        || ["++", "--"].iter().any(|change| before.ends_with(change));
    let set = after.starts_with('=') && !after.starts_with("==");
    Some(if counts {
        Does::Count
    } else if set {
        Does::Set
    } else {
        Does::Read
    })
}

/// The elements that any thread of a block reaches by these indices.
fn reach(way: &Way<'_>, texts: &[&str], sides: &[i64]) -> Option<Reach> {
    let indices: Vec<_> = texts.iter().map(|text| parsed(text)).collect::<Option<_>>()?;
    let size = usize::try_from(sides.iter().product::<i64>()).ok().filter(|size| *size <= MOST)?;
    let mut found = vec![false; size];
    let (mut visits, mut largest) = (0, vec![0; sides.len()]);
    let [across, down] = way.sides;
    for at in 0..across * down {
        let thread = Thread { own: [at % across, at / across, 0], ..Thread::default() };
        way.rounds(&thread, &mut |counters| {
            let mut flat = 0;
            for ((index, side), largest) in indices.iter().zip(sides).zip(&mut largest) {
                let value = way.value(index, &thread, counters)?;
                *largest = value.max(*largest);
                flat = flat * side + value;
            }
            visits += 1;
            if let Some(is) = usize::try_from(flat).ok().and_then(|flat| found.get_mut(flat)) {
                *is = true;
            }
            Some(true)
        })?;
    }
    let both = texts.iter().zip(sides).zip(&largest);
    let outside = both.into_iter().find(|((_, side), largest)| largest >= side);
    let outside = outside.map(|((text, side), largest)| {
        format!("The index `{text}` goes up to {largest}, where the array has {side}")
    });
    Some(Reach { elements: found, visits, outside })
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn kernel(fill: &str, merge: &str) -> String {
        format!(
            "__global__ void k(const int* gray, int* bins, int n) {{\n    __shared__ int local[256];\n    const int t = threadIdx.x;\n    {fill}\n    __syncthreads();\n\
             \x20   if (t < n) atomicAdd(&local[gray[t]], 1);\n    __syncthreads();\n    {merge}\n}}\nvoid f(const int* gray, int* bins, int n) {{\n    k<<<n, 128>>>(gray, bins, n);\n}}\n"
        )
    }

    #[test]
    fn counters_that_no_thread_adds_are_told() {
        let all = "for (int v = t; v < 256; v += blockDim.x)";
        let of = |merge: &str| left_over(&kernel("local[t] = 0;", merge), "f");
        for (merge, told) in [
            (
                "if (t == 0) atomicAdd(&bins[t], local[t]);",
                Some("line 8 reads only `local[0]` of the 256 counters (under the condition `t == 0`): "),
            ),
            (
                "atomicAdd(&bins[t], local[t]);",
                Some("line 8 reads only `local[0]` to `local[127]` of the 256 counters: "),
            ),
            (
                "if (n > 3) atomicAdd(&bins[2 * t], local[2 * t]);",
                Some("line 8 reads only 128 of the 256 counters of `local` (under the condition `n > 3`): "),
            ),
            (&format!("{all} atomicAdd(&bins[v], local[v]);"), None),
            ("merge(local);", None),
            ("atomicAdd(&bins[t], local[gray[t]]);", None),
        ] {
            let said = of(merge);
            let right = said
                .as_deref()
                .map_or(told.is_none(), |said| told.is_some_and(|told| said.starts_with(told)));
            assert!(right, "{merge}: {said:?}");
        }
    }

    #[test]
    fn elements_that_no_line_sets_are_told() {
        let of = |fill: &str, element: usize| {
            unset(&kernel(fill, ""), "f", 6, "local", element).map(|(told, _)| told)
        };
        assert_eq!(
            of("if (t == 0) local[t] = 0;", 52).as_deref(),
            Some("line 4 sets only `local[0]` of the 256 elements (under the condition `t == 0`)")
        );
        assert_eq!(
            of("local[t] = 0;", 200).as_deref(),
            Some("line 4 sets only `local[0]` to `local[127]` of the 256 elements")
        );
        let hint = |fill: &str, block: &str| {
            let text = kernel(fill, "").replace("k<<<n, 128>>>", &format!("k<<<n, {block}>>>"));
            unset(&text, "f", 6, "local", 200).map(|(_, hint)| hint).unwrap_or_default()
        };
        let line = "`for (int v = threadIdx.x; v < 256; v += blockDim.x)`";
        assert!(hint("local[t] = 0;", "128").ends_with(line));
        let flat =
            "`for (int v = threadIdx.y * blockDim.x + threadIdx.x; v < 256; v += blockDim.x * blockDim.y)`";
        assert!(hint("local[t] = 0;", "dim3(32, 4)").ends_with(flat));
        let looped = hint("for (int v = t; v < 150; v += 150) local[v] = 0;", "128");
        assert!(looped.contains(": a block has 128 threads, by line 11: work out"), "{looped}");
        assert_eq!(of("local[t] = 0;", 52), None);
        assert_eq!(of("local[t] = 0; local[t + 128] = 0;", 200), None);
        assert_eq!(of("clear(local);", 200), None);
    }
}
