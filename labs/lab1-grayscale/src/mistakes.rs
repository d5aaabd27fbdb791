//! Mistakes of the two tasks, in addition to the general ones: weights, channels, fractions.

#![expect(clippy::unnecessary_wraps, reason = "the helpers have the return type of `Mistake::outputs`")]

use lab::{ALONE, Guess, Image, Mistake, Parameters, Situation};

/// The three bytes that a kernel reads for a pixel: from the bytes, its index, and the number of pixels.
type Fetch = fn(&[u8], usize, usize) -> [u8; 3];

/// The wrong orders of red, green and blue.
const ORDERS: &[Parameters] = &[[210, 0], [102, 0], [21, 0], [120, 0], [201, 0]];
const CHANNELS: &[Parameters] = &[[0, 0], [1, 0], [2, 0]];
const NAMES: [&str; 3] = ["red", "green", "blue"];

const ORDER_HINT: &str = "red has weight 0.3, green 0.59 and blue 0.11, and red comes first in memory, unlike in BMP files and OpenCV";
const AVERAGE_HINT: &str = "the eye is not equally sensitive to the three colours: 0.3 R + 0.59 G + 0.11 B";
const REC_709_HINT: &str = "the task asks for the older weights: 0.3 R + 0.59 G + 0.11 B";
const FRACTION_HINT: &str = "divide once, after the sum: add the three products first, in hundredths or in float, and convert only the sum to a byte";
const ONE_CHANNEL_HINT: &str = "a gray level needs all three bytes of a pixel: 0.3 R + 0.59 G + 0.11 B";

/// Mistakes in `grayscale`.
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
        message: |_| "each of the three products is truncated before they are added".to_owned(),
        hint: FRACTION_HINT,
        outputs: |s| gray(s, interleaved, |rgb| truncated_products(rgb) as u8),
    },
    Mistake {
        name: "byte_overflow",
        // With and without the 50 hundredths that round.
        parameters: &[[50, 0], [0, 0]],
        message: |_| "the weighted sum is stored in a byte, which keeps only its lowest 8 bits".to_owned(),
        hint: "the sum of hundredths can be 25,550: keep it in an int, and divide before you convert it to a byte",
        outputs: |s| gray(s, interleaved, |rgb| ((hundredths(rgb) + s.parameters[0] as u32) as u8) / 100),
    },
    Mistake {
        name: "planar_for_interleaved",
        parameters: ALONE,
        message: |_| "the interleaved pixels are read as if they were three planes".to_owned(),
        hint: "pixel i is rgb[3 * i], rgb[3 * i + 1] and rgb[3 * i + 2]",
        outputs: |s| gray(s, planar, rounded),
    },
];

/// Mistakes in `grayscale_darken`.
pub const DARKEN: &[Mistake] = &[
    Mistake {
        name: "not_darkened",
        parameters: ALONE,
        message: |_| "the gray is right, but not darkened".to_owned(),
        hint: "multiply the weighted sum by 0.6 before you add 0.5",
        outputs: |s| dark(s, planar, rounded),
    },
    Mistake {
        name: "darkened_twice",
        parameters: ALONE,
        message: |_| "the gray is darkened twice".to_owned(),
        hint: "multiply by 0.6 once",
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
        hint: "red has weight 0.3, green 0.59 and blue 0.11; the red plane comes first, then green, then blue",
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
        message: |_| "each of the three products is truncated before they are added".to_owned(),
        hint: FRACTION_HINT,
        outputs: |s| dark(s, planar, |rgb| (truncated_products(rgb) * 6 / 10) as u8),
    },
];

fn order_message(p: Parameters) -> String {
    match p[0] {
        210 => "the weights of red and blue are swapped".to_owned(),
        102 => "the weights of red and green are swapped".to_owned(),
        21 => "the weights of green and blue are swapped".to_owned(),
        _ => "each channel has the weight of another channel".to_owned(),
    }
}

fn interleaved(bytes: &[u8], i: usize, _: usize) -> [u8; 3] {
    [bytes[3 * i], bytes[3 * i + 1], bytes[3 * i + 2]]
}

fn planar(bytes: &[u8], i: usize, pixels: usize) -> [u8; 3] {
    [bytes[i], bytes[pixels + i], bytes[2 * pixels + i]]
}

/// Three channels in the order of the three decimal digits.
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
