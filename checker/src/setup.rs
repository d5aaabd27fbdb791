//! What judging needs once, however many files are judged: the compiler, the engine, the yardstick.

use std::sync::{Arc, OnceLock};

use cuda::driver::DeviceProperties;
use cuda::nvrtc::{Compiler, Target};
use simulator::Module;
use simulator::model::Gpu;

use crate::build::{self, Build, Targets, yardstick};
use crate::exit::Stop;
use crate::progress::Progress;
use runtime::engine::AssembledKernels;
use runtime::remote::{self, Images, RemoteGpu};
use runtime::simulation::Simulation;
use runtime::worker;

/// Where kernels are to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineChoice {
    /// On a GPU if there is one.
    Auto,
    /// On a GPU.
    Gpu,
    /// On the simulator.
    Simulator,
}

/// Where kernels run.
#[derive(Debug, Clone)]
pub enum Engine {
    /// On this GPU.
    Gpu(Box<DeviceProperties>),
    /// On the simulator, as this GPU.
    Simulator(&'static Gpu),
}

/// The compiler, the engine, the yardstick.
pub struct Setup {
    /// The compiler.
    pub compiler: Compiler,
    /// The engine.
    pub engine: Engine,
    /// What to compile for.
    pub targets: Targets,
    /// Why the simulator runs, where a GPU would have been taken.
    pub no_gpu: Option<String>,
    yardstick: OnceLock<Simulation>,
}

impl Setup {
    /// Finds the compiler (fetching it if there is none) and the engine. `predicted` is the GPU that the
    /// simulator takes the part of.
    pub fn new(choice: EngineChoice, predicted: &'static Gpu, progress: &Progress) -> Result<Self, Stop> {
        let (engine, no_gpu) = engine(choice, predicted)?;
        let compiler = find_compiler(progress)?;
        let targets = match &engine {
            Engine::Gpu(device) => Targets::real(&compiler, device.capability),
            Engine::Simulator(gpu) => Targets::simulated(&compiler, gpu.capability),
        };
        Ok(Self { compiler, engine, targets, no_gpu, yardstick: OnceLock::new() })
    }

    /// The simulated GPU: the engine itself, or what explains the faults of a real one.
    pub fn simulated_gpu(&self) -> &'static Gpu {
        match &self.engine {
            Engine::Simulator(gpu) => gpu,
            Engine::Gpu(_) => &simulator::model::gpus()[0],
        }
    }

    /// The yardstick for the simulator, compiled at its first use.
    pub fn simulated_yardstick(&self) -> Result<&Simulation, Stop> {
        if let Some(known) = self.yardstick.get() {
            return Ok(known);
        }
        let ptx = yardstick(&self.compiler, Target::Ptx(self.targets.ptx))?;
        let text = String::from_utf8_lossy(&ptx);
        let text = text.trim_end_matches('\0');
        let module = Module::from_ptx(text).map_err(|error| {
            Stop::environment(format!("failed to read the workbook's own yardstick: {error}"))
        })?;
        let assembled = match self.targets.cubin {
            Some(architecture) => {
                let cubin = yardstick(&self.compiler, Target::Cubin(architecture))?;
                build::assembled(&cubin, architecture, text)
            }
            None => AssembledKernels::default(),
        };
        let simulation = Simulation { assembled, ..Simulation::new(Arc::new(module), self.simulated_gpu()) };
        Ok(self.yardstick.get_or_init(|| simulation))
    }

    /// A worker on the GPU with this build loaded; none if the simulator is the engine.
    pub fn worker(&self, build: &Build) -> Result<Option<RemoteGpu>, Stop> {
        let Engine::Gpu(device) = &self.engine else { return Ok(None) };
        self.worker_on(device, build).map(Some)
    }

    /// A worker on this GPU with this build loaded.
    pub fn worker_on(&self, device: &DeviceProperties, build: &Build) -> Result<RemoteGpu, Stop> {
        let (Some(architecture), Some(cubin)) = (self.targets.cubin, &build.cubin) else {
            return Err(Stop::environment("no machine code was made for the GPU"));
        };
        let yardstick = yardstick(&self.compiler, Target::Cubin(architecture))?;
        let images = Images { host: build.host_ptx.clone().into_bytes(), device: cubin.clone(), yardstick };
        open_worker(device, images)
    }

    /// `NVRTC 12.9`
    pub fn compiler_name(&self) -> String {
        let (major, minor) = self.compiler.version();
        format!("NVRTC {major}.{minor}")
    }
}

/// A worker on this GPU that loads these images.
pub fn open_worker(device: &DeviceProperties, images: Images) -> Result<RemoteGpu, Stop> {
    RemoteGpu::new(worker::Target::Gpu(device.index), device.pci.clone(), images)
        .map_err(|error| Stop::environment(format!("failed to find this program's own binary: {error}")))
}

/// Finds the compiler, showing a fetch as it goes.
pub fn find_compiler(progress: &Progress) -> Result<Compiler, Stop> {
    progress.say("finding the CUDA compiler");
    Compiler::find(&mut |fetch| progress.fetch(&fetch)).map_err(|error| Stop::Environment(error.into()))
}

/// The engine; and why there is no GPU, where one would have been taken.
fn engine(choice: EngineChoice, predicted: &'static Gpu) -> Result<(Engine, Option<String>), Stop> {
    let simulator = Engine::Simulator(predicted);
    if choice == EngineChoice::Simulator {
        return Ok((simulator, None));
    }
    match remote::first() {
        Ok(device) => Ok((Engine::Gpu(Box::new(device)), None)),
        // Whatever keeps the driver from showing a GPU, the simulator does without; the report says so.
        Err(reason) if choice == EngineChoice::Auto => Ok((simulator, Some(reason))),
        Err(reason) => Err(Stop::environment(format!(
            "failed to use a GPU: {reason}; run with `--engine sim` on the simulator"
        ))),
    }
}
