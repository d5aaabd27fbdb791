//! The lanes' addresses of one access taken together: how far they reach, and their bytes in one go.
//!
//! Loops over all lanes without a branch, so that the compiler can use vector instructions: most accesses are
//! by full warps to neighbouring bytes, and these functions are what such an access costs.

use crate::isa::{BIT, FULL, LANES};

/// Lowest and highest offset of the active lanes from some base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    /// Of the lowest lane.
    pub low: usize,
    /// Of the highest lane; its bytes begin here.
    pub high: usize,
}

impl Span {
    /// The span of the elements that begin `bytes` further on.
    pub fn skip(self, bytes: usize) -> Self {
        Self { low: self.low + bytes, high: self.high + bytes }
    }
}

/// The span of the active lanes' addresses from `base`, unless one of them lies before it or 2 GiB or more
/// behind it: then the caller has to look at each.
#[inline(always)]
pub(crate) fn span(addresses: &[u64; LANES], mask: u32, base: u64) -> Option<Span> {
    let first = addresses[(mask.trailing_zeros() % 32) as usize];
    // The host function has one lane, and so has `if (threadIdx.x == 0)`.
    if mask.is_power_of_two() {
        let offset = first.wrapping_sub(base);
        return (offset >> 31 == 0).then_some(Span { low: offset as usize, high: offset as usize });
    }
    let filled: [u64; LANES];
    let addresses = if mask == FULL {
        addresses
    } else {
        // Inactive lanes repeat an active one.
        filled = std::array::from_fn(|lane| if mask & BIT[lane] != 0 { addresses[lane] } else { first });
        &filled
    };
    let mut offsets = [0i32; LANES];
    let mut far = 0;
    for lane in 0..LANES {
        let offset = addresses[lane].wrapping_sub(base);
        offsets[lane] = offset as i32;
        far |= offset;
    }
    let low = folded(offsets, |a, b| if a < b { a } else { b });
    let high = folded(offsets, |a, b| if a > b { a } else { b });
    (far >> 31 == 0).then_some(Span { low: low as usize, high: high as usize })
}

/// One of all values, half of them against the other half at a time: every x86-64 machine compares four at once, and has no
/// instruction for the lowest.
#[inline(always)]
fn folded(mut values: [i32; LANES], choose: impl Fn(i32, i32) -> i32) -> i32 {
    for half in [16, 8, 4, 2, 1] {
        for lane in 0..half {
            values[lane] = choose(values[lane], values[lane + half]);
        }
    }
    values[0]
}

/// `W` bytes of each active lane out of `bytes`, whose first byte lies at the lowest address and whose last
/// belongs to the highest. Inactive lanes get anything.
#[inline(always)]
pub(crate) fn pick<const W: usize>(
    bytes: &[u8],
    addresses: &[u64; LANES],
    mask: u32,
    first: u64,
) -> [[u8; W]; LANES] {
    if let Ok(only) = <[u8; W]>::try_from(bytes) {
        return [only; LANES];
    }
    let mut out = [[0; W]; LANES];
    if bytes.len() == W * LANES && consecutive::<W>(addresses, mask) {
        for (value, bytes) in out.iter_mut().zip(bytes.as_chunks::<W>().0) {
            *value = *bytes;
        }
        return out;
    }
    for lane in 0..LANES {
        if mask & BIT[lane] != 0 {
            let start = addresses[lane].wrapping_sub(first) as usize;
            out[lane] = bytes[start..start + W].try_into().expect("W bytes");
        }
    }
    out
}

/// Whether all 32 lanes are active and their addresses follow each other without gaps.
#[inline(always)]
pub(crate) fn consecutive<const W: usize>(addresses: &[u64; LANES], mask: u32) -> bool {
    if mask != FULL {
        return false;
    }
    let first = addresses[0];
    let mut different = 0;
    for (lane, &address) in addresses.iter().enumerate() {
        different |= address.wrapping_sub(first.wrapping_add((lane * W) as u64));
    }
    different == 0
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn only_active_lanes_count() {
        let mut addresses: [u64; LANES] = std::array::from_fn(|lane| 1000 + 3 * lane as u64);
        assert_eq!(span(&addresses, FULL, 1000), Some(Span { low: 0, high: 93 }));
        assert_eq!(span(&addresses, 0b110, 1000), Some(Span { low: 3, high: 6 }));
        addresses[0] = 5;
        assert_eq!(span(&addresses, FULL, 1000), None, "before the base");
        assert_eq!(span(&addresses, !1, 1000), Some(Span { low: 3, high: 93 }));
        addresses[9] = 1000 + (1 << 31);
        assert_eq!(span(&addresses, !1, 1000), None, "too far behind it");
        assert_eq!(span(&addresses, 1 << 31, 1000), Some(Span { low: 93, high: 93 }));
    }

    #[test]
    fn bytes_come_from_their_addresses() {
        let bytes: Vec<u8> = (0..=255).collect();
        let at = |stride: u64| -> [u64; LANES] { std::array::from_fn(|lane| 50 + stride * lane as u64) };
        for stride in [0, 1, 3, 4] {
            let picked = pick::<1>(&bytes[..=31 * stride as usize], &at(stride), FULL, 50);
            let expected: [[u8; 1]; LANES] = std::array::from_fn(|lane| [(stride as usize * lane) as u8]);
            assert_eq!(picked, expected, "stride {stride}");
        }
        // The right length, and yet not in order.
        let mut swapped = at(1);
        swapped.swap(3, 4);
        assert_eq!(pick::<1>(&bytes[..32], &swapped, FULL, 50)[3..5], [[4], [3]]);
        assert_eq!(pick::<4>(&bytes[..128], &at(4), FULL, 50)[31], [124, 125, 126, 127]);
    }
}
