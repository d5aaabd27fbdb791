//! Mistakes in the filter on RGB: orientation, copy, quotients, borders.

use lab::{ALONE, Guess, Mistake, SWAPPED, SWAPPED_HINT, Situation, swapped};

use crate::filters::filter_for;

const COPY_HINT: &str =
    "the filter is 25 ints, 100 bytes: cudaMemcpyToSymbol(filter, filter25, 25 * sizeof(int))";
const CLAMP_HINT: &str =
    "divide first, then clamp the quotient to 0..255, then store: min(max(sum / divisor, 0), 255)";
const BORDER_HINT: &str = "the two outermost rows and columns are copied from the input unchanged";

/// The ways to miss the three bytes of a pixel.
const INDEX: [&str; 5] = [
    "neighbours are read as if a pixel were one byte: the index of the pixel is not multiplied by 3",
    "the neighbours' distances are counted in bytes: dx and dy * width are not multiplied by 3",
    "the neighbour dy rows away is read at a distance of dy * width bytes, but a row has 3 * width bytes",
    "the channels are read as if they were one picture after the other, but the input is R G B R G B …",
    "all three channels are computed from red: the channel is not added to the index",
];

/// Mistakes in `filter_rgb`.
pub const FILTER: &[Mistake] = &[
    Mistake {
        name: "rounded",
        parameters: ALONE,
        message: |_| "the quotient is rounded, but the task truncates".to_owned(),
        hint: "store sum / divisor: an integer division in C truncates",
        outputs: |s| {
            filtered(s, values(s), 3, |sum, divisor| clamp((2 * sum + divisor).div_euclid(2 * divisor)))
        },
    },
    Mistake {
        name: "not_clamped",
        parameters: ALONE,
        message: |_| "quotients outside 0 to 255 are not clamped: their lowest 8 bits are stored".to_owned(),
        hint: CLAMP_HINT,
        outputs: |s| filtered(s, values(s), 3, |sum, divisor| (sum / divisor) as u8),
    },
    Mistake {
        name: "clamped_on_one_side",
        parameters: &[[0, 0], [255, 0]],
        message: |p| format!("quotients are clamped on one side only: at {}", p[0]),
        hint: CLAMP_HINT,
        outputs: |s| {
            filtered(s, values(s), 3, |sum, divisor| {
                let quotient = sum / divisor;
                (if s.parameters[0] == 0 { quotient.max(0) } else { quotient.min(255) }) as u8
            })
        },
    },
    Mistake {
        name: "clamped_before_division",
        parameters: ALONE,
        message: |_| "the sum is clamped to 0..255 before it is divided".to_owned(),
        hint: CLAMP_HINT,
        outputs: |s| filtered(s, values(s), 3, |sum, divisor| clamp(i32::from(clamp(sum)) / divisor)),
    },
    Mistake {
        name: "absolute_value",
        parameters: ALONE,
        message: |_| "negative quotients become positive, but the task clamps them to 0".to_owned(),
        hint: CLAMP_HINT,
        outputs: |s| filtered(s, values(s), 3, |sum, divisor| clamp((sum / divisor).abs())),
    },
    Mistake {
        name: "not_divided",
        parameters: ALONE,
        message: |_| "the sum is not divided by the divisor".to_owned(),
        hint: CLAMP_HINT,
        outputs: |s| filtered(s, values(s), 3, |sum, _| clamp(sum)),
    },
    Mistake {
        name: "signed_pixels",
        parameters: &[[0, 0], [1, 0]],
        message: |p| {
            let how = if p[0] == 0 { "lacks" } else { "has twice" };
            format!("the sum {how} 128 times the sum of the weights")
        },
        hint: "a `__dp4a` needs signed bytes, pixel ^ 128, which are the pixels minus 128: add 128 times the sum of the weights to each sum, once",
        outputs: |s| {
            let weights: i32 = values(s).iter().sum();
            let base = if s.parameters[0] == 0 { -128 } else { 128 } * weights;
            filtered(s, values(s), 3, |sum, divisor| quotient(sum + base, divisor))
        },
    },
    Mistake {
        name: "rows_and_columns_of_the_filter_swapped",
        parameters: ALONE,
        message: |_| "rows and columns of the filter are swapped".to_owned(),
        hint: "the value filter25[5 * (dy + 2) + (dx + 2)] belongs to the neighbour dx columns and dy rows away",
        outputs: |s| {
            let values = values(s);
            filtered(s, std::array::from_fn(|k| values[k % 5 * 5 + k / 5]), 3, quotient)
        },
    },
    Mistake {
        name: "filter_turned",
        parameters: ALONE,
        message: |_| {
            "the filter is rotated by 180 degrees: its first value is applied to the neighbour below and to the right".to_owned()
        },
        hint: "the value filter25[0] belongs to the neighbour above and to the left: the task is a correlation; unlike a \
               convolution, it does not rotate the filter",
        outputs: |s| {
            let values = values(s);
            filtered(s, std::array::from_fn(|k| values[24 - k]), 3, quotient)
        },
    },
    Mistake {
        name: "filter_in_bytes",
        parameters: &[[0, 0], [1, 0]],
        message: |_| {
            "the filter is stored in bytes, which keep only the lowest 8 bits of each value".to_owned()
        },
        hint: COPY_HINT,
        outputs: |s| {
            let signed = s.parameters[0] == 0;
            filtered(
                s,
                values(s).map(|v| if signed { i32::from(v as i8) } else { i32::from(v as u8) }),
                3,
                quotient,
            )
        },
    },
    Mistake {
        name: "filter_copied_in_part",
        parameters: &[[25, 0], [40, 0], [20, 0], [5, 0]],
        message: |p| format!("only the first {} bytes of the filter are copied: the rest stays 0", p[0]),
        hint: COPY_HINT,
        outputs: |s| {
            let mut bytes = [0; 100];
            let whole: Vec<u8> = values(s).iter().flat_map(|value| value.to_le_bytes()).collect();
            bytes[..s.parameters[0]].copy_from_slice(&whole[..s.parameters[0]]);
            let value = |k: usize| [0, 1, 2, 3].map(|byte| bytes[4 * k + byte]);
            filtered(s, std::array::from_fn(|k| i32::from_le_bytes(value(k))), 3, quotient)
        },
    },
    Mistake {
        name: "neighbours_a_byte_apart",
        parameters: ALONE,
        message: |_| {
            "the neighbour dx columns away is read at a distance of dx bytes, where another channel lies"
                .to_owned()
        },
        hint: "a pixel is three bytes: the same channel of the neighbour dx columns away is 3 * dx bytes away",
        outputs: |s| filtered(s, values(s), 1, quotient),
    },
    Mistake {
        name: "index_without_three",
        // The way to compute the index, and whether the border is copied with the same index; `pixels_a_byte_apart` is the first of them.
        parameters: &[[0, 0], [1, 0], [2, 0], [3, 0], [3, 1], [4, 0], [4, 1]],
        message: |p| INDEX[p[0]].to_owned(),
        hint: "a pixel is three bytes: channel c of the pixel in column x and row y is rgb[3 * (y * width + x) + c], and its \
               neighbour's is rgb[3 * ((y + dy) * width + x + dx) + c]",
        outputs: of_other_bytes,
    },
    Mistake {
        name: "sum_carried_on",
        parameters: &[[0, 0], [1, 0], [2, 0]],
        message: |_| "the sums of green and blue begin with what the channel before left in them".to_owned(),
        hint: "set the sum to 0 at the start of each channel: declare it inside the loop over the channels",
        outputs: carried_on,
    },
    Mistake {
        name: "rows_and_columns_swapped",
        // The way to swap, and whether the border is copied with the same index.
        parameters: &[[0, 0], [0, 1], [1, 1]],
        message: |p| SWAPPED[p[0]].to_owned(),
        hint: SWAPPED_HINT,
        outputs: filtered_of_swapped,
    },
    Mistake {
        name: "border_filtered",
        parameters: &[[0, 0], [1, 0]],
        message: |p| {
            let rule = if p[0] == 0 {
                "with 0 outside the image"
            } else {
                "with copies of the nearest pixel outside the image"
            };
            format!("wrong border rule: the border is filtered too, {rule}")
        },
        hint: BORDER_HINT,
        outputs: border_filtered,
    },
    Mistake {
        name: "border_zero",
        parameters: ALONE,
        message: |_| "wrong border rule: the two outermost rows and columns become 0".to_owned(),
        hint: BORDER_HINT,
        outputs: |s| {
            let mut guess = filtered(s, values(s), 3, quotient)?;
            let size = s.size();
            for (i, byte) in guess.outputs[0].iter_mut().enumerate() {
                if is_border(i / 3, size) {
                    *byte = 0;
                }
            }
            Some(guess)
        },
    },
    Mistake {
        name: "input_copied",
        parameters: ALONE,
        message: |_| "the input is copied: no pixel is filtered".to_owned(),
        hint: "each pixel inside the border is the sum of 25 products, divided and clamped",
        outputs: |s| Some(vec![s.image.data.clone()].into()),
    },
];

