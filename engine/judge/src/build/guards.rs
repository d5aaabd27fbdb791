//! The conditions before an access past the end: the one that lets a thread through, or that is missing.

use std::collections::BTreeSet;

use runtime::finding::Finding;

use super::code::{comparisons, has, kernel_to, leading_number, places, words};
use super::{leveled, slips, vectors};

/// The beginning of the hint on an access past the end of a buffer whose text may say more.
const PAST_THE_END: &str = "has this thread an element at all?";
/// The same of an access that lies across the end.
const ACROSS: &str = "it begins inside and ends outside";
/// The same for what the file allocates.
const ENOUGH: &str = "is the buffer large enough?";
/// The same of an access before the first element.
const NEGATIVE: &str = "the index is negative here";

/// What is said of a test whose index or bound is too large, if nothing says which.
pub const LETS_THROUGH: &str =
    "and lets this thread through: the index in this line is too large, or that bound";

/// Puts what the text says in place of a general hint on an access out of bounds.
pub fn explained(finding: &mut Finding, text: &str) {
    let Some(line) = finding.line.filter(|_| finding.code == "W0101") else { return };
    let Some(kernel) = kernel_to(line, text) else { return };
    let told = if finding.hint.starts_with(PAST_THE_END) {
        squared(&kernel)
            .or_else(|| slip(line, text).filter(|told| told.contains("the border")))
            .or_else(|| inverted(&kernel))
            .or_else(|| one_too_many(&kernel))
            .or_else(|| joined(&kernel))
            .or_else(|| spared(&kernel))
            .or_else(|| turned(&kernel))
            .or_else(|| crossed(&kernel))
            .or_else(|| grid_row(&kernel))
            .or_else(|| four_bytes(&kernel))
            .or_else(|| fourth_plane(&finding.message, &kernel))
            .or_else(|| pitch(&kernel).filter(|_| !text.contains("Pitch")))
            .or_else(|| leveled::told(&finding.message, &kernel, text))
            .or_else(|| untested(&kernel).filter(|_| !leveled::of_levels(&finding.message)))
            .or_else(|| leveled::squared(text))
            .or_else(|| slip(line, text))
            .or_else(|| limited(&finding.message, &kernel))
    } else if finding.hint.starts_with(ACROSS) {
        leveled::grouped(&finding.message, &kernel)
            .or_else(|| vectors::told(finding, &kernel))
            .or_else(|| leveled::squared(text))
    } else if finding.hint.starts_with(ENOUGH) {
        leveled::told(&finding.message, &kernel, text)
    } else if finding.hint.starts_with(NEGATIVE) {
        joined(&kernel)
            .or_else(|| from_minus(&finding.message, &kernel))
            .or_else(|| neighbour(&finding.message, &kernel))
    } else {
        None
    };
    if let Some(told) = told {
        finding.hint = told;
    }
}

/// A slip of the text in this kernel or on the host, with what to try.
fn slip(line: u32, text: &str) -> Option<String> {
    slips::near(line, text).map(|(_, told, hint)| format!("{told}: {hint}"))
}

/// Names the condition that leaves most lanes of each warp without work, in place of a general hint.
pub fn lanes(finding: &mut Finding, text: &str) {
    let Some(line) = finding.line.filter(|_| finding.code == "W0704") else { return };
    let Some(kernel) = kernel_to(line, text) else { return };
    let told = kernel.iter().rev().find_map(|(number, line)| {
        let (_, condition) = line.split_once("if (")?;
        let (name, rest) = condition.split_once(" % ")?;
        let (every, _) = rest.split_once(" == 0")?;
        let name = words(name).last()?;
        let is_number = every.parse::<u32>().is_ok_and(|every| (2..=32).contains(&every));
        is_number.then(|| {
            format!(
                "`{name} % {every} == 0` in line {number} lets one thread in {every} work, and the others of its warp wait for it: start as many threads as there \
                 are pieces of work, and let `{every} * {name}` be where thread `{name}` begins"
            )
        })
    });
    if let Some(told) = told {
        finding.hint = told;
    }
}

