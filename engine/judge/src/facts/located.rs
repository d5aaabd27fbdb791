//! The line of a mistake that the outputs have named: its text has what the mistake is about.

use crate::build::arguments::launches;
use crate::build::block::block_of;
use crate::build::code::{
    closing, code, comparisons, has, is_outermost, is_part, last_name, numbered_lines, places, value, words,
};
use crate::build::kept;
use crate::tunable::reached;

/// Mistakes, what their line does, and what its text has, without spaces.
const LINES: &[(&[&str], &str, &[&str])] = &[
    (&["overflow", "outside_not_clamped", "divided_first"], "multiplies by 255", &["255*", "*255"]),
    (&["scale_truncated"], "divides 255", &["255/"]),
    (&["truncated"], "divides the sum", &["sum/", "total/"]),
    (&["threshold_rounded_down"], "divides by 1,024", &["/1024", ">>10"]),
    (
        &["not_clamped", "clamped_on_one_side", "clamped_before_division", "absolute_value", "rounded"],
        "divides by the divisor",
        &["/divisor", "/=divisor"],
    ),
    (
        &["channels_swapped"],
        "has the weights (or red and blue are read from each other's place)",
        &["30*", "*30", "0.30f*", "0.3f*"],
    ),
    (&["products_truncated"], "has a product of one channel", &["0.3f*", "30*", "0.3*"]),
    (&["float_sum", "gray_in_float"], "has weights that are not whole", &["0.3", "0.59", ".3f"]),
    (
        &["sum_of_weights", "border_zero", "border_black"],
        "divides by a number that fits inner pixels only",
        &["/81", "/25"],
    ),
    (&["other_divisor"], "divides by a number", &["/9", "/16", "/24", "/25", "/80", "/81"]),
    (&["last_pixels_left_out"], "counts whole words only", &["/4", "/8", "/16", ">>2", ">>3", ">>4"]),
    (
        &["partial_blocks_left_out"],
        "rounds down",
        &["/4", "/8", "/16", "/32", "/64", ">>2", ">>3", ">>4", ">>5"],
    ),
];

/// What to try if whole words are counted only.
pub const REST: &str = "whole words leave out the last pixels, those that are fewer than a word: let threads compute them one by one behind the whole words";

/// Lines from which on none is told: one of them would be a guess.
const MOST: usize = 2;
/// Characters of a line that is quoted.
const QUOTED: usize = 60;

/// The line of a mistake with this name and message in what `task` runs.
pub fn told(source: &str, task: &str, mistake: &str, message: &str) -> Option<String> {
    let Some((_, does, needles)) = LINES.iter().find(|(names, ..)| names.contains(&mistake)) else {
        return match mistake {
            "first_block_only" | "first_pixel_everywhere" => own_index(source, task),
            "counted_several_times" => added_by_all(source, task),
            "counted_on" => kept::told(source, task),
            "levels_missing" => missing(source, task, message),
            "sum_carried_on" => carried_on(source, task),
            "grid_sides_swapped" => told_of(source, task, "puts the height before the width", &height_first),
            "threshold_exceeded" => told_of(source, task, "compares a count", &exceeds),
            "minimum_kept" => told_of(source, task, "takes the count of level 0", &of_level_0),
            _ => None,
        };
    };
    let close = |line: &str| line.split_whitespace().collect::<String>();
    // A loop over the last elements begins behind whole words, and ends at the last one.
    let rest = |line: &str| {
        let parts: Vec<&str> = line.split(';').collect();
        mistake == "last_pixels_left_out" && parts.len() > 2 && !parts[1].contains('/')
    };
    let holds = |line: &str| !rest(line) && needles.iter().any(|needle| divides(&close(line), needle));
    // A conversion of the product comes too late.
    let late = |line: &str| holds(line) && widened_late(&close(line));
    if mistake == "overflow"
        && let Some(told) = told_of(
            source,
            task,
            "makes 64 bits of the product only, which has lost its upper bits: convert a factor",
            &late,
        )
    {
        return Some(told);
    }
    if mistake == "last_pixels_left_out" || mistake == "partial_blocks_left_out" {
        let takes_no_rest = |line: &str| holds(line) && !has_rest(source, line, needles);
        return told_of(source, task, does, &takes_no_rest);
    }
    told_of(source, task, does, &holds)
}

