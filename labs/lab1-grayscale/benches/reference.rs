//! The CPU references of lab 1, which every speedup is relative to, beside OpenCV's (see the crate `peer`):
//! `cargo bench -p lab1-grayscale --bench reference`.

use lab1_grayscale::LAB;
use peer::{Operation, compare};

fn main() {
    compare(LAB, |task| match task {
        "grayscale" => {
            vec![Operation::new("cvtcolor", "cv2.cvtColor: weights 0.299, 0.587, 0.114 in 15 bits")]
        }
        _ => Vec::new(),
    });
}
