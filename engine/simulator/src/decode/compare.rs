//! Comparisons with two results or a value as the result, and `lop3` with a predicate: put together from
//! rows of the table.

use super::lower::{Unsupported, spelling};
use super::operands::Builder;
use super::warp_ops::destination_pair;
use crate::isa::Slot;
use crate::isa::table;
use crate::ptx::ast::{Instruction, Operand};

/// The parts of a comparison's spelling.
struct Parts {
    /// `setp.lt` or `setp.lt.ftz`, with the type compared: a row of the table.
    row: String,
    /// `and`, `or`, `xor` with a third predicate.
    combine: Option<String>,
    /// The type of `set`'s result.
    result: Option<String>,
}

/// Takes `setp.CMP{.BOOL}{.ftz}.TYPE` or `set.CMP{.BOOL}{.ftz}.RESULT.TYPE` apart.
fn parts(instruction: &Instruction) -> Option<Parts> {
    let mut words: Vec<&str> = instruction.modifiers.iter().map(String::as_str).collect();
    let ty = words.pop()?;
    let result = if instruction.opcode == "set" { Some(words.pop()?.to_owned()) } else { None };
    let combine = words.iter().position(|word| matches!(*word, "and" | "or" | "xor"));
    let combine = combine.map(|at| words.remove(at).to_owned());
    // Comparisons of the 16-bit types see subnormals as zero anyway only in value tests against them.
    Some(Parts { row: format!("setp.{}.{ty}", words.join(".")), combine, result })
}

/// Decodes `set`, and `setp` with two results; plain `setp` is left to the table (`false`).
pub(super) fn lower(builder: &mut Builder<'_>, instruction: &Instruction) -> Result<bool, Unsupported> {
    let pair = matches!(instruction.operands.first(), Some(Operand::Pair(..)));
    let packed = instruction.modifiers.last().is_some_and(|ty| ty.ends_with("x2"));
    if !pair && !packed && table::row(&spelling(instruction)).is_some() {
        return Ok(false);
    }
    let unknown = || format!("the simulator does not know the instruction `{}`", spelling(instruction));
    let Some(parts) = parts(instruction) else { return builder.error(unknown()) };
    let operands = &instruction.operands;
    if operands.len() < 3 || operands.len() > 4 || parts.combine.is_some() != (operands.len() == 4) {
        return builder.error(unknown());
    }
    let combiner = match operands.get(3) {
        Some(operand) => Some(builder.source(operand, Slot::Pred)?),
        None => None,
    };
    let [a, b] = [&operands[1], &operands[2]];
    if packed {
        return packed_compare(builder, instruction, &parts, combiner);
    }
    let Some(row) = table::row(&parts.row) else { return builder.error(unknown()) };
    let a = builder.source(a, row.ins[0])?;
    let b = builder.source(b, row.ins[1])?;
    let test = builder.fresh(Slot::Pred)?.index;
    builder.emit_compute(row, test, [a, b, 0, 0]);
    if let Some(result) = &parts.result {
        let test = combined(builder, &parts, test, combiner)?;
        let convert = match result.as_str() {
            "u32" | "s32" => "~set.u32",
            "f32" => "~set.f32",
            "f16" => "~set.f16",
            "bf16" => "~set.bf16",
            _ => return builder.error(unknown()),
        };
        let d = builder.destination(&operands[0], Slot::R32)?.0;
        builder.emit_row(convert, d, &[test]);
        return Ok(true);
    }
    let Operand::Pair(p, q) = &operands[0] else { return builder.error(unknown()) };
    let opposite = builder.fresh(Slot::Pred)?.index;
    builder.emit_row("not.pred", opposite, &[test]);
    let first = combined(builder, &parts, test, combiner)?;
    let second = combined(builder, &parts, opposite, combiner)?;
    two_results(builder, p, q, first, second)?;
    Ok(true)
}

