//! A small deterministic source of bits, the same on every machine.
//!
//! Not for secrets. Integers only: floating point could differ between machines in the last bit.

/// `SplitMix64`: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014; the
/// constants of the finaliser are David Stafford's variant 13. Its n-th output depends on seed and n alone,
/// so rows can be made in parallel by [`SplitMix64::at`].
#[derive(Debug, Clone, Copy)]
pub struct SplitMix64 {
    state: u64,
}

/// 2^64 divided by the golden ratio, made odd.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

impl SplitMix64 {
    /// The sequence of this seed, from its start.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The sequence of this seed, after `position` outputs.
    pub const fn at(seed: u64, position: u64) -> Self {
        Self { state: seed.wrapping_add(GAMMA.wrapping_mul(position)) }
    }

    /// The next 64 bits.
    #[inline]
    pub const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GAMMA);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is at least 1: the high half of a product, whose bias of less than
    /// `bound / 2^32` no picture shows.
    #[inline]
    pub const fn below(&mut self, bound: u32) -> u32 {
        (((self.next() >> 32) * bound as u64) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::SplitMix64;

    #[test]
    fn gives_the_published_sequence() {
        // The first outputs for seed 1234567, as Vigna's public-domain C program prints them.
        let mut random = SplitMix64::new(1_234_567);
        let first: [u64; 3] = std::array::from_fn(|_| random.next());
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
        assert_eq!(SplitMix64::at(1_234_567, 2).next(), first[2]);
    }

    #[test]
    fn below_reaches_both_ends_and_no_further() {
        let mut random = SplitMix64::new(1);
        let drawn: Vec<u32> = (0..1000).map(|_| random.below(5)).collect();
        assert_eq!(drawn.iter().min(), Some(&0));
        assert_eq!(drawn.iter().max(), Some(&4));
    }
}
