//! Mistakes of the two tasks, in addition to the general ones: ranges, tables, fractions.

#![expect(clippy::unnecessary_wraps, reason = "the helpers have the return type of `Mistake::outputs`")]

use lab::{ALONE, Guess, Mistake, Parameters, Situation, gray};

use crate::mapping::{Bins, LEVELS, Table, identity};

/// Thresholds that do not depend on the size of the image, in pixels.
const FIXED: &[Parameters] = &[
    [2, 0],
    [5, 0],
    [10, 0],
    [16, 0],
    [20, 0],
    [32, 0],
    [50, 0],
    [64, 0],
    [80, 0],
    [100, 0],
    [128, 0],
    [200, 0],
    [256, 0],
    [500, 0],
    [512, 0],
    [1000, 0],
    [1024, 0],
];

/// Mistakes in `contrast_stretch`.
pub const STRETCH: &[Mistake] = &[
    Mistake {
        name: "outside_not_clamped",
        // In integers, and in float, where a negative number becomes 0 in an unsigned byte.
        parameters: &[[0, 0], [1, 0]],
        message: |p| {
            match p[0] {
                0 => "levels outside the range are not clamped: they wrap around in a byte",
                _ => "levels above the range are not clamped: they wrap around in a byte",
            }
            .to_owned()
        },
        hint: "levels below the range become 0, levels above it 255: clamp before the conversion to a byte",
        outputs: |s| {
            stretched(
                s,
                |bins| found_range(bins, exact(bins)),
                |level, low, high| {
                    let (above, width) = (level as i64 - low as i64, (high - low) as i64);
                    let above = if s.parameters[0] == 1 { above.max(0) } else { above };
                    ((255 * above + width / 2) / width) as u8
                },
            )
        },
    },
    Mistake {
        name: "threshold_exceeded",
        // Where no level exceeds it, the search for the highest ends at that for the lowest, or at 0; or both stay where they began, which
        // turns the levels round.
        parameters: &[[0, 0], [1, 0], [2, 0]],
        message: |_| {
            "a level counts only if its bin exceeds the threshold, but a bin that equals the threshold is enough".to_owned()
        },
        hint: "compare with `>=`",
        outputs: |s| {
            let range = |bins: &Bins| {
                let (low, high) = found_range(bins, exact(bins) + 1);
                let none = bins.iter().all(|count| *count <= exact(bins));
                if none && s.parameters[0] > 0 { (low, 0) } else { (low, high) }
            };
            stretched(s, range, |level, low, high| match level {
                _ if low <= high => clamped(level, low, high),
                _ if s.parameters[0] == 2 => (LEVELS - 1 - level) as u8,
                _ if level < low => 0,
                _ => 255,
            })
        },
    },
    Mistake {
        name: "threshold_rounded_down",
        // The least threshold: some make sure that it is not 0.
        parameters: &[[0, 0], [1, 0]],
        message: |_| "the threshold, pixels / 1024, is rounded down, but the task rounds it up".to_owned(),
        hint: "round it up: ceil_div(pixels, 1024)",
        outputs: |s| {
            stretched(
                s,
                |bins| found_range(bins, (bins.iter().sum::<u32>() / 1024).max(s.parameters[0] as u32)),
                clamped,
            )
        },
    },
    Mistake {
        name: "fixed_threshold",
        parameters: FIXED,
        message: |p| format!("the threshold is {} pixels, whatever the size of the image", p[0]),
        hint: "the threshold depends on the size of the image: pixels / 1024, rounded up (ceil_div)",
        outputs: |s| stretched(s, |bins| found_range(bins, s.parameters[0] as u32), clamped),
    },
    Mistake {
        name: "no_threshold",
        parameters: ALONE,
        message: |_| {
            "the range runs from the lowest to the highest level that occurs: the threshold is missing"
                .to_owned()
        },
        hint: "a level counts only if at least pixels / 1024 (rounded up) pixels have it",
        outputs: |s| stretched(s, |bins| found_range(bins, 1), clamped),
    },
    Mistake {
        name: "divided_first",
        parameters: ALONE,
        message: |_| {
            "all levels below the highest become 0: (v - low) / (high - low) is 0 in integer arithmetic, or low is not the lowest \
             level but the highest"
                .to_owned()
        },
        hint: "multiply before you divide, or compute in float; if you do, print the two levels of a small image",
        outputs: |s| {
            stretched(
                s,
                |bins| found_range(bins, exact(bins)),
                |level, low, high| ((level.clamp(low, high) - low) / (high - low) * 255) as u8,
            )
        },
    },
    Mistake {
        name: "scale_truncated",
        parameters: ALONE,
        message: |_| "the scale 255 / (high - low) is computed in integers: its fraction is lost".to_owned(),
        hint: "multiply before you divide, or compute in float: 255.0f / (high - low)",
        outputs: |s| {
            stretched(
                s,
                |bins| found_range(bins, exact(bins)),
                |level, low, high| (255 / (high - low) * (level.clamp(low, high) - low)) as u8,
            )
        },
    },
    Mistake {
        name: "one_level",
        parameters: &[[0, 0], [255, 0]],
        message: one_level_message,
        hint: "if low equals high, high - low is 0 and nothing can be spread: copy the pixel",
        outputs: one_level,
    },
    Mistake {
        name: "counted_on",
        parameters: ALONE,
        message: counted_on_message,
        hint: COUNTED_ON_HINT,
        outputs: |s| {
            let times = s.call + 1;
            stretched(s, |bins| found_range(&bins.map(|count| count * times), exact(bins)), clamped)
        },
    },
];

