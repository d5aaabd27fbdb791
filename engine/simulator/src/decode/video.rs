//! Decoding of video instructions: which variant one is becomes a constant in its fourth operand.

use super::lower::{Unsupported, spelling};
use super::operands::Builder;
use crate::isa::video::Plan;
use crate::isa::{Slot, table};
use crate::ptx::ast::{Instruction, Operand};

/// Decodes `vadd`, `vsub2`, `vabsdiff4.add`, `vmad`, `vset` …; `false` if it is none of them.
pub(super) fn lower_video(builder: &mut Builder<'_>, instruction: &Instruction) -> Result<bool, Unsupported> {
    let opcode = instruction.opcode.as_str();
    let (name, elements) = match opcode.strip_suffix(['2', '4']) {
        Some(name) => (name, if opcode.ends_with('2') { 2 } else { 4 }),
        None => (opcode, 1),
    };
    let words: Vec<&str> = instruction.modifiers.iter().map(String::as_str).collect();
    let has = |word: &str| words.contains(&word);
    let comparisons = ["lt", "le", "gt", "ge", "eq", "ne"];
    let comparison = comparisons.iter().position(|word| has(word)).unwrap_or(0) as u32;
    let operation = match name {
        "vadd" => 0,
        "vsub" => 1,
        "vabsdiff" => 2,
        "vmin" => 3,
        "vmax" => 4,
        "vshl" => 5,
        "vshr" => 6,
        "vmad" => 7,
        "vset" => 8 + comparison,
        _ => return Ok(false),
    };
    let types: Vec<bool> =
        words.iter().filter(|word| matches!(**word, "u32" | "s32")).map(|word| *word == "s32").collect();
    let operands = &instruction.operands;
    let unknown = || format!("the simulator does not know the instruction `{}`", spelling(instruction));
    // `vset` names no type of the result.
    let (result_signed, a_signed, b_signed) = match types[..] {
        [d, a, b] => (d, a, b),
        [a, b] => (false, a, b),
        _ => return builder.error(unknown()),
    };
    if operands.len() < 3 {
        return builder.error(unknown());
    }
    let (a_text, a_part) = split(&operands[1]);
    let (b_text, b_part) = split(&operands[2]);
    let negate = match () {
        () if has("po") => 3,
        () if matches!(operands[1], Operand::Negated(_)) => 1,
        () if matches!(operands.get(3), Some(Operand::Negated(_))) => 2,
        () => 0,
    };
    let (_, d_part) = split(&operands[0]);
    if d_part != 0 || negate != 0 && negate != 3 {
        return builder.error(unknown());
    }
    let accumulates = elements == 1 && operands.len() > 3;
    let second = match () {
        () if operation == 7 => 0,
        () if has("add") => 1,
        () if accumulates && has("min") => 2,
        () if accumulates && has("max") => 3,
        () => 0,
    };
    let plan = Plan {
        operation,
        elements,
        result_signed,
        a_signed,
        b_signed,
        saturate: has("sat"),
        wrap: has("wrap"),
        second,
        a_part,
        b_part,
        scale: if has("shr7") {
            7
        } else if has("shr15") {
            15
        } else {
            0
        },
        negate,
    };
    let a = builder.source(&a_text, Slot::R32)?;
    let b = builder.source(&b_text, Slot::R32)?;
    let c = match operands.get(3) {
        Some(operand) => builder.source(operand, Slot::R32)?,
        None => builder.constant(Slot::R32, 0)?,
    };
    let plan = builder.constant(Slot::R32, u64::from(plan.pack()))?;
    let d = builder.destination(&operands[0], Slot::R32)?.0;
    let row = table::row("~video").expect("the row stands above");
    builder.emit_compute(row, d, [a, b, c, plan]);
    Ok(true)
}

/// `%r1.b2` as the register and the number of its part.
fn split(operand: &Operand) -> (Operand, u32) {
    if let Operand::Register(name) = operand
        && let Some((register, part)) = name.rsplit_once('.')
    {
        let number = match part {
            "b0" => 1,
            "b1" => 2,
            "b2" => 3,
            "b3" => 4,
            "h0" => 5,
            "h1" => 6,
            _ => return (operand.clone(), 0),
        };
        return (Operand::Register(register.to_owned()), number);
    }
    (operand.clone(), 0)
}
