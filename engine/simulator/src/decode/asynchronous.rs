//! `cp.async`: copies from global to shared memory that a thread waits for later.
//!
//! Each becomes a load, when it is issued, and a store that lands at the wait that covers it, as late as a GPU may.

use super::lower::{Unsupported, spelling};
use super::memory_ops::ASYNCHRONOUS;
use super::operands::Builder;
use crate::isa::Slot;
use crate::isa::{Access, Action, AsyncStep, Class, Where};
use crate::ptx::ast::{Instruction, Operand, Space};

/// Decodes a copy, a commit or a wait.
pub(super) fn copy(builder: &mut Builder<'_>, instruction: &Instruction) -> Result<(), Unsupported> {
    let has = |word: &str| instruction.modifiers.iter().any(|modifier| modifier == word);
    let operands = &instruction.operands;
    let step = match operands.first() {
        _ if has("commit_group") => Some(AsyncStep::Commit),
        _ if has("wait_all") => Some(AsyncStep::WaitAll),
        Some(&Operand::Integer(keep)) if has("wait_group") => Some(AsyncStep::Wait { keep: keep as u32 }),
        _ => None,
    };
    if let Some(step) = step {
        builder.emit(Action::Asynchronous(step), Class::Memory, 0, [0; 4]);
        return Ok(());
    }
    let (Some(to), Some(from), Some(&Operand::Integer(bytes @ (4 | 8 | 16)))) =
        (operands.first(), operands.get(1), operands.get(2))
    else {
        return builder
            .error(format!("the simulator does not know the instruction `{}`", spelling(instruction)));
    };
    let words = bytes as u64 / 4;
    let (to, to_wide, to_offset) = builder.address(to)?;
    let (from, from_wide, from_offset) = builder.address(from)?;
    let mut data = Vec::new();
    for _ in 0..words {
        data.push(builder.fresh(Slot::R32)?.index);
    }
    let list = builder.program.lists.len() as u32;
    if words > 1 {
        builder.program.lists.extend(&data);
    }
    let access = |space, vector, wide_address, offset, list| Access {
        space: Where::In(space),
        width: 4,
        vector,
        signed: false,
        wide: false,
        wide_address,
        strong: false,
        offset,
        list,
    };
    // The fourth operand may be a cache policy; it is the number of bytes to copy if it is 32-bit.
    let size = match operands.get(3) {
        Some(operand @ Operand::Register(name)) if builder.register(name)?.slot == Slot::R32 => {
            Some(builder.source(operand, Slot::R32)?)
        }
        Some(Operand::Register(name)) if builder.register(name)?.slot == Slot::Pred => {
            return builder.error(format!("`{}` with a predicate", spelling(instruction)));
        }
        Some(operand @ Operand::Integer(_)) => Some(builder.source(operand, Slot::R32)?),
        _ => None,
    };
    let load = access(Space::Global, words as u8, from_wide, from_offset, list);
    let place = Place { base: from, offset: from_offset };
    match size {
        None => builder.emit(Action::Load(load), Class::Memory, data[0], [from, 0, 0, 0]),
        Some(size) => some_bytes(builder, load, &place, &data, size)?,
    }
    let store = access(Space::Shared, words as u8, to_wide, to_offset, list);
    builder.emit(Action::Store(store), Class::Part, 0, [to, data[0], 0, ASYNCHRONOUS]);
    Ok(())
}

/// Where a copy reads.
struct Place {
    base: u16,
    offset: i64,
}

/// Loads the first `size` bytes, and zeros for the rest: lanes that ask for all of them by one request, as a copy
/// without a size does, the others byte by byte.
fn some_bytes(
    builder: &mut Builder<'_>,
    all: Access,
    place: &Place,
    data: &[u16],
    size: u16,
) -> Result<(), Unsupported> {
    let part = |builder: &mut Builder<'_>, row: &str, to: u16, sources: &[u16]| {
        builder.emit_row(row, to, sources);
        builder.program.code.last_mut().expect("just emitted").class = Class::Part;
    };
    let guarded = |builder: &mut Builder<'_>, access, class, to, guard| {
        builder.emit(Action::Load(access), class, to, [place.base, 0, 0, 0]);
        builder.program.code.last_mut().expect("just emitted").guard = guard;
    };
    let zero = builder.constant(Slot::R32, 0)?;
    for &column in data {
        part(builder, "mov.b32", column, &[zero]);
    }
    let bytes = builder.constant(Slot::R32, 4 * data.len() as u64)?;
    let (full, more) = (builder.fresh(Slot::Pred)?.index, builder.fresh(Slot::Pred)?.index);
    let (rest, byte) = (builder.fresh(Slot::R32)?.index, builder.fresh(Slot::R32)?.index);
    part(builder, "setp.ge.u32", full, &[size, bytes]);
    guarded(builder, all, Class::Memory, data[0], full);
    part(builder, "selp.b32", rest, &[zero, size, full]);
    for index in 0..4 * data.len() {
        let (word, shift) = (data[index / 4], builder.constant(Slot::R32, 8 * (index as u64 % 4))?);
        let before = builder.constant(Slot::R32, index as u64)?;
        part(builder, "setp.gt.u32", more, &[rest, before]);
        part(builder, "mov.b32", byte, &[zero]);
        let one = Access { width: 1, vector: 1, offset: place.offset + index as i64, list: 0, ..all };
        guarded(builder, one, Class::Part, byte, more);
        part(builder, "shl.b32", byte, &[byte, shift]);
        part(builder, "or.b32", word, &[word, byte]);
    }
    Ok(())
}
