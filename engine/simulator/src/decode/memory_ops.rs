//! Decoding of loads, stores and atomics.

use super::lower::{Context, Unsupported, spelling};
use super::operands::Builder;
use crate::isa::Slot;
use crate::isa::{Access, Action, AtomicOp, AtomicType, Class, Where};
use crate::ptx::ast::{Instruction, Operand, Space};

/// In [`super::Inst::e`] of a memory instruction: it acquires.
pub(crate) const ACQUIRE: u16 = 1;
/// In [`super::Inst::e`] of a memory instruction: it releases.
pub(crate) const RELEASE: u16 = 2;
/// A load from memory that nothing writes during the launch (`ld.global.nc`).
pub(crate) const READ_ONLY: u16 = 4;
/// A store of `cp.async`, which lands later.
pub(crate) const ASYNCHRONOUS: u16 = 8;
/// An atomic only among the threads of a block.
pub(crate) const BLOCK_SCOPE: u16 = 16;

/// The modifiers of a memory instruction.
#[derive(Debug, Default)]
struct Modifiers<'a> {
    space: Option<Space>,
    vector: u8,
    strong: bool,
    /// [`ACQUIRE`] and [`RELEASE`], as the instruction's `e` operand.
    ordering: u16,
    types: Vec<&'a str>,
    words: Vec<&'a str>,
}

/// Splits modifiers into space, vector, ordering, types and the remaining words; cache hints are dropped.
fn modifiers(instruction: &Instruction) -> Modifiers<'_> {
    let mut out = Modifiers { vector: 1, ..Modifiers::default() };
    for modifier in &instruction.modifiers {
        match modifier.as_str() {
            "global" => out.space = Some(Space::Global),
            "const" => out.space = Some(Space::Const),
            "shared" | "shared::cta" => out.space = Some(Space::Shared),
            "local" => out.space = Some(Space::Local),
            "param" | "param::entry" | "param::func" => out.space = Some(Space::Param),
            "volatile" | "relaxed" | "acquire" | "release" | "acq_rel" | "mmio" => {
                out.strong = true;
                out.ordering |= match modifier.as_str() {
                    "acquire" => ACQUIRE,
                    "release" => RELEASE,
                    "acq_rel" => ACQUIRE | RELEASE,
                    _ => 0,
                };
            }
            "nc" => out.ordering |= READ_ONLY,
            "cta" => out.ordering |= BLOCK_SCOPE,
            "weak" | "cluster" | "gpu" | "sys" | "ca" | "cg" | "cs" | "lu" | "cv" | "wb" | "wt" | "noftz" => {
            }
            "v2" => out.vector = 2,
            "v4" => out.vector = 4,
            "v8" => out.vector = 8,
            word if word.starts_with("L1::") || word.starts_with("L2::") || word == "level::cache_hint" => {}
            word if width_of(word).is_some() => out.types.push(word),
            word => out.words.push(word),
        }
    }
    out
}

/// Bytes of a type, whether loads extend its sign, and whether its register is 64-bit.
pub(super) fn width_of(ty: &str) -> Option<(u8, bool)> {
    Some(match ty {
        "b8" | "u8" => (1, false),
        "s8" => (1, true),
        "b16" | "u16" | "f16" | "bf16" => (2, false),
        "s16" => (2, true),
        "b32" | "u32" | "f32" | "f16x2" | "bf16x2" => (4, false),
        "s32" => (4, true),
        "b64" | "u64" | "s64" | "f64" => (8, false),
        _ => return None,
    })
}

/// `ld`, `ldu`, `st`.
pub(super) fn load_store(
    builder: &mut Builder<'_>,
    instruction: &Instruction,
    store: bool,
) -> Result<(), Unsupported> {
    let parts = modifiers(instruction);
    let unknown = || format!("the simulator does not know the instruction `{}`", spelling(instruction));
    let [ty] = parts.types[..] else { return builder.error(unknown()) };
    if !parts.words.is_empty() || instruction.operands.len() < 2 {
        return builder.error(unknown());
    }
    let (width, signed) = width_of(ty).expect("only types are collected");
    // In a function, parameters live in local memory like its other variables.
    let space = match parts.space {
        None => Where::Generic,
        Some(Space::Param) if !builder.scope.kernel => Where::In(Space::Local),
        Some(Space::Param) if names_call_parameter(builder, instruction, store) => Where::In(Space::Local),
        Some(space) => Where::In(space),
    };
    let (address, data) = if store { (0, 1) } else { (1, 0) };
    let (base, wide_address, offset) = builder.address(&instruction.operands[address])?;
    let items = match &instruction.operands[data] {
        Operand::Vector(items) => items.as_slice(),
        single => std::slice::from_ref(single),
    };
    if items.len() != usize::from(parts.vector) {
        return builder.error(unknown());
    }
    let natural = if width == 8 { Slot::R64 } else { Slot::R32 };
    let mut columns = Vec::new();
    let mut wide = natural == Slot::R64;
    for item in items {
        let slot = match item {
            Operand::Register(name) if name != "_" => builder.register(name)?.slot,
            _ => natural,
        };
        wide = slot == Slot::R64;
        columns.push(if store { builder.source(item, slot)? } else { builder.destination(item, slot)?.0 });
    }
    let list = builder.program.lists.len() as u32;
    if columns.len() > 1 {
        builder.program.lists.extend(&columns);
    }
    let access = Access {
        space,
        width,
        vector: parts.vector,
        signed,
        wide,
        wide_address,
        strong: parts.strong,
        offset,
        list,
    };
    if store {
        builder.emit(Action::Store(access), Class::Memory, 0, [base, columns[0], 0, parts.ordering]);
    } else {
        builder.emit(Action::Load(access), Class::Memory, columns[0], [base, 0, 0, parts.ordering]);
    }
    Ok(())
}

