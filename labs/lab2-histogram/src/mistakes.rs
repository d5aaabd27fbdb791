//! Mistakes of the two tasks, in addition to the general ones: levels and counters.

#![expect(clippy::unnecessary_wraps, reason = "the helpers have the return type of `Mistake::outputs`")]

use lab::{ALONE, Guess, Mistake, Parameters, Situation, gray, gray_level};

use crate::LEVELS;
use crate::histogram::{Bins, bytes};

const MIRRORED: Mistake = Mistake {
    name: "levels_mirrored",
    parameters: ALONE,
    message: |_| "the counters are in reverse order: level v is counted in bins[255 - v]".to_owned(),
    hint: "the level of a pixel is the index of its counter: bins[gray[i]]",
    outputs: |s| with_bins(s, <[u32]>::reverse),
};

const MISSING: Mistake = Mistake {
    name: "levels_missing",
    parameters: &[[0, 32], [0, 64], [0, 128], [0, 192], [0, 255], [1, 1]],
    message: |p| match p {
        [1, _] => "pixels of level 0 are not counted".to_owned(),
        [_, 255] => "pixels of level 255 are not counted".to_owned(),
        [_, first] => format!("the counters from level {first} on stay 0"),
    },
    hint: "zero, count and add all 256 counters: look for the condition, the loop or the number of threads that ends \
           there. A block with fewer threads than counters needs a loop, `for (int v = threadIdx.x; v < 256; v += blockDim.x)`",
    outputs: |s| {
        let [low, first] = s.parameters;
        with_bins(s, |bins| if low == 1 { bins[0] = 0 } else { bins[first..].fill(0) })
    },
};

const PACKED: Mistake = Mistake {
    name: "packed_counters_overflow",
    parameters: &[[0, 0]],
    message: |_| "two 16-bit counters share a word, and one of them overflows into the other".to_owned(),
    hint: "add packed counters to 32-bit counters before one of them can reach 65,536",
    outputs: |s| {
        with_bins(s, |bins| {
            for pair in bins.chunks_exact_mut(2) {
                let word = pair[0].wrapping_add(pair[1] << 16);
                (pair[0], pair[1]) = (word & 0xffff, word >> 16);
            }
        })
    },
};

const LEVEL_ADDED: Mistake = Mistake {
    name: "level_added",
    parameters: ALONE,
    message: |_| "each pixel adds its level to its counter, and not 1".to_owned(),
    hint: "the level v is the index, and each pixel adds 1: `atomicAdd(&bins[v], 1u)`",
    outputs: |s| {
        with_bins(s, |bins| {
            for (level, count) in (0..).zip(bins) {
                *count = count.wrapping_mul(level);
            }
        })
    },
};

/// Mistakes in `histogram`.
pub const HISTOGRAM: &[Mistake] = &[MIRRORED, MISSING, PACKED, LEVEL_ADDED];

/// Mistakes in `gray_histogram`.
pub const GRAY_HISTOGRAM: &[Mistake] = &[
    MIRRORED,
    MISSING,
    LEVEL_ADDED,
    Mistake {
        name: "truncated",
        parameters: ALONE,
        message: |_| "the gray is truncated, but the task rounds: the 50 hundredths are missing".to_owned(),
        hint: "(30 * r + 59 * g + 11 * b + 50) / 100: adding 50 makes the integer division round",
        outputs: |s| recounted(s, |[red, green, blue]| ((30 * red + 59 * green + 11 * blue) / 100) as u8),
    },
    Mistake {
        name: "float_sum",
        parameters: &[[0, 0], [1, 0], [2, 0], [3, 0], [4, 0]],
        message: |_| {
            "the gray is computed in floating point: a sum near a half sometimes rounds the other way"
                .to_owned()
        },
        hint: "use integers only: (30 * r + 59 * g + 11 * b + 50) / 100 is exact",
        outputs: |s| recounted(s, |rgb| in_float(rgb, s.parameters)),
    },
    Mistake {
        name: "channels_swapped",
        parameters: ALONE,
        message: |_| "the weights of red and blue are swapped".to_owned(),
        hint: "a pixel is red first (30 hundredths), then green (59), then blue (11)",
        outputs: |s| {
            recounted(s, |[red, green, blue]| ((30 * blue + 59 * green + 11 * red + 50) / 100) as u8)
        },
    },
    Mistake {
        name: "planar_for_interleaved",
        parameters: ALONE,
        message: |_| "the interleaved pixels are read as if they were three planes".to_owned(),
        hint: "pixel i is rgb[3 * i], rgb[3 * i + 1] and rgb[3 * i + 2]",
        outputs: |s| {
            let planes: Vec<&[u8]> = s.image.data.chunks(s.image.pixels()).collect();
            let [red, green, blue] = planes[..] else { return None };
            let pixels = red.iter().zip(green).zip(blue);
            counted(pixels.map(|((red, green), blue)| gray_level(*red, *green, *blue)).collect())
        },
    },
    Mistake {
        name: "other_bytes_counted",
        parameters: &[[0, 0], [1, 0], [2, 0]],
        message: |p| {
            format!(
                "the gray is right, but the {} channel is counted instead of it",
                ["red", "green", "blue"][p[0]]
            )
        },
        hint: "count the level that you computed and stored",
        outputs: |s| {
            let channel = s.image.data.iter().skip(s.parameters[0]).step_by(3);
            let mut bins: Bins = [0; LEVELS];
            for level in channel {
                bins[usize::from(*level)] += 1;
            }
            Some(vec![s.expected.first()?.clone(), bytes(&bins)].into())
        },
    },
    Mistake {
        name: "three_counts_a_pixel",
        parameters: ALONE,
        message: |_| "the gray is right, but every byte of the colour image is counted".to_owned(),
        hint: "a pixel has one gray level and is counted once",
        outputs: |s| {
            let mut bins: Bins = [0; LEVELS];
            crate::histogram::sequential(&s.image.data, &mut bins);
            Some(vec![s.expected.first()?.clone(), bytes(&bins)].into())
        },
    },
];

