//! A simulated GPU: its memory, and a module loaded into it.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use crate::decode::Program;
pub use crate::exec::Limits;
use crate::exec::{self, BlockShape, GridSpec};
use crate::explain::Scene;
use crate::finding::{Finding, Label, Location};
use crate::image::{Object, Pixels, Sampler};
use crate::launch::{Launch, LaunchReport};
use crate::layout::MANAGED;
use crate::memory::{Memory, MemoryError, after};
use crate::module::Module;
use crate::observer::{Adapter, Erased, Observer, recovered};
use crate::requirements;

mod groups;
mod strided;
mod watched;

use watched::in_some_order;

/// Why the simulated GPU refused; the kinds a driver would report as a `cudaError_t`, or a gap of ours.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// Not the start of a live allocation.
    #[error("{0:#x} is not the start of a live allocation")]
    NotAllocated(u64),
    /// A copy or fill that leaves its allocation.
    #[error("{length} bytes at {address:#x} are not inside one allocation")]
    OutOfBounds {
        /// First byte.
        address: u64,
        /// Bytes asked for.
        length: u64,
    },
    /// Out of simulated memory.
    #[error("out of device memory: {0} bytes asked for")]
    OutOfMemory(u64),
    /// No such kernel.
    #[error("no kernel named `{0}`")]
    NoKernel(String),
    /// Arguments that do not fit the kernel's parameters: a bug of the caller, not of the student.
    #[error("the arguments of `{0}` do not have the sizes that it declares")]
    WrongArguments(String),
}

/// A simulated GPU with one module loaded. Addresses are opaque; none is ever a valid host address.
#[derive(Debug)]
pub struct Device {
    module: Arc<Module>,
    memory: Memory,
    /// Where the next managed allocation begins.
    next_managed: u64,
    limits: Limits,
}

/// A number that tells contents of memory apart. It is another one in each process: a file that knew it could keep something and leave
/// the number as it was.
fn digest_of<'a>(contents: impl Iterator<Item = &'a Vec<u8>>) -> u64 {
    static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    let mut hasher = KEY.build_hasher();
    contents.for_each(|bytes| hasher.write(bytes));
    hasher.finish()
}

impl Device {
    /// Loads the module: its `__device__` and `__constant__` variables get their initial values.
    pub fn new(module: Arc<Module>, limits: Limits) -> Self {
        let memory = module.memory();
        Self { module, memory, next_managed: MANAGED, limits }
    }

    /// Allocates uninitialised memory, 256-byte aligned; `name` appears in findings (`gray`, `cudaMalloc #2`).
    pub fn alloc(&mut self, bytes: u64, name: &str) -> Result<u64, DeviceError> {
        self.memory.alloc(bytes, name).map_err(|_| DeviceError::OutOfMemory(bytes))
    }

    /// Allocates memory that holds these bytes.
    pub fn alloc_with(&mut self, bytes: Vec<u8>, name: &str) -> Result<u64, DeviceError> {
        let length = bytes.len() as u64;
        self.memory.alloc_with(bytes, name).map_err(|_| DeviceError::OutOfMemory(length))
    }

    /// Allocates memory at an address that no other side uses, so that the host may have memory there too.
    pub fn alloc_managed(&mut self, bytes: u64, name: &str) -> Result<u64, DeviceError> {
        let base = self.next_managed;
        self.memory.alloc_at(base, bytes, name).map_err(|_| DeviceError::OutOfMemory(bytes))?;
        self.next_managed = after(base, bytes);
        Ok(base)
    }

    /// Sets the instructions that later launches may execute.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Gives the module's variables their initial values again.
    pub fn restore_variables(&mut self) -> Result<(), DeviceError> {
        let module = Arc::clone(&self.module);
        module.initial_variables().try_for_each(|(address, bytes)| self.write(address, &bytes))
    }

    /// Whether a variable of the module has other contents than at first.
    pub fn variables_changed(&mut self) -> Result<bool, DeviceError> {
        let module = Arc::clone(&self.module);
        let mut changed = false;
        for (address, first) in module.initial_variables() {
            let mut now = vec![0; first.len()];
            self.read(address, &mut now)?;
            changed |= now != first;
        }
        Ok(changed)
    }

