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
    Some((format!("{sum}; {}, {}", side(&less, "small"), side(&many, "large")), hint))
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
    }
}
