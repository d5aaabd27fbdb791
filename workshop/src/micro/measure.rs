//! One probe on a GPU: the same work few times and many times; the difference cancels the overhead.

use cuda::driver::{DriverError, Gpu};

use super::picture::Shown;
use super::probes::{Figure, Probe};
use runtime::statistics::median;

/// Times that each run is measured.
const TIMES: usize = 7;
/// Fills keep the GPU busy while the host queues launches, which takes the host longer than the GPU: launches per fill, and bytes
/// of a fill. A fill evicts everything else from the L2, too.
const LAUNCHES_PER_FILL: u32 = 4;
const FILL_BYTES: u64 = 128 << 20;
/// Bytes of a copy of [`Repeat::Uploads`] or [`Repeat::Waits`].
const TABLE: usize = 1024;
/// Blocks that a round of [`Repeat::Blocks`] or [`Repeat::Turns`] starts on each multiprocessor.
pub const BLOCKS_PER_ROUND: u32 = 10;
/// Steps in bytes in which [`Repeat::Turns`] looks for the shared memory that leaves room for one block.
const SHARED_STEP: u32 = 8 << 10;

/// The work that is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeat {
    /// A round of the kernel's own loop.
    Inside,
    /// A launch after another; each is told its number instead of the rounds.
    Launches,
    /// A copy of 1 KiB of ordinary host memory to the buffer, then a launch.
    Uploads,
    /// A launch, then a copy of 1 KiB of the buffer to ordinary host memory, which the host waits for.
    Waits,
    /// A fill of the buffer after another.
    Fills,
    /// Ten blocks more on each multiprocessor.
    Blocks,
    /// The same of blocks whose shared memory lets only one be resident.
    Turns,
}

impl Repeat {
    /// Whether a round is separate work, queued behind the last.
    fn is_queued(self) -> bool {
        matches!(self, Self::Launches | Self::Uploads | Self::Waits | Self::Fills)
    }
}

/// Seconds that a round takes: the median of several differences.
pub fn seconds_per_round(gpu: &Gpu, probe: &Probe, multiprocessors: u32) -> Result<f64, DriverError> {
    let buffer = gpu.alloc(4 * probe.words)?;
    let shown = probe.picture.map(|picture| Shown::new(gpu, picture, buffer, probe.words)).transpose()?;
    let data = Data { buffer, object: shown.as_ref().map(|shown| shown.object) };
    let result = differences(gpu, probe, multiprocessors, data);
    shown.map_or(Ok(()), |shown| shown.destroy(gpu))?;
    gpu.free(buffer)?;
    result
}

/// The data of a probe.
#[derive(Clone, Copy)]
struct Data {
    buffer: u64,
    /// The texture or surface object.
    object: Option<u64>,
}

fn differences(gpu: &Gpu, probe: &Probe, multiprocessors: u32, data: Data) -> Result<f64, DriverError> {
    gpu.fill(data.buffer, 0, 4 * probe.words)?;
    let [few, many] = probe.rounds;
    run(gpu, probe, multiprocessors, data, few)?;
    run(gpu, probe, multiprocessors, data, many)?;
    let mut all = Vec::with_capacity(TIMES);
    for _ in 0..TIMES {
        let short = run(gpu, probe, multiprocessors, data, few)?;
        let long = run(gpu, probe, multiprocessors, data, many)?;
        all.push((long - short) / f64::from(many - few));
    }
    Ok(median(&all))
}

/// Seconds of a number of rounds.
fn run(gpu: &Gpu, probe: &Probe, multiprocessors: u32, data: Data, rounds: u32) -> Result<f64, DriverError> {
    let Data { buffer, object } = data;
    let (start, stop) = (gpu.event()?, gpu.event()?);
    let blocks = (probe.blocks * multiprocessors).max(1);
    let shared = if probe.repeat == Repeat::Turns { shared_of_one(gpu, probe)? } else { 0 };
    let launch = |blocks, rounds| {
        let arguments = arguments(buffer, probe.words, rounds, probe.parameter, object);
        gpu.launch(probe.kernel, [blocks, 1, 1], [probe.threads, 1, 1], shared, &arguments)
    };
    if let Some(step) = probe.linked {
        // Each time anew, so that of a large buffer the L2 holds the end, and not what was visited last.
        let arguments = arguments(buffer, probe.words, 1, step, None);
        gpu.launch("link", [1024, 1, 1], [256, 1, 1], 0, &arguments)?;
    }
    let scratch = probe.repeat.is_queued().then(|| gpu.alloc(FILL_BYTES)).transpose()?;
    gpu.synchronize()?;
    if let Some(scratch) = scratch {
        (0..=rounds / LAUNCHES_PER_FILL).try_for_each(|_| gpu.fill(scratch, 0, FILL_BYTES))?;
    }
    gpu.record(&start)?;
    match probe.repeat {
        Repeat::Inside => launch(blocks, rounds)?,
        Repeat::Blocks | Repeat::Turns => launch(rounds * BLOCKS_PER_ROUND * multiprocessors, 1)?,
        Repeat::Launches => (0..rounds).try_for_each(|number| launch(blocks, number))?,
        Repeat::Uploads => (0..rounds).try_for_each(|number| {
            gpu.write_behind(None, buffer, &[7; TABLE])?;
            launch(blocks, number)
        })?,
        Repeat::Waits => (0..rounds).try_for_each(|number| {
            launch(blocks, number)?;
            gpu.read(buffer, &mut [7; TABLE])
        })?,
        Repeat::Fills => (0..rounds).try_for_each(|_| gpu.fill(buffer, 7, 4 * probe.words))?,
    }
    gpu.record(&stop)?;
    let seconds = f64::from(gpu.elapsed_ms(&start, &stop)?) * 1e-3;
    scratch.map_or(Ok(()), |scratch| gpu.free(scratch))?;
    Ok(seconds)
}

