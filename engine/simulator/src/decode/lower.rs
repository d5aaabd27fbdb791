//! Builds the program of one kernel: the kernel, and every function it calls.

use std::collections::HashMap;

use super::assigned;
use super::contract;
use super::graph::{self, CallGraph};
use super::invariant;
use super::operands::{Builder, Scope, slot_of};
use super::program::{FunctionRange, Parameter, Program, Symbols};
use crate::isa::Slot;
use crate::isa::table;
use crate::isa::{Action, Class};
use crate::ptx::ast::{Ast, Body, Function, Instruction, Space, Variable};

/// An instruction that the simulator does not know, or a program too large for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unsupported {
    /// Line of the PTX text.
    pub line: u32,
    /// The missing feature.
    pub message: String,
}

/// Bytes between two arrays in shared memory: a multiple of what all banks hold and of every alignment.
const RED_ZONE: u64 = 4096;

/// Bytes of frames that a thread has for functions that call themselves.
const STACK_BYTES: usize = 16 * 1024;

/// Where one function's parameters and results live in local memory, and where its code starts.
#[derive(Debug, Clone, Default)]
pub(super) struct Frame {
    /// Number of the function; its code follows that of those before.
    pub number: usize,
    /// Offset and size of each parameter.
    pub parameters: Vec<(u32, u32)>,
    /// Offset and size of each result.
    pub returns: Vec<(u32, u32)>,
    /// Whether it has a body here.
    pub defined: bool,
    /// Bytes of its frame so far, if it needs one: offsets are then from the frame's start.
    pub bytes: Option<usize>,
}

/// State of the decoding that spans functions.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// By function name.
    pub known: HashMap<String, Frame>,
    /// Functions still to be decoded, in order of first call.
    pub queue: Vec<String>,
    /// Who calls whom.
    pub graph: CallGraph,
}

/// Decodes the kernel or host entry `name`.
pub(crate) fn decode(ast: &Ast, symbols: &Symbols, name: &str) -> Result<Program, Unsupported> {
    let program = decode_with(ast, symbols, name, 0)?;
    // Dynamic shared memory begins after the static part, whose size only a first pass tells.
    let tight = program.dynamic_shared_start() as u64;
    if tight == 0 {
        return Ok(Program { dynamic_start: Some(0), ..program });
    }
    let end = program.static_shared as u64 + program.red_zone_bytes();
    let start = tight + program.red_zone_bytes() + RED_ZONE;
    let mut program = decode_with(ast, symbols, name, start)?;
    if program.shared_arrays.iter().any(|array| array.1 == 0) {
        program.red_zones.push(end..start);
        program.dynamic_start = Some(start);
    }
    Ok(program)
}

fn decode_with(ast: &Ast, symbols: &Symbols, name: &str, dynamic: u64) -> Result<Program, Unsupported> {
    let mut builder = Builder::new(symbols, name);
    builder.dynamic_shared = dynamic;
    builder.module_shared = ast
        .variables
        .iter()
        .filter(|variable| variable.space == Space::Shared)
        .map(|variable| (variable.name.as_str(), variable))
        .collect();
    let mut frames = Frames { graph: graph::examine(ast), ..Frames::default() };
    builder.program.frame_pointer = builder.fresh(Slot::R64)?.index;
    builder.constant_sizes = ast
        .variables
        .iter()
        .filter(|variable| variable.space == Space::Const && !variable.external)
        .map(|variable| (variable.name.as_str(), size_of(variable)))
        .collect();
    let functions: HashMap<&str, &Function> =
        ast.functions.iter().map(|function| (function.name.as_str(), function)).collect();
    let entry = functions
        .get(name)
        .ok_or_else(|| Unsupported { line: 0, message: format!("`{name}` is not in the PTX") })?;
    builder.program.max_threads = entry.max_threads;
    builder.program.cluster = entry.cluster;
    builder.program.required_threads = entry.required_threads;
    frame_of(&mut builder, &mut frames, entry);
    let mut done = 0;
    while done < frames.queue.len() {
        let function = functions[frames.queue[done].as_str()];
        builder.scope = Scope { kernel: function.entry, ..Scope::default() };
        function_body(&mut builder, &mut frames, &functions, function)?;
        done += 1;
    }
    builder.program.stack_start = builder.program.local_bytes.next_multiple_of(16);
    if builder.program.functions.iter().any(|function| function.frame_bytes.is_some()) {
        builder.program.local_bytes = builder.program.stack_start + STACK_BYTES;
    }
    for name in &frames.graph.pointed_to {
        let number = frames.queue.iter().position(|queued| queued == name);
        if let (Some(number), Some(&index)) = (number, symbols.functions.get(name)) {
            builder.program.pointers.insert(symbols.layout.function_address(index), number as u32);
        }
    }
    builder.program.ordered = depends_on_order(&builder.program);
    builder.program.waiting = super::waiting::jumps_back(&builder.program);
    builder.program.barrier_loops = super::loops::around_barriers(&builder.program);
    Ok(builder.program)
}

