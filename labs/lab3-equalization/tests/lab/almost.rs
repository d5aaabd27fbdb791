//! The cases tell almost right tables from right ones.

use lab::Image;
use lab::almost::{Outputs, all_are_told, passed};
use lab3_equalization::LAB;
use lab3_equalization::mapping::Bins;

/// Every pixel by a table, which this makes from the counts and the number of pixels.
fn mapped(image: &Image, new: impl Fn(&Bins, u32, usize) -> i64) -> Vec<Vec<u8>> {
    let gray = lab::gray(image);
    let mut bins = [0; 256];
    for level in &gray {
        bins[usize::from(*level)] += 1;
    }
    let table: Vec<u8> = (0..256).map(|level| new(&bins, gray.len() as u32, level) as u8).collect();
    vec![gray.iter().map(|level| table[usize::from(*level)]).collect()]
}

/// A stretch between the levels whose bins reach this threshold.
fn stretched(
    image: &Image,
    threshold: impl Fn(u32) -> u32,
    new: impl Fn(i64, i64, i64) -> i64,
) -> Vec<Vec<u8>> {
    mapped(image, |bins, pixels, level| {
        let matters = |level: &usize| bins[*level] >= threshold(pixels);
        let (low, high) =
            ((0..256).find(matters).unwrap_or(0) as i64, (0..256).rfind(matters).unwrap_or(255) as i64);
        if low >= high { level as i64 } else { new((level as i64).clamp(low, high), low, high) }
    })
}

fn ceil(pixels: u32) -> u32 {
    pixels.div_ceil(1024)
}

fn rounded(v: i64, low: i64, high: i64) -> i64 {
    (255 * (v - low) + (high - low) / 2) / (high - low)
}

const STRETCH: &[(&str, Outputs)] = &[
    ("threshold rounded down", |image| stretched(image, |pixels| pixels / 1024, rounded)),
    ("threshold rounded down, at least 1", |image| {
        stretched(image, |pixels| (pixels / 1024).max(1), rounded)
    }),
    ("threshold rounded to nearest", |image| stretched(image, |pixels| (pixels + 512) / 1024, rounded)),
    ("threshold of one more", |image| stretched(image, |pixels| pixels / 1024 + 1, rounded)),
    ("more than the threshold", |image| stretched(image, |pixels| ceil(pixels) + 1, rounded)),
    ("thousandths for 1/1024", |image| stretched(image, |pixels| pixels.div_ceil(1000), rounded)),
    ("every level that occurs", |image| stretched(image, |_| 1, rounded)),
    ("one level more in the range", |image| {
        stretched(image, ceil, |v, low, high| 255 * (v - low) / (high - low + 1))
    }),
    ("256 for 255", |image| stretched(image, ceil, |v, low, high| 256 * (v - low) / (high - low))),
    ("divided first", |image| stretched(image, ceil, |v, low, high| 255 / (high - low) * (v - low))),
    ("reciprocal of eight bits", |image| {
        stretched(image, ceil, |v, low, high| ((v - low) * (256 / (high - low)) * 255) >> 8)
    }),
    ("the product in 16 bits", |image| {
        stretched(image, ceil, |v, low, high| i64::from((255 * (v - low)) as i16) / (high - low))
    }),
];

/// Equalization with this many pixels as the lowest count, and this quotient of counts.
fn equalized(
    image: &Image,
    lowest: impl Fn(&Bins) -> i64,
    new: impl Fn(i64, i64, i64) -> i64,
) -> Vec<Vec<u8>> {
    mapped(image, |bins, pixels, level| {
        let first = bins.iter().position(|count| *count > 0).expect("a pixel");
        if bins[first] == pixels {
            return level as i64;
        }
        let cdf: i64 = bins[..=level].iter().map(|count| i64::from(*count)).sum();
        new(cdf, lowest(bins), i64::from(pixels)).clamp(0, 255)
    })
}

fn first_count(bins: &Bins) -> i64 {
    bins.iter().find(|count| **count > 0).map_or(0, |count| i64::from(*count))
}

