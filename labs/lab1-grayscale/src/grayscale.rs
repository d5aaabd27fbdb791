//! Task `grayscale`: interleaved RGB to gray.
//!
//! gray = 0.3 R + 0.59 G + 0.11 B, rounded to the nearest level, halves up. The reference computes in integer
//! hundredths, so that its result is the same on every machine and with every compiler option.

use lab::{
    Argument, Case, Element, FewestBytes, Image, Memory, Mistake, Points, Task, Tolerance, gray_pixels,
    standard_cases,
};
use rayon::prelude::*;

use crate::mistakes;
use crate::scales::{SHARE, TIMES, fewest_bytes, timed_case};

/// The task, as the checker knows it.
pub struct Grayscale;

/// Median of `cargo bench -p lab1-grayscale` (`grayscale/sequential`: 86.3 ms for the timed scene) on
/// 2026-11-21: one core of an Intel Xeon at 2.6 GHz, a virtual machine that names no model.
const NOMINAL_NANOSECONDS_PER_PIXEL: f64 = 1.84;

/// Pixels per task of the parallel reference: few enough for a core's own cache.
const PARALLEL_PIXELS: usize = 64 * 1024;

/// One pixel: hundredths of a level, rounded halves up.
fn level(red: u8, green: u8, blue: u8) -> u8 {
    ((30 * u32::from(red) + 59 * u32::from(green) + 11 * u32::from(blue) + 50) / 100) as u8
}

/// The reference: `rgb` holds three bytes for each byte of `gray`.
pub fn sequential(rgb: &[u8], gray: &mut [u8]) {
    for (pixel, gray) in rgb.chunks_exact(3).zip(gray) {
        *gray = level(pixel[0], pixel[1], pixel[2]);
    }
}

/// The same on all cores, in 16 bits and with the CPU's widest vectors.
pub fn parallel(rgb: &[u8], gray: &mut [u8]) {
    let rgb = rgb.par_chunks(3 * PARALLEL_PIXELS);
    rgb.zip(gray.par_chunks_mut(PARALLEL_PIXELS)).for_each(|(rgb, gray)| gray_pixels(rgb, gray));
}

impl Task for Grayscale {
    fn name(&self) -> &'static str {
        "grayscale"
    }

    fn summary(&self) -> &'static str {
        "interleaved RGB to gray: 0.3 R + 0.59 G + 0.11 B, rounded"
    }

    fn parameters(&self) -> &'static str {
        "const uint8_t* rgb, uint8_t* gray, int width, int height"
    }

    fn cases(&self) -> Vec<Case> {
        standard_cases()
    }

    fn timed_case(&self) -> Case {
        timed_case()
    }

    fn arguments(&self, image: &Image) -> Vec<Argument> {
        self.arguments_of(image.clone())
    }

    fn arguments_of(&self, mut image: Image) -> Vec<Argument> {
        let bytes = std::mem::take(&mut image.data);
        arguments("rgb", bytes, &image)
    }

    fn reference(&self, image: &Image) -> Vec<Vec<u8>> {
        let mut gray = vec![0; image.pixels()];
        sequential(&image.data, &mut gray);
        vec![gray]
    }

    fn parallel_reference(&self, image: &Image) -> Vec<Vec<u8>> {
        let mut gray = vec![0; image.pixels()];
        parallel(&image.data, &mut gray);
        vec![gray]
    }

    fn sequential_seconds(&self, image: &Image) -> f64 {
        // Ones, not zeros: the memory pages of the output exist before the clock starts.
        let mut gray = vec![1; image.pixels()];
        lab::seconds(|| sequential(&image.data, &mut gray))
    }

    fn parallel_seconds(&self, image: &Image) -> f64 {
        let mut gray = vec![1; image.pixels()];
        lab::seconds(|| parallel(&image.data, &mut gray))
    }

    /// One level. A weighted sum is a multiple of 0.01, so it is a half or at least 0.01 away from one. In `float`
    /// the error of three products and two sums is less than 6 roundings of a number below 256,
    /// 6 · 2⁻²⁴ · 256 < 0.0001: only a value that is exactly a half can round the other way, by one level. Kernels
    /// with 8-bit weights (77, 151 and 28 of 256) have an error of at most 0.2, and stay within one level too.
    fn tolerance(&self) -> Tolerance {
        Tolerance::Levels(1)
    }

    fn fewest_bytes(&self, width: usize, height: usize) -> FewestBytes {
        fewest_bytes(width, height)
    }

    fn is_local(&self) -> bool {
        true
    }

    fn points(&self) -> Points {
        Points { correctness: 30.0, bandwidth: 18.0, speedup: 12.0, share: SHARE, times: TIMES }
    }

    fn nominal_nanoseconds_per_pixel(&self) -> f64 {
        NOMINAL_NANOSECONDS_PER_PIXEL
    }

    fn ideas(&self) -> &'static [lab::Idea] {
        crate::ideas::IDEAS
    }

    fn hints(&self) -> &'static [&'static str] {
        &[
            "Compute one pixel on paper: which three bytes of `rgb` belong to pixel 0, to pixel 1, to pixel i?",
            "Every thread needs an index that no other thread has: `blockIdx.x * blockDim.x + threadIdx.x`.",
            "The grid consists of whole blocks, so it can have more threads than the image has pixels: threads past \
             the last pixel must not access memory.",
            "`gray` has one byte per pixel and `rgb` has three: thread i reads rgb[3 * i], rgb[3 * i + 1] and \
             rgb[3 * i + 2], and writes gray[i].",
            "A conversion from float to uint8_t truncates: add 0.5f first to round.",
        ]
    }

    fn mistakes(&self) -> &'static [Mistake] {
        mistakes::GRAYSCALE
    }

    fn first_step(&self) -> &'static str {
        "Fill in `grayscale_kernel` in `labs/lab1-grayscale/grayscale.cu`: its launch is there already, so one \
         correct line for one pixel is enough to pass every case."
    }
}

/// The arguments of both tasks: an input of three bytes per pixel under this name, an output of one byte per pixel, and
/// the size.
pub(crate) fn arguments(name: &'static str, bytes: Vec<u8>, image: &Image) -> Vec<Argument> {
    let (memory, element) = (Memory::Device, Element::U8);
    let (length, row) = (image.pixels(), image.width);
    vec![
        Argument::Input { name, memory, element, bytes },
        Argument::Output { name: "gray", memory, element, length, row, zeroed: false },
        Argument::Int { name: "width", value: image.width as i32 },
        Argument::Int { name: "height", value: image.height as i32 },
    ]
}

#[cfg(test)]
mod tests {
    use super::level;

    #[test]
    fn rounds_halves_up() {
        // 0.3 · 5 = 1.5, 0.59 · 50 = 29.5, 0.11 · 50 = 5.5; just below a half; the ends of the scale.
        let pixels = [[5, 0, 0], [0, 50, 0], [0, 0, 50], [0, 0, 4], [0, 0, 0], [255, 255, 255]];
        assert_eq!(pixels.map(|[r, g, b]| level(r, g, b)), [2, 30, 6, 0, 0, 255]);
    }

    #[test]
    fn single_precision_stays_within_the_tolerance_for_every_colour() {
        for colour in 0..1_u32 << 24 {
            let [red, green, blue, _] = colour.to_le_bytes();
            let float = 0.3_f32 * f32::from(red) + 0.59 * f32::from(green) + 0.11 * f32::from(blue) + 0.5;
            assert!((float as u8).abs_diff(level(red, green, blue)) <= 1, "{red} {green} {blue}");
        }
    }
}
