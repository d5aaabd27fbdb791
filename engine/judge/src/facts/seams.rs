//! Rows or columns that are wrong, or right, at equal distances: the borders of strips that threads, warps or blocks go down or along.

use crate::rounding::Output;

/// Least distance that is told: words and pixels have the smaller ones.
const NEAREST: usize = 6;
/// Least number of rows or columns that are told: two always have a distance.
const FEWEST: usize = 3;
/// Right rows or columns between wrong ones that may be right by chance.
const CHANCE: usize = 3;
/// Wrong values of a row or column, on average, beside which a right one is none by chance.
const DENSE: usize = 4;
/// Rows or columns that are listed.
const LISTED: usize = 3;

/// The distance of the wrong, or of the right, rows or columns of an output of `width` columns, as a sentence.
pub fn told(output: &Output<'_>, width: usize) -> Option<String> {
    let row = output.shape.row;
    let all = output.expected.len() / output.shape.element.size();
    let channels = row / width.max(1);
    if channels == 0 || row != channels * width || !all.is_multiple_of(row) {
        return None;
    }
    let (mut rows, mut columns) = (vec![0; all / row], vec![0; row]);
    for (at, _) in output.off().enumerate().filter(|(_, off)| output.is_wrong(*off)) {
        rows[at / row] += 1;
        columns[at % row] += 1;
    }
    let size = output.shape.element.size();
    let pixels: Vec<&[u8]> = output.expected.chunks_exact(channels * size).collect();
    let in_rows = is_told_by_colour(&pixels, |at| at / width * width);
    let in_columns = is_told_by_colour(&pixels, |at| at % width);
    let rows = pattern(&rows).filter(|_| !in_rows).map(|found| found.told("row", ""));
    let columns = pattern(&columns).filter(|_| !in_columns).map(|found| {
        if channels == 1 {
            return found.told("column", "");
        }
        let bytes = output.shape.element.size() == 1;
        let words = bytes && found.step.is_multiple_of(4);
        let words = if words { format!(" ({} words of 4 bytes)", found.step / 4) } else { String::new() };
        let what = if bytes { "byte" } else { "value" };
        let at: Vec<String> =
            found.runs.iter().take(LISTED).map(|(first, _)| (first / channels).to_string()).collect();
        let more = if found.runs.len() > LISTED { ", …" } else { "" };
        format!("{}{words}. They begin at x {}{more}", found.told(what, " of a row"), at.join(", "))
    });
    let found: Vec<String> = rows.into_iter().chain(columns).collect();
    (!found.is_empty()).then(|| found.join("; "))
}

/// Whether each row, or each column, has one colour of its own, so that it may be right or wrong by its colour: `first` is the first pixel
/// of the row or column of a pixel.
fn is_told_by_colour(pixels: &[&[u8]], first: impl Fn(usize) -> usize) -> bool {
    let plain = pixels.iter().enumerate().all(|(at, pixel)| *pixel == pixels[first(at)]);
    plain && pixels.iter().any(|pixel| *pixel != pixels[0])
}

/// Runs at equal distances, from their first to their last.
struct Found {
    step: usize,
    runs: Vec<(usize, usize)>,
    /// Where they are what is right, the first and the last wrong one.
    right_in: Option<(usize, usize)>,
}

impl Found {
    fn told(&self, what: &str, of: &str) -> String {
        let list: Vec<String> = self
            .runs
            .iter()
            .take(LISTED)
            .map(|(first, last)| if first == last { first.to_string() } else { format!("{first} to {last}") })
            .collect();
        let more = if self.runs.len() > LISTED { ", …" } else { "" };
        let (list, step) = (list.join(", "), self.step);
        match self.right_in {
            None => format!("all wrong values lie in {what}s {list}{more}{of}, {step} {what}s apart"),
            Some((first, last)) => format!(
                "of {what}s {first} to {last}{of}, only {list}{more} have no wrong value: they are {step} {what}s apart"
            ),
        }
    }
}

