//! The CPU references of lab 4: the base of every speedup. `cargo bench -p lab4-smoothing`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lab::{Image, gray};
use lab4_smoothing::{cases, correlation, filters, smooth_box, smooth_triangular};

type Reference = fn(&[u8], &mut [u8], usize);

fn measure(
    criterion: &mut Criterion,
    task: &str,
    input: &[u8],
    width: usize,
    references: [(&str, Reference); 2],
) {
    let mut group = criterion.benchmark_group(task);
    // Bytes that have to move: each read once and written once.
    group.throughput(Throughput::Bytes(2 * input.len() as u64)).sample_size(10);
    let mut out = vec![1; input.len()];
    for (name, reference) in references {
        group.bench_function(name, |bencher| bencher.iter(|| reference(input, &mut out, width)));
    }
    group.finish();
}

fn references(criterion: &mut Criterion) {
    let image: Image = cases::timed().image(1).expect("a generated picture");
    let (gray, width) = (gray(&image), image.width);
    let both: [(&str, Reference); 2] =
        [("sequential", smooth_box::sequential), ("parallel", smooth_box::parallel)];
    measure(criterion, "smooth_box", &gray, width, both);
    let both: [(&str, Reference); 2] =
        [("sequential", smooth_triangular::sequential), ("parallel", smooth_triangular::parallel)];
    measure(criterion, "smooth_triangular", &gray, width, both);
    let both: [(&str, Reference); 2] = [
        ("sequential", |rgb, out, width| {
            correlation::sequential(rgb, out, width, filters::filter_for(width));
        }),
        ("parallel", |rgb, out, width| correlation::parallel(rgb, out, width, filters::filter_for(width))),
    ];
    measure(criterion, "filter_rgb", &image.data, width, both);
}

criterion_group!(benches, references);
criterion_main!(benches);
