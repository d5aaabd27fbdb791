//! The generated pictures of flat colour, stripes and noise. Integer arithmetic only: bit-identical on every
//! machine.

use std::ops::RangeInclusive;

use rayon::prelude::*;

use crate::random::SplitMix64;

/// Fills an image of `width * height` pixels row by row, in parallel.
pub fn rows(width: usize, height: usize, fill: impl Fn(usize, &mut [u8]) + Sync) -> Vec<u8> {
    let mut data = vec![0; width * height * 3];
    data.par_chunks_mut(width * 3).enumerate().for_each(|(y, row)| fill(y, row));
    data
}

/// Every pixel `value`.
pub fn flat(width: usize, height: usize, value: [u8; 3]) -> Vec<u8> {
    rows(width, height, |_, row| row.chunks_exact_mut(3).for_each(|pixel| pixel.copy_from_slice(&value)))
}

/// Horizontal stripes, each `period` rows of one colour.
pub fn horizontal_stripes(width: usize, height: usize, period: usize) -> Vec<u8> {
    rows(width, height, |y, row| {
        let colour = stripe_colour(y / period.max(1));
        row.chunks_exact_mut(3).for_each(|pixel| pixel.copy_from_slice(&colour));
    })
}

/// Vertical stripes, each `period` columns of one colour.
pub fn vertical_stripes(width: usize, height: usize, period: usize) -> Vec<u8> {
    rows(width, height, |_, row| {
        for (x, pixel) in row.chunks_exact_mut(3).enumerate() {
            pixel.copy_from_slice(&stripe_colour(x / period.max(1)));
        }
    })
}

/// The colour of stripe `index`. Odd factors take each channel through all 256 values before one repeats, and put
/// neighbouring stripes far apart.
fn stripe_colour(index: usize) -> [u8; 3] {
    [101, 53, 197].map(|factor: u8| (index as u8).wrapping_add(1).wrapping_mul(factor))
}

/// Every channel of every pixel drawn from the same `colours` different values (1 to 256).
pub fn noise(width: usize, height: usize, colours: usize, seed: u64) -> Vec<u8> {
    let values = palette(colours, seed);
    rows(width, height, |y, row| {
        let mut random = SplitMix64::at(seed, PALETTE_DRAWS + (width * y) as u64);
        for pixel in row.chunks_exact_mut(3) {
            let bits = random.next();
            for (channel, byte) in pixel.iter_mut().enumerate() {
                let index = (((bits >> (20 * channel)) & 0xf_ffff) * values.len() as u64) >> 20;
                *byte = values[index as usize];
            }
        }
    })
}

/// Every pixel a gray drawn from the same `levels` different values (1 to 256).
pub fn gray_noise(width: usize, height: usize, levels: usize, seed: u64) -> Vec<u8> {
    let values = palette(levels, seed);
    rows(width, height, |y, row| {
        let mut random = SplitMix64::at(seed, PALETTE_DRAWS + (width * y) as u64);
        for pixel in row.chunks_exact_mut(3) {
            pixel.fill(values[random.below(values.len() as u32) as usize]);
        }
    })
}

/// Every pixel a gray of `levels`, except for about one in 4,096, which may be any gray.
pub fn low_contrast(width: usize, height: usize, levels: RangeInclusive<u8>, seed: u64) -> Vec<u8> {
    let (low, count) = (*levels.start(), u32::from(levels.end().saturating_sub(*levels.start())) + 1);
    rows(width, height, |y, row| {
        let mut random = SplitMix64::at(seed, (width * y) as u64);
        for pixel in row.chunks_exact_mut(3) {
            let bits = random.next();
            let common = low + (((bits & 0xffff_ffff) * u64::from(count)) >> 32) as u8;
            pixel.fill(if bits >> 52 == 0 { (bits >> 44) as u8 } else { common });
        }
    })
}

/// The palette takes at most this many outputs of the generator; the pixels take the following ones.
const PALETTE_DRAWS: u64 = 256;

/// `colours` different bytes (at least 1, at most 256): the start of a shuffle of all of them.
fn palette(colours: usize, seed: u64) -> Vec<u8> {
    let mut random = SplitMix64::new(seed);
    let mut values: Vec<u8> = (0..=255).collect();
    for left in (1..256).rev() {
        values.swap(left, random.below(left as u32 + 1) as usize);
    }
    values.truncate(colours.max(1));
    values
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn noise_has_as_many_values_as_asked() {
        for colours in [1, 2, 5, 256] {
            let data = noise(251, 97, colours, 7);
            for channel in 0..3 {
                let seen: HashSet<u8> = data.chunks_exact(3).map(|pixel| pixel[channel]).collect();
                assert_eq!(seen.len(), colours, "{colours} colours, channel {channel}");
            }
        }
    }

    #[test]
    fn gray_noise_is_gray_and_has_as_many_levels_as_asked() {
        for levels in [1, 2, 5, 256] {
            let data = gray_noise(251, 97, levels, 7);
            assert!(data.chunks_exact(3).all(|pixel| pixel[0] == pixel[1] && pixel[1] == pixel[2]));
            let seen: HashSet<u8> = data.iter().copied().collect();
            assert_eq!(seen.len(), levels);
        }
    }

    #[test]
    fn low_contrast_has_every_level_between_and_few_outside() {
        let data = low_contrast(203, 150, 90..=141, 1);
        let count =
            |levels: RangeInclusive<u8>| data.iter().step_by(3).filter(|v| levels.contains(v)).count();
        assert!((90..=141).all(|level| count(level..=level) > 100));
        let outside = 203 * 150 - count(90..=141);
        assert!((1..30).contains(&outside), "{outside} of {} outside", 203 * 150);
    }

    #[test]
    fn noise_follows_the_seed_and_no_row_repeats_another() {
        assert_ne!(noise(40, 40, 256, 1), noise(40, 40, 256, 2));
        let data = noise(40, 40, 256, 1);
        let rows: HashSet<&[u8]> = data.chunks_exact(120).collect();
        assert_eq!(rows.len(), 40);
    }

    #[test]
    fn stripes_keep_their_colour_for_the_period_and_then_change() {
        let data = vertical_stripes(96, 2, 32);
        let colours: Vec<&[u8]> = data.chunks_exact(3).collect();
        assert_eq!(colours[0], colours[31]);
        assert_ne!(colours[31], colours[32]);
        assert_eq!(colours[32], colours[96 + 63]);
        let data = horizontal_stripes(2, 6, 2);
        let colours: Vec<&[u8]> = data.chunks_exact(6).collect();
        assert_eq!(colours[0], colours[1]);
        assert_ne!(colours[1], colours[2]);
    }
}