/// Tests that a place lies in the image, joined by `||`: each thread passes one of them.
fn joined(kernel: &[(u32, &str)]) -> Option<String> {
    let used = used(kernel)?;
    let near = kernel.iter().enumerate().rev().take(NEAR);
    let (_, (number, _)) = near.into_iter().find(|(at, (_, line))| {
        let leaves = |line: &str| ["return", "continue", "break"].iter().any(|word| has(line, word));
        let next = kernel.get(at + 1).is_some_and(|(_, line)| leaves(line));
        let tests = comparisons(line);
        let inside = |(index, operator, bound): &(&str, &str, &str)| {
            let is_bound = (*operator == ">=" && *bound == "0")
                || (*operator == "<" && bound.starts_with(char::is_alphabetic));
            is_bound && words(index).any(|word| used.contains(word))
        };
        has(line, "if")
            && line.contains("||")
            && !line.contains("&&")
            && !leaves(line)
            && !next
            && tests.len() > 1
            && tests.iter().all(inside)
    })?;
    Some(format!(
        "line {number} joins its tests by `||`, so that one of them is enough: a place lies in the image only if all of them hold. Join them by `&&`"
    ))
}

/// Tests that a place lies outside, joined by `&&`: only what lies outside in both ways is sent away.
fn spared(kernel: &[(u32, &str)]) -> Option<String> {
    let (number, _) = kernel.iter().enumerate().rev().find_map(|(at, (number, line))| {
        let leaves = |line: &str| ["return", "continue", "break"].iter().any(|word| has(line, word));
        let next = kernel.get(at + 1).is_some_and(|(_, line)| leaves(line));
        let tests = comparisons(line);
        let outside = |(_, operator, bound): &(&str, &str, &str)| {
            operator.starts_with('>') && bound.starts_with(char::is_alphabetic)
                || *operator == "<" && *bound == "0"
        };
        let joined =
            line.contains("&&") && !line.contains("||") && tests.len() > 1 && tests.iter().all(outside);
        (joined && (leaves(line) || next)).then_some((*number, line))
    })?;
    Some(format!(
        "line {number} joins its tests by `&&`, so that only a place which fails all of them is sent away: a place lies outside the image as soon as one \
         of them holds. Join them by `||`"
    ))
}

/// A row that begins at a multiple of the threads of the grid along x.
fn grid_row(kernel: &[(u32, &str)]) -> Option<String> {
    let names = sides(kernel);
    // The number of a block may well be multiplied by the blocks of a row.
    let of_threads: Vec<(&str, &str)> =
        assignments(kernel).into_iter().filter(|(_, from)| from.contains("threadIdx.y")).collect();
    kernel.iter().rev().find_map(|(number, line)| {
        let close: String = line.split_whitespace().collect();
        let is_row = |name: &str| of_threads.iter().any(|(row, _)| *row == name);
        let mut rows = names.iter().filter(|(name, side)| *side == 'y' && is_row(name));
        rows.find_map(|(row, _)| {
            let wide = |factor: &str| close.contains(&format!("{row}*{factor}"));
            let by_grid = ["blockDim.x", "gridDim.x", "(blockDim.x", "(gridDim.x"].iter().any(|factor| wide(factor));
            by_grid.then(|| {
                format!(
                    "line {number} begins row `{row}` at a multiple of the threads along x, but the grid is rounded up, and a row of the picture has `width` \
                     pixels: `{row} * width + x`"
                )
            })
        })
    })
}

/// A pixel of `rgb` that begins at four times its number.
fn four_bytes(kernel: &[(u32, &str)]) -> Option<String> {
    let (number, line) = kernel.last()?;
    let (_, index) = line.split_once("rgb[")?;
    let index = index.split(']').next()?;
    let close: String = index.split_whitespace().collect();
    let four = close.starts_with("4*") || close.contains("*4") || close.contains("<<2");
    four.then(|| {
        format!(
            "line {number} reads `rgb[{index}]`, but a pixel of `rgb` has 3 bytes, R, G and B, and no fourth: pixel i begins at `3 * i`"
        )
    })
}

/// A plane of a planar image that begins three times the pixels after the first.
fn fourth_plane(message: &str, kernel: &[(u32, &str)]) -> Option<String> {
    let (number, line) = kernel.last().filter(|_| message.contains("planar"))?;
    let close: String = line.split_whitespace().collect();
    ["+3*", "*3]", "3*pixels", "3*plane"].iter().any(|third| close.contains(third)).then(|| {
        format!(
            "line {number} begins a plane at three times the pixels, where the image ends: the planes of R, G and B begin at 0, at `pixels` and at \
             `2 * pixels`"
        )
    })
}

