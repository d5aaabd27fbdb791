//! Mistakes that put the right values in the wrong places.

use crate::Image;
use crate::mistake::{ALONE, Guess, Mistake, Parameters, Situation, channels};

/// Shifts of at most two pixels, stored with 2 added.
const SHIFTS: &[Parameters] = &[
    [0, 2],
    [1, 2],
    [3, 2],
    [4, 2],
    [2, 0],
    [2, 1],
    [2, 3],
    [2, 4],
    [1, 1],
    [1, 3],
    [3, 1],
    [3, 3],
    [0, 0],
    [4, 4],
];

/// The wrong orders of three channels.
const ORDERS: [[usize; 3]; 5] = [[2, 1, 0], [1, 0, 2], [0, 2, 1], [1, 2, 0], [2, 0, 1]];

/// All mistakes of place.
pub const GEOMETRY: &[Mistake] = &[
    Mistake {
        name: "shifted",
        parameters: SHIFTS,
        message: |p| {
            format!("the picture is shifted: every pixel holds the value that belongs {}", direction(p))
        },
        hint: "an index is wrong by a constant: check the first values of x and y, and the offsets added to them",
        outputs: |s| {
            let ([dx, dy], (width, height)) = (s.parameters, s.size());
            moved(s, |x, y| {
                let (x, y) = ((x + dx).checked_sub(2)?, (y + dy).checked_sub(2)?);
                (x < width && y < height).then_some(y * width + x)
            })
        },
    },
    Mistake {
        name: "mirrored",
        parameters: &[[1, 0], [0, 1], [1, 1]],
        message: |p| {
            let how = match p {
                [1, 0] => "mirrored: left and right are swapped",
                [0, 1] => "upside down: top and bottom are swapped",
                _ => "rotated by 180 degrees",
            };
            format!("the picture is {how}")
        },
        hint: "row 0 is the top row and column 0 the left column, in the input and in the output",
        outputs: |s| {
            let ([mx, my], (width, height)) = (s.parameters, s.size());
            moved(s, |x, y| {
                let (x, y) =
                    (if mx == 1 { width - 1 - x } else { x }, if my == 1 { height - 1 - y } else { y });
                Some(y * width + x)
            })
        },
    },
    Mistake {
        name: "rows_and_columns_swapped",
        parameters: &[[0, 0], [1, 0]],
        message: |_| {
            "rows and columns are swapped: pixels lie where the index x * height + y puts them".to_owned()
        },
        hint: "the pixel in column x and row y has the index y * width + x, in the input and in the output",
        outputs: |s| {
            let (width, height) = s.size();
            let written = s.parameters[0] == 0;
            moved(s, |x, y| {
                let index = y * width + x;
                Some(if written { index % height * width + index / height } else { x * height + y })
            })
        },
    },
    Mistake {
        name: "channels_swapped",
        parameters: &[[0, 0], [1, 0], [2, 0], [3, 0], [4, 0]],
        message: |p| {
            let order: String = ORDERS[p[0]].iter().map(|channel| ['R', 'G', 'B'][*channel]).collect();
            format!("the channels are in the wrong order: {order} instead of RGB")
        },
        hint: "a pixel is three bytes: red first, then green, then blue",
        outputs: |s| {
            let width = s.image.width;
            let order = ORDERS[s.parameters[0]];
            if !s.shapes.iter().any(|shape| channels(shape, width) == Some(3)) {
                return None;
            }
            let outputs = s.shapes.iter().zip(s.expected).map(|(shape, expected)| {
                if channels(shape, width) != Some(3) {
                    return expected.clone();
                }
                expected.chunks_exact(3).flat_map(|pixel| order.map(|channel| pixel[channel])).collect()
            });
            Some(outputs.collect::<Vec<Vec<u8>>>().into())
        },
    },
    Mistake {
        name: "pixels_a_byte_apart",
        parameters: ALONE,
        message: |_| "pixels of the input are read as if they were one byte apart, not three".to_owned(),
        hint: "pixel i begins at byte 3 * i: a pixel is three bytes",
        outputs: |s| {
            if s.task.is_gray() || s.image.channels != 3 {
                return None;
            }
            let pixels = (0..s.image.pixels()).map(|first| &s.image.data[first..first + 3]);
            let read = Image { data: pixels.flatten().copied().collect(), ..*s.image };
            Some(s.task.reference(&read).into())
        },
    },
    Mistake {
        name: "first_pixel_everywhere",
        parameters: ALONE,
        message: |_| "every pixel holds the value of the first one".to_owned(),
        hint: "every thread reads the same pixel: use the thread's own index for the read too",
        outputs: |s| moved(s, |_, _| Some(0)),
    },
];

/// The outputs that are pictures, with every pixel taken from the index that `from` gives for its column and row.
/// Where `from` gives no index, any value is possible. `None` if no output is a picture.
fn moved(s: &Situation<'_>, from: impl Fn(usize, usize) -> Option<usize>) -> Option<Guess> {
    let width = s.image.width;
    if !s.shapes.iter().any(|shape| channels(shape, width).is_some()) {
        return None;
    }
    let mut guess = Guess { outputs: Vec::new(), open: Vec::new() };
    for (shape, expected) in s.shapes.iter().zip(s.expected) {
        let Some(channels) = channels(shape, width) else {
            guess.outputs.push(expected.clone());
            guess.open.push(vec![false; expected.len() / shape.element.size()]);
            continue;
        };
        let places: Vec<Option<usize>> =
            (0..expected.len() / channels).map(|pixel| from(pixel % width, pixel / width)).collect();
        let taken = places.iter().flat_map(|place| &expected[channels * place.unwrap_or(0)..][..channels]);
        guess.outputs.push(taken.copied().collect());
        let open = places.iter().flat_map(|place| std::iter::repeat_n(place.is_none(), channels));
        guess.open.push(open.collect());
    }
    Some(guess)
}

/// Where a shifted value belongs: `2 columns to the right and 1 row below`.
fn direction([dx, dy]: Parameters) -> String {
    let part = |by: usize, unit: &str, less: &str, more: &str| {
        let count = by.abs_diff(2);
        let plural = if count == 1 { "" } else { "s" };
        (count > 0).then(|| format!("{count} {unit}{plural} {}", if by < 2 { less } else { more }))
    };
    let parts = [part(dx, "column", "to the left", "to the right"), part(dy, "row", "above", "below")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" and ")
}
