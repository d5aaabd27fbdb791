//! Which bytes of an allocation have been written: a bit each, or none at all while all are alike.

use std::ops::Range;

/// The defined bytes of one allocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Validity {
    /// No byte has been written.
    Nothing,
    /// A bit a byte, lowest first.
    Bits(Vec<u64>),
    /// Every byte has been written.
    Everything,
}

/// The bits of `count` bytes from `start`, word by word: word number and mask.
fn words(start: usize, count: usize) -> impl Iterator<Item = (usize, u64)> {
    let end = start + count;
    let mut position = start;
    std::iter::from_fn(move || {
        if position >= end {
            return None;
        }
        let within = position % 64;
        let run = (64 - within).min(end - position);
        let ones = if run == 64 { u64::MAX } else { ((1 << run) - 1) << within };
        let word = position / 64;
        position += run;
        Some((word, ones))
    })
}

/// Rising numbers as ranges, each as long as it can be.
pub(crate) fn runs(numbers: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in numbers {
        match runs.last_mut() {
            Some(run) if run.end == at => run.end = at + 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

impl Validity {
    /// Marks `count` bytes from `start` of an allocation of `size` bytes.
    pub fn set(&mut self, start: usize, count: usize, size: usize, defined: bool) {
        let (already, opposite) =
            if defined { (Self::Everything, Self::Nothing) } else { (Self::Nothing, Self::Everything) };
        if *self == already || count == 0 {
            return;
        }
        if count >= size {
            *self = already;
            return;
        }
        if *self == opposite {
            *self = Self::Bits(vec![if defined { 0 } else { u64::MAX }; size.div_ceil(64)]);
        }
        if let Self::Bits(bits) = self {
            for (word, mask) in words(start, count) {
                if defined {
                    bits[word] |= mask;
                } else {
                    bits[word] &= !mask;
                }
            }
        }
    }

    /// Adds the bytes that are defined in another's view of the same allocation.
    pub fn join(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Self::Everything, _) | (_, Self::Nothing) => {}
            (Self::Bits(mine), Self::Bits(theirs)) => mine.iter_mut().zip(theirs).for_each(|(a, b)| *a |= b),
            (mine, theirs) => mine.clone_from(theirs),
        }
    }

    /// The parts of `count` bytes from `start` that are not defined, in order.
    pub fn undefined(&self, start: usize, count: usize) -> Vec<Range<usize>> {
        match self {
            Self::Everything => Vec::new(),
            Self::Nothing => {
                Some(start..start + count).filter(|range| !range.is_empty()).into_iter().collect()
            }
            Self::Bits(bits) => {
                // Word by word: nearly all of them are whole.
                let missing = words(start, count).filter(|&(word, mask)| !bits[word] & mask != 0);
                let bytes = missing.flat_map(|(word, mask)| {
                    let missing = !bits[word] & mask;
                    (0..64).filter(move |bit| missing >> bit & 1 == 1).map(move |bit| 64 * word + bit)
                });
                runs(bytes)
            }
        }
    }

    /// Whether all of `count` bytes from `start` are defined.
    pub fn all(&self, start: usize, count: usize) -> bool {
        match self {
            Self::Everything => true,
            Self::Nothing => count == 0,
            Self::Bits(bits) => words(start, count).all(|(word, mask)| bits[word] & mask == mask),
        }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn ranges_are_kept_by_the_byte() {
        let mut validity = Validity::Nothing;
        assert!(!validity.all(0, 1));
        validity.set(60, 10, 200, true);
        assert!(validity.all(60, 10));
        assert!(!validity.all(59, 2) && !validity.all(69, 2));
        validity.set(64, 1, 200, false);
        assert!(validity.all(60, 4) && !validity.all(64, 1) && validity.all(65, 5));
        validity.set(0, 200, 200, true);
        assert_eq!(validity, Validity::Everything);
        validity.set(199, 1, 200, false);
        assert!(validity.all(0, 199) && !validity.all(199, 1));
        validity.set(3, 2, 200, false);
        let undefined = |validity: &Validity, start, count| {
            let parts = validity.undefined(start, count).into_iter();
            parts.map(|part| (part.start, part.end)).collect::<Vec<_>>()
        };
        assert_eq!(undefined(&validity, 0, 200), [(3, 5), (199, 200)]);
        assert_eq!(undefined(&validity, 4, 100), [(4, 5)]);
        assert_eq!(undefined(&Validity::Nothing, 7, 2), [(7, 9)]);
        assert_eq!(undefined(&Validity::Nothing, 7, 0), []);
        assert_eq!(undefined(&Validity::Everything, 0, 200), []);
    }

    #[test]
    fn views_join() {
        let part = |start: usize| {
            let mut part = Validity::Nothing;
            part.set(start, 10, 100, true);
            part
        };
        let mut all = part(0);
        all.join(&part(50));
        assert!(all.all(0, 10) && all.all(50, 10) && !all.all(10, 1) && !all.all(60, 1));
        let mut nothing = Validity::Nothing;
        nothing.join(&part(50));
        assert_eq!(nothing, part(50));
        all.join(&Validity::Everything);
        assert_eq!(all, Validity::Everything);
    }
}
