//! The simulator's side of the comparison with other simulators: runs one workload a number of times and
//! prints what each took. `benches/peers/run` calls it, and the others.
//!
//! `cargo bench -p simulator --bench peers -- KERNEL CHECKS THREADS REPETITIONS` (threads 0: all cores);
//! prints a line of pixels, warp instructions, seconds a launch, and seconds that the processor spent on it (one
//! thread only). `--list-checks` prints the levels of checks, from least to most.

#[path = "support/kernels.rs"]
mod kernels;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use kernels::{LEVELS, Workload};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if arguments == ["--list-checks"] {
        println!("{}", LEVELS.map(|(name, _)| name).join(" "));
        return ExitCode::SUCCESS;
    }
    let [kernel, checks, threads, repetitions] = &arguments[..] else {
        eprintln!("usage: peers KERNEL CHECKS THREADS REPETITIONS");
        return ExitCode::from(2);
    };
    let workload = [Workload::gray(), Workload::histogram(), Workload::box5(), Workload::scan()]
        .into_iter()
        .find(|w| w.name == kernel);
    let checks = LEVELS.into_iter().find(|(name, _)| name == checks).map(|(_, checks)| checks);
    let (Some(workload), Some(checks), Ok(threads), Ok(repetitions)) =
        (workload, checks, threads.parse(), repetitions.parse::<u32>())
    else {
        eprintln!("unknown kernel, checks, or number");
        return ExitCode::from(2);
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool of threads");
    let mut prepared = workload.prepare();
    let mut seconds = Vec::new();
    let mut cpu = Vec::new();
    for _ in 0..repetitions {
        let (start, busy) = (Instant::now(), pool.install(cpu_time));
        pool.install(|| prepared.launch(checks));
        seconds.push(start.elapsed().as_secs_f64());
        cpu.push(pool.install(cpu_time).saturating_sub(busy).as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    cpu.sort_by(f64::total_cmp);
    println!(
        "{} {} {:.6} {:.6}",
        workload.pixels,
        workload.warp_instructions(),
        seconds[seconds.len() / 2],
        cpu[cpu.len() / 2]
    );
    ExitCode::SUCCESS
}

/// Time that this thread ran, on Linux; meaningful with one worker, when the machine is shared.
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0))
}
