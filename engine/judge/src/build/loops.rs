//! Conditions of loops that are true for every value of their variable's type.

use runtime::finding::Finding;
use runtime::simulation::{NOT_VERIFIED, TOO_MUCH_WORK};

use super::arguments::launches;
use super::code::{code, comparisons, function_of, has, is_part, last_name, numbered_lines, places, value};
use super::{block, reached, slips};

/// Types that a beginner counts with, and their ranges.
const NARROW: [(&str, i64, i64); 8] = [
    ("uint8_t", 0, 255),
    ("unsigned char", 0, 255),
    ("int8_t", -128, 127),
    ("char", -128, 127),
    ("uint16_t", 0, 65_535),
    ("unsigned short", 0, 65_535),
    ("int16_t", -32_768, 32_767),
    ("short", -32_768, 32_767),
];
/// Types without a sign, for comparisons with 0.
const UNSIGNED: [&str; 6] = ["unsigned", "uint32_t", "size_t", "uint64_t", "uint8_t", "uint16_t"];
/// Lines before the finding where the loop may begin.
const BEFORE: usize = 30;

/// Names the condition of a loop without an end, if the type of its variable keeps it true.
pub fn explained(finding: &mut Finding, text: &str) {
    let Some(line) = finding.line.filter(|_| finding.code == "W0504") else { return };
    if [NOT_VERIFIED, TOO_MUCH_WORK].iter().any(|begin| finding.message.starts_with(begin)) {
        let kernel = finding.thread.as_ref().map(|thread| thread.kernel.as_str());
        if let Some(array) = kernel.and_then(|kernel| array_per_thread(kernel, text)) {
            finding.hint = format!("{}. {}", finding.hint, array.told());
        }
        return;
    }
    let lines: Vec<&str> = text.lines().map(code).take(line as usize).collect();
    let mut heads = lines
        .iter()
        .enumerate()
        .rev()
        .take(BEFORE)
        .filter(|(_, line)| has(line, "for") || has(line, "while"));
    if let Some((message, hint)) = heads.find_map(|(at, head)| always(at, head, &lines[..=at], text)) {
        finding.message = format!("does not come to an end: {message}");
        finding.hint = hint;
    } else if let Some((at, told, hint)) = slips::near(line, text)
        && line.abs_diff(at) <= 1
    {
        finding.hint = format!("{told}: {hint}");
    }
}

/// Elements of an array from which on going through it is much work for a thread.
const LARGE: u64 = 64;

/// An array that each thread of a kernel has for itself.
struct OwnArray<'a> {
    line: u32,
    name: &'a str,
    elements: u64,
    /// The lines of the loops over all of it.
    loops: Vec<String>,
}

impl OwnArray<'_> {
    /// What it costs, and what to do.
    fn told(&self) -> String {
        let Self { line, name, elements, loops } = self;
        let loops = match loops.as_slice() {
            [] => String::new(),
            [one] => format!(", and the loop in line {one} goes through all of it"),
            lines => format!(", and the loops in lines {} go through all of it", lines.join(", ")),
        };
        format!(
            "Each thread has an array of {elements} elements, `{name}` (line {line}){loops}: with one array per block, in shared memory, the checker gets \
             through, and it is faster on a GPU, too"
        )
    }
}

/// The array that each thread of a kernel has for itself.
fn array_per_thread<'a>(kernel: &str, text: &'a str) -> Option<OwnArray<'a>> {
    let lines = block::body(text, kernel.split(['<', '(']).next()?);
    let (line, name, elements) = lines.iter().find_map(|(number, line)| {
        let (before, rest) = line.split_once('[')?;
        let (elements, behind) = rest.split_once(']')?;
        let declares = before.split_whitespace().count() >= 2
            && before.chars().all(|c| is_part(c) || c == ' ')
            && !has(before, "__shared__")
            && !has(before, "return");
        let elements = value(elements, text)?;
        let ends = behind.trim_start().starts_with([';', '=', '[', '{', ',']);
        (declares && ends && elements >= LARGE).then(|| (*number, last_name(before), elements))
    })?;
    let over = lines.iter().filter(|(_, line)| has(line, "for")).filter(|(_, line)| {
        comparisons(line).into_iter().any(|(_, _, bound)| value(bound, text) == Some(elements))
    });
    let loops = over.map(|(number, _)| number.to_string()).collect();
    Some(OwnArray { line, name, elements, loops })
}

