//! Task `sobel`: how much the gray level changes around a pixel.
//!
//! With the 3×3 neighbourhood a b c / d e f / g h i of a pixel: gx = (c + 2f + i) − (a + 2d + g), gy = (g + 2h + i) −
//! (a + 2b + c), out = min(|gx| + |gy|, 255). A neighbour outside the image has the value of the nearest pixel inside, so
//! every pixel has a result, and an image of one level has the result 0 everywhere.
//!
//! The tolerance is exact: all are integers, from −1,020 to 1,020.

use lab::vectors::{Vectorised, widest};
use lab::{
    Argument, Case, FewestBytes, Idea, Image, Mistake, Points, Task, Tolerance, gray, gray_to_gray_arguments,
    gray_to_gray_arguments_of, seconds,
};
use rayon::prelude::*;

use crate::cases;
use crate::scales::{SHARE, TIMES};
use crate::{ideas, mistakes};

/// Rows per task of the parallel reference.
const PARALLEL_ROWS: usize = 32;

// ANCHOR: reference
/// The result of a pixel, from its row and the rows above and below, each with its left, its own and its right column.
#[inline(always)]
fn edge(above: [u8; 3], own: [u8; 3], below: [u8; 3]) -> u8 {
    let ([a, b, c], [d, _, f], [g, h, i]) = (above.map(i16::from), own.map(i16::from), below.map(i16::from));
    let gx = (c + 2 * f + i) - (a + 2 * d + g);
    let gy = (g + 2 * h + i) - (a + 2 * b + c);
    (gx.abs() + gy.abs()).min(255) as u8
}

/// The reference: one pixel after the other. `gray` and `out` hold rows of `width` pixels.
pub fn sequential(gray: &[u8], out: &mut [u8], width: usize) {
    let height = gray.len() / width;
    for y in 0..height {
        let rows = [y.saturating_sub(1), y, (y + 1).min(height - 1)];
        let [above, own, below] = rows.map(|row| &gray[row * width..][..width]);
        for x in 0..width {
            let columns = [x.saturating_sub(1), x, (x + 1).min(width - 1)];
            out[y * width + x] =
                edge(columns.map(|c| above[c]), columns.map(|c| own[c]), columns.map(|c| below[c]));
        }
    }
}
// ANCHOR_END: reference

/// The same on all cores, and with vectors: only the first and the last column need other columns than their neighbours.
pub fn parallel(gray: &[u8], out: &mut [u8], width: usize) {
    let height = gray.len() / width;
    out.par_chunks_mut(PARALLEL_ROWS * width).enumerate().for_each(|(band, out)| {
        for (row, out) in out.chunks_exact_mut(width).enumerate() {
            let y = band * PARALLEL_ROWS + row;
            let rows = [y.saturating_sub(1), y, (y + 1).min(height - 1)];
            let [above, own, below] = rows.map(|row| &gray[row * width..][..width]);
            widest(Row { above, own, below, out });
        }
    });
}

/// A row of results, and the rows that it is computed from.
struct Row<'a> {
    above: &'a [u8],
    own: &'a [u8],
    below: &'a [u8],
    out: &'a mut [u8],
}

impl Vectorised for Row<'_> {
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let Self { above, own, below, out } = self;
        let last = out.len() - 1;
        let rows = above.windows(3).zip(own.windows(3)).zip(below.windows(3));
        for (out, ((above, own), below)) in out.iter_mut().skip(1).zip(rows) {
            *out = edge(
                [above[0], above[1], above[2]],
                [own[0], own[1], own[2]],
                [below[0], below[1], below[2]],
            );
        }
        for x in [0, last] {
            let columns = [x.saturating_sub(1), x, (x + 1).min(last)];
            out[x] = edge(columns.map(|c| above[c]), columns.map(|c| own[c]), columns.map(|c| below[c]));
        }
    }
}

// ANCHOR: task
/// The task, as the checker knows it.
pub struct Sobel;