/// A row that begins at a multiple of something longer than a row.
fn pitch(kernel: &[(u32, &str)]) -> Option<String> {
    let names = sides(kernel);
    let rows = || names.iter().filter(|(_, side)| *side == 'y').map(|(name, _)| *name);
    kernel.iter().rev().find_map(|(number, line)| {
        let close: String = line.split_whitespace().collect();
        let (row, factor) = rows().find_map(|row| {
            let at = places(&close, row).find(|at| close[at + row.len()..].starts_with('*'))?;
            let factor = words(&close[at + row.len() + 1..]).next()?;
            let own = !["width", "height", "blockDim", "gridDim"].contains(&factor);
            (own && close[at + row.len() + 1..].starts_with(factor)).then_some((row, factor))
        })?;
        let is_pitch = ["pitch", "stride", "step"].iter().any(|word| factor.contains(word));
        is_pitch.then(|| {
            format!(
                "line {number} computes an index with `{row} * {factor}`, but the rows of this image follow each other without a gap: row y begins at \
                 `y * width`. Only memory of `cudaMallocPitch` has a pitch"
            )
        })
    })
}

/// Lines before an access where its condition may stand.
const NEAR: usize = 6;

/// A column that is multiplied by the width, or anything by the height: rows of an image begin at `y * width`.
fn turned(kernel: &[(u32, &str)]) -> Option<String> {
    let names = sides(kernel);
    let of_column = |factor: &str| {
        let mut sides = names.iter().filter(|(name, _)| has(factor, name)).map(|(_, side)| *side).peekable();
        sides.peek().is_some() && sides.all(|side| side == 'x')
    };
    kernel.iter().rev().find_map(|(number, line)| {
        let close: String = line.split_whitespace().collect();
        let single = names.iter().map(|(name, _)| *name);
        let product = single.chain(in_brackets(&close)).find_map(|factor| {
            ["width", "height"].into_iter().find_map(|bound| {
                let wrong = bound == "height" && names.iter().any(|(name, _)| has(factor, name)) || of_column(factor);
                let is_there = [format!("{factor}*{bound}"), format!("{bound}*{factor}")].iter().any(|product| has(&close, product));
                (wrong && is_there).then(|| format!("{factor} * {bound}"))
            })
        })?;
        Some(format!(
            "line {number} computes an index with `{product}`, but row y of an image begins at `y * width`: likely it should be `y * width + x`"
        ))
    })
}

/// Names of how many elements there are.
const COUNTS: [&str; 7] = ["pixels", "n", "width", "height", "size", "count", "width * height"];

/// A test that sends away the threads that have an element, and keeps the others.
fn inverted(kernel: &[(u32, &str)]) -> Option<String> {
    let used = used(kernel)?;
    kernel.iter().rev().find_map(|(number, line)| {
        let leaves = ["return;", "continue;"].into_iter().find(|word| line.contains(word))?;
        let tests = comparisons(line);
        let [(index, "<", bound)] = tests.as_slice() else { return None };
        (has(line, "if") && used.contains(index) && COUNTS.contains(bound)).then(|| {
            format!(
                "line {number} sends away the threads with `{index} < {bound}`, which have an element, and keeps those that have none: likely it should be \
                 `if ({index} >= {bound}) {leaves}`"
            )
        })
    })
}

/// A column that is compared with the height, or a row with the width.
fn crossed(kernel: &[(u32, &str)]) -> Option<String> {
    let names = sides(kernel);
    kernel.iter().rev().find_map(|(number, line)| {
        let wrong = comparisons(line).into_iter().find_map(|(left, operator, bound)| {
            let (_, side) = names.iter().find(|(name, _)| *name == left)?;
            let (own, other) = if *side == 'x' { ("width", "height") } else { ("height", "width") };
            (bound == other).then(|| (format!("{left} {operator} {other}"), format!("{left} {operator} {own}")))
        });
        let (found, right) = wrong?;
        Some(format!("line {number} tests `{found}`: columns go up to the width, and rows to the height. Likely it should be `{right}`"))
    })
}

/// The innermost parts of a text in round brackets, with them.
fn in_brackets(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices(')').filter_map(|(end, _)| text[..end].rfind('(').map(|start| &text[start..=end]))
}

/// The coordinates of the thread, and what is computed from one of them alone, with their sides.
fn sides<'a>(kernel: &[(u32, &'a str)]) -> Vec<(&'a str, char)> {
    let mut known: Vec<(&str, char)> = Vec::new();
    for (name, from) in assignments(kernel) {
        let own = ['x', 'y'].into_iter().find(|side| from.contains(&format!("blockIdx.{side}")));
        let mut used = known.iter().filter(|(name, _)| has(from, name)).map(|(_, side)| *side);
        let (first, is_simple) = (used.next(), !from.contains("width") && !from.contains("height"));
        let side = own.or_else(|| first.filter(|side| is_simple && used.all(|other| other == *side)));
        known.extend(side.map(|side| (name, side)));
    }
    known
}