fn size_of(variable: &Variable) -> u64 {
    variable.elements * element_bytes(variable)
}

/// Bytes of one element of a variable.
pub(crate) fn element_bytes(variable: &Variable) -> u64 {
    use crate::ptx::ast::Type;
    match variable.ty {
        Type::B8 | Type::U8 | Type::S8 | Type::Pred => 1,
        Type::B16 | Type::U16 | Type::S16 | Type::F16 | Type::BF16 => 2,
        Type::B32 | Type::U32 | Type::S32 | Type::F32 | Type::F16x2 | Type::BF16x2 => 4,
        Type::B64 | Type::U64 | Type::S64 | Type::F64 | Type::TexRef | Type::SamplerRef | Type::SurfRef => 8,
        Type::B128 => 16,
    }
}

/// Reserves static shared memory for a variable, or names the start of the dynamic part; its offset.
pub(super) fn place_shared(builder: &mut Builder<'_>, variable: &Variable) -> u64 {
    if variable.external || variable.elements == 0 {
        builder.program.shared_arrays.push((builder.dynamic_shared, 0, variable.name.clone()));
        return builder.dynamic_shared;
    }
    // On a GPU arrays lie side by side, and who leaves one changes the next. Here a gap lies between them, of which no use
    // is right. Banks and alignment are as without it.
    let end = builder.program.static_shared as u64 + builder.program.red_zone_bytes();
    let before = builder.program.red_zone_bytes() + if end == 0 { 0 } else { RED_ZONE };
    let offset = builder.program.static_shared.next_multiple_of(variable.align.max(1) as usize);
    builder.program.static_shared = offset + size_of(variable) as usize;
    let place = offset as u64 + before;
    if end > 0 {
        builder.program.red_zones.push(end..place);
    }
    builder.program.shared_arrays.push((place, size_of(variable), variable.name.clone()));
    place
}

/// Reserves local memory for a variable: in the function's frame, if it has one, or for good.
fn place_local(builder: &mut Builder<'_>, frame: &mut Option<usize>, variable: &Variable) -> (u32, u32) {
    let end = frame.as_mut().unwrap_or(&mut builder.program.local_bytes);
    let offset = end.next_multiple_of(variable.align.max(1) as usize);
    let size = size_of(variable) as usize;
    *end = offset + size;
    (offset as u32, size as u32)
}

/// The frame of a function, made when it is first called.
pub(super) fn frame_of(builder: &mut Builder<'_>, frames: &mut Frames, function: &Function) -> Frame {
    if let Some(frame) = frames.known.get(&function.name) {
        return frame.clone();
    }
    let mut frame = Frame { defined: function.body.is_some(), ..Frame::default() };
    if function.entry {
        let mut offset = 0usize;
        for parameter in &function.parameters {
            let size = size_of(parameter) as usize;
            offset = offset.next_multiple_of(parameter.align.max(1) as usize);
            builder.program.parameters.push(Parameter { offset, size });
            offset += size;
        }
        builder.program.parameter_bytes = offset;
    } else {
        frame.bytes = frames.graph.recursive.contains(&function.name).then_some(0);
        let bytes = &mut frame.bytes;
        frame.parameters = function.parameters.iter().map(|p| place_local(builder, bytes, p)).collect();
        frame.returns = function.returns.iter().map(|p| place_local(builder, bytes, p)).collect();
    }
    if frame.defined {
        frame.number = frames.queue.len();
        frames.queue.push(function.name.clone());
    }
    frames.known.insert(function.name.clone(), frame.clone());
    frame
}

