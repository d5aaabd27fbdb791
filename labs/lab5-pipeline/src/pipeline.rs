//! Task `pipeline`: gray, histogram, stretch and smoothing, one after the other.
//!
//! gray = (30 R + 59 G + 11 B + 50) / 100, as in lab 1; the levels that at least one pixel in 1,024 has are
//! stretched over 0 to 255, as in lab 3; and every pixel becomes the mean of its 5×5 neighbours in the image, as
//! in lab 4. Every step takes the whole result of the step before, in integer arithmetic.

use lab::{
    Argument, Case, Element, FewestBytes, Image, Memory, Mistake, Pattern, Picture, Points, Stage, Task,
    Tolerance, cases_around_threshold,
};
use lab1_grayscale::grayscale;
use lab2_histogram::gray_histogram;
use lab3_equalization::{mapping, stretch};
use lab4_smoothing::{mean, smooth_box};

use crate::mistakes::PIPELINE;
use crate::scales::{SHARE, TIMES};

/// The task, as the checker knows it.
pub struct Pipeline;

/// Median of `cargo bench -p lab5-pipeline --bench reference` (`pipeline/sequential`: 1225 ms for the timed scene) on
/// 2026-11-21: one core of an Intel Xeon, a virtual machine that names no model, otherwise idle.
const NOMINAL_NANOSECONDS_PER_PIXEL: f64 = 26.1;

/// The reference: one step after the other, each a plain loop. `out` holds a byte for every three of `rgb`, in rows
/// of `width`.
pub fn sequential(rgb: &[u8], out: &mut [u8], width: usize) {
    let mut gray = vec![0; out.len()];
    grayscale::sequential(rgb, &mut gray);
    let mut stretched = vec![0; out.len()];
    mapping::sequential(stretch::table, &gray, &mut stretched);
    smooth_box::sequential(&stretched, out, width);
}

/// The same on all cores, in two passes: gray and its histogram together, as in lab 2; then each band of rows is stretched
/// and smoothed while it is in a core's own cache.
pub fn parallel(rgb: &[u8], out: &mut [u8], width: usize) {
    let (mut gray, mut bins) = (vec![0; out.len()], [0; mapping::LEVELS]);
    gray_histogram::parallel(rgb, &mut gray, &mut bins);
    let table = stretch::table(&bins);
    mean::bands::<1, 1, 1>(out, width, |rows| {
        let mut stretched = vec![0; rows.len() * width];
        mapping::map(&table, &gray[rows.start * width..rows.end * width], &mut stretched);
        stretched.into()
    });
}

/// The sizes that break a pipeline cut into bands, smallest first.
const SIZES: [(usize, usize, &str); 11] = [
    (1, 1, "1x1"),
    (1, 97, "1x97, one column"),
    (131, 1, "131x1, one row"),
    (5, 4, "5x4, fewer pixels than a warp"),
    (3, 7, "3x7, fewer rows than parts"),
    (31, 33, "31x33, odd"),
    (64, 32, "64x32, whole blocks"),
    (257, 9, "257x9, one past a block a row"),
    (34, 127, "34x127, taller than wide"),
    // The first pixel of nearly every row, times `1.0f / 61`, is less than the number of the row: no other width here is so bad.
    (61, 29, "61x29, rows that a reciprocal misses"),
    (1031, 11, "1031x11, wider than a block can be"),
];

