//! Where the wrong pixels of an output lie, if they lie at few places: at the border, at the end, in rows or columns that tiles, strips
//! or words begin with.

use std::collections::BTreeSet;

use crate::numbers::grouped;
use crate::rounding::Output;

/// What to try where only some places are wrong.
pub const HINT: &str = "compare one of these pixels with a right one beside it: which condition, first or last step of a loop, or \
                        border of a tile, strip or word lies between them?";

/// What to try where pixels are wrong from one on.
pub const FROM_ON: &str = "find out what ends at this pixel: has the launch a thread for each of them (blocks times threads, or a loop over the rest)? Does a \
                           condition, a type or a product stop there?";
/// Parts of a hundred of the pixels from one on that have to be wrong: some hold the right value by chance.
const NEARLY_ALL: usize = 90;

/// Rows and columns at a border that belong to it.
const BORDER: usize = 2;
/// Rows or columns that are listed.
const LISTED: usize = 3;
/// Wrong pixels from which on a row or a column is told: through fewer, several shapes go.
const FEWEST: usize = 4;
/// The same where both the rows and the columns follow a rule: a few pixels in the middle of a small image always do.
const FEWEST_OF_BOTH: usize = 12;
/// Rows or columns from which on a common step is told, if it is small: three numbers often have one by chance.
const FEWEST_STEPS: usize = 4;
/// Steps that tiles and blocks have.
const WIDE: usize = 8;

/// The places of the wrong pixels of an output of `width` × `height` pixels, as a sentence; `None` if they lie anywhere.
pub fn places(output: &Output<'_>, (width, height): (usize, usize)) -> Option<String> {
    let bytes = output.shape.element.size();
    let channels = output.shape.row / width.max(1);
    if channels == 0
        || output.shape.row != channels * width
        || output.expected.len() != width * height * channels * bytes
    {
        return None;
    }
    let off = output.off().enumerate().filter(|(_, off)| output.is_wrong(*off));
    let mut wrong: Vec<usize> = off.map(|(element, _)| element / channels).collect();
    wrong.dedup();
    let (first, all) = (*wrong.first()?, width * height);
    if 2 * wrong.len() > all {
        return None;
    }
    let rows: BTreeSet<usize> = wrong.iter().map(|pixel| pixel / width).collect();
    let columns: BTreeSet<usize> = wrong.iter().map(|pixel| pixel % width).collect();
    let outer = |at: usize, of: usize| at < BORDER || at + BORDER >= of;
    let at_border = |pixel: &usize| outer(pixel % width, width) || outer(pixel / width, height);
    let enough = wrong.len() >= FEWEST;
    let columns = which(&columns, width, "column").filter(|_| enough);
    let rows_at = which(&rows, height, "row").filter(|_| enough);
    let lie = if wrong.len() + first == all && wrong.len() > 1 && rows.len() < 3 {
        Some(format!("are the last {} of the image", wrong.len()))
    } else {
        match (columns, rows_at) {
            (Some(_), Some(_)) if wrong.len() < FEWEST_OF_BOTH => None,
            (Some(columns), Some(rows)) => Some(format!("lie in {columns}, and in {rows}")),
            (Some(which), None) | (None, Some(which)) => Some(format!("lie in {which}")),
            (None, None) => (enough && width.min(height) > 4 * BORDER && wrong.iter().all(at_border))
                .then(|| format!("lie in the {BORDER} outer rows and columns")),
        }
    };
    lie.map(|lie| format!("all wrong pixels {lie}"))
}

/// The pixel from which on nearly all pixels of an output are wrong, while all before it are right, as a sentence.
pub fn from_on(output: &Output<'_>, (width, height): (usize, usize)) -> Option<String> {
    let all = width * height;
    if output.shape.row != width || output.expected.len() != all * output.shape.element.size() {
        return None;
    }
    let wrong: Vec<usize> =
        output.off().enumerate().filter(|(_, off)| output.is_wrong(*off)).map(|(at, _)| at).collect();
    let first = *wrong.first()?;
    let rest = all - first;
    (first > 0 && rest >= FEWEST_OF_BOTH && 100 * wrong.len() >= NEARLY_ALL * rest).then(|| {
        format!(
            "all {} pixels before x {}, y {} are right, and from there on nearly all are wrong",
            grouped(first as u64),
            first % width,
            first / width
        )
    })
}

