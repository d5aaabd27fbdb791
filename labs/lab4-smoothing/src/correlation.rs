//! Any 5×5 integer filter on a colour image, applied to each channel.
//!
//! out = Σ filter · neighbour ÷ divisor, truncated as in C, then clamped to 0..255. Pixels in the two outermost rows
//! and columns keep their values. The filter is not rotated: its first value belongs to the neighbour above and to
//! the left.

use lab::vectors::{Vectorised, widest};
use rayon::prelude::*;

use crate::filters::Filter;
use crate::mean::RADIUS;

/// Bytes of a pixel.
const CHANNELS: usize = 3;

/// Rows per task of the parallel reference.
const PARALLEL_ROWS: usize = 32;

/// The reference: one pixel after the other, one neighbour after the other. `rgb` and `out` are interleaved.
pub fn sequential(rgb: &[u8], out: &mut [u8], width: usize, filter: &Filter) {
    let height = rgb.len() / (CHANNELS * width);
    for y in 0..height {
        for x in 0..width {
            let pixel = CHANNELS * (y * width + x);
            if is_border(x, width) || is_border(y, height) {
                out[pixel..pixel + CHANNELS].copy_from_slice(&rgb[pixel..pixel + CHANNELS]);
                continue;
            }
            for channel in 0..CHANNELS {
                let mut sum = 0;
                for (row, values) in filter.values.chunks_exact(5).enumerate() {
                    let first = CHANNELS * ((y + row - RADIUS) * width + x - RADIUS) + channel;
                    for (value, byte) in values.iter().zip(rgb[first..].iter().step_by(CHANNELS)) {
                        sum += value * i32::from(*byte);
                    }
                }
                out[pixel + channel] = (sum / filter.divisor).clamp(0, 255) as u8;
            }
        }
    }
}

fn is_border(position: usize, side: usize) -> bool {
    position < RADIUS || position + RADIUS >= side
}

/// The same on all cores. A neighbour in the same channel is always the same number of bytes away, so the channels need no
/// separate loop. The sums are computed in single precision, which vector units multiply and add fastest. They are exact,
/// because 25 · 1,000 · 255 is below 2²⁴.
pub fn parallel(rgb: &[u8], out: &mut [u8], width: usize, filter: &Filter) {
    let row_bytes = CHANNELS * width;
    out.par_chunks_mut(PARALLEL_ROWS * row_bytes).enumerate().for_each(|(band, out)| {
        widest(Band { rgb, out, first: band * PARALLEL_ROWS, row_bytes, filter });
    });
}

/// Some rows of the result, from row `first` on.
struct Band<'a> {
    rgb: &'a [u8],
    out: &'a mut [u8],
    first: usize,
    row_bytes: usize,
    filter: &'a Filter,
}

impl Vectorised for Band<'_> {
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let Self { rgb, out, first, row_bytes, filter } = self;
        let height = rgb.len() / row_bytes;
        let inner = row_bytes.saturating_sub(2 * RADIUS * CHANNELS);
        let values = filter.values.map(|value| value as f32);
        // The five rows around the current row: row n is stored at place n modulo 5.
        let mut lines = vec![0.0; 5 * row_bytes];
        for (row, out) in out.chunks_exact_mut(row_bytes).enumerate() {
            let y = first + row;
            out.copy_from_slice(&rgb[y * row_bytes..][..row_bytes]);
            if is_border(y, height) || inner == 0 {
                continue;
            }
            let known = if row == 0 || y == RADIUS { y - RADIUS } else { y + RADIUS };
            for line in known..=y + RADIUS {
                let bytes = &rgb[line * row_bytes..][..row_bytes];
                for (value, byte) in lines[line % 5 * row_bytes..][..row_bytes].iter_mut().zip(bytes) {
                    *value = f32::from(*byte);
                }
            }
            let around: [&[f32]; 5] =
                std::array::from_fn(|line| &lines[(y + line - RADIUS) % 5 * row_bytes..][..row_bytes]);
            filter_row::<FUSED>(&around, &values, filter.divisor, &mut out[CHANNELS * RADIUS..][..inner]);
        }
    }
}

/// Bytes whose sums stay in registers: 12 of 16 AVX2 registers (8 sums each), or 6 of 32 AVX-512 registers (16 each).
const TILE: usize = 96;

/// The inner bytes of one row.
#[inline(always)]
fn filter_row<const FUSED: bool>(lines: &[&[f32]; 5], values: &[f32; 25], divisor: i32, out: &mut [u8]) {
    if out.len() < TILE {
        for at in 0..out.len() {
            filter_tile::<1, FUSED>(lines, values, divisor, at, out);
        }
        return;
    }
    let last = out.len() - TILE;
    for at in (0..last).step_by(TILE) {
        filter_tile::<TILE, FUSED>(lines, values, divisor, at, out);
    }
    // Aligned to the end: some bytes are computed twice.
    filter_tile::<TILE, FUSED>(lines, values, divisor, last, out);
}

