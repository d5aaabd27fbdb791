//! One task, timed five ways.

use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput};
use lab::{Argument, Image, Lab, Task};

use crate::opencv::{OpenCv, Operation};

/// Times every task of a lab on its timed image, and prints the best time of each way. `operations` gives the OpenCV
/// operations to compare a task with, by the task's name.
pub fn compare(lab: &dyn Lab, operations: impl Fn(&str) -> Vec<Operation>) {
    let mut criterion = Criterion::default().configure_from_args();
    for task in lab.tasks() {
        let image = task.timed_case().image(1).expect("a generated picture");
        compare_task(&mut criterion, *task, &image, &operations(task.name()));
    }
    criterion.final_summary();
}

fn compare_task(criterion: &mut Criterion, task: &dyn Task, image: &Image, operations: &[Operation]) {
    let fewest = task.fewest_bytes(image.width, image.height);
    let mut group = criterion.benchmark_group(task.name());
    group.throughput(Throughput::Bytes(fewest.read + fewest.write)).sampling_mode(SamplingMode::Flat);
    group.sample_size(10).warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(3));
    let parallel = || task.parallel_seconds(image);
    time(&mut group, "sequential", || task.sequential_seconds(image));
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let single = time(&mut group, "parallel-1", || one.install(parallel));
    let all = time(&mut group, "parallel-all", parallel);
    for (index, operation) in operations.iter().enumerate() {
        // A second operation for the same task gets a name of its own.
        let prefix = if index == 0 { "opencv" } else { operation.method };
        match time_opencv(&mut group, prefix, operation, task, image) {
            Ok(theirs) => print(task.name(), operation, [single, all], theirs),
            Err(complaint) => println!("{}: OpenCV is not timed: {complaint}\n", task.name()),
        }
    }
    if operations.is_empty() {
        println!("{}: OpenCV has no call for it\n", task.name());
    }
    group.finish();
}

/// The best time of an operation on one thread and on all.
fn time_opencv(
    group: &mut BenchmarkGroup<'_, WallTime>,
    prefix: &str,
    operation: &Operation,
    task: &dyn Task,
    image: &Image,
) -> Result<[Duration; 2], String> {
    let mut peer = OpenCv::start()?;
    // OpenCV is given the same bytes as the task: its first argument.
    let Some(Argument::Input { bytes, .. }) = task.arguments(image).into_iter().next() else {
        return Err("the first argument of the task is not an image".to_owned());
    };
    let channels = bytes.len() / image.pixels();
    peer.image(&bytes, image.width, channels).map_err(|error| error.to_string())?;
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

fn print(task: &str, operation: &Operation, ours: [Duration; 2], theirs: [Duration; 2]) {
    if ours.iter().chain(&theirs).any(|best| *best == Duration::MAX) {
        return; // A filter of the command line left some out.
    }
    let ratio = |thread: usize| ours[thread].as_secs_f64() / theirs[thread].as_secs_f64();
    println!(
        "{task}: best times, parallel reference {:.1?} and OpenCV {:.1?} on one thread (x {:.2}), {:.1?} and {:.1?} on \
         all (x {:.2})\n  {}\n",
        ours[0],
        theirs[0],
        ratio(0),
        ours[1],
        theirs[1],
        ratio(1),
        operation.note,
    );
}

/// Times one reference, which returns the seconds of one run; the best run.
fn time(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, reference: impl Fn() -> f64) -> Duration {
    let mut best = Duration::MAX;
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|repetitions| {
            let runs = (0..repetitions).map(|_| Duration::from_secs_f64(reference()));
            runs.inspect(|taken| best = best.min(*taken)).sum()
        });
    });
    best
}
