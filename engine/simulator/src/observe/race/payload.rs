//! Strong loads (`volatile`, relaxed) that take a value, and not look for a flag.
//!
//! Who polls a flag, or a word that holds flag and value at once, decides by what it reads: it may read at any time. A
//! load whose value only goes into sums and to global memory takes for granted that the value is there: another block
//! must have stored it before something that the loading thread has seen, with a fence between.

use crate::decode::{ACQUIRE, Access, Action, AtomicOp, Inst, Program, Where, asking_for_turns};
use crate::exec::{Slot, reachable};
use crate::isa::actions;
use crate::ptx::ast::Space;

type Register = (Slot, u16);

/// Whether each instruction is such a load.
pub(super) fn payloads(program: &Program) -> Vec<bool> {
    let is_payload = |(pc, inst): (usize, &Inst)| {
        let Action::Load(access) = inst.action else { return false };
        let looks = access.strong && inst.e & ACQUIRE == 0 && access.space != Where::In(Space::Shared);
        looks && !decides(program, (pc, inst), access)
    };
    program.code.iter().enumerate().map(is_payload).collect()
}

/// Strong loads of global memory that a loop repeats until they bring another value.
pub(super) fn polling(program: &Program) -> Vec<u32> {
    let loads = |pc: &u32| matches!(program.code[*pc as usize].action, Action::Load(access) if access.space != Where::In(Space::Shared));
    asking_for_turns(program).into_iter().filter(loads).collect()
}

/// Whether something is decided by what `load` brings, or it goes where that cannot be told.
fn decides(program: &Program, (at, load): (usize, &Inst), access: Access) -> bool {
    // A register may hold something else before.
    let later = reachable(program, at as u32);
    let mut reached = data(program, access, load.d);
    loop {
        let known = reached.len();
        for (pc, inst) in program.code.iter().enumerate().filter(|(pc, _)| later[*pc]) {
            let is = |slot, register| reached.contains(&(slot, register));
            if is(Slot::Pred, inst.guard) {
                return true;
            }
            let result = match inst.action {
                Action::Compute(_) => {
                    let Some(row) = program.rows.get(pc).copied().flatten() else { return true };
                    let mut sources = row.ins.iter().zip([inst.a, inst.b, inst.c, inst.e]);
                    let uses = sources.any(|(slot, register)| is(*slot, register));
                    if uses && row.out == Slot::Pred {
                        return true;
                    }
                    uses.then_some((row.out, inst.d))
                }
                Action::Shuffle { .. } => {
                    if [inst.b, inst.c].iter().any(|&lane| is(Slot::R32, lane)) {
                        return true;
                    }
                    is(Slot::R32, inst.a).then_some((Slot::R32, inst.d))
                }
                Action::Store(to) => {
                    let stored = data(program, to, inst.b).iter().any(|&(slot, register)| is(slot, register));
                    if address(inst, to, is) || stored && to.space != Where::In(Space::Global) {
                        return true;
                    }
                    None
                }
                Action::Atomic { access: to, op, .. } => {
                    let slot = if to.wide { Slot::R64 } else { Slot::R32 };
                    let used = is(slot, inst.b) || op == AtomicOp::Cas && is(slot, inst.c);
                    if address(inst, to, is) || used && matches!(op, AtomicOp::Cas | AtomicOp::Exch) {
                        return true;
                    }
                    None
                }
                Action::Load(from) if address(inst, from, is) => return true,
                Action::Load(_)
                | Action::Branch { .. }
                | Action::Call(_)
                | Action::GridBarrier
                | Action::Clock { .. }
                | Action::ActiveMask
                | actions!(ends | waits) => None,
                // A vote, a barrier's verdict, a jump table, the place in an image …
                Action::Texture(_)
                | Action::Surface(_)
                | Action::BranchTable { .. }
                | Action::Checked(..)
                | Action::IsSpace(_)
                | Action::ToGeneric { .. }
                | Action::FromGeneric { .. }
                | Action::Vote { .. }
                | Action::Match { .. }
                | Action::Reduce(_)
                | Action::Elect { .. }
                | Action::WarpBarrier
                | Action::Barrier { .. }
                | Action::BarrierReduce { .. } => {
                    let slots = [Slot::R32, Slot::R64, Slot::Pred];
                    let operands = [inst.a, inst.b, inst.c];
                    if operands.iter().any(|&operand| slots.iter().any(|&slot| is(slot, operand))) {
                        return true;
                    }
                    None
                }
            };
            if let Some(result) = result
                && !reached.contains(&result)
            {
                reached.push(result);
            }
        }
        if reached.len() == known {
            return false;
        }
    }
}

/// The registers that an access loads or stores.
pub(super) fn data(program: &Program, access: Access, scalar: u16) -> Vec<Register> {
    let slot = if access.wide { Slot::R64 } else { Slot::R32 };
    let list = access.list as usize;
    match access.vector {
        1 => vec![(slot, scalar)],
        count => program.lists[list..list + usize::from(count)].iter().map(|&r| (slot, r)).collect(),
    }
}

/// Whether the address of an access is among these registers.
pub(super) fn address(inst: &Inst, access: Access, is: impl Fn(Slot, u16) -> bool) -> bool {
    is(if access.wide_address { Slot::R64 } else { Slot::R32 }, inst.a)
}