/// Whether a kernel's `.param` access names a variable of a call sequence rather than a kernel parameter.
fn names_call_parameter(builder: &Builder<'_>, instruction: &Instruction, store: bool) -> bool {
    use crate::ptx::ast::AddressBase;
    let (Operand::Address { base: AddressBase::Symbol(name), .. } | Operand::Symbol { name, .. }) =
        &instruction.operands[usize::from(!store)]
    else {
        return false;
    };
    builder.scope.variables.get(name).is_some_and(|(space, _)| *space == Space::Local)
}

/// `atom` and `red`.
pub(super) fn atomic(
    builder: &mut Builder<'_>,
    context: &Context<'_>,
    instruction: &Instruction,
    with_result: bool,
) -> Result<(), Unsupported> {
    let parts = modifiers(instruction);
    let unknown = || format!("the simulator does not know the instruction `{}`", spelling(instruction));
    let ([ty], [word]) = (&parts.types[..], &parts.words[..]) else { return builder.error(unknown()) };
    let op = match *word {
        "add" => AtomicOp::Add,
        "min" => AtomicOp::Min,
        "max" => AtomicOp::Max,
        "and" => AtomicOp::And,
        "or" => AtomicOp::Or,
        "xor" => AtomicOp::Xor,
        "inc" => AtomicOp::Inc,
        "dec" => AtomicOp::Dec,
        "exch" => AtomicOp::Exch,
        "cas" => AtomicOp::Cas,
        _ => return builder.error(unknown()),
    };
    let ty = match *ty {
        "u32" | "b32" => AtomicType::U32,
        "s32" => AtomicType::S32,
        "u64" | "b64" => AtomicType::U64,
        "s64" => AtomicType::S64,
        "f32" => AtomicType::F32,
        "f64" => AtomicType::F64,
        "b16" | "u16" if matches!(op, AtomicOp::Cas | AtomicOp::Exch) => AtomicType::B16,
        "f16" if op == AtomicOp::Add => AtomicType::F16,
        "bf16" if op == AtomicOp::Add => AtomicType::Bf16,
        "f16x2" if op == AtomicOp::Add => AtomicType::F16x2,
        "bf16x2" if op == AtomicOp::Add => AtomicType::Bf16x2,
        _ => return builder.error(unknown()),
    };
    let width = ty.bytes() as u8;
    let slot = if width == 8 { Slot::R64 } else { Slot::R32 };
    let operands = &instruction.operands;
    let first = usize::from(with_result);
    if operands.len() < first + 2 {
        return builder.error(unknown());
    }
    let (base, wide_address, offset) = builder.address(&operands[first])?;
    let elements = |operand: &Operand| match operand {
        Operand::Vector(items) => items.clone(),
        single => vec![single.clone()],
    };
    let values = elements(&operands[first + 1]);
    let targets = if with_result { elements(&operands[0]) } else { vec![Operand::Sink; values.len()] };
    if values.len() != usize::from(parts.vector) || targets.len() != values.len() {
        return builder.error(unknown());
    }
    // A vector is as many atomics, one after another: PTX promises no more.
    for (number, (target, value)) in targets.iter().zip(&values).enumerate() {
        let value = builder.source(value, slot)?;
        let swap = match operands.get(first + 2) {
            Some(operand) if op == AtomicOp::Cas => builder.source(operand, slot)?,
            _ => 0,
        };
        let quiet = match target {
            Operand::Sink => true,
            Operand::Register(name) => name == "_" || context.unread.contains(name),
            _ => false,
        };
        let d = if with_result { builder.destination(target, slot)?.0 } else { 0 };
        let access = Access {
            space: parts.space.map_or(Where::Generic, Where::In),
            width,
            vector: 1,
            signed: false,
            wide: slot == Slot::R64,
            wide_address,
            strong: parts.strong,
            offset: offset + i64::from(width) * number as i64,
            list: 0,
        };
        builder.emit(
            Action::Atomic { access, op, ty, quiet },
            Class::Memory,
            d,
            [base, value, swap, parts.ordering],
        );
    }
    Ok(())
}
