//! The CPU references of lab 5, which every speedup is relative to, beside OpenCV's (see the crate `peer`):
//! `cargo bench -p lab5-pipeline --bench reference`.

use lab5_pipeline::LAB;
use peer::{Operation, compare};

fn main() {
    compare(LAB, |_| {
        vec![Operation::new("pipeline", "cv2.cvtColor, cv2.calcHist, numpy, cv2.LUT, cv2.blur")]
    });
}
