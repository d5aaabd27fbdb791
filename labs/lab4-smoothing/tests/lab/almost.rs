//! The cases tell almost right means from right ones. Those of the filter: `main.rs` beside this file.

use lab::Image;
use lab::almost::{Outputs, all_are_told};
use lab4_smoothing::{LAB, mean::Weights, smooth_box, smooth_triangular};

/// Every pixel from the weighted sum of its neighbours in the image and the sum of their weights.
fn means(image: &Image, weights: &Weights, divide: impl Fn(u32, u32) -> u32) -> Vec<Vec<u8>> {
    let (gray, width, height) = (lab::gray(image), image.width, image.height);
    let range = |at: usize, side: usize| at.saturating_sub(2)..(at + 3).min(side);
    let weight = |from: usize, at: usize| weights[at + 2 - from];
    let mut out = Vec::with_capacity(gray.len());
    for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
        let (mut sum, mut total) = (0, 0);
        for row in range(y, height) {
            for column in range(x, width) {
                let weight = weight(y, row) * weight(x, column);
                sum += weight * u32::from(gray[row * width + column]);
                total += weight;
            }
        }
        out.push(divide(sum, total) as u8);
    }
    vec![out]
}

type Divide = fn(u32, u32) -> u32;

/// Divisions that round some sums the wrong way.
const ALMOST: [(&str, Divide); 15] = [
    ("truncated", |sum, total| sum / total),
    ("one less than a half", |sum, total| (sum + (total - 1) / 2) / total),
    ("one more than a half", |sum, total| (sum + total / 2 + 1) / total),
    ("rounded up", |sum, total| sum.div_ceil(total)),
    ("halves to even", |sum, total| (sum as f32 / total as f32).round_ties_even() as u32),
    ("0.4999 for a half", |sum, total| (sum as f32 / total as f32 + 0.4999) as u32),
    ("0.53 for a half", |sum, total| (sum as f32 / total as f32 + 0.53) as u32),
    ("0.49 for a half", |sum, total| (sum as f32 / total as f32 + 0.49) as u32),
    (
        "always by the whole total",
        |sum, total| if total < 25 { (sum + 12) / 25 } else { (sum + total / 2) / total },
    ),
    ("reciprocal of 8 bits", |sum, total| (sum * (256 / total) + 128) >> 8),
    ("reciprocal of 8 bits, rounded", |sum, total| (sum * ((256 + total / 2) / total) + 128) >> 8),
    ("reciprocal of 12 bits", |sum, total| (sum * ((4096 + total / 2) / total) + 2048) >> 12),
    ("reciprocal of 16 bits", |sum, total| (sum * (65_536 / total) + 32_768) >> 16),
    ("reciprocal of 16 bits, rounded", |sum, total| (sum * ((65_536 + total / 2) / total) + 32_768) >> 16),
    ("sums in half precision", |sum, total| {
        // Eleven bits of a sum.
        let step = (sum.max(1).ilog2() + 1).saturating_sub(11);
        let kept = (sum >> step) << step;
        (kept + total / 2) / total
    }),
];

/// The same sums in fewer bits.
const NARROW: [(&str, Divide); 3] = [
    ("sum of 8 bits", |sum, total| (sum % 256 + total / 2) / total),
    ("sum of 12 bits", |sum, total| (sum % 4096 + total / 2) / total),
    ("reciprocal in single precision, truncated", |sum, total| (sum as f32 * (1.0 / total as f32)) as u32),
];

/// Whether a case of the task is wrong.
fn is_told(task: usize, weights: &Weights, divide: Divide) -> bool {
    let task = LAB.tasks()[task];
    [1, 20].into_iter().all(|seed| {
        task.cases().iter().any(|case| {
            let image = case.image(seed).expect("a picture");
            task.reference(&image) != means(&image, weights, divide)
        })
    })
}

#[test]
fn almost_right_means_are_told() {
    for (task, weights) in [(0, smooth_box::WEIGHTS), (1, smooth_triangular::WEIGHTS)] {
        let divisions = ALMOST.into_iter().chain(NARROW);
        let missed = divisions.filter(|(_, divide)| !is_told(task, &weights, *divide)).map(|(name, _)| name);
        let missed: Vec<&str> = missed.collect();
        assert!(missed.is_empty(), "task {task} passes with: {missed:?}");
    }
}

/// Any division that never falls when the sum grows is right for all sums of whole neighbourhoods if it is right for the
/// sums around the halves, and a case has all of them.
#[test]
fn every_half_of_a_whole_neighbourhood_is_tried_from_both_sides() {
    for (task, weights) in [(0, smooth_box::WEIGHTS), (1, smooth_triangular::WEIGHTS)] {
        let whole: u32 = weights.iter().sum::<u32>().pow(2);
        let mut tried = vec![false; 256 * whole as usize];
        for case in LAB.tasks()[task].cases() {
            let image = case.image(1).expect("a picture");
            let seen = std::cell::RefCell::new(&mut tried);
            means(&image, &weights, |sum, total| {
                if total == whole {
                    seen.borrow_mut()[sum as usize] = true;
                }
                0
            });
        }
        let around = (0..255).flat_map(|level| [level * whole + whole / 2, level * whole + whole / 2 + 1]);
        let missing: Vec<u32> = around.filter(|sum| !tried[*sum as usize]).collect();
        assert!(missing.is_empty(), "task {task}: {missing:?}");
    }
}

/// A mean of a box in the corner of an image has few neighbours, and its halves are tried, too.
#[test]
fn means_at_the_border_are_told() {
    let wrong: [(&str, Outputs); 2] = [
        ("halves down where 12 count", |image| {
            means(
                image,
                &smooth_box::WEIGHTS,
                |sum, n| if n == 12 { (sum + 5) / n } else { (sum + n / 2) / n },
            )
        }),
        ("halves down where 20 count", |image| {
            means(
                image,
                &smooth_box::WEIGHTS,
                |sum, n| if n == 20 { (sum + 9) / n } else { (sum + n / 2) / n },
            )
        }),
    ];
    all_are_told(LAB.tasks()[0], &wrong);
}