/// Names what the text shows of a check that takes too long: a loop over the picture that each block goes through alone, whose step is a block
/// and whose beginning differs from block to block; or an array that each thread of one of these tasks goes through.
pub fn too_slow(finding: &mut Finding, text: &str, tasks: &[&str]) {
    if finding.code != "W0520" {
        return;
    }
    // The task whose check was late, by the name of the step.
    let late = |task: &&&str| finding.message.contains(&format!("\"{task}: "));
    let array = || {
        let launches = tasks.iter().find(late).map_or_else(Vec::new, |task| launches(text, task));
        let arrays = launches.iter().filter_map(|launch| array_per_thread(launch.kernel, text));
        arrays.into_iter().find(|array| !array.loops.is_empty()).map(|array| array.told())
    };
    if let Some(told) = step_of_a_block(text) {
        finding.hint = told;
    } else if let Some(told) = array() {
        finding.hint = format!("look at the array of each thread first. {told}");
    }
}

fn step_of_a_block(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(code).collect();
    (1..).zip(&lines).find_map(|(number, line)| {
        let (_, step) = line.rsplit_once(';').filter(|_| has(line, "for"))?;
        let (name, by) = step.split_once("+=")?;
        let name = name.trim();
        let begins = |line: &&str| {
            places(line, name).any(|at| line[at + name.len()..].trim_start().starts_with('=')) && has(line, "blockIdx")
        };
        let before = &lines[..number as usize];
        let own = has(by, "blockDim") && !has(by, "gridDim") && before.iter().rev().take(BEFORE).any(begins);
        own.then(|| {
            format!(
                "the loop in line {number} goes on by `{}`, the threads of one block, but each block begins at its own place: all blocks compute the rest of \
                 the picture again. The step of a loop that all blocks share is `gridDim.x * blockDim.x`",
                by.trim().split(')').next().unwrap_or_default().trim()
            )
        })
    })
}

/// A bound of a search that is a number, whatever the picture.
fn fixed_bound(bound: &str, line: u32, text: &str) -> Option<String> {
    let lines: Vec<(u32, &str)> = numbered_lines(text).collect();
    let (first, _) = function_of(&lines, line)?;
    let own = &lines[first as usize - 1..line as usize];
    let mut given = own.iter().filter_map(|(number, line)| {
        let (name, from) = line.split_once(" = ")?;
        let from = from.trim().strip_suffix(';')?;
        (last_name(name) == bound).then_some((*number, from))
    });
    let (Some((number, from)), None) = (given.next(), given.next()) else { return None };
    let least: u64 = from.parse().ok().filter(|least| *least > 1)?;
    Some(format!(
        "Line {number} makes `{bound}` {least} for every picture, and a small one has fewer pixels than that: does the task compute it from the number of pixels?"
    ))
}

