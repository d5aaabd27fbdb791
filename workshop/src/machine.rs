//! The GPU that is measured, and the provenance of its figures.

use cuda::driver::DeviceProperties;
use cuda::nvrtc::Compiler;
use records::{Content, Provenance};

use crate::command_line::CommandLine;
use crate::date::today;
use judge::exit::Stop;
use judge::progress::Progress;
use judge::setup::{Engine, EngineChoice, Setup};

/// The GPU, and the compiler for it.
pub struct Machine {
    /// The compiler, the engine, the yardstick.
    pub setup: Setup,
    /// The GPU.
    pub device: DeviceProperties,
}

impl Machine {
    /// Finds both for the command that writes files of this kind.
    pub fn find<C: Content>(progress: &Progress) -> Result<Self, Stop> {
        let setup = Setup::new(EngineChoice::Gpu, &simulator::model::gpus()[0], progress)?;
        let Engine::Gpu(device) = &setup.engine else {
            return Err(Stop::environment(format!("failed to use a GPU: `{}` needs one", C::COMMAND)));
        };
        let device = DeviceProperties::clone(device);
        Ok(Self { setup, device })
    }

    /// Of figures that are measured today.
    pub fn provenance(&self, command: CommandLine) -> Provenance {
        provenance(Some(&self.device), self.setup.compiler_name(), command)
    }
}

/// Of figures that are measured today, without a GPU perhaps.
pub fn provenance(device: Option<&DeviceProperties>, compiler: String, command: CommandLine) -> Provenance {
    Provenance {
        gpu: device.map(|device| device.name.clone()),
        driver: device.map(DeviceProperties::driver_name),
        compiler: Some(compiler),
        date: Some(today()),
        command: command.into(),
        ..Provenance::default()
    }
}

/// `NVRTC 12.9`
pub fn compiler_name(compiler: &Compiler) -> String {
    let (major, minor) = compiler.version();
    format!("NVRTC {major}.{minor}")
}

/// The first line of a printed table: `NVIDIA H200, driver 580, 2026-11-22`.
pub fn heading(provenance: &Provenance) -> String {
    let driver = provenance.driver.as_ref().map(|driver| format!("driver {driver}"));
    let parts = [&provenance.gpu, &provenance.cpu, &driver, &provenance.date];
    parts.into_iter().flatten().cloned().collect::<Vec<_>>().join(", ")
}
