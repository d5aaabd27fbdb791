//! What was seen of wrong counters: too many, too few, or both.

use lab::{Element, OutputShape};

use crate::numbers::{few, grouped};
use crate::rounding::Output;

/// What to try if only some counters are wrong, and all of them too small or too large.
pub const LOST: &str = "pixels are counted and lost, or never counted: follow one from where it is read to where it is added to the output. \
                    Which thread leaves the kernel or a loop before, which pixels at the end have no thread, and does every thread that \
                    must add a counter of the block do so?";
/// The same if all are too large.
pub const TWICE: &str = "some pixels are counted more than once, or a counter does not begin with 0: which two threads or blocks read the \
                     same pixel, or add the same counter?";

/// The same where each pixel is read once.
pub const ADDED_TWICE: &str = "each pixel is read once, by one thread: look at what comes behind that. Does each counter begin with 0, and do the lines that add up counters \
                           take each of them once?";

/// What is said of counters that are too small as those of a small type are.
pub const IN_A_SMALL_TYPE: &str = "every wrong counter is too small by a multiple of";

/// The same of wrong counters, as a fact, if it holds of all of them: the rest of 8 or 16 bits.
fn cut(expected: &[i64], found: &[i64]) -> Option<String> {
    let wrong = || expected.iter().zip(found).filter(|(expected, found)| expected != found);
    let (turn, bits, name) = [(65_536, 16, "65,536"), (256, 8, "256")].into_iter().find(|(turn, ..)| {
        wrong().count() > 0 && wrong().all(|(expected, found)| expected % turn == *found && expected >= turn)
    })?;
    let most = grouped(turn.unsigned_abs() - 1);
    Some(format!(
        "{IN_A_SMALL_TYPE} {name}, and below {name}, as in a type of {bits} bits, which holds no more than {most}"
    ))
}

/// Counters with too many and too few, and what to try.
pub fn counted(output: &Output<'_>) -> Option<(String, &'static str)> {
    let OutputShape { name, element, .. } = *output.shape;
    if element == Element::U8 {
        return None;
    }
    let values = |bytes: &[u8]| -> Vec<i64> {
        bytes.chunks_exact(element.size()).map(|bytes| element.value(bytes)).collect()
    };
    let (expected, found) = (values(output.expected), values(output.found));
    let differing = |sign: i64| -> Vec<usize> {
        let both = expected.iter().zip(&found).enumerate();
        both.filter(|(_, (expected, found))| (*found - *expected).signum() == sign)
            .map(|(at, _)| at)
            .collect()
    };
    let side = |at: &[usize], what: &str| match at {
        [] => format!("no counter is too {what}"),
        [_] => format!("1 counter is too {what} ({})", few(name, at)),
        _ => format!("{} counters are too {what} ({})", grouped(at.len() as u64), few(name, at)),
    };
    let (many, less) = (differing(1), differing(-1));
    let [should, is] = [&expected, &found].map(|values| values.iter().sum::<i64>());
    let sum = if should == is {
        format!("`{name}` counts {} in all, as it should", grouped(u64::try_from(is).unwrap_or(0)))
    } else {
        let [is, should] = [is, should].map(|sum| grouped(u64::try_from(sum).unwrap_or(0)));
        format!("`{name}` counts {is} in all and should count {should}")
    };
    let hint = match (less.is_empty(), many.is_empty()) {
        (false, true) => LOST,
        (true, false) => TWICE,
        _ => "",
    };
    let cut = cut(&expected, &found).map_or_else(String::new, |told| format!("; {told}"));
    Some((format!("{sum}; {}, {}{cut}", side(&less, "small"), side(&many, "large")), hint))
}

#[cfg(test)]
mod tests {
    use lab::Tolerance;
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn counters_tell_too_many_and_too_few() {
        let bytes =
            |counts: [u32; 3]| -> Vec<u8> { counts.iter().flat_map(|count| count.to_le_bytes()).collect() };
        let shape = OutputShape { name: "bins", element: Element::U32, row: 0, zeroed: true };
        let (expected, found) = (bytes([5, 1, 2]), bytes([4, 1, 0]));
        let output =
            Output { shape: &shape, expected: &expected, found: &found, tolerance: Tolerance::Exact };
        let said = "`bins` counts 5 in all and should count 8; 2 counters are too small (`bins[0]`, `bins[2]`), no counter is too large";
        assert_eq!(counted(&output), Some((said.to_owned(), LOST)));
        let values = |found: i64, more: i64| cut(&[5, 2747, 70_000], &[5, found, more]);
        assert!(values(187, 70_000 % 256).is_some_and(|told| told.ends_with("no more than 255")));
        assert!(values(2747, 4464).is_some_and(|told| told.ends_with("no more than 65,535")));
        assert_eq!([values(2747, 70_000), values(187, 0), values(2491, 70_000)], [None, None, None]);
    }
}
