//! Gray images: the input of labs 2 to 4.

use rayon::prelude::*;

use crate::argument::{Argument, Element, Memory};
use crate::case::{Case, LONG_SIDES, Picture};
use crate::image::Image;
use crate::vectors::{Vectorised, widest};

/// Pixels per task of a parallel loop: few enough for a core's own cache.
const PARALLEL_PIXELS: usize = 64 * 1024;

/// Gray level of one pixel, 0.3 R + 0.59 G + 0.11 B as in lab 1: computed in hundredths, halves rounded up.
#[inline]
pub fn gray_level(red: u8, green: u8, blue: u8) -> u8 {
    ((30 * u32::from(red) + 59 * u32::from(green) + 11 * u32::from(blue) + 50) / 100) as u8
}

/// The gray levels of an image, `width * height` bytes. A gray pixel keeps its value.
pub fn gray(image: &Image) -> Vec<u8> {
    if image.channels == 1 {
        return image.data.clone();
    }
    let mut gray = vec![0; image.pixels()];
    let chunks = image.data.par_chunks(3 * PARALLEL_PIXELS);
    chunks.zip(gray.par_chunks_mut(PARALLEL_PIXELS)).for_each(|(rgb, gray)| gray_pixels(rgb, gray));
    gray
}

/// [`gray`] of an image that nobody else needs: a gray one is not copied.
pub fn into_gray(image: Image) -> Vec<u8> {
    if image.channels == 1 { image.data } else { gray(&image) }
}

/// [`gray_level`] of every pixel of `rgb`, by the calling thread.
pub fn gray_pixels(rgb: &[u8], gray: &mut [u8]) {
    widest(Pixels { rgb, gray });
}

struct Pixels<'a> {
    rgb: &'a [u8],
    gray: &'a mut [u8],
}

impl Vectorised for Pixels<'_> {
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        for (pixel, gray) in self.rgb.chunks_exact(3).zip(self.gray) {
            *gray = narrow_gray_level(pixel[0], pixel[1], pixel[2]);
        }
    }
}

/// [`gray_level`] in 16 bits: a vector register holds twice as many of them. The largest sum is 25,550.
#[inline(always)]
fn narrow_gray_level(red: u8, green: u8, blue: u8) -> u8 {
    ((30 * u16::from(red) + 59 * u16::from(green) + 11 * u16::from(blue) + 50) / 100) as u8
}

/// The arguments `const uint8_t* gray, uint8_t* out, int width, int height` of a task that maps a gray image
/// to another one of its size.
pub fn gray_to_gray_arguments(image: &Image) -> Vec<Argument> {
    from_gray(gray(image), image.width, image.height)
}

/// The same for an image that nobody else needs.
pub fn gray_to_gray_arguments_of(image: Image) -> Vec<Argument> {
    let (width, height) = (image.width, image.height);
    from_gray(into_gray(image), width, height)
}

fn from_gray(bytes: Vec<u8>, width: usize, height: usize) -> Vec<Argument> {
    let (memory, element) = (Memory::Device, Element::U8);
    vec![
        Argument::Input { name: "gray", memory, element, bytes },
        Argument::Output { name: "out", memory, element, length: width * height, row: width, zeroed: false },
        Argument::Int { name: "width", value: width as i32 },
        Argument::Int { name: "height", value: height as i32 },
    ]
}

/// Most gray levels of noise on so many pixels: two pixels have the same level even where there are few of them, so that threads
/// of one warp meet at one counter.
fn levels(pixels: usize) -> usize {
    (pixels / 2).clamp(1, 256)
}

/// Sizes that break kernels on gray images, smallest first: each misses a multiple of blocks, warps or words in another
/// way.
const SIZES: [(usize, usize, &str); 10] = [
    (1, 1, "1x1"),
    (1, 97, "1x97, one column"),
    (131, 1, "131x1, one row"),
    (5, 4, "5x4, fewer pixels than a warp"),
    (8, 4, "8x4, exactly one warp"),
    (31, 33, "31x33, odd"),
    (32, 16, "32x16, whole blocks"),
    (255, 3, "255x3, one short of a block a row"),
    (257, 5, "257x5, one past a block a row"),
    (34, 127, "34x127, taller than wide"),
];

/// The cases of a task on gray images, smallest first: awkward sizes, flat and striped pictures, few and many
/// levels (1, 2, 5 and 256 at 640×426, as in a report on histograms), photographs, a large scene. The numbers of pixels
/// leave every remainder when divided by 4, and several are not a multiple of 128, where a report's kernel failed.
pub fn gray_cases() -> Vec<Case> {
    let sizes = SIZES.into_iter().map(|(width, height, name)| {
        Case::new(name, Picture::GrayNoise { width, height, levels: levels(width * height) })
    });
    let patterns = [
        Case::new("flat black", Picture::Flat { width: 67, height: 41, value: [0, 0, 0] }),
        Case::new("flat white", Picture::Flat { width: 67, height: 41, value: [255, 255, 255] }),
        Case::new("1-row stripes", Picture::HorizontalStripes { width: 320, height: 200, period: 1 }),
        Case::new("32-column stripes", Picture::VerticalStripes { width: 320, height: 200, period: 32 }),
        Case::new("narrow levels", Picture::LowContrast { width: 203, height: 150, low: 90, high: 141 }),
    ];
    let levels =
        [(1, "noise, 1 level"), (2, "noise, 2 levels"), (5, "noise, 5 levels"), (256, "noise, 256 levels")]
            .map(|(levels, name)| Case::new(name, Picture::GrayNoise { width: 640, height: 426, levels }));
    let photographs =
        ["camera", "chelsea"].map(|name| Case::new(format!("photograph {name}"), Picture::Photograph(name)));
    let long = LONG_SIDES
        .into_iter()
        .map(|(width, height, name)| Case::new(name, Picture::GrayNoise { width, height, levels: 256 }));
    let large = Case::new("large scene 1283x967", Picture::Scene { width: 1283, height: 967 });
    sizes.chain(patterns).chain(levels).chain(photographs).chain(long).chain([large]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gray_pixel_keeps_its_value_and_halves_go_up() {
        for level in 0..=255 {
            assert_eq!(gray_level(level, level, level), level);
        }
        assert_eq!([gray_level(5, 0, 0), gray_level(0, 50, 0), gray_level(0, 0, 4)], [2, 30, 0]);
    }

    #[test]
    fn sixteen_bits_hold_every_sum() {
        for colour in 0..1_u32 << 24 {
            let [red, green, blue, _] = colour.to_le_bytes();
            assert_eq!(narrow_gray_level(red, green, blue), gray_level(red, green, blue));
        }
    }

    #[test]
    fn the_levels_are_those_of_the_pixels_in_order() {
        let case = Case::new("", Picture::Scene { width: 301, height: 203 });
        let image = case.image(3).expect("a picture");
        let expected: Vec<u8> = image.data.chunks_exact(3).map(|p| gray_level(p[0], p[1], p[2])).collect();
        assert!(gray(&image) == expected);
    }
}
