//! The CPU references of lab 3, the base of every speedup, beside OpenCV's (see the crate `peer`):
//! `cargo bench -p lab3-equalization --bench reference`.

use criterion::{Criterion, criterion_group, criterion_main};
use lab::Task;
use lab3_equalization::mapping::{MakeTable, parallel, sequential};
use lab3_equalization::{equalize, stretch};
use peer::{Comparison, Operation, Way};

fn references(criterion: &mut Criterion) {
    let image = equalize::Equalize.timed_case().image(1).expect("a generated picture");
    let gray = lab::gray(&image);
    let mut out = vec![1; gray.len()];
    let stretched = Operation::new("stretch", "cv2.calcHist, the table in numpy, cv2.LUT");
    let equalized = Operation::new("equalizehist", "cv2.equalizeHist: the same formula");
    for (task, make, operation) in [
        ("contrast_stretch", stretch::table as MakeTable, stretched),
        ("equalize", equalize::table, equalized),
    ] {
        // Bytes that have to move: one read and one written a pixel.
        let (bytes, picture) = (2 * gray.len() as u64, (&gray[..], image.width, 1));
        Comparison { task, bytes, picture, operations: vec![operation] }.run(criterion, |way| match way {
            Way::Sequential => sequential(make, &gray, &mut out),
            Way::Parallel => parallel(make, &gray, &mut out),
        });
    }
}

criterion_group!(benches, references);
criterion_main!(benches);
