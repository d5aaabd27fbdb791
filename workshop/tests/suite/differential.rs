//! Random kernels: the simulator gives the same bytes on one thread and on several, and the run survives
//! children that die, hang, or break their GPU.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use workshop::differential::families::Family;
use workshop::differential::kernel::Kernel;
use workshop::differential::outcome::{Outcome, compare};
use workshop::differential::pool::{Pool, Task};

use crate::common::{root, run};

#[test]
fn random_kernels_give_the_same_bytes_on_any_number_of_threads() {
    let output = run(&root(), &["differential", "--engine", "sim", "--count", "60", "--seed", "3"]);
    let text = String::from_utf8(output.stdout).expect("output is UTF-8");
    assert!(text.ends_with(", 0 mismatches\n"), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0));
    // Something was compared: a simulator that refuses everything has no mismatches either.
    let same: usize =
        text.lines().filter_map(|line| line.split_whitespace().nth(2)?.parse::<usize>().ok()).sum();
    assert!(same >= 20, "{text}");
}

#[test]
fn one_kernel_can_be_looked_at() {
    let shown = |index: &str| {
        let output = run(&root(), &["differential", "--engine", "sim", "--only", index]);
        String::from_utf8(output.stdout).expect("output is UTF-8")
    };
    let text = shown("45");
    assert!(text.contains("__global__ void k45(") && text.contains("// grid ["), "{text}");
    assert_eq!(text, shown("45"));
    assert_ne!(text, shown("46"));
}

#[test]
fn a_family_that_does_not_exist_is_bad_usage() {
    let output = run(&root(), &["differential", "--families", "integre"]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("did you mean `integer`?"), "{text}");
}

/// A child that answers as `script` says: `run N OUTCOME` prints the line of kernel N.
fn outcomes(script: &str, limit: Duration) -> (Vec<(u64, Outcome)>, usize) {
    let script = format!(
        "run() {{ printf '{{\"ran\":{{\"index\":%s,\"outcome\":%s}}}}\\n' \"$1\" \"$2\"; }}\n\
         compiled() {{ echo '{{\"compiled\":{{\"ms\":1}}}}'; }}\n{script}"
    );
    let start = move || {
        let mut command = Command::new(PathBuf::from("/bin/sh"));
        command.arg("-c").arg(&script);
        command
    };
    let pool = Pool { start: &start, jobs: 1, limit };
    let told = pool.run(vec![Task { unit: 0, kernels: vec![0, 1, 2, 3], alone: false }], &|_| {});
    (told.outcomes, told.lost)
}

const MINUTE: Duration = Duration::from_secs(60);

#[test]
fn a_child_that_does_its_work_is_kept() {
    let script =
        "while read unit first; do for i in 0 1 2 3; do run $i '\"same\"'; done; echo '\"done\"'; done";
    let (outcomes, lost) = outcomes(script, MINUTE);
    assert_eq!(outcomes, (0..4).map(|index| (index, Outcome::Same)).collect::<Vec<_>>());
    assert_eq!(lost, 0);
}

#[test]
fn a_child_that_dies_costs_the_kernel_it_had_at_hand() {
    // Dies at kernel 2, however often it is asked for it.
    let script = "read unit first; compiled; i=$first; while [ $i -lt 4 ]; do [ $i = 2 ] && exit 9; run $i '\"same\"'; \
                  i=$((i+1)); done; echo '\"done\"'; read wait";
    let (outcomes, lost) = outcomes(script, MINUTE);
    let failed = Outcome::Failed("the child died (exit status: 9)".into());
    assert_eq!(outcomes, [(0, Outcome::Same), (1, Outcome::Same), (2, failed), (3, Outcome::Same)]);
    assert_eq!(lost, 1);
}

#[test]
fn a_compiler_that_crashes_costs_the_kernel_it_crashed_on() {
    // Crashes on the whole unit, and alone on kernel 1.
    let script = "read unit first alone; [ \"$alone\" = alone ] || exit 3; i=$first; while [ $i -lt 4 ]; do \
                  [ $i = 1 ] && exit 4; compiled; run $i '\"same\"'; i=$((i+1)); done; echo '\"done\"'; read wait";
    let (outcomes, lost) = outcomes(script, MINUTE);
    let crashed = Outcome::NotCompiled("the compiler died (exit status: 4)".into());
    assert_eq!(outcomes, [(0, Outcome::Same), (1, crashed), (2, Outcome::Same), (3, Outcome::Same)]);
    assert_eq!(lost, 2);
}

#[test]
fn a_child_that_says_why_it_leaves_costs_nothing_more() {
    let script = "read unit first; compiled; i=$first; while [ $i -lt 4 ]; do \
                  [ $i = 1 ] && { run 1 '{\"failed\":\"illegal address\"}'; exit 0; }; run $i '\"same\"'; \
                  i=$((i+1)); done; echo '\"done\"'; read wait";
    let (outcomes, lost) = outcomes(script, MINUTE);
    let failed = Outcome::Failed("illegal address".into());
    assert_eq!(outcomes, [(0, Outcome::Same), (1, failed), (2, Outcome::Same), (3, Outcome::Same)]);
    assert_eq!(lost, 1);
}

#[test]
fn a_child_that_hangs_is_ended() {
    let script = "read unit first; compiled; i=$first; while [ $i -lt 4 ]; do [ $i = 3 ] && exec sleep 1000; \
                  run $i '\"same\"'; i=$((i+1)); done; echo '\"done\"'; read wait";
    let (outcomes, lost) = outcomes(script, Duration::from_secs(1));
    assert_eq!(outcomes[3], (3, Outcome::Failed("nothing happened for 1 s".into())));
    assert_eq!((outcomes.len(), lost), (4, 1));
}

#[test]
fn a_child_that_never_starts_ends_the_run() {
    let start = || Command::new("/no/such/program");
    let pool = Pool { start: &start, jobs: 2, limit: MINUTE };
    let told = pool.run(vec![Task { unit: 0, kernels: vec![0, 1], alone: false }], &|_| {});
    assert!(told.outcomes.iter().all(|(_, outcome)| outcome.is_mismatch()) && told.outcomes.len() == 2);
}

#[test]
fn a_gpu_that_computes_something_else_is_noticed() {
    let kernel = Kernel::generate(5, 3, &Family::DEFAULT);
    let mut other = kernel.output.clone();
    other[17] ^= 1;
    assert!(compare(&kernel, &kernel.output, &other).is_mismatch());
}