fn function_body(
    builder: &mut Builder<'_>,
    frames: &mut Frames,
    functions: &HashMap<&str, &Function>,
    function: &Function,
) -> Result<(), Unsupported> {
    let body = function.body.as_ref().expect("only defined functions are queued");
    let mut frame = frames.known[&function.name].clone();
    builder.line = function.line;
    builder.scope.framed = frame.bytes.is_some();
    let first = (builder.program.r32, builder.program.r64, builder.program.preds);
    let below = builder.program.local_bytes as u32;
    declare(builder, function, &mut frame, body)?;
    let locals = below..builder.program.local_bytes as u32;
    let start = builder.program.code.len() as u32;
    let unread = assigned::unread(body);
    let undefined = assigned::maybe_undefined(body);
    for name in &undefined {
        let register = builder.scope.registers[name];
        builder.program.undefined.push((register.slot, register.index));
    }
    // A host function would be another compiler's business.
    let on_device = builder.symbols.layout.heap == crate::layout::DEVICE.heap;
    let contracted = if on_device { contract::contracted(body) } else { HashMap::new() };
    let settled = invariant::settle(builder, body, &undefined)?;
    // Where each PTX instruction begins; one may become several.
    let mut starts = Vec::with_capacity(body.instructions.len() + 1);
    let mut context = Context { frames, functions, unread, branches: Vec::new(), tables: Vec::new(), body };
    for (number, instruction) in body.instructions.iter().enumerate() {
        let first = builder.program.code.len();
        starts.push(first as u32);
        builder.line = instruction.line;
        builder.location = instruction.location;
        lower_instruction(builder, &mut context, contracted.get(&number).unwrap_or(instruction))?;
        if settled.contains(&number) {
            for inst in &mut builder.program.code[first..] {
                inst.action = Action::Nothing;
                inst.e = 0;
            }
        }
    }
    starts.push(builder.program.code.len() as u32);
    // Running off the end returns.
    builder.emit(Action::Return, Class::Control, 0, [0; 4]);
    let labels: HashMap<&str, usize> =
        body.labels.iter().map(|(name, index)| (name.as_str(), *index)).collect();
    let Context { branches, tables, .. } = context;
    for (at, label, line) in branches {
        let target = resolve(&labels, &starts, &label, line)?;
        builder.program.code[at].action = Action::Branch { target };
    }
    for (at, label, line) in tables {
        builder.program.branch_tables[at] = resolve(&labels, &starts, &label, line)?;
    }
    let end = builder.program.code.len() as u32;
    builder.program.functions.push(FunctionRange {
        name: function.name.clone(),
        start,
        end,
        parameters: frame.parameters,
        returns: frame.returns,
        frame_bytes: frame.bytes.map(|bytes| bytes as u32),
        locals,
        r32: first.0..builder.program.r32,
        r64: first.1..builder.program.r64,
        preds: first.2..builder.program.preds,
    });
    Ok(())
}

fn resolve(
    labels: &HashMap<&str, usize>,
    starts: &[u32],
    label: &str,
    line: u32,
) -> Result<u32, Unsupported> {
    labels
        .get(label)
        .map(|&index| starts[index])
        .ok_or_else(|| Unsupported { line, message: format!("the label `{label}` is missing") })
}

/// What decoding one function's instructions needs besides the builder.
pub(super) struct Context<'a> {
    pub frames: &'a mut Frames,
    pub functions: &'a HashMap<&'a str, &'a Function>,
    /// Registers that nothing reads: an atomic's result in one of them is dropped.
    pub unread: std::collections::HashSet<String>,
    /// Branches to be fixed up: instruction, label, PTX line.
    pub branches: Vec<(usize, String, u32)>,
    /// Branch table entries to be fixed up.
    pub tables: Vec<(usize, String, u32)>,
    pub body: &'a Body,
}

