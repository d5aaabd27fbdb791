//! Warp-level operations: lanes wait until all members of the group they name have come.
//!
//! As the PTX manual has it, members meet by operation and member mask, not by place: lanes in the two arms
//! of a branch meet if both execute, say, `shfl.sync.bfly` with the same mask. `__syncwarp` in both arms is
//! the usual case.

use super::fault::{Fault, FaultKind};
use super::lanes;
use super::run::{Next, fault, isolate};
use super::warp::{Path, Wait, Warp};
use crate::decode::{Action, Inst, SCRATCH};
use crate::observe::Observer;

/// Whether two instructions are the same operation with the same qualifiers.
fn same_operation(a: &Action, b: &Action) -> bool {
    match (a, b) {
        (Action::Shuffle { mode: x, .. }, Action::Shuffle { mode: y, .. }) => x == y,
        (Action::Vote { mode: x, .. }, Action::Vote { mode: y, .. }) => x == y,
        (Action::Match { all: x, wide: v, .. }, Action::Match { all: y, wide: w, .. }) => (x, v) == (y, w),
        (Action::Reduce(x), Action::Reduce(y)) => x == y,
        (Action::WarpBarrier, Action::WarpBarrier) | (Action::Elect { .. }, Action::Elect { .. }) => true,
        _ => false,
    }
}

/// Lets `active` lanes of a path take part in the operation at its instruction, or wait for the others.
pub(super) fn converge<O: Observer>(
    warp: &mut Warp,
    code: &[Inst],
    observer: &mut O,
    current: usize,
    inst: &Inst,
    active: u32,
) -> Result<Next, Fault> {
    let pc = warp.paths[current].pc;
    let members = lanes::members(warp, inst);
    if warp.paths.len() == 1 && active == warp.live && members.iter().all(|m| m & active == active) {
        observer.converge(warp, inst, pc, active);
        lanes::carry_out(warp, inst, active);
        return Ok(Next::Advance);
    }
    for lane in lanes(active) {
        if members[lane] >> lane & 1 == 0 {
            let kind = FaultKind::LaneOutsideMask { members: members[lane], active };
            return Err(fault(warp, pc, 1 << lane, kind));
        }
    }
    isolate(warp, current, active);
    let path = warp.paths.swap_remove(current);
    // Lanes may name different groups (tiles, `__match_any_sync` leaders): each waits for its own.
    let mut remaining = active;
    while remaining != 0 {
        let named = members[remaining.trailing_zeros() as usize];
        let mask =
            lanes(remaining).filter(|&lane| members[lane] == named).fold(0, |mask, lane| mask | 1 << lane);
        warp.paths.push(Path { mask, wait: Wait::Converge { members: named }, ..path.clone() });
        remaining &= !mask;
    }
    meet(warp, code, observer);
    Ok(Next::Reschedule)
}

/// Carries out every operation whose members have all come or exited; whether there was one.
pub(super) fn meet<O: Observer>(warp: &mut Warp, code: &[Inst], observer: &mut O) -> bool {
    let mut any = false;
    let mut first = 0;
    while first < warp.paths.len() {
        let Wait::Converge { members } = warp.paths[first].wait else {
            first += 1;
            continue;
        };
        let operation = &code[warp.paths[first].pc as usize].action;
        let come: Vec<usize> = (0..warp.paths.len())
            .filter(|&index| {
                let path = &warp.paths[index];
                path.wait == warp.paths[first].wait
                    && same_operation(&code[path.pc as usize].action, operation)
            })
            .collect();
        let together = come.iter().fold(0, |mask, &index| mask | warp.paths[index].mask);
        if members & warp.live & !together != 0 {
            first += 1;
            continue;
        }
        let parts: Vec<(u32, u32)> =
            come.iter().map(|&index| (warp.paths[index].pc, warp.paths[index].mask)).collect();
        let apart = parts.iter().any(|(pc, _)| *pc != parts[0].0);
        // A barrier orders all lanes that meet, wherever they stand; other operations are watched where they are.
        if apart && !matches!(code[parts[0].0 as usize].action, Action::WarpBarrier) {
            for &(pc, mask) in &parts {
                observer.converge(warp, &code[pc as usize], pc, mask);
            }
        } else {
            observer.converge(warp, &code[parts[0].0 as usize], parts[0].0, together);
        }
        if apart {
            carry_out_apart(warp, code, &parts, together);
        } else {
            lanes::carry_out(warp, &code[parts[0].0 as usize], together);
        }
        for index in come {
            warp.paths[index].wait = Wait::Nothing;
            warp.paths[index].pc += 1;
        }
        any = true;
    }
    any
}