fn values(s: &Situation<'_>) -> [i32; 25] {
    filter_for(s.image.width).values
}

fn clamp(value: i32) -> u8 {
    value.clamp(0, 255) as u8
}

fn quotient(sum: i32, divisor: i32) -> u8 {
    clamp(sum / divisor)
}

fn is_border(pixel: usize, (width, height): (usize, usize)) -> bool {
    let (x, y) = (pixel % width, pixel / width);
    x < 2 || y < 2 || x + 2 >= width || y + 2 >= height
}

/// The image filtered with these values, with neighbouring columns `column` bytes apart; the border is copied.
fn filtered(
    s: &Situation<'_>,
    values: [i32; 25],
    column: usize,
    level: impl Fn(i32, i32) -> u8,
) -> Option<Guess> {
    filtered_of(&s.image.data, s.size(), filter_for(s.image.width).divisor, values, column, level)
}

/// The same of any picture.
fn filtered_of(
    rgb: &[u8],
    size: (usize, usize),
    divisor: i32,
    values: [i32; 25],
    column: usize,
    level: impl Fn(i32, i32) -> u8,
) -> Option<Guess> {
    let bytes = (0..rgb.len()).map(|i| {
        if is_border(i / 3, size) {
            return rgb[i];
        }
        let first = i - 2 * 3 * size.0 - 2 * column;
        let products = values
            .iter()
            .enumerate()
            .map(|(k, v)| v * i32::from(rgb[first + k / 5 * 3 * size.0 + k % 5 * column]));
        level(products.sum(), divisor)
    });
    Some(vec![bytes.collect::<Vec<u8>>()].into())
}

