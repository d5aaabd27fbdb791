//! The CPU references of lab 1: the base of every speedup. `cargo bench -p lab1-grayscale`.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use lab::{Image, Task};
use lab1_grayscale::{darken, grayscale};

type Reference = fn(&[u8], &mut [u8]);

fn image() -> Image {
    grayscale::Grayscale.timed_case().image(1).expect("a generated picture")
}

fn measure(criterion: &mut Criterion, task: &str, input: &[u8], references: [(&str, Reference); 2]) {
    let mut group = criterion.benchmark_group(task);
    // Bytes that have to move: three read and one written a pixel.
    group.throughput(Throughput::Bytes(input.len() as u64 / 3 * 4)).sample_size(20);
    let mut gray = vec![1; input.len() / 3];
    for (name, reference) in references {
        group.bench_function(name, |bencher| bencher.iter(|| reference(input, &mut gray)));
    }
    group.finish();
}

fn references(criterion: &mut Criterion) {
    let image = image();
    let both: [(&str, Reference); 2] =
        [("sequential", grayscale::sequential), ("parallel", grayscale::parallel)];
    measure(criterion, "grayscale", &image.data, both);
    let both: [(&str, Reference); 2] = [("sequential", darken::sequential), ("parallel", darken::parallel)];
    measure(criterion, "grayscale_darken", &darken::planar(&image.data), both);
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
