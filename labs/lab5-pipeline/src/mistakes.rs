//! Mistakes in joining the steps, in addition to the general ones: a missing step, a wrong order of steps, indices that
//! differ between steps.

use lab::{ALONE, Guess, Mistake, SWAPPED, SWAPPED_HINT, Situation, swapped};
use lab1_grayscale::grayscale;
use lab3_equalization::{mapping, stretch};
use lab4_smoothing::smooth_box;

const STEPS_HINT: &str = "run the steps in this order, each on the whole result of the step before: gray, histogram, stretch, smoothing";

/// Mistakes in `pipeline`.
pub const PIPELINE: &[Mistake] = &[
    Mistake {
        name: "gray_only",
        parameters: ALONE,
        message: |_| "the gray image is handed back unchanged: neither stretched nor smoothed".to_owned(),
        hint: STEPS_HINT,
        outputs: |s| Some(vec![gray(s)].into()),
    },
    Mistake {
        name: "not_smoothed",
        parameters: ALONE,
        message: |_| "the stretched image is handed back: the smoothing is missing".to_owned(),
        hint: STEPS_HINT,
        outputs: |s| Some(vec![stretched(&gray(s))].into()),
    },
    Mistake {
        name: "not_stretched",
        parameters: ALONE,
        message: |_| "the gray image is smoothed, but not stretched".to_owned(),
        hint: STEPS_HINT,
        outputs: |s| Some(vec![smoothed(&gray(s), s.image.width)].into()),
    },
    Mistake {
        name: "smoothed_before_stretched",
        parameters: &[[0, 0], [1, 0]],
        message: |p| {
            match p[0] {
            0 => "the image is smoothed first and stretched afterwards, with the range of its smoothed levels".to_owned(),
            _ => "the image is smoothed first and stretched afterwards, with the range of its levels before smoothing".to_owned(),
        }
        },
        hint: STEPS_HINT,
        outputs: |s| {
            let gray = gray(s);
            let smooth = smoothed(&gray, s.image.width);
            let levels = if s.parameters[0] == 0 { &smooth } else { &gray };
            Some(vec![stretched_by(levels, &smooth)].into())
        },
    },
    Mistake {
        name: "gray_truncated",
        parameters: ALONE,
        message: |_| "the gray levels are cut off, not rounded".to_owned(),
        hint: "add 50 before you divide: (30 * r + 59 * g + 11 * b + 50) / 100",
        outputs: |s| {
            Some(vec![smoothed(&stretched(&gray_by(s, |sum, _| (sum / 100) as u8)), s.image.width)].into())
        },
    },
    Mistake {
        name: "gray_in_float",
        // In `float`, with and without fused multiplications; in `double`.
        parameters: &[[0, 0], [1, 0], [2, 0], [3, 0]],
        message: |_| {
            "the gray levels are computed in floating point, which moves some halves to the level below"
                .to_owned()
        },
        hint: "compute the gray in whole numbers, (30 * r + 59 * g + 11 * b + 50) / 100: the stretch makes one level many",
        outputs: |s| {
            let gray = gray_by(s, |_, rgb| float_gray(rgb, s.parameters[0]));
            Some(vec![smoothed(&stretched(&gray), s.image.width)].into())
        },
    },
    Mistake {
        name: "threshold_rounded_down",
        // The least threshold: some make sure that it is not 0.
        parameters: &[[0, 0], [1, 0]],
        message: |_| "the threshold, pixels / 1024, is rounded down, but the task rounds it up".to_owned(),
        hint: "round it up: ceil_div(pixels, 1024)",
        outputs: |s| {
            let gray = gray(s);
            let threshold = (gray.len() / 1024).max(s.parameters[0]) as u32;
            let mut out = vec![0; gray.len()];
            mapping::map(&stretch::table_over(&counted(&gray), threshold), &gray, &mut out);
            Some(vec![smoothed(&out, s.image.width)].into())
        },
    },
    Mistake {
        name: "rows_and_columns_swapped",
        parameters: &[[0, 0], [1, 0], [2, 0]],
        message: |p| SWAPPED[p[0]].to_owned(),
        hint: SWAPPED_HINT,
        outputs: |s| {
            let (other, (width, _)) = swapped(&stretched(&gray(s)), s.size(), s.parameters[0]);
            Some(Guess::from(vec![smoothed(&other, width)]))
        },
    },
];

fn gray(s: &Situation<'_>) -> Vec<u8> {
    let mut gray = vec![0; s.image.pixels()];
    grayscale::sequential(&s.image.data, &mut gray);
    gray
}

fn stretched(gray: &[u8]) -> Vec<u8> {
    stretched_by(gray, gray)
}

/// An image stretched with the range of another image's levels.
fn stretched_by(levels: &[u8], gray: &[u8]) -> Vec<u8> {
    let mut out = vec![0; gray.len()];
    mapping::map(&stretch::table(&counted(levels)), gray, &mut out);
    out
}

fn counted(levels: &[u8]) -> mapping::Bins {
    let mut bins = [0; mapping::LEVELS];
    for level in levels {
        bins[usize::from(*level)] += 1;
    }
    bins
}

/// The gray of each pixel by a formula of its sum of hundredths and its colour.
fn gray_by(s: &Situation<'_>, level: impl Fn(u32, [u8; 3]) -> u8) -> Vec<u8> {
    let pixels = s.image.data.chunks_exact(3).map(|pixel| [pixel[0], pixel[1], pixel[2]]);
    let sum =
        |[red, green, blue]: [u8; 3]| 30 * u32::from(red) + 59 * u32::from(green) + 11 * u32::from(blue);
    pixels.map(|rgb| level(sum(rgb), rgb)).collect()
}

/// As a kernel computes it with `0.3f * r + 0.59f * g + 0.11f * b + 0.5f`.
fn float_gray(rgb: [u8; 3], way: usize) -> u8 {
    let [red, green, blue] = rgb.map(f32::from);
    match way {
        0 => (0.3 * red + 0.59 * green + 0.11 * blue + 0.5) as u8,
        1 => (0.11_f32.mul_add(blue, 0.59_f32.mul_add(green, 0.3 * red)) + 0.5) as u8,
        2 => (0.11_f32.mul_add(blue, 0.3_f32.mul_add(red, 0.59 * green)) + 0.5) as u8,
        _ => {
            let [red, green, blue] = rgb.map(f64::from);
            (0.11_f64.mul_add(blue, 0.3_f64.mul_add(red, 0.59 * green)) + 0.5) as u8
        }
    }
}

fn smoothed(gray: &[u8], width: usize) -> Vec<u8> {
    let mut out = vec![0; gray.len()];
    smooth_box::sequential(gray, &mut out, width);
    out
}
