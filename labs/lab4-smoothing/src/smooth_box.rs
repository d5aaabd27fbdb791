//! Task `smooth_box`: the mean of a pixel and its neighbours.
//!
//! out = Σ neighbours ÷ their number, over the part of the 5×5 neighbourhood that lies in the image, rounded to the
//! nearest level, halves up.
//!
//! The tolerance is exact. Sums and numbers of neighbours are integers, and a division in `float` gives the same levels:
//! n is at most 25, so a quotient is an integer or a half, which `float` represents, or at least 1/50 away from a half,
//! while the error of sum / n + 0.5 is less than 2 · 2⁻¹⁷.

use crate::mean::{self, Weights};
use crate::mistakes;
use crate::smoothing::Smoothing;

/// The task, as the checker knows it.
pub const SMOOTH_BOX: Smoothing = Smoothing {
    name: "smooth_box",
    summary: "5x5 mean of a gray image over the neighbours in the image, rounded",
    sequential,
    parallel,
    correctness: 20.0,
    bandwidth: 12.0,
    speedup: 8.0,
    nominal_nanoseconds_per_pixel: NOMINAL_NANOSECONDS_PER_PIXEL,
    hints: &[
        "Draw the 5x5 square around pixel (0, 0), then around (1, 0), then around (2, 2): how many of its pixels \
         lie in the image?",
        "One thread per pixel: x = blockIdx.x * blockDim.x + threadIdx.x, and y in the same way: x counts \
         columns, y counts rows. Threads outside the image do nothing.",
        "Row y begins at y * width: the neighbour dx columns and dy rows away is gray[(y + dy) * width + x + dx], \
         if 0 <= x + dx < width and 0 <= y + dy < height.",
        "Count the neighbours while you add them: at the borders there are fewer than 25.",
        "(sum + count / 2) / count rounds an integer quotient to the nearest level, without float.",
    ],
    mistakes: mistakes::BOX,
    first_step: "Fill in `smooth_box_kernel` in `labs/lab4-smoothing/smoothing.cu`: its launch is there already, with one thread per \
         pixel.",
};

/// Every neighbour has the same weight.
pub const WEIGHTS: Weights = [1; 5];

/// Median of `cargo bench -p lab4-smoothing --bench reference` (`smooth_box/sequential`: 1053 ms for the timed scene) on
/// 2026-11-21: one core of an Intel Xeon, a virtual machine that names no model, otherwise idle.
const NOMINAL_NANOSECONDS_PER_PIXEL: f64 = 22.4;

/// The reference: `gray` and `out` hold rows of `width` pixels.
pub fn sequential(gray: &[u8], out: &mut [u8], width: usize) {
    mean::sequential(gray, out, width, &WEIGHTS);
}

/// The same on all cores.
pub fn parallel(gray: &[u8], out: &mut [u8], width: usize) {
    mean::parallel::<1, 1, 1>(gray, out, width);
}
