//! Levels that are computed from the channels of a pixel and come to more than there are counters.

use runtime::finding::Finding;

use super::arrays::sides;
use super::block::body;
use super::code::{is_part, kernel_to, last_name, line_of};
use super::expression::parsed;
use super::guards::assignments;
use super::missed::indices;
use crate::facts::quotient_in_line;

/// The beginning of the hint on an access to an array of the block whose text may say more.
const GENERAL: &str = "check the index against the array's size";
/// The largest value of a byte.
const MOST: i64 = 255;

/// Puts what the index comes to for a white pixel in place of a general hint.
pub fn explained(finding: &mut Finding, text: &str) {
    if finding.code != "W0106" || finding.hint != GENERAL {
        return;
    }
    let kernel = finding.thread.as_ref().map(|thread| thread.kernel.split('<').next().unwrap_or_default());
    if let Some(told) = finding
        .line
        .and_then(|line| told(line, text))
        .or_else(|| kernel.and_then(|kernel| whole_block(kernel, text)))
    {
        finding.hint = told;
    }
}

/// What a kernel calls the lane of a thread, and is its number in the block.
fn whole_block(kernel: &str, text: &str) -> Option<String> {
    let lines = body(text, kernel);
    let (number, _) = lines.iter().find(|(_, line)| {
        let given = line.split_once(" = ").filter(|(name, _)| last_name(name) == "lane");
        given.is_some_and(|(_, from)| from.trim() == "threadIdx.x;")
    })?;
    let set = |line: &str| line.contains("lane %=") || line.contains("lane &=");
    (!lines.iter().any(|(_, line)| set(line))).then(|| {
        format!(
            "line {number} gives `lane` the number of the thread in its block. If it is to be the number in its warp, from 0 to 31, it is `threadIdx.x % 32`"
        )
    })
}

fn told(line: u32, text: &str) -> Option<String> {
    let kernel = kernel_to(line, text)?;
    let access = line_of(text, line);
    access.match_indices('[').find_map(|(at, _)| {
        let name = &access[access[..at].trim_end_matches(is_part).len()..at];
        let (_, sides) = sides(name, line, text).filter(|_| !name.is_empty())?;
        let ([size], (found, _)) = (sides.as_slice(), indices(&access[at..])?) else { return None };
        let [index] = found.as_slice() else { return None };
        let (_, from) = assignments(&kernel).into_iter().rev().find(|(known, _)| known == index)?;
        let from = from.trim().trim_end_matches(';');
        let most = parsed(&white(from)?)?.value(&|_| None)?;
        let (set, _) = kernel.iter().rev().find(|(_, line)| line.contains(from))?;
        let why = quotient_in_line(line_of(text, *set)).map_or_else(
            || ": work the sum out by hand, and see what each operator belongs to".to_owned(),
            |zero| format!(": `/` binds before `+`, so that only `{zero}` is divided, which is 0. Put the sum in brackets before it is divided"),
        );
        (most >= *size).then(|| {
            format!("line {set} gives `{index}` the value {most} for a white pixel, with all bytes {MOST}, but levels end at {MOST}{why}")
        })
    })
}

/// An expression with 255 in place of each element of an array; `None` without one.
fn white(from: &str) -> Option<String> {
    let (mut rest, mut whole) = (from, String::new());
    while let Some(at) = rest.find('[') {
        let start = rest[..at].trim_end_matches(is_part).len();
        let (_, behind) = indices(&rest[at..])?;
        whole.push_str(&rest[..start]);
        whole.push_str(" 255 ");
        rest = behind;
    }
    (!whole.is_empty()).then(|| whole + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_beyond_255_is_worked_out_for_a_white_pixel() {
        let file = |level: &str| {
            format!(
                "__global__ void k() {{\n    __shared__ int n[256];\n    unsigned v = {level};\n    atomicAdd(&n[v], 1);\n}}\n"
            )
        };
        let of = |level: &str| told(4, &file(level)).unwrap_or_default();
        assert!(
            of("(p[0] * 30 + p[1] * 59 + p[2] * 11) / 100 + 50")
                .starts_with("line 3 gives `v` the value 305")
        );
        assert!(of("p[0] * 30 + p[1] * 59 + p[2] * 11 + 50 / 100").contains("only `50 / 100` is divided"));
        assert_eq!(of("(p[0] * 30 + p[1] * 59 + p[2] * 11 + 50) / 100"), "");
        assert_eq!(of("p[0] * unknown"), "");
    }
}
