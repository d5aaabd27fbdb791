//! A kernel run once: on the simulator, or on a GPU.

use std::sync::Arc;

use cuda::driver::{DriverError, Gpu};
use rayon::{ThreadPool, ThreadPoolBuilder};
use simulator::{Checks, Device, DeviceError, Launch, Limits, Module};

use super::kernel::Kernel;
use super::outcome::{Difference, Outcome, compare};
use judge::exit::Stop;

/// Enough for any generated kernel, and soon over if one does not end.
const LIMITS: Limits = Limits { block_instructions: 20_000_000, launch_instructions: 100_000_000 };
/// Threads of the simulator's second run on a machine without a GPU.
const SEVERAL: usize = 4;

/// The engine that the simulator is compared with.
pub enum Other {
    /// A GPU, by index, opened with the first image.
    Gpu {
        /// The GPU.
        index: u32,
        /// Opened at the first unit.
        open: Option<Box<Gpu>>,
    },
    /// The simulator on several threads.
    Several(ThreadPool),
}

/// The simulator on one thread, and the other.
pub struct Engines {
    one: ThreadPool,
    other: Other,
}

/// A unit that is compiled and loaded.
pub struct Loaded {
    module: Arc<Module>,
    /// Machine code, if there is a GPU.
    cubin: Option<Vec<u8>>,
}

impl Engines {
    /// The simulator against GPU `index`, or against itself on several threads.
    pub fn new(gpu: Option<u32>) -> Result<Self, Stop> {
        let other = match gpu {
            Some(index) => Other::Gpu { index, open: None },
            None => Other::Several(pool(SEVERAL)?),
        };
        Ok(Self { one: pool(1)?, other })
    }

    /// Loads the images of a unit. The error is the simulator's, or the driver's.
    pub fn load(&mut self, ptx: &str, cubin: Option<Vec<u8>>) -> Result<Loaded, String> {
        let module =
            Module::from_ptx(ptx).map_err(|error| format!("the simulator cannot read it: {error}"))?;
        if let Other::Gpu { index, open } = &mut self.other {
            let cubin = cubin.as_deref().ok_or("no machine code was made for the GPU")?;
            match open {
                Some(gpu) => gpu.load(cubin),
                None => Gpu::open(*index, cubin).map(|gpu| *open = Some(Box::new(gpu))),
            }
            .map_err(|error| error.to_string())?;
        }
        Ok(Loaded { module: Arc::new(module), cubin })
    }

    /// Runs a kernel on both. `plain` makes its machine code unoptimized, to tell whose fault a difference is.
    /// The flag says whether this process can go on: not after a broken GPU context.
    pub fn run(&mut self, loaded: &Loaded, kernel: &Kernel, plain: Plain<'_>) -> (Outcome, bool) {
        let simulated = match self.one.install(|| simulate(loaded, kernel)) {
            Ok(bytes) => bytes,
            Err(outcome) => return (outcome, true),
        };
        match &mut self.other {
            Other::Several(pool) => match pool.install(|| simulate(loaded, kernel)) {
                Ok(bytes) => (compare(kernel, &simulated, &bytes), true),
                Err(outcome) => (outcome, true),
            },
            Other::Gpu { open: Some(gpu), .. } => match on_gpu(gpu, kernel) {
                Ok(bytes) => match compare(kernel, &simulated, &bytes) {
                    Outcome::Differs(at) => blame(gpu, loaded, kernel, &simulated, plain, at),
                    outcome => (outcome, true),
                },
                Err(error) => failed(&error),
            },
            Other::Gpu { open: None, .. } => (Outcome::Failed("no GPU is open".to_owned()), false),
        }
    }
}

/// Makes the machine code of one kernel without optimizing.
pub type Plain<'a> = &'a dyn Fn() -> Result<Vec<u8>, String>;