/// Mistakes in `equalize`.
pub const EQUALIZE: &[Mistake] = &[
    Mistake {
        name: "divided_first",
        parameters: ALONE,
        message: |_| {
            "the division comes first and loses the fraction: the quotient is 0 until the last level"
                .to_owned()
        },
        hint: "multiply before you divide, or compute in float",
        outputs: |s| equalized(s, |cdf, lowest, n| (cdf.saturating_sub(lowest) / (n - lowest) * 255) as u8),
    },
    Mistake {
        name: "exclusive_cdf",
        // What is below the least is 0, or far above in unsigned arithmetic, or that in float and double.
        parameters: &[[0, 0], [1, 0], [2, 0], [3, 0]],
        message: |_| {
            "the CDF leaves out the level itself: it counts the pixels below v, not those at v or below"
                .to_owned()
        },
        hint: "add the bin of a level before you use the sum for it",
        outputs: |s| {
            let (gray, bins) = counted(s);
            let (lowest, n) = (minimum(&bins), total(&bins));
            if n == lowest {
                return mapped(&gray, &identity());
            }
            let mut below = 0;
            let mut table = [0; LEVELS];
            for (new, count) in table.iter_mut().zip(&bins) {
                let above = match s.parameters[0] {
                    0 => u64::saturating_sub(below, lowest),
                    _ => u64::wrapping_sub(below, lowest),
                };
                let others = n - lowest;
                let wrapped = below.wrapping_sub(lowest) as u32;
                // A conversion on a GPU ends at the greatest number.
                *new = match s.parameters[0] {
                    2 => (wrapped as f32 * 255.0 / others as f32 + 0.5) as u32 as u8,
                    3 => (f64::from(wrapped) * 255.0 / others as f64 + 0.5) as u32 as u8,
                    _ => (above.wrapping_mul(255).wrapping_add(others / 2) / others) as u8,
                };
                below += u64::from(*count);
            }
            mapped(&gray, &table)
        },
    },
    Mistake {
        name: "minimum_kept",
        // In the numerator and the divisor, in the divisor alone, and in both for an image of one level, too; that of level 0 is taken.
        parameters: &[[0, 0], [1, 0], [2, 0], [3, 0]],
        message: |p| {
            let told = match p[0] {
                1 => {
                    "the divisor is the number of all pixels: the pixels at the lowest level are not subtracted from it"
                }
                3 => {
                    "the number of pixels at level 0 is subtracted, not that at the lowest level that occurs"
                }
                _ => {
                    "the number of pixels at the lowest level is not subtracted: that level does not become 0"
                }
            };
            told.to_owned()
        },
        hint: "(cdf - min) * 255 / (pixels - min), where min is the number of pixels at the lowest level that occurs",
        outputs: |s| {
            let (gray, bins) = counted(s);
            let (one_level, zero) = (minimum(&bins) == total(&bins), u64::from(bins[0]));
            if s.parameters[0] == 2 && one_level || s.parameters[0] == 3 && one_level && zero == 0 {
                return Some(vec![vec![255; gray.len()]].into());
            }
            equalized(s, |cdf, lowest, n| match s.parameters[0] {
                0 | 2 => quotient(255 * cdf, n),
                3 => quotient(255 * cdf.saturating_sub(zero), n - zero),
                _ => quotient(255 * cdf.saturating_sub(lowest), n),
            })
        },
    },
    Mistake {
        name: "overflow",
        parameters: &[[0, 0], [1, 0]],
        message: |_| "255 times the pixels of a large image does not fit 32 bits".to_owned(),
        hint: "compute in 64 bits (uint64_t) or in float",
        outputs: |s| {
            equalized(s, |cdf, lowest, n| {
                let (above, others) = (cdf.saturating_sub(lowest), n - lowest);
                if s.parameters[0] == 0 {
                    let product = (255_i32.wrapping_mul(above as i32)).wrapping_add(others as i32 / 2);
                    (product / others as i32) as u8
                } else {
                    let product = (255_u32.wrapping_mul(above as u32)).wrapping_add(others as u32 / 2);
                    (product / others as u32) as u8
                }
            })
        },
    },
    Mistake {
        name: "one_level",
        parameters: &[[0, 0], [255, 0]],
        message: one_level_message,
        hint: "if all pixels have one level, pixels - min is 0, which nothing can be divided by: copy the pixel",
        outputs: one_level,
    },
    Mistake {
        name: "counted_on",
        parameters: ALONE,
        message: counted_on_message,
        hint: COUNTED_ON_HINT,
        outputs: |s| {
            let (gray, bins) = counted(s);
            let n = total(&bins);
            let bins = bins.map(|count| count * (s.call + 1));
            let lowest = minimum(&bins);
            // In unsigned arithmetic: pixels - min may be below 0 by now.
            let others = u64::from((n as u32).wrapping_sub(lowest as u32));
            if others == 0 {
                return mapped(&gray, &identity());
            }
            let mut cdf = 0_u64;
            let table = bins.map(|count| {
                cdf += u64::from(count);
                ((255 * cdf.saturating_sub(lowest) + others / 2) / others) as u8
            });
            mapped(&gray, &table)
        },
    },
];

