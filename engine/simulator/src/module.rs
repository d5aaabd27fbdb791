//! A PTX text decoded once, ready to run any number of times.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

use crate::decode::{Program, Symbols, Unsupported, decode, waits_for_others};
use crate::exec::heap;
use crate::finding::Location;
use crate::isa::{Action, AtomicOp, Inst, Successor, Where, actions};
use crate::layout::{DEVICE, HOST, KERNEL_HEAP};
use crate::lines::LineTable;
use crate::memory::Memory;
use crate::ptx::ast::{AddressBase, Ast, Function, Init, Operand, Space, Variable};
use crate::ptx::parse;

/// Why a PTX text cannot be run. Carries the line of the PTX, 1-based.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the PTX: {message}")]
pub struct ModuleError {
    /// Line of the PTX text.
    pub line: u32,
    /// The error or the missing feature, with the instruction.
    pub message: String,
    /// The variable that is too large, if that is why: then the file is at fault.
    pub too_large: Option<String>,
    /// The student's line, where it is known.
    pub location: Option<Location>,
}

/// A decoded module: kernels, functions, variables.
#[derive(Debug, Clone)]
pub struct Module {
    programs: HashMap<String, Result<Arc<Program>, ModuleError>>,
    /// Kernels that cannot run here, as a launch elsewhere needs them.
    foreign: HashMap<String, KernelInfo>,
    /// Names of the `__managed__` variables that each kernel may use.
    managed_by: HashMap<String, Vec<String>>,
    /// Kernels in the order of the text.
    order: Vec<String>,
    symbols: Symbols,
    functions: Vec<String>,
    variables: Vec<Placed>,
    pub(crate) lines: LineTable,
    independent_lanes: bool,
}

/// A variable at its address, with its first contents.
#[derive(Debug, Clone)]
struct Placed {
    name: String,
    address: u64,
    /// Bytes.
    size: u64,
    /// The first of them; the others are zeros, which cost nothing until they are written.
    data: Vec<u8>,
    constant: bool,
    managed: bool,
}

impl Placed {
    fn initial(&self) -> Vec<u8> {
        let mut data = vec![0; self.size as usize];
        data[..self.data.len()].copy_from_slice(&self.data);
        data
    }
}

/// A `__managed__` variable of the host's side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManagedVariable {
    /// Its (mangled) name, the same on both sides.
    pub name: String,
    /// Its address in host memory.
    pub address: u64,
    /// Its size in bytes.
    pub bytes: u64,
}

/// The properties of a kernel that a launch depends on.
#[derive(Debug, Clone)]
pub struct KernelInfo {
    /// Mangled name, as in the PTX.
    pub name: String,
    /// Size in bytes of each parameter.
    pub parameter_sizes: Vec<usize>,
    /// Bytes of statically declared shared memory.
    pub static_shared: u32,
    /// `__launch_bounds__` maximum, if declared.
    pub max_threads: Option<u32>,
    /// Bytes of local memory of a thread.
    pub local: u32,
    /// Names of the `__managed__` variables that it may use.
    pub managed: Vec<String>,
}

/// A module that declares this function is a host function's: its variables are host memory.
const HOST_CALL: &str = "host_call";
/// Bytes that a host function may allocate, page-locked and managed memory among them.
const HOST_BYTES: u64 = 1 << 30;
/// Bytes of all variables of a module, on either side.
const DEVICE_VARIABLES: u64 = 1 << 30;
const HOST_VARIABLES: u64 = 256 << 20;
/// Variables start at multiples of this, with as much between them.
const VARIABLE_GAP: u64 = 4096;

impl Module {
    /// The kernels and variables that have `from` in their names, with `to` in its place: one of several versions of a program in one module.
    #[must_use]
    pub fn of_version(&self, from: &str, to: &str) -> Self {
        let own = |name: &&String| name.contains(from);
        let renamed = |name: &String| name.replace(from, to);
        let kept = |(name, program): (&String, &Result<Arc<Program>, ModuleError>)| {
            own(&name).then(|| (renamed(name), program.clone()))
        };
        let variable = |placed: &Placed| Placed { name: renamed(&placed.name), ..placed.clone() };
        Self {
            programs: self.programs.iter().filter_map(kept).collect(),
            order: self.order.iter().filter(own).map(renamed).collect(),
            variables: self.variables.iter().filter(|placed| own(&&placed.name)).map(variable).collect(),
            ..self.clone()
        }
    }

