//! Counters of few bits that overflow, seen from what the wrong ones lack or have too many: multiples of 256 or 65,536, each of which may have
//! gone to the next counter of the word.

use crate::numbers::grouped;
use crate::rounding::Output;

/// What to try if a counter overflows.
pub const OVERFLOW: &str = "a counter of 8 bits holds at most 255, one of 16 bits 65,535: add it to a counter of 32 bits, and set it to 0, before it can have \
                            counted more pixels than that, even if all have one level";
/// What to try if another counter of the word is added as well.
pub const UPPER: &str = "where several counters share a word, take the bits of one alone before it is added: shift it down, then mask it, `word >> 16 & 0xffff`";

/// Bits of a counter.
const BITS: [u32; 2] = [16, 8];
const WORD: u32 = 32;
/// Wrong counters from which on multiples are none by chance.
const FEWEST: usize = 3;

/// What the wrong counters have in common, and what to try.
pub fn told(output: &Output<'_>) -> Option<(String, &'static str)> {
    let element = output.shape.element;
    let [found, right] = [output.found, output.expected].map(|bytes| -> Vec<i64> {
        bytes.chunks_exact(element.size()).map(|bytes| element.value(bytes)).collect()
    });
    let more: Vec<i64> = found.iter().zip(&right).map(|(found, right)| found - right).collect();
    let name = output.shape.name;
    BITS.into_iter().find_map(|bits| {
        let carried = carried(name, bits, &more).or_else(|| lacking(name, bits, &more, &right));
        carried.map(|told| (told, OVERFLOW)).or_else(|| Some((unmasked(name, bits, &more, &right)?, UPPER)))
    })
}

/// A number of times that a counter of some bits turns: `2,560 (10 × 256)`.
fn turns(number: i64, bits: u32) -> String {
    let [all, times, unit] = [number, number >> bits, 1 << bits].map(|number| grouped(number.unsigned_abs()));
    format!("{all} ({times} × {unit})")
}

/// The first counter that overflows into the next one.
fn carried(name: &str, bits: u32, more: &[i64]) -> Option<String> {
    let carried = carries(bits, more)?;
    let (from, times) = carried.iter().enumerate().find(|(_, times)| **times > 0)?;
    Some(format!(
        "`{name}[{from}]` lacks {}, and its overflow, {}, went to `{name}[{}]`, as where counters of {bits} bits share a word: this explains all \
         wrong counters",
        turns(times << bits, bits),
        grouped(times.unsigned_abs()),
        from + 1
    ))
}

/// Counters that lack multiples, unless the counts are multiples themselves, so that whole rows may be left out.
fn lacking(name: &str, bits: u32, more: &[i64], right: &[i64]) -> Option<String> {
    let turn = 1 << bits;
    let wrong: Vec<usize> = (0..more.len()).filter(|at| more[*at] != 0).collect();
    let lacks = |at: &usize| more[*at] < 0 && more[*at] % turn == 0 && right[*at] % turn != 0;
    (wrong.len() >= FEWEST && wrong.iter().all(lacks)).then(|| {
        format!(
            "each of the {} wrong counters lacks a multiple of {}: `{name}[{}]` {}",
            wrong.len(),
            grouped(turn.unsigned_abs()),
            wrong[0],
            turns(-more[wrong[0]], bits)
        )
    })
}

/// Counters to which those above them in the word are added, too.
fn unmasked(name: &str, bits: u32, more: &[i64], right: &[i64]) -> Option<String> {
    let of_word = (WORD / bits) as usize;
    let above = |at: usize| -> i64 {
        let behind = 1..of_word - at % of_word;
        behind.filter_map(|step| Some(right.get(at + step)? << (bits as usize * step))).sum()
    };
    let wrong: Vec<usize> = (0..more.len()).filter(|at| more[*at] != 0).collect();
    let has_all = |at: &usize| more[*at] == above(*at);
    let [first, _, ..] = wrong.as_slice() else { return None };
    wrong.iter().all(has_all).then(|| {
        format!(
            "`{name}[{first}]` has {} too many: the bits above its own {bits} are those of the next counters of its word, and so with each wrong counter",
            grouped(more[*first].unsigned_abs())
        )
    })
}

/// How often each counter has overflowed into the next one of its word, if that gives all differences, and not only by what the last counter
/// of a word loses.
fn carries(bits: u32, more: &[i64]) -> Option<Vec<i64>> {
    let (of_word, mut before) = ((WORD / bits) as usize, 0);
    let mut carried = Vec::with_capacity(more.len());
    for (at, more) in more.iter().enumerate() {
        let into = if at % of_word == 0 { 0 } else { before };
        let lacks = into - more;
        if lacks < 0 || lacks % (1 << bits) != 0 {
            return None;
        }
        before = lacks >> bits;
        carried.push(before);
    }
    let arrives = (1..more.len()).any(|at| at % of_word != 0 && carried[at - 1] > 0);
    arrives.then_some(carried)
}

#[cfg(test)]
mod tests {
    use lab::{Element, OutputShape, Tolerance};

    use super::*;

    /// What is told of 256 counters, counter v with 100,000 + v, that have so many more.
    fn said(more: &[(usize, i64)]) -> Option<String> {
        let bytes = |more: &[(usize, i64)]| -> Vec<u8> {
            let mut counters: Vec<i64> = (100_000..100_256).collect();
            for (at, more) in more {
                counters[*at] += more;
            }
            counters.iter().flat_map(|count| (*count as u32).to_le_bytes()).collect()
        };
        let shape = OutputShape { name: "bins", element: Element::U32, row: 0, zeroed: true };
        let (expected, found) = (bytes(&[]), bytes(more));
        let output =
            Output { shape: &shape, expected: &expected, found: &found, tolerance: Tolerance::Exact };
        told(&output).map(|(said, _)| said)
    }

    #[test]
    fn counters_that_overflow_are_told() {
        let starts = |more: &[(usize, i64)], with: &str| {
            let said = said(more);
            assert!(said.as_ref().is_some_and(|said| said.starts_with(with)), "{said:?}: {with}");
        };
        starts(
            &[(0, -2560), (1, 10)],
            "`bins[0]` lacks 2,560 (10 × 256), and its overflow, 10, went to `bins[1]`",
        );
        starts(
            &[(4, -65_536), (5, 1)],
            "`bins[4]` lacks 65,536 (1 × 65,536), and its overflow, 1, went to `bins[5]`",
        );
        let wrap = [(0, -512), (7, -256), (9, -2560)];
        starts(&wrap, "each of the 3 wrong counters lacks a multiple of 256: `bins[0]` 512 (2 × 256)");
        for other in
            [&wrap[..2], &[(0, -256), (1, 2)], &[(3, -256), (4, 1)], &[(0, 65_536), (2, 65_536)], &[]]
        {
            assert_eq!(said(other), None, "{other:?}");
        }
    }

    #[test]
    fn counters_above_that_are_added_too_are_told() {
        let right = [0, 1, 2, 5];
        let more = [65_536, 0, 5 << 16, 0];
        let told = unmasked("bins", 16, &more, &right);
        let with = "`bins[0]` has 65,536 too many: the bits above its own 16";
        assert!(told.as_ref().is_some_and(|told| told.starts_with(with)), "{told:?}");
        assert_eq!(unmasked("bins", 16, &[65_536, 0, 65_536, 0], &right), None);
    }
}