/// What of these numbers of wrong values, by row or by column, is at equal distances.
fn pattern(wrong: &[usize]) -> Option<Found> {
    let first = wrong.iter().position(|count| *count > 0)?;
    let last = wrong.iter().rposition(|count| *count > 0)?;
    let some = (first..=last).filter(|at| wrong[*at] > 0);
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in some.clone() {
        match runs.last_mut() {
            Some((_, end)) if at - *end <= CHANCE + 1 => *end = at,
            _ => runs.push((at, at)),
        }
    }
    let starts = |runs: &[(usize, usize)]| step(runs.iter().map(|run| run.0));
    let ends = |runs: &[(usize, usize)]| step(runs.iter().map(|run| run.1));
    if let Some(step) = starts(&runs).or_else(|| ends(&runs)) {
        let short = runs.iter().all(|(first, last)| 4 * (last + 1 - first) <= step);
        return short.then_some(Found { step, runs, right_in: None });
    }
    let mut right: Vec<(usize, usize)> = Vec::new();
    for at in (first..=last).filter(|at| wrong[*at] == 0) {
        match right.last_mut() {
            Some((_, end)) if at == *end + 1 => *end = at,
            _ => right.push((at, at)),
        }
    }
    let step = starts(&right).filter(|step| ends(&right) == Some(*step))?;
    let (begin, end) = (right.first()?.0, right.last()?.0);
    let sum: usize = wrong.iter().sum();
    let whole = begin < first + step && last < end + step;
    let few = right.iter().all(|(first, last)| 2 * (last + 1 - first) <= step);
    (whole && few && sum >= DENSE * some.count()).then_some(Found {
        step,
        runs: right,
        right_in: Some((first, last)),
    })
}

/// The distance of numbers that are equally far apart.
fn step(numbers: impl Iterator<Item = usize>) -> Option<usize> {
    let numbers: Vec<usize> = numbers.collect();
    let step = numbers.get(1)? - numbers[0];
    (numbers.len() >= FEWEST && step >= NEAREST && numbers.windows(2).all(|pair| pair[1] - pair[0] == step))
        .then_some(step)
}

#[cfg(test)]
mod tests {
    use lab::{Element, OutputShape, Tolerance};
    use pretty_assertions::assert_eq;

    use super::told;

    /// What is told of these wrong values (column, row) of 80 pixels × 100 rows with this many channels.
    fn of(channels: usize, is_wrong: impl Fn(usize, usize) -> bool) -> Option<String> {
        in_colours(channels, is_wrong, |_, _| 0)
    }

    /// The same with these right values.
    fn in_colours(
        channels: usize,
        is_wrong: impl Fn(usize, usize) -> bool,
        right: impl Fn(usize, usize) -> u8,
    ) -> Option<String> {
        let row = 80 * channels;
        let expected: Vec<u8> = (0..100 * row).map(|at| right(at % row, at / row)).collect();
        let wrong = |at: usize| u8::from(is_wrong(at % row, at / row));
        let found: Vec<u8> = expected.iter().enumerate().map(|(at, right)| right ^ wrong(at)).collect();
        let shape = OutputShape { name: "out", element: Element::U8, row, zeroed: false };
        let output =
            super::Output { shape: &shape, expected: &expected, found: &found, tolerance: Tolerance::Exact };
        told(&output, 80)
    }

    #[test]
    fn borders_of_strips_are_told() {
        for (is_wrong, said) in [
            (
                (|_, y| (3..97).contains(&y) && y % 16 != 2) as fn(usize, usize) -> bool,
                "of rows 3 to 96, only 18, 34, 50, … have no wrong value: they are 16 rows apart",
            ),
            (|_, y| y % 32 == 3, "all wrong values lie in rows 3, 35, 67, …, 32 rows apart"),
            (
                |x, y| x % 24 > 19 && y > 4,
                "all wrong values lie in columns 20 to 23, 44 to 47, 68 to 71, 24 columns apart",
            ),
        ] {
            assert_eq!(of(1, is_wrong).as_deref(), Some(said));
        }
        assert_eq!(
            of(3, |x, y| x % 56 == 10 + y % 2 && y > 5).as_deref(),
            Some(
                "all wrong values lie in bytes 10 to 11, 66 to 67, 122 to 123, … of a row, 56 bytes apart (14 words of 4 bytes). They begin at x 3, 22, 40, …"
            )
        );
    }

    #[test]
    fn nothing_is_told_of_rows_that_may_be_right_by_their_colour() {
        let rows = |_, y| (3..97).contains(&y) && y % 16 != 2;
        assert_eq!(in_colours(1, rows, |_, y| y as u8), None);
        assert_eq!(in_colours(3, rows, |x, y| (x % 3 + y) as u8), None);
        assert_eq!(in_colours(1, |x, y| x % 24 > 19 && y > 4, |x, _| x as u8), None);
        // Where all have one colour, or each has several, something else is at fault.
        assert!(
            in_colours(1, rows, |_, _| 7).is_some() && in_colours(1, rows, |x, y| (x ^ y) as u8).is_some()
        );
        assert!(in_colours(1, rows, |x, _| x as u8).is_some());
    }

    #[test]
    fn nothing_is_told_without_a_common_distance() {
        for is_wrong in [
            (|_, y| [3, 35, 68].contains(&y)) as fn(usize, usize) -> bool,
            (|_, y| y == 3 || y == 35),
            (|x, y| (x * 7 + y * 13) % 11 == 0),
            (|_, _| true),
            (|_, _| false),
            (|x, y| x == 5 && y % 16 != 2),
        ] {
            assert_eq!(of(1, is_wrong), None);
        }
    }
}
