//! Task `grayscale_darken`: planar RGB to a darker gray.
//!
//! gray = (0.3 R + 0.59 G + 0.11 B) · 0.6 + 0.5, truncated; the weighted sum itself is not rounded. The input
//! holds the whole red plane, then green, then blue, each `width * height` bytes. The reference computes in
//! integer five-hundredths, so that its result is the same on every machine.

use lab::vectors::{Vectorised, widest};
use lab::{Argument, Case, FewestBytes, Image, Mistake, Points, Task, Tolerance, standard_cases};
use rayon::prelude::*;

use crate::grayscale::arguments;
use crate::mistakes;
use crate::scales::{SHARE, TIMES, fewest_bytes, timed_case};

/// The task, as the checker knows it.
pub struct GrayscaleDarken;

/// Median of `cargo bench -p lab1-grayscale` (`grayscale_darken/sequential`: 24.8 ms for the timed scene) on
/// 2026-11-21: one core of an Intel Xeon at 2.6 GHz, a virtual machine that names no model.
const NOMINAL_NANOSECONDS_PER_PIXEL: f64 = 0.53;

/// Pixels per task of the parallel reference.
const PARALLEL_PIXELS: usize = 64 * 1024;

/// One pixel: 0.6 · (0.30 R + 0.59 G + 0.11 B) = (90 R + 177 G + 33 B) / 500.
fn level(red: u8, green: u8, blue: u8) -> u8 {
    ((90 * u32::from(red) + 177 * u32::from(green) + 33 * u32::from(blue) + 250) / 500) as u8
}

/// The same value in 16 bits (a vector register holds twice as many): with S = 30 R + 59 G + 11 B,
/// (3 S + 250) / 500 = ((3 S + 250) / 2) / 250, and (3 S + 250) / 2 = S + (S + 250) / 2, all rounded down.
#[inline(always)]
fn narrow_level(red: u8, green: u8, blue: u8) -> u8 {
    let sum = 30 * u16::from(red) + 59 * u16::from(green) + 11 * u16::from(blue);
    ((sum + ((sum + 250) >> 1)) / 250) as u8
}

/// The three planes of a planar image.
fn planes(planar: &[u8]) -> [&[u8]; 3] {
    let (red, rest) = planar.split_at(planar.len() / 3);
    let (green, blue) = rest.split_at(rest.len() / 2);
    [red, green, blue]
}

/// The reference: `planar` holds three planes, each as long as `gray`.
pub fn sequential(planar: &[u8], gray: &mut [u8]) {
    let [red, green, blue] = planes(planar);
    for (((gray, red), green), blue) in gray.iter_mut().zip(red).zip(green).zip(blue) {
        *gray = level(*red, *green, *blue);
    }
}

/// The same on all cores.
pub fn parallel(planar: &[u8], gray: &mut [u8]) {
    let [red, green, blue] = planes(planar).map(|plane| plane.par_chunks(PARALLEL_PIXELS));
    let planes = red.zip(green).zip(blue);
    gray.par_chunks_mut(PARALLEL_PIXELS).zip(planes).for_each(|(gray, ((red, green), blue))| {
        widest(Pixels { red, green, blue, gray });
    });
}

struct Pixels<'a> {
    red: &'a [u8],
    green: &'a [u8],
    blue: &'a [u8],
    gray: &'a mut [u8],
}

impl Vectorised for Pixels<'_> {
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        for (((gray, red), green), blue) in self.gray.iter_mut().zip(self.red).zip(self.green).zip(self.blue)
        {
            *gray = narrow_level(*red, *green, *blue);
        }
    }
}

/// Interleaved pixels to planes.
pub fn planar(rgb: &[u8]) -> Vec<u8> {
    let channel = |channel| rgb.iter().skip(channel).step_by(3);
    let mut planes = Vec::with_capacity(rgb.len());
    (0..3).for_each(|number| planes.extend(channel(number)));
    planes
}

