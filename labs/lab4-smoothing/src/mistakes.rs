//! Mistakes in the means, in addition to the general ones: borders, weights, fractions. Mistakes in the filter are in
//! [`filter`].

#![expect(clippy::unnecessary_wraps, reason = "the helpers have the return type of `Mistake::outputs`")]

mod filter;

use lab::{ALONE, Guess, Mistake, Parameters, SWAPPED, SWAPPED_HINT, Situation, gray, swapped};

pub use filter::FILTER;

/// Weights of all 25 neighbours, rows of columns.
type Square = [[i64; 5]; 5];

const EVEN: Square = [[1; 5]; 5];
const TRIANGLE: Square =
    [[1, 2, 3, 2, 1], [2, 4, 6, 4, 2], [3, 6, 9, 6, 3], [2, 4, 6, 4, 2], [1, 2, 3, 2, 1]];
const PYRAMID: Square = [[1, 1, 1, 1, 1], [1, 2, 2, 2, 1], [1, 2, 3, 2, 1], [1, 2, 2, 2, 1], [1, 1, 1, 1, 1]];
/// A triangle of 3 x 3: (2 - |dx|) · (2 - |dy|).
const NEARER: Square = [[0; 5], [0, 1, 2, 1, 0], [0, 2, 4, 2, 0], [0, 1, 2, 1, 0], [0; 5]];
/// (3 - |dx|) + (3 - |dy|), and (3 - dx) · (3 - dy).
const ADDED: Square = [[2, 3, 4, 3, 2], [3, 4, 5, 4, 3], [4, 5, 6, 5, 4], [3, 4, 5, 4, 3], [2, 3, 4, 3, 2]];
const SIGNED: Square =
    [[25, 20, 15, 10, 5], [20, 16, 12, 8, 4], [15, 12, 9, 6, 3], [10, 8, 6, 4, 2], [5, 4, 3, 2, 1]];

/// Rounded, and truncated.
const BOTH: &[Parameters] = &[[0, 0], [1, 0]];

/// Rounded and truncated, with both ways to reflect an image that is smaller than the neighbourhood.
const FOLDS: &[Parameters] = &[[0, 0], [1, 0], [0, 1], [1, 1]];

/// Rounded and truncated, with each way to swap rows and columns in reads.
const SWAPS: &[Parameters] = &[[0, 0], [0, 1], [1, 0], [1, 1]];

/// Columns to the right and rows down, each plus 2.
const SHIFTS: &[Parameters] =
    &[[3, 2], [1, 2], [4, 2], [0, 2], [2, 3], [2, 1], [2, 4], [2, 0], [3, 3], [1, 1], [4, 4], [0, 0]];

fn shift_in_words(p: Parameters) -> String {
    let side = |shift: usize, what: &str, [after, before]: [&str; 2]| {
        let count = shift.abs_diff(2);
        let plural = if count == 1 { "" } else { "s" };
        let way = if shift > 2 { after } else { before };
        (count > 0).then(|| format!("{count} {what}{plural} {way}"))
    };
    let sides =
        [side(p[0], "column", ["to the right of", "to the left of"]), side(p[1], "row", ["below", "above"])];
    sides.into_iter().flatten().collect::<Vec<_>>().join(" and ") + " where they are"
}

/// The value of a neighbour outside the image.
#[derive(Clone, Copy, PartialEq)]
enum Border {
    /// No value: neither value nor weight counts.
    Missing,
    /// Black, with its weight.
    Black,
    /// The nearest pixel of the image.
    Repeated,
    /// The image mirrored at its outermost pixels, which are not repeated.
    Reflected,
    /// The image mirrored at its edges, outermost pixels repeated.
    Mirrored,
    /// The opposite side.
    Periodic,
    /// The pixel at that index, if the index lies in the image.
    Index,
}

macro_rules! border {
    ($square:expr, $name:literal, $border:expr, $message:literal) => {
        Mistake {
            name: $name,
            parameters: FOLDS,
            message: |p| format!("{}{}", $message, if p[0] == 1 { "; and the mean is truncated" } else { "" }),
            hint: "neighbours outside the image do not count: add neither their values to the sum, nor their weights to \
                   the divisor",
            outputs: |s| mean(s, $square, $border),
        }
    };
}

