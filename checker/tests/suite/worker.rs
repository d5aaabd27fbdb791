//! The worker process with the simulator instead of a GPU: the same protocol, deadline and code path.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use lab::{Argument, Element, Memory};
use runtime::job::{Failure, Job, JobArgument};
use runtime::remote::{Images, RemoteGpu};
use runtime::timing::{Change, YardstickBytes};
use runtime::worker::Target;

/// A host function that launches `invert` on `n` bytes, in blocks of 32, and a slow one.
const HOST: &str = include_str!("worker/host.ptx");
/// `invert`: out[i] = 255 - in[i].
const DEVICE: &str = include_str!("worker/device.ptx");

fn remote(limit: Duration) -> RemoteGpu {
    let yardstick = judge::build::yardstick(crate::nvrtc::compiler(), cuda::nvrtc::Target::Ptx(90))
        .expect("the yardstick");
    let yardstick = yardstick.strip_suffix(b"\0").map(<[u8]>::to_vec).unwrap_or(yardstick);
    let images = Images { host: HOST.into(), device: DEVICE.into(), yardstick };
    let program = PathBuf::from(env!("CARGO_BIN_EXE_checker"));
    RemoteGpu::with(program, Target::Simulator("h200".into()), images, limit)
}

/// A call that takes milliseconds.
fn slow() -> Job {
    let mut job = job("slow");
    *job.arguments.last_mut().expect("three arguments") = JobArgument::Int(10);
    job
}

fn job(function: &str) -> Job {
    let (memory, element) = (Memory::Device, Element::U8);
    let bytes: Vec<u8> = (0..100).collect();
    let arguments = vec![
        Argument::Input { name: "in", memory, element, bytes },
        Argument::Output { name: "out", memory, element, length: 100, row: 0, zeroed: false },
        Argument::Int { name: "n", value: 100 },
    ];
    judge::call::job(function, arguments, 100, 7)
}

#[test]
fn a_job_runs_in_the_worker_again_and_again() {
    let mut remote = remote(Duration::from_secs(20));
    let expected: Vec<u8> = (0..100).map(|value| 255 - value).collect();
    for calls in [1, 3] {
        let outcome = remote.run(&Job { calls, ..job("invert") }).expect("an outcome");
        assert_eq!(outcome.findings, []);
        assert_eq!(outcome.outputs, vec![vec![expected.clone()]; calls as usize]);
    }
}

#[test]
fn a_job_that_hangs_ends_at_the_deadline_and_the_next_one_runs() {
    let mut remote = remote(Duration::from_secs(2));
    let start = Instant::now();
    let failure = remote.run(&Job { calls: 100_000, ..slow() }).expect_err("it takes far too long");
    assert_eq!(failure, Failure::Deadline { seconds: 2 });
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let outcome = remote.run(&job("invert")).expect("a fresh worker");
    assert_eq!(outcome.outputs.len(), 1);
}

#[test]
fn a_program_that_is_not_a_worker_is_not_the_students_fault() {
    let images = Images { host: HOST.into(), device: DEVICE.into(), yardstick: DEVICE.into() };
    let program = PathBuf::from("/bin/false");
    let mut remote =
        RemoteGpu::with(program, Target::Simulator("h200".into()), images, Duration::from_secs(20));
    assert!(matches!(remote.run(&job("invert")), Err(Failure::Broken(_))));
}

#[test]
fn a_timed_job_alternates_with_the_yardstick_and_returns_right_outputs() {
    let mut remote = remote(Duration::from_secs(20));
    let patches = vec![
        vec![Change { argument: 0, offset: 10, bytes: vec![200; 5] }],
        vec![Change { argument: 0, offset: 40, bytes: vec![1] }],
    ];
    let bytes = YardstickBytes { read: 100, write: 100 };
    let (timed, outputs) = remote.time(&job("invert"), patches, bytes, false).expect("times");
    assert!(timed.student.len() >= 30 && timed.student.len() == timed.yardstick.len());
    // Both times are predicted here and the same in every run, so there is only one ratio.
    assert!(timed.student.iter().all(|seconds| *seconds > 0.0 && *seconds < 1e-3));
    assert!(timed.ratios().iter().all(|ratio| (ratio - timed.ratios()[0]).abs() < 1e-9));
    // The outputs of each checked run belong to its inputs.
    let expected = timed.checked.iter().map(|call| {
        let mut inputs: Vec<u8> = (0..100).collect();
        if call.on & 1 == 1 {
            inputs[10..15].fill(200);
        }
        if call.on & 2 == 2 {
            inputs[40] = 1;
        }
        inputs.into_iter().map(|value| 255 - value).collect::<Vec<u8>>()
    });
    // One of each version: all other calls led to the same outputs on the same inputs.
    assert_eq!((timed.checked.len(), timed.unchecked), (4, 0));
    assert_eq!(timed.findings, []);
    assert_eq!(outputs, expected.collect::<Vec<_>>());
    let seconds = remote.yardstick(1 << 16, 1 << 16).expect("times of the yardstick alone");
    assert_eq!(seconds.len(), 15);
}
