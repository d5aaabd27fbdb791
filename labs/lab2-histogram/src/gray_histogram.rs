//! Task `gray_histogram`: a colour image to gray and to the histogram of that gray, in one pass.
//!
//! gray = (30 R + 59 G + 11 B + 50) / 100 in integer arithmetic: the gray of lab 1, but exact, because one pixel
//! that differs by one level gives a different histogram.

use lab::{
    Argument, Case, Element, FewestBytes, Image, Memory, Mistake, Pattern, Picture, Points, Situation, Task,
    Tolerance, add, count_chunk, gray_level, gray_pixels, standard_cases,
};
use rayon::prelude::*;

use crate::LEVELS;
use crate::histogram::{Bins, bins_argument, bytes};
use crate::mistakes;
use crate::scales::{GRAY_SHARE, TIMES, timed_case};

/// The task, as the checker knows it.
pub struct GrayHistogram;

/// Median of `cargo bench -p lab2-histogram` (`gray_histogram/sequential`: 92.6 ms for the timed scene) on
/// 2026-11-21: one core of an Intel Xeon at 2.6 GHz, a virtual machine that names no model.
const NOMINAL_NANOSECONDS_PER_PIXEL: f64 = 1.97;

/// Pixels per task of the parallel reference.
const PARALLEL_PIXELS: usize = 64 * 1024;

/// The reference: `rgb` holds three bytes for each byte of `gray`; adds to `bins`.
pub fn sequential(rgb: &[u8], gray: &mut [u8], bins: &mut Bins) {
    for (pixel, gray) in rgb.chunks_exact(3).zip(gray) {
        *gray = gray_level(pixel[0], pixel[1], pixel[2]);
        bins[usize::from(*gray)] += 1;
    }
}

/// The same on all cores. Each part is first converted to gray with the CPU's widest vectors, then counted while it is
/// still in the cache.
pub fn parallel(rgb: &[u8], gray: &mut [u8], bins: &mut Bins) {
    let chunks = rgb.par_chunks(3 * PARALLEL_PIXELS).zip(gray.par_chunks_mut(PARALLEL_PIXELS));
    let counted = chunks.map(|(rgb, gray)| {
        gray_pixels(rgb, gray);
        count_chunk(gray)
    });
    *bins = add(*bins, counted.reduce(|| [0; LEVELS], add));
}

type Count = fn(&[u8], &mut [u8], &mut Bins);

fn run(count: Count, image: &Image) -> Vec<Vec<u8>> {
    let (mut gray, mut bins) = (vec![0; image.pixels()], [0; LEVELS]);
    count(&image.data, &mut gray, &mut bins);
    vec![gray, bytes(&bins)]
}

fn time(count: Count, image: &Image) -> f64 {
    // Ones, not zeros: the memory pages of the output exist before the clock starts.
    let (mut gray, mut bins) = (vec![1; image.pixels()], [0; LEVELS]);
    lab::seconds(|| count(&image.data, &mut gray, std::hint::black_box(&mut bins)))
}

impl Task for GrayHistogram {
    fn name(&self) -> &'static str {
        "gray_histogram"
    }

    fn summary(&self) -> &'static str {
        "RGB to gray, (30 R + 59 G + 11 B + 50) / 100, and the histogram of the gray"
    }

    fn parameters(&self) -> &'static str {
        "const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height"
    }

    fn cases(&self) -> Vec<Case> {
        let sums = Case::new("every sum of hundredths", Picture::Pattern(Pattern::ColourSums));
        standard_cases().into_iter().chain([sums]).collect()
    }

    fn timed_case(&self) -> Case {
        timed_case()
    }

    fn arguments(&self, image: &Image) -> Vec<Argument> {
        self.arguments_of(image.clone())
    }

    fn arguments_of(&self, image: Image) -> Vec<Argument> {
        let (memory, element) = (Memory::Device, Element::U8);
        let (length, row) = (image.pixels(), image.width);
        vec![
            Argument::Input { name: "rgb", memory, element, bytes: image.data },
            Argument::Output { name: "gray", memory, element, length, row, zeroed: false },
            bins_argument(),
            Argument::Int { name: "width", value: row as i32 },
            Argument::Int { name: "height", value: image.height as i32 },
        ]
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

    /// Three bytes read and one written a pixel, and the counters.
    fn fewest_bytes(&self, width: usize, height: usize) -> FewestBytes {
        let pixels = (width * height) as u64;
        FewestBytes { read: 3 * pixels, write: pixels + (LEVELS * Element::U32.size()) as u64 }
    }

    fn is_local(&self) -> bool {
        true
    }

    fn points(&self) -> Points {
        Points { correctness: 20.0, bandwidth: 12.0, speedup: 8.0, share: GRAY_SHARE, times: TIMES }
    }

    fn nominal_nanoseconds_per_pixel(&self) -> f64 {
        NOMINAL_NANOSECONDS_PER_PIXEL
    }

    fn ideas(&self) -> &'static [lab::Idea] {
        crate::ideas::IDEAS
    }

    fn hints(&self) -> &'static [&'static str] {
        &[
            "One thread, one pixel, three things: compute its gray level, store it, count it.",
            "Pixel i is rgb[3 * i], rgb[3 * i + 1] and rgb[3 * i + 2]; its level goes to gray[i] and to \
             bins[that level].",
            "Whole numbers only, as the task sheet has it: (30 * r + 59 * g + 11 * b + 50) / 100. A float sum falls \
             to the other side of a half now and then, and the counters of two levels are off.",
            "Count the level that you have just computed; reading gray[i] back costs a trip to memory.",
            "The launch needs a grid that covers width * height pixels, and a kernel that knows where they end.",
        ]
    }

    fn mistakes(&self) -> &'static [Mistake] {
        mistakes::GRAY_HISTOGRAM
    }

    fn partial(
        &self,
        situation: &Situation<'_>,
        covered: &dyn Fn(usize, usize) -> bool,
    ) -> Option<Vec<Vec<u8>>> {
        mistakes::partial(situation, covered, true)
    }

    fn first_step(&self) -> &'static str {
        "Fill in `gray_histogram_kernel` and launch it from `gray_histogram`, as `histogram` does above it."
    }
}