/// Bytes `at` to `at + N` of a row's inner bytes.
#[inline(always)]
fn filter_tile<const N: usize, const FUSED: bool>(
    lines: &[&[f32]; 5],
    values: &[f32; 25],
    divisor: i32,
    at: usize,
    out: &mut [u8],
) {
    let mut sums = [0.0; N];
    for (line, values) in lines.iter().zip(values.as_chunks::<5>().0) {
        for (column, value) in values.iter().enumerate() {
            let bytes = line[at + CHANNELS * column..]
                .first_chunk::<N>()
                .expect("a line is longer than its inner part");
            for (sum, byte) in sums.iter_mut().zip(bytes) {
                *sum = if FUSED { value.mul_add(*byte, *sum) } else { value * byte + *sum };
            }
        }
    }
    let out = &mut out[at..][..N];
    if divisor <= SINGLE_DIVISOR {
        let divisor = divisor as f32;
        out.iter_mut().zip(sums).for_each(|(out, sum)| *out = divided(sum, divisor));
    } else {
        out.iter_mut().zip(sums).for_each(|(out, sum)| *out = divided_wide(sum, divisor));
    }
}

/// Largest divisor by which single precision divides exactly enough: see [`divided`].
const SINGLE_DIVISOR: i32 = 1 << 16;

/// Quotient, truncated and clamped. A quotient below 256 that is not an integer is at least 1 / divisor ≥ 2⁻¹⁶ below the
/// next integer, and half a unit in the last place is at most 2⁻¹⁷: rounding does not reach it.
#[inline(always)]
fn divided(sum: f32, divisor: f32) -> u8 {
    // 2²³ + an integer has the integer in its lowest bits. A cast would test every lane for NaN.
    ((sum / divisor).clamp(0.0, 255.0).floor() + 8_388_608.0).to_bits() as u8
}

/// The same for any divisor, in double precision, where half a unit in the last place is below 2⁻⁴⁵.
#[inline(always)]
fn divided_wide(sum: f32, divisor: i32) -> u8 {
    let quotient = (f64::from(sum) / f64::from(divisor)).clamp(0.0, 255.0).floor();
    (quotient + 4_503_599_627_370_496.0).to_bits() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_exact() {
        for divisor in [1, 2, 3, 25, 61, 1837, 24_899, 65_535, 65_536, 65_537, 131_073, 6_375_000] {
            for sum in (-5000..70_000).chain(6_300_000..6_375_001) {
                let exact = (sum / divisor).clamp(0, 255) as u8;
                if divisor <= SINGLE_DIVISOR {
                    assert_eq!(divided(sum as f32, divisor as f32), exact, "{sum} / {divisor}");
                }
                assert_eq!(divided_wide(sum as f32, divisor), exact, "{sum} / {divisor}");
            }
        }
    }

    /// The widest sums, every width up to two tiles, and divisors on both sides of the limit.
    #[test]
    fn tiles_and_their_ends_equal_the_plain_loops() {
        let mut filter = Filter { name: "extreme", values: [1000; 25], divisor: 1 };
        for (index, value) in filter.values.iter_mut().enumerate() {
            *value -= 81 * index as i32;
        }
        for width in 1..50 {
            let rgb: Vec<u8> = (0..3 * width * 7).map(|i| 255 - (i * i % 23) as u8).collect();
            for divisor in [1, 1009, SINGLE_DIVISOR + 1] {
                filter.divisor = divisor;
                let (mut plain, mut tiled) = (vec![0; rgb.len()], vec![0; rgb.len()]);
                sequential(&rgb, &mut plain, width, &filter);
                parallel(&rgb, &mut tiled, width, &filter);
                assert!(plain == tiled, "{width} wide, divided by {divisor}");
            }
        }
    }

    #[test]
    fn the_first_value_belongs_to_the_neighbour_above_and_to_the_left() {
        let mut filter = Filter { name: "corner", values: [0; 25], divisor: 1 };
        filter.values[0] = 1;
        let rgb: Vec<u8> = (0..75).collect();
        let mut out = [0; 75];
        sequential(&rgb, &mut out, 5, &filter);
        assert_eq!(out[36..39], [0, 1, 2]);
        // Every other pixel of a 5×5 image is border.
        assert!(out[..36] == rgb[..36] && out[39..] == rgb[39..]);
    }
}