macro_rules! means {
    ($square:expr, $other:expr, $others:literal) => {
        &[
            border!($square, "border_black", Border::Black,
                "wrong border rule: neighbours outside the image count as 0, because the divisor contains their weights"),
            border!($square, "border_repeated", Border::Repeated,
                "wrong border rule: neighbours outside the image count as copies of the nearest pixel inside"),
            border!($square, "border_reflected", Border::Reflected,
                "wrong border rule: the image is reflected at its border pixels, which are not repeated"),
            border!($square, "border_mirrored", Border::Mirrored,
                "wrong border rule: the image is mirrored at its edges, so that border pixels are repeated"),
            border!($square, "border_periodic", Border::Periodic,
                "wrong border rule: neighbours outside the image come from the opposite side"),
            border!($square, "border_wraps_to_next_row", Border::Index,
                "wrong border rule: only the index is checked, so that some neighbours come from the row above or below"),
            Mistake {
                name: "border_copied",
                parameters: BOTH,
                message: |_| "wrong border rule: the two outermost rows and columns are copied".to_owned(),
                hint: "pixels at the border get a mean too: the mean of the neighbours in the image",
                outputs: |s| ring(s, $square, |value| value),
            },
            Mistake {
                name: "border_zero",
                parameters: BOTH,
                message: |_| "wrong border rule: the two outermost rows and columns become 0".to_owned(),
                hint: "pixels at the border get a mean too: the mean of the neighbours in the image",
                outputs: |s| ring(s, $square, |_| 0),
            },
            Mistake {
                name: "truncated",
                parameters: &[[1, 0]],
                message: |_| "the mean is truncated, but the task rounds".to_owned(),
                hint: "(sum + total / 2) / total rounds an integer quotient to the nearest level",
                outputs: |s| mean(s, $square, Border::Missing),
            },
            Mistake {
                name: "byte_overflow",
                parameters: ALONE,
                message: |_| "the sum is stored in a byte, which keeps only its lowest 8 bits".to_owned(),
                hint: "25 bytes add up to 6,375, and with weights to 20,655: keep the sum in an int",
                outputs: |s| smoothed(s, $square, Border::Missing, |sum, total| ((sum & 255) + total / 2) / total),
            },
            Mistake {
                name: "not_divided",
                parameters: ALONE,
                message: |_| "the sum is not divided: its lowest 8 bits are stored".to_owned(),
                hint: "a mean is the weighted sum divided by the sum of the weights",
                outputs: |s| smoothed(s, $square, Border::Missing, |sum, _| sum & 255),
            },
            Mistake {
                name: "divided_by_number",
                parameters: BOTH,
                message: |_| "the sum is weighted, but divided by the number of neighbours".to_owned(),
                hint: "add up the weights as you add up the products, and divide by that sum",
                outputs: |s| weighted_by_number(s, $square),
            },
            Mistake {
                name: "other_divisor",
                parameters: &[[0, 9], [1, 9], [0, 16], [1, 16], [0, 24], [1, 24], [0, 25], [1, 25], [0, 80], [1, 80], [0, 81], [1, 81]],
                message: |p| format!("the sum is divided by {} everywhere", p[1]),
                hint: "divide by the sum of the weights of the neighbours in the image: 25 for the box and 81 for the triangle where all 25 are in it, and \
                       less at the border",
                outputs: |s| {
                    let divisor = s.parameters[1] as i64;
                    let all: i64 = $square.iter().flatten().sum();
                    if divisor == all {
                        return None;
                    }
                    let half = if s.parameters[0] == 1 { 0 } else { divisor / 2 };
                    smoothed(s, $square, Border::Missing, |sum, _| (sum + half) / divisor)
                },
            },
            Mistake {
                name: "neighbourhood_too_small",
                parameters: BOTH,
                message: |_| "the neighbourhood is 3 x 3, not 5 x 5".to_owned(),
                hint: "the offsets dx and dy go from -2 to 2",
                outputs: |s| mean(s, inner($square, 1..4), Border::Missing),
            },
            Mistake {
                name: "neighbourhood_too_small",
                parameters: BOTH,
                message: |_| "the neighbourhood is 3 x 3, not 5 x 5, and neighbours outside the image count as 0".to_owned(),
                hint: "the offsets dx and dy go from -2 to 2; what lies outside the image counts neither in the sum nor in \
                       the divisor",
                outputs: |s| mean(s, inner($square, 1..4), Border::Black),
            },
            Mistake {
                name: "neighbourhood_too_small",
                parameters: BOTH,
                message: |_| "the neighbourhood is 3 x 3, with the weights 1 2 1 in both directions, not 5 x 5".to_owned(),
                hint: "the offsets dx and dy go from -2 to 2: a radius of 2",
                outputs: |s| mean(s, NEARER, Border::Missing),
            },
            Mistake {
                name: "neighbours_shifted",
                parameters: SHIFTS,
                message: |p| format!("all neighbours are taken {}", shift_in_words(p)),
                hint: "follow one pixel: in a tile with a halo of 2, the pixel (x, y) of the block lies at [y + 2][x + 2], when \
                       the tile is filled as well as when it is read",
                outputs: |s| mean_of_shifted(s, $square),
            },
            Mistake {
                name: "neighbours_shifted",
                parameters: SHIFTS,
                message: |p| format!("all neighbours are taken {}", shift_in_words(p)),
                hint: "follow one pixel: in a tile with a halo of 2, the pixel (x, y) of the block lies at [y + 2][x + 2], when \
                       the tile is filled as well as when it is read",
                outputs: |s| mean_of_shifted_tile(s, $square),
            },
            Mistake {
                name: "last_neighbour_left_out",
                parameters: BOTH,
                message: |_| "the neighbourhood is 4 x 4: the loops stop before 2".to_owned(),
                hint: "the offsets dx and dy go from -2 to 2, both included: `dx <= 2`",
                outputs: |s| mean(s, inner($square, 0..4), Border::Missing),
            },
            Mistake {
                name: "neighbours_left_out",
                parameters: LEFT_OUT,
                message: |p| kept_in_words(p[0]),
                hint: "the offsets dx and dy both go from -2 to 2, both included: 25 neighbours",
                outputs: |s| mean_of_kept(s, $square),
            },
            Mistake {
                name: "other_weights_in_one_direction",
                parameters: ONE_DIRECTION,
                message: |p| format!("the weights {} are {}", ["along x", "along y"][p[1] % 2], OTHER_ROWS[p[0]].1),
                hint: "box: all weights are 1; triangle: the weight is (3 - abs(dx)) * (3 - abs(dy))",
                outputs: |s| mean_of_one_direction(s, $square),
            },
            Mistake {
                name: "middle_left_out",
                parameters: BOTH,
                message: |_| "the pixel itself does not count in its mean".to_owned(),
                hint: "the neighbour with dx = 0 and dy = 0 is one of the 25",
                outputs: |s| mean(s, without_middle($square), Border::Missing),
            },
            Mistake {
                name: "other_weights",
                parameters: BOTH,
                message: |_| $others.to_owned(),
                hint: "box: all weights are 1; triangle: the weight is (3 - abs(dx)) * (3 - abs(dy))",
                outputs: |s| mean(s, $other, Border::Missing),
            },
            Mistake {
                name: "rows_and_columns_swapped",
                parameters: SWAPS,
                message: |p| SWAPPED[p[1]].to_owned(),
                hint: SWAPPED_HINT,
                outputs: |s| mean_of_swapped(s, $square),
            },
            Mistake {
                name: "sum_of_weights",
                parameters: BOTH,
                message: |_| "the weights of row and column are added, but the task multiplies them".to_owned(),
                hint: "the weight is (3 - abs(dx)) * (3 - abs(dy)): 9 in the middle, 1 in the corners, 81 in total",
                outputs: |s| mean(s, ADDED, Border::Missing),
            },
            Mistake {
                name: "signed_distance",
                parameters: BOTH,
                message: |_| "the weights are computed from dx and dy with their signs: neighbours to the left and above weigh more".to_owned(),
                hint: "a distance has no sign: the weight is (3 - abs(dx)) * (3 - abs(dy))",
                outputs: |s| mean(s, SIGNED, Border::Missing),
            },
            Mistake {
                name: "distance_used_twice",
                parameters: &[[0, 0], [0, 1], [1, 0], [1, 1]],
                message: |p| {
                    let [used, left] = if p[1] == 0 { ["dx", "dy"] } else { ["dy", "dx"] };
                    format!("the weights are the squares of 3 - |{used}|: {used} is used twice, and {left} not at all")
                },
                hint: "the weight is (3 - abs(dx)) * (3 - abs(dy)): 9 in the middle, 1 in the corners, 81 in total",
                outputs: |s| {
                    let row = [1, 4, 9, 4, 1];
                    let along_x = s.parameters[1] == 0;
                    let square = std::array::from_fn(|y| std::array::from_fn(|x| row[if along_x { x } else { y }]));
                    mean_of(s, square, Border::Missing, s.parameters[0] == 1)
                },
            },
            Mistake {
                name: "square_weights",
                parameters: BOTH,
                message: |_| "the weights depend on the larger of the two distances, not on the product of both".to_owned(),
                hint: "the weight is (3 - abs(dx)) * (3 - abs(dy)): 9 in the middle, 1 in the corners, 81 in total",
                outputs: |s| mean(s, PYRAMID, Border::Missing),
            },
        ]
    };
}

