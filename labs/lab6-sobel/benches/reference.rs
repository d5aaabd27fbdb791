//! The CPU references of lab 6, which every speedup is relative to, beside OpenCV's (see the crate `peer`):
//! `cargo bench -p lab6-sobel --bench reference`.

use lab6_sobel::LAB;
use peer::{Operation, compare};

fn main() {
    compare(LAB, |_| {
        vec![Operation::new(
            "sobel",
            "cv2.spatialGradient, cv2.convertScaleAbs twice, cv2.add: the same bytes",
        )]
    });
}
