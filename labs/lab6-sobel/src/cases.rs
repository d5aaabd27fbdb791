//! The test images.

use lab::{Case, LONG_SIDES, Picture};

// ANCHOR: sizes
/// Sizes that break kernels that read neighbours, smallest first.
const SIZES: [(usize, usize, &str); 14] = [
    (1, 1, "1x1"),
    (1, 97, "1x97, one column"),
    (131, 1, "131x1, one row"),
    (2, 2, "2x2, smaller than the neighbourhood"),
    (3, 3, "3x3, one inner pixel"),
    (5, 4, "5x4, fewer pixels than a warp"),
    (8, 4, "8x4, exactly one warp"),
    (31, 33, "31x33, odd"),
    (64, 32, "64x32, whole blocks"),
    (255, 6, "255x6, one short of a block a row"),
    (257, 9, "257x9, one past a block a row"),
    (34, 127, "34x127, taller than wide"),
    // The first pixel of nearly every row, times `1.0f / 61`, is less than the number of the row: no other width here is so bad.
    (61, 29, "61x29, rows that a reciprocal misses"),
    (1031, 11, "1031x11, wider than a block can be"),
];

/// The cases, smallest first. In noise of all levels most results are 255. Neighbours in the other pictures differ less, so
/// that results are below.
pub fn cases() -> Vec<Case> {
    let noise = |(width, height, name)| Case::new(name, Picture::GrayNoise { width, height, levels: 256 });
    let patterns = [
        Case::new("flat white", Picture::Flat { width: 67, height: 41, value: [255; 3] }),
        Case::new("1-row stripes", Picture::HorizontalStripes { width: 104, height: 64, period: 1 }),
        Case::new("32-column stripes", Picture::VerticalStripes { width: 161, height: 50, period: 32 }),
        Case::new("dark noise", Picture::LowContrast { width: 59, height: 37, low: 0, high: 31 }),
        Case::new("narrow levels", Picture::LowContrast { width: 233, height: 121, low: 90, high: 141 }),
        Case::new("photograph chelsea", Picture::Photograph("chelsea")),
        Case::new("large scene 515x389", Picture::Scene { width: 515, height: 389 }),
    ];
    SIZES.into_iter().map(noise).chain(patterns).chain(LONG_SIDES.map(noise)).collect()
}
// ANCHOR_END: sizes

/// A generated scene of the size that the GTX 480 report timed, 46,953,096 pixels: too large for any cache.
pub fn timed() -> Case {
    Case::new("timed scene 8773x5352", Picture::Scene { width: 8773, height: 5352 })
}
