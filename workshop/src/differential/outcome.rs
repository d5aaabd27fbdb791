//! How the outputs of a kernel compare, and the messages between parent and child.

pub use records::{Difference, Outcome};
use serde::{Deserialize, Serialize};

use super::kernel::Kernel;

/// One line from a child.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// A unit was compiled.
    Compiled {
        /// Milliseconds that took.
        ms: u64,
    },
    /// A kernel was run.
    Ran {
        /// Its number.
        index: u64,
        /// Its outcome.
        outcome: Outcome,
    },
    /// The unit is done.
    Done,
}

/// Compares two output buffers word by word.
pub fn compare(kernel: &Kernel, simulated: &[u8], other: &[u8]) -> Outcome {
    if simulated.len() != other.len() {
        return Outcome::Failed(format!("{} bytes and {} bytes", simulated.len(), other.len()));
    }
    let differing: Vec<usize> = simulated
        .chunks(8)
        .zip(other.chunks(8))
        .enumerate()
        .filter(|(_, (one, two))| one != two)
        .map(|(word, _)| word * 8)
        .collect();
    let Some(&first) = differing.first() else { return Outcome::Same };
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        let end = (first + 8).min(bytes.len());
        word[..end - first].copy_from_slice(&bytes[first..end]);
        format!("{:#018x}", u64::from_le_bytes(word))
    };
    Outcome::Differs(Difference {
        place: kernel.place(first),
        simulated: word(simulated),
        other: word(other),
        words: differing.len(),
        inputs: kernel.inputs_of(first).iter().map(|input| format!("{input:#018x}")).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::families::Family;
    use super::*;

    #[test]
    fn one_flipped_bit_is_found_and_placed() {
        let kernel = Kernel::generate(1, 0, &[Family::Integer]);
        let bytes = kernel.output.clone();
        assert_eq!(compare(&kernel, &bytes, &bytes), Outcome::Same);
        let mut other = bytes.clone();
        other[8 * 9 + 7] ^= 0x80;
        let Outcome::Differs(difference) = compare(&kernel, &bytes, &other) else { panic!("they differ") };
        assert_eq!((difference.place.as_str(), difference.words), ("thread 2, result 1", 1));
        assert_eq!(
            (difference.simulated.as_str(), difference.other.as_str()),
            ("0xa5a5a5a5a5a5a5a5", "0x25a5a5a5a5a5a5a5")
        );
        assert_eq!(difference.inputs.len(), 8);
        assert!(matches!(compare(&kernel, &bytes, &bytes[1..]), Outcome::Failed(_)));
    }
}
