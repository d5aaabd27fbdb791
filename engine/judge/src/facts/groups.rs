//! Wrong pixels that keep a rule in each group of a few: they come in another order, or only some places of a group are right.

use lab::Element;

use crate::rounding::Output;

/// What to try if pixels come in another order.
pub const ORDER: &str = "the first pixel of a word lies in its lowest byte: pixel k of a group of four has the bits from `8 * k` on, where it is read and where it is \
                         stored";
/// What to try if whole words of four pixels stand at other places.
pub const WORDS: &str = "the four pixels of each word are in order, and whole words stand where others belong: compare, for each word of a group, which one is read \
                         and which one is stored (`.x`, `.y`, `.z`, `.w`, or the index)";
/// What to try if some places of each group are 0.
pub const ZERO: &str = "look at how the pixels of a group are put together: each has bits of its own, and `|=` adds them to those before, where `=` replaces \
                        all of them";

/// What to try if some places of each group are right, and the others wrong.
pub const PLACES: &str = "pixels at some places of a group are right: compare how they are taken out of words, computed and stored with how those at the other places \
                          are";

/// Pixels of a word.
const WORD: usize = 4;
/// Pixels of a group.
const SIZES: [usize; 4] = [4, 2, 8, 16];
/// Whole groups from which on a rule is none by chance.
const FEWEST: usize = 6;

/// The rule, as a fact, and what to try.
pub fn told(output: &Output<'_>) -> Option<(String, &'static str)> {
    if output.shape.element != Element::U8 || output.shape.row == 0 || output.expected == output.found {
        return None;
    }
    SIZES.into_iter().find_map(|size| {
        let expected: Vec<&[u8]> = output.expected.chunks_exact(size).collect();
        let found: Vec<&[u8]> = output.found.chunks_exact(size).collect();
        if expected.len() < FEWEST {
            return None;
        }
        let both = || expected.iter().zip(&found);
        // The place of the right picture whose values a place holds, if it is only one.
        let from = |place: usize| {
            let mut fits = (0..size).filter(|other| both().all(|(right, own)| own[place] == right[*other]));
            fits.next().filter(|_| fits.next().is_none())
        };
        let name = output.shape.name;
        let order: Option<Vec<usize>> = (0..size).map(from).collect();
        if let Some(order) = order.filter(|order| order.iter().enumerate().any(|(at, from)| at != *from)) {
            let reverse = order.iter().rev().copied().eq(0..size);
            let how = if reverse {
                "in the reverse order".to_owned()
            } else {
                format!("in the order {}, counted from 0", listed(&order))
            };
            let is_word = |word: &[usize]| word[0].is_multiple_of(WORD) && word.iter().enumerate().all(|(at, from)| *from == word[0] + at);
            let words = size > WORD && order.chunks(WORD).all(is_word);
            let hint = if words { WORDS } else { ORDER };
            return Some((format!("each {size} pixels of `{name}` come {how}: the right values, at other places"), hint));
        }
        let right: Vec<usize> = (0..size).filter(|at| both().all(|(right, own)| own[*at] == right[*at])).collect();
        let zero = |at: usize| both().all(|(_, own)| own[at] == 0);
        // Of a picture whose rows are whole groups, these may be its columns.
        let wrong = |at: usize| {
            let count = both().filter(|(right, own)| own[at] != right[at]).count();
            2 * count > expected.len() && !output.shape.row.is_multiple_of(size)
        };
        let others = || (0..size).filter(|at| !right.contains(at));
        let is_part = !right.is_empty() && right.len() < size;
        let black = others().all(zero);
        (is_part && (black || others().all(wrong))).then(|| {
            let which = if right.len() == 1 { format!("number {}", right[0]) } else { format!("the numbers {}", listed(&right)) };
            let is = if right.len() == 1 { "is" } else { "are" };
            let (what, hint) = if black { ("are 0", ZERO) } else { ("are wrong", PLACES) };
            (format!("of each {size} pixels of `{name}`, counted from 0, only {which} {is} right, and the others {what}"), hint)
        })
    })
}

/// `3, 2, 1 and 0`.
fn listed(numbers: &[usize]) -> String {
    let all: Vec<String> = numbers.iter().map(usize::to_string).collect();
    match all.as_slice() {
        [some @ .., last] if !some.is_empty() => format!("{} and {last}", some.join(", ")),
        _ => all.concat(),
    }
}

#[cfg(test)]
mod tests {
    use lab::{OutputShape, Tolerance};

    use super::*;

    #[test]
    fn a_rule_of_each_group_is_told() {
        let expected: Vec<u8> = (0..33_u8).map(|at| at.wrapping_mul(37) | 1).collect();
        let shape = OutputShape { name: "gray", element: Element::U8, row: 33, zeroed: false };
        let said = |change: &dyn Fn(&mut [u8])| {
            let mut found = expected.clone();
            found.chunks_exact_mut(4).for_each(change);
            let output =
                Output { shape: &shape, expected: &expected, found: &found, tolerance: Tolerance::Exact };
            told(&output).map(|(said, _)| said)
        };
        let reverse = "each 4 pixels of `gray` come in the reverse order: the right values, at other places";
        assert_eq!(said(&|four| four.reverse()).as_deref(), Some(reverse));
        assert!(
            said(&|four| four.swap(0, 1)).is_some_and(|said| said.contains("in the order 1, 0, 2 and 3"))
        );
        let last = "of each 4 pixels of `gray`, counted from 0, only number 3 is right, and the others are 0";
        assert_eq!(said(&|four| four[..3].fill(0)).as_deref(), Some(last));
        let three = "of each 4 pixels of `gray`, counted from 0, only the numbers 1, 2 and 3 are right, and the others are wrong";
        assert_eq!(said(&|four| four[0] ^= 8).as_deref(), Some(three));
        assert_eq!(said(&|four| four.iter_mut().for_each(|pixel| *pixel ^= 8)), None);
        assert_eq!(said(&|_| ()), None);
        let expected: Vec<u8> = (0..66_u8).map(|at| at.wrapping_mul(37) | 1).collect();
        let mut found = expected.clone();
        found.chunks_exact_mut(8).for_each(|eight| eight.copy_within(0..4, 4));
        let output =
            Output { shape: &shape, expected: &expected, found: &found, tolerance: Tolerance::Exact };
        assert_eq!(told(&output).map(|(_, hint)| hint), Some(WORDS), "words");
    }
}