/// Mistakes in `smooth_box`.
pub const BOX: &[Mistake] = means!(
    EVEN,
    TRIANGLE,
    "the weights are those of the triangle, but in the box all neighbours have the same weight"
);

/// Mistakes in `smooth_triangular`.
pub const TRIANGULAR: &[Mistake] = means!(
    TRIANGLE,
    EVEN,
    "all neighbours have the same weight, but in the triangle nearer neighbours have more"
);

/// Offsets that a loop reaches, each plus 2: all, without the last, without the first, without both.
const REACHED: [std::ops::Range<usize>; 4] = [0..5, 0..4, 1..5, 1..4];

/// The number of `REACHED` of dx, and 4 times that of dy; rounded and truncated. Those that are alike in both are mistakes of their own.
const LEFT_OUT: &[Parameters] = &[
    [1, 0],
    [2, 0],
    [3, 0],
    [4, 0],
    [6, 0],
    [7, 0],
    [8, 0],
    [9, 0],
    [10, 0],
    [11, 0],
    [12, 0],
    [13, 0],
    [14, 0],
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 1],
    [6, 1],
    [7, 1],
    [8, 1],
    [9, 1],
    [10, 1],
    [11, 1],
    [12, 1],
    [13, 1],
    [14, 1],
];

fn reached(number: usize) -> [&'static std::ops::Range<usize>; 2] {
    [&REACHED[number % 4], &REACHED[number / 4]]
}