/// Which of `of` rows or columns, if they are few or follow a rule.
fn which(some: &BTreeSet<usize>, of: usize, what: &str) -> Option<String> {
    let (first, last) = (*some.first()?, *some.last()?);
    if 2 * some.len() > of {
        return None;
    }
    let together = last - first + 1 == some.len();
    let number = some.len();
    Some(match number {
        1 if first == 0 => format!("the first {what}"),
        1 if last + 1 == of => format!("the last {what}"),
        1 if first % 8 == 0 => format!("{what} {first}, a multiple of {}", 1 << first.trailing_zeros()),
        1 => format!("{what} {first}"),
        _ if together && first == 0 => format!("the first {number} {what}s"),
        _ if together && last + 1 == of => format!("the last {number} {what}s"),
        _ if together => format!("{what}s {first} to {last}"),
        _ => {
            let step = some.iter().fold(0, |step, at| gcd(step, at - first));
            let list: Vec<String> = some.iter().take(LISTED).map(usize::to_string).collect();
            let more = if number > LISTED { ", …" } else { "" };
            let list = format!("{what}s {}{more}", list.join(", "));
            let is_rule = step >= WIDE || step > 2 && number >= FEWEST_STEPS;
            match first % step.max(1) {
                0 if is_rule => format!("{list}: multiples of {step}"),
                rest if is_rule => format!("{list}: {rest} more than multiples of {step}"),
                _ if number <= LISTED => list,
                _ => return None,
            }
        }
    })
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use lab::{Element, OutputShape, Tolerance};
    use pretty_assertions::assert_eq;

    use super::*;

    /// What is told of these wrong pixels (x, y) of 40 × 100.
    fn told(is_wrong: impl Fn(usize, usize) -> bool) -> Option<String> {
        let expected = [0; 4000];
        let found: Vec<u8> = (0..4000).map(|at| u8::from(is_wrong(at % 40, at / 40))).collect();
        let shape = OutputShape { name: "out", element: Element::U8, row: 40, zeroed: false };
        let tolerance = Tolerance::Exact;
        places(&Output { shape: &shape, expected: &expected, found: &found, tolerance }, (40, 100))
    }

    #[test]
    fn wrong_pixels_that_follow_a_rule_are_told_by_it() {
        for (is_wrong, said) in [
            (
                (|_, y| y > 40 && y % 32 == 0) as fn(usize, usize) -> bool,
                "lie in rows 64, 96: multiples of 32",
            ),
            (|x, _| x % 8 == 7, "lie in columns 7, 15, 23, …: 7 more than multiples of 8"),
            (|x, _| x == 39, "lie in the last column"),
            (|_, y| y == 96, "lie in row 96, a multiple of 32"),
            (|x, y| x > 36 && y % 3 > 0, "lie in the last 3 columns"),
            (|_, y| y < 2, "lie in the first 2 rows"),
            (|x, y| y * 40 + x >= 3990, "are the last 10 of the image"),
            (|x, y| (x == 0 || y == 99) && x != y, "lie in the 2 outer rows and columns"),
        ] {
            assert_eq!(told(is_wrong), Some(format!("all wrong pixels {said}")));
        }
    }

    #[test]
    fn pixels_from_one_on_are_told() {
        let from = |is_wrong: fn(usize) -> bool| {
            let found: Vec<u8> = (0..4000).map(|at| u8::from(is_wrong(at))).collect();
            let shape = OutputShape { name: "out", element: Element::U8, row: 40, zeroed: false };
            let output =
                Output { shape: &shape, expected: &[0; 4000], found: &found, tolerance: Tolerance::Exact };
            from_on(&output, (40, 100))
        };
        let said = "all 1,024 pixels before x 24, y 25 are right, and from there on nearly all are wrong";
        assert_eq!(from(|at| at >= 1024 && at % 100 != 50).as_deref(), Some(said));
        assert_eq!(from(|at| at >= 1024 && at % 2 == 0), None);
        assert_eq!(from(|_| true), None);
    }

    #[test]
    fn nothing_is_told_of_pixels_anywhere() {
        assert_eq!(told(|x, y| (x * 7 + y * 13) % 11 == 0), None);
        assert_eq!(told(|_, _| true), None);
        assert_eq!(told(|_, _| false), None);
    }

    #[test]
    fn nothing_is_told_of_so_few_pixels_that_several_shapes_fit() {
        assert_eq!(told(|x, y| x == 32 && y == 17), None);
        assert_eq!(told(|x, y| x == 32 && y % 50 == 17), None);
        assert_eq!(told(|x, y| (20..23).contains(&x) && (5..7).contains(&y)), None);
        let block = told(|x, y| (32..38).contains(&x) && (8..16).contains(&y));
        assert_eq!(block.as_deref(), Some("all wrong pixels lie in columns 32 to 37, and in rows 8 to 15"));
    }
}