/// A table whose index is that of a loop that begins below 0.
fn from_minus(message: &str, kernel: &[(u32, &str)]) -> Option<String> {
    let name = message.split('`').nth(1)?;
    let (_, access) = kernel.last()?;
    let index = access.split_once(&format!("{name}["))?.1.split(']').next()?;
    let start = |variable: &str| {
        kernel.iter().rev().find_map(|(number, line)| {
            let after = line.split_once(&format!("{variable} = -"))?.1;
            let least = leading_number(after)?;
            has(line, "for").then_some((*number, least))
        })
    };
    let starts: Option<Vec<(u32, u32)>> = words(index).map(start).collect();
    let starts = words(index).zip(starts?).collect::<Vec<_>>();
    let close: String = index.split_whitespace().collect();
    // To some of them it may be added already.
    let bare =
        |(variable, (_, least)): &&(&str, (u32, u32))| !close.contains(&format!("({variable}+{least}"));
    let (variable, (number, least)) = *starts.iter().find(bare)?;
    Some(format!(
        "`{variable}` begins with -{least} in line {number}, but the first element of `{name}` has the index 0: add {least} to each such variable, \
         `{variable} + {least}`"
    ))
}

/// A load whose index has the offset of a loop that begins below 0, and that no test of it comes before.
fn neighbour(message: &str, kernel: &[(u32, &str)]) -> Option<String> {
    let used = made_of(message, kernel).filter(|_| message.starts_with("reads "))?;
    let is_tested = |offset: &str| {
        let assigned =
            assignments(kernel).into_iter().filter(|(_, from)| has(from, offset)).map(|(name, _)| name);
        let derived: Vec<&str> = assigned.chain([offset]).collect();
        let beside_zero =
            |one: &str, other: &str| other.trim() == "0" && words(one).any(|word| derived.contains(&word));
        kernel.iter().any(|(_, line)| {
            let tests = comparisons(line);
            tests.iter().any(|(left, _, right)| beside_zero(left, right) || beside_zero(right, left))
        })
    };
    let (name, number) = used.iter().filter(|name| !is_tested(name)).find_map(|name| {
        let begins = |line: &str| places(line, name).any(|at| line[at + name.len()..].starts_with(" = -"));
        let (number, _) = kernel.iter().rev().find(|(_, line)| has(line, "for") && begins(line))?;
        Some((name, number))
    })?;
    Some(format!(
        "the index is negative here: `{name}`, which begins below 0 in line {number}, makes it that of a neighbour. Check the neighbour's column and row, each \
         from 0 to its side - 1, before the access: an index within the buffer may still be in another row"
    ))
}

/// A comparison with the product of a side and itself.
fn squared(kernel: &[(u32, &str)]) -> Option<String> {
    kernel.iter().rev().find_map(|(number, line)| {
        let (_, _, bound) = comparisons(line).into_iter().find(|(_, _, bound)| {
            bound.split_once('*').is_some_and(|(one, other)| one.trim() == other.trim() && !one.trim().is_empty())
        })?;
        Some(format!(
            "line {number} compares with `{bound}`: an image has `width * height` pixels, and its two sides may differ"
        ))
    })
}

/// The names of the last line of a kernel, and those that their values are made of.
fn used<'a>(kernel: &[(u32, &'a str)]) -> Option<BTreeSet<&'a str>> {
    let (_, access) = kernel.last()?;
    let mut used: BTreeSet<&str> = words(access).collect();
    for (name, from) in assignments(kernel).iter().rev() {
        if used.contains(name) {
            used.extend(words(from));
        }
    }
    Some(used)
}

/// What to try if the index comes from a value in memory, of which no test of the thread's number says anything.
const OF_A_VALUE: &str = "the index in this line comes from a value, not from the number of the thread alone, and is too large here: work it out for this \
                          thread, and compare it with the number of elements";