fn kept_in_words(number: usize) -> String {
    let [columns, rows] = reached(number);
    let side = |name: &str, kept: &std::ops::Range<usize>| {
        (kept.len() < 5)
            .then(|| format!("{name} only goes from {} to {}", kept.start as i64 - 2, kept.end as i64 - 3))
    };
    let sides: Vec<String> = [side("dx", columns), side("dy", rows)].into_iter().flatten().collect();
    format!("the neighbourhood is {} x {}, not 5 x 5: {}", columns.len(), rows.len(), sides.join(", and "))
}

fn mean_of_kept(s: &Situation<'_>, square: Square) -> Option<Guess> {
    let [columns, rows] = reached(s.parameters[0]);
    let keep = |row: usize, column: usize| rows.contains(&row) && columns.contains(&column);
    let kept = std::array::from_fn(|row| {
        std::array::from_fn(|column| if keep(row, column) { square[row][column] } else { 0 })
    });
    mean_of(s, kept, Border::Missing, s.parameters[1] == 1)
}

/// Weights of the five offsets in one direction that are easily taken for others, and what they come from.
const OTHER_ROWS: [([i64; 5], &str); 5] = [
    ([0, 1, 2, 1, 0], "0 1 2 1 0, as of 2 - |d|"),
    ([2, 3, 4, 3, 2], "2 3 4 3 2, as of 4 - |d|"),
    ([1, 2, 3, 2, 1], "1 2 3 2 1, as of 3 - |d|"),
    ([3, 2, 1, 2, 3], "3 2 1 2 3, as of 1 + |d|"),
    ([1, 1, 1, 1, 1], "all the same"),
];

