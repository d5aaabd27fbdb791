//! Comparing an output with the reference.

use crate::Element;

/// How close an output must come to the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tolerance {
    /// Every element equal.
    Exact,
    /// Each element within this many levels; elements that differ are counted and reported.
    Levels(u8),
}

/// One wrong element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mismatch {
    /// Index of the element.
    pub index: usize,
    /// Value of the reference.
    pub expected: i64,
    /// Value found.
    pub found: i64,
}

/// The outcome of one comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The first five elements outside the tolerance.
    pub first: Vec<Mismatch>,
    /// Elements outside the tolerance.
    pub wrong: usize,
    /// Elements that differ within the tolerance.
    pub differing: usize,
    /// Elements compared.
    pub total: usize,
}

/// How many mismatches a report shows.
const SHOWN: usize = 5;

impl Tolerance {
    /// Compares two buffers of the same length, element by element.
    ///
    /// # Panics
    /// If the lengths differ, or are not a multiple of the element's size: the checker made both buffers.
    pub fn compare(self, element: Element, expected: &[u8], found: &[u8]) -> Verdict {
        assert_eq!(expected.len(), found.len(), "buffers of different lengths cannot be compared");
        assert_eq!(expected.len() % element.size(), 0, "a buffer holds whole elements");
        let mut verdict = Verdict { total: expected.len() / element.size(), ..Verdict::default() };
        // Most of a large image is equal: equal chunks are skipped at the speed of memory.
        let chunk = 4096 * element.size();
        for (number, (expected, found)) in expected.chunks(chunk).zip(found.chunks(chunk)).enumerate() {
            if expected != found {
                self.compare_elements(element, number * 4096, expected, found, &mut verdict);
            }
        }
        verdict
    }

    fn compare_elements(
        self,
        element: Element,
        start: usize,
        expected: &[u8],
        found: &[u8],
        verdict: &mut Verdict,
    ) {
        let size = element.size();
        for (offset, (expected, found)) in
            expected.chunks_exact(size).zip(found.chunks_exact(size)).enumerate()
        {
            let (expected, found) = (element.value(expected), element.value(found));
            if expected == found {
                continue;
            }
            if self.allows(expected.abs_diff(found)) {
                verdict.differing += 1;
                continue;
            }
            verdict.wrong += 1;
            if verdict.first.len() < SHOWN {
                verdict.first.push(Mismatch { index: start + offset, expected, found });
            }
        }
    }

    /// Whether two elements may differ by this much.
    pub const fn allows(self, difference: u64) -> bool {
        match self {
            Self::Exact => difference == 0,
            Self::Levels(levels) => difference <= levels as u64,
        }
    }
}

impl Verdict {
    /// Whether every element is within the tolerance.
    pub fn passed(&self) -> bool {
        self.wrong == 0
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn shows_the_first_five_and_counts_all() {
        let expected = vec![100_u8; 10_000];
        let mut found = expected.clone();
        found[3] = 101;
        for wrong in [5, 4095, 4096, 5000, 9998, 9999] {
            found[wrong] = 98;
        }
        let verdict = Tolerance::Levels(1).compare(Element::U8, &expected, &found);
        let shown: Vec<usize> = verdict.first.iter().map(|mismatch| mismatch.index).collect();
        assert_eq!(shown, [5, 4095, 4096, 5000, 9998]);
        assert_eq!((verdict.wrong, verdict.differing, verdict.total), (6, 1, 10_000));
        assert_eq!(verdict.first[0], Mismatch { index: 5, expected: 100, found: 98 });
        assert!(!verdict.passed());
    }

    #[test]
    fn reads_elements_by_their_type() {
        let bytes = (-2_i32).to_le_bytes();
        let verdict = Tolerance::Exact.compare(Element::I32, &bytes, &[0; 4]);
        assert_eq!(verdict.first, [Mismatch { index: 0, expected: -2, found: 0 }]);
        let verdict = Tolerance::Exact.compare(Element::U32, &bytes, &[0; 4]);
        assert_eq!(verdict.first[0].expected, 4_294_967_294);
    }

    proptest! {
        #[test]
        fn agrees_with_the_definition(
            pairs in proptest::collection::vec((any::<u8>(), 0..4_u8), 0..300),
            levels in 0..3_u8,
        ) {
            let expected: Vec<u8> = pairs.iter().map(|pair| pair.0).collect();
            let found: Vec<u8> = pairs.iter().map(|pair| pair.0.saturating_add(pair.1)).collect();
            let differences = expected.iter().zip(&found).map(|(e, f)| e.abs_diff(*f));
            let wrong = differences.clone().filter(|d| *d > levels).count();
            let differing = differences.filter(|d| *d > 0 && *d <= levels).count();
            let verdict = Tolerance::Levels(levels).compare(Element::U8, &expected, &found);
            prop_assert_eq!((verdict.wrong, verdict.differing), (wrong, differing));
            prop_assert_eq!(verdict.passed(), wrong == 0);
        }
    }
}