/// The names that an index is made of, without those that only say which element of an array is read.
fn made_of<'a>(message: &str, kernel: &[(u32, &'a str)]) -> Option<BTreeSet<&'a str>> {
    let (_, access) = kernel.last()?;
    let name = message.rsplit(" of `").next()?.split('`').next()?;
    let at = places(access, name).find(|at| access[at + name.len()..].starts_with('['))?;
    let mut used: BTreeSet<&str> = outside_brackets(&access[at + name.len() + 1..]).into_iter().collect();
    for (name, from) in assignments(kernel).iter().rev() {
        if used.contains(name) {
            used.extend(outside_brackets(from));
        }
    }
    Some(used)
}

/// The names of a text up to the bracket that ends it, without those in brackets of its own.
fn outside_brackets(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut found) = (0, 0, Vec::new());
    for (at, c) in text.char_indices().filter(|(_, c)| "[]".contains(*c)) {
        if depth == 0 {
            found.extend(words(&text[from..at]));
        }
        depth += if c == '[' { 1 } else { -1 };
        if depth < 0 {
            return found;
        }
        from = at + 1;
    }
    found.extend(words(&text[from..]));
    found
}

/// A test of what the access uses that has let the thread through, if it is in the line of a condition or a loop.
fn limited(message: &str, kernel: &[(u32, &str)]) -> Option<String> {
    let used = used(kernel)?;
    let made_of = made_of(message, kernel);
    let (_, before) = kernel.split_last()?;
    before.iter().rev().take(NEAR).find_map(|(number, line)| {
        let tests = comparisons(line);
        let (index, _, bound) = tests.into_iter().find(|(index, operator, bound)| {
            let is_bound = *operator == "<" && bound.starts_with(char::is_alphabetic);
            is_bound && words(index).any(|word| used.contains(word))
        })?;
        let lets = has(line, "if") || has(line, "for") || has(line, "while");
        if lets && is_closed(kernel, *number) {
            // Another loop may have a counter of the same name.
            return has(line, "if").then(|| format!(
                "line {number} tests `{index} < {bound}`, but its block ends before this line, so that threads come here that it keeps away: move this access into the block, or test again"
            ));
        }
        if lets && made_of.as_ref().is_some_and(|names| !words(index).any(|word| names.contains(word))) {
            return Some(OF_A_VALUE.to_owned());
        }
        lets.then(|| {
            format!(
                "line {number} tests `{index} < {bound}`, {LETS_THROUGH}. Work both out for this thread, and compare the index with what the elements stand for (a pixel, or a counter of a level)"
            )
        })
    })
}

/// Whether the block of a condition or loop in this line ends before the last line.
pub(super) fn is_closed(kernel: &[(u32, &str)], head: u32) -> bool {
    let Some((_, before)) = kernel.split_last() else { return false };
    let (mut depth, mut opened) = (0, false);
    before.iter().filter(|(number, _)| *number >= head).any(|(_, line)| {
        let mut ends = false;
        for c in line.chars() {
            depth += i32::from(c == '{') - i32::from(c == '}');
            opened |= c == '{';
            ends |= opened && depth <= 0;
        }
        // Without braces, it has one statement.
        ends || !opened && line.trim_end().ends_with(';')
    })
}

/// A comparison `x > width` that is to send threads or neighbours away, and lets x = width through.
fn one_too_many(kernel: &[(u32, &str)]) -> Option<String> {
    let used = used(kernel)?;
    kernel.iter().rev().find_map(|(number, line)| {
        if !has(line, "return") && !has(line, "continue") {
            return None;
        }
        let wrong = comparisons(line).into_iter().find(|(index, operator, bound)| {
            let a_name = bound.starts_with(char::is_alphabetic) && !bound.contains('-');
            *operator == ">" && a_name && words(index).any(|word| used.contains(word))
        });
        let (index, _, bound) = wrong?;
        Some(format!(
            "line {number} lets `{index}` = `{bound}` through: `{index} > {bound}`. Elements are counted from 0, so that the last has the number \
             `{bound} - 1`: likely it should be `{index} >= {bound}`"
        ))
    })
}

