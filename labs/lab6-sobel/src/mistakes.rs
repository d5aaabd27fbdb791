//! Mistakes in this task, in addition to the general ones: the border rule, signs, weights, overflow.

use lab::{ALONE, Guess, Mistake, Parameters, SWAPPED, SWAPPED_HINT, Situation, gray, swapped};

/// The nine values around a pixel, row by row.
type Neighbours = [i32; 9];

/// A value outside the image.
#[derive(Clone, Copy)]
enum Border {
    /// The nearest pixel: the rule of the task.
    Nearest,
    /// 0.
    Black,
    /// The pixel at the nearest index of the buffer.
    Index,
}

const BORDER_HINT: &str = "a neighbour outside the image has the value of the nearest pixel inside: clamp its column to 0..width - 1 and its row to \
     0..height - 1, each by itself";

const SIGN_HINT: &str =
    "take the absolute values of gx and of gy before you add them: min(abs(gx) + abs(gy), 255)";

/// The terms of gx (0) and of gy (1): the place among the neighbours, and the weight.
const TERMS: [(usize, usize, i32); 12] = [
    (0, 2, 1),
    (0, 5, 2),
    (0, 8, 1),
    (0, 0, -1),
    (0, 3, -2),
    (0, 6, -1),
    (1, 6, 1),
    (1, 7, 2),
    (1, 8, 1),
    (1, 0, -1),
    (1, 1, -2),
    (1, 2, -1),
];

/// A term with another weight: by its number, and by the sign, 0, half of it or twice as much.
const ONE_WEIGHT: &[Parameters] = &{
    let mut all = [[0, 0]; 36];
    let mut at = 0;
    while at < 12 {
        let other = if TERMS[at].2.abs() == 2 { 2 } else { 3 };
        (all[3 * at], all[3 * at + 1], all[3 * at + 2]) = ([at, 0], [at, 1], [at, other]);
        at += 1;
    }
    all
};

// ANCHOR: mistakes
/// All of them.
pub const MISTAKES: &[Mistake] = &[
    Mistake {
        name: "border_black",
        parameters: ALONE,
        message: |_| "wrong border rule: neighbours outside the image count as 0".to_owned(),
        hint: BORDER_HINT,
        outputs: |s| results(s, Border::Black, edge),
    },
    Mistake {
        name: "border_wraps_to_next_row",
        parameters: ALONE,
        message: |_| {
            "wrong border rule: only the index is clamped, so that some neighbours come from the row above or below".to_owned()
        },
        hint: BORDER_HINT,
        outputs: |s| results(s, Border::Index, edge),
    },
    Mistake {
        name: "border_zero",
        parameters: ALONE,
        message: |_| "wrong border rule: the outermost rows and columns become 0".to_owned(),
        hint: "pixels at the border have a result too: a neighbour outside the image has the value of the nearest pixel inside",
        outputs: border_zero,
    },
    Mistake {
        name: "no_absolute_value",
        parameters: ALONE,
        message: |_| {
            "gx and gy are added with their signs, so that they cancel; negative sums become 0".to_owned()
        },
        hint: SIGN_HINT,
        outputs: |s| slopes(s, |gx, gy| (gx + gy).clamp(0, 255)),
    },
    Mistake {
        name: "negative_sums",
        parameters: ALONE,
        message: |_| {
            "gx and gy are added with their signs, so that they cancel, and of negative sums only the lowest 8 bits are kept".to_owned()
        },
        hint: SIGN_HINT,
        outputs: |s| slopes(s, |gx, gy| (gx + gy).min(255)),
    },
    Mistake {
        name: "not_saturated",
        parameters: ALONE,
        message: |_| "sums above 255 keep only their lowest 8 bits".to_owned(),
        hint: "compute in int, and store min(sum, 255)",
        outputs: |s| slopes(s, |gx, gy| gx.abs() + gy.abs()),
    },
    Mistake {
        name: "one_direction",
        parameters: &[[0, 0], [1, 0]],
        message: |p| format!("only {} counts, twice", ["gx", "gy"][p[0]]),
        hint: SIGN_HINT,
        outputs: |s| {
            let vertical = s.parameters[0] == 1;
            slopes(s, |gx, gy| (2 * if vertical { gy } else { gx }.abs()).min(255))
        },
    },
    Mistake {
        name: "one_direction_alone",
        parameters: &[[0, 0], [1, 0]],
        message: |p| format!("only {} counts", ["gx", "gy"][p[0]]),
        hint: SIGN_HINT,
        outputs: |s| {
            let vertical = s.parameters[0] == 1;
            slopes(s, |gx, gy| if vertical { gy } else { gx }.abs().min(255))
        },
    },
    Mistake {
        name: "one_weight",
        parameters: ONE_WEIGHT,
        message: |p| {
            let (direction, place, _) = TERMS[p[0]];
            let [column, row] = [("x", place % 3), ("y", place / 3)].map(|(name, at)| {
                [format!("{name} - 1"), name.to_owned(), format!("{name} + 1")][at].clone()
            });
            let does =
                ["has the wrong sign", "is left out", "has not its weight of 2", "has the weight 2, not 1"]
                    [p[1]];
            format!("in {}, the neighbour in column {column} and row {row} {does}", ["gx", "gy"][direction])
        },
        hint: "compare each of its six terms with the task: gx = (c + 2 f + i) - (a + 2 d + g), gy = (g + 2 h + i) - (a + 2 b + c)",
        outputs: |s| {
            let (direction, place, weight) = TERMS[s.parameters[0]];
            let wrong = [-weight, 0, weight / 2, 2 * weight][s.parameters[1]];
            results(s, Border::Nearest, |neighbours| {
                let (gx, gy) = slope(neighbours);
                let change = (wrong - weight) * neighbours[place];
                let [gx, gy] = if direction == 0 { [gx + change, gy] } else { [gx, gy + change] };
                (gx.abs() + gy.abs()).min(255)
            })
        },
    },
    Mistake {
        name: "euclidean",
        parameters: &[[0, 0], [1, 0]],
        message: |p| {
            format!("the result is the square root of gx² + gy²{}, not |gx| + |gy|", ["", ", rounded"][p[0]])
        },
        hint: SIGN_HINT,
        outputs: |s| {
            let half = 0.5 * s.parameters[0] as f64;
            slopes(s, |gx, gy| ((f64::from(gx * gx + gy * gy).sqrt() + half) as i32).min(255))
        },
    },
    Mistake {
        name: "other_weights",
        parameters: ALONE,
        message: |_| "all neighbours have the weight 1; those in the middle of a side have 2".to_owned(),
        hint: "the middle of each side counts twice: c + 2 f + i, a + 2 d + g, g + 2 h + i, a + 2 b + c",
        outputs: |s| {
            results(s, Border::Nearest, |[a, b, c, d, _, f, g, h, i]| {
                (((c + f + i) - (a + d + g)).abs() + ((g + h + i) - (a + b + c)).abs()).min(255)
            })
        },
    },
    Mistake {
        name: "byte_overflow",
        parameters: ALONE,
        message: |_| {
            "the sums of the sides are stored in bytes, which keep only their lowest 8 bits".to_owned()
        },
        hint: "the sum of a side can be 4 · 255 = 1,020: keep it in an int",
        outputs: |s| {
            results(s, Border::Nearest, |[a, b, c, d, _, f, g, h, i]| {
                let side = |x: i32, y: i32, z: i32| (x + 2 * y + z) & 255;
                let (gx, gy) = (side(c, f, i) - side(a, d, g), side(g, h, i) - side(a, b, c));
                (gx.abs() + gy.abs()).min(255)
            })
        },
    },
    Mistake {
        name: "rows_and_columns_swapped",
        parameters: &[[0, 0], [0, 1], [0, 2]],
        message: |p| SWAPPED[p[1]].to_owned(),
        hint: SWAPPED_HINT,
        outputs: |s| {
            let (seen, size) = swapped(&gray(s.image), s.size(), s.parameters[1]);
            Some(results_of(&seen, size, Border::Nearest, edge))
        },
    },
];
// ANCHOR_END: mistakes