impl Task for GrayscaleDarken {
    fn name(&self) -> &'static str {
        "grayscale_darken"
    }

    fn summary(&self) -> &'static str {
        "planar RGB to a darker gray: (0.3 R + 0.59 G + 0.11 B) * 0.6 + 0.5, truncated"
    }

    fn parameters(&self) -> &'static str {
        "const uint8_t* planar_rgb, uint8_t* gray, int width, int height"
    }

    fn cases(&self) -> Vec<Case> {
        standard_cases()
    }

    fn timed_case(&self) -> Case {
        timed_case()
    }

    fn arguments(&self, image: &Image) -> Vec<Argument> {
        arguments("planar_rgb", planar(&image.data), image)
    }

    fn reference(&self, image: &Image) -> Vec<Vec<u8>> {
        let mut gray = vec![0; image.pixels()];
        sequential(&planar(&image.data), &mut gray);
        vec![gray]
    }

    fn parallel_reference(&self, image: &Image) -> Vec<Vec<u8>> {
        let mut gray = vec![0; image.pixels()];
        parallel(&planar(&image.data), &mut gray);
        vec![gray]
    }

    fn sequential_seconds(&self, image: &Image) -> f64 {
        // The planes and the memory pages of the output exist before the clock starts.
        let (planar, mut gray) = (planar(&image.data), vec![1; image.pixels()]);
        lab::seconds(|| sequential(&planar, &mut gray))
    }

    fn parallel_seconds(&self, image: &Image) -> f64 {
        let (planar, mut gray) = (planar(&image.data), vec![1; image.pixels()]);
        lab::seconds(|| parallel(&planar, &mut gray))
    }

    /// One level. The exact value is a multiple of 0.002, so it is a half or at least 0.002 away from one; the error
    /// of `float` is less than 0.0001 (see `grayscale`): only a value that is exactly a half can differ, by one
    /// level. A kernel that rounds the gray value before it darkens has an error of at most 0.5 · 0.6 = 0.3, and
    /// stays within one level too.
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
        Points { correctness: 20.0, bandwidth: 12.0, speedup: 8.0, share: SHARE, times: TIMES }
    }

    fn nominal_nanoseconds_per_pixel(&self) -> f64 {
        NOMINAL_NANOSECONDS_PER_PIXEL
    }

    fn ideas(&self) -> &'static [lab::Idea] {
        crate::ideas::IDEAS
    }

    fn hints(&self) -> &'static [&'static str] {
        &[
            "The pixels are the same as in `grayscale`, but the layout is different: draw where red, green and \
             blue of pixel 0 and of pixel 1 lie.",
            "A plane holds width * height bytes: the green plane begins where the red plane ends.",
            "With n = width * height, pixel i is planar_rgb[i], planar_rgb[n + i] and planar_rgb[2 * n + i].",
            "Darken the weighted sum, not its parts: sum * 0.6f + 0.5f. The conversion to uint8_t then truncates.",
            "The launch is missing here on purpose: the launch in `grayscale` shows the form.",
        ]
    }

    fn mistakes(&self) -> &'static [Mistake] {
        mistakes::DARKEN
    }

    fn first_step(&self) -> &'static str {
        "Fill in `grayscale_darken_kernel` and launch it from `grayscale_darken`, as `grayscale` does above it."
    }
}

#[cfg(test)]
mod tests {
    use super::{level, narrow_level, planar};

    #[test]
    fn every_colour_agrees_with_the_narrow_and_the_single_precision_form() {
        for colour in 0..1_u32 << 24 {
            let [red, green, blue, _] = colour.to_le_bytes();
            let exact = level(red, green, blue);
            assert_eq!(narrow_level(red, green, blue), exact, "{red} {green} {blue}");
            let sum = 0.3_f32 * f32::from(red) + 0.59 * f32::from(green) + 0.11 * f32::from(blue);
            assert!(((sum * 0.6 + 0.5) as u8).abs_diff(exact) <= 1, "{red} {green} {blue}");
        }
    }

    #[test]
    fn planes_follow_each_other() {
        assert_eq!(planar(&[1, 2, 3, 4, 5, 6]), [1, 4, 2, 5, 3, 6]);
    }
}
