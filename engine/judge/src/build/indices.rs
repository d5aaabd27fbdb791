//! What an index out of bounds lacks, by its text: a mask behind a shift, a type without a sign.

use runtime::finding::Finding;
use simulator::performance::{RUN_PER_THREAD, VECTORS_IN_A_ROW};

use super::code::{code, has, is_part, last_name, line_of, numbered_lines, places, words};
use super::guards::assignments;
use super::walk::{Thread, Way};

/// Hints to which the text of the index may say more: by their beginnings, and that on an array of several sides.
const GENERAL: [&str; 6] = [
    "has this thread an element",
    "check the index",
    "check each index",
    "it begins inside",
    "the index is negative",
    "work out the index for this thread: it is negative",
];
const SIDES: &str = " has the indices ";
/// Types with a sign that pixels must not have.
const SIGNED: [&str; 3] = ["char", "int8_t", "signed char"];
/// Lines before an access where its index may get its value.
const BEFORE: usize = 40;

/// Whether a line reads an element whose index comes from the data: `table[gray[i]]`, `table[four >> s & 0xff]`.
pub fn looks_up(line: &str) -> bool {
    let line = code(line);
    let byte = ["[", "0xff", "255", ">> 24", ">>24"];
    let from_data = |index: &&str| byte.iter().any(|part| index.contains(part));
    indices(line).iter().any(from_data) && !line.contains("atomic")
}

/// Elements of a thread up to which it may need them together, such as the three vectors of sixteen colour pixels.
const TOGETHER: usize = 4;

/// Whether a line loads one element per round of the only loop around it, which goes on by one from an element of the thread's own: then
/// neighbouring threads can take neighbouring elements instead. `task` is the host function that launches the kernel.
pub fn goes_on_by_one(text: &str, task: &str, line: u32) -> bool {
    let is_run = |access: &str| {
        let way = Way::to(text, task, line, access.find('[')?)?;
        let mut loops = way.loops();
        let of = loops.next().filter(|_| loops.next().is_none())?;
        let next = way.value(&of.step, &Thread::default(), &[(of.name.clone(), 1)]);
        let counted = indices(access).into_iter().filter(|index| has(index, &of.name));
        let is_element =
            counted.clone().next().is_some() && counted.clone().all(|index| index.trim() == of.name);
        let own = way.depends(&of.begin, &|name| name == "threadIdx.x");
        // Rounds that depend on the size of the picture are not known.
        let rounds = way.counted(of, &Thread::default(), &[]);
        let many = rounds.is_none_or(|rounds| rounds.len() > TOGETHER);
        Some(is_element && own && many && next == Some(2))
    };
    is_run(line_of(text, line)).unwrap_or(false)
}

/// What to try where a request of such a line touches more sectors than hold its bytes.
const TABLE: &str = "the index comes from the data, so that neighbouring threads read any elements: wider loads do not help. A small table belongs in \
                     shared memory, a copy for each block";

/// Puts what the text of an index says in place of a general hint.
pub fn explained(finding: &mut Finding, text: &str) {
    let source = |line: u32| text.lines().nth(line as usize - 1).unwrap_or_default();
    if finding.code == "W0701" && finding.line.is_some_and(|line| looks_up(source(line))) {
        TABLE.clone_into(&mut finding.hint);
    }
    if finding.hint == VECTORS_IN_A_ROW
        && let Some((line, task)) =
            finding.line.zip(finding.cases.first().and_then(|case| case.split(": ").next()))
        && goes_on_by_one(text, task, line)
    {
        RUN_PER_THREAD.clone_into(&mut finding.hint);
    }
    let Some(line) = finding.line.filter(|_| ["W0101", "W0106"].contains(&finding.code.as_str())) else {
        return;
    };
    let lines: Vec<(u32, &str)> = numbered_lines(text).take(line as usize).collect();
    let before = &lines[lines.len().saturating_sub(BEFORE)..];
    let Some((_, access)) = before.last() else { return };
    // What else is known says more.
    if !GENERAL.iter().any(|general| finding.hint.starts_with(general)) && !finding.hint.contains(SIDES) {
        return;
    }
    let negative = finding.message.contains("negative index") || finding.message.contains(" at byte -");
    let shift = indices(access).into_iter().find_map(|index| shifted(index, before));
    if shift.is_some() {
        // Bits above a byte make an index large; in 32 bits its place may look as if it were negative.
        finding.message = finding.message.replace("at a negative index", "at an index that is far too large");
    }
    let told = indices(access).into_iter().find_map(|index| {
        let of_sign = || arithmetic(index, before).or_else(|| signed(index, before));
        shift.clone().or_else(|| Some(negative).filter(|negative| *negative).and_then(|_| of_sign()))
    });
    if let Some(told) = told {
        finding.hint = told;
    }
}