impl Task for Sobel {
    fn name(&self) -> &'static str {
        "sobel"
    }

    fn summary(&self) -> &'static str {
        "edges of a gray image: |gx| + |gy| of the 3x3 Sobel filter, at most 255"
    }

    fn parameters(&self) -> &'static str {
        "const uint8_t* gray, uint8_t* out, int width, int height"
    }

    fn cases(&self) -> Vec<Case> {
        cases::cases()
    }

    fn timed_case(&self) -> Case {
        cases::timed()
    }

    fn arguments(&self, image: &Image) -> Vec<Argument> {
        gray_to_gray_arguments(image)
    }

    fn arguments_of(&self, image: Image) -> Vec<Argument> {
        gray_to_gray_arguments_of(image)
    }

    fn is_gray(&self) -> bool {
        true
    }

    fn reference(&self, image: &Image) -> Vec<Vec<u8>> {
        run(sequential, image)
    }

    fn parallel_reference(&self, image: &Image) -> Vec<Vec<u8>> {
        run(parallel, image)
    }

    fn sequential_seconds(&self, image: &Image) -> f64 {
        time(sequential, image)
    }

    fn parallel_seconds(&self, image: &Image) -> f64 {
        time(parallel, image)
    }

    fn tolerance(&self) -> Tolerance {
        Tolerance::Exact
    }

    fn fewest_bytes(&self, width: usize, height: usize) -> FewestBytes {
        let bytes = (width * height) as u64;
        FewestBytes { read: bytes, write: bytes }
    }

    fn is_local(&self) -> bool {
        true
    }

    fn points(&self) -> Points {
        Points { correctness: 50.0, bandwidth: 30.0, speedup: 20.0, share: SHARE, times: TIMES }
    }

    /// `cargo bench -p lab6-sobel --bench reference` (`sobel/sequential`: 130 ms for the timed scene, the least of a machine
    /// that was not idle) on 2026-11-23: one core of an Intel Xeon, a virtual machine that names no model.
    fn nominal_nanoseconds_per_pixel(&self) -> f64 {
        2.8
    }

    fn hints(&self) -> &'static [&'static str] {
        &[
            "Draw the 3x3 square around pixel (0, 0): which of its nine places lie outside the image, and which pixel inside is \
             the nearest to each?",
            "One thread per pixel: x = blockIdx.x * blockDim.x + threadIdx.x, and y in the same way: x counts columns, y \
             counts rows. Threads outside the image do nothing.",
            "The pixel in column c and row r is gray[r * width + c]. Clamp both: c = min(max(c, 0), width - 1), and r in the \
             same way with height.",
            "The slope gx is the right column minus the left one, gy the lower row minus the upper one; the middle of each counts twice. \
             Both can be negative: use int and abs.",
            "The sum abs(gx) + abs(gy) can be 1,530: store min(sum, 255).",
        ]
    }

    fn ideas(&self) -> &'static [Idea] {
        ideas::IDEAS
    }

    fn mistakes(&self) -> &'static [Mistake] {
        mistakes::MISTAKES
    }

    fn first_step(&self) -> &'static str {
        "Fill in `sobel_kernel` in `labs/lab6-sobel/sobel.cu`: its launch is there already, with one thread per pixel."
    }
}
// ANCHOR_END: task

/// A reference: computes the second image from the first; both have rows of this many pixels.
type Reference = fn(&[u8], &mut [u8], usize);

fn run(reference: Reference, image: &Image) -> Vec<Vec<u8>> {
    let mut out = vec![0; image.pixels()];
    reference(&gray(image), &mut out, image.width);
    vec![out]
}

fn time(reference: Reference, image: &Image) -> f64 {
    // The gray image and the memory pages of the output exist before the clock starts.
    let (gray, mut out) = (gray(image), vec![1; image.pixels()]);
    seconds(|| reference(&gray, &mut out, image.width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_counts_the_nearest_pixels() {
        // 10 20 / 30 50. In the corner: a b d e = 10, c f = 20, g h = 30, i = 50.
        let mut out = [0; 4];
        sequential(&[10, 20, 30, 50], &mut out, 2);
        assert_eq!(out[0], 50 + 90);
        let mut out = [1];
        sequential(&[77], &mut out, 1);
        assert_eq!(out, [0]);
    }

    #[test]
    fn a_step_from_black_to_white_is_255_and_a_slope_is_eight_per_level() {
        let mut out = [0; 9];
        sequential(&[0, 0, 255, 0, 0, 255, 0, 0, 255], &mut out, 3);
        assert_eq!(out[3..6], [0, 255, 255]);
        sequential(&[1, 2, 3, 1, 2, 3, 1, 2, 3], &mut out, 3);
        assert_eq!(out[3..6], [4, 8, 4]);
    }
}
