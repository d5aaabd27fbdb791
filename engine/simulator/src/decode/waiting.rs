//! Loops that wait for another thread: they ask for a value that others may change, and go on or end by it.

use super::{Action, Program, Where};
use crate::isa::{AtomicOp, Inst, Row, Slot, Successor};
use crate::ptx::ast::Space;

/// First and last instruction of the innermost loop around `pc`.
fn innermost(program: &Program, pc: u32) -> Option<(u32, u32)> {
    let back = |(at, target): &(u32, u32)| *target <= pc && pc <= *at;
    let jumps = program.code.iter().enumerate().filter_map(|(at, inst)| match inst.action.successor() {
        Successor::Jump(target) => Some((at as u32, target)),
        _ => None,
    });
    jumps.filter(back).min_by_key(|(at, target)| at - target).map(|(last, first)| (first, last))
}

/// Whether an instruction asks for a value in global memory that others may change meanwhile: with an atomic whose old value is
/// used, or a `volatile` load.
pub(crate) fn asks_others(inst: &Inst) -> bool {
    match inst.action {
        Action::Load(access) => access.strong && access.space != Where::In(Space::Shared),
        Action::Atomic { access, quiet, .. } => !quiet && access.space != Where::In(Space::Shared),
        _ => false,
    }
}

/// Whether an instruction asks for a word that threads pass to each other: in shared memory not by an addition, which counts, but by a
/// `volatile` load or as a lock is taken.
fn asks_for_a_turn(inst: &Inst) -> bool {
    match inst.action {
        Action::Load(access) => access.strong,
        Action::Atomic { access, op, quiet, .. } => {
            !quiet && (takes(op) || access.space != Where::In(Space::Shared))
        }
        _ => false,
    }
}

/// Instructions that are looked at: each is looked for a loop around it, in the whole kernel.
const MOST_ASKING: usize = 256;

/// The instructions that ask for a word again and again, in a loop that goes on or ends by its value: for a lock, or for a turn.
pub(crate) fn asking_for_turns(program: &Program) -> Vec<u32> {
    let asking = (0_u32..).zip(&program.code).filter(|(_, inst)| asks_for_a_turn(inst)).map(|(pc, _)| pc);
    asking.take(MOST_ASKING).filter(|pc| decides(program, *pc)).collect()
}

/// The jumps back of loops that take a lock or look at a word again and again. Who draws numbers does not wait.
pub(super) fn jumps_back(program: &Program) -> Vec<u32> {
    let draws = |pc: &u32| {
        let action = program.code[*pc as usize].action;
        matches!(action, Action::Atomic { op, .. } if !takes(op))
    };
    let asking = asking_for_turns(program).into_iter().filter(|pc| !draws(pc));
    let mut jumps: Vec<u32> = asking.filter_map(|pc| Some(innermost(program, pc)?.1)).collect();
    jumps.sort_unstable();
    jumps.dedup();
    jumps
}

/// Whether an atomic may take a lock.
fn takes(op: AtomicOp) -> bool {
    matches!(op, AtomicOp::Cas | AtomicOp::Exch | AtomicOp::And | AtomicOp::Or)
}

/// Whether the innermost loop around the instruction at `pc` goes on or ends by its result.
fn decides(program: &Program, pc: u32) -> bool {
    loop_decides(program, pc, |inst| std::ptr::eq(inst, &raw const program.code[pc as usize]))
}

/// Whether the innermost loop around `pc` asks, again and again, for a value that others may change, and goes on or ends by it.
pub(crate) fn waits_for_others(program: &Program, pc: u32) -> bool {
    loop_decides(program, pc, asks_others)
}

/// Whether the innermost loop around `pc` goes on or ends by the result of an instruction that `asks`.
fn loop_decides(program: &Program, pc: u32, asks: impl Fn(&Inst) -> bool) -> bool {
    let Some((first, last)) = innermost(program, pc) else { return false };
    let range = first as usize..=last as usize;
    let body = || program.code[range.clone()].iter().zip(&program.rows[range.clone()]);
    if !body().any(|(inst, _)| asks(inst)) {
        return false;
    }
    // Registers whose values come from there. What a turn of the loop computes, the next one uses.
    let mut known: Vec<(Slot, u16)> = Vec::new();
    loop {
        let before = known.len();
        for (inst, row) in body() {
            for register in from_others(program, inst, *row, &known, &asks) {
                if !known.contains(&register) {
                    known.push(register);
                }
            }
        }
        if known.len() == before {
            break;
        }
    }
    let by_it =
        |inst: &Inst| inst.action.successor() != Successor::Next && known.contains(&(Slot::Pred, inst.guard));
    body().any(|(inst, _)| by_it(inst) || matches!(inst.action, Action::Call(_)))
}

/// The registers that an instruction gives values that come from others, as those in `known` do.
fn from_others(
    program: &Program,
    inst: &Inst,
    row: Option<&Row>,
    known: &[(Slot, u16)],
    asks: &impl Fn(&Inst) -> bool,
) -> Vec<(Slot, u16)> {
    match (inst.action, row) {
        (Action::Load(access) | Action::Atomic { access, .. }, _) if asks(inst) => {
            let slot = if access.wide { Slot::R64 } else { Slot::R32 };
            let listed = access.list as usize..access.list as usize + usize::from(access.vector);
            let loaded = if access.vector == 1 { &[inst.d][..] } else { &program.lists[listed] };
            loaded.iter().map(|register| (slot, *register)).collect()
        }
        (Action::Compute(_), Some(row)) => {
            let mut sources = row.ins.iter().copied().zip([inst.a, inst.b, inst.c, inst.e]);
            let any = sources.any(|source| known.contains(&source));
            if any { vec![(row.out, inst.d)] } else { Vec::new() }
        }
        // What lanes tell each other may come from there, too.
        (Action::Vote { .. } | Action::Shuffle { .. } | Action::Match { .. } | Action::Reduce(_), _) => {
            vec![(Slot::R32, inst.d), (Slot::Pred, inst.d)]
        }
        _ => Vec::new(),
    }
}

/// Whether the innermost loop around `pc` asks for a value in shared memory that others may change.
pub(crate) fn waits_in_the_block(program: &Program, pc: u32) -> bool {
    let Some((first, last)) = innermost(program, pc) else { return false };
    program.code[first as usize..=last as usize].iter().any(|inst| match inst.action {
        Action::Load(access) => access.strong && access.space == Where::In(Space::Shared),
        Action::Atomic { access, op, quiet, .. } => {
            !quiet && takes(op) && access.space == Where::In(Space::Shared)
        }
        _ => false,
    })
}