/// The outputs with the histogram, the last of them, changed.
fn with_bins(s: &Situation<'_>, change: impl Fn(&mut [u32])) -> Option<Guess> {
    let (last, others) = s.expected.split_last()?;
    let mut bins = read(last)?;
    change(&mut bins);
    let mut outputs = others.to_vec();
    outputs.push(bytes(&bins));
    Some(outputs.into())
}

fn read(expected: &[u8]) -> Option<Bins> {
    let counts: Option<Vec<u32>> =
        expected.chunks_exact(4).map(|bytes| bytes.try_into().ok().map(u32::from_le_bytes)).collect();
    counts?.try_into().ok()
}

/// The gray levels by `level`, and their histogram.
fn recounted(s: &Situation<'_>, level: impl Fn([u32; 3]) -> u8) -> Option<Guess> {
    let pixels = s.image.data.chunks_exact(3);
    counted(pixels.map(|p| level([p[0], p[1], p[2]].map(u32::from))).collect())
}

/// These gray levels, and their histogram.
fn counted(gray: Vec<u8>) -> Option<Guess> {
    let mut bins: Bins = [0; LEVELS];
    crate::histogram::sequential(&gray, &mut bins);
    Some(vec![gray, bytes(&bins)].into())
}

/// The sum in `float` in the orders that a compiler may choose: fused from either end, or not fused; in `double`; in hundredths, with
/// halves rounded to even.
fn in_float(rgb: [u32; 3], [way, _]: Parameters) -> u8 {
    let [red, green, blue] = rgb.map(|byte| byte as f32);
    let sum = match way {
        0 => 0.11_f32.mul_add(blue, 0.3_f32.mul_add(red, 0.59 * green)) + 0.5,
        1 => 0.11_f32.mul_add(blue, 0.59_f32.mul_add(green, 0.3 * red)) + 0.5,
        2 => 0.3 * red + 0.59 * green + 0.11 * blue + 0.5,
        3 => {
            let [red, green, blue] = rgb.map(f64::from);
            return (0.11_f64.mul_add(blue, 0.3_f64.mul_add(red, 0.59 * green)) + 0.5) as u8;
        }
        _ => ((30.0 * red + 59.0 * green + 11.0 * blue) / 100.0).round_ties_even(),
    };
    sum as u8
}

/// The outputs of a kernel that computes only the `covered` pixels: gray and counts, or counts alone.
pub fn partial(
    s: &Situation<'_>,
    covered: &dyn Fn(usize, usize) -> bool,
    with_gray: bool,
) -> Option<Vec<Vec<u8>>> {
    let width = s.image.width;
    let gray: Vec<u8> = if with_gray {
        s.image.data.chunks_exact(3).map(|p| gray_level(p[0], p[1], p[2])).collect()
    } else {
        gray(s.image)
    };
    let mut bins: Bins = [0; LEVELS];
    let mut stored = s.before.first()?.clone();
    for (pixel, level) in gray.iter().enumerate() {
        if covered(pixel % width, pixel / width) {
            bins[usize::from(*level)] += 1;
            if with_gray {
                stored[pixel] = *level;
            }
        }
    }
    Some(if with_gray { vec![stored, bytes(&bins)] } else { vec![bytes(&bins)] })
}
