//! Time to generate the scene of a timed case, which every timed run does anew: `cargo bench -p lab --bench picture`.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use lab::{Case, Picture};

fn pictures(criterion: &mut Criterion) {
    let case = Case::new("", Picture::Scene { width: 8773, height: 5352 });
    let mut group = criterion.benchmark_group("picture");
    group.sample_size(10);
    group.bench_function("scene", |bencher| {
        bencher.iter_batched(|| &case, |case| case.image(1), BatchSize::PerIteration);
    });
    group.finish();
}

criterion_group!(benches, pictures);
criterion_main!(benches);