impl Task for Pipeline {
    fn name(&self) -> &'static str {
        "pipeline"
    }

    fn summary(&self) -> &'static str {
        "gray, stretched and smoothed, from host memory to host memory"
    }

    fn parameters(&self) -> &'static str {
        "const uint8_t* host_rgb, uint8_t* host_out, int width, int height"
    }

    fn cases(&self) -> Vec<Case> {
        let sizes = SIZES
            .into_iter()
            .map(|(width, height, name)| Case::new(name, Picture::Noise { width, height, colours: 256 }));
        let adversarial = [
            Case::new("flat white", Picture::Flat { width: 67, height: 41, value: [255; 3] }),
            Case::new("1-row stripes", Picture::HorizontalStripes { width: 104, height: 64, period: 1 }),
            Case::new("narrow levels", Picture::LowContrast { width: 203, height: 150, low: 90, high: 141 }),
            Case::new("noise 2 values", Picture::Noise { width: 126, height: 75, colours: 2 }),
        ];
        let photograph = Case::new("photograph chelsea", Picture::Photograph("chelsea"));
        let large = Case::new("large scene 515x389", Picture::Scene { width: 515, height: 389 });
        let halves =
            Case::new("grays just below and above a half", Picture::Pattern(Pattern::GraysAroundHalf));
        let exact = cases_around_threshold().into_iter().chain([halves]);
        sizes.chain(adversarial).chain([photograph, large]).chain(exact).collect()
    }

    fn timed_case(&self) -> Case {
        Case::new("timed scene 8773x5352", Picture::Scene { width: 8773, height: 5352 })
    }

    fn arguments(&self, image: &Image) -> Vec<Argument> {
        let (memory, element) = (Memory::Host, Element::U8);
        let (length, row) = (image.pixels(), image.width);
        vec![
            Argument::Input { name: "host_rgb", memory, element, bytes: image.data.clone() },
            Argument::Output { name: "host_out", memory, element, length, row, zeroed: false },
            Argument::Int { name: "width", value: image.width as i32 },
            Argument::Int { name: "height", value: image.height as i32 },
        ]
    }

    fn reference(&self, image: &Image) -> Vec<Vec<u8>> {
        let mut out = vec![0; image.pixels()];
        sequential(&image.data, &mut out, image.width);
        vec![out]
    }

    fn parallel_reference(&self, image: &Image) -> Vec<Vec<u8>> {
        let mut out = vec![0; image.pixels()];
        parallel(&image.data, &mut out, image.width);
        vec![out]
    }

    fn sequential_seconds(&self, image: &Image) -> f64 {
        // The memory pages of the output exist before the clock starts.
        let mut out = vec![1; image.pixels()];
        lab::seconds(|| sequential(&image.data, &mut out, image.width))
    }

    fn parallel_seconds(&self, image: &Image) -> f64 {
        let mut out = vec![1; image.pixels()];
        lab::seconds(|| parallel(&image.data, &mut out, image.width))
    }

    /// One level, for means computed in `float`. Gray and stretch need integer arithmetic: a gray that differs by one
    /// level may change the range, and with it every pixel.
    fn tolerance(&self) -> Tolerance {
        Tolerance::Levels(1)
    }

    /// The image crosses the link once, the result once.
    fn fewest_bytes(&self, width: usize, height: usize) -> FewestBytes {
        let pixels = (width * height) as u64;
        FewestBytes { read: 3 * pixels, write: pixels }
    }

    fn over_link(&self) -> bool {
        true
    }

    fn points(&self) -> Points {
        Points { correctness: 50.0, bandwidth: 30.0, speedup: 20.0, share: SHARE, times: TIMES }
    }

    fn nominal_nanoseconds_per_pixel(&self) -> f64 {
        NOMINAL_NANOSECONDS_PER_PIXEL
    }

    fn ideas(&self) -> &'static [lab::Idea] {
        crate::ideas::IDEAS
    }

    fn hints(&self) -> &'static [&'static str] {
        &[
            "List the steps in order: allocate, copy the image to the GPU, gray, count, find the range, stretch, smooth, \
             copy the result back, free. Which of these are kernels?",
            "Host memory and GPU memory are separate: every buffer that a kernel accesses comes from cudaMalloc, and \
             cudaMemcpy(to, from, bytes, direction) copies between them. The image has 3 * width * height bytes.",
            "Memory from cudaMalloc is uninitialized: set counters to 0 first with cudaMemset(bins, 0, bytes).",
            "The range is known only when all pixels are counted. Copy the 256 counters to the host and search there: the \
             copy waits for the kernel before it.",
            "If an image has only one level, low and high are equal: the stretch copies the pixels.",
            "A band of rows that is smoothed separately also needs two rows above and two rows below, if they are in the image.",
            "cudaMemcpyAsync returns before the bytes have arrived. The function must not return before that, so end it \
             with cudaDeviceSynchronize or cudaStreamSynchronize.",
            "Operations in two streams have no order. cudaEventRecord after the first and cudaStreamWaitEvent before the \
             second give them one.",
        ]
    }

    fn mistakes(&self) -> &'static [Mistake] {
        PIPELINE
    }

    fn stages(&self, image: &Image) -> Vec<Stage> {
        let mut gray = vec![0; image.pixels()];
        grayscale::sequential(&image.data, &mut gray);
        let bins = lab::count_levels(&gray);
        let (low, high) = stretch::range(&bins);
        let mut stretched = vec![0; gray.len()];
        mapping::sequential(stretch::table, &gray, &mut stretched);
        vec![
            Stage::picture("the gray picture", &["gray", "grey"], image.width, gray),
            Stage::histogram(&bins),
            Stage::range(low, high),
            Stage::picture("the stretched picture", &["stretch", "contrast"], image.width, stretched),
        ]
    }

    fn first_step(&self) -> &'static str {
        "Fill in `pipeline` in `labs/lab5-pipeline/pipeline.cu`: allocate, copy the image to the GPU, run your kernels \
         of labs 1 to 4, copy the result back, free."
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    /// Two gray levels, far more than one pixel in 1,024 each: they become 0 and 255, and the mean of 0 and 255 over
    /// as many pixels of both is 127.5, rounded up.
    #[test]
    fn the_steps_follow_each_other() {
        let rgb: Vec<u8> = [[10, 10, 10], [30, 30, 30]].concat();
        let mut out = [0; 2];
        sequential(&rgb, &mut out, 2);
        assert_eq!(out, [128, 128]);
        // Gray of pure green 100 is 59; of the other 0.
        let rgb: Vec<u8> = [[0, 100, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]].concat();
        let mut out = [0; 4];
        sequential(&rgb, &mut out, 4);
        // 255 / 3, 255 / 4, 255 / 4, and the last has no bright neighbour.
        assert_eq!(out, [85, 64, 64, 0]);
    }
}
