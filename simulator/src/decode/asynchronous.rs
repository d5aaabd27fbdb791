//! `cp.async`: copies from global to shared memory that a thread waits for later.
//!
//! They are carried out when issued, as a load and a store. A program that waits as it has to cannot tell the
//! difference; one that does not wait is right here and may be wrong on a GPU.

use super::inst::{Access, Action, Class, Where};
use super::lower::{Unsupported, spelling};
use super::operands::Builder;
use crate::exec::Slot;
use crate::ptx::ast::{Instruction, Operand, Space};

/// Decodes a copy, a commit or a wait.
pub(super) fn copy(builder: &mut Builder<'_>, instruction: &Instruction) -> Result<(), Unsupported> {
    let has = |word: &str| instruction.modifiers.iter().any(|modifier| modifier == word);
    if has("commit_group") || has("wait_group") || has("wait_all") {
        builder.emit(Action::Nothing, Class::Memory, 0, [0; 4]);
        return Ok(());
    }
    let operands = &instruction.operands;
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
    match size {
        None => {
            let load = access(Space::Global, words as u8, from_wide, from_offset, list);
            builder.emit(Action::Load(load), Class::Memory, data[0], [from, 0, 0, 0]);
        }
        Some(size) => {
            // Word by word, as far as it goes; zeros for the rest.
            let zero = builder.constant(Slot::R32, 0)?;
            for (word, &column) in data.iter().enumerate() {
                builder.emit_row("mov.b32", column, &[zero]);
                let limit = builder.constant(Slot::R32, 4 * word as u64)?;
                let guard = builder.fresh(Slot::Pred)?.index;
                builder.emit_row("setp.gt.u32", guard, &[size, limit]);
                let load = access(Space::Global, 1, from_wide, from_offset + 4 * word as i64, 0);
                builder.emit(Action::Load(load), Class::Memory, column, [from, 0, 0, 0]);
                builder.program.code.last_mut().expect("just emitted").guard = guard;
            }
        }
    }
    let store = access(Space::Shared, words as u8, to_wide, to_offset, list);
    builder.emit(Action::Store(store), Class::Memory, 0, [to, data[0], 0, 0]);
    Ok(())
}
