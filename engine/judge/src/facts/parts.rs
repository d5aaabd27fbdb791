//! Counters that are wrong in a way that follows from how pixels are taken out of words: a pixel or a word of each group is left out, taken
//! twice, or taken at other bits. Each way is worked out for the picture, and told if it alone gives all counters.

use crate::build::code::{is_part, numbered_lines, places};
use crate::numbers::lines_in_words;
use crate::rounding::Output;

/// What to try if single pixels of each word are left out or taken twice.
pub const BYTES: &str = "a word has four pixels, at the bits 0, 8, 16 and 24: look at the line that takes them apart, and at the loop around it";
/// The same of the words of a vector.
pub const WORDS: &str =
    "a vector of four words has the parts `x`, `y`, `z` and `w`: take each of them once, and as it is";
/// What to try if a level loses some of its bits.
pub const MASK: &str = "a level has 8 bits, 0 to 255: look for a mask or a type that is too small on the way from the picture to the index of the counter";
/// What to try if pixels are taken at other bits.
pub const BITS: &str = "byte k of a word is `word >> (8 * k) & 255`: compare the shift and the mask in the line that takes pixels out of words";

/// Whether this hint says that pixels are lost.
pub fn is_hint(hint: &str) -> bool {
    [BYTES, WORDS, BITS, MASK].contains(&hint)
}

/// The only line of a text that takes bytes out of words, or those that take the words of a vector, as a fact. `hint` says which.
pub fn line(source: &str, hint: &str) -> Option<String> {
    if hint == WORDS {
        // `threadIdx.x` ends like a part of `x`.
        let parts = |line: &str, name: &str| {
            places(line, name).any(|at| {
                let part = line[at + name.len()..].strip_prefix('.');
                part.is_some_and(|part| NAMES.iter().any(|own| part.starts_with(own)))
            })
        };
        let vectors = numbered_lines(source).filter_map(|(_, line)| {
            let (_, rest) = line.split_once("uint4 ")?;
            Some(rest.split(|c: char| !is_part(c)).next().unwrap_or_default()).filter(|name| !name.is_empty())
        });
        let mut taken = vectors.filter_map(|name| {
            let lines =
                numbered_lines(source).filter(|(_, line)| parts(line, name)).map(|(number, _)| number);
            Some((name, lines_in_words(lines.collect())?))
        });
        let (Some((name, lines)), None) = (taken.next(), taken.next()) else { return None };
        let verb = if lines.starts_with("lines") { "take" } else { "takes" };
        return Some(format!("{lines} {verb} the words of `{name}`"));
    }
    let takes = |line: &str| line.contains(">>") && line.contains('&') && !line.contains(">>>");
    let mut found = numbered_lines(source).filter(|(_, line)| takes(line));
    let (Some((number, line)), None) = (found.next(), found.next()) else { return None };
    Some(format!("line {number} takes pixels out of words: `{}`", line.trim()))
}

const LEVELS: usize = 256;
/// Pixels of a word and of a vector.
const WORD: usize = 4;
const VECTOR: usize = 16;
/// Pixels from which on all counters fit a rule by more than chance.
const ENOUGH: usize = 64;
/// Parts of a vector.
const NAMES: [&str; 4] = ["x", "y", "z", "w"];

/// Masks that keep some bits of a level.
const MASKS: [u8; 8] = [127, 63, 31, 15, 254, 252, 248, 240];

type Counters = [i64; LEVELS];

/// What is counted of a word, by its number in its group and the pixels of the group.
type Taken<'a> = &'a dyn Fn(usize, &[u8]) -> Vec<u8>;

