//! The test filters of `filter_rgb`: 25 integers, row by row, and a divisor.

/// A 5×5 filter: `values[5 * (dy + 2) + (dx + 2)]` belongs to the neighbour `dx` columns and `dy` rows away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filter {
    /// Its name, which is part of a case's name.
    pub name: &'static str,
    /// Its integers, each from −1,000 to 1,000, so that every sum fits an `int`.
    pub values: [i32; 25],
    /// Divisor of the sum, at least 1.
    pub divisor: i32,
}

/// The filters of most widths. `mean` is the plain case. `relief` has 25 different values, which reveals swapped or reversed rows and
/// columns. `sharpen` and `edges` give sums below 0 and above 255. `heavy` has values that do not fit a byte. `shift` has
/// a single value, far from the middle. `gauss` has the largest sum of values. The divisors of `relief` and `heavy` are such
/// that a product with the rounded reciprocal, `sum * (1.0f / divisor)`, falls below the quotient where nothing remains.
pub const FILTERS: [Filter; 7] = [
    Filter { name: "mean", values: [1; 25], divisor: 25 },
    Filter {
        name: "gauss",
        values: [
            1, 4, 6, 4, 1, //
            4, 16, 24, 16, 4, //
            6, 24, 36, 24, 6, //
            4, 16, 24, 16, 4, //
            1, 4, 6, 4, 1,
        ],
        divisor: 256,
    },
    Filter {
        name: "relief",
        values: [
            -13, -11, -8, -5, -1, //
            -12, -9, -7, -3, 4, //
            -10, -6, 27, 7, 11, //
            -4, 2, 8, 12, 14, //
            1, 5, 10, 15, 17,
        ],
        divisor: 61,
    },
    Filter {
        name: "sharpen",
        values: [
            -1, -1, -1, -1, -1, //
            -1, 2, 2, 2, -1, //
            -1, 2, 8, 2, -1, //
            -1, 2, 2, 2, -1, //
            -1, -1, -1, -1, -1,
        ],
        divisor: 8,
    },
    Filter {
        name: "edges",
        values: [
            -1, -1, -1, -1, -1, //
            -1, -1, -1, -1, -1, //
            -1, -1, 24, -1, -1, //
            -1, -1, -1, -1, -1, //
            -1, -1, -1, -1, -1,
        ],
        divisor: 1,
    },
    Filter {
        name: "heavy",
        values: [
            0, -875, 0, 130, 0, //
            300, 0, -128, 0, -300, //
            0, 255, 1000, 256, 0, //
            -300, 0, 127, 0, 300, //
            0, 140, 0, 875, 0,
        ],
        divisor: 1837,
    },
    Filter {
        name: "shift",
        values: [
            0, 0, 0, 0, 0, //
            0, 0, 0, 0, 0, //
            0, 0, 0, 0, 0, //
            0, 0, 0, 0, 0, //
            0, 3, 0, 0, 0,
        ],
        divisor: 3,
    },
];

/// A filter with a large divisor. On a white image every sum is one less than 208 times the divisor, and
/// `(sum + 0.5f) * (1.0f / divisor)` rounds up to 208, while it is exact for all other filters.
pub const BROAD: Filter = Filter {
    name: "broad",
    values: [
        960, 968, 968, 968, 960, //
        968, 978, 986, 978, 968, //
        968, 986, 993, 986, 968, //
        968, 978, 986, 978, 968, //
        960, 968, 968, 968, 960,
    ],
    divisor: 29_797,
};

/// A filter whose only value is one more than a signed byte holds. It is the last one, which a loop over the values may forget.
pub const BEYOND_A_BYTE: Filter = Filter {
    name: "beyond a byte",
    values: [
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 128,
    ],
    divisor: 128,
};

/// Images of a multiple of this width have the filter `broad`.
pub const BROAD_WIDTH: usize = 101;
/// Images of a multiple of this width have the filter `beyond a byte`: no picture that is timed has, as solutions may treat such
/// filters in another way.
pub const BEYOND_A_BYTE_WIDTH: usize = 103;

/// A filter with a divisor of millions. On a picture of the levels 85, 170 and 255 every quotient is a whole number, and a product with
/// the rounded reciprocal falls below it, in single and in double precision.
pub const WHOLE: Filter = Filter {
    name: "whole",
    values: [
        938, 936, 937, 938, 936, //
        937, 938, 936, 937, 938, //
        936, 937, 939, 938, 936, //
        937, 938, 936, 937, 938, //
        936, 937, 938, 936, 937,
    ],
    divisor: 85 * 23_427,
};
/// Images of a multiple of this width have the filter `whole`.
pub const WHOLE_WIDTH: usize = 109;

/// The filter `gauss` but for its last value: who treats products of a row and a column in a way of their own has to look at every value.
pub const NEARLY_GAUSS: Filter =
    Filter { name: "nearly gauss", values: changed(24)[1].values, divisor: FILTERS[1].divisor };
/// Images of a multiple of this width have the filter `nearly gauss`.
pub const NEARLY_GAUSS_WIDTH: usize = 139;