fn declare(
    builder: &mut Builder<'_>,
    function: &Function,
    frame: &mut Frame,
    body: &Body,
) -> Result<(), Unsupported> {
    for (name, ty) in &body.registers {
        let Some(slot) = slot_of(*ty) else {
            return builder.error(format!("the 128-bit register `{name}` is not supported"));
        };
        let register = builder.fresh(slot)?;
        builder.scope.registers.insert(name.clone(), register);
    }
    if function.entry {
        let offsets: Vec<usize> = builder.program.parameters.iter().map(|p| p.offset).collect();
        for (parameter, offset) in function.parameters.iter().zip(offsets) {
            builder.scope.variables.insert(parameter.name.clone(), (Space::Param, offset as u64));
        }
    } else {
        let places = frame.parameters.iter().chain(&frame.returns);
        for (variable, &(offset, _)) in function.parameters.iter().chain(&function.returns).zip(places) {
            builder.scope.variables.insert(variable.name.clone(), (Space::Local, u64::from(offset)));
        }
    }
    for variable in &body.variables {
        match variable.space {
            Space::Shared => {
                let offset = place_shared(builder, variable);
                builder.scope.variables.insert(variable.name.clone(), (Space::Shared, offset));
            }
            Space::Local | Space::Param => {
                let (offset, _) = place_local(builder, &mut frame.bytes, variable);
                builder.scope.variables.insert(variable.name.clone(), (Space::Local, u64::from(offset)));
            }
            Space::Global | Space::Const => {
                return builder.error(format!("the variable `{}` inside a function", variable.name));
            }
        }
    }
    Ok(())
}

fn lower_instruction(
    builder: &mut Builder<'_>,
    context: &mut Context<'_>,
    instruction: &Instruction,
) -> Result<(), Unsupported> {
    let first = builder.program.code.len();
    if !super::special::lower(builder, context, instruction)? {
        lower_row(builder, instruction)?;
    }
    if let Some((name, negated)) = &instruction.guard {
        let guard = builder.register(name)?;
        for inst in &mut builder.program.code[first..] {
            inst.guard = guard.index;
            inst.guard_negated = *negated;
        }
    }
    Ok(())
}

/// The spelling of an instruction as the table has it.
pub(super) fn spelling(instruction: &Instruction) -> String {
    let mut out = instruction.opcode.clone();
    for modifier in &instruction.modifiers {
        out.push('.');
        out.push_str(modifier);
    }
    out
}

fn lower_row(builder: &mut Builder<'_>, instruction: &Instruction) -> Result<(), Unsupported> {
    let spelling = spelling(instruction);
    let Some(row) = table::row(&spelling) else {
        return builder.error(format!("the simulator does not know the instruction `{spelling}`"));
    };
    let Some((destination, sources)) = instruction.operands.split_first() else {
        return builder.error(format!("`{spelling}` without operands"));
    };
    if sources.len() != row.ins.len() {
        return builder.error(format!("`{spelling}` with {} operands", instruction.operands.len()));
    }
    let mut columns = [0; 4];
    for (index, (operand, slot)) in sources.iter().zip(row.ins).enumerate() {
        columns[index] = builder.source(operand, *slot)?;
    }
    let (d, widen) = builder.destination(destination, row.out)?;
    builder.emit_compute(row, d, columns);
    if let Some(wide) = widen {
        builder.emit_row("~extend.u", wide, &[d]);
    }
    Ok(())
}

/// Whether blocks may see each other's effects in an order-dependent way: atomics whose result is used or
/// does not commute, and loads that wait for other blocks.
fn depends_on_order(program: &Program) -> bool {
    use crate::isa::{AtomicOp, AtomicType, Where};
    let shared = Where::In(Space::Shared);
    program.allocates()
        || program.code.iter().any(|inst| match inst.action {
            Action::Atomic { access, op, ty, quiet } if access.space != shared => {
                let commutes = !matches!(op, AtomicOp::Inc | AtomicOp::Dec | AtomicOp::Exch | AtomicOp::Cas)
                    && matches!(ty, AtomicType::U32 | AtomicType::S32 | AtomicType::U64 | AtomicType::S64);
                !quiet || !commutes
            }
            Action::Load(access) => {
                access.strong && matches!(access.space, Where::Generic | Where::In(Space::Global))
            }
            _ => false,
        })
}
