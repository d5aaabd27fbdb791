//! Wrong values that are hardly wrong: the arithmetic is right but for its rounding.

use lab::{Element, OutputShape, Tolerance};

use crate::numbers::grouped;

/// One output of the wrong call.
pub struct Output<'a> {
    /// Its facts.
    pub shape: &'a OutputShape,
    /// The reference's bytes.
    pub expected: &'a [u8],
    /// The student's.
    pub found: &'a [u8],
    /// How close they must come.
    pub tolerance: Tolerance,
}

impl Output<'_> {
    /// By how much each element is off.
    pub fn off(&self) -> impl Iterator<Item = i64> + '_ {
        let size = self.shape.element.size();
        let value = move |bytes: &[u8]| self.shape.element.value(bytes);
        let both = self.expected.chunks_exact(size).zip(self.found.chunks_exact(size));
        both.map(move |(right, own)| value(own) - value(right))
    }

    /// Whether an element that is off by so much is wrong.
    pub fn is_wrong(&self, off: i64) -> bool {
        !self.tolerance.allows(off.unsigned_abs())
    }
}

/// Levels by which values may be off.
const HARDLY: i64 = 2;

/// What to try.
const ROUNDED: &str = "the right elements are used: look at how the result is rounded. A conversion to an integer and `/` of integers \
                       cut off; `float` has 24 bits, so a sum or a reciprocal in `float` can fall to the other side of a half; a \
                       division replaced by a multiplication or a shift has to be right for every sum";
/// The same for values that no single rounding explains.
const SHARED: &str = "rounding the result once moves it by at most 1, and here more is missing: a number that many elements share (a \
                      threshold, a limit of a range, a weight, a divisor) is likely to be slightly off. Work these numbers out by \
                      hand for this image, and print yours";

/// The same if no value is right.
const CONSTANT: &str = "all values are off, by the same: look first for a number that is added once too often or is missing (a half, a 1), then at how the \
                        result is rounded: a conversion to an integer and `/` of integers cut off";

/// Whether this is what to try about values that are hardly wrong.
pub fn is_hint(hint: &str) -> bool {
    [ROUNDED, SHARED, CONSTANT].contains(&hint)
}

/// Whether this is what to try where rounding alone is at fault.
pub fn is_rounding(hint: &str) -> bool {
    hint == ROUNDED
}

/// What to say if all wrong levels of a picture are off by one or two, and what to try.
pub fn nearly_right(output: &Output<'_>) -> Option<(String, &'static str)> {
    if output.shape.element != Element::U8 || output.shape.row == 0 {
        return None;
    }
    let off: Vec<i64> = output.off().filter(|off| *off != 0).collect();
    let (wrong, allowed): (Vec<i64>, Vec<i64>) = off.into_iter().partition(|off| output.is_wrong(*off));
    let most = wrong.iter().map(|off| off.abs()).max().filter(|most| *most <= HARDLY)?;
    let same = wrong.len() == output.expected.len() && wrong.iter().all(|off| *off == wrong[0]);
    let hint = if same {
        CONSTANT
    } else if most > 1 {
        SHARED
    } else {
        ROUNDED
    };
    let [count, more, all] =
        [wrong.len(), allowed.len(), output.expected.len()].map(|count| grouped(count as u64));
    let (name, how) = (output.shape.name, direction(&wrong)?);
    let said = match direction(&allowed) {
        None if count == all => format!("each value of `{name}` is {how}"),
        None => format!("{count} of the {all} values of `{name}` are {how}, the others are right"),
        Some(within) => {
            format!(
                "{count} of the {all} values of `{name}` are {how}; {more} more are {within}, which the tolerance allows"
            )
        }
    };
    Some((said, hint))
}

/// `1 or 2 too large`; `None` without values.
fn direction(off: &[i64]) -> Option<String> {
    let (least, most) = (*off.iter().min()?, *off.iter().max()?);
    let by =
        |least: i64, most: i64| if least == most { least.to_string() } else { format!("{least} or {most}") };
    Some(match (least, most) {
        (1.., _) => format!("{} too large", by(least, most)),
        (_, ..=-1) => format!("{} too small", by(-most, -least)),
        _ => format!("off by at most {}", most.max(-least)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(expected: &[u8], found: &[u8], tolerance: Tolerance) -> Option<(String, &'static str)> {
        let shape = OutputShape { name: "out", element: Element::U8, row: expected.len(), zeroed: false };
        nearly_right(&Output { shape: &shape, expected, found, tolerance })
    }

    #[test]
    fn values_that_are_hardly_off_are_told_with_their_direction() {
        let said = |found: &[u8]| told(&[10, 20, 30], found, Tolerance::Exact).map(|(said, _)| said);
        assert_eq!(
            said(&[9, 20, 30]).as_deref(),
            Some("1 of the 3 values of `out` are 1 too small, the others are right")
        );
        assert_eq!(said(&[11, 22, 31]).as_deref(), Some("each value of `out` is 1 or 2 too large"));
        assert_eq!(
            said(&[9, 21, 30]).as_deref(),
            Some("2 of the 3 values of `out` are off by at most 1, the others are right")
        );
        assert_eq!(said(&[9, 20, 33]), None);
        assert_eq!(said(&[10, 20, 30]), None);
    }

    #[test]
    fn values_within_the_tolerance_are_told_apart_and_a_rounding_is_not_blamed_for_more_than_one_level() {
        let (said, hint) = told(&[10, 20, 30, 40], &[12, 21, 31, 40], Tolerance::Levels(1)).expect("a fact");
        assert_eq!(
            said,
            "1 of the 4 values of `out` are 2 too large; 2 more are 1 too large, which the tolerance allows"
        );
        assert_eq!(hint, SHARED);
        assert_eq!(told(&[10, 20], &[9, 20], Tolerance::Exact).map(|(_, hint)| hint), Some(ROUNDED));
        assert_eq!(told(&[10, 20], &[9, 20], Tolerance::Levels(1)), None);
    }
}
