//! Decoding of extended-precision arithmetic, whose rows have the condition code as their fourth source.

use super::lower::{Unsupported, spelling};
use super::operands::Builder;
use crate::isa::table;
use crate::ptx::ast::Instruction;

/// Decodes the instruction if it is one of these.
pub(super) fn lower(builder: &mut Builder<'_>, instruction: &Instruction) -> Result<bool, Unsupported> {
    let carries = instruction.modifiers.iter().any(|word| word == "cc");
    let multiplies = match instruction.opcode.as_str() {
        "add" | "sub" if carries => false,
        "mad" if carries => true,
        "addc" | "subc" => false,
        "madc" => true,
        _ => return Ok(false),
    };
    let spelling = spelling(instruction);
    let Some(row) = table::row(&spelling) else {
        return builder.error(format!("the simulator does not know the instruction `{spelling}`"));
    };
    let sources = if multiplies { 3 } else { 2 };
    if instruction.operands.len() != sources + 1 {
        return builder.error(format!("`{spelling}` with another number of operands"));
    }
    let mut columns = [0; 4];
    for (column, operand) in columns.iter_mut().zip(&instruction.operands[1..]) {
        *column = builder.source(operand, row.out)?;
    }
    if !multiplies {
        columns[2] = builder.constant(row.out, 0)?;
    }
    columns[3] = builder.condition_code()?;
    let d = builder.destination(&instruction.operands[0], row.out)?.0;
    builder.emit_compute(row, d, columns);
    Ok(true)
}
