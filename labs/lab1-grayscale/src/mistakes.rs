//! What students get wrong in the two tasks, beside what goes wrong anywhere: weights, channels, fractions.

#![expect(clippy::unnecessary_wraps, reason = "helpers return what `Mistake::outputs` has to")]

use lab::{ALONE, Guess, Image, Mistake, Parameters, Situation};

/// The three bytes that a kernel takes for pixel i of so many.
type Fetch = fn(&[u8], usize, usize) -> [u8; 3];

/// The orders of red, green and blue other than the right one.
const ORDERS: &[Parameters] = &[[210, 0], [102, 0], [21, 0], [120, 0], [201, 0]];
const CHANNELS: &[Parameters] = &[[0, 0], [1, 0], [2, 0]];
const NAMES: [&str; 3] = ["red", "green", "blue"];

const ORDER_HINT: &str =
    "red weighs 0.3, green 0.59 and blue 0.11, and red comes first in memory: not as in a BMP or in OpenCV";
const AVERAGE_HINT: &str =
    "the eye does not see the three colours as equally bright: 0.3 R + 0.59 G + 0.11 B";
const REC_709_HINT: &str = "the task asks for the older weights: 0.3 R + 0.59 G + 0.11 B";
const FRACTION_HINT: &str =
    "add the three products first, as float or in hundredths; only the sum becomes a byte";
const ONE_CHANNEL_HINT: &str = "a gray level takes all three bytes of a pixel: 0.3 R + 0.59 G + 0.11 B";

/// Of `grayscale`.
pub const GRAYSCALE: &[Mistake] = &[
    Mistake {
        name: "channels_swapped",
        parameters: ORDERS,
        message: order_message,
        hint: ORDER_HINT,
        outputs: |s| gray(s, interleaved, |rgb| rounded(reordered(rgb, s.parameters[0]))),
    },
    Mistake {
        name: "plain_average",
        parameters: ALONE,
        message: |_| "the gray is the plain average of red, green and blue".to_owned(),
        hint: AVERAGE_HINT,
        outputs: |s| gray(s, interleaved, average),
    },
    Mistake {
        name: "other_weights",
        parameters: ALONE,
        message: |_| "the weights are those of Rec. 709: 0.2126, 0.7152, 0.0722".to_owned(),
        hint: REC_709_HINT,
        outputs: |s| gray(s, interleaved, rec_709),
    },
    Mistake {
        name: "one_channel",
        parameters: CHANNELS,
        message: |p| format!("the gray is the {} channel alone", NAMES[p[0]]),
        hint: ONE_CHANNEL_HINT,
        outputs: |s| gray(s, interleaved, |rgb| rgb[s.parameters[0]]),
    },
    Mistake {
        name: "products_truncated",
        parameters: ALONE,
        message: |_| "each of the three products loses its fraction before they are added".to_owned(),
        hint: FRACTION_HINT,
        outputs: |s| gray(s, interleaved, |rgb| truncated_products(rgb) as u8),
    },
    Mistake {
        name: "byte_overflow",
        // With and without the half that rounds.
        parameters: &[[50, 0], [0, 0]],
        message: |_| "the weighted sum is kept in a byte, which holds its last 8 bits only".to_owned(),
        hint: "the sum of hundredths goes up to 25,550: keep it in an int, and divide before it becomes a byte",
        outputs: |s| gray(s, interleaved, |rgb| ((hundredths(rgb) + s.parameters[0] as u32) as u8) / 100),
    },
    Mistake {
        name: "planar_for_interleaved",
        parameters: ALONE,
        message: |_| "the interleaved pixels are read as if they were three planes".to_owned(),
        hint: "pixel i is rgb[3 * i], rgb[3 * i + 1] and rgb[3 * i + 2]",
        outputs: |s| gray(s, planar, rounded),
    },
    Mistake {
        name: "pixels_a_byte_apart",
        parameters: ALONE,
        message: |_| "pixels are read as if they were one byte apart, not three".to_owned(),
        hint: "pixel i begins at rgb[3 * i]: a pixel is three bytes",
        outputs: |s| gray(s, |rgb, i, _| [rgb[i], rgb[i + 1], rgb[i + 2]], rounded),
    },
];

