//! Runs the host function of a submission: one thread, its own memory, CUDA runtime calls trapped.
//!
//! The host function is compiled to PTX like a kernel, and never runs natively. Its memory is apart from
//! the device's: using a device pointer here, or a host pointer in a kernel, is a fault with a source line.

use crate::decode::{Action, Callee, Program};
use crate::exec::{
    Dimensions, Environment, External, Fault, FaultKind, MOST_PRINTED, Pending, Remark, Stop, Warp, argument,
    device_call, finish_external, look_out, run_warp, set_result,
};
use crate::explain::Scene;
use crate::finding::{Finding, Kind, Location, Severity};
use crate::isa::AccessKind;
use crate::layout::HOST;
use crate::memory::{Memory, View, merge};
use crate::module::{Module, ModuleError};
use crate::ptx::ast::Space;
use watch::Watch;

mod memory;
mod text;
mod view;
mod watch;

pub use crate::layout::{HOST_BASE, HOST_END};
pub use memory::HostMemory;
pub use view::HostView;

/// Instructions of the host function between two looks at what changes by and by.
const A_WHILE: u64 = 100_000;

/// A `malloc` costs as much as this many instructions, and one more for each allocation before it.
const MALLOC: u64 = 200;

/// Why a host function stopped early.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The PTX asks for something the interpreter does not do.
    #[error("line {line} of the host PTX: {message}")]
    Unsupported {
        /// Line of the PTX text.
        line: u32,
        /// The missing feature.
        message: String,
        /// The student's line, where it is known.
        location: Option<Location>,
    },
    /// The engine behind the runtime calls broke; not the student's doing.
    #[error("{0}")]
    Engine(String),
}

/// Why a trapped runtime call returns no `cudaError_t`.
#[derive(Debug)]
pub enum HostCallError {
    /// The student's fault: ends the host function with this finding. A missing location becomes the call's.
    Finding(Box<Finding>),
    /// The engine broke.
    Engine(String),
}

