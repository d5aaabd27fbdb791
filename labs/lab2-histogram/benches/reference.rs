//! The CPU references of lab 2, the base of every speedup, beside OpenCV's (see the crate `peer`):
//! `cargo bench -p lab2-histogram --bench reference`.

use criterion::{Criterion, criterion_group, criterion_main};
use lab::Task;
use lab2_histogram::{LEVELS, gray_histogram, histogram};
use peer::{Comparison, Operation, Way};

fn references(criterion: &mut Criterion) {
    let image = histogram::Histogram.timed_case().image(1).expect("a generated picture");
    let gray = lab::gray(&image);
    let (width, mut out, mut bins) = (image.width, gray.clone(), [0; LEVELS]);

    let counting = Comparison {
        task: "histogram",
        bytes: gray.len() as u64,
        picture: (&gray, width, 1),
        operations: vec![Operation::new("calchist", "cv2.calcHist: counts in float")],
    };
    counting.run(criterion, |way| {
        // Started over, so that no counter overflows.
        bins.fill(0);
        match way {
            Way::Sequential => histogram::sequential(&gray, &mut bins),
            Way::Parallel => histogram::parallel(&gray, &mut bins),
        }
    });
    let both = Comparison {
        task: "gray_histogram",
        bytes: 4 * gray.len() as u64,
        picture: (&image.data, width, 3),
        operations: vec![Operation::new("cvtcolor_calchist", "cv2.cvtColor, then cv2.calcHist: two passes")],
    };
    both.run(criterion, |way| {
        bins.fill(0);
        match way {
            Way::Sequential => gray_histogram::sequential(&image.data, &mut out, &mut bins),
            Way::Parallel => gray_histogram::parallel(&image.data, &mut out, &mut bins),
        }
    });
}

criterion_group!(benches, references);
criterion_main!(benches);