/// A coordinate of the thread that no condition tests, although the access uses it.
fn untested(kernel: &[(u32, &str)]) -> Option<String> {
    let given = assignments(kernel);
    let coordinates: Vec<(&str, char)> = given
        .iter()
        .filter_map(|(name, from)| {
            let side = ['x', 'y'].into_iter().find(|side| from.contains(&format!("threadIdx.{side}")))?;
            Some((*name, side)).filter(|_| from.contains("blockIdx"))
        })
        .collect();
    let (_, access) = kernel.last()?;
    let mut tested: BTreeSet<&str> =
        kernel.iter().flat_map(|(_, line)| comparisons(line)).flat_map(|(left, ..)| words(left)).collect();
    let mut used: BTreeSet<&str> = words(access).collect();
    // A test of what the access uses tests what that is computed from. A test of a neighbour does not test the pixel.
    for (name, from) in given.iter().rev().filter(|(name, from)| !has(from, name)) {
        if used.contains(name) {
            used.extend(words(from));
            if tested.contains(name) {
                tested.extend(words(from));
            }
        }
    }
    let missing: Vec<(&str, char)> = coordinates
        .iter()
        .copied()
        .filter(|(name, _)| used.contains(name) && !tested.contains(name))
        .collect();
    let (name, side) = *missing.first()?;
    let one = coordinates.len() == 1;
    let bound = |side: char| match side {
        _ if one => "n",
        'y' => "height",
        _ => "width",
    };
    let condition: Vec<String> =
        missing.iter().map(|(name, side)| format!("{name} < {}", bound(*side))).collect();
    let condition = condition.join(" && ");
    Some(if one {
        format!(
            "no condition before this line tests `{name}`. The grid is rounded up to whole blocks, and its last threads have no element: they must \
             not touch memory. Guard the access with `if ({condition})`, n being the number of elements"
        )
    } else {
        let place = if side == 'y' { "below the last row" } else { "right of the last column" };
        format!(
            "no condition before this line tests `{name}`. The grid is rounded up to whole blocks: it has threads {place}, which must not touch \
             memory. Guard the access with `if ({condition})`"
        )
    })
}

/// Names with what they are given, in the order of the text.
pub fn assignments<'a>(kernel: &[(u32, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut found = Vec::new();
    for (_, line) in kernel {
        for part in split(line) {
            if let Some((left, right)) = part.split_once('=')
                && !right.starts_with('=')
                && !left.ends_with(['<', '>', '!', '=', '+', '-', '*', '/'])
                && let Some(name) = words(left).last().filter(|name| left.trim_end().ends_with(name))
            {
                found.push((name, right));
            }
        }
    }
    found
}

/// The declarations and statements of a line: split at semicolons, and at commas outside brackets.
fn split(line: &str) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0, 0, Vec::new());
    for (at, c) in line.char_indices() {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        if c == ';' || (c == ',' && depth <= 0) {
            parts.push(&line[from..at]);
            from = at + 1;
        }
    }
    parts.push(&line[from..]);
    parts
}

#[cfg(test)]
mod tests {
    use runtime::finding::{Kind, Severity};

    use super::*;

