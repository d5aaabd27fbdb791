//! The CPU references of lab 5: the base of every speedup. `cargo bench -p lab5-pipeline`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lab5_pipeline::{LAB, pipeline};

type Reference = fn(&[u8], &mut [u8], usize);

fn references(criterion: &mut Criterion) {
    let image = LAB.tasks()[0].timed_case().image(1).expect("a generated picture");
    let mut out = vec![1; image.pixels()];
    let mut group = criterion.benchmark_group("pipeline");
    // Bytes that have to move: those of the image, and of the result.
    group.throughput(Throughput::Bytes(4 * image.pixels() as u64)).sample_size(10);
    let references: [(&str, Reference); 2] =
        [("sequential", pipeline::sequential), ("parallel", pipeline::parallel)];
    for (name, reference) in references {
        group.bench_function(name, |bencher| {
            bencher.iter(|| reference(&image.data, &mut out, image.width));
        });
    }
    group.finish();
}

criterion_group!(benches, references);
criterion_main!(benches);