/// A search without an end: what the host reads behind the last element of its array.
pub fn searched(finding: &mut Finding, text: &str) {
    let Some(line) = finding.line.filter(|_| finding.code == "W0201" && finding.hint.starts_with(ARRAY))
    else {
        return;
    };
    let Some(head) = text.lines().nth(line as usize - 1).map(code) else { return };
    let told = comparisons(head).into_iter().find_map(|(left, _, bound)| {
        let (array, index) = left.split_once('[')?;
        let index = index.split(']').next()?;
        if let Some(fixed) = fixed_bound(bound, line, text) {
            return Some(format!(
                "nothing stops `{index}` at the end of `{array}`: where no element ends this loop, it reads what lies behind the array. {fixed}"
            ));
        }
        let moves = |way: &str| head.contains(&format!("{index}{way}")) || head.contains(&format!("{way}{index}"));
        let left = finding.task().and_then(|task| reached::left_over(text, task));
        let first = if let Some(left) = left {
            return Some(format!("{left}. So too few pixels are counted, and the search in `{array}` finds no end: {}", reached::LEFT_OVER));
        } else if has(text, "atomicAdd") {
            format!(". If all of that is right, what fills `{array}` is not: print its sum, which is to be the number of pixels")
        } else {
            String::new()
        };
        let tested = comparisons(head).iter().any(|(left, _, right)| [left, right].contains(&&index));
        (has(head, "while") && (moves("++") || moves("--")) && !tested).then(|| {
            format!(
                "nothing stops `{index}` at the end of `{array}`: where no element ends this loop, it reads what lies behind the array. Test the index, too, and \
                 compare the condition with the task sheet: at least n is `>= n`, so that the search goes on while it is `< n`{first}"
            )
        })
    });
    if let Some(told) = told {
        finding.hint = told;
    }
}

/// The beginning of the hint on a search that nothing stops.
pub const SEARCH: &str = "nothing stops `";
/// The beginning of the hint on a local array that is not set.
const ARRAY: &str = "a local array starts with arbitrary contents";

/// The condition in this line that is always true, and what to do about it.
fn always(at: usize, head: &str, before: &[&str], text: &str) -> Option<(String, String)> {
    comparisons(head).into_iter().find_map(|(name, operator, bound)| {
        let kind = kind(name, before)?;
        let condition = format!("`{name} {operator} {bound}` in line {}", at + 1);
        if UNSIGNED.contains(&kind) && operator == ">=" && bound == "0" {
            let message = format!("{condition} is always true, because `{name}` is a `{kind}`: 0 - 1 becomes its largest value");
            return Some((message, format!("declare `{name}` as `int`")));
        }
        let (_, least, most) = NARROW.iter().find(|(name, ..)| *name == kind)?;
        let limit = i64::try_from(value(bound, text)?).ok()?;
        let endless = match operator {
            "<" => limit > *most,
            "<=" => limit >= *most,
            _ => false,
        };
        endless.then(|| {
            let message = format!(
                "{condition} is always true, because `{name}` is a `{kind}`: it holds {least} to {most}, and {most} + 1 becomes {least}"
            );
            (message, format!("declare `{name}` as `int`"))
        })
    })
}

/// The type that the nearest declaration of a variable gives it.
fn kind(name: &str, lines: &[&str]) -> Option<&'static str> {
    let kinds = || NARROW.iter().map(|(kind, ..)| *kind).chain(UNSIGNED);
    lines.iter().rev().take(BEFORE).find_map(|line| {
        let at = places(line, name).next()?;
        let before = line[..at].trim_end();
        let of = |kind: &&str| before.strip_suffix(kind).is_some_and(|rest| !rest.ends_with(is_part));
        // `unsigned char` ends in `char`.
        kinds().filter(of).max_by_key(|kind| kind.len())
    })
}

#[cfg(test)]
mod tests {
    use runtime::finding::{Kind, Severity};

    use super::*;

    #[test]
    fn a_step_of_one_block_is_named() {
        let file = |step: &str| {
            format!("int i = blockIdx.x * blockDim.x + threadIdx.x;\nfor (; i < n; i += {step}) {{\n")
        };
        assert!(
            step_of_a_block(&file("blockDim.x"))
                .is_some_and(|told| told.contains("line 2 goes on by `blockDim.x`"))
        );
        assert_eq!(step_of_a_block(&file("gridDim.x * blockDim.x")), None);
        let own = "for (int k = threadIdx.x; k < 256; k += blockDim.x) s[k] = 0;";
        assert_eq!(step_of_a_block(own), None);
    }