/// One operation of lanes at different instructions: operands are brought together in columns that every
/// program keeps free, and results taken back.
fn carry_out_apart(warp: &mut Warp, code: &[Inst], parts: &[(u32, u32)], together: u32) {
    let joint = Inst {
        a: SCRATCH.a,
        b: SCRATCH.b,
        c: SCRATCH.c,
        e: SCRATCH.e,
        d: SCRATCH.d,
        ..code[parts[0].0 as usize].clone()
    };
    let (mut wide_source, mut vote) = (false, false);
    let action = match joint.action {
        // Some may want the predicate, some not: all compute it.
        Action::Shuffle { mode, .. } => Action::Shuffle { mode, predicate: Some(SCRATCH.p) },
        Action::Match { all, wide, .. } => {
            wide_source = wide;
            Action::Match { all, wide, predicate: all.then_some(SCRATCH.p) }
        }
        Action::Vote { mode, .. } => {
            vote = true;
            Action::Vote { mode, negated: false }
        }
        Action::Elect { .. } => Action::Elect { predicate: SCRATCH.p },
        other => other,
    };
    let joint = Inst { action, a: if vote { SCRATCH.p } else { joint.a }, ..joint };
    for &(pc, mask) in parts {
        let inst = &code[pc as usize];
        let is_barrier = matches!(inst.action, Action::WarpBarrier);
        for lane in lanes(mask) {
            if let Action::Vote { negated, .. } = inst.action {
                let bit = (warp.regs.pred[inst.a as usize] >> lane & 1) ^ u32::from(negated);
                let column = &mut warp.regs.pred[SCRATCH.p as usize];
                *column = *column & !(1 << lane) | bit << lane;
            } else if wide_source {
                warp.regs.r64[SCRATCH.wide as usize][lane] = warp.regs.r64[inst.a as usize][lane];
            } else if !matches!(inst.action, Action::Elect { .. }) {
                warp.regs.r32[SCRATCH.a as usize][lane] = warp.regs.r32[inst.a as usize][lane];
            }
            if !is_barrier {
                warp.regs.r32[SCRATCH.b as usize][lane] = warp.regs.r32[inst.b as usize][lane];
            }
            if let Action::Shuffle { .. } = inst.action {
                warp.regs.r32[SCRATCH.c as usize][lane] = warp.regs.r32[inst.c as usize][lane];
                warp.regs.r32[SCRATCH.e as usize][lane] = warp.regs.r32[inst.e as usize][lane];
            }
        }
    }
    // A vote's verdict, unlike a ballot, is a predicate.
    let verdict =
        matches!(joint.action, Action::Vote { mode, .. } if mode != crate::decode::VoteMode::Ballot);
    let joint = Inst {
        a: if wide_source { SCRATCH.wide } else { joint.a },
        d: if verdict { SCRATCH.p } else { joint.d },
        ..joint
    };
    lanes::carry_out(warp, &joint, together);
    for &(pc, mask) in parts {
        let inst = &code[pc as usize];
        if verdict {
            copy_predicate(warp, inst.d, mask);
        } else if !matches!(inst.action, Action::WarpBarrier) {
            for lane in lanes(mask) {
                warp.regs.r32[inst.d as usize][lane] = warp.regs.r32[SCRATCH.d as usize][lane];
            }
        }
        let predicate = match inst.action {
            Action::Shuffle { predicate, .. } | Action::Match { predicate, .. } => predicate,
            Action::Elect { predicate } => Some(predicate),
            _ => None,
        };
        if let Some(predicate) = predicate {
            copy_predicate(warp, predicate, mask);
        }
    }
}

fn copy_predicate(warp: &mut Warp, to: u16, mask: u32) {
    let bits = warp.regs.pred[SCRATCH.p as usize];
    let old = &mut warp.regs.pred[to as usize];
    *old = *old & !mask | bits & mask;
}