/// The texts between brackets of a line, the inner ones first.
fn indices(line: &str) -> Vec<&str> {
    let (mut open, mut found) = (Vec::new(), Vec::new());
    for (at, c) in line.char_indices() {
        match c {
            '[' => open.push(at + 1),
            ']' => found.extend(open.pop().map(|from| &line[from..at])),
            _ => {}
        }
    }
    found
}

/// A part of a word of several pixels that keeps the pixels above it, in the index or in the variable that it is.
fn shifted(index: &str, lines: &[(u32, &str)]) -> Option<String> {
    let given = assignments(lines);
    let value = given.iter().rev().find(|(name, _)| *name == index.trim()).map(|(_, from)| from.trim());
    let shift = value.unwrap_or(index).trim();
    let cut = shift.contains(['&', '%']) || shift.contains("uint8_t") || shift.contains("char");
    (shift.contains(">>") && !cut).then(|| {
        format!(
            "`{shift}` also holds the bits above those eight: a word has four pixels, and a shift removes only those below. Keep one pixel, \
             `{shift} & 0xff`"
        )
    })
}

/// A word with a sign that is shifted down without a mask: what fills it from above is its sign.
fn arithmetic(index: &str, lines: &[(u32, &str)]) -> Option<String> {
    index.match_indices(">>").find_map(|(at, _)| {
        let operand = index[..at].trim_end();
        let name = last_name(operand.strip_suffix(']').map_or(operand, |inner| inner.split('[').next().unwrap_or(inner)));
        let declares = |line: &str| {
            let at = places(line, name).next()?;
            let before = line[..at].trim_end();
            let kind = ["int", "int32_t"].into_iter().find(|kind| before.ends_with(kind))?;
            let rest = &before[..before.len() - kind.len()];
            (!rest.ends_with(is_part) && !rest.contains("unsigned")).then_some(kind)
        };
        let (number, kind) = lines.iter().rev().find_map(|(number, line)| Some((*number, declares(line)?)))?;
        Some(format!(
            "`{name}` is `{kind}` in line {number}, which has a sign, and `>>` fills the bits above with it: a word whose highest byte is 128 or more gives a negative \
             number. Declare it as `uint32_t`"
        ))
    })
}

/// A pixel in a type with a sign, in which levels from 128 on are negative.
fn signed(index: &str, lines: &[(u32, &str)]) -> Option<String> {
    words(index).find_map(|name| {
        let (number, kind) = lines.iter().rev().find_map(|(number, line)| {
            let at = places(line, name).next()?;
            let before = line[..at].trim_end().trim_end_matches("__restrict__").trim_end();
            let before = before.trim_end_matches(['*', ' ']);
            let kind = SIGNED.into_iter().rev().find(|kind| before.ends_with(kind))?;
            let rest = &before[..before.len() - kind.len()];
            (!rest.ends_with(is_part) && !rest.trim_end().ends_with("unsigned")).then_some((*number, kind))
        })?;
        Some(format!(
            "`{name}` has the type `{kind}` in line {number}, which has a sign: levels from 128 on become negative, 200 is -56. Pixels are `uint8_t` \
             (`unsigned char`)"
        ))
    })
}

#[cfg(test)]
mod tests {
    use runtime::finding::{Kind, Severity};

    use super::*;

    fn hinted(message: &str, text: &str) -> String {
        let mut finding =
            Finding::new("W0106", Kind::Memory, Severity::Error, message.to_owned(), "check the index");
        finding.line = Some(text.lines().count() as u32);
        explained(&mut finding, text);
        finding.hint
    }

