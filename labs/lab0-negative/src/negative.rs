//! Task `negative`: out = 255 − gray, for every pixel of a gray image.
//!
//! The tolerance is exact: all are integers.

use lab::{
    Argument, Case, FewestBytes, Idea, Image, Mistake, Picture, Points, Task, Tolerance, gray, gray_cases,
    gray_to_gray_arguments, gray_to_gray_arguments_of, seconds,
};
use rayon::prelude::*;

use crate::scales::{SHARE, TIMES};
use crate::{ideas, mistakes};

/// Pixels per task of the parallel reference.
const PARALLEL_PIXELS: usize = 64 * 1024;

/// The reference: plain loops that a student can read.
pub fn sequential(gray: &[u8], out: &mut [u8]) {
    for (gray, out) in gray.iter().zip(out) {
        *out = 255 - gray;
    }
}

/// The same on all cores.
pub fn parallel(gray: &[u8], out: &mut [u8]) {
    let parts = gray.par_chunks(PARALLEL_PIXELS).zip(out.par_chunks_mut(PARALLEL_PIXELS));
    parts.for_each(|(gray, out)| sequential(gray, out));
}

/// The task, as the checker knows it.
pub struct Negative;

impl Task for Negative {
    fn name(&self) -> &'static str {
        "negative"
    }

    fn summary(&self) -> &'static str {
        "255 minus the level of each pixel of a gray image"
    }

    fn parameters(&self) -> &'static str {
        "const uint8_t* gray, uint8_t* out, int width, int height"
    }

    fn cases(&self) -> Vec<Case> {
        gray_cases()
    }

    /// Too large for any cache.
    fn timed_case(&self) -> Case {
        Case::new("timed scene 8773x5352", Picture::Scene { width: 8773, height: 5352 })
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

    /// Each input read once, each output written once.
    fn fewest_bytes(&self, width: usize, height: usize) -> FewestBytes {
        let bytes = (width * height) as u64;
        FewestBytes { read: bytes, write: bytes }
    }

    /// Each pixel depends on pixels at most two rows away.
    fn is_local(&self) -> bool {
        true
    }

    fn points(&self) -> Points {
        Points { correctness: 50.0, bandwidth: 30.0, speedup: 20.0, share: SHARE, times: TIMES }
    }

    /// Nanoseconds per pixel of the sequential reference on one core: `checker labN` on a machine with a GPU shows the
    /// milliseconds. Note beside the number the machine and the day.
    fn nominal_nanoseconds_per_pixel(&self) -> f64 {
        1.0
    }

    fn hints(&self) -> &'static [&'static str] {
        &[
            "One thread per pixel: i = blockIdx.x * blockDim.x + threadIdx.x. Threads past the last pixel do nothing.",
            "Column x of row y is gray[y * width + x].",
        ]
    }

    fn ideas(&self) -> &'static [Idea] {
        ideas::IDEAS
    }

    fn mistakes(&self) -> &'static [Mistake] {
        mistakes::MISTAKES
    }

    fn first_step(&self) -> &'static str {
        "Fill in `negative_kernel` in `labs/lab0-negative/negative.cu`: its launch is there already, with one thread per pixel."
    }
}

/// A reference: computes the second image from the first.
type Reference = fn(&[u8], &mut [u8]);

fn run(reference: Reference, image: &Image) -> Vec<Vec<u8>> {
    let mut out = vec![0; image.pixels()];
    reference(&gray(image), &mut out);
    vec![out]
}

fn time(reference: Reference, image: &Image) -> f64 {
    // The gray image and the memory pages of the output exist before the clock starts.
    let (gray, mut out) = (gray(image), vec![1; image.pixels()]);
    seconds(|| reference(&gray, &mut out))
}
