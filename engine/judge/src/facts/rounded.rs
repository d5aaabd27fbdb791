//! Numbers of blocks that are rounded down, so that what is left of the division has no block.

use crate::build::arguments::parts as arguments;
use crate::build::block::body;
use crate::build::code::{code, has, is_part, last_name, value, words};

/// What to try if a grid has the same size for all pictures.
pub const FIXED: &str = "take the number of blocks from the picture: `ceil_div(n, block)` for each direction, or let each thread go on with a loop until \
                         all is done";

/// What to try if the number of blocks along one dimension is rounded down.
pub const UP: &str = "round up: `ceil_div(n, block)` instead of `n / block`; the threads past the last element are kept away by an `if`";

/// A side of a grid that is a number, whatever the picture is, as a fact.
pub fn fixed(source: &str) -> Option<String> {
    let lines: Vec<&str> = source.lines().map(code).collect();
    let grids = || lines.iter().filter_map(|line| words(line.split_once("<<<")?.1.split(',').next()?).last());
    one_number(&lines, source).or_else(|| {
        (1..).zip(&lines).find_map(|(number, line)| {
            let (_, rest) = line.split_once("dim3 ")?;
            let (name, sizes) = rest.split_once('(')?;
            let parts = arguments(sizes.rsplit_once(')')?.0);
            let of_picture = |part: &String| ["width", "height"].iter().any(|side| has(part, side));
            let blocks: u32 = parts.get(1)?.trim().parse().ok().filter(|blocks| *blocks > 1)?;
            (parts.first().is_some_and(of_picture) && grids().any(|grid| grid == name.trim())).then(|| {
                format!("line {number} asks for {blocks} blocks along y, however high the picture is")
            })
        })
    })
}

/// A launch of a number of blocks of a kernel without a loop.
fn one_number(lines: &[&str], source: &str) -> Option<String> {
    (1..).zip(lines).find_map(|(number, line)| {
        let (kernel, rest) = line.split_once("<<<")?;
        let blocks = value(rest.split(',').next()?.trim(), source).filter(|blocks| *blocks > 1)?;
        let kernel = last_name(kernel.trim_end());
        let body = body(source, kernel);
        let by_grid = body.iter().any(|(_, line)| has(line, "for") && has(line, "blockIdx") || has(line, "gridDim") && has(line, "for"));
        let of_all = body.iter().any(|(_, line)| has(line, "blockIdx") && has(line, "blockDim"));
        let loops = body.iter().any(|(_, line)| ["while", "do"].iter().any(|word| has(line, word)));
        let step = body.iter().find_map(|(_, line)| Some(last_name(line.split_once('=').filter(|(_, from)| has(from, "gridDim"))?.0.trim_end())));
        let by_step = step.is_some_and(|step| body.iter().any(|(_, line)| has(line, "for") && has(line, step)));
        (of_all && !by_grid && !by_step && !loops).then(|| {
            format!("line {number} launches {blocks} blocks of `{kernel}`, however large the picture is, and the kernel has no loop over the rest")
        })
    })
}

/// The division of a launch that rounds down, as a fact.
pub fn told(source: &str) -> Option<String> {
    let lines: Vec<&str> = source.lines().map(code).collect();
    // Sizes that are something's name alone.
    let sizes: Vec<String> = lines
        .iter()
        .filter_map(|line| line.split_once("<<<")?.1.split(">>>").next())
        .flat_map(arguments)
        .filter(|size| size.chars().all(is_part))
        .collect();
    (1..).zip(&lines).find_map(|(number, line)| {
        let launches = line.split_once("<<<").and_then(|(_, rest)| rest.split(">>>").next());
        let quotient = launches.and_then(divided).or_else(|| {
            // `dim3 grid(…)`, `int blocks = …` of something that a launch gets; an argument of the kernel is no size.
            let (name, value) = line.split_once(['=', '(']).filter(|_| launches.is_none())?;
            let name = words(name).last().filter(|name| sizes.iter().any(|size| size == name))?;
            divided(value).filter(|_| has(line, name))
        })?;
        Some(format!("line {number} rounds down: what `{quotient}` leaves over has no block"))
    })
}

/// A quotient that is not rounded up.
fn divided(text: &str) -> Option<&str> {
    text.match_indices('/').find_map(|(at, _)| {
        let from = begin(&text[..at]);
        let to = at + 1 + end(&text[at + 1..]);
        let quotient = text[from..to].trim();
        let above = &text[from..at];
        let of_the_picture =
            ["width", "height", "pixels", "n", "size", "total"].iter().any(|name| has(above, name));
        // `n / 256 + 1` and `pixels / 4 + 3` leave room for what is left over.
        let adds = text[to..].trim_start().starts_with('+');
        (of_the_picture && !adds && !above.contains(['+', '-']) && !quotient.contains("ceil"))
            .then_some(quotient)
    })
}

/// Where the operand that ends here begins: behind a comma, a bracket that is open, or an `=`.
fn begin(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices().rev() {
        depth += i32::from(c == ')') - i32::from(c == '(');
        if depth < 0 || (depth == 0 && [',', '=', ';', '?', ':'].contains(&c)) {
            return at + 1;
        }
    }
    text.find(|c: char| is_part(c) || c == '(').unwrap_or(0)
}

fn end(text: &str) -> usize {
    let mut depth = 0;
    text.char_indices()
        .find(|(_, c)| {
            depth += i32::from(*c == '(') - i32::from(*c == ')');
            depth < 0 || (depth == 0 && [',', ';', '+', '-', '?'].contains(c))
        })
        .map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_of_one_size_is_told() {
        let file =
            |size: &str| format!("const dim3 grid(ceil_div(width, 128), {size});\nk<<<grid, block>>>(a);");
        assert_eq!(
            fixed(&file("8")).as_deref(),
            Some("line 1 asks for 8 blocks along y, however high the picture is")
        );
        assert_eq!(fixed(&file("ceil_div(height, 8)")), None);
        assert_eq!(fixed("dim3 block(32, 8);\nk<<<grid, block>>>(a);"), None);
    }

    #[test]
    fn only_sizes_that_are_rounded_down_are_told() {
        for (text, seen) in [
            (
                "const int blocks = max(1, pixels / (256 * per_thread));\nk<<<blocks, 256>>>(a);",
                Some("line 1 rounds down: what `pixels / (256 * per_thread)` leaves over"),
            ),
            (
                "dim3 grid(ceil_div(width, 128), max(1, height / strip));\nk<<<grid, 128>>>(a);",
                Some("`height / strip`"),
            ),
            ("k<<<width * height / 256, 256>>>(a);", Some("`width * height / 256`")),
            ("const int blocks = (pixels + 255) / 256;\nk<<<blocks, 256>>>(a);", None),
            ("dim3 grid((width - 1) / 32 + 1, ceil_div(height, 8));\nk<<<grid, 128>>>(a);", None),
            ("k<<<ceil_div(pixels / 4 + 3, 256), 256>>>(a);", None),
            ("k<<<pixels / 256 + 1, 256>>>(a);", None),
            ("const int half = height / 2;\nk<<<ceil_div(half, 2), 128>>>(half);", None),
            ("out[i] = sum / n;\nk<<<blocks, 256>>>(a);", None),
        ] {
            let said = told(text);
            assert_eq!(said.is_some(), seen.is_some(), "{text}: {said:?}");
            assert!(seen.is_none_or(|seen| said.is_some_and(|said| said.contains(seen))), "{text}");
        }
    }
}