/// Carries out the CUDA runtime calls that the host function makes.
pub trait HostCalls {
    /// Runtime call `id` with its arguments: an array of `u64` at host address `arguments`.
    /// Returns a `cudaError_t`.
    fn call(&mut self, id: i32, arguments: u64, host: &mut HostView<'_>) -> Result<i32, HostCallError>;

    /// The host function touches memory whose contents are away ([`HostView::send_away`]) or in flight
    /// ([`HostView::close`]). If that ends well, they are back, and the access is tried again.
    fn touch(&mut self, address: u64, bytes: u64, host: &mut HostView<'_>) -> Result<(), HostCallError>;

    /// Whether host memory changes by and by without a call: [`HostCalls::time_passes`] is called now and then.
    fn expects(&self) -> bool {
        false
    }

    /// The host function has computed for a while.
    fn time_passes(&mut self, _host: &mut HostView<'_>) -> Result<(), HostCallError> {
        Ok(())
    }

    /// The host function returns.
    fn ends(&mut self, _host: &mut HostView<'_>) -> Result<(), HostCallError> {
        Ok(())
    }
}

/// One argument of the host function.
#[derive(Debug, Clone)]
pub enum HostArgument {
    /// An `int`.
    Int(i32),
    /// A pointer as it is: device memory.
    Pointer(u64),
    /// Host memory filled with these bytes before the call; the function gets its address.
    HostBuffer {
        /// The parameter's name, used in findings.
        name: String,
        /// Contents before the call.
        bytes: Vec<u8>,
        /// Whether it lies elsewhere than that of the last call, even if it is as large.
        elsewhere: bool,
    },
}

/// The outcome of a host function.
#[derive(Debug)]
pub struct HostOutcome {
    /// The fault that ended it early, if one did.
    pub fault: Option<Finding>,
    /// What did not end it: values that nothing has written and that decided something, NaNs that became integers.
    pub remarks: Vec<Finding>,
    /// The host buffers among the arguments after the call, in order.
    pub buffers: Vec<Vec<u8>>,
    /// The text it printed.
    pub printed: Vec<u8>,
    /// Instructions executed.
    pub instructions: u64,
}

/// Runs the entry `name` of `module` with these arguments to its end, or to its fault. `memory` has what earlier calls of the
/// same program left. `instruction_limit` bounds an endless loop, which is a fault of the student's.
pub fn run(
    module: &Module,
    memory: &mut HostMemory,
    name: &str,
    arguments: &[HostArgument],
    calls: &mut dyn HostCalls,
    instruction_limit: u64,
) -> Result<HostOutcome, HostError> {
    let program = match module.program(name) {
        None => return Err(HostError::Engine(format!("`{name}` is missing"))),
        Some(Err(ModuleError { line, message, location, .. })) => {
            return Err(HostError::Unsupported { line, message, location });
        }
        Some(Ok(program)) => program,
    };
    let mut program = Program::clone(&program);
    look_out(&mut program);
    if let Some(fault) = too_large_a_stack(module, &program) {
        let outcome = HostOutcome {
            fault: Some(fault),
            remarks: Vec::new(),
            buffers: Vec::new(),
            printed: Vec::new(),
            instructions: 0,
        };
        return Ok(outcome);
    }
    let HostMemory { memory, buffers: last } = memory;
    let (parameters, arguments) = place_arguments(&program, arguments, memory, last)?;
    let presets = program.preset_values(&parameters, memory);
    let watch = Watch::new(&program, memory);
    let mut run = Run {
        module,
        program: &program,
        watch,
        memory,
        warp: Warp::new(&program, &presets, 0, 1),
        parameters,
        limit: instruction_limit,
        budget: instruction_limit,
        remarks: Vec::new(),
        printed: Vec::new(),
        refused: None,
    };
    let mut fault = run.finish(calls)?;
    if let (Some(finding), Some(bytes)) = (fault.as_mut(), run.refused) {
        blame_memory(finding, bytes);
    }
    let contents = |&(address, length): &Buffer| {
        run.memory.bytes(address, length).map_or_else(|_| Vec::new(), <[u8]>::to_vec)
    };
    let buffers = arguments.iter().map(contents).collect();
    let scene = Scene {
        program: run.program,
        lines: &run.module.lines,
        memory: run.memory,
        block: [1; 3],
        host: true,
        shared_bytes: 0,
        parameters: &[],
    };
    let remarks =
        run.remarks.iter().map(|(remark, warp, lane)| scene.remark(remark, 1, [0; 3], *warp, *lane));
    let mut remarks: Vec<Finding> = remarks.collect();
    remarks.extend(scene.undefined(run.watch.finish(), [1; 3]));
    let outcome = HostOutcome {
        fault,
        remarks,
        buffers,
        instructions: instruction_limit.saturating_sub(run.budget),
        printed: run.printed,
    };
    // They are the caller's. One that the function has freed is gone already.
    for (address, _) in &arguments {
        let _ = memory.free(*address);
    }
    *last = arguments;
    Ok(outcome)
}

/// Bytes of a thread's stack on the host: what Linux gives it.
const STACK: usize = 8 << 20;

/// The finding of a host function whose local variables are larger than a stack.
fn too_large_a_stack(module: &Module, program: &Program) -> Option<Finding> {
    if program.local_bytes <= STACK {
        return None;
    }
    // The first instructions are the checker's own.
    let extension =
        |location: &Location| std::path::Path::new(&location.file).extension().map(ToOwned::to_owned);
    let own =
        |location: &&Location| extension(location).is_some_and(|found| found.eq_ignore_ascii_case("cu"));
    let location = program.code.iter().find_map(|inst| module.lines.get(inst.location).filter(own).cloned());
    let message = format!(
        "the local variables of the host function take {} bytes, and its stack has {STACK}",
        program.local_bytes
    );
    let hint = "take large arrays from `malloc` or `cudaMallocHost` instead: on a real machine the program crashes here";
    Some(Finding { hint: hint.to_owned(), ..host_finding("W0631", &message, location) })
}

/// Address and size of a host buffer.
type Buffer = (u64, u64);

/// The parameter block, and the host buffers. They lie where those of the last call were if they are as large, unless they must not:
/// what a program keeps by their addresses is then out of date.
fn place_arguments(
    program: &Program,
    arguments: &[HostArgument],
    memory: &mut Memory,
    last: &[Buffer],
) -> Result<(Vec<u8>, Vec<Buffer>), HostError> {
    let mut block = vec![0; program.parameter_bytes];
    let mut buffers = Vec::new();
    if arguments.len() != program.parameters.len() {
        return Err(HostError::Engine(format!("`{}` takes another number of arguments", program.name)));
    }
    for (argument, parameter) in arguments.iter().zip(&program.parameters) {
        let bytes = match argument {
            HostArgument::Int(value) => value.to_le_bytes().to_vec(),
            HostArgument::Pointer(address) => address.to_le_bytes().to_vec(),
            HostArgument::HostBuffer { name, bytes, elsewhere } => {
                let failed = |_| HostError::Engine(format!("no memory for the host buffer `{name}`"));
                let size = bytes.len() as u64;
                let address = match last.get(buffers.len()) {
                    Some(&(address, before)) if before == size && !elsewhere => {
                        memory.alloc_at(address, size, name).map_err(failed)?;
                        address
                    }
                    _ => memory.alloc(size, name).map_err(failed)?,
                };
                memory.bytes_mut(address, bytes.len() as u64).map_err(failed)?.copy_from_slice(bytes);
                memory.define(address, bytes.len() as u64, true);
                buffers.push((address, bytes.len() as u64));
                address.to_le_bytes().to_vec()
            }
        };
        if bytes.len() != parameter.size {
            return Err(HostError::Engine(format!("an argument of `{}` has another size", program.name)));
        }
        block[parameter.offset..parameter.offset + parameter.size].copy_from_slice(&bytes);
    }
    Ok((block, buffers))
}

/// The outcome of an access that found no memory.
enum Fetched {
    /// The memory is back.
    Back,
    /// The access itself is a fault.
    Refused(Finding),
    /// The memory is not away: there is none.
    NotAway,
}

/// A running host function.
struct Run<'a> {
    module: &'a Module,
    program: &'a Program,
    watch: Watch<'a>,
    memory: &'a mut Memory,
    warp: Warp,
    parameters: Vec<u8>,
    limit: u64,
    budget: u64,
    remarks: Vec<(Remark, u32, u32)>,
    printed: Vec<u8>,
    /// The bytes that the first `malloc` without memory asked for.
    refused: Option<u64>,
}

impl Run<'_> {
    /// Runs to the end; the fault that came first, if one did.
    fn finish(&mut self, calls: &mut dyn HostCalls) -> Result<Option<Finding>, HostError> {
        let dimensions = Dimensions {
            grid: [1; 3],
            block: [1; 3],
            index: [0; 3],
            dynamic_shared: 0,
            cooperative: false,
            apart: false,
            rising: false,
        };
        self.warp.start(self.program, &dimensions);
        loop {
            let slice = if calls.expects() { A_WHILE } else { u64::MAX };
            let stop = match self.turn(slice) {
                Ok(stop) => stop,
                Err(fault) => match self.fetch(&fault, calls)? {
                    Fetched::Back => continue,
                    Fetched::Refused(finding) => return Ok(Some(finding)),
                    Fetched::NotAway => return Ok(Some(self.scene().fault(&fault, [0; 3]))),
                },
            };
            match stop {
                Stop::Done => return ended(calls.ends(&mut self.view(None, false))),
                Stop::Slice | Stop::Spinning => {
                    if let Some(finding) = ended(calls.time_passes(&mut self.view(None, false)))? {
                        return Ok(Some(finding));
                    }
                }
                Stop::Waiting => {
                    let path = self.warp.paths.first();
                    let inst = path.and_then(|path| self.program.code.get(path.pc as usize));
                    return Err(HostError::Unsupported {
                        line: 0,
                        message: "it waits at a barrier such as `__syncthreads()`, which only kernels have"
                            .to_owned(),
                        location: inst.and_then(|inst| self.module.lines.get(inst.location)).cloned(),
                    });
                }
                Stop::External(external) => {
                    if let Some(finding) = self.external(external, calls)? {
                        return Ok(Some(finding));
                    }
                    self.watch.returned(&self.warp, self.program, external);
                    finish_external(&mut self.warp, self.program, self.watch.observer(), external);
                    // A copy to host memory may have changed a constant.
                    let presets = self.program.preset_values(&self.parameters, self.memory);
                    self.warp.preset(self.program, &presets);
                }
            }
        }
    }

