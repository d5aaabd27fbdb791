//! The hash of memory after a timed run: the kernel, its launch, and the same on the host.

/// The kernel `workbook_digest(const Range* ranges, unsigned long long* digests, unsigned long long key)`.
pub const DIGEST: &str = include_str!("../include/digest.cu");

/// Threads per block: whole warps.
const THREADS: u32 = 256;
/// Words of 8 bytes per thread, unless the range is large.
const WORDS: u64 = 8;
/// Most blocks of a range: enough to fill a GPU.
const MOST_BLOCKS: u64 = 1024;

/// How to launch the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DigestShape {
    /// The kernel.
    pub kernel: &'static str,
    /// Blocks of the grid.
    pub grid: [u32; 3],
    /// Threads per block.
    pub threads: u32,
}

/// The launch for so many ranges, the longest of `longest` bytes.
pub fn digest_shape(ranges: usize, longest: u64) -> DigestShape {
    let blocks = longest.div_ceil(8 * WORDS * u64::from(THREADS)).clamp(1, MOST_BLOCKS);
    DigestShape { kernel: "workbook_digest", grid: [blocks as u32, ranges as u32, 1], threads: THREADS }
}

/// The hash of these bytes. Whoever does not know the key cannot choose other bytes with the same hash.
pub fn digest(bytes: &[u8], key: u64) -> u64 {
    const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut pad = key;
    let mut sum: u64 = 0;
    let mut add = |word: u64| {
        pad = pad.wrapping_add(STEP);
        sum = sum.wrapping_add(mixed(word ^ mixed(pad)));
    };
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        add(u64::from_le_bytes(*word));
    }
    if !rest.is_empty() {
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        add(u64::from_le_bytes(last));
    }
    sum
}

/// The mixing step of `SplitMix64`.
fn mixed(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_and_every_place_counts() {
        let bytes: Vec<u8> = (0..100).collect();
        let whole = digest(&bytes, 7);
        assert_ne!(whole, digest(&bytes, 8));
        for bit in 0..8 * bytes.len() {
            let mut other = bytes.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(digest(&other, 7), whole, "bit {bit}");
        }
        let mut swapped = bytes.clone();
        swapped.rotate_left(8);
        assert_ne!(digest(&swapped, 7), whole);
        assert_eq!(digest(&[], 7), 0);
    }

    #[test]
    fn a_launch_has_a_row_of_blocks_per_range_and_no_more_than_a_gpu_needs() {
        assert_eq!(digest_shape(3, 1).grid, [1, 3, 1]);
        assert_eq!(digest_shape(1, 16 * 1024 + 1).grid, [2, 1, 1]);
        assert_eq!(digest_shape(1, 1 << 40).grid, [1024, 1, 1]);
    }
}
