//! Decoding of what lanes of a warp do together: shuffles, votes, matches, reductions.

use super::lower::{Unsupported, spelling};
use super::operands::Builder;
use crate::isa::Slot;
use crate::isa::{Action, Class, ReduceOp, ShuffleMode, VoteMode};
use crate::ptx::ast::{Instruction, Operand};

/// Splits a `d|p` destination.
pub(super) fn destination_pair(
    builder: &mut Builder<'_>,
    operand: &Operand,
) -> Result<(u16, Option<u16>), Unsupported> {
    match operand {
        Operand::Pair(value, predicate) => {
            let d = builder.destination(&Operand::Register(value.clone()), Slot::R32)?.0;
            let p = builder.destination(&Operand::Register(predicate.clone()), Slot::Pred)?.0;
            Ok((d, Some(p)))
        }
        single => Ok((builder.destination(single, Slot::R32)?.0, None)),
    }
}

pub(super) fn shuffle(builder: &mut Builder<'_>, instruction: &Instruction) -> Result<(), Unsupported> {
    let mode = match instruction.modifiers.iter().map(String::as_str).find(|word| *word != "sync") {
        Some("up") => ShuffleMode::Up,
        Some("down") => ShuffleMode::Down,
        Some("bfly") => ShuffleMode::Bfly,
        Some("idx") => ShuffleMode::Idx,
        _ => return builder.error("a shuffle without a mode"),
    };
    let operands = &instruction.operands;
    let (d, predicate) = destination_pair(builder, &operands[0])?;
    let a = builder.source(&operands[1], Slot::R32)?;
    let b = builder.source(&operands[2], Slot::R32)?;
    let c = builder.source(&operands[3], Slot::R32)?;
    let e = match operands.get(4) {
        Some(members) => builder.source(members, Slot::R32)?,
        None => builder.constant(Slot::R32, u64::from(u32::MAX))?,
    };
    builder.emit(Action::Shuffle { mode, predicate }, Class::Warp, d, [a, b, c, e]);
    Ok(())
}

pub(super) fn vote(builder: &mut Builder<'_>, instruction: &Instruction) -> Result<(), Unsupported> {
    let has = |word: &str| instruction.modifiers.iter().any(|modifier| modifier == word);
    let mode = match () {
        () if has("ballot") => VoteMode::Ballot,
        () if has("all") => VoteMode::All,
        () if has("any") => VoteMode::Any,
        () => VoteMode::Uni,
    };
    let slot = if mode == VoteMode::Ballot { Slot::R32 } else { Slot::Pred };
    let operands = &instruction.operands;
    let d = builder.destination(&operands[0], slot)?.0;
    let (a, negated) = match &operands[1] {
        Operand::Negated(name) => (builder.register(name)?.index, true),
        other => (builder.source(other, Slot::Pred)?, false),
    };
    let b = match operands.get(2) {
        Some(members) => builder.source(members, Slot::R32)?,
        None => builder.constant(Slot::R32, u64::from(u32::MAX))?,
    };
    builder.emit(Action::Vote { mode, negated }, Class::Warp, d, [a, b, 0, 0]);
    Ok(())
}

pub(super) fn lane_match(builder: &mut Builder<'_>, instruction: &Instruction) -> Result<(), Unsupported> {
    let all = instruction.modifiers.iter().any(|modifier| modifier == "all");
    let wide = instruction.modifiers.iter().any(|modifier| modifier == "b64");
    let operands = &instruction.operands;
    let (d, predicate) = destination_pair(builder, &operands[0])?;
    let a = builder.source(&operands[1], if wide { Slot::R64 } else { Slot::R32 })?;
    let b = builder.source(&operands[2], Slot::R32)?;
    builder.emit(Action::Match { all, wide, predicate }, Class::Match, d, [a, b, 0, 0]);
    Ok(())
}

pub(super) fn reduce(builder: &mut Builder<'_>, instruction: &Instruction) -> Result<(), Unsupported> {
    let words: Vec<&str> =
        instruction.modifiers.iter().map(String::as_str).filter(|word| *word != "sync").collect();
    let op = match words[..] {
        ["add", "u32" | "s32"] => ReduceOp::Add,
        ["min", "u32"] => ReduceOp::MinU,
        ["max", "u32"] => ReduceOp::MaxU,
        ["min", "s32"] => ReduceOp::MinS,
        ["max", "s32"] => ReduceOp::MaxS,
        ["and", "b32"] => ReduceOp::And,
        ["or", "b32"] => ReduceOp::Or,
        ["xor", "b32"] => ReduceOp::Xor,
        _ => {
            return builder
                .error(format!("the simulator does not know the instruction `{}`", spelling(instruction)));
        }
    };
    let operands = &instruction.operands;
    let d = builder.destination(&operands[0], Slot::R32)?.0;
    let a = builder.source(&operands[1], Slot::R32)?;
    let b = builder.source(&operands[2], Slot::R32)?;
    builder.emit(Action::Reduce(op), Class::Warp, d, [a, b, 0, 0]);
    Ok(())
}

/// `elect.sync leader|predicate, members;`
pub(super) fn elect(builder: &mut Builder<'_>, instruction: &Instruction) -> Result<(), Unsupported> {
    let Some(Operand::Pair(leader, predicate)) = instruction.operands.first() else {
        return builder.error("`elect.sync` without a pair of results");
    };
    let pair = Operand::Pair(leader.clone(), predicate.clone());
    let (d, predicate) = destination_pair(builder, &pair)?;
    let b = builder.source(&instruction.operands[1], Slot::R32)?;
    let predicate = predicate.expect("a pair has two parts");
    builder.emit(Action::Elect { predicate }, Class::Warp, d, [0, b, 0, 0]);
    Ok(())
}
