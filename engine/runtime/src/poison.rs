//! Pseudo-random patterns for outputs and guard bands before a run: no result can look like them by chance.

use std::hash::{BuildHasher, RandomState};

/// A source of pseudo-random numbers: `SplitMix64` (Steele, Lea, Flood 2014), the same on every machine.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Starts a sequence.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Starts a sequence that nothing outside this process can know: the system's randomness decides.
    pub fn secret() -> Self {
        Self(RandomState::new().hash_one(0))
    }

    /// Puts these into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.number() as usize % (last + 1));
        }
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

/// The first `length` bytes of this seed's pattern.
pub fn pattern(seed: u64, length: usize) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut bytes = Vec::with_capacity(length + 8);
    while bytes.len() < length {
        bytes.extend_from_slice(&random.number().to_le_bytes());
    }
    bytes.truncate(length);
    bytes
}