    #[test]
    fn a_thread_that_goes_on_by_one_could_go_on_by_all_threads() {
        let is_run = |head: &str, access: &str| {
            let text = format!(
                "__global__ void k(const uint4* in, int n) {{\n    const int t = blockIdx.x * blockDim.x + threadIdx.x;\n    const int each = n / 64 + 1;\n    \
                 {head} {{\n        use({access});\n    }}\n}}\nvoid f(const uint4* in, int n) {{\n    k<<<n, 256>>>(in, n);\n}}\n"
            );
            goes_on_by_one(&text, "f", 5)
        };
        assert!(is_run("for (int i = t * each; i < (t + 1) * each && i < n; ++i)", "in[i]"));
        assert!(is_run("for (int i = 8 * t; i < 8 * t + 8; i++)", "in[i]"));
        assert!(!is_run("for (int i = t; i < n; i += gridDim.x * blockDim.x)", "in[i]"));
        assert!(!is_run("for (int i = 0; i < n; ++i)", "in[i]"), "the same element in all threads");
        assert!(!is_run("for (int k = 3 * t; k < 3 * t + 3; ++k)", "in[k]"), "needed together");
        assert!(!is_run("for (int k = 0; k < 3; ++k)", "in[3 * t + k]"), "needed together");
        assert!(!is_run("for (int i = t; i < n; i += 256) for (int k = 3 * i; k < 3 * i + 9; ++k)", "in[k]"));
    }

    #[test]
    fn a_type_with_a_sign_says_more_than_what_unsigned_numbers_do() {
        let told = |text: &str| {
            let general = "work out the index for this thread: it is negative, or was negative in 32 bits";
            let message = "updates atomically 4 bytes of shared memory at a negative index".to_owned();
            let mut finding = Finding::new("W0106", Kind::Memory, Severity::Error, message, general);
            finding.line = Some(2);
            explained(&mut finding, text);
            finding.hint
        };
        let said = told("const int8_t level = gray[i];\natomicAdd(&counts[level], 1u);");
        assert!(said.starts_with("`level` has the type `int8_t` in line 1"), "{said}");
        let general = told("const int level = threadIdx.x - 2;\natomicAdd(&counts[level], 1u);");
        assert!(general.starts_with("work out the index"), "{general}");
    }

    #[test]
    fn an_index_is_told_what_it_lacks() {
        let negative = "updates atomically 4 bytes of shared memory at a negative index";
        for (message, text, said) in [
            (
                negative,
                "atomicAdd(&counts[words[w] >> s][lane], 1u);",
                "`words[w] >> s` also holds the bits above",
            ),
            (
                negative,
                "const uint32_t level = four >> 8;\natomicAdd(&counts[level], 1u);",
                "`four >> 8` also holds",
            ),
            (negative, "atomicAdd(&counts[words[w] >> s & 0xff][lane], 1u);", "check the index"),
            (
                negative,
                "const char level = gray[i];\natomicAdd(&counts[level], 1u);",
                "`level` has the type `char` in line 1",
            ),
            (
                negative,
                "k(const char* __restrict__ gray) {\natomicAdd(&counts[gray[i]], 1u);",
                "`gray` has the type `char` in line 1",
            ),
            (
                negative,
                "const int words[4] = {v.x, v.y, v.z, v.w};\natomicAdd(&counts[b < 3 ? (words[w] >> 8) & 255 : words[w] >> 24], 1);",
                "`words` is `int` in line 1, which has a sign",
            ),
            (
                negative,
                "const uint32_t words[4] = {v.x, v.y, v.z, v.w};\natomicAdd(&counts[b < 3 ? (words[w] >> 8) & 255 : words[w] >> 24], 1);",
                "check the index",
            ),
            (
                negative,
                "const unsigned char level = gray[i];\natomicAdd(&counts[level], 1u);",
                "check the index",
            ),
        ] {
            let hint = hinted(message, text);
            assert!(hint.starts_with(said), "{text}: {hint}");
        }
    }
}