    /// Parses and decodes a PTX text. A kernel that the simulator cannot run is an error only when launched.
    pub fn from_ptx(text: &str) -> Result<Self, ModuleError> {
        let ast = parse(text).map_err(|error| {
            let index = (error.line as usize).saturating_sub(1);
            let written = text.lines().nth(index).map_or("", str::trim);
            ModuleError {
                line: error.line,
                message: format!("{}, in `{written}`", error.message),
                too_large: None,
                location: None,
            }
        })?;
        let host = ast.functions.iter().any(|function| function.name == HOST_CALL && function.body.is_none());
        let layout = if host { HOST } else { DEVICE };
        let mut symbols = Symbols { layout, variables: HashMap::new(), functions: HashMap::new() };
        let mut functions = Vec::new();
        for (index, function) in ast.functions.iter().enumerate() {
            symbols.functions.insert(function.name.clone(), index);
            functions.push(function.name.clone());
        }
        let mut address = layout.variables;
        let mut placed = Vec::new();
        let most = if host { HOST_VARIABLES } else { DEVICE_VARIABLES };
        let mut room = most;
        for variable in ast.variables.iter().filter(|v| matches!(v.space, Space::Global | Space::Const)) {
            let size = bytes_of(variable);
            room = room.checked_sub(size).ok_or_else(|| too_large(variable, most))?;
            address = address.next_multiple_of(u64::from(variable.align.max(1)).max(256));
            symbols.variables.insert(variable.name.clone(), address);
            placed.push((variable, address));
            address += size + VARIABLE_GAP;
        }
        let variables = placed
            .into_iter()
            .map(|(variable, address)| Placed {
                name: variable.name.clone(),
                address,
                size: bytes_of(variable),
                data: initial(variable, &symbols),
                constant: variable.space == Space::Const,
                managed: variable.managed,
            })
            .collect();
        let order: Vec<String> = ast
            .functions
            .iter()
            .filter(|function| function.entry && function.body.is_some())
            .map(|function| function.name.clone())
            .collect();
        let lines = line_table(&ast);
        let mut programs = HashMap::new();
        let mut foreign = HashMap::new();
        for name in &order {
            let decoded = decode(&ast, &symbols, name).map(Arc::new);
            if decoded.is_err() {
                foreign.insert(name.clone(), declared(&ast, name));
            }
            programs.insert(name.clone(), decoded.map_err(|error| unsupported(&ast, &lines, error)));
        }
        Ok(Self {
            programs,
            foreign,
            managed_by: order.iter().map(|name| (name.clone(), managed_by(&ast, name))).collect(),
            order,
            symbols,
            functions,
            variables,
            lines,
            independent_lanes: independent_lanes(&ast.target),
        })
    }

    /// All kernels, in the order of the text.
    pub fn kernels(&self) -> Vec<KernelInfo> {
        self.order.iter().filter_map(|name| self.kernel(name)).collect()
    }

    /// The properties of this kernel that a launch depends on.
    pub fn kernel(&self, name: &str) -> Option<KernelInfo> {
        let Ok(program) = self.programs.get(name)?.as_ref() else { return self.foreign.get(name).cloned() };
        Some(KernelInfo {
            name: program.name.clone(),
            parameter_sizes: program.parameters.iter().map(|parameter| parameter.size).collect(),
            static_shared: program.static_shared as u32,
            max_threads: program.max_threads,
            local: program.local_bytes as u32,
            managed: self.managed_by.get(name).cloned().unwrap_or_default(),
        })
    }

    /// Whether the simulator can run this kernel.
    pub fn runs(&self, name: &str) -> bool {
        self.programs.get(name).is_some_and(Result::is_ok)
    }

    /// Whether a kernel has a loop that asks for a value in global memory until another thread has changed it.
    pub fn waits_for_others(&self, kernel: &str) -> bool {
        let Some(Ok(program)) = self.program(kernel) else { return false };
        let jumps = program.code.iter().map(|inst| inst.action.successor());
        let mut jumps = jumps.enumerate();
        jumps.any(|(at, next)| match next {
            Successor::Jump(target) => target as usize <= at && waits_for_others(&program, target),
            _ => false,
        })
    }

    /// A kernel's name as in the source.
    pub fn readable(&self, kernel: &str) -> String {
        crate::names::readable(kernel)
    }

    /// The line of the source that each line of the PTX of a kernel was made of.
    pub fn source_lines(&self, kernel: &str) -> BTreeMap<u32, Location> {
        let Some(Ok(program)) = self.programs.get(kernel) else { return BTreeMap::new() };
        let pairs = program.lines.iter().zip(&program.code);
        let known = pairs.filter_map(|(&line, inst)| Some((line, self.lines.get(inst.location)?.clone())));
        known.collect()
    }

    /// Where a kernel loads from global memory.
    pub fn loads(&self, kernel: &str) -> Vec<&Location> {
        let Some(Ok(program)) = self.programs.get(kernel) else { return Vec::new() };
        let is_load = |inst: &&Inst| match inst.action {
            Action::Load(access) => matches!(access.space, Where::In(Space::Global) | Where::Generic),
            _ => false,
        };
        program.code.iter().filter(is_load).filter_map(|inst| self.lines.get(inst.location)).collect()
    }

