//! Registers that hold one value for a whole launch (or block) become columns filled before it starts.
//!
//! Compilers begin every kernel with loads of parameters, moves of special registers and immediates, and
//! address conversions that change nothing. On a GPU most of these become operands in the constant bank. Here
//! they stay as instructions, so that counts and line numbers are the compiler's, but have nothing to do.

use std::collections::{HashMap, HashSet};

use super::assigned;
use super::lower::Unsupported;
use super::operands::{Builder, Register};
use super::program::{Preset, PresetSource};
use crate::isa::Slot;
use crate::ptx::ast::{AddressBase, Body, Instruction, Operand, Space};

/// Finds such registers of one function, lets their names mean the columns with their values, and returns the
/// numbers of the instructions that would have set them.
///
/// A register qualifies if a single unguarded instruction writes it, from something that never changes, and
/// nothing reads it before.
pub(super) fn settle(
    builder: &mut Builder<'_>,
    body: &Body,
    undefined: &[String],
) -> Result<HashSet<usize>, Unsupported> {
    let writes = assigned::write_counts(body);
    let mut settled: HashMap<&str, Register> = HashMap::new();
    let mut done = HashSet::new();
    for (number, instruction) in body.instructions.iter().enumerate() {
        let [Operand::Register(target), source] = &instruction.operands[..] else { continue };
        if instruction.guard.is_some()
            || writes.get(target.as_str()) != Some(&1)
            || undefined.contains(target)
        {
            continue;
        }
        let Some(&own) = builder.scope.registers.get(target) else { continue };
        builder.line = instruction.line;
        if let Some(index) = value(builder, &settled, instruction, source, own.slot)? {
            let column = Register { slot: own.slot, index };
            settled.insert(target, column);
            builder.scope.registers.insert(target.clone(), column);
            done.insert(number);
        }
    }
    Ok(done)
}

/// The column with the value that an instruction would give its target for good, if it is such a one.
fn value(
    builder: &mut Builder<'_>,
    settled: &HashMap<&str, Register>,
    instruction: &Instruction,
    source: &Operand,
    slot: Slot,
) -> Result<Option<u16>, Unsupported> {
    let words: Vec<&str> = instruction.modifiers.iter().map(String::as_str).collect();
    let same_width = |ty: &str| match slot {
        Slot::R32 => matches!(ty, "u32" | "s32" | "b32" | "f32"),
        Slot::R64 => matches!(ty, "u64" | "s64" | "b64" | "f64"),
        Slot::Pred => false,
    };
    let known =
        |name: &str| settled.get(name).filter(|column| column.slot == slot).map(|column| column.index);
    match (instruction.opcode.as_str(), &words[..], source) {
        ("mov", &[ty], Operand::Register(name)) if same_width(ty) => {
            if builder.scope.registers.contains_key(name) {
                return Ok(known(name));
            }
            // A special register, unless it is a clock, which the builder does not know as one.
            Ok(builder
                .register(name)
                .ok()
                .filter(|special| special.slot == slot)
                .map(|special| special.index))
        }
        // Where a variable of a frame lies differs from call to call.
        ("mov", _, Operand::Symbol { name, .. }) if builder.in_frame(name) => Ok(None),
        ("mov", &[ty], Operand::Integer(_) | Operand::Float { .. } | Operand::Symbol { .. })
            if same_width(ty) =>
        {
            builder.source(source, slot).map(Some)
        }
        // Global addresses are generic addresses already.
        ("cvta", &["to", "global", "u64"] | &["global", "u64"], Operand::Register(name)) => Ok(known(name)),
        (
            "ld",
            &[space @ ("param" | "const"), ty],
            Operand::Address { base: AddressBase::Symbol(name), offset },
        ) => {
            let Some((width, signed)) = super::memory_ops::width_of(ty) else { return Ok(None) };
            if (width == 8) != (slot == Slot::R64) || slot == Slot::Pred {
                return Ok(None);
            }
            let Some(source) = place(builder, space, name, *offset, u64::from(width)) else {
                return Ok(None);
            };
            let index = builder.fresh(slot)?.index;
            let line = instruction.line;
            builder.program.presets.push(Preset { slot, index, source, width, signed, line });
            Ok(Some(index))
        }
        _ => Ok(None),
    }
}

/// Where a parameter or constant lies, if the access is aligned and inside it.
fn place(builder: &Builder<'_>, space: &str, name: &str, offset: i64, width: u64) -> Option<PresetSource> {
    let offset = u64::try_from(offset).ok()?;
    if space == "const" {
        let size = *builder.constant_sizes.get(name)?;
        let address = builder.symbols.variables.get(name)?.checked_add(offset)?;
        return (offset.checked_add(width)? <= size && address.is_multiple_of(width))
            .then_some(PresetSource::Constant(address));
    }
    match builder.scope.variables.get(name) {
        Some(&(Space::Param, start)) if builder.scope.kernel => {
            let start = start.checked_add(offset)?;
            (start.checked_add(width)? <= builder.program.parameter_bytes as u64
                && start.is_multiple_of(width))
            .then_some(PresetSource::Parameter(start as usize))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use crate::decode::fixture;
    use crate::decode::{Action, Program};

    fn program(code: &str) -> std::sync::Arc<Program> {
        let text = format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n.const .align 4 .b8 c[8];\n\
             .visible .entry k(.param .u64 k_0, .param .u32 k_1)\n{{\n.reg .pred %p<3>;\n\
             .reg .b32 %r<6>;\n.reg .b64 %rd<6>;\n{code}\nret;\n}}\n"
        );
        fixture::program(&text)
    }

    /// Which instructions have nothing to do.
    fn idle(code: &str) -> Vec<usize> {
        let program = program(code);
        let nothing = |&(_, inst): &(usize, &crate::decode::Inst)| matches!(inst.action, Action::Nothing);
        program.code.iter().enumerate().filter(nothing).map(|(number, _)| number).collect()
    }

    #[test]
    fn what_never_changes_is_set_before() {
        let code = "ld.param.u64 %rd1, [k_0];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, %tid.x;\n\
                    ld.param.u32 %r2, [k_1];\nld.const.u32 %r3, [c+4];\nmov.u32 %r4, 7;\nadd.u32 %r5, %r1, %r2;";
        assert_eq!(idle(code), [0, 1, 2, 3, 4, 5]);
        assert_eq!(program(code).presets.len(), 3);
    }

    #[test]
    fn what_may_change_is_not() {
        // Written twice, written under a guard, read before, a clock, out of bounds, misaligned.
        assert_eq!(idle("mov.u32 %r1, 1;\nadd.u32 %r1, %r1, 1;\nmov.u32 %r2, %r1;"), Vec::<usize>::new());
        assert_eq!(idle("setp.eq.u32 %p1, 1, 2;\n@%p1 mov.u32 %r1, 1;"), Vec::<usize>::new());
        assert_eq!(idle("add.u32 %r2, %r1, 1;\nmov.u32 %r1, 1;"), Vec::<usize>::new());
        assert_eq!(idle("mov.u32 %r1, %clock;"), Vec::<usize>::new());
        assert_eq!(idle("ld.const.u32 %r1, [c+8];"), Vec::<usize>::new());
        assert_eq!(idle("ld.const.u32 %r1, [c+2];"), Vec::<usize>::new());
    }
}
