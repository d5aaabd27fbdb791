//! Wrong values that are hardly wrong: the arithmetic is right but for its rounding.

use lab::{Element, OutputShape};

use crate::numbers::grouped;

/// One output of the wrong call.
pub struct Output<'a> {
    /// Its facts.
    pub shape: &'a OutputShape,
    /// The reference's bytes.
    pub expected: &'a [u8],
    /// The student's.
    pub found: &'a [u8],
}

/// Levels by which values may be off.
const HARDLY: i16 = 2;

/// What to try.
pub const HINT: &str = "the right elements are used: look at how the result is rounded. A conversion to an integer and `/` of integers \
                        cut off; `float` has 24 bits, so a sum or a reciprocal in `float` can fall to the other side of a half; a \
                        division replaced by a multiplication or a shift has to be right for every sum";

/// What to say if all wrong levels of a picture are off by one or two.
pub fn nearly_right(output: &Output<'_>) -> Option<String> {
    if output.shape.element != Element::U8 || output.shape.row == 0 {
        return None;
    }
    let both = output.expected.iter().zip(output.found);
    let off: Vec<i16> =
        both.map(|(right, own)| i16::from(*own) - i16::from(*right)).filter(|off| *off != 0).collect();
    let (least, most) = (*off.iter().min()?, *off.iter().max()?);
    if least < -HARDLY || most > HARDLY {
        return None;
    }
    let by =
        |least: i16, most: i16| if least == most { least.to_string() } else { format!("{least} or {most}") };
    let how = match (least, most) {
        (1.., _) => format!("{} too large", by(least, most)),
        (_, ..=-1) => format!("{} too small", by(-most, -least)),
        _ => format!("off by at most {}", most.max(-least)),
    };
    let [count, all] = [off.len(), output.expected.len()].map(|count| grouped(count as u64));
    let name = output.shape.name;
    Some(if count == all {
        format!("each value of `{name}` is {how}")
    } else {
        format!("{count} of the {all} values of `{name}` are {how}, the others are right")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(expected: &[u8], found: &[u8]) -> Option<String> {
        let shape = OutputShape { name: "out", element: Element::U8, row: expected.len(), zeroed: false };
        nearly_right(&Output { shape: &shape, expected, found })
    }

    #[test]
    fn values_that_are_hardly_off_are_told_with_their_direction() {
        let said = |found: &[u8]| said(&[10, 20, 30], found);
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
}
