//! Warp-level operations: lanes wait until all members of the group they name have come.
//!
//! As the PTX manual has it, members meet by operation and member mask, not by place: lanes in the two arms
//! of a branch meet if both execute, say, `shfl.sync.bfly` with the same mask. `__syncwarp` in both arms is
//! the usual case.

use super::fault::{Fault, FaultKind};
use super::lanes;
use super::laps;
use super::observer::Observer;
use super::run::{Next, fault, isolate};
use super::warp::{Path, Wait, Warp};
use crate::decode::{Inst, Meeting, Program, SCRATCH, VoteMode};

/// Whether two operations are the same, with the same qualifiers: their lanes meet each other.
fn same_operation(a: Meeting, b: Meeting) -> bool {
    // A predicate that only one of them asks for, and a negated vote, make no difference.
    let plain = |meeting| match meeting {
        Meeting::Shuffle { mode, .. } => Meeting::Shuffle { mode, predicate: None },
        Meeting::Vote { mode, .. } => Meeting::Vote { mode, negated: false },
        Meeting::Match { all, wide, .. } => Meeting::Match { all, wide, predicate: None },
        Meeting::Elect { .. } => Meeting::Elect { predicate: 0 },
        Meeting::Reduce(_) | Meeting::Barrier => meeting,
    };
    plain(a) == plain(b)
}

/// The operation of an instruction at which lanes wait for each other.
fn operation(code: &[Inst], pc: u32) -> Meeting {
    code[pc as usize].action.meeting().expect("lanes wait only where they meet")
}

/// Lets `active` lanes of a path take part in the operation at its instruction, or wait for the others.
pub(super) fn converge<O: Observer>(
    warp: &mut Warp,
    program: &Program,
    observer: &mut O,
    current: usize,
    (operation, inst): (Meeting, &Inst),
    active: u32,
) -> Result<Next, Fault> {
    let pc = warp.paths[current].pc;
    let members = lanes::members(warp, operation, inst);
    if warp.paths.len() == 1 && active == warp.live && members.iter().all(|m| m & active == active) {
        observer.converge(warp, inst, pc, active);
        lanes::carry_out(warp, operation, inst, active);
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
    meet(warp, program, observer);
    Ok(Next::Reschedule)
}

/// Carries out every operation whose members have all come or exited; whether there was one.
pub(super) fn meet<O: Observer>(warp: &mut Warp, program: &Program, observer: &mut O) -> bool {
    let code = &program.code[..];
    let mut any = false;
    let mut first = 0;
    while first < warp.paths.len() {
        let Wait::Converge { members } = warp.paths[first].wait else {
            first += 1;
            continue;
        };
        let here = operation(code, warp.paths[first].pc);
        let come: Vec<usize> = (0..warp.paths.len())
            .filter(|&index| {
                let path = &warp.paths[index];
                path.wait == warp.paths[first].wait && same_operation(operation(code, path.pc), here)
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
        if apart && here != Meeting::Barrier {
            for &(pc, mask) in &parts {
                observer.converge(warp, &code[pc as usize], pc, mask);
            }
        } else {
            observer.converge(warp, &code[parts[0].0 as usize], parts[0].0, together);
        }
        if apart {
            carry_out_apart(warp, code, &parts, together);
        } else {
            lanes::carry_out(warp, here, &code[parts[0].0 as usize], together);
        }
        for index in come {
            warp.paths[index].wait = Wait::Nothing;
            let Path { pc, mask, .. } = warp.paths[index];
            warp.paths[index].pc += 1;
            laps::step(warp, program, pc, pc + 1, mask);
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
    // Some may want the predicate, some not: all compute it.
    let meeting = match operation(code, parts[0].0) {
        Meeting::Shuffle { mode, .. } => Meeting::Shuffle { mode, predicate: Some(SCRATCH.p) },
        Meeting::Vote { mode, .. } => Meeting::Vote { mode, negated: false },
        Meeting::Match { all, wide, .. } => Meeting::Match { all, wide, predicate: all.then_some(SCRATCH.p) },
        Meeting::Elect { .. } => Meeting::Elect { predicate: SCRATCH.p },
        same @ (Meeting::Reduce(_) | Meeting::Barrier) => same,
    };
    for &(pc, mask) in parts {
        let inst = &code[pc as usize];
        let words: &[(u16, u16)] = match operation(code, pc) {
            Meeting::Vote { negated, .. } => {
                let votes = warp.regs.pred[inst.a as usize];
                let votes = if negated { !votes } else { votes };
                warp.regs.put_bits(SCRATCH.p, votes, mask);
                &[(SCRATCH.b, inst.b)]
            }
            Meeting::Match { wide: true, .. } => {
                for lane in lanes(mask) {
                    warp.regs.r64[SCRATCH.wide as usize][lane] = warp.regs.r64[inst.a as usize][lane];
                }
                &[(SCRATCH.b, inst.b)]
            }
            Meeting::Shuffle { .. } => {
                &[(SCRATCH.a, inst.a), (SCRATCH.b, inst.b), (SCRATCH.c, inst.c), (SCRATCH.e, inst.e)]
            }
            Meeting::Match { wide: false, .. } | Meeting::Reduce(_) => {
                &[(SCRATCH.a, inst.a), (SCRATCH.b, inst.b)]
            }
            Meeting::Elect { .. } => &[(SCRATCH.b, inst.b)],
            Meeting::Barrier => &[(SCRATCH.a, inst.a)],
        };
        for &(to, from) in words {
            copy_word(warp, to, from, mask);
        }
    }
    // A vote's verdict, unlike a ballot, is a predicate.
    let verdict = matches!(meeting, Meeting::Vote { mode, .. } if mode != VoteMode::Ballot);
    let joint = Inst {
        a: match meeting {
            Meeting::Vote { .. } => SCRATCH.p,
            Meeting::Match { wide: true, .. } => SCRATCH.wide,
            Meeting::Match { wide: false, .. }
            | Meeting::Shuffle { .. }
            | Meeting::Reduce(_)
            | Meeting::Elect { .. }
            | Meeting::Barrier => joint.a,
        },
        d: if verdict { SCRATCH.p } else { joint.d },
        ..joint
    };
    lanes::carry_out(warp, meeting, &joint, together);
    for &(pc, mask) in parts {
        let inst = &code[pc as usize];
        let (word, predicate) = match operation(code, pc) {
            Meeting::Vote { .. } if verdict => (None, Some(inst.d)),
            Meeting::Vote { .. } | Meeting::Reduce(_) => (Some(inst.d), None),
            Meeting::Shuffle { predicate, .. } | Meeting::Match { predicate, .. } => {
                (Some(inst.d), predicate)
            }
            Meeting::Elect { predicate } => (Some(inst.d), Some(predicate)),
            Meeting::Barrier => (None, None),
        };
        if let Some(word) = word {
            copy_word(warp, word, SCRATCH.d, mask);
        }
        if let Some(predicate) = predicate {
            warp.regs.put_bits(predicate, warp.regs.pred[SCRATCH.p as usize], mask);
        }
    }
}

fn copy_word(warp: &mut Warp, to: u16, from: u16, mask: u32) {
    for lane in lanes(mask) {
        warp.regs.r32[to as usize][lane] = warp.regs.r32[from as usize][lane];
    }
}
