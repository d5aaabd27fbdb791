//! The weighted mean over the part of a pixel's 5×5 neighbourhood that lies in the image.
//!
//! The weight of the neighbour `dx` columns and `dy` rows away is `weights[dx + 2] * weights[dy + 2]`: all 1 for
//! the box, the outer product of 1 2 3 2 1 with itself for the triangle. Only neighbours in the image count, and the
//! sum is divided by the sum of their weights, rounded to the nearest level, halves up. Everything is computed in
//! integers, so that the result is the same on every machine and with every compiler option.

use std::borrow::Cow;
use std::ops::Range;

use lab::vectors::{Vectorised, widest};
use rayon::prelude::*;

/// Neighbours on each side.
pub const RADIUS: usize = 2;

/// Weights of one dimension.
pub type Weights = [u32; 5];

/// Rows per task of the parallel reference: many compared with the four additional rows that a task reads.
const PARALLEL_ROWS: usize = 32;

/// The neighbours of `centre` in the image along a side of this length, and the index of the first one's weight.
fn neighbours(centre: usize, side: usize) -> (Range<usize>, usize) {
    let first = centre.saturating_sub(RADIUS);
    (first..(centre + RADIUS + 1).min(side), first + RADIUS - centre)
}

/// The reference: one pixel after the other, one neighbour after the other.
pub fn sequential(gray: &[u8], out: &mut [u8], width: usize, weights: &Weights) {
    let height = gray.len() / width;
    for y in 0..height {
        let (rows, first_row) = neighbours(y, height);
        for x in 0..width {
            let (columns, first_column) = neighbours(x, width);
            let (mut sum, mut total) = (0, 0);
            for (row, vertical) in rows.clone().zip(&weights[first_row..]) {
                let line = &gray[row * width..][columns.clone()];
                for (value, horizontal) in line.iter().zip(&weights[first_column..]) {
                    let weight = vertical * horizontal;
                    sum += weight * u32::from(*value);
                    total += weight;
                }
            }
            out[y * width + x] = ((sum + total / 2) / total) as u8;
        }
    }
}

/// The same on all cores, and with a tenth of the additions: every column of five pixels is summed once, then five
/// neighbouring sums are added. The weights of a dimension are OUTER, MIDDLE, CENTRE, MIDDLE, OUTER: constants, so that
/// the compiler turns the division into a multiplication.
pub fn parallel<const OUTER: u16, const MIDDLE: u16, const CENTRE: u16>(
    gray: &[u8],
    out: &mut [u8],
    width: usize,
) {
    bands::<OUTER, MIDDLE, CENTRE>(out, width, |rows| {
        Cow::Borrowed(&gray[rows.start * width..rows.end * width])
    });
}

/// [`parallel`] for an image that is computed in parts: `source` gives the rows of a range.
pub fn bands<'a, const OUTER: u16, const MIDDLE: u16, const CENTRE: u16>(
    out: &mut [u8],
    width: usize,
    source: impl Fn(Range<usize>) -> Cow<'a, [u8]> + Sync,
) {
    let height = out.len() / width;
    out.par_chunks_mut(PARALLEL_ROWS * width).enumerate().for_each(|(band, out)| {
        let first = band * PARALLEL_ROWS;
        let rows = first.saturating_sub(RADIUS)..(first + out.len() / width + RADIUS).min(height);
        let above = first - rows.start;
        widest(Band::<OUTER, MIDDLE, CENTRE> { gray: &source(rows), above, out, width });
    });
}

/// Some rows of the result, and the rows of the input for them: `above` of these lie above the first.
struct Band<'a, const OUTER: u16, const MIDDLE: u16, const CENTRE: u16> {
    gray: &'a [u8],
    above: usize,
    out: &'a mut [u8],
    width: usize,
}

impl<const OUTER: u16, const MIDDLE: u16, const CENTRE: u16> Vectorised for Band<'_, OUTER, MIDDLE, CENTRE> {
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let (gray, width) = (self.gray, self.width);
        let weights = [OUTER, MIDDLE, CENTRE, MIDDLE, OUTER].map(u32::from);
        let mut columns = vec![0; width];
        for (row, out) in self.out.chunks_exact_mut(width).enumerate() {
            let (rows, first) = neighbours(row + self.above, gray.len() / width);
            if rows.len() == 5 && width > 2 * RADIUS {
                let lines = std::array::from_fn(|line| &gray[(rows.start + line) * width..][..width]);
                sum_five_rows::<OUTER, MIDDLE, CENTRE>(lines, &mut columns);
                mean_of_five::<OUTER, MIDDLE, CENTRE>(&columns, &mut out[RADIUS..width - RADIUS]);
                edges(&columns, out, weights.iter().sum(), &weights);
            } else {
                let total = sum_columns(gray, &mut columns, rows, &weights[first..]);
                sum_rows(&columns, out, total, &weights);
            }
        }
    }
}

