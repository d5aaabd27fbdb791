//! The parts that the two means share as tasks: images, arguments, tolerance and scales.

use lab::{
    Argument, Case, FewestBytes, Image, Mistake, Points, Task, Tolerance, gray, gray_to_gray_arguments,
    gray_to_gray_arguments_of,
};

use crate::cases;
use crate::scales::{MEAN_SHARE, MEAN_TIMES, fewest_bytes};

/// A reference: computes the second image from the first; both have rows of this many pixels.
type Reference = fn(&[u8], &mut [u8], usize);

/// A weighted mean as a task: the parts that differ between the two.
pub struct Smoothing {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) sequential: Reference,
    pub(crate) parallel: Reference,
    pub(crate) correctness: f64,
    pub(crate) bandwidth: f64,
    pub(crate) speedup: f64,
    pub(crate) nominal_nanoseconds_per_pixel: f64,
    pub(crate) hints: &'static [&'static str],
    pub(crate) mistakes: &'static [Mistake],
    pub(crate) first_step: &'static str,
}

fn run(reference: Reference, image: &Image) -> Vec<Vec<u8>> {
    let mut out = vec![0; image.pixels()];
    reference(&gray(image), &mut out, image.width);
    vec![out]
}

fn time(reference: Reference, image: &Image) -> f64 {
    // The gray image and the memory pages of the output exist before the clock starts.
    let (gray, mut out) = (gray(image), vec![1; image.pixels()]);
    lab::seconds(|| reference(&gray, &mut out, image.width))
}

impl Task for Smoothing {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        self.summary
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

    fn arguments_of(&self, image: Image) -> Vec<Argument> {
        gray_to_gray_arguments_of(image)
    }

    fn is_gray(&self) -> bool {
        true
    }

    fn reference(&self, image: &Image) -> Vec<Vec<u8>> {
        run(self.sequential, image)
    }

    fn parallel_reference(&self, image: &Image) -> Vec<Vec<u8>> {
        run(self.parallel, image)
    }

    fn sequential_seconds(&self, image: &Image) -> f64 {
        time(self.sequential, image)
    }

    fn parallel_seconds(&self, image: &Image) -> f64 {
        time(self.parallel, image)
    }

    /// Exact: the module of each task says why a division in `float` gives the same levels.
    fn tolerance(&self) -> Tolerance {
        Tolerance::Exact
    }

    fn fewest_bytes(&self, width: usize, height: usize) -> FewestBytes {
        fewest_bytes(width, height, 1)
    }

    fn is_local(&self) -> bool {
        true
    }

    fn points(&self) -> Points {
        let Self { correctness, bandwidth, speedup, .. } = *self;
        Points { correctness, bandwidth, speedup, share: MEAN_SHARE, times: MEAN_TIMES }
    }

    fn nominal_nanoseconds_per_pixel(&self) -> f64 {
        self.nominal_nanoseconds_per_pixel
    }

    fn ideas(&self) -> &'static [lab::Idea] {
        crate::ideas::MEAN
    }

    fn hints(&self) -> &'static [&'static str] {
        self.hints
    }

    fn mistakes(&self) -> &'static [Mistake] {
        self.mistakes
    }

    fn first_step(&self) -> &'static str {
        self.first_step
    }
}
