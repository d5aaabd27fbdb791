//! An index that is another one than the one that is tested: the number of a pixel for a level, or several times the number of a pixel.

use super::code::{comparisons, has, is_part, places, value};
use super::guards::assignments;
use super::missed::indices;

/// Counters or table entries, one for each level.
const LEVELS: u64 = 256;
/// Bytes of a counter.
const COUNTER: u64 = 4;

/// What a message says of an access past the end.
struct Past<'a> {
    writes: bool,
    /// Bytes of the access.
    bytes: u64,
    name: &'a str,
    /// The element that is accessed, and how many there are.
    element: u64,
    elements: u64,
}

/// An index in the last line of a kernel that its buffer has no element for, as advice.
pub fn told(message: &str, kernel: &[(u32, &str)], text: &str) -> Option<String> {
    let past = past(message)?;
    let (line, access) = *kernel.last()?;
    if let Some(found) = pointer(&past, access) {
        return Some(format!("line {line} {found}"));
    }
    let found = access.match_indices('[').find_map(|(at, _)| {
        let name = &access[access[..at].trim_end_matches(is_part).len()..at];
        let (found, rest) = indices(&access[at..])?;
        let [index] = found.as_slice() else { return None };
        let sets = rest.starts_with('=') && !rest.starts_with("==");
        // What is an index itself is a picture, and the file's own buffers have other names in the kernel.
        let before = &access[..at];
        let nested = before.matches('[').count() > before.matches(']').count();
        let own = past.name.contains('#') || past.name == name;
        if name.is_empty() || nested || !own || sets != past.writes {
            return None;
        }
        of_level(&past, name, index, kernel, text)
            .or_else(|| scaled(&past, name, index, kernel, text))
            .or_else(|| of_block(&past, name, index, kernel))
    })?;
    Some(format!("line {line} {found}"))
}

/// Whether a message is of an array of counters, one for each level: threads past the end of a picture are not what goes wrong there.
pub fn of_levels(message: &str) -> bool {
    past(message).is_some_and(|past| past.elements == LEVELS && past.bytes == COUNTER)
}

/// The number of a thread in the grid, or of its block, in place of a level.
fn of_block(past: &Past<'_>, name: &str, index: &str, kernel: &[(u32, &str)]) -> Option<String> {
    if past.elements != LEVELS || past.element < LEVELS {
        return None;
    }
    let given = assignments(kernel).into_iter().rev().find(|(known, _)| *known == index);
    let from = given.map_or(index, |(_, from)| from.trim().trim_end_matches(';'));
    let what = match [has(from, "blockIdx"), has(from, "threadIdx")] {
        [false, true] if from == "threadIdx.x" => {
            let tested =
                kernel.iter().any(|(_, line)| comparisons(line).iter().any(|(left, ..)| *left == index));
            return (!tested).then(|| {
                format!(
                    "uses `{name}[{index}]`, but `{name}` has {LEVELS} elements, one for each level, and a block has more threads: let only those with \
                     `{index} < {LEVELS}` come to this access"
                )
            });
        }
        [true, true] => "the number of the thread in the whole grid",
        [true, false] => "the number of the block",
        _ => return None,
    };
    // The counter that is added has the index that is meant.
    let (_, access) = kernel.last()?;
    let own = format!("{name}[{index}]");
    let level = access.match_indices("[threadIdx.x]").next().map(|(at, _)| {
        let added = &access[access[..at].trim_end_matches(is_part).len()..at];
        format!(". It takes `{added}[threadIdx.x]`: likely both need the same index, `{name}[threadIdx.x]`")
    });
    let given = if from == index { String::new() } else { format!(", `{from}`") };
    Some(format!(
        "uses `{own}`, but `{name}` has {LEVELS} elements, one for each level, and `{index}` is {what}{given}{}",
        level.unwrap_or_else(|| ": the index must be a level, from 0 to 255".to_owned())
    ))
}

/// A pointer to which bytes are added in place of elements: `bins + 4 * level`.
fn pointer(past: &Past<'_>, access: &str) -> Option<String> {
    let at =
        places(access, past.name).find(|at| access[at + past.name.len()..].trim_start().starts_with('+'))?;
    let rest = &access[at..];
    let offset = rest.split_once('+')?.1.trim_start();
    let (number, by) = offset.split_once('*')?;
    let is_size = number.trim().parse() == Ok(past.bytes) && past.bytes > 1;
    let end = closed(by)?;
    let right = format!("{} + {}", past.name, by[..end].trim());
    (is_size && past.element / past.bytes < past.elements).then(|| {
        format!(
            "uses `{}`, element {} of {}: a pointer counts elements, not bytes, so that the factor {} is too much: `{right}`",
            rest[..rest.len() - by.len() + end].trim(),
            past.element,
            past.elements,
            past.bytes
        )
    })
}

/// Where an argument ends.
fn closed(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.find(|c: char| {
        depth += i32::from("([".contains(c)) - i32::from(")]".contains(c));
        depth < 0 || depth == 0 && [',', ';'].contains(&c)
    })
}

