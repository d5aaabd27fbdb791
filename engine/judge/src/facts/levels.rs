//! What all wrong levels of a picture have in common: the same level is expected, or they lack the same number.

use lab::Element;

use crate::numbers::grouped;
use crate::rounding::Output;

/// What to try if only levels are wrong that should be 0.
const BELOW: &str = "a level is 0 where the result is 0 or less: keep it in a signed `int` from the first product on, and let `max(…, 0)` take it before it \
                     becomes a byte; an unsigned number is never less than 0";
/// What to try if only levels are wrong that should be 255.
const ABOVE: &str = "a level is 255 where the result is 255 or more: keep it in an `int`, and let `min(…, 255)` take it before it becomes a byte";
/// What to try if 128 is missing.
const SIGNED: &str = "128 is what a byte loses or gains when it is made signed for `__dp4a`, `pixel ^ 128`: the sum lacks 128 times the sum of the weights, or has it \
                      twice";
/// What to try if another number is missing.
const MISSING: &str =
    "find the number that is added once too often or is missing: a first value of the sum, a half, a base";

/// Elements, wrong or right, from which on they have something in common by more than chance.
const ENOUGH: usize = 16;
/// Different levels from which on a picture is no mask of black and white.
const LEVELS: usize = 16;
/// The least number that is missing; what is less is a matter of rounding.
const LEAST: i64 = 3;

/// What all wrong levels of an output have in common, and what to try.
pub fn told(output: &Output<'_>) -> Option<(String, &'static str)> {
    let shape = output.shape;
    if shape.element != Element::U8 || shape.row == 0 || shape.zeroed {
        return None;
    }
    let wrong: Vec<(u8, u8)> = output
        .off()
        .zip(output.expected.iter().zip(output.found))
        .filter(|(off, _)| output.is_wrong(*off))
        .map(|(_, (expected, found))| (*expected, *found))
        .collect();
    (wrong.len() >= ENOUGH).then(|| clamped(output, &wrong).or_else(|| less_or_more(&wrong)))?
}

/// Only levels at an end of the range are wrong.
fn clamped(output: &Output<'_>, wrong: &[(u8, u8)]) -> Option<(String, &'static str)> {
    let (end, hint) = [(0, BELOW), (255, ABOVE)]
        .into_iter()
        .find(|(end, _)| wrong.iter().all(|(expected, _)| expected == end))?;
    let mut others: Vec<u8> = output.expected.iter().copied().filter(|level| *level != end).collect();
    let count = others.len();
    others.sort_unstable();
    others.dedup();
    // Levels at this end must be few enough that chance does not pick only them.
    let rare = 4 * count >= output.expected.len();
    (rare && others.len() >= LEVELS).then(|| {
        let [wrong, right] = [wrong.len(), count].map(|number| grouped(number as u64));
        (format!("all {wrong} wrong values should be {end}; all {right} that should be something else are right"), hint)
    })
}

/// All wrong levels lack the same number, but for those that an end of the range has cut.
fn less_or_more(wrong: &[(u8, u8)]) -> Option<(String, &'static str)> {
    let inside = |level: u8| level > 0 && level < 255;
    let whole: Vec<i64> = wrong
        .iter()
        .filter(|(expected, found)| inside(*expected) && inside(*found))
        .map(|(expected, found)| i64::from(*expected) - i64::from(*found))
        .collect();
    let by = *whole.first()?;
    let fits = |(expected, found): &(u8, u8)| {
        let (expected, found) = (i64::from(*expected), i64::from(*found));
        let cut = (expected - by).clamp(0, 255);
        found == cut || expected == 255 && found > cut || expected == 0 && found < cut
    };
    let same = whole.iter().all(|off| *off == by) && wrong.iter().all(fits);
    (whole.len() >= ENOUGH && by.abs() >= LEAST && same).then(|| {
        let how = if by > 0 { "small" } else { "large" };
        let hint = if by.abs() == 128 { SIGNED } else { MISSING };
        let number = grouped(wrong.len() as u64);
        (
            format!(
                "all {number} wrong values are {} too {how}, as far as 0 and 255 do not cut them",
                by.abs()
            ),
            hint,
        )
    })
}

#[cfg(test)]
mod tests {
    use lab::{OutputShape, Tolerance};
    use pretty_assertions::assert_eq;

    use super::*;

    /// What is told where results of -100 to 399 become levels by `own`.
    fn of(own: impl Fn(i64) -> u8) -> Option<(String, &'static str)> {
        let results = || (0..1000).map(|at| at * 7 % 500 - 100);
        let expected: Vec<u8> = results().map(|result| result.clamp(0, 255) as u8).collect();
        let found: Vec<u8> = results().map(own).collect();
        let shape = OutputShape { name: "out", element: Element::U8, row: 100, zeroed: false };
        told(&Output { shape: &shape, expected: &expected, found: &found, tolerance: Tolerance::Exact })
    }

    #[test]
    fn a_clamp_that_is_missing_at_one_end_is_told() {
        let below = "all 200 wrong values should be 0; all 798 that should be something else are right";
        assert_eq!(of(|result| result.min(255) as u8), Some((below.to_owned(), BELOW)));
        assert_eq!(
            of(|result| if result < 0 { 255 } else { result.min(255) as u8 }).map(|told| told.1),
            Some(BELOW)
        );
        assert_eq!(of(|result| result.max(0) as u8).map(|told| told.1), Some(ABOVE));
        assert_eq!(of(|result| result as u8), None);
    }

    #[test]
    fn a_number_that_all_lack_is_told() {
        let off = |by: i64| move |result: i64| (result + by).clamp(0, 255) as u8;
        let said = "all 798 wrong values are 128 too small, as far as 0 and 255 do not cut them";
        let told = of(off(-128))
            .map(|(seen, hint)| (seen.split_once("wrong").map(|(_, rest)| rest.to_owned()), hint));
        assert_eq!(told, Some((said.split_once("wrong").map(|(_, rest)| rest.to_owned()), SIGNED)));
        assert_eq!(of(off(20)).map(|told| told.1), Some(MISSING));
        assert_eq!(of(|result| (result / 2).clamp(0, 255) as u8), None);
    }
}
