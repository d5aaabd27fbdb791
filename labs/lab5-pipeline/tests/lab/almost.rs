//! The cases tell a pipeline with almost right steps from a right one.

use lab::Image;
use lab::almost::{Outputs, all_are_told};
use lab3_equalization::{mapping, stretch};
use lab4_smoothing::smooth_box;
use lab5_pipeline::LAB;

/// The pipeline with this gray and this table.
fn pipeline(
    image: &Image,
    gray: impl Fn(u32, u32, u32) -> u32,
    table: fn(&mapping::Bins) -> mapping::Table,
) -> Vec<Vec<u8>> {
    let pixels = image.data.chunks_exact(3).map(|p| [p[0], p[1], p[2]].map(u32::from));
    let gray: Vec<u8> = pixels.map(|[red, green, blue]| gray(red, green, blue) as u8).collect();
    let (mut stretched, mut out) = (vec![0; gray.len()], vec![0; gray.len()]);
    mapping::sequential(table, &gray, &mut stretched);
    smooth_box::sequential(&stretched, &mut out, image.width);
    vec![out]
}

fn sum(red: u32, green: u32, blue: u32) -> u32 {
    30 * red + 59 * green + 11 * blue
}

fn right(red: u32, green: u32, blue: u32) -> u32 {
    (sum(red, green, blue) + 50) / 100
}

/// A stretch over the levels whose bins reach this threshold.
fn over(bins: &mapping::Bins, threshold: u32) -> mapping::Table {
    let matters = |level: &usize| bins[*level] >= threshold;
    let (low, high) = ((0..256).find(matters).unwrap_or(0), (0..256).rfind(matters).unwrap_or(255));
    if low >= high {
        return mapping::identity();
    }
    std::array::from_fn(|level| {
        ((255 * (level.clamp(low, high) - low) + (high - low) / 2) / (high - low)) as u8
    })
}

fn pixels(bins: &mapping::Bins) -> u32 {
    bins.iter().sum()
}

const PIPELINE: &[(&str, Outputs)] = &[
    ("truncated gray", |image| pipeline(image, |r, g, b| sum(r, g, b) / 100, stretch::table)),
    ("gray with 49 for 50", |image| pipeline(image, |r, g, b| (sum(r, g, b) + 49) / 100, stretch::table)),
    ("gray with halves to even", |image| {
        pipeline(image, |r, g, b| (f64::from(sum(r, g, b)) / 100.0).round_ties_even() as u32, stretch::table)
    }),
    ("gray in single precision", |image| {
        let gray = |r, g, b| (0.3 * r as f32 + 0.59 * g as f32 + 0.11 * b as f32 + 0.5) as u32;
        pipeline(image, gray, stretch::table)
    }),
    ("gray in single precision, fused", |image| {
        let gray = |r, g, b| {
            let two = 0.59_f32.mul_add(g as f32, 0.3 * r as f32);
            (0.11_f32.mul_add(b as f32, two) + 0.5) as u32
        };
        pipeline(image, gray, stretch::table)
    }),
    ("gray in double precision", |image| {
        let gray = |r, g, b| (0.3 * f64::from(r) + 0.59 * f64::from(g) + 0.11 * f64::from(b) + 0.5) as u32;
        pipeline(image, gray, stretch::table)
    }),
    ("weights of eight bits", |image| {
        pipeline(image, |r, g, b| (77 * r + 151 * g + 28 * b + 128) >> 8, stretch::table)
    }),
    ("threshold rounded down", |image| pipeline(image, right, |bins| over(bins, pixels(bins) / 1024))),
    ("threshold rounded to nearest", |image| {
        pipeline(image, right, |bins| over(bins, (pixels(bins) + 512) / 1024))
    }),
    ("threshold of one more", |image| pipeline(image, right, |bins| over(bins, pixels(bins) / 1024 + 1))),
    ("every level that occurs", |image| pipeline(image, right, |bins| over(bins, 1))),
];

#[test]
fn almost_right_pipelines_are_told() {
    all_are_told(LAB.tasks()[0], PIPELINE);
}
