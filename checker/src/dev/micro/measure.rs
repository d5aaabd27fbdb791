//! One probe on a GPU: the same work few times and many times; what both have in common cancels.

use cuda::driver::{DriverError, Gpu};

use super::probes::{Figure, Probe};
use crate::timing::median;

/// Times that each run is measured.
const TIMES: usize = 7;
/// Blocks that a round of [`Repeat::Blocks`] starts on each multiprocessor.
const BLOCKS_A_ROUND: u32 = 10;

/// What is done over and over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeat {
    /// A round of the kernel's own loop.
    Inside,
    /// A launch after another.
    Launches,
    /// A fill of the buffer after another.
    Fills,
    /// Ten blocks more on each multiprocessor.
    Blocks,
}

/// Seconds that a round takes: the median of several differences.
pub fn seconds_a_round(gpu: &Gpu, probe: &Probe, multiprocessors: u32) -> Result<f64, DriverError> {
    let buffer = gpu.alloc(4 * probe.words)?;
    let result = differences(gpu, probe, multiprocessors, buffer);
    gpu.free(buffer)?;
    result
}

fn differences(gpu: &Gpu, probe: &Probe, multiprocessors: u32, buffer: u64) -> Result<f64, DriverError> {
    gpu.fill(buffer, 0, 4 * probe.words)?;
    let [few, many] = probe.rounds;
    run(gpu, probe, multiprocessors, buffer, few)?;
    run(gpu, probe, multiprocessors, buffer, many)?;
    let mut all = Vec::with_capacity(TIMES);
    for _ in 0..TIMES {
        let short = run(gpu, probe, multiprocessors, buffer, few)?;
        let long = run(gpu, probe, multiprocessors, buffer, many)?;
        all.push((long - short) / f64::from(many - few));
    }
    Ok(median(&all))
}

/// Seconds of so many rounds.
fn run(gpu: &Gpu, probe: &Probe, multiprocessors: u32, buffer: u64, rounds: u32) -> Result<f64, DriverError> {
    let (start, stop) = (gpu.event()?, gpu.event()?);
    let blocks = (probe.blocks * multiprocessors).max(1);
    let launch = |blocks, rounds| {
        let arguments = arguments(buffer, probe.words, rounds, probe.parameter);
        gpu.launch(probe.kernel, [blocks, 1, 1], [probe.threads, 1, 1], 0, &arguments)
    };
    if let Some(step) = probe.linked {
        // Each time anew, so that of a large buffer the L2 holds the end, and not what was visited last.
        gpu.launch("link", [1024, 1, 1], [256, 1, 1], 0, &arguments(buffer, probe.words, 1, step))?;
    }
    gpu.synchronize()?;
    gpu.record(&start)?;
    match probe.repeat {
        Repeat::Inside => launch(blocks, rounds)?,
        Repeat::Blocks => launch(rounds * BLOCKS_A_ROUND * multiprocessors, 1)?,
        Repeat::Launches => (0..rounds).try_for_each(|_| launch(blocks, 1))?,
        Repeat::Fills => (0..rounds).try_for_each(|_| gpu.fill(buffer, 7, 4 * probe.words))?,
    }
    gpu.record(&stop)?;
    Ok(f64::from(gpu.elapsed_ms(&start, &stop)?) * 1e-3)
}

/// As every kernel takes them: the buffer, its words, the rounds, one more parameter.
pub fn arguments(buffer: u64, words: u64, rounds: u32, parameter: u32) -> Vec<Vec<u8>> {
    vec![
        buffer.to_le_bytes().to_vec(),
        words.to_le_bytes().to_vec(),
        rounds.to_le_bytes().to_vec(),
        parameter.to_le_bytes().to_vec(),
    ]
}