fn combined(
    builder: &mut Builder<'_>,
    parts: &Parts,
    test: u16,
    with: Option<u16>,
) -> Result<u16, Unsupported> {
    let (Some(word), Some(with)) = (&parts.combine, with) else { return Ok(test) };
    let out = builder.fresh(Slot::Pred)?.index;
    builder.emit_row(&format!("{word}.pred"), out, &[test, with]);
    Ok(out)
}

fn two_results(
    builder: &mut Builder<'_>,
    p: &str,
    q: &str,
    first: u16,
    second: u16,
) -> Result<(), Unsupported> {
    for (name, value) in [(p, first), (q, second)] {
        let d = builder.destination(&Operand::Register(name.to_owned()), Slot::Pred)?.0;
        builder.emit_row("mov.pred", d, &[value]);
    }
    Ok(())
}

/// Pairs of 16-bit values are compared half by half.
fn packed_compare(
    builder: &mut Builder<'_>,
    instruction: &Instruction,
    parts: &Parts,
    combiner: Option<u16>,
) -> Result<bool, Unsupported> {
    let unknown = || format!("the simulator does not know the instruction `{}`", spelling(instruction));
    let operands = &instruction.operands;
    let Some(row) = parts.row.strip_suffix("x2").and_then(table::row) else {
        return builder.error(unknown());
    };
    let a = builder.source(&operands[1], Slot::R32)?;
    let b = builder.source(&operands[2], Slot::R32)?;
    let mut tests = [0; 2];
    for (test, half) in tests.iter_mut().zip(["~low.b32", "~high.b32"]) {
        let (x, y) = (builder.fresh(Slot::R32)?.index, builder.fresh(Slot::R32)?.index);
        builder.emit_row(half, x, &[a]);
        builder.emit_row(half, y, &[b]);
        let out = builder.fresh(Slot::Pred)?.index;
        builder.emit_compute(row, out, [x, y, 0, 0]);
        *test = combined(builder, parts, out, combiner)?;
    }
    match (&parts.result, &operands[0]) {
        (None, Operand::Pair(p, q)) => two_results(builder, p, q, tests[0], tests[1])?,
        (Some(result), target) => {
            // All ones a half, or 1.0 a half.
            let convert = match result.as_str() {
                "f16x2" => "~set.f16",
                "bf16x2" => "~set.bf16",
                "u16x2" | "s16x2" => "~set.u32",
                _ => return builder.error(unknown()),
            };
            let mut columns = [0; 2];
            for (column, test) in columns.iter_mut().zip(tests) {
                *column = builder.fresh(Slot::R32)?.index;
                builder.emit_row(convert, *column, &[test]);
            }
            let d = builder.destination(target, Slot::R32)?.0;
            builder.emit_row("~join.b32", d, &columns);
        }
        _ => return builder.error(unknown()),
    }
    Ok(true)
}

/// `lop3.or.b32 d|p, a, b, c, table, q`: `p` is whether `d` is not zero, combined with `q`.
pub(super) fn logic_with_predicate(
    builder: &mut Builder<'_>,
    instruction: &Instruction,
) -> Result<(), Unsupported> {
    let [target, a, b, c, logic, with] = &instruction.operands[..] else {
        return builder.error(format!("`{}` with another number of operands", spelling(instruction)));
    };
    let mut columns = [0; 4];
    for (column, operand) in columns.iter_mut().zip([a, b, c, logic]) {
        *column = builder.source(operand, Slot::R32)?;
    }
    let with = builder.source(with, Slot::Pred)?;
    let (d, predicate) = destination_pair(builder, target)?;
    let row = table::row("lop3.b32").expect("a row of the table");
    builder.emit_compute(row, d, columns);
    if let Some(predicate) = predicate {
        let test = builder.fresh(Slot::Pred)?.index;
        builder.emit_row("~nonzero", test, &[d]);
        let combine =
            if instruction.modifiers.iter().any(|word| word == "or") { "or.pred" } else { "and.pred" };
        builder.emit_row(combine, predicate, &[test, with]);
    }
    Ok(())
}