    fn kernel<'a>(lines: &[&'a str]) -> Vec<(u32, &'a str)> {
        (1..).zip(lines.iter().copied()).collect()
    }

    const XY: &str =
        "const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;";

    #[test]
    fn tests_that_are_joined_wrongly_and_rows_of_the_grid_are_told() {
        let told =
            spared(&kernel(&[XY, "if (x >= width && y >= height) return;", "out[y * width + x] = 0;"]));
        assert!(told.is_some_and(|told| told.starts_with("line 2 joins its tests by `&&`")));
        for right in ["if (x >= width || y >= height) return;", "if (x < width && y < height) return;"] {
            assert_eq!(spared(&kernel(&[XY, right, "out[y * width + x] = 0;"])), None, "{right}");
        }
        let row = |index: &'static str| grid_row(&kernel(&[XY, index, "out[i] = 0;"]));
        let told = row("const int i = y * blockDim.x * gridDim.x + x;");
        assert!(told.is_some_and(|told| told.starts_with("line 2 begins row `y`")));
        assert_eq!(row("const int i = y * width + x;"), None);
        let block =
            ["const int by = blockIdx.y;", "const int b = by * gridDim.x + blockIdx.x;", "out[b] = 0;"];
        assert_eq!(grid_row(&kernel(&block)), None);
    }

    #[test]
    fn a_negative_index_is_that_of_a_neighbour_only_where_an_untested_offset_is_in_it() {
        let told = |test: &'static str, access: &'static str, message: &str| {
            let lines = ["for (int dy = -2; dy <= 2; ++dy)", "const int cy = y + dy;", test, access];
            neighbour(message, &kernel(&lines))
        };
        let (read, write) =
            ("reads 1 byte at byte -4 of `gray`, which", "writes 1 byte at byte -4 of `out`, which");
        let (load, store) = ("sum += gray[cy * width + x];", "out[cy * width + x] = 3;");
        assert!(
            told("", load, read).is_some_and(|told| told.contains("`dy`, which begins below 0 in line 1"))
        );
        assert!(told("if (cy >= height) continue;", load, read).is_some());
        assert_eq!(told("if (cy < 0 || cy >= height) continue;", load, read), None);
        assert_eq!(told("if (0 <= y + dy)", load, read), None);
        assert_eq!(told("", "sum += gray[y * width - 3];", read), None);
        assert_eq!(told("", store, write), None);
    }

    #[test]
    fn tests_that_are_turned_around_or_of_the_other_side_are_told() {
        let number = "const int i = blockIdx.x * blockDim.x + threadIdx.x;";
        let guarded = |guard: &'static str| inverted(&kernel(&[number, guard, "out[i] = 0;"]));
        assert!(
            guarded("if (i < pixels) return;")
                .is_some_and(|told| told.contains("`if (i >= pixels) return;`"))
        );
        assert_eq!([guarded("if (i >= pixels) return;"), guarded("if (i < first) return;")], [None, None]);
        let tested = |test: &'static str| {
            crossed(&kernel(&[XY, "int nx = x + dx, ny = y + dy;", test, "sum += gray[ny * width + nx];"]))
        };
        let told = tested("if (nx >= 0 && nx < height && ny >= 0 && ny < width) {");
        assert!(
            told.is_some_and(|told| told.contains("tests `nx < height`") && told.ends_with("`nx < width`"))
        );
        assert_eq!(tested("if (nx >= 0 && nx < width && ny >= 0 && ny < height) {"), None);
    }

    #[test]
    fn a_test_of_another_number_than_the_index_is_not_named() {
        let of = |access: &'static str| {
            let lines = ["if (i < pixels) {", "int r = rgb[3 * i];", "int v = r + 50;", access];
            limited("reads 4 bytes at byte 1128 of `bins`, which has 1024 bytes", &kernel(&lines))
        };
        assert_eq!(of("atomicAdd(&bins[v], 1);").as_deref(), Some(OF_A_VALUE));
        assert_eq!(of("atomicAdd(&bins[gray[i]], 1);").as_deref(), Some(OF_A_VALUE));
        assert!(of("atomicAdd(&bins[i], v);").is_some_and(|told| told.contains("tests `i < pixels`")));
        assert!(of("atomicAdd(&bins[3 * i + 1], v);").is_some_and(|told| told.contains(LETS_THROUGH)));
    }

    #[test]
    fn a_coordinate_without_a_test_is_named() {
        for (lines, condition) in [
            (&[XY, "if (x >= width) return;", "out[y * width + x] = 0;"][..], Some("if (y < height)")),
            (&[XY, "out[y * width + x] = 0;"], Some("if (x < width && y < height)")),
            (&[XY, "const int i = y * width + x;", "out[i] = 0;"], Some("if (x < width && y < height)")),
            (&[XY, "const int i = y * width + x;", "if (i >= n) return;", "out[i] = 0;"], None),
            (&[XY, "if (x < width && y < height) out[x] = 0;"], None),
            (
                &[XY, "int cx = x + 1;", "if (cx >= width) return;", "out[y * width + x] = 0;"],
                Some("if (x < width && y < height)"),
            ),
            (&["int i = blockIdx.x * 256 + threadIdx.x;", "bins[gray[i]]++;"], Some("if (i < n)")),
            (&["int i = blockIdx.x * 256 + threadIdx.x;", "for (; i < n; i += 256) s += gray[i + 1];"], None),
            (&["int t = threadIdx.x;", "bins[t] = 0;"], None),
        ] {
            let said = untested(&kernel(lines));
            assert_eq!(said.is_some(), condition.is_some(), "{lines:?}: {said:?}");
            assert!(
                condition.is_none_or(|condition| said.is_some_and(|said| said.contains(condition))),
                "{lines:?}"
            );
        }
    }

    #[test]
    fn a_wrong_row_is_named() {
        for (index, told) in [
            ("out[x * width + y]", Some("`x * width`")),
            ("out[y*height + x]", Some("`y * height`")),
            ("gray[ny * width + nx]", None),
            ("gray[nx * width + ny]", Some("`nx * width`")),
            ("rgb[3 * (width * x + y)]", Some("`x * width`")),
            ("gray[(y + dy) * height + x]", Some("`(y+dy) * height`")),
            ("gray[(x + dx) * width + y + dy]", Some("`(x+dx) * width`")),
            ("gray[(y + dy) * width + x + dx]", None),
        ] {
            let said = turned(&kernel(&[XY, "int nx = x + dx, ny = y + dy;", index]));
            assert_eq!(said.is_some(), told.is_some(), "{index}: {said:?}");
            assert!(told.is_none_or(|told| said.is_some_and(|said| said.contains(told))), "{index}");
        }
    }

    #[test]
    fn pixels_planes_and_rows_that_begin_elsewhere_are_named() {
        let planar = "reads 1 byte at byte 3 of `planar_rgb`, which has 3 bytes";
        let said = |lines: &[&str]| {
            let lines = kernel(lines);
            four_bytes(&lines)
                .or_else(|| fourth_plane(planar, &lines))
                .or_else(|| pitch(&lines))
                .unwrap_or_default()
        };
        for (lines, told) in [
            (&["sum += w[c] * rgb[4 * i + c];"][..], "pixel i begins at `3 * i`"),
            (&["v = planar[i + 3 * pixels];"], "at `2 * pixels`"),
            (
                &[XY, "const int i = y * pitch + x;", "out[i] = 0;"],
                "line 2 computes an index with `y * pitch`",
            ),
            (&["sum += rgb[3 * i + c];"], ""),
            (&[XY, "v = planar[y * width + x + 2 * pixels];"], ""),
        ] {
            let said = said(lines);
            assert!(said.contains(told) && said.is_empty() == told.is_empty(), "{lines:?}: {said}");
        }
    }

    #[test]
    fn tests_that_are_joined_wrongly_are_named() {
        for (lines, told) in [
            (&["if (nx >= 0 || nx < width)", "sum += gray[nx];"][..], true),
            (&["if (nx >= 0 && nx < width)", "sum += gray[nx];"], false),
            (&["if (nx < 0 || nx >= width)", "continue;", "sum += gray[nx];"], false),
            (&["if (nx < limit || nx < width) return;", "sum += gray[nx];"], false),
        ] {
            assert_eq!(joined(&kernel(lines)).is_some(), told, "{lines:?}");
        }
    }

    #[test]
    fn a_condition_that_one_lane_in_several_passes_is_named() {
        let hinted = |condition: &str| {
            let mut finding =
                Finding::new("W0704", Kind::Performance, Severity::Warning, String::new(), "arrange");
            finding.line = Some(3);
            lanes(
                &mut finding,
                &format!(
                    "__global__ void k(int* out) {{\n    if ({condition}) {{\n        out[t] = 1;\n    }}\n}}"
                ),
            );
            finding.hint
        };
        assert!(hinted("t % 4 == 0").starts_with("`t % 4 == 0` in line 2 lets one thread in 4 work"));
        assert_eq!(hinted("t < 4"), "arrange");
    }

    #[test]
    fn a_table_whose_index_begins_below_zero_is_named() {
        let lines = ["for (int dy = -2; dy <= 2; dy++)", "sum += filter[5 * dy + 2] * a;"];
        let told = from_minus("reads 4 bytes at byte -40 of `filter`, which has 100 bytes", &kernel(&lines));
        assert!(
            told.is_some_and(
                |told| told.contains("`dy` begins with -2 in line 1") && told.contains("`dy + 2`")
            )
        );
        assert_eq!(from_minus("reads 1 byte at byte -4 of `gray`", &kernel(&["sum += gray[x - 4];"])), None);
    }

    #[test]
    fn a_comparison_that_is_not_the_right_one_is_named() {
        let said = squared(&kernel(&["if (i >= width * width) return;", "out[i] = 0;"]));
        assert!(said.is_some_and(|said| said.contains("line 1 compares with `width * width`")));
        assert_eq!(
            squared(&kernel(&["if (i >= width * height || dx * dx > 4) return;", "out[i] = 0;"])),
            None
        );
        let said =
            one_too_many(&kernel(&["if (cx < 0 || cx > width) continue;", "sum += gray[cy * width + cx];"]));
        assert!(said.is_some_and(|said| said.contains("`cx >= width`")));
        let said =
            one_too_many(&kernel(&["if (x > w || y > h) return;", "int k = y * w + x;", "out[k] = 0;"]));
        assert!(said.is_some_and(|said| said.contains("`x >= w`")));
        assert_eq!(one_too_many(&kernel(&["if (cx > width - 1) continue;", "sum += gray[cx];"])), None);
        assert_eq!(one_too_many(&kernel(&["if (a > most) most = a;", "sum += gray[a];"])), None);
    }
}
