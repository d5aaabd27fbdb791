//! The cases tell almost right slopes from right ones.

use lab::Image;
use lab::almost::{Outputs, all_are_told};
use lab6_sobel::LAB;

/// The 3×3 neighbours of every pixel, row by row, outside as the nearest inside, to its result.
fn slopes(image: &Image, result: impl Fn([i32; 9]) -> i32) -> Vec<Vec<u8>> {
    let (gray, width, height) = (lab::gray(image), image.width, image.height);
    let around = |at: usize, by: usize, side: usize| (at + by).saturating_sub(1).min(side - 1);
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let neighbours = |(x, y)| -> [i32; 9] {
        std::array::from_fn(|k| i32::from(gray[around(y, k / 3, height) * width + around(x, k % 3, width)]))
    };
    vec![pixels.map(|at| result(neighbours(at)) as u8).collect()]
}

/// gx and gy.
fn both([a, b, c, d, _, f, g, h, i]: [i32; 9]) -> [i32; 2] {
    [(c + 2 * f + i) - (a + 2 * d + g), (g + 2 * h + i) - (a + 2 * b + c)]
}

fn full(value: i32) -> i32 {
    value.clamp(0, 255)
}

/// The mean of two bytes, rounded up, as `__vavgu4` has it.
fn mean(a: i32, b: i32) -> i32 {
    (a + b + 1) / 2
}

const SOBEL: &[(&str, Outputs)] = &[
    ("length in place of the sum", |image| {
        slopes(image, |n| full(both(n).iter().map(|g| f64::from(g * g)).sum::<f64>().sqrt() as i32))
    }),
    ("the larger one", |image| slopes(image, |n| full(both(n)[0].abs().max(both(n)[1].abs())))),
    ("without absolute values", |image| slopes(image, |n| full(both(n)[0] + both(n)[1]))),
    ("the absolute value of the sum", |image| slopes(image, |n| full((both(n)[0] + both(n)[1]).abs()))),
    ("the sum in a byte", |image| slopes(image, |n| both(n)[0].abs() + both(n)[1].abs())),
    ("254 for 255", |image| slopes(image, |n| (both(n)[0].abs() + both(n)[1].abs()).min(254))),
    ("white from 256 on only", |image| {
        slopes(image, |n| {
            let sum = both(n)[0].abs() + both(n)[1].abs();
            if sum > 256 { 255 } else { sum }
        })
    }),
    ("each side at most 255", |image| {
        slopes(image, |[a, b, c, d, _, f, g, h, i]| {
            let side = |x: i32, y: i32, z: i32| full(x + 2 * y + z);
            full((side(c, f, i) - side(a, d, g)).abs() + (side(g, h, i) - side(a, b, c)).abs())
        })
    }),
    ("means of bytes", |image| {
        slopes(image, |[a, b, c, d, _, f, g, h, i]| {
            let side = |x, y, z| 4 * mean(mean(x, z), y);
            full((side(c, f, i) - side(a, d, g)).abs() + (side(g, h, i) - side(a, b, c)).abs())
        })
    }),
    ("slopes in signed bytes", |image| {
        slopes(image, |n| full(both(n).iter().map(|g| i32::from(*g as i8).abs()).sum()))
    }),
    ("each slope halved", |image| slopes(image, |n| full(both(n).iter().map(|g| 2 * (g.abs() / 2)).sum()))),
    ("absolute values by complement", |image| {
        slopes(image, |n| full(both(n).iter().map(|g| if *g < 0 { !g } else { *g }).sum()))
    }),
];

#[test]
fn almost_right_slopes_are_told() {
    all_are_told(LAB.tasks()[0], SOBEL);
}
