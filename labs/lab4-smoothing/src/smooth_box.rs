//! Task `smooth_box`: the mean of a pixel and its neighbours.
//!
//! out = Σ neighbours ÷ their number, over the part of the 5×5 neighbourhood that lies in the image, rounded to the
//! nearest level, halves up.

use lab::{
    Argument, Case, FewestBytes, Image, Mistake, Points, Task, Tolerance, gray, gray_to_gray_arguments,
};

use crate::cases;
use crate::mean::{self, Weights};
use crate::mistakes;
use crate::scales::{MEAN_SHARE, MEAN_TIMES, fewest_bytes};

/// The task, as the checker knows it.
pub struct SmoothBox;

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

impl Task for SmoothBox {
    fn name(&self) -> &'static str {
        "smooth_box"
    }

    fn summary(&self) -> &'static str {
        "5x5 mean of a gray image over the neighbours in the image, rounded"
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

    /// Exact. Sums and numbers of neighbours are integers, and a division in `float` gives the same levels: n is at
    /// most 25, so a quotient is an integer or a half, which `float` represents, or at least 1/50 away from a half,
    /// while the error of sum / n + 0.5 is less than 2 · 2⁻¹⁷.
    fn tolerance(&self) -> Tolerance {
        Tolerance::Exact
    }

    fn fewest_bytes(&self, width: usize, height: usize) -> FewestBytes {
        fewest_bytes(width, height, 1)
    }

    fn points(&self) -> Points {
        Points { correctness: 20.0, bandwidth: 12.0, speedup: 8.0, share: MEAN_SHARE, times: MEAN_TIMES }
    }

    fn nominal_nanoseconds_per_pixel(&self) -> f64 {
        NOMINAL_NANOSECONDS_PER_PIXEL
    }

    fn hints(&self) -> &'static [&'static str] {
        &[
            "Draw the 5x5 square around pixel (0, 0), then around (1, 0), then around (2, 2): how many of its pixels \
             lie in the image?",
            "One thread per pixel: x = blockIdx.x * blockDim.x + threadIdx.x, and y in the same way: x counts \
             columns, y counts rows. Threads outside the image return.",
            "Row y begins at y * width: the neighbour dx columns and dy rows away is gray[(y + dy) * width + x + dx], \
             if 0 <= x + dx < width and 0 <= y + dy < height.",
            "Count the neighbours while you add them: at the borders there are fewer than 25.",
            "(sum + count / 2) / count rounds an integer quotient to the nearest level, without float.",
        ]
    }

    fn mistakes(&self) -> &'static [Mistake] {
        mistakes::BOX
    }

    fn first_step(&self) -> &'static str {
        "Fill in `smooth_box_kernel` in `labs/lab4-smoothing/smoothing.cu`: its launch is there already, with one thread per \
         pixel."
    }
}