/// Whether the function of a line that counts whole words, `pixels / 4`, takes the rest behind it: from `pixels / 4 * 4` on, or up to `pixels`.
fn has_rest(source: &str, line: &str, needles: &[&str]) -> bool {
    let close = |line: &str| line.split_whitespace().collect::<String>();
    let own = close(line);
    let Some((at, needle)) = needles.iter().find_map(|needle| Some((own.find(needle)?, *needle))) else {
        return false;
    };
    let all = last_name(&own[..at]);
    let number = needle.trim_start_matches(['/', '>', '<']);
    let whole = format!("{all}{needle}*{number}");
    let up_to = |line: &str| {
        (has(line, "for") || has(line, "if") || has(line, "while"))
            && comparisons(line).iter().any(|(_, operator, bound)| *operator == "<" && *bound == all)
    };
    let rest =
        numbered_lines(source).skip_while(|(_, other)| !std::ptr::eq(other.trim(), line.trim())).skip(1);
    let mut rest = rest.take_while(|(_, line)| !line.starts_with('}'));
    !all.is_empty() && rest.any(|(_, line)| close(line).contains(&whole) || up_to(line))
}

/// Whether a product by 255 stands inside the brackets that a conversion to 64 bits is written before.
fn widened_late(line: &str) -> bool {
    ["(uint64_t)(", "(int64_t)(", "(longlong)("].iter().any(|cast| {
        line.match_indices(cast).any(|(at, _)| {
            let inner = &line[at + cast.len()..];
            let product = closing(inner).map(|end| &inner[..end]);
            product.is_some_and(|product| product.contains("*255") || product.contains("255*"))
        })
    })
}

/// The test or the size of a block that ends where the levels do which a message tells to be the only ones.
fn missing(source: &str, task: &str, message: &str) -> Option<String> {
    let first: u64 = match message.split_once("counters from level ") {
        Some((_, rest)) => rest.split(' ').next()?.parse().ok()?,
        None => message.strip_prefix("pixels of level ")?.strip_suffix(" are not counted")?.parse().ok()?,
    };
    if first == 0 {
        return None;
    }
    let ends = |line: &str| {
        // A loop of one thread alone ends where it likes.
        let of_threads = has(line, "if") || has(line, "threadIdx");
        let tests = comparisons(line);
        of_threads
            && tests
                .iter()
                .any(|(_, operator, bound)| *operator == "<" && value(bound, source) == Some(first))
    };
    let lets = format!("lets only what is below {first} through");
    let few = launches(source, task)
        .iter()
        .any(|launch| block_of(launch, source).is_some_and(|[across, down]| across * down == first));
    told_of(source, task, &lets, &ends).or_else(|| {
        let does = format!("gives each counter to one thread of a block of {first}");
        told_of(source, task, &does, &by_thread).filter(|_| few)
    })
}

/// Whether a line compares a counter so that one which equals the bound does not reach it.
fn exceeds(line: &str) -> bool {
    comparisons(line).iter().any(|(left, operator, _)| left.ends_with(']') && [">", "<="].contains(operator))
}

/// Whether a line adds to the counter of its thread's number.
fn by_thread(line: &str) -> bool {
    line.contains("atomicAdd(&") && line.contains("[threadIdx.x],")
}

/// Whether a line gives the count of level 0 to a variable, or subtracts it.
fn of_level_0(line: &str) -> bool {
    line.match_indices("[0]").any(|(at, _)| {
        let before = line[..at].trim_end_matches(is_part).trim_end();
        let (target, assigns) = (before.trim_end_matches('=').trim_end(), before.ends_with('='));
        let named = ["min", "low", "zero", "first"].iter().any(|name| target.to_lowercase().contains(name));
        before.ends_with('-') || assigns && named && !target.ends_with(']')
    })
}