fn failed(error: &DriverError) -> (Outcome, bool) {
    (Outcome::Failed(error.to_string()), matches!(error, DriverError::Call { .. }))
}

/// Whose fault a difference is: the assembler's optimizer's, if the kernel's unoptimized machine code gives
/// what the simulator gives. Puts the unit's own machine code back.
fn blame(
    gpu: &mut Gpu,
    loaded: &Loaded,
    kernel: &Kernel,
    simulated: &[u8],
    plain: Plain<'_>,
    at: Difference,
) -> (Outcome, bool) {
    let Ok(cubin) = plain() else { return (Outcome::Differs(at), true) };
    let again = gpu.load(&cubin).and_then(|()| on_gpu(gpu, kernel));
    let outcome = match again {
        Ok(bytes) if compare(kernel, simulated, &bytes) == Outcome::Same => Outcome::Optimizer(at),
        Ok(_) => Outcome::Differs(at),
        Err(error) => return failed(&error),
    };
    match loaded.cubin.as_deref().map_or(Ok(()), |cubin| gpu.load(cubin)) {
        Ok(()) => (outcome, true),
        Err(error) => failed(&error),
    }
}

fn pool(threads: usize) -> Result<ThreadPool, Stop> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Stop::environment(format!("failed to start {threads} threads: {error}")))
}

/// The output buffer after the kernel, on a fresh simulated GPU.
fn simulate(loaded: &Loaded, kernel: &Kernel) -> Result<Vec<u8>, Outcome> {
    let mut device = Device::new(Arc::clone(&loaded.module), LIMITS);
    let broken = |error: DeviceError| Outcome::Failed(format!("the simulator refuses: {error}"));
    let mut place = |bytes: &[u8], name: &str| -> Result<u64, DeviceError> {
        let address = device.alloc(bytes.len() as u64, name)?;
        device.write(address, bytes)?;
        Ok(address)
    };
    let input = place(&kernel.input, "in").map_err(broken)?;
    let output = place(&kernel.output, "out").map_err(broken)?;
    let arguments = [input.to_le_bytes().to_vec(), output.to_le_bytes().to_vec()];
    let launch = Launch {
        kernel: &kernel.name(),
        grid: kernel.shape.grid,
        block: kernel.shape.block,
        dynamic_shared: kernel.shape.dynamic_shared,
        cooperative: false,
        arguments: &arguments,
        checks: Checks::NONE,
        order: simulator::Order::Forward,
    };
    let report = device.launch(&launch).map_err(broken)?;
    if let Some(finding) = report.findings.first() {
        if finding.code == "W0511" {
            return Err(Outcome::NotSimulated(finding.message.clone()));
        }
        let line = finding.location.as_ref().map(|at| format!(", line {}", at.line)).unwrap_or_default();
        return Err(Outcome::Found(format!("{}{line}: {}", finding.code, finding.message)));
    }
    let mut bytes = vec![0; kernel.output.len()];
    device.read(output, &mut bytes).map_err(broken)?;
    Ok(bytes)
}

/// The output buffer after the kernel, on the GPU.
fn on_gpu(gpu: &Gpu, kernel: &Kernel) -> Result<Vec<u8>, DriverError> {
    let place = |bytes: &[u8]| -> Result<u64, DriverError> {
        let address = gpu.alloc(bytes.len() as u64)?;
        gpu.write(address, bytes)?;
        Ok(address)
    };
    let (input, output) = (place(&kernel.input)?, place(&kernel.output)?);
    let arguments = [input.to_le_bytes().to_vec(), output.to_le_bytes().to_vec()];
    let shape = kernel.shape;
    gpu.launch(&kernel.name(), shape.grid, shape.block, shape.dynamic_shared, &arguments)?;
    gpu.synchronize()?;
    let mut bytes = vec![0; kernel.output.len()];
    gpu.read(output, &mut bytes)?;
    gpu.free(input)?;
    gpu.free(output)?;
    Ok(bytes)
}