/// The number of `OTHER_ROWS`; along x or y, and 2 more if truncated.
const ONE_DIRECTION: &[Parameters] = &[
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
    [2, 0],
    [2, 1],
    [3, 0],
    [3, 1],
    [4, 0],
    [4, 1],
    [0, 2],
    [0, 3],
    [1, 2],
    [1, 3],
    [2, 2],
    [2, 3],
    [3, 2],
    [3, 3],
    [4, 2],
    [4, 3],
];

fn mean_of_one_direction(s: &Situation<'_>, square: Square) -> Option<Guess> {
    // The outermost row of a product of two rows that begin with 1.
    let right = square[0];
    let other = OTHER_ROWS[s.parameters[0]].0;
    let [columns, rows] = if s.parameters[1].is_multiple_of(2) { [other, right] } else { [right, other] };
    let product = std::array::from_fn(|row| std::array::from_fn(|column| rows[row] * columns[column]));
    (other != right).then(|| mean_of(s, product, Border::Missing, s.parameters[1] >= 2)).flatten()
}

/// The weights with only these rows and columns.
fn inner(square: Square, kept: std::ops::Range<usize>) -> Square {
    let keep = |row: usize, column: usize| kept.contains(&row) && kept.contains(&column);
    std::array::from_fn(|row| {
        std::array::from_fn(|column| if keep(row, column) { square[row][column] } else { 0 })
    })
}

fn without_middle(mut square: Square) -> Square {
    square[2][2] = 0;
    square
}

/// The mean, rounded or (`parameters[0]` is 1) truncated.
fn mean(s: &Situation<'_>, weights: Square, border: Border) -> Option<Guess> {
    mean_of(s, weights, border, s.parameters[0] == 1)
}

fn mean_of(s: &Situation<'_>, weights: Square, border: Border, truncated: bool) -> Option<Guess> {
    smoothed(s, weights, border, |sum, total| {
        if total == 0 { 0 } else { (sum + if truncated { 0 } else { total / 2 }) / total }
    })
}

/// The weighted sum divided by the number of neighbours; `None` if all weights are equal: that is the mean.
fn weighted_by_number(s: &Situation<'_>, weights: Square) -> Option<Guess> {
    if weights == EVEN {
        return None;
    }
    let (width, height) = s.size();
    let truncated = s.parameters[0] == 1;
    let count = |at: usize, side: usize| (at.saturating_sub(2)..(at + 3).min(side)).len() as i64;
    let mut place = 0;
    smoothed(s, weights, Border::Missing, |sum, _| {
        let number = count(place % width, width) * count(place / width, height);
        place += 1;
        (sum + if truncated { 0 } else { number / 2 }) / number
    })
}

/// The mean, with the two outermost rows and columns computed from the input by `at_border`.
fn ring(s: &Situation<'_>, weights: Square, at_border: impl Fn(u8) -> u8) -> Option<Guess> {
    let mut guess = mean(s, weights, Border::Missing)?;
    let (width, height) = s.size();
    for (i, (out, value)) in guess.outputs[0].iter_mut().zip(gray(s.image)).enumerate() {
        let (x, y) = (i % width, i / width);
        if x < 2 || y < 2 || x + 2 >= width || y + 2 >= height {
            *out = at_border(value);
        }
    }
    Some(guess)
}

/// The mean of the image as a kernel with swapped indices reads it.
fn mean_of_swapped(s: &Situation<'_>, weights: Square) -> Option<Guess> {
    let other = swapped(&gray(s.image), s.size(), s.parameters[1]);
    let rounded = |sum, total| (sum + if s.parameters[0] == 1 { 0 } else { total / 2 }) / total;
    smoothed_of(&other.0, other.1, s, weights, Border::Missing, rounded)
}

/// The rounded mean of neighbours that are a few columns or rows away from where they should be, or 0 outside the image.
fn mean_of_shifted(s: &Situation<'_>, weights: Square) -> Option<Guess> {
    let (width, height) = s.size();
    let all = gray(s.image);
    let from = |at: usize, shift: usize, side: usize| (at + shift).checked_sub(2).filter(|at| *at < side);
    let value = |x: usize, y: usize| {
        let [x, y] = [from(x, s.parameters[0], width)?, from(y, s.parameters[1], height)?];
        Some(all[y * width + x])
    };
    let shifted: Vec<u8> = (0..width * height).map(|at| value(at % width, at / width).unwrap_or(0)).collect();
    let rounded = |sum, total| (sum + total / 2) / total;
    smoothed_of(&shifted, (width, height), s, weights, Border::Missing, rounded)
}

