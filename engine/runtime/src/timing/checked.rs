//! Every call is checked, and few outputs are read back: hashes tell which calls led to the same outputs.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// Most calls whose outputs are kept: one of each version of the inputs, and as many that differ.
const MOST_KEPT: usize = 8;

/// A call whose outputs are compared with the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedCall {
    /// The patches of its inputs that were on, one bit each.
    pub on: u64,
    /// Calls before it.
    pub earlier: usize,
    /// Whether an earlier call had the same inputs and other outputs.
    pub differs: bool,
}

/// The calls so far.
#[derive(Default)]
pub struct CallsSoFar {
    /// Versions of the inputs, and hashes of the outputs.
    known: BTreeSet<(u64, Vec<u64>)>,
    /// The kept calls, and their outputs one after another.
    pub kept: Vec<CheckedCall>,
    pub outputs: Vec<Vec<u8>>,
    /// Calls with new outputs that were not kept.
    pub unchecked: usize,
    calls: usize,
}

/// What to do with the outputs of a call.
#[derive(Debug, PartialEq, Eq)]
pub enum Seen {
    /// An earlier call on the same inputs led to the same outputs.
    Before,
    /// They are new: to be read back and compared.
    New(CheckedCall),
    /// They are new, and there are enough of them.
    TooMany,
}

impl CallsSoFar {
    /// Notes a call on the inputs of this version.
    pub fn note(&mut self, on: u64, hashes: Vec<u64>) -> Seen {
        let earlier = self.calls;
        self.calls += 1;
        let differs = self.known.iter().any(|(version, _)| *version == on);
        if self.known.contains(&(on, hashes.clone())) {
            return Seen::Before;
        }
        if self.kept.len() == MOST_KEPT {
            self.unchecked += 1;
            return Seen::TooMany;
        }
        self.known.insert((on, hashes));
        Seen::New(CheckedCall { on, earlier, differs })
    }

    /// Keeps a new call and its outputs.
    pub fn keep(&mut self, call: CheckedCall, outputs: Vec<Vec<u8>>) {
        self.kept.push(call);
        self.outputs.extend(outputs);
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn one_call_of_each_version_is_kept_and_each_that_differs() {
        let mut calls = CallsSoFar::default();
        let mut note = |on, hash| match calls.note(on, vec![hash]) {
            Seen::New(call) => {
                calls.keep(call, vec![vec![0]]);
                Some((call.on, call.earlier, call.differs))
            }
            Seen::Before => None,
            Seen::TooMany => Some((0, usize::MAX, true)),
        };
        assert_eq!(note(5, 1), Some((5, 0, false)));
        assert_eq!(note(5, 1), None);
        assert_eq!(note(6, 1), Some((6, 2, false)));
        assert_eq!(note(5, 2), Some((5, 3, true)));
        assert_eq!(note(5, 2), None);
        for hash in 3..8 {
            assert!(note(5, hash).is_some_and(|(_, earlier, _)| earlier < 100));
        }
        assert_eq!(note(5, 8), Some((0, usize::MAX, true)));
        assert_eq!((calls.kept.len(), calls.outputs.len(), calls.unchecked), (MOST_KEPT, MOST_KEPT, 1));
    }
}