/// The figure that a round's seconds make, in the unit of [`Figure::unit`]. `clock`: cycles a second.
pub fn figure(probe: &Probe, seconds: f64, multiprocessors: u32, clock: f64) -> f64 {
    let warps = f64::from(probe.blocks.max(1) * probe.threads.div_ceil(32));
    match probe.figure {
        Figure::CyclesAWarp(times) => seconds * clock / (warps * times),
        Figure::Latency(times) => seconds * clock / times,
        Figure::Bandwidth(times) => (4 * probe.words) as f64 * times / seconds * 1e-9,
        Figure::NanosecondsAWarp(times) => seconds * 1e9 / (warps * f64::from(multiprocessors) * times),
        Figure::NanosecondsABlock => seconds * 1e9 / f64::from(BLOCKS_A_ROUND),
        Figure::Microseconds => seconds * 1e6,
    }
}

/// Cycles a second while a GPU works: what its own counter says in a run, over what an event does.
pub fn clock(gpu: &Gpu, probe: &Probe) -> Result<f64, DriverError> {
    let buffer = gpu.alloc(4 * probe.words)?;
    let cycles = |rounds| -> Result<(f64, f64), DriverError> {
        let seconds = run(gpu, probe, 1, buffer, rounds)?;
        let mut bytes = [0; 8];
        gpu.read(buffer, &mut bytes)?;
        Ok((u64::from_le_bytes(bytes) as f64, seconds))
    };
    let mut all = Vec::new();
    for _ in 0..TIMES {
        let (short, long) = (cycles(probe.rounds[0])?, cycles(probe.rounds[1])?);
        all.push((long.0 - short.0) / (long.1 - short.1));
    }
    gpu.free(buffer)?;
    Ok(median(&all))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use cuda::nvrtc::Target;
    use simulator::{Checks, Device, Launch, Limits, Module};

    use super::super::command::compiled;
    use super::super::probes::{FILES, probes};
    use super::*;
    use crate::progress::Progress;
    use crate::setup::find_compiler;

    #[test]
    fn figures_are_shares_of_a_round() {
        let all = probes();
        let find = |name: &str| all.iter().find(|probe| probe.name == name).expect("a probe");
        let close = |one: f64, other: f64| assert!((one - other).abs() < 1e-9 * other, "{one} {other}");
        // 64 warps of 16 instructions in 1024 cycles: one a cycle.
        close(figure(find("fused multiply-add"), 1024e-9, 132, 1e9), 1.0);
        close(figure(find("latency of the L1"), 30e-9, 132, 1e9), 30.0);
        close(figure(find("DRAM read"), 1e-3, 132, 1e9), 4.0 * 512.0 * 1_048_576.0 / 1e-3 * 1e-9);
        close(figure(find("atomic add, 1 word, 32 lanes"), 64.0 * 132.0 * 2e-9, 132, 1e9), 2.0);
    }

    /// Every probe's kernel is there, and does on the simulator what it does on a GPU: nothing out of bounds.
    #[test]
    fn every_probe_runs_on_the_simulator() {
        let compiler = find_compiler(&Progress::new()).expect("a compiler");
        let modules: Vec<Arc<Module>> = FILES
            .iter()
            .map(|file| {
                let ptx = compiled(&compiler, file, Target::Ptx(90)).expect("PTX");
                let text = String::from_utf8(ptx).expect("text");
                Arc::new(Module::from_ptx(text.trim_end_matches('\0')).expect("a module"))
            })
            .collect();
        for probe in probes() {
            let module = modules
                .iter()
                .find(|module| module.kernels().iter().any(|kernel| kernel.name == probe.kernel));
            let module = module.unwrap_or_else(|| panic!("no kernel {}", probe.kernel));
            let mut device = Device::new(Arc::clone(module), Limits::default());
            // As many words as a kernel may reach at the least, few enough to be quick.
            let words = probe.words.min(1 << 16);
            let buffer = device.alloc(4 * words, "buffer").expect("memory");
            device.fill(buffer, 0, 4 * words).expect("a fill");
            let report = device
                .launch(&Launch {
                    kernel: probe.kernel,
                    grid: [1, 1, 1],
                    block: [probe.threads, 1, 1],
                    dynamic_shared: 0,
                    cooperative: false,
                    arguments: &arguments(buffer, words, 1, probe.parameter),
                    checks: Checks::NONE,
                })
                .expect("a launch");
            assert!(!report.stopped, "{}: {:?}", probe.name, report.findings);
        }
    }
}