    /// What a runtime call sees; `polls`: it comes from a load that asks for what others write.
    fn view(&mut self, location: Option<Location>, polls: bool) -> HostView<'_> {
        HostView {
            module: self.module,
            location,
            memory: self.memory,
            warp: &mut self.warp,
            locals: &mut self.watch,
            executed: self.limit.saturating_sub(self.budget),
            stack_start: self.program.stack_start as u32,
            polls,
        }
    }

    /// Runs to the next call from outside, or for this many instructions; its stores are in memory afterwards.
    fn turn(&mut self, slice: u64) -> Result<Stop, Fault> {
        self.watch.resume(self.memory);
        let (result, footprint) = {
            let mut view = View::new(self.memory, true);
            let mut pending = Pending::default();
            let mut env = Environment {
                pending: &mut pending,
                program: self.program,
                cooperative: false,
                layout: HOST,
                parameters: &self.parameters,
                view: &mut view,
                shared: &mut [],
                budget: &mut self.budget,
                remarks: &mut self.remarks,
            };
            let result = run_warp(&mut self.warp, &mut env, self.watch.observer(), slice);
            (result, view.finish())
        };
        merge(self.memory, &[footprint]).expect("a single worker is in conflict with nobody");
        self.watch.pause(self.memory);
        result
    }

    /// Has the memory brought back that an access found away; the path still stands at the access.
    fn fetch(&mut self, fault: &Fault, calls: &mut dyn HostCalls) -> Result<Fetched, HostError> {
        let FaultKind::OutOfBounds { address, bytes, .. } = fault.kind else { return Ok(Fetched::NotAway) };
        if !self.memory.is_away(address, bytes) {
            return Ok(Fetched::NotAway);
        }
        let location = self.scene().location(fault.pc);
        let polls =
            matches!(self.program.code[fault.pc as usize].action, Action::Load(access) if access.strong);
        match calls.touch(address, bytes, &mut self.view(location.clone(), polls)) {
            Ok(()) if self.memory.is_away(address, bytes) => Ok(Fetched::NotAway),
            Ok(()) => Ok(Fetched::Back),
            Err(HostCallError::Finding(finding)) => {
                let location = finding.location.clone().or(location);
                Ok(Fetched::Refused(Finding { location, ..*finding }))
            }
            Err(HostCallError::Engine(message)) => Err(HostError::Engine(message)),
        }
    }

    /// Takes the cost of a call that is not a runtime call from the instructions that are left.
    fn spend(&mut self, instructions: u64) {
        self.budget = self.budget.saturating_sub(instructions);
    }

    fn scene(&self) -> Scene<'_> {
        Scene {
            program: self.program,
            lines: &self.module.lines,
            memory: self.memory,
            block: [1; 3],
            host: true,
            shared_bytes: 0,
            parameters: &[],
        }
    }

    fn external(
        &mut self,
        external: External,
        calls: &mut dyn HostCalls,
    ) -> Result<Option<Finding>, HostError> {
        let program = self.program;
        let Callee::External { name, .. } = &program.calls[external.call as usize].callee else {
            unreachable!("only functions without a body leave the interpreter")
        };
        let location = self.scene().location(external.pc);
        let [first, second] = [0, 1].map(|n| argument(&self.warp, program, external.call, 0, n));
        let result = match name.as_str() {
            "host_call" => match calls.call(first as i32, second, &mut self.view(location.clone(), false)) {
                Ok(code) => u64::from(code as u32),
                Err(HostCallError::Finding(mut finding)) => {
                    if finding.location.is_none() {
                        finding.location = location;
                    }
                    return Ok(Some(*finding));
                }
                Err(HostCallError::Engine(message)) => return Err(HostError::Engine(message)),
            },
            "malloc" => {
                let number = self.memory.allocations().len() + 1;
                self.spend(MALLOC + number as u64);
                self.memory.alloc(first, &format!("malloc #{number}")).unwrap_or_else(|_| {
                    self.refused.get_or_insert(first);
                    0
                })
            }
            "free" => {
                if first != 0 && self.memory.free(first).is_err() {
                    let message =
                        "`free` is given a pointer that `malloc` did not return, or that was freed before";
                    return Ok(Some(host_finding("W0603", message, location)));
                }
                0
            }
            _ => {
                if name == "vprintf"
                    && let Some(address) = text::wild(self.memory, &self.warp, first, second)
                {
                    let (kind, space) = (AccessKind::Read, Space::Global);
                    let kind = FaultKind::OutOfBounds { address, bytes: 1, kind, space };
                    let fault = Fault { kind, pc: external.pc, warp: 0, lane: 0 };
                    return Ok(Some(self.scene().fault(&fault, [0; 3])));
                }
                let mut view = View::new(self.memory, true);
                let mut text = Vec::new();
                let outcome =
                    device_call(&mut self.warp, &mut view, program, HOST, external, &mut text, usize::MAX);
                self.spend(text.len() as u64);
                text.truncate(MOST_PRINTED.saturating_sub(self.printed.len()));
                self.printed.append(&mut text);
                return Ok(outcome.err().map(|kind| {
                    let fault = Fault { kind, pc: external.pc, warp: 0, lane: 0 };
                    self.scene().fault(&fault, [0; 3])
                }));
            }
        };
        set_result(&mut self.warp, program, external.call, 0, result);
        Ok(None)
    }
}

/// The finding with which a call ended the host function, if it did.
fn ended(outcome: Result<(), HostCallError>) -> Result<Option<Finding>, HostError> {
    match outcome {
        Ok(()) => Ok(None),
        Err(HostCallError::Finding(finding)) => Ok(Some(*finding)),
        Err(HostCallError::Engine(message)) => Err(HostError::Engine(message)),
    }
}

/// A null pointer where there was no memory.
fn blame_memory(finding: &mut Finding, bytes: u64) {
    if finding.code == "W0108" {
        finding.message = format!(
            "the host function has no memory left here: `malloc`, `new` or a container asked for {bytes} bytes more than the checker gives it"
        );
        "does a loop allocate again and again, or is a size wrong (bytes for elements, a negative number)? A picture has at most some \
         millions of pixels"
            .clone_into(&mut finding.hint);
    }
}

fn host_finding(code: &'static str, message: &str, location: Option<Location>) -> Finding {
    Finding {
        code,
        kind: Kind::Host,
        severity: Severity::Error,
        message: message.to_owned(),
        location,
        labels: Vec::new(),
        thread: None,
        count: 1,
        hint: "free each pointer once, with the function that belongs to how it was allocated".to_owned(),
    }
}
