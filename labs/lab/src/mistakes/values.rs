//! Mistakes of values: counted twice, negated, never computed. Results added to what the output held before are
//! not among them: the simulator reports the read of a value that nothing wrote.

use crate::Element;
use crate::mistake::{ALONE, Guess, Mistake, Situation};

/// All of them.
pub const VALUES: &[Mistake] = &[
    Mistake {
        name: "counted_on",
        parameters: ALONE,
        message: |_| {
            "the first call is right, and the next counts on from it: the counters are not zeroed again"
                .to_owned()
        },
        hint: "counters that live longer than a call (`__device__`, `static`) keep their values: set them to 0 at the \
               start of every call",
        outputs: |s| counters(s, |expected| expected.wrapping_mul(i64::from(s.call) + 1)),
    },
    Mistake {
        name: "counted_several_times",
        parameters: &[[2, 0], [3, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0]],
        message: |p| match p[0] {
            2 => "every pixel is counted twice".to_owned(),
            n => format!("every pixel is counted {n} times"),
        },
        hint: "only one thread may count a pixel, and only one thread may add a block's counter to the result",
        outputs: |s| counters(s, |expected| expected.wrapping_mul(s.parameters[0] as i64)),
    },
    Mistake {
        name: "counters_of_few_bits",
        parameters: &[[8, 0], [16, 0]],
        message: |p| format!("the counters overflow: they keep the last {} bits only", p[0]),
        hint: "one level may have all pixels of an image: count in 32 bits, or empty small counters before they are full",
        outputs: |s| counters(s, |expected| expected & ((1 << s.parameters[0]) - 1)),
    },
    Mistake {
        name: "all_zero",
        parameters: ALONE,
        message: |_| "0 was written everywhere".to_owned(),
        hint: "a product of whole numbers that is divided too early becomes 0, and so does a sum that is never stored",
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

/// Every element of every output from what is expected.
fn elementwise(s: &Situation<'_>, value: impl Fn(i64, Element) -> i64) -> Guess {
    let outputs = s.shapes.iter().zip(s.expected).map(|(shape, expected)| {
        let (element, size) = (shape.element, shape.element.size());
        let changed =
            expected.chunks_exact(size).map(|bytes| value(element.value(bytes), element).to_le_bytes());
        changed.flat_map(|bytes| bytes.into_iter().take(size)).collect()
    });
    outputs.collect::<Vec<Vec<u8>>>().into()
}

/// Changes the outputs that are no pictures, such as histograms; `None` if there are none.
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