/// Sums of five rows, weighted, column by column. The largest sum is 9 · 255.
#[inline(always)]
fn sum_five_rows<const OUTER: u16, const MIDDLE: u16, const CENTRE: u16>(
    [a, b, c, d, e]: [&[u8]; 5],
    columns: &mut [u16],
) {
    let pairs = a.iter().zip(e).zip(b.iter().zip(d)).zip(c);
    for (column, (((a, e), (b, d)), c)) in columns.iter_mut().zip(pairs) {
        let [a, b, c, d, e] = [*a, *b, *c, *d, *e].map(u16::from);
        *column = OUTER * (a + e) + MIDDLE * (b + d) + CENTRE * c;
    }
}

/// Means of five columns each; all neighbours are in the image. The largest sum, 81 · 255, fits 16 bits.
#[inline(always)]
fn mean_of_five<const OUTER: u16, const MIDDLE: u16, const CENTRE: u16>(columns: &[u16], out: &mut [u8]) {
    let total = (2 * OUTER + 2 * MIDDLE + CENTRE) * (2 * OUTER + 2 * MIDDLE + CENTRE);
    let from = |column: usize| columns[column..][..out.len()].iter();
    let pairs = from(0).zip(from(4)).zip(from(1).zip(from(3))).zip(from(2));
    let sums = pairs.map(|(((a, e), (b, d)), c)| OUTER * (a + e) + MIDDLE * (b + d) + CENTRE * c);
    for (out, sum) in out.iter_mut().zip(sums) {
        *out = ((sum + total / 2) / total) as u8;
    }
}

/// Sums these rows, weighted, column by column, if some of the five are missing; returns the sum of their weights.
fn sum_columns(gray: &[u8], columns: &mut [u16], rows: Range<usize>, weights: &[u32]) -> u32 {
    let width = columns.len();
    columns.fill(0);
    let mut total = 0;
    for (row, weight) in rows.zip(weights) {
        total += weight;
        let weight = *weight as u16;
        for (column, value) in columns.iter_mut().zip(&gray[row * width..][..width]) {
            *column += weight * u16::from(*value);
        }
    }
    total
}

/// Sums five columns around each pixel and divides; `vertical` is the weight of one column.
fn sum_rows(columns: &[u16], out: &mut [u8], vertical: u32, weights: &Weights) {
    let width = columns.len();
    if width > 2 * RADIUS {
        let total = (vertical * weights.iter().sum::<u32>()) as u16;
        let weights = weights.map(|weight| weight as u16);
        let inner = &mut out[RADIUS..width - RADIUS];
        for (out, window) in inner.iter_mut().zip(columns.windows(5)) {
            let sum: u16 = window.iter().zip(weights).map(|(value, weight)| value * weight).sum();
            *out = divided(sum + total / 2, total);
        }
    }
    edges(columns, out, vertical, weights);
}

/// The pixels of a row that lack neighbours on the left or on the right.
fn edges(columns: &[u16], out: &mut [u8], vertical: u32, weights: &Weights) {
    let width = columns.len();
    let left = RADIUS.min(width);
    for x in (0..left).chain(width.saturating_sub(RADIUS).max(left)..width) {
        let (range, first) = neighbours(x, width);
        let both = columns[range].iter().zip(&weights[first..]);
        let (sum, total) = both.fold((0, 0), |(sum, total), (value, weight)| {
            (sum + weight * u32::from(*value), total + weight * vertical)
        });
        out[x] = ((sum + total / 2) / total) as u8;
    }
}

/// A quotient below 256, in single precision, because vector units have no integer division. `sum` is below 2¹⁶, so the
/// quotient is an integer or at least 1/81 below the next integer, far more than half a unit in the last place.
fn divided(sum: u16, total: u16) -> u8 {
    (f32::from(sum) / f32::from(total)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quotient_in_single_precision_is_exact() {
        for total in 1..=81 {
            for sum in 0..=total * 255 + total / 2 {
                assert_eq!(divided(sum, total), (sum / total) as u8, "{sum} / {total}");
            }
        }
    }

    #[test]
    fn a_corner_has_nine_neighbours_and_an_inner_pixel_25() {
        let gray: Vec<u8> = (0..25).collect();
        let mut out = [0; 25];
        sequential(&gray, &mut out, 5, &[1; 5]);
        // The corner: mean of 0 1 2, 5 6 7, 10 11 12; the middle: mean of 0 to 24.
        assert_eq!((out[0], out[12]), (6, 12));
        // One corner alone: weight 3 · 3 of the (3 + 2 + 1)² = 36 in the image, 255 · 9 / 36 = 63.75.
        let mut gray = [0; 25];
        gray[0] = 255;
        sequential(&gray, &mut out, 5, &[1, 2, 3, 2, 1]);
        assert_eq!(out[0], 64);
        // From the middle its weight is 1 of 81: 3.1. From (1, 0) it is 2 · 3 of (2 + 3 + 2 + 1) · 6 = 48: 31.9.
        assert_eq!((out[12], out[1]), (3, 32));
    }
}
