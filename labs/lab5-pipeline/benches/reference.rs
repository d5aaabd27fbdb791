//! The CPU references of lab 5, the base of every speedup, beside OpenCV's (see the crate `peer`):
//! `cargo bench -p lab5-pipeline --bench reference`.

use criterion::{Criterion, criterion_group, criterion_main};
use lab5_pipeline::{LAB, pipeline};
use peer::{Comparison, Operation, Way};

fn references(criterion: &mut Criterion) {
    let image = LAB.tasks()[0].timed_case().image(1).expect("a generated picture");
    let mut out = vec![1; image.pixels()];
    let comparison = Comparison {
        task: "pipeline",
        // Bytes that have to move: those of the image, and of the result.
        bytes: 4 * image.pixels() as u64,
        picture: (&image.data, image.width, 3),
        operations: vec![Operation::new("pipeline", "cv2.cvtColor, cv2.calcHist, numpy, cv2.LUT, cv2.blur")],
    };
    comparison.run(criterion, |way| match way {
        Way::Sequential => pipeline::sequential(&image.data, &mut out, image.width),
        Way::Parallel => pipeline::parallel(&image.data, &mut out, image.width),
    });
}

criterion_group!(benches, references);
criterion_main!(benches);
