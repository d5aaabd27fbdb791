//! Any 5×5 integer filter on a colour image, each channel on its own.
//!
//! out = Σ filter · neighbour ÷ divisor, the fraction cut off as C does it, then clamped to 0..255. Pixels in the
//! two outermost rows and columns keep their values. The filter is not turned round: its first value belongs
//! to the neighbour above and to the left.

use rayon::prelude::*;

use crate::filters::Filter;
use crate::mean::RADIUS;

/// Bytes of a pixel.
const CHANNELS: usize = 3;

/// Rows that one task of the parallel reference takes.
const PARALLEL_ROWS: usize = 8;

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

/// The same on all cores. Each of the 25 values is applied to a whole row at once: a neighbour in the same channel
/// is always the same number of bytes away, so that the channels need no loop of their own.
pub fn parallel(rgb: &[u8], out: &mut [u8], width: usize, filter: &Filter) {
    let row_bytes = CHANNELS * width;
    let height = rgb.len() / row_bytes;
    out.par_chunks_mut(PARALLEL_ROWS * row_bytes).enumerate().for_each(|(band, out)| {
        let mut sums = vec![0; row_bytes.saturating_sub(2 * RADIUS * CHANNELS)];
        for (row, out) in out.chunks_exact_mut(row_bytes).enumerate() {
            let y = band * PARALLEL_ROWS + row;
            out.copy_from_slice(&rgb[y * row_bytes..][..row_bytes]);
            if is_border(y, height) || sums.is_empty() {
                continue;
            }
            sum_rows(&rgb[(y - RADIUS) * row_bytes..], &mut sums, row_bytes, filter);
            for (out, sum) in out[CHANNELS * RADIUS..].iter_mut().zip(&sums) {
                *out = divided(*sum, filter.divisor);
            }
        }
    });
}

/// The weighted sums of one row's inner bytes; `rgb` begins with the row two above it.
fn sum_rows(rgb: &[u8], sums: &mut [i32], row_bytes: usize, filter: &Filter) {
    sums.fill(0);
    for (index, value) in filter.values.iter().enumerate() {
        let bytes = &rgb[index / 5 * row_bytes + index % 5 * CHANNELS..][..sums.len()];
        for (sum, byte) in sums.iter_mut().zip(bytes) {
            *sum += value * i32::from(*byte);
        }
    }
}

/// Quotient, cut off and clamped. In double precision, which vector units divide in and which holds every `int`: a
/// quotient that is no whole number is at least 1 / divisor > 2⁻³¹ from one, and below 256 the rounding is off by
/// less than 2⁻⁴⁵.
fn divided(sum: i32, divisor: i32) -> u8 {
    (f64::from(sum) / f64::from(divisor)).clamp(0.0, 255.0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quotient_in_double_precision_is_exact() {
        for divisor in [1, 2, 3, 25, 37, 1777, 65_536, 6_375_000] {
            for sum in (-5000..70_000).chain(6_300_000..6_375_000) {
                assert_eq!(divided(sum, divisor), (sum / divisor).clamp(0, 255) as u8, "{sum} / {divisor}");
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
