//! How fast kernels run: warp instructions and pixels per second, on one core and on all of them, with nobody
//! watching and with each level of checks.
//!
//! `cargo bench -p simulator --bench execution [FILTER]`; benchmark names are
//! `<kernel>/<checks>/<cores>/<unit>`.

#[path = "support/kernels.rs"]
mod kernels;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use kernels::{LEVELS, Workload};

fn execution(criterion: &mut Criterion) {
    for workload in [Workload::gray(), Workload::histogram(), Workload::box5(), Workload::scan()] {
        let instructions = workload.warp_instructions();
        for (level, checks) in LEVELS {
            let mut group = criterion.benchmark_group(format!("{}/{}", workload.name, level));
            group.sample_size(10);
            for (cores, threads) in [("1 core", 1), ("all cores", 0)] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
                let mut prepared = workload.prepare();
                // The same time, once divided by warp instructions and once by pixels.
                for (unit, count) in [("warp instructions", instructions), ("pixels", workload.pixels)] {
                    group.throughput(Throughput::Elements(count));
                    group.bench_function(BenchmarkId::new(cores, unit), |bencher| {
                        bencher.iter(|| pool.install(|| prepared.launch(checks)));
                    });
                }
            }
            group.finish();
        }
    }
}

criterion_group!(benches, execution);
criterion_main!(benches);
