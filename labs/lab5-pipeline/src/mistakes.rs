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
    let mut bins = [0; mapping::LEVELS];
    for level in levels {
        bins[usize::from(*level)] += 1;
    }
    let mut out = vec![0; gray.len()];
    mapping::map(&stretch::table(&bins), gray, &mut out);
    out
}

fn smoothed(gray: &[u8], width: usize) -> Vec<u8> {
    let mut out = vec![0; gray.len()];
    smooth_box::sequential(gray, &mut out, width);
    out
}
