//! The CPU references of lab 3, which every speedup is relative to, beside OpenCV's (see the crate `peer`):
//! `cargo bench -p lab3-equalization --bench reference`.

use lab3_equalization::LAB;
use peer::{Operation, compare};

fn main() {
    compare(LAB, |task| match task {
        "contrast_stretch" => vec![Operation::new("stretch", "cv2.calcHist, the table in numpy, cv2.LUT")],
        _ => vec![Operation::new("equalizehist", "cv2.equalizeHist: the same formula")],
    });
}