/// The same where a tile holds 0 for what lies outside the image, and the weights are those of the neighbours in the image.
fn mean_of_shifted_tile(s: &Situation<'_>, weights: Square) -> Option<Guess> {
    let (width, height) = s.size();
    let all = gray(s.image);
    let [right, down] = s.parameters;
    let value = |x: usize, y: usize| {
        let place =
            |at: usize, shift: usize, side: usize| (at + shift).checked_sub(4).filter(|at| *at < side);
        let [x, y] = [place(x, right, width)?, place(y, down, height)?];
        Some(i64::from(all[y * width + x]))
    };
    let sum = |x: usize, y: usize| -> i64 {
        let row = |dy: usize| (0..5).map(move |dx| (dx, dy));
        let of = |(dx, dy): (usize, usize)| weights[dy][dx] * value(x + dx, y + dy).unwrap_or(0);
        (0..5).flat_map(row).map(of).sum()
    };
    let mut place = 0;
    smoothed(s, weights, Border::Missing, |_, total| {
        place += 1;
        (sum((place - 1) % width, (place - 1) / width) + total / 2) / total
    })
}

/// Any quotient of the weighted sum and the sum of the weights.
fn smoothed(
    s: &Situation<'_>,
    weights: Square,
    border: Border,
    quotient: impl FnMut(i64, i64) -> i64,
) -> Option<Guess> {
    smoothed_of(&gray(s.image), s.size(), s, weights, border, quotient)
}

/// The same of any picture.
fn smoothed_of(
    gray: &[u8],
    (width, height): (usize, usize),
    s: &Situation<'_>,
    weights: Square,
    border: Border,
    mut quotient: impl FnMut(i64, i64) -> i64,
) -> Option<Guess> {
    let mut out = Vec::with_capacity(gray.len());
    for y in 0..height {
        for x in 0..width {
            let (mut sum, mut total) = (0, 0);
            for (dy, row) in weights.iter().enumerate() {
                for (dx, weight) in row.iter().enumerate() {
                    let at = [x as i64 + dx as i64 - 2, y as i64 + dy as i64 - 2];
                    let (value, counts) =
                        border.value(gray, at, [width as i64, height as i64], s.parameters[1] == 1);
                    sum += weight * value;
                    total += weight * counts;
                }
            }
            out.push(quotient(sum, total) as u8);
        }
    }
    Some(vec![out].into())
}

impl Border {
    /// The value at a place that may lie outside the image, and 1 if its weight counts, otherwise 0.
    fn value(self, gray: &[u8], [x, y]: [i64; 2], [width, height]: [i64; 2], once: bool) -> (i64, i64) {
        let at = |x: i64, y: i64| (i64::from(gray[(y * width + x) as usize]), 1);
        if (0..width).contains(&x) && (0..height).contains(&y) {
            return at(x, y);
        }
        let both = |place: fn(i64, i64) -> i64| at(place(x, width), place(y, height));
        // `edge` is 1 if the border pixel is repeated. In an image smaller than the neighbourhood, a place may still be
        // outside after one reflection: it is reflected `once`, or at both sides, and then clamped.
        let folded = |edge: i64| {
            let fold = |at: i64, side: i64| {
                let up = if at < 0 { -at - edge } else { at };
                let down = |at: i64| if at >= side { 2 * side - 2 + edge - at } else { at };
                (if once && at < 0 { up } else { down(up) }).clamp(0, side - 1)
            };
            at(fold(x, width), fold(y, height))
        };
        match self {
            Self::Missing => (0, 0),
            Self::Black => (0, 1),
            Self::Repeated => both(|at, side| at.clamp(0, side - 1)),
            Self::Reflected => folded(0),
            Self::Mirrored => folded(1),
            Self::Periodic => both(i64::rem_euclid),
            Self::Index => {
                let index = y * width + x;
                gray.get(usize::try_from(index).unwrap_or(usize::MAX))
                    .map_or((0, 0), |value| (i64::from(*value), 1))
            }
        }
    }
}