/// Of `grayscale_darken`.
pub const DARKEN: &[Mistake] = &[
    Mistake {
        name: "not_darkened",
        parameters: ALONE,
        message: |_| "the gray is right, and not darkened".to_owned(),
        hint: "multiply the weighted sum by 0.6 before you add the half",
        outputs: |s| dark(s, planar, rounded),
    },
    Mistake {
        name: "darkened_twice",
        parameters: ALONE,
        message: |_| "the gray is darkened twice".to_owned(),
        hint: "one multiplication by 0.6",
        outputs: |s| dark(s, planar, |rgb| ((hundredths(rgb) * 36 + 5000) / 10_000) as u8),
    },
    Mistake {
        name: "interleaved_for_planar",
        parameters: ALONE,
        message: |_| "the planes are read as if they were interleaved pixels".to_owned(),
        hint: "with n = width * height, pixel i is planar_rgb[i], planar_rgb[n + i] and planar_rgb[2 * n + i]",
        outputs: |s| dark(s, interleaved, |rgb| darkened(hundredths(rgb))),
    },
    Mistake {
        name: "channels_swapped",
        parameters: ORDERS,
        message: order_message,
        hint: "red weighs 0.3, green 0.59 and blue 0.11; the red plane comes first, then the green one",
        outputs: |s| dark(s, planar, |rgb| darkened(hundredths(reordered(rgb, s.parameters[0])))),
    },
    Mistake {
        name: "plain_average",
        parameters: ALONE,
        message: |_| "the gray is the plain average of red, green and blue".to_owned(),
        hint: AVERAGE_HINT,
        outputs: |s| dark(s, planar, |rgb| darkened(100 * sum(rgb) / 3)),
    },
    Mistake {
        name: "one_channel",
        parameters: CHANNELS,
        message: |p| format!("only the {} channel is darkened", NAMES[p[0]]),
        hint: ONE_CHANNEL_HINT,
        outputs: |s| dark(s, planar, |rgb| darkened(100 * u32::from(rgb[s.parameters[0]]))),
    },
    Mistake {
        name: "products_truncated",
        parameters: ALONE,
        message: |_| "each of the three products loses its fraction before they are added".to_owned(),
        hint: FRACTION_HINT,
        outputs: |s| dark(s, planar, |rgb| (truncated_products(rgb) * 6 / 10) as u8),
    },
];

fn order_message(p: Parameters) -> String {
    match p[0] {
        210 => "red and blue have each other's weights".to_owned(),
        102 => "red and green have each other's weights".to_owned(),
        21 => "green and blue have each other's weights".to_owned(),
        _ => "each channel has the weight of another one".to_owned(),
    }
}

fn interleaved(bytes: &[u8], i: usize, _: usize) -> [u8; 3] {
    [bytes[3 * i], bytes[3 * i + 1], bytes[3 * i + 2]]
}

fn planar(bytes: &[u8], i: usize, pixels: usize) -> [u8; 3] {
    [bytes[i], bytes[pixels + i], bytes[2 * pixels + i]]
}

/// Three channels in the order that three decimal digits name.
fn reordered(rgb: [u8; 3], order: usize) -> [u8; 3] {
    [100, 10, 1].map(|digit| rgb[order / digit % 10])
}

fn sum(rgb: [u8; 3]) -> u32 {
    rgb.map(u32::from).iter().sum()
}

fn hundredths([red, green, blue]: [u8; 3]) -> u32 {
    30 * u32::from(red) + 59 * u32::from(green) + 11 * u32::from(blue)
}

fn rounded(rgb: [u8; 3]) -> u8 {
    ((hundredths(rgb) + 50) / 100) as u8
}

fn darkened(hundredths: u32) -> u8 {
    ((3 * hundredths + 250) / 500) as u8
}

fn average(rgb: [u8; 3]) -> u8 {
    (sum(rgb) / 3) as u8
}

fn rec_709([red, green, blue]: [u8; 3]) -> u8 {
    ((2126 * u32::from(red) + 7152 * u32::from(green) + 722 * u32::from(blue) + 5000) / 10_000) as u8
}

fn truncated_products([red, green, blue]: [u8; 3]) -> u32 {
    30 * u32::from(red) / 100 + 59 * u32::from(green) / 100 + 11 * u32::from(blue) / 100
}

fn gray(s: &Situation<'_>, fetch: Fetch, level: impl Fn([u8; 3]) -> u8) -> Option<Guess> {
    Some(mapped(s.image, &s.image.data, fetch, level))
}

fn dark(s: &Situation<'_>, fetch: Fetch, level: impl Fn([u8; 3]) -> u8) -> Option<Guess> {
    Some(mapped(s.image, &crate::darken::planar(&s.image.data), fetch, level))
}

fn mapped(image: &Image, bytes: &[u8], fetch: Fetch, level: impl Fn([u8; 3]) -> u8) -> Guess {
    let pixels = image.pixels();
    let gray: Vec<u8> = (0..pixels).map(|i| level(fetch(bytes, i, pixels))).collect();
    vec![gray].into()
}
