//! The test images of the three tasks, smaller than those of lab 1: a pixel costs 25 times as much here.

use lab::{Case, LONG_SIDES, Pattern, Picture};

use crate::filters::{
    ALMOST_WHOLE, BELOW_A_BYTE_WIDTH, BEYOND_A_BYTE_WIDTH, BRIGHT_WIDTH, BROAD_WIDTH, NEARLY_GAUSS_WIDTH,
    NEIGHBOUR_WIDTH, WHOLE_WIDTH, filter_for,
};

/// Sizes that break stencil kernels, smallest first.
const SIZES: [(usize, usize, &str); 17] = [
    (1, 1, "1x1"),
    (1, 97, "1x97, one column"),
    (131, 1, "131x1, one row"),
    (2, 2, "2x2, smaller than the neighbourhood"),
    (4, 3, "4x3, borders all over"),
    (3, 7, "3x7, no inner column"),
    (5, 5, "5x5, one inner pixel"),
    (7, 6, "7x6, fewer pixels than two warps"),
    (8, 4, "8x4, exactly one warp"),
    (31, 33, "31x33, odd"),
    (64, 32, "64x32, whole blocks"),
    (255, 6, "255x6, one short of a block a row"),
    (257, 9, "257x9, one past a block a row"),
    (34, 127, "34x127, taller than wide"),
    // The first pixel of nearly every row, times `1.0f / 61`, is less than the number of the row: no other width here is so bad.
    (61, 29, "61x29, rows that a reciprocal misses"),
    (1031, 11, "1031x11, wider than a block can be"),
    (13, 1100, "13x1100, higher than a block can be"),
];

/// The cases of every task, smallest first. `named` gives the name of a case from its plain name and width.
pub fn cases(named: impl Fn(&str, usize) -> String) -> Vec<Case> {
    let noise = |(width, height, name): (usize, usize, &str)| {
        Case::new(named(name, width), Picture::Noise { width, height, colours: 256 })
    };
    let adversarial = [
        (67, "flat white", Picture::Flat { width: 67, height: 41, value: [255; 3] }),
        // Halves are rounded up: floating-point sums that miss them by little are wrong where means are small.
        (59, "dark noise", Picture::LowContrast { width: 59, height: 37, low: 0, high: 9 }),
        (100, "flat colour", Picture::Flat { width: 100, height: 30, value: [255, 0, 128] }),
        (104, "1-row stripes", Picture::HorizontalStripes { width: 104, height: 64, period: 1 }),
        (161, "32-column stripes", Picture::VerticalStripes { width: 161, height: 50, period: 32 }),
        (126, "noise 2 values", Picture::Noise { width: 126, height: 75, colours: 2 }),
        (233, "noise 256 values", Picture::Noise { width: 233, height: 121, colours: 256 }),
    ];
    let adversarial =
        adversarial.into_iter().map(|(width, name, picture)| Case::new(named(name, width), picture));
    let photograph = Case::new(named("photograph chelsea", 451), Picture::Photograph("chelsea"));
    let large = Case::new(named("large scene 515x389", 515), Picture::Scene { width: 515, height: 389 });
    let (sizes, long) = (SIZES.into_iter().map(noise), LONG_SIDES.into_iter().map(noise));
    sizes.chain(adversarial).chain([photograph]).chain(long).chain([large]).collect()
}

/// The cases of a task without a filter.
pub fn plain() -> Vec<Case> {
    let halves = Case::new("means just below and above halves", Picture::Pattern(Pattern::MeansAroundHalves));
    cases(|name, _| name.to_owned()).into_iter().chain([halves]).collect()
}

/// The same cases, with the name of the filter added to each name.
pub fn filtered() -> Vec<Case> {
    let named = |name: &str, width| format!("{name}, {}", filter_for(width).name);
    let white = |width| Picture::Flat { width, height: 23, value: [255; 3] };
    let thirds = Picture::Flat { width: WHOLE_WIDTH, height: 19, value: [85, 170, 255] };
    let noise = |(width, height): (usize, usize)| {
        let name = format!("{width}x{height} noise");
        Case::new(named(&name, width), Picture::Noise { width, height, colours: 256 })
    };
    let own = [
        Case::new(named("whole quotients", WHOLE_WIDTH), thirds),
        Case::new(named("white, a little less than whole", BROAD_WIDTH), white(BROAD_WIDTH)),
    ];
    let almost =
        ALMOST_WHOLE.map(|(width, _)| Case::new(named("white, one less than whole", width), white(width)));
    let of_noise = [
        (BEYOND_A_BYTE_WIDTH, 29),
        (NEARLY_GAUSS_WIDTH, 23),
        (BELOW_A_BYTE_WIDTH, 21),
        (NEIGHBOUR_WIDTH, 17),
        (BRIGHT_WIDTH, 15),
    ];
    cases(named).into_iter().chain(own).chain(almost).chain(of_noise.map(noise)).collect()
}

/// A generated scene of the size that the GTX 480 report timed, 46,953,096 pixels: too large for any cache.
pub fn timed() -> Case {
    Case::new("timed scene 8773x5352", Picture::Scene { width: 8773, height: 5352 })
}
