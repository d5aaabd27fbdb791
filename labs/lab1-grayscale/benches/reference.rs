//! The CPU references of lab 1, the base of every speedup, beside OpenCV's (see the crate `peer`):
//! `cargo bench -p lab1-grayscale --bench reference`.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use lab::{Image, Task};
use lab1_grayscale::{darken, grayscale};
use peer::{Comparison, Operation, Way};

fn image() -> Image {
    grayscale::Grayscale.timed_case().image(1).expect("a generated picture")
}

fn references(criterion: &mut Criterion) {
    let image = image();
    let mut gray = vec![1; image.pixels()];
    // Bytes that have to move: three read and one written a pixel.
    let bytes = 4 * image.pixels() as u64;
    let note = "cv2.cvtColor: weights 0.299, 0.587, 0.114 in 15 bits";
    let picture = (&image.data[..], image.width, 3);
    let operations = vec![Operation::new("cvtcolor", note)];
    Comparison { task: "grayscale", bytes, picture, operations }.run(criterion, |way| match way {
        Way::Sequential => grayscale::sequential(&image.data, &mut gray),
        Way::Parallel => grayscale::parallel(&image.data, &mut gray),
    });
    let planar = darken::planar(&image.data);
    let darker = Comparison { task: "grayscale_darken", bytes, picture, operations: Vec::new() };
    darker.run(criterion, |way| match way {
        Way::Sequential => darken::sequential(&planar, &mut gray),
        Way::Parallel => darken::parallel(&planar, &mut gray),
    });
}

/// How long a case takes to make: every timed run has a new one.
fn pictures(criterion: &mut Criterion) {
    let case = grayscale::Grayscale.timed_case();
    let mut group = criterion.benchmark_group("picture");
    group.sample_size(10);
    group.bench_function("scene", |bencher| {
        bencher.iter_batched(|| &case, |case| case.image(1), BatchSize::PerIteration);
    });
    group.finish();
}

criterion_group!(benches, references, pictures);
criterion_main!(benches);