/// Bytes of dynamic shared memory with which one block of a probe fits on a multiprocessor at a time, and no second.
fn shared_of_one(gpu: &Gpu, probe: &Probe) -> Result<u32, DriverError> {
    let mut bytes = 0;
    while gpu.occupancy(probe.kernel, probe.threads, bytes)? > 1 {
        bytes += SHARED_STEP;
        gpu.set_dynamic_shared_limit(probe.kernel, bytes)?;
    }
    Ok(bytes)
}

/// As every kernel takes them: the buffer, its words, the rounds, one more parameter; and the texture or surface object of
/// those that have one.
fn arguments(buffer: u64, words: u64, rounds: u32, parameter: u32, object: Option<u64>) -> Vec<Vec<u8>> {
    let mut all = vec![
        buffer.to_le_bytes().to_vec(),
        words.to_le_bytes().to_vec(),
        rounds.to_le_bytes().to_vec(),
        parameter.to_le_bytes().to_vec(),
    ];
    all.extend(object.map(|object| object.to_le_bytes().to_vec()));
    all
}

/// The figure that a round's seconds make, in the unit of [`Figure::unit`]. `clock`: cycles per second.
pub fn figure(probe: &Probe, seconds: f64, multiprocessors: u32, clock: f64) -> f64 {
    let warps = f64::from(probe.blocks.max(1) * probe.threads.div_ceil(32));
    match probe.figure {
        Figure::CyclesPerWarp(times) => seconds * clock / (warps * times),
        Figure::Latency(times) => seconds * clock / times,
        Figure::Bandwidth(times) => (4 * probe.words) as f64 * times / seconds * 1e-9,
        Figure::NanosecondsPerWarp(times) => seconds * 1e9 / (warps * f64::from(multiprocessors) * times),
        Figure::NanosecondsPerBlock => seconds * 1e9 / f64::from(BLOCKS_PER_ROUND),
        Figure::Microseconds => seconds * 1e6,
    }
}

/// Cycles per second while a GPU works: cycles by its own counter ÷ seconds by events.
pub fn clock(gpu: &Gpu, probe: &Probe) -> Result<f64, DriverError> {
    let buffer = gpu.alloc(4 * probe.words)?;
    let cycles = |rounds| -> Result<(f64, f64), DriverError> {
        let seconds = run(gpu, probe, 1, Data { buffer, object: None }, rounds)?;
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
    use simulator::image::Pixels;
    use simulator::{Checks, Device, Launch, Limits, Module};

    use super::super::command::compiled;
    use super::super::picture::{Picture, ROWS, WIDTH};
    use super::super::probes::{FILES, probes};
    use super::*;
    use judge::progress::Progress;
    use judge::setup::find_compiler;

    #[test]
    fn figures_are_shares_of_a_round() {
        let all = probes();
        let find = |name: &str| all.iter().find(|probe| probe.name == name).expect("a probe");
        let close = |one: f64, other: f64| assert!((one - other).abs() < 1e-9 * other, "{one} {other}");
        // 64 warps of 16 instructions in 1024 cycles: one a cycle.
        close(figure(find("fused multiply-add"), 1024e-9, 132, 1e9), 1.0);
        close(figure(find("latency of the L1"), 30e-9, 132, 1e9), 30.0);
        close(figure(find("turn of a block of 32 threads"), 2560e-9, 132, 1e9), 256.0);
        close(figure(find("branch taken"), 80e-9, 132, 1e9), 10.0);
        close(figure(find("DRAM read"), 1e-3, 132, 1e9), 4.0 * 512.0 * 1_048_576.0 / 1e-3 * 1e-9);
        close(figure(find("atomic add, 1 word, 32 lanes"), 64.0 * 132.0 * 2e-9, 132, 1e9), 2.0);
    }

    /// A probe's texture or surface on the simulator.
    fn object(device: &mut Device, picture: Picture, buffer: u64, words: u64) -> u64 {
        let texel = picture.texel();
        let (linear, width, height) =
            if picture == Picture::Line { (true, words as u32, 1) } else { (false, WIDTH, ROWS) };
        let pitch = u64::from(width) * texel.bytes();
        let mut address = buffer;
        if !linear {
            address = device.alloc(pitch * u64::from(height), "picture").expect("memory");
            device.fill(address, 0, pitch * u64::from(height)).expect("a fill");
        }
        let pixels = Pixels { address, width, height, depth: 1, pitch, texel, linear };
        let made = if picture.is_surface() {
            device.create_surface(pixels)
        } else {
            device.create_texture(pixels, picture.sampler())
        };
        made.expect("an object")
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
            let object = probe.picture.map(|picture| object(&mut device, picture, buffer, words));
            let report = device
                .launch(&Launch {
                    kernel: probe.kernel,
                    grid: [1, 1, 1],
                    block: [probe.threads, 1, 1],
                    dynamic_shared: 0,
                    cooperative: false,
                    arguments: &arguments(buffer, words, 1, probe.parameter, object),
                    checks: Checks::NONE,
                    ..Launch::default()
                })
                .expect("a launch");
            assert!(!report.stopped, "{}: {:?}", probe.name, report.findings);
        }
    }
}
