//! The cases tell almost right grays and counters from right ones.

use lab::Image;
use lab::almost::{Outputs, all_are_told};
use lab2_histogram::LAB;

fn bytes(counts: impl IntoIterator<Item = u32>) -> Vec<u8> {
    counts.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn counted(gray: &[u8]) -> [u32; 256] {
    let mut counts = [0; 256];
    for level in gray {
        counts[usize::from(*level)] += 1;
    }
    counts
}

/// The histogram in counters that hold less than 32 bits.
fn counters(image: &Image, kept: impl Fn(u32) -> u32) -> Vec<Vec<u8>> {
    vec![bytes(counted(&lab::gray(image)).map(kept))]
}

/// The same in `blocks` blocks, each with such counters of its own.
fn counters_of_blocks(image: &Image, blocks: usize, kept: impl Fn(u32) -> u32) -> Vec<Vec<u8>> {
    let gray = lab::gray(image);
    let mut sums = [0_u32; 256];
    for part in gray.chunks(gray.len().div_ceil(blocks)) {
        let counts = counted(part).map(&kept);
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum = sum.wrapping_add(count));
    }
    vec![bytes(sums)]
}

/// Ones added to a counter with so many bits for the number: it stays where the next one is lost.
fn saturated(bits: u32) -> impl Fn(u32) -> u32 {
    move |count| count.min(1 << bits)
}

const HISTOGRAM: &[(&str, Outputs)] = &[
    ("counters of 8 bits", |image| counters(image, |count| count & 0xff)),
    ("counters of 16 bits", |image| counters(image, |count| count & 0xffff)),
    ("counters of 24 bits", |image| counters(image, |count| count & 0xff_ffff)),
    ("counters that stop at 65535", |image| counters(image, |count| count.min(65_535))),
    ("counters in half precision", |image| counters(image, saturated(11))),
    ("counters in single precision", |image| counters(image, saturated(24))),
    ("sums of blocks in single precision", |image| counters(image, |count| count as f32 as u32)),
    ("8 bits in each of 1024 blocks", |image| counters_of_blocks(image, 1024, |count| count & 0xff)),
    ("8 bits in each of 65535 blocks", |image| counters_of_blocks(image, 65_535, |count| count & 0xff)),
    ("16 bits in each of 132 blocks", |image| counters_of_blocks(image, 132, |count| count & 0xffff)),
    ("16 bits in each of 256 blocks", |image| counters_of_blocks(image, 256, |count| count & 0xffff)),
];

/// Gray by this formula, and its histogram.
fn both(image: &Image, level: impl Fn(u32, u32, u32) -> u32) -> Vec<Vec<u8>> {
    let pixels = image.data.chunks_exact(3).map(|p| [p[0], p[1], p[2]].map(u32::from));
    let gray: Vec<u8> = pixels.map(|[red, green, blue]| level(red, green, blue) as u8).collect();
    let bins = bytes(counted(&gray));
    vec![gray, bins]
}

fn sum(red: u32, green: u32, blue: u32) -> u32 {
    30 * red + 59 * green + 11 * blue
}

const GRAY_HISTOGRAM: &[(&str, Outputs)] = &[
    ("truncated", |image| both(image, |r, g, b| sum(r, g, b) / 100)),
    ("49 for 50", |image| both(image, |r, g, b| (sum(r, g, b) + 49) / 100)),
    ("51 for 50", |image| both(image, |r, g, b| (sum(r, g, b) + 51) / 100)),
    ("halves to even", |image| {
        both(image, |r, g, b| (f64::from(sum(r, g, b)) / 100.0).round_ties_even() as u32)
    }),
    ("single precision", |image| {
        both(image, |r, g, b| (0.3 * r as f32 + 0.59 * g as f32 + 0.11 * b as f32 + 0.5) as u32)
    }),
    ("single precision, fused", |image| {
        both(image, |r, g, b| {
            let two = 0.59_f32.mul_add(g as f32, 0.3 * r as f32);
            (0.11_f32.mul_add(b as f32, two) + 0.5) as u32
        })
    }),
    ("single precision, rounded to nearest", |image| {
        both(image, |r, g, b| (0.3 * r as f32 + 0.59 * g as f32 + 0.11 * b as f32).round() as u32)
    }),
    ("double precision", |image| {
        both(image, |r, g, b| (0.3 * f64::from(r) + 0.59 * f64::from(g) + 0.11 * f64::from(b) + 0.5) as u32)
    }),
    ("reciprocal of 100", |image| {
        both(image, |r, g, b| (sum(r, g, b) as f32 * 0.01).round_ties_even() as u32)
    }),
    ("weights of eight bits", |image| both(image, |r, g, b| (77 * r + 151 * g + 28 * b + 128) >> 8)),
    ("weights of 16 bits", |image| {
        both(image, |r, g, b| (19_661 * r + 38_666 * g + 7209 * b + 32_768) >> 16)
    }),
    ("655 / 65536 for 1 / 100", |image| both(image, |r, g, b| ((sum(r, g, b) + 50) * 655) >> 16)),
    ("656 / 65536 for 1 / 100", |image| both(image, |r, g, b| ((sum(r, g, b) + 50) * 656) >> 16)),
    ("1311 / 131072 for 1 / 100", |image| both(image, |r, g, b| ((sum(r, g, b) + 50) * 1311) >> 17)),
    ("5243 / 524288 for 1 / 100", |image| both(image, |r, g, b| ((sum(r, g, b) + 49) * 5243) >> 19)),
    ("gray in half precision", |image| {
        // Eleven bits: above 128 the last one is an eighth.
        both(image, |r, g, b| {
            let sum = sum(r, g, b) as f32 / 100.0;
            let step = 2.0_f32.powi(sum.max(1.0).log2().floor() as i32 - 10);
            ((sum / step).round_ties_even() * step + 0.5) as u32
        })
    }),
];

#[test]
fn counters_that_are_too_small_are_told() {
    all_are_told(LAB.tasks()[0], HISTOGRAM);
}

#[test]
fn almost_right_grays_are_told() {
    all_are_told(LAB.tasks()[1], GRAY_HISTOGRAM);
}

/// Whole numbers that are right for every sum that a colour can have are right for every colour, and a case has all sums.
#[test]
fn every_sum_of_a_colour_is_tried() {
    let (mut tried, mut all) = (vec![false; 25_501], vec![false; 25_501]);
    for case in LAB.tasks()[1].cases() {
        let image = case.image(1).expect("a picture");
        image
            .data
            .chunks_exact(3)
            .for_each(|p| tried[sum(p[0].into(), p[1].into(), p[2].into()) as usize] = true);
    }
    for (red, green) in (0..=255).flat_map(|red| (0..=255).map(move |green| (red, green))) {
        (0..=255).for_each(|blue| all[sum(red, green, blue) as usize] = true);
    }
    assert!(tried == all);
}

/// 5243 / 524288 is right for every sum: what is told is wrong for some colour, not merely unusual.
#[test]
fn a_right_reciprocal_passes() {
    let right: &[(&str, Outputs)] =
        &[("right", |image| both(image, |r, g, b| ((sum(r, g, b) + 50) * 5243) >> 19))];
    assert_eq!(lab::almost::passed(LAB.tasks()[1], right).len(), 3);
}
