//! Decoding of moves that do more than move: registers split and joined, clocks.

use super::lower::Unsupported;
use super::operands::Builder;
use crate::isa::Slot;
use crate::isa::{Action, Class};
use crate::ptx::ast::{Instruction, Operand};

/// `mov` with a vector on one side, of a symbol, or of a clock; plain moves are in the table.
pub(super) fn mov(builder: &mut Builder<'_>, instruction: &Instruction) -> Result<bool, Unsupported> {
    let [to, from] = &instruction.operands[..] else { return Ok(false) };
    match (to, from) {
        (Operand::Vector(items), source) => split(builder, items, source)?,
        (target, Operand::Vector(items)) => join(builder, target, items)?,
        (target, Operand::Register(name))
            if name.starts_with("%clock") && name != "%clock_hi" && !name.starts_with("%clusterid")
                || name.starts_with("%globaltimer") && name != "%globaltimer_hi" =>
        {
            let wide = name == "%clock64" || name == "%globaltimer";
            let slot = if wide { Slot::R64 } else { Slot::R32 };
            let d = builder.destination(target, slot)?.0;
            builder.emit(Action::Clock { wide }, Class::Move, d, [0; 4]);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn split(builder: &mut Builder<'_>, items: &[Operand], source: &Operand) -> Result<(), Unsupported> {
    let wide = match source {
        Operand::Register(name) => builder.register(name)?.slot == Slot::R64,
        _ => true,
    };
    let from = builder.source(source, if wide { Slot::R64 } else { Slot::R32 })?;
    for (index, item) in items.iter().enumerate() {
        if *item == Operand::Sink || matches!(item, Operand::Register(name) if name == "_") {
            continue;
        }
        let d = builder.destination(item, Slot::R32)?.0;
        match (wide, items.len()) {
            (true, 2) => builder.emit_row(if index == 0 { "~low.b64" } else { "~high.b64" }, d, &[from]),
            (false, 2) => builder.emit_row(if index == 0 { "~low.b32" } else { "~high.b32" }, d, &[from]),
            (wide, 4) => {
                let number = builder.constant(Slot::R32, index as u64)?;
                builder.emit_row(if wide { "~half.b64" } else { "~byte.b32" }, d, &[from, number]);
            }
            _ => return builder.error("a `mov` that splits a register in this way"),
        }
    }
    Ok(())
}

fn join(builder: &mut Builder<'_>, target: &Operand, items: &[Operand]) -> Result<(), Unsupported> {
    let wide = match target {
        Operand::Register(name) => builder.register(name)?.slot == Slot::R64,
        _ => return builder.error("a `mov` to something that is no register"),
    };
    let mut columns = Vec::new();
    for item in items {
        columns.push(builder.source(item, Slot::R32)?);
    }
    let d = builder.destination(target, if wide { Slot::R64 } else { Slot::R32 })?.0;
    let spelling = match (wide, items.len()) {
        (true, 2) => "~join.b64",
        (false, 2) => "~join.b32",
        (true, 4) => "~join4.b64",
        (false, 4) => "~join4.b32",
        _ => return builder.error("a `mov` that joins registers in this way"),
    };
    builder.emit_row(spelling, d, &columns);
    Ok(())
}
