//! The CPU references of lab 2: the base of every speedup. `cargo bench -p lab2-histogram`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lab::Task;
use lab2_histogram::{LEVELS, gray_histogram, histogram};

fn references(criterion: &mut Criterion) {
    let image = histogram::Histogram.timed_case().image(1).expect("a generated picture");
    let mut gray = lab::gray(&image);
    let mut bins = [0; LEVELS];

    let mut group = criterion.benchmark_group("histogram");
    group.throughput(Throughput::Bytes(gray.len() as u64)).sample_size(20);
    for (name, count) in [
        ("sequential", histogram::sequential as fn(&[u8], &mut histogram::Bins)),
        ("parallel", histogram::parallel),
    ] {
        // Counted on and on, and started over so that no counter overflows.
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                bins.fill(0);
                count(&gray, &mut bins);
            });
        });
    }
    group.finish();

    let mut group = criterion.benchmark_group("gray_histogram");
    group.throughput(Throughput::Bytes(4 * gray.len() as u64)).sample_size(20);
    for (name, count) in [
        ("sequential", gray_histogram::sequential as fn(&[u8], &mut [u8], &mut histogram::Bins)),
        ("parallel", gray_histogram::parallel),
    ] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                bins.fill(0);
                count(&image.data, &mut gray, &mut bins);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, references);
criterion_main!(benches);
