//! How many operands an instruction must have before its operands are looked at.

use super::lower::{Unsupported, spelling};
use super::operands::Builder;
use crate::ptx::ast::Instruction;

/// The fewest operands of an opcode whose decoding takes them by number.
fn fewest(instruction: &Instruction) -> usize {
    let has = |word: &str| instruction.modifiers.iter().any(|modifier| modifier == word);
    match instruction.opcode.as_str() {
        "bra" | "activemask" | "createpolicy" => 1,
        "ld" | "ldu" | "st" | "red" | "cvta" | "isspacep" | "vote" | "brx" | "elect" => 2,
        "atom" | "match" | "redux" => 3,
        "shfl" => 4,
        "bar" | "barrier" if has("red") => 3,
        "bar" | "barrier" if has("warp") => 1,
        _ => 0,
    }
}

/// An error if operands are missing: only text that no compiler made lacks them.
pub(super) fn check(builder: &Builder<'_>, instruction: &Instruction) -> Result<(), Unsupported> {
    let fewest = fewest(instruction);
    if instruction.operands.len() < fewest {
        let operands = if fewest == 1 { "operand" } else { "operands" };
        return builder.error(format!("`{}` needs {fewest} {operands}", spelling(instruction)));
    }
    Ok(())
}
