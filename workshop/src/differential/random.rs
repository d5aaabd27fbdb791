//! Random numbers that are the same on every machine: `SplitMix64` (Steele, Lea and Flood, 2014).

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The stream of one kernel of one run. Neighbouring seeds and indices give unrelated streams.
    pub fn new(seed: u64, index: u64) -> Self {
        let mut mixed = Self(seed);
        let start = mixed.next() ^ index;
        let mut stream = Self(start);
        stream.next();
        stream
    }

    /// 64 random bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    /// A number below `bound`, which is small: the bias of the remainder does not matter here.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of these.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u64) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_depends_on_seed_and_index_alone() {
        let first = |seed, index| Random::new(seed, index).next();
        assert_eq!(first(1, 2), first(1, 2));
        assert_ne!(first(1, 2), first(2, 1));
        assert_ne!(first(1, 2), first(1, 3));
    }
}
