//! What comes of one kernel, and of one message between parent and child.

use serde::{Deserialize, Serialize};

use super::kernel::Kernel;

/// What comes of one kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The same bytes.
    Same,
    /// Other bytes.
    Differs(Difference),
    /// Other bytes, but the same ones from the machine code that the assembler makes of the same PTX without
    /// optimizing: its optimizer changes what the PTX says.
    Optimizer(Difference),
    /// The compiler itself crashed on it.
    NotCompiled(String),
    /// The simulator says by name that it lacks an instruction.
    NotSimulated(String),
    /// The simulator found a fault in a kernel that has none.
    Found(String),
    /// It did not compile, the GPU refused it, or it never ended.
    Failed(String),
}

impl Outcome {
    /// Whether it is neither right nor honestly refused, and the compiler is not to blame.
    pub fn is_mismatch(&self) -> bool {
        matches!(self, Self::Differs(_) | Self::Found(_) | Self::Failed(_))
    }
}

/// The first element that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// Whose it is: `thread 3, result 1`.
    pub place: String,
    /// The word the simulator computed.
    pub simulated: String,
    /// The word of the GPU, or of the simulator on several threads.
    pub other: String,
    /// Words that differ in all.
    pub words: usize,
    /// The inputs of that thread.
    pub inputs: Vec<String>,
}

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
        /// What came of it.
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