    /// Frees an allocation; later use of it is a finding.
    pub fn free(&mut self, address: u64) -> Result<(), DeviceError> {
        self.memory.free(address).map_err(|_| DeviceError::NotAllocated(address))
    }

    /// Copies bytes to device memory.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        let length = bytes.len() as u64;
        if length == 0 {
            return Ok(());
        }
        let target = self.memory.bytes_mut(address, length);
        target.map_err(bounds(address, length))?.copy_from_slice(bytes);
        self.memory.define(address, length, true);
        Ok(())
    }

    /// Changes bytes that count as never written, before and after: a pattern to recognise later.
    pub fn write_undefined(&mut self, address: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        self.write(address, bytes)?;
        self.memory.define(address, bytes.len() as u64, false);
        Ok(())
    }

    /// Marks bytes as never written: a copy, made by this line, brought them from host memory that nothing had
    /// written. Where a kernel uses them, the finding names both.
    pub fn copied_unset(&mut self, address: u64, length: u64, copied_at: Option<&Location>) {
        self.memory.copied_unset(address, length, copied_at.cloned());
    }

    /// Notes the one copy or fill that has written a part of the allocation at `base`, which a finding on another part names; `None`
    /// if there is no such, or several.
    pub fn written_in_part(&mut self, base: u64, short: Option<Label>) {
        self.memory.written_in_part(base, short);
    }

    /// The parts of `length` bytes at `address` that nothing has written, as offsets from there.
    pub fn undefined(&self, address: u64, length: u64) -> Vec<Range<u64>> {
        self.memory.undefined(address, length)
    }

    /// Copies bytes from device memory.
    pub fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), DeviceError> {
        bytes.copy_from_slice(self.bytes(address, bytes.len() as u64)?);
        Ok(())
    }

    /// The bytes of device memory from `address` on.
    ///
    /// # Errors
    ///
    /// If they are not in one allocation.
    pub fn bytes(&self, address: u64, length: u64) -> Result<&[u8], DeviceError> {
        if length == 0 {
            return Ok(&[]);
        }
        self.memory.bytes(address, length).map_err(bounds(address, length))
    }

    /// Copies within device memory.
    pub fn copy(&mut self, to: u64, from: u64, length: u64) -> Result<(), DeviceError> {
        if length == 0 {
            return Ok(());
        }
        self.memory.bytes(from, length).map_err(bounds(from, length))?;
        self.memory.copy(to, from, length).map_err(bounds(to, length))
    }

    /// Sets `length` bytes to `value`.
    pub fn fill(&mut self, address: u64, value: u8, length: u64) -> Result<(), DeviceError> {
        if length == 0 {
            return Ok(());
        }
        self.memory.bytes_mut(address, length).map_err(bounds(address, length))?.fill(value);
        self.memory.define(address, length, true);
        Ok(())
    }

    /// Creates a texture object over pixels that lie in one live allocation; its handle.
    pub fn create_texture(&mut self, pixels: Pixels, sampler: Sampler) -> Result<u64, DeviceError> {
        self.holds(&pixels)?;
        // Outside plain memory there are zeros, whatever the border's colour.
        let border = if pixels.linear { [0.0; 4] } else { sampler.border };
        Ok(self.memory.objects.add(Object::Texture(pixels, Sampler { border, ..sampler })))
    }

    /// Creates a surface object over pixels that lie in one live allocation; its handle.
    pub fn create_surface(&mut self, pixels: Pixels) -> Result<u64, DeviceError> {
        self.holds(&pixels)?;
        Ok(self.memory.objects.add(Object::Surface(pixels)))
    }

    /// Destroys a texture or surface object; later use of it is a finding.
    pub fn destroy_image(&mut self, handle: u64) -> Result<(), DeviceError> {
        if self.memory.objects.destroy(handle) { Ok(()) } else { Err(DeviceError::NotAllocated(handle)) }
    }

    fn holds(&self, pixels: &Pixels) -> Result<(), DeviceError> {
        let before = u64::from(pixels.height.max(1) - 1) * pixels.pitch;
        let length = before + u64::from(pixels.width) * pixels.texel.bytes();
        self.memory.bytes(pixels.address, length).map_err(bounds(pixels.address, length))?;
        Ok(())
    }

    /// Address, size in bytes and name of each `__constant__` variable that holds only zeros.
    pub fn empty_constants(&self) -> impl Iterator<Item = (u64, u64, String)> {
        let constants = self.memory.allocations().iter().filter(|one| one.variable && one.constant);
        let empty = constants.filter(|constant| constant.data.iter().all(|byte| *byte == 0));
        empty.map(|constant| (constant.base, constant.size, crate::readable(&constant.name)))
    }

    /// Address, name and contents of each allocation and variable.
    pub fn held(&self) -> impl Iterator<Item = (u64, &str, &[u8])> {
        let all = self.memory.allocations().iter().filter(|one| one.data.len() as u64 == one.size);
        all.map(|one| (one.base, one.name.as_str(), one.data.as_slice()))
    }

    /// A number that tells contents of memory apart, within this process.
    pub fn digest(&self) -> u64 {
        digest_of(self.memory.allocations().iter().map(|one| &one.data))
    }

    /// The same of `__device__` variables, which outlive a call.
    pub fn variables_digest(&self) -> u64 {
        let variables = self.memory.allocations().iter().filter(|one| one.variable && !one.constant);
        digest_of(variables.map(|variable| &variable.data))
    }

    /// Address and size in bytes of a `__device__` or `__constant__` variable.
    pub fn symbol(&self, name: &str) -> Option<(u64, u64)> {
        self.module.variable(name)
    }

    /// The module that is loaded.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Runs one kernel to its end or its first fault. After a fault, memory is as before the launch.
    pub fn launch(&mut self, launch: &Launch<'_>) -> Result<LaunchReport, DeviceError> {
        let run = |device: &mut Self, spec: &GridSpec<'_>, report: &mut LaunchReport| {
            device.checked(spec, report, launch.checks);
        };
        self.prepared(launch, run).map(|(report, _)| report)
    }

    /// Runs only some blocks of a launch: those with these numbers, which rise and lie in the grid. They see the grid and the
    /// arguments of the whole launch. The counters are those of the blocks that ran.
    pub fn launch_blocks(
        &mut self,
        launch: &Launch<'_>,
        numbers: &[u64],
    ) -> Result<LaunchReport, DeviceError> {
        let run = |device: &mut Self, spec: &GridSpec<'_>, report: &mut LaunchReport| {
            let spec = GridSpec { only: Some(numbers), ..*spec };
            device.checked(&spec, report, launch.checks);
        };
        self.prepared(launch, run).map(|(report, _)| report)
    }

    /// Runs one kernel as [`Self::launch`] does, with an observer of your own in place of the launch's checks. `observer`
    /// makes one for each thread that runs blocks; the one that comes back has seen all blocks, up to the first fault.
    pub fn launch_observed<O: Observer + 'static>(
        &mut self,
        launch: &Launch<'_>,
        observer: impl Fn() -> O + Sync,
    ) -> Result<(LaunchReport, O), DeviceError> {
        let (report, observed) = self.observed_by(launch, &|| Box::new(observer()))?;
        Ok((report, observed.map_or_else(observer, recovered)))
    }

    /// [`Self::launch_observed`] for observers of any type: compiled once.
    fn observed_by(
        &mut self,
        launch: &Launch<'_>,
        observer: &(dyn Fn() -> Box<dyn Erased> + Sync),
    ) -> Result<(LaunchReport, Option<Box<dyn Erased>>), DeviceError> {
        let module = Arc::clone(&self.module);
        let run = |device: &mut Self, spec: &GridSpec<'_>, report: &mut LaunchReport| {
            let adapter = |_: &Memory| Adapter::new(observer(), spec.shape.program, &module.lines);
            let observed = device.run(spec, report, adapter);
            if !report.stopped {
                device.memory.set_defined(None);
            }
            observed.map(|adapter| adapter.observer)
        };
        let (report, observed) = self.prepared(launch, run)?;
        Ok((report, observed.flatten()))
    }

    /// Has a launch carried out by `run`, unless it is refused.
    fn prepared<T>(
        &mut self,
        launch: &Launch<'_>,
        run: impl FnOnce(&mut Self, &GridSpec<'_>, &mut LaunchReport) -> T,
    ) -> Result<(LaunchReport, Option<T>), DeviceError> {
        let program = match self.module.program(launch.kernel) {
            None => return Err(DeviceError::NoKernel(launch.kernel.to_owned())),
            Some(Err(error)) => {
                let findings = vec![requirements::not_simulated(launch.kernel, error)];
                let report = LaunchReport { findings, stopped: true, ..LaunchReport::default() };
                return Ok((report, None));
            }
            Some(Ok(program)) => program,
        };
        if let Some(finding) = requirements::refused(&program, launch) {
            let report = LaunchReport { findings: vec![finding], stopped: true, ..LaunchReport::default() };
            return Ok((report, None));
        }
        let parameters = parameter_block(&program, launch)?;
        let presets = program.preset_values(&parameters, &self.memory);
        let shape = BlockShape {
            program: &program,
            layout: self.module.layout(),
            parameters: &parameters,
            presets: &presets,
            grid: launch.grid,
            block: launch.block,
            dynamic_shared: launch.dynamic_shared,
            cooperative: launch.cooperative,
            order: launch.order,
        };
        let spec = GridSpec { shape, limits: self.limits, only: None };
        let shared = program.shared_bytes(launch.dynamic_shared) as u32;
        let mut report = LaunchReport { shared, ..LaunchReport::default() };
        let outcome = run(self, &spec, &mut report);
        Ok((report, Some(outcome)))
    }

    fn scene<'s>(&'s self, spec: &GridSpec<'s>) -> Scene<'s> {
        let shape = spec.shape;
        Scene {
            program: shape.program,
            lines: &self.module.lines,
            memory: &self.memory,
            block: shape.block,
            host: false,
            shared_bytes: shape.program.shared_bytes(shape.dynamic_shared),
            parameters: shape.parameters,
        }
    }

    fn run<O: exec::Observer>(
        &mut self,
        spec: &GridSpec<'_>,
        report: &mut LaunchReport,
        observer: impl Fn(&Memory) -> O + Sync,
    ) -> Option<O> {
        let outcome = in_some_order(spec, &mut self.memory, &observer);
        self.tell(spec, report, outcome)
    }

    /// Puts an outcome into a report, and returns its observer.
    fn tell<O>(
        &self,
        spec: &GridSpec<'_>,
        report: &mut LaunchReport,
        outcome: exec::GridOutcome<O>,
    ) -> Option<O> {
        let scene = self.scene(spec);
        let [x, y, _] = spec.shape.grid.map(u64::from);
        let index = |block: u64| [(block % x) as u32, (block / x % y) as u32, (block / x / y) as u32];
        // What came first in a block explains what came later.
        let mut remarks: Vec<_> = outcome.remarks.iter().collect();
        remarks.sort_by_key(|(_, at)| (at.block, at.turn));
        let mut findings: Vec<Finding> = remarks
            .into_iter()
            .map(|(remark, at)| scene.remark(remark, at.count, index(at.block), at.warp, at.lane))
            .collect();
        if let Some((fault, block)) = &outcome.fault {
            findings.push(scene.fault(fault, index(*block)));
            report.stopped = true;
            report.endless = fault.kind == exec::FaultKind::Endless;
        }
        report.findings.extend(findings);
        report.printed = outcome.printed;
        report.instructions = outcome.instructions;
        report.longest = outcome.longest;
        report.slowest = outcome.slowest;
        report.rounds_with_ends = outcome.rounds_with_ends;
        outcome.observer
    }
}

fn bounds(address: u64, length: u64) -> impl Fn(MemoryError) -> DeviceError {
    move |_| DeviceError::OutOfBounds { address, length }
}

/// The arguments at the offsets that the kernel declares.
fn parameter_block(program: &Program, launch: &Launch<'_>) -> Result<Vec<u8>, DeviceError> {
    let fits = launch.arguments.len() == program.parameters.len()
        && launch.arguments.iter().zip(&program.parameters).all(|(bytes, p)| bytes.len() == p.size);
    if !fits {
        return Err(DeviceError::WrongArguments(launch.kernel.to_owned()));
    }
    let mut block = vec![0; program.parameter_bytes];
    for (bytes, parameter) in launch.arguments.iter().zip(&program.parameters) {
        block[parameter.offset..parameter.offset + parameter.size].copy_from_slice(bytes);
    }
    Ok(block)
}