fn share(cdf: i64, min: i64, pixels: i64) -> i64 {
    if pixels == min { 255 } else { (255 * (cdf - min) + (pixels - min) / 2) / (pixels - min) }
}

const EQUALIZE: &[(&str, Outputs)] = &[
    ("minimum of 0", |image| equalized(image, |_| 0, share)),
    ("minimum of 1", |image| equalized(image, |_| 1, share)),
    ("the level for its count", |image| {
        equalized(
            image,
            |bins| bins.iter().position(|count| *count > 0).map_or(0, |level| level as i64),
            share,
        )
    }),
    ("black does not count as lowest", |image| {
        equalized(
            image,
            |bins| bins[1..].iter().find(|count| **count > 0).map_or(0, |count| i64::from(*count)),
            share,
        )
    }),
    ("the smallest count for the first", |image| {
        equalized(
            image,
            |bins| bins.iter().filter(|count| **count > 0).min().map_or(0, |n| i64::from(*n)),
            share,
        )
    }),
    ("minimum too large by one", |image| equalized(image, |bins| first_count(bins) + 1, share)),
    ("divided by all pixels", |image| {
        equalized(image, first_count, |cdf, min, pixels| (255 * (cdf - min) + pixels / 2) / pixels)
    }),
    ("one less than all pixels", |image| {
        equalized(image, first_count, |cdf, min, pixels| 255 * (cdf - min) / (pixels - 1).max(1))
    }),
    ("without the pixels of this level", |image| {
        mapped(image, |bins, pixels, level| {
            let min = first_count(bins);
            let below: i64 = bins[..level].iter().map(|count| i64::from(*count)).sum();
            if i64::from(pixels) == min {
                level as i64
            } else {
                share(below.max(min), min, i64::from(pixels))
            }
        })
    }),
    ("256 levels", |image| {
        equalized(image, first_count, |cdf, min, pixels| (256 * (cdf - min) / (pixels - min)) & 0xff)
    }),
    ("a sum of 32 bits with a sign", |image| {
        equalized(image, first_count, |cdf, min, pixels| {
            i64::from((255 * (cdf - min)) as i32) / (pixels - min)
        })
    }),
    ("a sum of 32 bits", |image| {
        equalized(image, first_count, |cdf, min, pixels| {
            i64::from((255 * (cdf - min)) as u32) / (pixels - min)
        })
    }),
    ("counts of 16 bits", |image| {
        equalized(image, first_count, |cdf, min, pixels| share(cdf & 0xffff, min & 0xffff, pixels))
    }),
    ("counts in half precision", |image| {
        equalized(image, first_count, |cdf, min, pixels| share(cdf.min(2048), min.min(2048), pixels))
    }),
    ("divided before it is multiplied", |image| {
        equalized(image, first_count, |cdf, min, pixels| (cdf - min) / (pixels - min) * 255)
    }),
    ("divided by a 255th, rounded down", |image| {
        equalized(image, first_count, |cdf, min, pixels| (cdf - min) / ((pixels - min) / 255).max(1))
    }),
];

/// The sheets allow one level, because quotients of `float` are rounded. These use it up; the report counts their pixels.
const ALLOWED: &[(&str, Outputs)] = &[
    ("truncated", |image| {
        equalized(image, first_count, |cdf, min, pixels| 255 * (cdf - min) / (pixels - min))
    }),
    ("single precision", |image| {
        equalized(image, first_count, |cdf, min, pixels| {
            ((cdf - min) as f32 * 255.0 / (pixels - min) as f32 + 0.5) as i64
        })
    }),
];

#[test]
fn almost_right_ranges_are_told() {
    all_are_told(LAB.tasks()[0], STRETCH);
}

#[test]
fn almost_right_equalizations_are_told() {
    all_are_told(LAB.tasks()[1], EQUALIZE);
}

#[test]
fn what_the_sheet_allows_passes() {
    let names: Vec<&str> = passed(LAB.tasks()[1], ALLOWED).into_iter().map(|(name, _)| name).collect();
    assert!(ALLOWED.iter().all(|(name, _)| names.contains(name)), "{names:?}");
}