    #[test]
    fn an_array_of_each_thread_is_named_where_the_checker_does_not_get_through() {
        let text = "constexpr int levels = 256;\n__global__ void k(const uint8_t* gray, uint32_t* bins, int n) {\n    uint32_t mine[levels] = {0};\n    \
                    for (int i = 0; i < n; i++) mine[gray[i]]++;\n    for (int v = 0; v < levels; v++) atomicAdd(&bins[v], mine[v]);\n}\n";
        let told = |text: &str| {
            let mut finding =
                Finding::new("W0504", Kind::Launch, Severity::Error, format!("{NOT_VERIFIED}x"), "few");
            finding.thread =
                Some(runtime::finding::Thread { kernel: "k".to_owned(), block: [0; 3], thread: [0; 3] });
            finding.line = Some(5);
            explained(&mut finding, text);
            finding.hint
        };
        let said = told(text);
        let array = "Each thread has an array of 256 elements, `mine` (line 3), and the loop in line 5 goes through all of it";
        assert!(said.starts_with("few. ") && said.contains(array), "{said}");
        assert_eq!(told(&text.replace("uint32_t mine", "__shared__ uint32_t mine")), "few");
        let text = format!(
            "{text}void f(const uint8_t* gray, uint32_t* bins, int n) {{\n    k<<<1056, 256>>>(gray, bins, n);\n}}\n"
        );
        let late = |task: &str| {
            let message = format!("the check took longer than 50 s, at \"{task}: flat\"");
            let mut finding = Finding::new("W0520", Kind::Launch, Severity::Error, message, "look");
            too_slow(&mut finding, &text, &["f"]);
            finding.hint
        };
        assert!(
            late("f").starts_with(&format!("look at the array of each thread first. {array}")),
            "{}",
            late("f")
        );
        assert_eq!(late("e"), "look");
    }

    #[test]
    fn a_search_that_nothing_stops_is_named() {
        let hinted = |hint: &str, text: &str| {
            let mut finding =
                Finding::new("W0201", Kind::Initialisation, Severity::Error, String::new(), hint);
            finding.line = Some(1);
            searched(&mut finding, text);
            finding.hint
        };
        let text = "while (counts[low] <= least) low++;";
        assert!(hinted(ARRAY, text).starts_with("nothing stops `low` at the end of `counts`"));
        assert_eq!(hinted("where do the values come from?", text), "where do the values come from?");
        assert_eq!(hinted(ARRAY, "if (counts[low] <= least) low++;"), ARRAY);
        assert_eq!(hinted(ARRAY, "while (high > 0 && counts[high] < least) high--;"), ARRAY, "it is tested");
    }

    #[test]
    fn a_condition_that_its_type_keeps_true_is_named() {
        for (text, told) in [
            (
                "for (uint8_t i = 0; i < 256; i++)",
                Some("`i < 256` in line 1 is always true, because `i` is a `uint8_t`"),
            ),
            (
                "unsigned char v = 0;\nwhile (v <= 255) {",
                Some("`v <= 255` in line 2 is always true, because `v` is a `unsigned char`"),
            ),
            (
                "for (unsigned k = 4; k >= 0; k--)",
                Some("`k >= 0` in line 1 is always true, because `k` is a `unsigned`"),
            ),
            (
                "constexpr int bins = 256;\nfor (uint8_t b = t; b < bins; b += 32)",
                Some("`b < bins` in line 2"),
            ),
            ("for (uint8_t i = 0; i < 255; i++)", None),
            ("for (int i = 0; i < 256; i++)", None),
            ("for (int i = 4; i >= 0; i--)", None),
        ] {
            let lines: Vec<&str> = text.lines().collect();
            let said = always(lines.len() - 1, lines[lines.len() - 1], &lines, text);
            assert_eq!(said.is_some(), told.is_some(), "{text}: {said:?}");
            assert!(told.is_none_or(|told| said.is_some_and(|(said, _)| said.contains(told))), "{text}");
        }
    }
}