const COUNTED_ON_HINT: &str = "counters that outlive a call (`__device__`, `static`) keep their values: set them \
                               to 0 at the start of every call";

fn counted_on_message(_: Parameters) -> String {
    "the first call is right, and the next call adds to its counts: the counters are not set to 0 again"
        .to_owned()
}

fn one_level_message(p: Parameters) -> String {
    let colour = if p[0] == 0 { "black" } else { "white" };
    format!("an image of one level becomes {colour}: its range is 0, which nothing can be divided by")
}

/// The right outputs, unless the image has only one level: then this colour everywhere.
fn one_level(s: &Situation<'_>) -> Option<Guess> {
    let (gray, bins) = counted(s);
    let levels = bins.iter().filter(|count| **count > 0).count();
    if levels > 1 {
        Some(s.expected.to_vec().into())
    } else {
        Some(vec![vec![s.parameters[0] as u8; gray.len()]].into())
    }
}

fn counted(s: &Situation<'_>) -> (Vec<u8>, Bins) {
    let gray = gray(s.image);
    let mut bins = [0; LEVELS];
    for level in &gray {
        bins[usize::from(*level)] += 1;
    }
    (gray, bins)
}

fn mapped(gray: &[u8], table: &Table) -> Option<Guess> {
    Some(vec![gray.iter().map(|level| table[usize::from(*level)]).collect::<Vec<u8>>()].into())
}

fn total(bins: &Bins) -> u64 {
    bins.iter().copied().map(u64::from).sum()
}

fn minimum(bins: &Bins) -> u64 {
    bins.iter().copied().find(|count| *count > 0).map_or(0, u64::from)
}

fn exact(bins: &Bins) -> u32 {
    bins.iter().sum::<u32>().div_ceil(1024)
}

/// The lowest and the highest level whose bin has at least `threshold` pixels. If there is none, the results of a search
/// that stops at the last level.
fn found_range(bins: &Bins, threshold: u32) -> (usize, usize) {
    let low = (0..LEVELS - 1).find(|level| bins[*level] >= threshold).unwrap_or(LEVELS - 1);
    let high = (low..LEVELS).rev().find(|level| bins[*level] >= threshold).unwrap_or(low);
    (low, high)
}

fn clamped(level: usize, low: usize, high: usize) -> u8 {
    ((255 * (level.clamp(low, high) - low) + (high - low) / 2) / (high - low)) as u8
}

fn stretched(
    s: &Situation<'_>,
    range: impl Fn(&Bins) -> (usize, usize),
    new: impl Fn(usize, usize, usize) -> u8,
) -> Option<Guess> {
    let (gray, bins) = counted(s);
    let (low, high) = range(&bins);
    if low == high {
        return mapped(&gray, &identity());
    }
    mapped(&gray, &std::array::from_fn(|level| new(level, low, high)))
}

fn quotient(product: u64, others: u64) -> u8 {
    ((product + others / 2) / others) as u8
}

/// The image with each level replaced by `new` of its CDF, the pixels at the lowest level, and all pixels. An image of
/// one level is copied.
fn equalized(s: &Situation<'_>, new: impl Fn(u64, u64, u64) -> u8) -> Option<Guess> {
    let (gray, bins) = counted(s);
    let (lowest, n) = (minimum(&bins), total(&bins));
    if n == lowest {
        return mapped(&gray, &identity());
    }
    let mut cdf = 0;
    let table = bins.map(|count| {
        cdf += u64::from(count);
        new(cdf, lowest, n)
    });
    mapped(&gray, &table)
}