/// Whether a text has this, and not only as the beginning of a longer number.
fn divides(text: &str, needle: &str) -> bool {
    text.match_indices(needle).any(|(at, _)| {
        let after = &text[at + needle.len()..];
        !needle.ends_with(|c: char| c.is_ascii_digit()) || !after.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// The line that numbers the threads of a block alone.
fn own_index(source: &str, task: &str) -> Option<String> {
    let alone = |line: &str| {
        let of_thread = line.split(['=', ';', ',']).any(|part| {
            let whole = part.contains('*') && part.contains('+');
            has(part, "threadIdx") && !part.contains('[') && !whole
        });
        of_thread && line.contains('=') && !has(line, "for")
    };
    told_of(source, task, "numbers the threads", &alone)
}

/// The loop from 0 in which every thread adds every counter.
fn added_by_all(source: &str, task: &str) -> Option<String> {
    let names = reached(source, task);
    let lines: Vec<&str> = source.lines().map(code).collect();
    lines.iter().enumerate().find_map(|(at, line)| {
        let (_, head) = line.split_once("for")?;
        let (variable, rest) = head.split_once('=')?;
        let variable = &variable.trim_end()[variable.trim_end().trim_end_matches(is_part).len()..];
        rest.trim_start().strip_prefix('0')?.trim_start().strip_prefix(';')?;
        // `counts[words[v]]` counts, and adds no counter.
        let own = format!("[{variable}]");
        let adds = |line: &str| {
            let counter = line.split_once("atomicAdd(&").and_then(|(_, rest)| rest.split(',').next());
            counter.is_some_and(|counter| counter.trim_start_matches(is_part).starts_with(&own))
        };
        let near = lines[at..].iter().take(3).position(|line| adds(line))?;
        let kernel = lines[..at].iter().rev().find(|line| is_outermost(line))?;
        let name = words(kernel.split('(').next()?).last()?;
        names.contains(name).then(|| {
            format!(
                "the loop of line {} begins at 0 in each thread, so that each of them adds all counters in line {}",
                at + 1,
                at + near + 1
            )
        })
    })
}

/// The sum that is set to 0 before the loop over the three channels that adds to it.
fn carried_on(source: &str, task: &str) -> Option<String> {
    let lines: Vec<&str> = source.lines().map(code).collect();
    let set = |(at, line): (usize, &&str)| {
        let (name, _) = line.split_once("= 0;").or_else(|| line.split_once("= 0.0f;"))?;
        let (name, body) = (last_name(name.trim_end()), lines.get(at + 1..)?);
        let body = &body[..body.iter().position(|line| line.starts_with('}'))?];
        let adds = body.iter().position(|line| line.contains(&format!("{name} +=")))?;
        let of_channels =
            |line: &&str| has(line, "for") && comparisons(line).iter().any(|test| test.2 == "3");
        (!name.is_empty() && body[..adds].iter().any(of_channels)).then_some(at + 1)
    };
    let found: Vec<usize> = lines.iter().enumerate().filter_map(set).collect();
    let is = |line: &str| found.iter().any(|number| std::ptr::eq(lines[number - 1], line));
    told_of(source, task, "sets the sum to 0 before the loop over the channels", &is)
}

/// Whether a line gives a grid its height before its width.
fn height_first(line: &str) -> bool {
    let (height, width) = (places(line, "height").next(), places(line, "width").next());
    (has(line, "dim3") || line.contains("<<<"))
        && height.zip(width).is_some_and(|(height, width)| height < width)
}

fn told_of(source: &str, task: &str, does: &str, holds: &dyn Fn(&str) -> bool) -> Option<String> {
    let names = reached(source, task);
    let mut function = "";
    let mut found: Vec<(u32, &str)> = Vec::new();
    for (number, line) in numbered_lines(source) {
        if let Some((before, _)) = line.split_once('(')
            && is_outermost(line)
        {
            function = last_name(before);
        }
        if names.contains(function) && holds(line) {
            found.push((number, line.trim()));
        }
    }
    let quoted =
        |line: &str| if line.chars().count() > QUOTED { String::new() } else { format!(": `{line}`") };
    match found.as_slice() {
        [(number, line)] => Some(format!("line {number} {does}{}", quoted(line))),
        [] => None,
        all if all.len() <= MOST => {
            let lines: Vec<String> =
                all.iter().map(|(number, line)| format!("line {number} {does}{}", quoted(line))).collect();
            Some(lines.join("; "))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    const TEXT: &str = "void make_table(int* t) {\n    t[0] = cdf * 255 / n;\n}\n__global__ void map(int* t) {\n    int i = threadIdx.x;\n    t[i] = n / 42;\n    for (int v = 0; v < 256; v++)\n        atomicAdd(&bins[v], c[v]);\n}\n\
                        void other() {\n    x = 255 * y;\n}\nvoid equalize() {\n    make_table(t);\n    map<<<1, 256>>>(t);\n}\n";

    #[test]
    fn the_line_of_a_named_mistake_is_one_of_what_the_task_runs() {
        for (mistake, said) in [
            ("overflow", Some("line 2 multiplies by 255: `t[0] = cdf * 255 / n;`")),
            ("first_block_only", Some("line 5 numbers the threads: `int i = threadIdx.x;`")),
            ("last_pixels_left_out", None),
            ("shifted", None),
            (
                "counted_several_times",
                Some(
                    "the loop of line 7 begins at 0 in each thread, so that each of them adds all counters in line 8",
                ),
            ),
        ] {
            assert_eq!(told(TEXT, "equalize", mistake, "").as_deref(), said, "{mistake}");
        }
    }

    #[test]
    fn whole_words_are_named_only_where_no_line_behind_takes_the_rest() {
        let text = "__global__ void count(int* t) {\n    for (int i = start; i < pixels / 4; i += stride) {\n    }\n    for (int i = pixels / 4 * 4 + start; i < pixels; i += stride) {\n    }\n}\n\
                    __global__ void map(int* t) {\n    if (i < pixels / 4) {\n    }\n}\nvoid equalize() {\n    count<<<1, 256>>>(t);\n    map<<<1, 256>>>(t);\n}\n";
        let told = told(text, "equalize", "last_pixels_left_out", "");
        assert_eq!(told.as_deref(), Some("line 8 counts whole words only: `if (i < pixels / 4) {`"));
        let grid = "void equalize() {\n    const dim3 grid(width / 32, height / 8);\n    k<<<grid, dim3(32, 8)>>>(t);\n}\n";
        let told = super::told(grid, "equalize", "partial_blocks_left_out", "");
        let said = "line 2 rounds down: `const dim3 grid(width / 32, height / 8);`";
        assert_eq!(told.as_deref(), Some(said));
    }

    #[test]
    fn the_sum_that_is_carried_on_and_the_grid_that_is_swapped_are_found() {
        let text = |outside: &str, inside: &str, grid: &str| {
            format!(
                "__global__ void k(int* t) {{\n    {outside}\n    for (int c = 0; c < 3; ++c) {{\n        {inside}\n        for (int i = 0; i < 25; ++i)\n            \
                 sum += t[i];\n    }}\n}}\nvoid filter_rgb() {{\n    const dim3 grid({grid});\n    k<<<grid, dim3(32, 8)>>>(t);\n}}\n"
            )
        };
        let wrong = text("int sum = 0;", "", "ceil_div(height, 32), ceil_div(width, 8)");
        let told = |text: &str, mistake: &str| told(text, "filter_rgb", mistake, "");
        assert_eq!(
            told(&wrong, "sum_carried_on").as_deref(),
            Some("line 2 sets the sum to 0 before the loop over the channels: `int sum = 0;`")
        );
        assert!(
            told(&wrong, "grid_sides_swapped")
                .is_some_and(|told| told.starts_with("line 10 puts the height"))
        );
        let right = text("", "int sum = 0;", "ceil_div(width, 32), ceil_div(height, 8)");
        assert_eq!(told(&right, "sum_carried_on"), None);
        assert_eq!(told(&right, "grid_sides_swapped"), None);
    }
}
