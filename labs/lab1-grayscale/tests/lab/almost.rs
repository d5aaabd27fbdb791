//! The cases tell almost right grays from right ones.

use lab::Image;
use lab::almost::{Outputs, all_are_told, passed};
use lab1_grayscale::LAB;

/// The gray of each pixel by this formula.
fn gray(image: &Image, level: impl Fn(u32, u32, u32) -> u32) -> Vec<Vec<u8>> {
    let pixels = image.data.chunks_exact(3).map(|p| [p[0], p[1], p[2]].map(u32::from));
    vec![pixels.map(|[red, green, blue]| level(red, green, blue) as u8).collect()]
}

/// More than the one level that a result may differ by.
const GRAYSCALE: &[(&str, Outputs)] = &[
    ("tenths for weights", |image| gray(image, |r, g, b| (3 * r + 6 * g + b + 5) / 10)),
    ("sixteenths for weights", |image| gray(image, |r, g, b| (5 * r + 9 * g + 2 * b) >> 4)),
    ("weights of another standard", |image| gray(image, |r, g, b| (54 * r + 183 * g + 19 * b + 128) >> 8)),
    ("truncated products", |image| gray(image, |r, g, b| 30 * r / 100 + 59 * g / 100 + 11 * b / 100)),
    ("divided before it is multiplied", |image| {
        gray(image, |r, g, b| r / 100 * 30 + g / 100 * 59 + b / 100 * 11)
    }),
    ("sum of hundredths in a byte", |image| gray(image, |r, g, b| (30 * r + 59 * g + 11 * b) % 256 / 100)),
    ("a signed byte for a channel", |image| {
        gray(image, |r, g, b| {
            let signed = |byte: u32| f64::from(byte as u8 as i8);
            (0.3 * signed(r) + 0.59 * signed(g) + 0.11 * signed(b) + 0.5).max(0.0) as u32
        })
    }),
];

/// The same for the darker gray.
const DARKEN: &[(&str, Outputs)] = &[
    ("tenths for weights", |image| gray(image, |r, g, b| (3 * r + 6 * g + b) * 6 / 100)),
    ("truncated products", |image| gray(image, |r, g, b| 18 * r / 100 + 35 * g / 100 + 6 * b / 100)),
    ("shifted for a division", |image| gray(image, |r, g, b| ((30 * r + 59 * g + 11 * b) * 6) >> 10)),
    ("weights in hundredths, truncated", |image| gray(image, |r, g, b| (18 * r + 35 * g + 6 * b) / 100)),
];

/// The sheet allows one level, because sums of `float` are rounded. These use it up; the report counts their pixels.
const ALLOWED: &[(&str, Outputs)] = &[
    ("truncated sum", |image| gray(image, |r, g, b| (30 * r + 59 * g + 11 * b) / 100)),
    ("weights of eight bits", |image| gray(image, |r, g, b| (77 * r + 151 * g + 28 * b + 128) >> 8)),
    ("single precision", |image| {
        gray(image, |r, g, b| (0.3 * r as f32 + 0.59 * g as f32 + 0.11 * b as f32 + 0.5) as u32)
    }),
];

#[test]
fn almost_right_grays_are_told() {
    all_are_told(LAB.tasks()[0], GRAYSCALE);
    all_are_told(LAB.tasks()[1], DARKEN);
}

#[test]
fn what_the_sheet_allows_passes() {
    let names: Vec<&str> = passed(LAB.tasks()[0], ALLOWED).into_iter().map(|(name, _)| name).collect();
    for (name, _) in ALLOWED {
        assert!(names.contains(name), "{name}");
    }
}
