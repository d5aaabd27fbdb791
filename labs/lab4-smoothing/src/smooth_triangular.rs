//! Task `smooth_triangular`: a mean in which nearer neighbours have larger weights.
//!
//! The neighbour dx columns and dy rows away has the weight (3 − |dx|) · (3 − |dy|): the outer product of 1 2 3 2 1 with
//! itself. out = Σ weight · neighbour ÷ Σ weight over the neighbours in the image, rounded to the nearest level, halves
//! up.
//!
//! The tolerance is exact, as for the box: the sum of the weights is at most 81, so a quotient is an integer or a half,
//! or at least 1/162 away from a half, while the error of a division in `float` is less than 2⁻¹⁶.

use crate::mean::{self, Weights};
use crate::mistakes;
use crate::smoothing::Smoothing;

/// The task, as the checker knows it.
pub const SMOOTH_TRIANGULAR: Smoothing = Smoothing {
    name: "smooth_triangular",
    summary: "5x5 mean of a gray image, weights 1 2 3 2 1 in x and y, rounded",
    sequential,
    parallel,
    correctness: 15.0,
    bandwidth: 9.0,
    speedup: 6.0,
    nominal_nanoseconds_per_pixel: NOMINAL_NANOSECONDS_PER_PIXEL,
    hints: &[
        "Write the 25 weights as a square: what do the weights of a row have in common with the weights of the next row?",
        "The weight is (3 - abs(dx)) * (3 - abs(dy)): 9 in the middle, 1 in the corners, 81 in total.",
        "At the borders some neighbours are missing, and so are their weights: add up the weights while you add \
         up the products, and divide by that sum.",
        "(sum + total / 2) / total rounds to the nearest level.",
        "A weighted sum is at most 81 * 255 = 20655: it fits an int, and even 16 bits, but not a byte.",
    ],
    mistakes: mistakes::TRIANGULAR,
    first_step: "`smooth_triangular_kernel` is the kernel of `smooth_box` with every neighbour multiplied by its weight: fill it in, and launch it.",
};

/// Falls linearly from the middle.
pub const WEIGHTS: Weights = [1, 2, 3, 2, 1];

/// Median of `cargo bench -p lab4-smoothing --bench reference` (`smooth_triangular/sequential`: 1067 ms for the timed scene) on
/// 2026-11-21: one core of an Intel Xeon, a virtual machine that names no model, otherwise idle.
const NOMINAL_NANOSECONDS_PER_PIXEL: f64 = 22.7;

/// The reference: `gray` and `out` hold rows of `width` pixels.
pub fn sequential(gray: &[u8], out: &mut [u8], width: usize) {
    mean::sequential(gray, out, width, &WEIGHTS);
}

/// The same on all cores.
pub fn parallel(gray: &[u8], out: &mut [u8], width: usize) {
    mean::parallel::<1, 2, 3>(gray, out, width);
}