/// The filter on the bytes that a kernel with one of the ways of [`INDEX`] reads.
fn of_other_bytes(s: &Situation<'_>) -> Option<Guess> {
    let (rgb, (width, height)) = (&s.image.data, s.size());
    let filter = filter_for(width);
    let [way, border_too] = s.parameters;
    let (row, all) = (width as i64, (width * height) as i64);
    let byte = |i: usize, dx: i64, dy: i64| {
        let (pixel, c) = ((i / 3) as i64, (i % 3) as i64);
        let at = match way {
            0 => pixel + dy * row + dx + c,
            1 => 3 * pixel + c + dy * row + dx,
            2 => 3 * (pixel + dx) + c + dy * row,
            3 => c * all + pixel + dy * row + dx,
            _ => 3 * (pixel + dy * row + dx),
        };
        usize::try_from(at).ok().and_then(|at| rgb.get(at)).copied().unwrap_or(0)
    };
    let bytes = (0..rgb.len()).map(|i| {
        if is_border(i / 3, (width, height)) {
            return if border_too == 1 { byte(i, 0, 0) } else { rgb[i] };
        }
        let products = (-2..=2)
            .flat_map(|dy| (-2..=2).map(move |dx| (dx, dy)))
            .zip(filter.values)
            .map(|((dx, dy), value)| value * i32::from(byte(i, dx, dy)));
        quotient(products.sum(), filter.divisor)
    });
    Some(vec![bytes.collect::<Vec<u8>>()].into())
}

/// The channels of a pixel with one sum: what stays in it is the quotient, the sum, or the level that was stored.
fn carried_on(s: &Situation<'_>) -> Option<Guess> {
    let before = std::cell::Cell::new(0);
    let channel = std::cell::Cell::new(0);
    filtered(s, values(s), 3, |sum, divisor| {
        let start = if channel.get() == 0 { 0 } else { before.get() };
        channel.set((channel.get() + 1) % 3);
        let sum = sum + start;
        let level = quotient(sum, divisor);
        before.set(match s.parameters[0] {
            0 => sum / divisor,
            1 => sum,
            _ => i32::from(level),
        });
        level
    })
}

/// The filter on the image as a kernel with swapped indices reads it.
fn filtered_of_swapped(s: &Situation<'_>) -> Option<Guess> {
    let (pixels, _) = s.image.data.as_chunks::<3>();
    let [way, border_too] = s.parameters;
    let (other, size) = swapped(pixels, s.size(), way);
    let divisor = filter_for(s.image.width).divisor;
    let mut guess = filtered_of(other.as_flattened(), size, divisor, values(s), 3, quotient)?;
    for (i, out) in guess.outputs[0].iter_mut().enumerate() {
        if border_too == 0 && is_border(i / 3, size) {
            *out = s.image.data[i];
        }
    }
    Some(guess)
}

/// The border filtered like the inner pixels, with 0 or the nearest pixel for neighbours outside the image.
fn border_filtered(s: &Situation<'_>) -> Option<Guess> {
    let mut guess = filtered(s, values(s), 3, quotient)?;
    let (rgb, (width, height)) = (&s.image.data, s.size());
    let filter = filter_for(width);
    for (i, out) in guess.outputs[0].iter_mut().enumerate().filter(|(i, _)| is_border(i / 3, (width, height)))
    {
        let (x, y, channel) = ((i / 3 % width) as i64, (i / 3 / width) as i64, i % 3);
        let products = filter.values.iter().enumerate().map(|(k, value)| {
            let (column, row) = (x + k as i64 % 5 - 2, y + k as i64 / 5 - 2);
            let nearest = (column.clamp(0, width as i64 - 1), row.clamp(0, height as i64 - 1));
            if s.parameters[0] == 0 && nearest != (column, row) {
                return 0;
            }
            value * i32::from(rgb[3 * (nearest.1 as usize * width + nearest.0 as usize) + channel])
        });
        *out = quotient(products.sum(), filter.divisor);
    }
    Some(guess)
}