/// A filter whose only value that no signed byte holds is negative, and the first one.
pub const BELOW_A_BYTE: Filter = Filter {
    name: "below a byte",
    values: [
        -129, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 127, 0, 90, //
        0, 0, 0, 0, 0, //
        0, 0, 101, 0, 0,
    ],
    divisor: 189,
};
/// Images of a multiple of this width have the filter `below a byte`.
pub const BELOW_A_BYTE_WIDTH: usize = 149;

/// A filter that copies a neighbour, with the divisor 1, whose reciprocal in 32 bits, `0xffffffff / divisor + 1`, is 0.
pub const NEIGHBOUR: Filter = Filter {
    name: "neighbour",
    values: [
        0, 0, 0, 0, 0, //
        0, 0, 0, 1, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0,
    ],
    divisor: 1,
};
/// Images of a multiple of this width have the filter `neighbour`.
pub const NEIGHBOUR_WIDTH: usize = 151;

/// A filter of small values, none of them negative, whose sums go beyond 16 bits.
pub const BRIGHT: Filter = Filter {
    name: "bright",
    values: [
        25, 26, 27, 28, 29, //
        24, 26, 27, 28, 30, //
        23, 25, 27, 29, 31, //
        24, 26, 27, 28, 30, //
        25, 26, 27, 28, 29,
    ],
    divisor: 250,
};
/// Images of a multiple of this width have the filter `bright`.
pub const BRIGHT_WIDTH: usize = 157;

/// Filters for images of a multiple of a width. On a white picture each sum is one less than a multiple of the divisor: whoever adds a little to
/// a product with the reciprocal, so that whole quotients come out right, gets the next one. What is little enough depends on the divisor, so
/// there is one below each limit up to which solutions may divide in a way of their own; all but the last have values that a signed byte holds.
pub const ALMOST_WHOLE: [(usize, Filter); 4] = [
    (167, spread("almost whole, 1016", 761, 1_016)),
    (173, spread("almost whole, 4094", 2_633, 4_094)),
    (179, spread("almost whole, 65408", 513, 65_408)),
    (163, spread("almost two", 24_999, 3_187_373)),
];

/// A filter whose values have this sum and differ by one at most.
const fn spread(name: &'static str, sum: i32, divisor: i32) -> Filter {
    let mut values = [sum / 25; 25];
    let mut place = 0;
    while place < sum % 25 {
        values[place as usize] += 1;
        place += 1;
    }
    Filter { name, values, divisor }
}

/// Images of a multiple of one of these widths, primes like the others, have one of [`OTHERS`]: only pictures that follow others have.
const OTHER_WIDTHS: [usize; 3] = [107, 113, 127];
/// For each of these widths, the filters with other values: turned round by some places, so that the divisor and the sum of the values
/// are the same; with another last value; with another first value.
const OTHERS: [[Filter; FILTERS.len()]; 3] = [turned(), changed(24), changed(0)];

const fn turned() -> [Filter; FILTERS.len()] {
    let mut all = FILTERS;
    let mut number = 0;
    while number < all.len() {
        let mut place = 0;
        while place < 25 {
            all[number].values[place] = FILTERS[number].values[(place + 7) % 25];
            place += 1;
        }
        number += 1;
    }
    all
}

const fn changed(place: usize) -> [Filter; FILTERS.len()] {
    let mut all = FILTERS;
    let mut number = 0;
    while number < all.len() {
        // Enough to change every quotient of light pixels.
        all[number].values[place] += 1 + all[number].divisor / 16;
        number += 1;
    }
    all
}

/// A width of which the filter has the divisor of the filter of this width, but other values.
pub fn width_of_another(width: usize) -> usize {
    let number = width % FILTERS.len();
    let other = OTHER_WIDTHS[width / FILTERS.len() % OTHER_WIDTHS.len()];
    let is_like = |times: &usize| other * times % FILTERS.len() == number;
    other * (1..=FILTERS.len()).find(is_like).unwrap_or(1)
}

/// The filter for images of this width: a task sees only its image, so the width selects the filter.
pub const fn filter_for(width: usize) -> &'static Filter {
    if width.is_multiple_of(BROAD_WIDTH) {
        &BROAD
    } else if width.is_multiple_of(BEYOND_A_BYTE_WIDTH) {
        &BEYOND_A_BYTE
    } else if width.is_multiple_of(WHOLE_WIDTH) {
        &WHOLE
    } else if width.is_multiple_of(NEARLY_GAUSS_WIDTH) {
        &NEARLY_GAUSS
    } else if width.is_multiple_of(BELOW_A_BYTE_WIDTH) {
        &BELOW_A_BYTE
    } else if width.is_multiple_of(NEIGHBOUR_WIDTH) {
        &NEIGHBOUR
    } else if width.is_multiple_of(BRIGHT_WIDTH) {
        &BRIGHT
    } else {
        let mut kind = 0;
        while kind < ALMOST_WHOLE.len() {
            if width.is_multiple_of(ALMOST_WHOLE[kind].0) {
                return &ALMOST_WHOLE[kind].1;
            }
            kind += 1;
        }
        kind = 0;
        while kind < OTHER_WIDTHS.len() {
            if width.is_multiple_of(OTHER_WIDTHS[kind]) {
                return &OTHERS[kind][width % FILTERS.len()];
            }
            kind += 1;
        }
        &FILTERS[width % FILTERS.len()]
    }
}
