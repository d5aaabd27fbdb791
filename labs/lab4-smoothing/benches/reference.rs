//! The CPU references of lab 4, which every speedup is relative to, beside OpenCV's (see the crate `peer`):
//! `cargo bench -p lab4-smoothing --bench reference`.

use lab4_smoothing::{LAB, cases, filters};
use peer::{Operation, compare};

const FILTER_2D: &str = "cv2.filter2D: in float, rounds, mirrors the image at its borders";

fn main() {
    compare(LAB, |task| match task {
        "smooth_box" => vec![Operation::new("blur", "cv2.blur: mirrors the image at its borders")],
        "smooth_triangular" => vec![
            Operation::new("triangle", "cv2.sepFilter2D with 1 2 3 2 1: mirrors the image at its borders"),
            Operation::new("gaussian", "cv2.GaussianBlur 5x5: other weights, a loop of its own"),
        ],
        _ => vec![Operation { parameters: timed_filter(), ..Operation::new("filter2d", FILTER_2D) }],
    });
}

/// The divisor and the 25 values of the filter that belongs to the timed image.
fn timed_filter() -> Vec<i32> {
    let image = cases::timed().image(1).expect("a generated picture");
    let filter = filters::filter_for(image.width);
    [&[filter.divisor], &filter.values[..]].concat()
}
