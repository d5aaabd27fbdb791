//! Wrong values: counted twice, negated, never computed. Sums that start from the old contents of the output are not
//! covered here: the simulator reports the read of an uninitialized value.

use crate::Element;
use crate::mistake::{ALONE, Guess, Mistake, Situation};

/// All mistakes of value.
pub const VALUES: &[Mistake] = &[
    Mistake {
        name: "counted_on",
        parameters: ALONE,
        message: |_| {
            "the first call is right, and the next call adds to its counts: the counters are not set to 0 again"
                .to_owned()
        },
        hint: "counters that outlive a call (`__device__`, `static`) keep their values: set them to 0 at the start of \
               every call",
        outputs: |s| counters(s, |expected| expected.wrapping_mul(i64::from(s.call) + 1)),
    },
    Mistake {
        name: "counted_several_times",
        parameters: &[[2, 0], [3, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0]],
        message: |p| match p[0] {
            2 => "every pixel is counted twice".to_owned(),
            n => format!("every pixel is counted {n} times"),
        },
        hint: "exactly one thread must count each pixel, and exactly one thread must add each counter of a block to the result",
        outputs: |s| counters(s, |expected| expected.wrapping_mul(s.parameters[0] as i64)),
    },
    Mistake {
        name: "counters_of_few_bits",
        parameters: &[[8, 0], [16, 0]],
        message: |p| format!("the counters overflow: they keep only the lowest {} bits", p[0]),
        hint: "all pixels of an image may have the same level: count in 32 bits, or add small counters to larger ones before they overflow",
        outputs: |s| counters(s, |expected| expected & ((1 << s.parameters[0]) - 1)),
    },
    Mistake {
        name: "all_zero",
        parameters: ALONE,
        message: |_| "0 was written everywhere".to_owned(),
        hint: "an integer division too early gives 0 (30 / 100 is 0): multiply first; also check that the sum begins with a value (`int sum = 0;`) and is stored",
        outputs: |s| {
            if s.shapes.iter().all(|shape| shape.zeroed) {
                return None;
            }
            Some(elementwise(s, |_, _| 0))
        },
    },
    Mistake {
        name: "negative",
        parameters: ALONE,
        message: |_| "the picture is a negative: 255 minus the right value".to_owned(),
        hint: "0 is black and 255 is white",
        outputs: |s| {
            Some(elementwise(
                s,
                |expected, element| if element == Element::U8 { 255 - expected } else { expected },
            ))
        },
    },
];

/// The outputs with every expected element replaced by `value`.
fn elementwise(s: &Situation<'_>, value: impl Fn(i64, Element) -> i64) -> Guess {
    let outputs = s.shapes.iter().zip(s.expected).map(|(shape, expected)| {
        let (element, size) = (shape.element, shape.element.size());
        let changed =
            expected.chunks_exact(size).map(|bytes| value(element.value(bytes), element).to_le_bytes());
        changed.flat_map(|bytes| bytes.into_iter().take(size)).collect()
    });
    outputs.collect::<Vec<Vec<u8>>>().into()
}

/// The outputs with every counter replaced by `value`: outputs that are not pictures, such as histograms. `None` if
/// there are none.
fn counters(s: &Situation<'_>, value: impl Fn(i64) -> i64) -> Option<Guess> {
    if s.shapes.iter().all(|shape| shape.row > 0) {
        return None;
    }
    let outputs = s.shapes.iter().zip(s.expected).map(|(shape, expected)| {
        if shape.row > 0 {
            return expected.clone();
        }
        let size = shape.element.size();
        let changed =
            expected.chunks_exact(size).map(|element| value(shape.element.value(element)).to_le_bytes());
        changed.flat_map(|bytes| bytes.into_iter().take(size)).collect()
    });
    Some(outputs.collect::<Vec<Vec<u8>>>().into())
}
