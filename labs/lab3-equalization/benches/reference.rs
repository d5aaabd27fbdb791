//! The CPU references of lab 3: the base of every speedup. `cargo bench -p lab3-equalization`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lab::Task;
use lab3_equalization::mapping::{MakeTable, Way, parallel, sequential};
use lab3_equalization::{equalize, stretch};

fn references(criterion: &mut Criterion) {
    let image = equalize::Equalize.timed_case().image(1).expect("a generated picture");
    let gray = lab::gray(&image);
    let mut out = vec![1; gray.len()];
    for (task, make) in [("contrast_stretch", stretch::table as MakeTable), ("equalize", equalize::table)] {
        let mut group = criterion.benchmark_group(task);
        // Bytes that have to move: one read and one written a pixel.
        group.throughput(Throughput::Bytes(2 * gray.len() as u64)).sample_size(20);
        for (name, way) in [("sequential", sequential as Way), ("parallel", parallel)] {
            group.bench_function(name, |bencher| bencher.iter(|| way(make, &gray, &mut out)));
        }
        group.finish();
    }
}

criterion_group!(benches, references);
criterion_main!(benches);
