//! The setup that all checks share: the compiler, the engine, the yardstick.

use std::sync::{Arc, OnceLock};

use cuda::driver::DeviceProperties;
use cuda::nvrtc::{Compiler, Target};
use simulator::Module;
use simulator::model::Gpu;

use crate::build::{self, Build, Compile, Confined, Memory, Remembered, Targets, yardstick};
use crate::course::Course;
use crate::exit::Stop;
use crate::progress::Progress;
use runtime::engine::AssembledKernels;
use runtime::remote::{self, Images, RemoteGpu};
use runtime::simulation::Simulation;
use runtime::worker;

/// The engine that the user chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineChoice {
    /// On a GPU if there is one.
    Auto,
    /// On a GPU.
    Gpu,
    /// On the simulator.
    Simulator,
}

/// The engine that kernels run on.
#[derive(Debug, Clone)]
pub enum Engine {
    /// On this GPU.
    Gpu(Box<DeviceProperties>),
    /// On the simulator of this GPU.
    Simulator(&'static Gpu),
}

impl Engine {
    /// The GPU, real or simulated, as reports name it.
    pub fn title(&self) -> String {
        match self {
            Self::Gpu(device) => device.name.clone(),
            Self::Simulator(gpu) => gpu.title.to_owned(),
        }
    }
}

/// The compiler, the engine, the yardstick.
pub struct Setup {
    /// The compiler.
    pub compiler: Compiler,
    /// The engine.
    pub engine: Engine,
    /// The architectures to compile for.
    pub targets: Targets,
    /// Why the simulator runs although a GPU was preferred.
    pub no_gpu: Option<String>,
    /// The course whose points count.
    pub course: Option<Course>,
    /// The compiler of submissions, if that is another than [`Setup::compiler`].
    confined: Option<Confined>,
    /// Compilations of earlier checks.
    memory: Option<Memory>,
    yardstick: OnceLock<Result<Simulation, String>>,
}

impl Setup {
    /// Finds the compiler (downloads it if there is none) and the engine. `predicted` is the GPU that the simulator
    /// simulates.
    pub fn new(choice: EngineChoice, predicted: &'static Gpu, progress: &Progress) -> Result<Self, Stop> {
        let (engine, no_gpu) = engine(choice, predicted)?;
        let compiler = find_compiler(progress)?;
        let targets = match &engine {
            Engine::Gpu(device) => Targets::real(&compiler, device.capability),
            Engine::Simulator(gpu) => Targets::simulated(&compiler, gpu.capability),
        };
        Ok(Self {
            compiler,
            engine,
            targets,
            no_gpu,
            course: None,
            confined: None,
            memory: None,
            yardstick: OnceLock::new(),
        })
    }

    /// Compiles submissions in a process without rights, of this same binary. Only a binary with the command
    /// [`crate::build::CompilerWorker`] can do that; without it, as in the tests of the workbook's own kernels, submissions
    /// are compiled in this process.
    pub fn confined(self) -> Result<Self, Stop> {
        let start = || Confined::new(std::env::current_exe()?, self.compiler.path());
        let confined = start()
            .map_err(|error| Stop::environment(format!("failed to start the compiler's process: {error}")))?;
        Ok(Self { confined: Some(confined), ..self })
    }

    /// Remembers what is compiled, and uses what was compiled before: for checks that count for nobody but the user.
    #[must_use]
    pub fn remembering(self) -> Self {
        Self { memory: Memory::of(self.compiler.path()), ..self }
    }

    /// The compiler of submissions.
    pub fn submissions(&self) -> Remembered<'_> {
        let compiler: &dyn Compile = match &self.confined {
            Some(confined) => confined,
            None => &self.compiler,
        };
        Remembered { compiler, memory: self.memory.as_ref() }
    }

    /// The compiler of the workbook's own kernels.
    fn own(&self) -> Remembered<'_> {
        Remembered { compiler: &self.compiler, memory: self.memory.as_ref() }
    }

    /// Why the compiler of submissions is not confined on this machine, known after the first compilation.
    pub fn unconfined(&self) -> Option<&str> {
        self.confined.as_ref().and_then(Confined::unconfined)
    }

    /// Says on stderr, once, that this machine cannot confine the compiler, if that is so.
    pub fn tell_if_unconfined(&self) {
        if let Some(reason) = self.unconfined() {
            let text = format!(
                "this machine cannot lock the compiler up: {reason}. Check only files that you trust"
            );
            eprintln!("{}", crate::wrap::hanging("note: ", &text));
        }
    }

    /// The simulated GPU: the engine itself, or the one that explains the faults of a real GPU.
    pub fn simulated_gpu(&self) -> &'static Gpu {
        match &self.engine {
            Engine::Simulator(gpu) => gpu,
            Engine::Gpu(_) => &simulator::model::gpus()[0],
        }
    }

    /// The yardstick for the simulator, compiled on first use.
    pub fn simulated_yardstick(&self) -> Result<&Simulation, Stop> {
        let made = self.yardstick.get_or_init(|| self.made_yardstick().map_err(|stop| stop.to_string()));
        made.as_ref().map_err(|message| Stop::environment(message.clone()))
    }

    fn made_yardstick(&self) -> Result<Simulation, Stop> {
        let (ptx, cubin) = build::simulated_yardstick(&self.own(), self.targets)?;
        let module = Module::from_ptx(&ptx).map_err(|error| {
            Stop::environment(format!("failed to read the workbook's own yardstick: {error}"))
        })?;
        let assembled = match cubin {
            Some(cubin) => build::assembled(&cubin, self.targets, &ptx),
            None => AssembledKernels::default(),
        };
        Ok(Simulation { assembled, ..Simulation::new(Arc::new(module), self.simulated_gpu()) })
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
        let yardstick = yardstick(&self.own(), Target::Cubin(architecture))?;
        let images = Images { host: build.host_ptx.clone().into_bytes(), device: cubin.clone(), yardstick };
        open_worker(device, images)
    }

    /// `NVRTC 12.9`
    pub fn compiler_name(&self) -> String {
        let (major, minor) = self.compiler.version();
        format!("NVRTC {major}.{minor}")
    }
}

/// A worker on this GPU that loads these modules.
pub fn open_worker(device: &DeviceProperties, images: Images) -> Result<RemoteGpu, Stop> {
    RemoteGpu::new(worker::Target::Gpu(device.index), device.pci.clone(), images)
        .map_err(|error| Stop::environment(format!("failed to find this program's own binary: {error}")))
}

/// Finds the compiler, and shows the progress of a download.
pub fn find_compiler(progress: &Progress) -> Result<Compiler, Stop> {
    progress.say("finding the CUDA compiler");
    Compiler::find(&mut |fetch| progress.fetch(&fetch)).map_err(|error| Stop::Environment(error.into()))
}

/// The engine, and the reason if there is no GPU although one was preferred.
fn engine(choice: EngineChoice, predicted: &'static Gpu) -> Result<(Engine, Option<String>), Stop> {
    let simulator = Engine::Simulator(predicted);
    if choice == EngineChoice::Simulator {
        return Ok((simulator, None));
    }
    match remote::first() {
        Ok(device) => Ok((Engine::Gpu(Box::new(device)), None)),
        // Without a GPU the simulator runs, and the report says so.
        Err(reason) if choice == EngineChoice::Auto => Ok((simulator, Some(reason))),
        Err(reason) => Err(Stop::environment(format!(
            "failed to use a GPU: {reason}; run with `--engine sim` on the simulator"
        ))),
    }
}