/// How the pixels of whole groups are counted, as a fact, and what to try.
type Way = (String, &'static str, Counters);

/// The only way in which counting the levels of this picture gives what was found.
pub fn told(gray: &[u8], output: &Output<'_>) -> Option<(String, &'static str)> {
    let element = output.shape.element;
    let is_counters = output.shape.row == 0 && output.found.len() == LEVELS * element.size();
    if !is_counters || gray.len() < ENOUGH || output.expected == output.found {
        return None;
    }
    let found: Vec<i64> =
        output.found.chunks_exact(element.size()).map(|bytes| element.value(bytes)).collect();
    let mut fits: Vec<(String, &'static str)> = [VECTOR, WORD]
        .into_iter()
        .flat_map(|group| ways(gray, group))
        .chain(MASKS.iter().map(|mask| masked(*mask, gray, &[])))
        .filter(|(.., counters)| counters[..] == found[..])
        .map(|(told, hint, _)| (told, hint))
        .collect();
    // Without a rest, words and vectors come to the same.
    fits.sort_unstable();
    fits.dedup();
    let [_] = fits.as_slice() else { return None };
    fits.pop()
}

/// All ways, for pixels that are taken in whole groups and, behind them, one by one.
fn ways(gray: &[u8], group: usize) -> Vec<Way> {
    let (whole, rest) = gray.split_at(gray.len() / group * group);
    // What is counted of each word, of which the number in its group is given.
    let count = |of: &dyn Fn(usize, &[u8]) -> Vec<u8>| {
        let mut counters = [0; LEVELS];
        let words =
            whole.chunks(group).flat_map(|vector| (0..group / WORD).flat_map(move |at| of(at, vector)));
        words.chain(rest.iter().copied()).for_each(|level| counters[usize::from(level)] += 1);
        counters
    };
    let own = |at: usize, vector: &[u8]| vector[WORD * at..WORD * (at + 1)].to_vec();
    let mut all: Vec<Way> = Vec::new();
    for byte in 0..WORD {
        let lost = |at: usize, vector: &[u8]| {
            let mut word = own(at, vector);
            word.remove(byte);
            word
        };
        let told = format!("of each four pixels, number {byte} is not counted (the first is number 0)");
        all.push((told, BYTES, count(&lost)));
        for other in (0..WORD).filter(|other| *other != byte) {
            let twice = |at: usize, vector: &[u8]| {
                let mut word = own(at, vector);
                word[byte] = word[other];
                word
            };
            let told = format!(
                "of each four pixels, number {byte} is not counted, and number {other} twice (the first is number 0)"
            );
            all.push((told, BYTES, count(&twice)));
        }
    }
    all.extend(MASKS.iter().map(|mask| masked(*mask, whole, rest)));
    for step in [1, 2, 4] {
        let shifted = |at: usize, vector: &[u8]| {
            let word = own(at, vector).iter().rev().fold(0_u32, |word, byte| word << 8 | u32::from(*byte));
            (0..WORD).map(|byte| (word >> (step * byte)) as u8).collect()
        };
        let told = format!(
            "the four pixels of each word are taken from the bits 0, {step}, {} and {} on, in place of 0, 8, 16 and 24",
            2 * step,
            3 * step
        );
        all.push((told, BITS, count(&shifted)));
    }
    if group == VECTOR {
        all.extend(of_vectors(&count));
    }
    all
}

/// Pixels that lose bits, and others that are counted as they are.
fn masked(mask: u8, pixels: &[u8], others: &[u8]) -> Way {
    let mut counters = [0; LEVELS];
    let levels = pixels.iter().map(|level| level & mask).chain(others.iter().copied());
    levels.for_each(|level| counters[usize::from(level)] += 1);
    let told = if mask == 127 {
        "levels from 128 on are counted 128 too low: one bit of their eight is lost".to_owned()
    } else {
        format!("levels are counted without some of their bits, as `level & {mask}`")
    };
    (told, MASK, counters)
}

/// Ways in which one word of each vector is not taken as it is.
fn of_vectors(count: &dyn Fn(Taken<'_>) -> Counters) -> Vec<Way> {
    let own = |at: usize, vector: &[u8]| vector[WORD * at..WORD * (at + 1)].to_vec();
    let numbers = |word: usize| format!("{} to {}", WORD * word, WORD * word + 3);
    let mut all: Vec<Way> = Vec::new();
    for (word, part) in NAMES.into_iter().enumerate() {
        let lost = |at: usize, vector: &[u8]| if at == word { Vec::new() } else { own(at, vector) };
        let told = format!(
            "of each 16 pixels, the numbers {}, word `{part}` of a vector, are not counted",
            numbers(word)
        );
        all.push((told, WORDS, count(&lost)));
        for other in (0..VECTOR / WORD).filter(|other| *other != word) {
            let twice = |at: usize, vector: &[u8]| own(if at == word { other } else { at }, vector);
            let told = format!(
                "of each 16 pixels, the numbers {}, word `{part}` of a vector, are not counted, and those of word `{}` twice",
                numbers(word),
                NAMES[other]
            );
            all.push((told, WORDS, count(&twice)));
        }
        for bytes in 1..WORD {
            let shifted = |at: usize, vector: &[u8]| {
                let mut word_of = own(at, vector);
                if at == word {
                    word_of.rotate_left(bytes);
                    word_of[WORD - bytes..].fill(0);
                }
                word_of
            };
            let told = format!(
                "of each 16 pixels, {bytes} of the numbers {} (word `{part}` of a vector) {} not counted, and level 0 is instead",
                numbers(word),
                if bytes == 1 { "is" } else { "are" }
            );
            all.push((told, WORDS, count(&shifted)));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use lab::{Element, OutputShape, Tolerance};

    use super::*;

    /// What is told where the pixels of each vector are counted as `of` has it.
    fn said(of: impl Fn(&[u8]) -> Vec<u8>) -> Option<String> {
        let gray: Vec<u8> = (0..97_usize).map(|at| (at * 37 + at * at * 11 + 5) as u8).collect();
        let counters = |levels: &mut dyn Iterator<Item = u8>| {
            let mut counters = [0_u32; LEVELS];
            levels.for_each(|level| counters[usize::from(level)] += 1);
            counters.iter().flat_map(|count| count.to_le_bytes()).collect::<Vec<u8>>()
        };
        let (whole, rest) = gray.split_at(96);
        let expected = counters(&mut gray.iter().copied());
        let found = counters(&mut whole.chunks(16).flat_map(of).chain(rest.iter().copied()));
        let shape = OutputShape { name: "bins", element: Element::U32, row: 0, zeroed: true };
        told(
            &gray,
            &Output { shape: &shape, expected: &expected, found: &found, tolerance: Tolerance::Exact },
        )
        .map(|(told, _)| told)
    }

    #[test]
    fn how_pixels_are_taken_out_of_words_is_told() {
        let starts = |told: Option<String>, with: &str| {
            assert!(told.as_ref().is_some_and(|told| told.starts_with(with)), "{told:?}: {with}");
        };
        starts(said(|vector| vector[..12].to_vec()), "of each 16 pixels, the numbers 12 to 15, word `w`");
        let twice = |vector: &[u8]| [&vector[..8], &vector[4..8], &vector[12..]].concat();
        starts(
            said(twice),
            "of each 16 pixels, the numbers 8 to 11, word `z` of a vector, are not counted, and those of word `y` twice",
        );
        let three = |vector: &[u8]| vector.chunks(4).flat_map(|word| word[..3].to_vec()).collect();
        starts(said(three), "of each four pixels, number 3 is not counted");
        starts(
            said(|vector| vector.iter().map(|level| level & 127).collect()),
            "levels from 128 on are counted 128 too low",
        );
        let shifted = |vector: &[u8]| [&vector[..12], &vector[13..], &[0]].concat();
        starts(said(shifted), "of each 16 pixels, 1 of the numbers 12 to 15");
        assert_eq!(said(<[u8]>::to_vec), None, "right");
        assert_eq!(
            said(|vector| vector.iter().map(|level| level.wrapping_mul(3)).collect()),
            None,
            "no rule"
        );
    }
}