/// A number of groups of pixels that is not that of the pixels which one access takes, as advice.
pub fn grouped(message: &str, kernel: &[(u32, &str)]) -> Option<String> {
    let (before, _) = message.split_once(" bytes at byte ")?;
    let taken: u64 = before.rsplit(' ').next()?.parse().ok()?;
    let (line, access) = kernel.last()?;
    let (name, index) = cast_and_index(access, kernel)?;
    let head: String = kernel
        .iter()
        .map(|(_, line)| *line)
        .take_while(|line| !line.contains('{'))
        .collect::<Vec<_>>()
        .join(" ")
        + kernel.iter().map(|(_, line)| *line).find(|line| line.contains('{')).unwrap_or_default();
    // Each element is one byte.
    let of_bytes = places(&head, name)
        .any(|at| head[..at].rsplit([',', '(']).next().is_some_and(|kind| kind.contains("uint8_t")));
    let (tested, bound) = kernel.iter().rev().find_map(|(line, source)| {
        let test = comparisons(source)
            .into_iter()
            .find(|(left, operator, _)| *left == index && ["<", ">="].contains(operator))?;
        Some((*line, test.2))
    })?;
    let inline = bound.contains('/');
    let given =
        if inline { bound } else { assignments(kernel).into_iter().find(|(known, _)| *known == bound)?.1 };
    let (of, by) = given.trim().trim_end_matches(';').rsplit_once('/')?;
    let groups: u64 = by.trim().parse().ok().filter(|groups| of_bytes && *groups != taken && *groups > 1)?;
    if inline {
        return Some(format!(
            "line {line} takes {taken} bytes at once, but line {tested} lets `{index}` go up to `{bound}`, a number of groups of {groups}: likely it should be \
             `{of}/ {taken}`"
        ));
    }
    Some(format!(
        "line {line} takes {taken} bytes at once, but `{bound}` is `{of}/ {groups}`, a number of groups of {groups}: likely it should be `{of}/ {taken}`"
    ))
}

/// The pointer that an access casts, in its line or where a variable gets it, and the index.
fn cast_and_index<'a>(access: &'a str, kernel: &[(u32, &'a str)]) -> Option<(&'a str, &'a str)> {
    let cast = |text: &'a str| text.split_once("_cast<")?.1.split_once(">(")?.1.split_once(')');
    let index = |rest: &'a str| Some(rest.strip_prefix('[')?.split(']').next()?.trim());
    if let Some((name, rest)) = cast(access) {
        return Some((name, index(rest)?));
    }
    // `((const uint4*)gray)[i]`.
    let plain = access.split_once("*)").and_then(|(_, rest)| {
        let (name, rest) = rest.split_once(')')?;
        let is_name = !name.is_empty() && name.chars().all(is_part);
        is_name.then_some((name, index(rest)?))
    });
    if plain.is_some() {
        return plain;
    }
    assignments(kernel).into_iter().find_map(|(variable, from)| {
        let (name, _) = cast(from)?;
        let at = places(access, variable).next()?;
        Some((name, index(&access[at + variable.len()..])?))
    })
}

/// The number of a pixel in place of a level.
fn of_level(past: &Past<'_>, name: &str, index: &str, kernel: &[(u32, &str)], text: &str) -> Option<String> {
    let (tested, bound) = tested(index, kernel, text)?;
    (past.elements == LEVELS && past.element >= LEVELS).then(|| {
        format!(
            "uses `{name}[{index}]`, but `{name}` has {LEVELS} elements, one for each level, and `{index}` is the number of a pixel: line {tested} lets it go up \
             to `{bound}`. A level is a value of the picture, such as `gray[{index}]`"
        )
    })
}

/// Several times the number of a pixel, in a buffer with one element for each.
fn scaled(past: &Past<'_>, name: &str, index: &str, kernel: &[(u32, &str)], text: &str) -> Option<String> {
    let (factor, counter) = factor(index)?;
    let (tested, bound) = tested(counter, kernel, text)?;
    // What the file itself allocates may be too small.
    // A pixel of `rgb` has three bytes.
    let of_pixel = factor == 3 && past.name.contains("rgb");
    let given = !past.name.contains('#') && past.elements != LEVELS && !of_pixel;
    (given && past.element / factor < past.elements).then(|| {
        format!(
            "uses `{name}[{index}]`, but line {tested} lets `{counter}` go up to `{bound}`, and `{}` has no more elements than that: its element for this thread is \
             likely `{name}[{counter}]`",
            past.name
        )
    })
}

/// The factor and the counter of `3 * i`, `i * 3 + 1` and the like.
fn factor(index: &str) -> Option<(u64, &str)> {
    let product = index.split('+').next()?.trim();
    let (one, other) = product.split_once('*')?;
    let (one, other) = (one.trim(), other.trim());
    let is_name = |text: &str| !text.is_empty() && text.chars().all(is_part) && text.parse::<u64>().is_err();
    let of = |number: &str, name| Some((number.parse().ok().filter(|factor| *factor > 1)?, name));
    if is_name(other) { of(one, other) } else { is_name(one).then(|| of(other, one))? }
}

