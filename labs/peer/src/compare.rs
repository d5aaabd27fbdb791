//! One task, five ways.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput};

use crate::opencv::{OpenCv, Operation};

/// Which reference to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Plain loops on one core.
    Sequential,
    /// The fast one, on the threads of the rayon pool it is called in.
    Parallel,
}

/// A task and the picture it is timed on.
#[derive(Debug)]
pub struct Comparison<'a> {
    /// Name of the task and of the criterion group.
    pub task: &'static str,
    /// Bytes that have to move.
    pub bytes: u64,
    /// What OpenCV is given: pixels of this many bytes, in rows of this many pixels.
    pub picture: (&'a [u8], usize, usize),
    /// What of OpenCV comes nearest; none where several calls would be needed that no one would write.
    pub operations: Vec<Operation>,
}

impl Comparison<'_> {
    /// Times every way, and prints the best of each beside OpenCV's.
    pub fn run(&self, criterion: &mut Criterion, mut reference: impl FnMut(Way) + Send) {
        let mut group = criterion.benchmark_group(self.task);
        group.throughput(Throughput::Bytes(self.bytes)).sampling_mode(SamplingMode::Flat);
        group.sample_size(10).warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(3));
        time(&mut group, "sequential", &mut || reference(Way::Sequential));
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        let single = time(&mut group, "parallel-1", &mut || one.install(|| reference(Way::Parallel)));
        let all = time(&mut group, "parallel-all", &mut || reference(Way::Parallel));
        for operation in &self.operations {
            match self.time_opencv(&mut group, operation) {
                Ok([peer, every]) => self.print(operation, [single, all], [peer, every]),
                Err(complaint) => println!("{}: OpenCV is not timed: {complaint}\n", self.task),
            }
        }
        if self.operations.is_empty() {
            println!("{}: OpenCV has no call for it\n", self.task);
        }
        group.finish();
    }

    fn time_opencv(
        &self,
        group: &mut BenchmarkGroup<'_, WallTime>,
        operation: &Operation,
    ) -> Result<[Duration; 2], String> {
        let mut peer = OpenCv::start()?;
        let (bytes, width, channels) = self.picture;
        peer.image(bytes, width, channels).map_err(|error| error.to_string())?;
        // A second operation for the same task gets a name of its own.
        let prefix = if operation.method == self.operations[0].method { "opencv" } else { operation.method };
        let mut timed = |name: &str, threads: usize| {
            let mut best = Duration::MAX;
            let mut failure = None;
            group.bench_function(format!("{prefix}-{name}"), |bencher| {
                bencher.iter_custom(|repetitions| match peer.time(operation, threads, repetitions) {
                    Ok(taken) => {
                        best = best.min(taken / u32::try_from(repetitions).unwrap_or(u32::MAX));
                        taken
                    }
                    Err(error) => {
                        failure.get_or_insert_with(|| error.to_string());
                        Duration::from_secs(1)
                    }
                });
            });
            failure.map_or(Ok(best), Err)
        };
        Ok([timed("1", 1)?, timed("all", 0)?])
    }

    fn print(&self, operation: &Operation, ours: [Duration; 2], theirs: [Duration; 2]) {
        if ours.iter().chain(&theirs).any(|best| *best == Duration::MAX) {
            return; // A filter of the command line left some out.
        }
        let ratio = |thread: usize| ours[thread].as_secs_f64() / theirs[thread].as_secs_f64();
        println!(
            "{}: best times, parallel reference {:.1?} and OpenCV {:.1?} on one thread (x {:.2}), {:.1?} and {:.1?} on \
             all (x {:.2})\n  {}\n",
            self.task,
            ours[0],
            theirs[0],
            ratio(0),
            ours[1],
            theirs[1],
            ratio(1),
            operation.note,
        );
    }
}

/// Times one way; the best time of one repetition.
fn time(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, work: &mut dyn FnMut()) -> Duration {
    let mut best = Duration::MAX;
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|repetitions| {
            let start = Instant::now();
            for _ in 0..repetitions {
                work();
                black_box(());
            }
            let taken = start.elapsed();
            best = best.min(taken / u32::try_from(repetitions).unwrap_or(u32::MAX));
            taken
        });
    });
    best
}
