//! The CPU references of lab 4, the base of every speedup, beside OpenCV's (see the crate `peer`):
//! `cargo bench -p lab4-smoothing --bench reference`.

use criterion::{Criterion, criterion_group, criterion_main};
use lab::{Image, gray};
use lab4_smoothing::{cases, correlation, filters, smooth_box, smooth_triangular};
use peer::{Comparison, Operation, Way};

fn references(criterion: &mut Criterion) {
    let image: Image = cases::timed().image(1).expect("a generated picture");
    let (gray, width) = (gray(&image), image.width);
    let mut out = vec![1; gray.len()];
    // Bytes that have to move: each read once and written once.
    let (bytes, picture) = (2 * gray.len() as u64, (&gray[..], width, 1));
    let operations = vec![Operation::new("blur", "cv2.blur: mirrors the image at its borders")];
    Comparison { task: "smooth_box", bytes, picture, operations }.run(criterion, |way| match way {
        Way::Sequential => smooth_box::sequential(&gray, &mut out, width),
        Way::Parallel => smooth_box::parallel(&gray, &mut out, width),
    });
    let operations = vec![
        Operation::new("triangle", "cv2.sepFilter2D with 1 2 3 2 1: mirrors the image at its borders"),
        Operation::new("gaussian", "cv2.GaussianBlur 5x5: other weights, a loop of its own"),
    ];
    Comparison { task: "smooth_triangular", bytes, picture, operations }.run(criterion, |way| match way {
        Way::Sequential => smooth_triangular::sequential(&gray, &mut out, width),
        Way::Parallel => smooth_triangular::parallel(&gray, &mut out, width),
    });
    let filter = filters::filter_for(width);
    let operation = Operation {
        parameters: [&[filter.divisor], &filter.values[..]].concat(),
        ..Operation::new("filter2d", "cv2.filter2D: in float, rounds, mirrors the image at its borders")
    };
    let mut out = vec![1; image.data.len()];
    let filtering = Comparison {
        task: "filter_rgb",
        bytes: 2 * image.data.len() as u64,
        picture: (&image.data, width, 3),
        operations: vec![operation],
    };
    filtering.run(criterion, |way| match way {
        Way::Sequential => correlation::sequential(&image.data, &mut out, width, filter),
        Way::Parallel => correlation::parallel(&image.data, &mut out, width, filter),
    });
}

criterion_group!(benches, references);
criterion_main!(benches);