/// The line that tests a variable against a number of the picture, and that number.
fn tested<'a>(name: &str, kernel: &[(u32, &'a str)], text: &str) -> Option<(u32, &'a str)> {
    kernel.iter().rev().find_map(|(line, source)| {
        let of_picture = |bound: &str| bound.starts_with(char::is_alphabetic) && value(bound, text).is_none();
        let test = comparisons(source).into_iter().find(|(left, operator, bound)| {
            *left == name && ["<", "<=", ">=", ">"].contains(operator) && of_picture(bound)
        })?;
        Some((*line, test.2))
    })
}

/// The numbers of `writes 1 byte at byte 99 of `gray`, which has 97 bytes`.
fn past(message: &str) -> Option<Past<'_>> {
    let (before, after) = message.split_once(" at byte ")?;
    let number = |text: &str| {
        text.split(|c: char| !c.is_ascii_digit()).find(|part| !part.is_empty())?.parse::<u64>().ok()
    };
    let bytes = number(before)?;
    let (at, rest) = (number(after)?, after.split_once('`')?.1);
    let (name, rest) = rest.split_once('`')?;
    let size = number(rest.split_once("which has ")?.1)?;
    (bytes > 0).then(|| Past {
        writes: before.starts_with("writes"),
        bytes,
        name,
        element: at / bytes,
        elements: size / bytes,
    })
}

/// A product of a side with itself in a function of the host, as advice.
pub fn squared(text: &str) -> Option<String> {
    let host =
        super::code::numbered_lines(text).filter(|(line, _)| super::code::kernel_to(*line, text).is_none());
    host.into_iter().find_map(|(line, source)| {
        let side = ["width", "height"].into_iter().find(|side| {
            let product = format!("{side} * {side}");
            places(source, side).any(|at| source[at..].starts_with(&product))
        })?;
        Some(format!(
            "line {line} computes `{side} * {side}`: an image has `width * height` pixels, and its two sides may differ"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_that_is_not_the_one_tested_is_told() {
        let of = |message: &str, access: &str| {
            let kernel =
                ["__global__ void k() {", "  int i = threadIdx.x;", "  if (i >= pixels) return;", access];
            let lines: Vec<(u32, &str)> = (1..).zip(kernel).collect();
            told(message, &lines, "constexpr int levels = 256;")
        };
        let past = |verb: &str, bytes: u32, at: u32, name: &str, size: u32| {
            format!("{verb} {bytes} bytes at byte {at} of `{name}`, which has {size} bytes")
        };
        for (message, access, said) in [
            (past("writes", 1, 99, "gray", 97), "gray[3 * i] = 0;", Some("likely `gray[i]`")),
            (past("writes", 1, 99, "cudaMalloc #1 (line 9)", 97), "gray[3 * i] = 0;", None),
            (past("writes", 1, 99, "gray", 20), "gray[3 * i] = 0;", None),
            (
                past("updates atomically", 4, 1024, "bins", 1024),
                "atomicAdd(&bins[i], 1u);",
                Some("such as `gray[i]`"),
            ),
            (
                past("reads", 1, 256, "cudaMalloc #1 (line 9)", 256),
                "out[i] = table[i];",
                Some("uses `table[i]`"),
            ),
            (past("reads", 1, 256, "cudaMalloc #1 (line 9)", 256), "out[i] = table[gray[i]];", None),
            (past("reads", 1, 256, "gray", 256), "out[i] = table[i];", None),
            (past("reads", 1, 97, "gray", 97), "out[i] = gray[i + 1];", None),
        ] {
            let told = of(&message, access);
            let right =
                told.as_deref().map_or(said.is_none(), |told| said.is_some_and(|said| told.contains(said)));
            assert!(right, "{message}, {access}: {told:?}");
        }
    }

    #[test]
    fn groups_of_another_size_than_an_access_are_told() {
        let of = |by: &str| {
            let bound = format!("  const int vectors = pixels / {by};");
            let kernel = [
                "__global__ void k(const uint8_t* __restrict__ gray, int pixels) {",
                bound.as_str(),
                "  for (int i = first; i < vectors; i += stride) {",
                "    const uint4 sixteen = reinterpret_cast<const uint4*>(gray)[i];",
            ];
            let lines: Vec<(u32, &str)> = (1..).zip(kernel).collect();
            grouped("reads 16 bytes at byte 16 of `gray`, which has 19 bytes", &lines)
        };
        assert!(
            of("4").is_some_and(
                |told| told.contains("`vectors` is `pixels / 4`") && told.contains("`pixels / 16`")
            )
        );
        assert_eq!(of("16"), None);
    }

    #[test]
    fn a_side_times_itself_is_told_of_the_host_alone() {
        let text = "__global__ void k(int width) {\n  int a = width * width;\n}\nvoid f(int width, int height) {\n  int pixels = height * height;\n}\n";
        assert!(squared(text).is_some_and(|told| told.starts_with("line 5 computes `height * height`")));
        assert_eq!(squared(&text.replace("height * height", "height * width")), None);
    }
}