    /// The constant memory that a kernel is given before it begins instead of loading it, of which no observer hears, and the lines of
    /// these loads.
    pub fn constant_reads(&self, kernel: &str) -> Vec<(Range<u64>, Option<Location>)> {
        let Some(Ok(program)) = self.programs.get(kernel) else { return Vec::new() };
        let place = |line: u32| {
            let at = program.lines.iter().position(|known| *known == line)?;
            self.lines.get(program.code[at].location).cloned()
        };
        program.preset_reads().map(|(range, line)| (range, place(line))).collect()
    }

    /// The line of a kernel that most likely makes its result depend on the order of blocks and warps: where it uses the
    /// old value of an atomic, else where it reads what others may be writing.
    pub fn order_sensitive(&self, kernel: &str) -> Option<Location> {
        let program = self.programs.get(kernel)?.as_ref().ok()?;
        let shared = Where::In(Space::Shared);
        let rank = |inst: &Inst| match inst.action {
            Action::Atomic { access, quiet: false, .. } => Some(u8::from(access.space == shared)),
            Action::Load(access) if access.strong => Some(2),
            Action::Load(access) if access.space != Where::In(Space::Param) => Some(3),
            actions!(accesses | registers | warps | barriers | jumps | ends | waits) => None,
        };
        let ranked = program.code.iter().filter_map(|inst| Some((rank(inst)?, inst)));
        let (_, inst) = ranked.min_by_key(|(rank, _)| *rank)?;
        self.lines.get(inst.location).cloned()
    }

    /// Whether a kernel uses what an atomic in global memory returns: threads draw numbers, and what they do may depend on them. An
    /// atomic that stores a value which was computed before counts, too.
    pub fn draws_numbers(&self) -> bool {
        let draws = |inst: &Inst| {
            let Action::Atomic { access, op, quiet, .. } = inst.action else { return false };
            let stores = matches!(op, AtomicOp::Exch | AtomicOp::Cas);
            (stores || !quiet) && access.space != Where::In(Space::Shared)
        };
        self.programs.values().flatten().any(|program| program.code.iter().any(draws))
    }

    /// A kernel's program; why it cannot run, if it is there but cannot.
    pub(crate) fn program(&self, name: &str) -> Option<Result<Arc<Program>, ModuleError>> {
        self.programs.get(name).cloned()
    }

    /// Memory with the module's variables in their first state.
    pub(crate) fn memory(&self) -> Memory {
        let mut memory = Memory::new(self.symbols.layout.heap);
        if self.symbols.layout == HOST {
            memory = memory.limited(HOST_BYTES);
        }
        for variable in &self.variables {
            memory.add_variable(variable.address, variable.initial(), &variable.name, variable.constant);
        }
        if self.symbols.layout != HOST && self.programs.values().flatten().any(|program| program.allocates())
        {
            memory.add_kernel_heap(KERNEL_HEAP, heap::BYTES);
        }
        memory
    }

    /// The variables' addresses and first contents.
    pub(crate) fn initial_variables(&self) -> impl Iterator<Item = (u64, Vec<u8>)> {
        self.variables.iter().map(|variable| (variable.address, variable.initial()))
    }

    /// Address and size of a variable.
    pub(crate) fn variable(&self, name: &str) -> Option<(u64, u64)> {
        let variable = self.variables.iter().find(|variable| variable.name == name)?;
        Some((variable.address, variable.size))
    }

    /// The variables that a host function shares with kernels.
    pub(crate) fn managed_variables(&self) -> impl Iterator<Item = ManagedVariable> {
        self.variables.iter().filter(|variable| variable.managed).map(|variable| ManagedVariable {
            name: variable.name.clone(),
            address: variable.address,
            bytes: variable.size,
        })
    }

    /// The variable that holds an address, and the offset in it.
    pub(crate) fn variable_at(&self, address: u64) -> Option<(&str, u64)> {
        let variable =
            self.variables.iter().find(|v| address >= v.address && address - v.address < v.size.max(1))?;
        Some((&variable.name, address - variable.address))
    }

    /// The function or kernel whose address this is.
    pub(crate) fn function_at(&self, address: u64) -> Option<&str> {
        self.functions.get(self.symbols.layout.function_index(address)?).map(String::as_str)
    }

    /// Whether lanes of a warp may run apart: compute capability 7.0 and later.
    pub(crate) fn independent_lanes(&self) -> bool {
        self.independent_lanes
    }

    /// The address ranges of this module's side.
    pub(crate) fn layout(&self) -> crate::layout::Layout {
        self.symbols.layout
    }
}

