//! A PTX text decoded once, ready to run any number of times.

use std::collections::HashMap;
use std::sync::Arc;

use crate::decode::{Program, Symbols, Unsupported, decode};
use crate::finding::Location;
use crate::isa::{Action, Inst, Where};
use crate::layout::{DEVICE, HOST};
use crate::lines::LineTable;
use crate::memory::Memory;
use crate::ptx::ast::{Ast, Init, Space, Variable};
use crate::ptx::parse;

/// Why a PTX text cannot be run. Carries the line of the PTX, 1-based.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the PTX: {message}")]
pub struct ModuleError {
    /// Line of the PTX text.
    pub line: u32,
    /// The error or the missing feature, with the instruction.
    pub message: String,
}

/// A decoded module: kernels, functions, variables.
#[derive(Debug)]
pub struct Module {
    programs: HashMap<String, Result<Arc<Program>, Unsupported>>,
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
    data: Vec<u8>,
    constant: bool,
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
}

/// A module that declares this function is a host function's: its variables are host memory.
const HOST_CALL: &str = "host_call";
/// Variables start at multiples of this, with as much between them.
const VARIABLE_GAP: u64 = 4096;

impl Module {
    /// Parses and decodes a PTX text. A kernel that the simulator cannot run is an error only when launched.
    pub fn from_ptx(text: &str) -> Result<Self, ModuleError> {
        let ast = parse(text).map_err(|error| ModuleError { line: error.line, message: error.message })?;
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
        for variable in ast.variables.iter().filter(|v| matches!(v.space, Space::Global | Space::Const)) {
            let size = bytes_of(variable);
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
                data: initial(variable, &symbols),
                constant: variable.space == Space::Const,
            })
            .collect();
        let order: Vec<String> = ast
            .functions
            .iter()
            .filter(|function| function.entry && function.body.is_some())
            .map(|function| function.name.clone())
            .collect();
        let programs =
            order.iter().map(|name| (name.clone(), decode(&ast, &symbols, name).map(Arc::new))).collect();
        Ok(Self {
            programs,
            order,
            symbols,
            functions,
            variables,
            lines: line_table(&ast),
            independent_lanes: independent_lanes(&ast.target),
        })
    }

    /// All kernels that can run, in the order of the text.
    pub fn kernels(&self) -> Vec<KernelInfo> {
        self.order.iter().filter_map(|name| self.kernel(name)).collect()
    }

    /// The properties of this kernel that a launch depends on.
    pub fn kernel(&self, name: &str) -> Option<KernelInfo> {
        let program = self.programs.get(name)?.as_ref().ok()?;
        Some(KernelInfo {
            name: program.name.clone(),
            parameter_sizes: program.parameters.iter().map(|parameter| parameter.size).collect(),
            static_shared: program.static_shared as u32,
            max_threads: program.max_threads,
        })
    }

    /// A kernel's name as in the source.
    pub fn readable(&self, kernel: &str) -> String {
        crate::explain::readable(kernel)
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
            _ => None,
        };
        let ranked = program.code.iter().filter_map(|inst| Some((rank(inst)?, inst)));
        let (_, inst) = ranked.min_by_key(|(rank, _)| *rank)?;
        self.lines.get(inst.location).cloned()
    }

    /// A kernel's program; why it cannot run, if it is there but cannot.
    pub(crate) fn program(&self, name: &str) -> Option<Result<Arc<Program>, ModuleError>> {
        let program = self.programs.get(name)?.clone();
        Some(program.map_err(|error| ModuleError { line: error.line, message: error.message }))
    }

    /// Memory with the module's variables in their first state.
    pub(crate) fn memory(&self) -> Memory {
        let mut memory = Memory::new(self.symbols.layout.heap);
        for variable in &self.variables {
            memory.add_variable(variable.address, variable.data.clone(), &variable.name, variable.constant);
        }
        memory
    }

    /// Address and size of a variable.
    pub(crate) fn variable(&self, name: &str) -> Option<(u64, u64)> {
        let variable = self.variables.iter().find(|variable| variable.name == name)?;
        Some((variable.address, variable.data.len() as u64))
    }

    /// The variable that holds an address, and the offset in it.
    pub(crate) fn variable_at(&self, address: u64) -> Option<(&str, u64)> {
        let variable = self
            .variables
            .iter()
            .find(|v| address >= v.address && address - v.address < (v.data.len() as u64).max(1))?;
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

fn independent_lanes(target: &str) -> bool {
    let digits: String = target.chars().filter(char::is_ascii_digit).collect();
    digits.parse::<u32>().is_ok_and(|capability| capability >= 70)
}

fn bytes_of(variable: &Variable) -> u64 {
    variable.elements.max(1) * crate::decode::element_bytes(variable)
}

/// The bytes that a variable starts with; addresses of other variables filled in.
fn initial(variable: &Variable, symbols: &Symbols) -> Vec<u8> {
    let mut data = vec![0; bytes_of(variable) as usize];
    let mut at = 0;
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
        let end = (at + bytes.len()).min(data.len());
        data[at..end].copy_from_slice(&bytes[..end - at]);
        at = end;
    }
    data
}

/// Unwinds each source position to the student's file: the innermost call that stands in a `.cu` file.
fn line_table(ast: &Ast) -> LineTable {
    let file = |number: u32| ast.files.iter().find(|(n, _)| *n == number).map(|(_, path)| path.as_str());
    let student = |path: &str| {
        std::path::Path::new(path).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("cu"))
    };
    let unwind = |start: usize| -> Option<Location> {
        let mut index = start;
        let mut innermost = None;
        while index != 0 {
            let position = ast.locations.get(index)?;
            if position.line != 0
                && let Some(path) = file(position.file)
            {
                let location =
                    Location { file: path.to_owned(), line: position.line, column: position.column };
                if student(path) {
                    return Some(location);
                }
                innermost.get_or_insert(location);
            }
            index = position.inlined_at as usize;
        }
        innermost
    };
    LineTable { locations: (0..ast.locations.len()).map(unwind).collect() }
}
