//! The CPU references of lab 2, which every speedup is relative to, beside OpenCV's (see the crate `peer`):
//! `cargo bench -p lab2-histogram --bench reference`.

use lab2_histogram::LAB;
use peer::{Operation, compare};

fn main() {
    compare(LAB, |task| match task {
        "histogram" => vec![Operation::new("calchist", "cv2.calcHist: counts in float")],
        _ => vec![Operation::new("cvtcolor_calchist", "cv2.cvtColor, then cv2.calcHist: two passes")],
    });
}