/// The properties of a kernel by its declaration alone.
fn declared(ast: &Ast, name: &str) -> KernelInfo {
    let function = ast.functions.iter().find(|function| function.name == name);
    KernelInfo {
        name: name.to_owned(),
        parameter_sizes: function
            .map_or(&[][..], |function| &function.parameters)
            .iter()
            .map(|parameter| bytes_of(parameter) as usize)
            .collect(),
        static_shared: 0,
        max_threads: function.and_then(|function| function.max_threads),
        local: 0,
        managed: managed_by(ast, name),
    }
}

/// The `__managed__` variables that a kernel names, or a function that it may call.
fn managed_by(ast: &Ast, kernel: &str) -> Vec<String> {
    let managed: Vec<&str> =
        ast.variables.iter().filter(|variable| variable.managed).map(|variable| &variable.name[..]).collect();
    if managed.is_empty() {
        return Vec::new();
    }
    let of_kernel = |function: &&Function| !function.entry || function.name == kernel;
    let bodies = ast.functions.iter().filter(of_kernel).filter_map(|function| function.body.as_ref());
    let operands = bodies.flat_map(|body| &body.instructions).flat_map(|instruction| &instruction.operands);
    let mut named: Vec<String> = operands
        .filter_map(|operand| match operand {
            Operand::Symbol { name, .. } | Operand::Address { base: AddressBase::Symbol(name), .. } => {
                Some(name)
            }
            _ => None,
        })
        .filter(|name| managed.contains(&name.as_str()))
        .cloned()
        .collect();
    named.sort_unstable();
    named.dedup();
    named
}

/// A gap of the simulator, with the student's line.
fn unsupported(ast: &Ast, lines: &LineTable, error: Unsupported) -> ModuleError {
    let instructions = ast.functions.iter().filter_map(|function| function.body.as_ref());
    let before = instructions
        .flat_map(|body| &body.instructions)
        .filter(|instruction| instruction.line <= error.line)
        .max_by_key(|instruction| instruction.line);
    let location = before.and_then(|instruction| lines.get(instruction.location).cloned());
    ModuleError { line: error.line, message: error.message, location, too_large: None }
}

fn independent_lanes(target: &str) -> bool {
    let digits: String = target.chars().filter(char::is_ascii_digit).collect();
    digits.parse::<u32>().is_ok_and(|capability| capability >= 70)
}

fn too_large(variable: &Variable, most: u64) -> ModuleError {
    let name = crate::names::readable(&variable.name);
    let message = format!(
        "the global variables of the file, `{name}` among them, take more than the {} MiB that the checker holds",
        most >> 20
    );
    ModuleError { line: 0, message, location: None, too_large: Some(name) }
}

fn bytes_of(variable: &Variable) -> u64 {
    variable.elements.max(1).saturating_mul(crate::decode::element_bytes(variable))
}

/// The bytes that a variable starts with; addresses of other variables filled in.
fn initial(variable: &Variable, symbols: &Symbols) -> Vec<u8> {
    let size = bytes_of(variable) as usize;
    let mut data = Vec::new();
    for element in &variable.init {
        let bytes = match element {
            Init::Bytes(bytes) => bytes.clone(),
            Init::Address { symbol, offset, .. } => {
                let address = symbols.variables.get(symbol).copied().or_else(|| {
                    symbols.functions.get(symbol).map(|&index| symbols.layout.function_address(index))
                });
                address.unwrap_or(0).wrapping_add_signed(*offset).to_le_bytes().to_vec()
            }
        };
        let more = bytes.len().min(size - data.len());
        data.extend_from_slice(&bytes[..more]);
    }
    let used = data.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    data.truncate(used);
    data
}

/// Unwinds each source position to the student's file: the innermost call that stands in a `.cu` file.
fn line_table(ast: &Ast) -> LineTable {
    let file = |number: u32| ast.files.iter().find(|(n, _)| *n == number).map(|(_, path)| path.as_str());
    let student = |path: &str| {
        std::path::Path::new(path).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("cu"))
    };
    // All positions of a chain of calls, the innermost first.
    let chain = |start: usize| {
        let next = |index: &usize| Some(ast.locations.get(*index)?.inlined_at as usize);
        let known = std::iter::successors(Some(start), next).take_while(|index| *index != 0);
        known.filter_map(|index| {
            let position = ast.locations.get(index).filter(|position| position.line != 0)?;
            let path = file(position.file)?;
            Some(Location { file: path.to_owned(), line: position.line, column: position.column })
        })
    };
    let unwind =
        |start: usize| chain(start).find(|location| student(&location.file)).or_else(|| chain(start).next());
    let callers = |start: usize| chain(start).filter(|location| student(&location.file)).skip(1).collect();
    let all = 0..ast.locations.len();
    LineTable { locations: all.clone().map(unwind).collect(), callers: all.map(callers).collect() }
}