/// gx and gy.
fn slope([a, b, c, d, _, f, g, h, i]: Neighbours) -> (i32, i32) {
    ((c + 2 * f + i) - (a + 2 * d + g), (g + 2 * h + i) - (a + 2 * b + c))
}

/// The right result.
fn edge(neighbours: Neighbours) -> i32 {
    let (gx, gy) = slope(neighbours);
    (gx.abs() + gy.abs()).min(255)
}

fn slopes(s: &Situation<'_>, result: impl Fn(i32, i32) -> i32) -> Option<Guess> {
    results(s, Border::Nearest, |neighbours| {
        let (gx, gy) = slope(neighbours);
        result(gx, gy)
    })
}

#[expect(clippy::unnecessary_wraps, reason = "the return type of `Mistake::outputs`")]
fn results(s: &Situation<'_>, border: Border, result: impl Fn(Neighbours) -> i32) -> Option<Guess> {
    Some(results_of(&gray(s.image), s.size(), border, result))
}

/// The lowest 8 bits of `result` for every pixel of a picture.
fn results_of(
    gray: &[u8],
    (width, height): (usize, usize),
    border: Border,
    result: impl Fn(Neighbours) -> i32,
) -> Guess {
    let pixel = |at: usize| {
        let around = |place: usize| {
            // Unsigned, with 1 added: column 0 is the one on the left of the image.
            border.value(gray, (at % width + place % 3, at / width + place / 3), (width, height))
        };
        result(std::array::from_fn(around)) as u8
    };
    vec![(0..gray.len()).map(pixel).collect()].into()
}

fn border_zero(s: &Situation<'_>) -> Option<Guess> {
    let (width, height) = s.size();
    let mut guess = results(s, Border::Nearest, edge)?;
    for (at, out) in guess.outputs[0].iter_mut().enumerate() {
        let (x, y) = (at % width, at / width);
        if x == 0 || y == 0 || x + 1 == width || y + 1 == height {
            *out = 0;
        }
    }
    Some(guess)
}

impl Border {
    /// The value in column x − 1 and row y − 1.
    fn value(self, gray: &[u8], (x, y): (usize, usize), (width, height): (usize, usize)) -> i32 {
        let inside = (1..=width).contains(&x) && (1..=height).contains(&y);
        let nearest = |at: usize, side: usize| at.saturating_sub(1).min(side - 1);
        match self {
            Self::Black if !inside => 0,
            Self::Index => {
                let index = (y * width + x) as i64 - width as i64 - 1;
                i32::from(gray[index.clamp(0, gray.len() as i64 - 1) as usize])
            }
            Self::Nearest | Self::Black => i32::from(gray[nearest(y, height) * width + nearest(x, width)]),
        }
    }
}
