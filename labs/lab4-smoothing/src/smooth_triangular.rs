//! Task `smooth_triangular`: a mean in which nearer neighbours have larger weights.
//!
//! The neighbour dx columns and dy rows away has the weight (3 − |dx|) · (3 − |dy|): the outer product of 1 2 3 2 1 with
//! itself. out = Σ weight · neighbour ÷ Σ weight over the neighbours in the image, rounded to the nearest level, halves
//! up.

use lab::{
    Argument, Case, FewestBytes, Image, Mistake, Points, Task, Tolerance, gray, gray_to_gray_arguments,
};

use crate::cases;
use crate::mean::{self, Weights};
use crate::mistakes;
use crate::scales::{MEAN_SHARE, MEAN_TIMES, fewest_bytes};

/// The task, as the checker knows it.
pub struct SmoothTriangular;

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

impl Task for SmoothTriangular {
    fn name(&self) -> &'static str {
        "smooth_triangular"
    }

    fn summary(&self) -> &'static str {
        "5x5 mean of a gray image, weights 1 2 3 2 1 in x and y, rounded"
    }

    fn parameters(&self) -> &'static str {
        "const uint8_t* gray, uint8_t* out, int width, int height"
    }

    fn cases(&self) -> Vec<Case> {
        cases::plain()
    }

    fn timed_case(&self) -> Case {
        cases::timed()
    }

    fn arguments(&self, image: &Image) -> Vec<Argument> {
        gray_to_gray_arguments(image)
    }

    fn reference(&self, image: &Image) -> Vec<Vec<u8>> {
        let mut out = vec![0; image.pixels()];
        sequential(&gray(image), &mut out, image.width);
        vec![out]
    }

    fn parallel_reference(&self, image: &Image) -> Vec<Vec<u8>> {
        let mut out = vec![0; image.pixels()];
        parallel(&gray(image), &mut out, image.width);
        vec![out]
    }

    fn sequential_seconds(&self, image: &Image) -> f64 {
        // The gray image and the memory pages of the output exist before the clock starts.
        let (gray, mut out) = (gray(image), vec![1; image.pixels()]);
        lab::seconds(|| sequential(&gray, &mut out, image.width))
    }

    fn parallel_seconds(&self, image: &Image) -> f64 {
        let (gray, mut out) = (gray(image), vec![1; image.pixels()]);
        lab::seconds(|| parallel(&gray, &mut out, image.width))
    }

    /// Exact, as for the box: the sum of the weights is at most 81, so a quotient is an integer or a half, or at least
    /// 1/162 away from a half, while the error of a division in `float` is less than 2⁻¹⁶.
    fn tolerance(&self) -> Tolerance {
        Tolerance::Exact
    }

    fn fewest_bytes(&self, width: usize, height: usize) -> FewestBytes {
        fewest_bytes(width, height, 1)
    }

    fn points(&self) -> Points {
        Points { correctness: 15.0, bandwidth: 9.0, speedup: 6.0, share: MEAN_SHARE, times: MEAN_TIMES }
    }

    fn nominal_nanoseconds_per_pixel(&self) -> f64 {
        NOMINAL_NANOSECONDS_PER_PIXEL
    }

    fn hints(&self) -> &'static [&'static str] {
        &[
            "Write the 25 weights as a square: what do the weights of a row have in common with the weights of the next row?",
            "The weight is (3 - abs(dx)) * (3 - abs(dy)): 9 in the middle, 1 in the corners, 81 in total.",
            "At the borders some neighbours are missing, and so are their weights: add up the weights while you add \
             up the products, and divide by that sum.",
            "(sum + total / 2) / total rounds to the nearest level.",
            "A weighted sum is at most 81 * 255 = 20655: it fits an int, and even 16 bits, but not a byte.",
        ]
    }

    fn mistakes(&self) -> &'static [Mistake] {
        mistakes::TRIANGULAR
    }

    fn first_step(&self) -> &'static str {
        "Get `smooth_box` right first, then multiply every neighbour by its weight in `smooth_triangular_kernel`, and launch it."
    }
}
