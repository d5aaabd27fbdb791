//! Whether lanes that are elsewhere can still come to a barrier.
//!
//! A warp's paths run in the order of the compiler's layout, which is not always the order of the source: a
//! path may stand at a barrier while its fellows are about to take a detour that leads there too. So a warp
//! that comes in parts is no fault yet. It is one as soon as some part cannot come any more.

use super::warp::{Path, Wait, Warp};
use crate::decode::{Action, Inst, Program, Successor};
use crate::isa::actions;

/// Whether every live lane outside `active` may still reach the barrier at which path `current` stands, or is
/// about to end the thread (which the barrier's release judges).
pub(super) fn others_may_come(warp: &Warp, program: &Program, current: usize, active: u32) -> bool {
    let here = &warp.paths[current];
    let code = &program.code[..];
    let skipped = here.mask & !active != 0;
    let passing = (skipped && !ends(code, here.pc + 1)).then_some(here.pc + 1);
    let elsewhere = warp.paths.iter().enumerate().filter(|(index, path)| {
        *index != current && path.stack == here.stack && !(path.stack.is_empty() && ends(code, path.pc))
    });
    let mut from: Vec<u32> = elsewhere.map(|(_, path): (usize, &Path)| path.pc).chain(passing).collect();
    from.sort_unstable();
    from.dedup();
    from.into_iter().all(|start| reaches(program, start, here.pc))
}

/// A barrier instruction at which parts of a warp wait that came to it by different calls, and a lane: they came in
/// branches, however complete the warp is in the end. Not for barriers that need not be reached together.
pub(super) fn called_apart(warp: &Warp, program: &Program, id: u32) -> Option<(u32, u32)> {
    let together = |path: &&Path| {
        let action = program.code[path.pc as usize].action;
        matches!(path.wait, Wait::Barrier { id: at, .. } if at == id)
            && matches!(
                action,
                Action::Barrier { aligned: true, .. } | Action::BarrierReduce { .. } | Action::GridBarrier
            )
    };
    let mut waiting = warp.paths.iter().filter(together);
    let first = waiting.next()?;
    let apart = waiting.find(|path| path.pc == first.pc && path.stack != first.stack)?;
    Some((first.pc, first.mask.trailing_zeros().min(apart.mask.trailing_zeros())))
}

/// Whether nothing but the thread's end follows `pc`.
fn ends(code: &[Inst], mut pc: u32) -> bool {
    for _ in 0..code.len() {
        let inst = &code[pc as usize];
        if inst.guard != 0 {
            return false;
        }
        match inst.action {
            Action::Exit | Action::Return => return true,
            Action::Branch { target } => pc = target,
            Action::Nothing | Action::Asynchronous(_) => pc += 1,
            Action::Trap
            | Action::BranchTable { .. }
            | Action::Call(_)
            | Action::Fence
            | actions!(registers | accesses | warps | barriers) => return false,
        }
    }
    false
}

/// Whether some way through one function leads from instruction `start` to `goal`. Calls return.
fn reaches(program: &Program, start: u32, goal: u32) -> bool {
    after(program, vec![start], Some(goal))[goal as usize]
}

/// The instructions that decide whether a thread comes to `goal`, in the order of the code: one way leads there, and the other does not.
/// Each with whether the guard is true for the threads that do not come.
pub(super) fn deciding(program: &Program, goal: u32) -> Vec<(u32, bool)> {
    let comes = |way: Option<u32>| way.is_some_and(|way| way == goal || reaches(program, way, goal));
    let guarded = (0..).zip(&program.code).filter(|(pc, inst)| inst.guard != 0 && *pc != goal);
    let decides = |(pc, inst): (u32, &Inst)| {
        let taken = match inst.action.successor() {
            Successor::Jump(target) => Some(target),
            Successor::End => None,
            Successor::Next | Successor::Table { .. } => return None,
        };
        let (taken, passed) = (comes(taken), comes(Some(pc + 1)));
        (taken != passed).then_some((pc, passed != inst.guard_negated))
    };
    guarded.filter_map(decides).collect()
}

/// The first of these instructions at which an ended thread went the way that does not lead there, by the values that it ended with.
pub(super) fn left_at(warp: &Warp, program: &Program, deciding: &[(u32, bool)]) -> Option<u32> {
    let lane = (warp.born & !warp.live).trailing_zeros();
    let leaves = |(pc, guard): &&(u32, bool)| {
        let bits = warp.regs.pred[program.code[*pc as usize].guard as usize];
        (bits.checked_shr(lane).unwrap_or(0) & 1 == 1) == *guard
    };
    deciding.iter().find(leaves).map(|(pc, _)| *pc)
}

/// The instructions that may follow this one. What functions do is not followed: with calls, it may be any.
pub(crate) fn reachable(program: &Program, pc: u32) -> Vec<bool> {
    if program.code.iter().any(|inst| matches!(inst.action, Action::Call(_))) {
        return vec![true; program.code.len()];
    }
    let mut open = Vec::new();
    add_successors(program, pc, &mut open);
    after(program, open, None)
}

/// The instructions on the ways from these, at least until `goal` is one of them.
fn after(program: &Program, mut open: Vec<u32>, goal: Option<u32>) -> Vec<bool> {
    let mut seen = vec![false; program.code.len()];
    while let Some(pc) = open.pop() {
        if pc as usize >= seen.len() || std::mem::replace(&mut seen[pc as usize], true) {
            continue;
        }
        if Some(pc) == goal {
            break;
        }
        add_successors(program, pc, &mut open);
    }
    seen
}

fn add_successors(program: &Program, pc: u32, open: &mut Vec<u32>) {
    let inst = &program.code[pc as usize];
    let successor = inst.action.successor();
    match successor {
        Successor::Jump(target) => open.push(target),
        Successor::Table { first, count } => {
            open.extend(&program.branch_tables[first as usize..(first + count) as usize]);
        }
        Successor::Next | Successor::End => {}
    }
    if successor == Successor::Next || inst.guard != 0 {
        open.push(pc + 1);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::decode::fixture;
    use crate::exec::warp::Frame;

    fn program(code: &str) -> Arc<Program> {
        let text = format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{{\n.reg .pred %p<3>;\n\
             .reg .b32 %r<6>;\n{code}\n}}\n"
        );
        fixture::program(&text)
    }

    /// A warp whose lanes stand at these instructions; the first path runs.
    fn warp(program: &Program, paths: &[(u32, u32)]) -> Warp {
        let mut warp = Warp::new(program, &[], 0, 32);
        let path = |&(pc, mask)| Path { pc, mask, stack: Vec::new(), wait: Wait::Nothing, turn: 0 };
        warp.paths = paths.iter().map(path).collect();
        warp.live = paths.iter().fold(0, |live, path| live | path.1);
        warp
    }

    /// Whether the first path's barrier may still be reached by the others.
    fn may_come(program: &Program, paths: &[(u32, u32)]) -> bool {
        others_may_come(&warp(program, paths), program, 0, paths[0].1)
    }

    const LOW: u32 = 0xffff;
    const HIGH: u32 = 0xffff_0000;

    // 0 setp, 1 bra, 2 add, 3 bra, 4 add (A), 5 bar (B), 6 add, 7 ret
    const DETOUR: &str = "setp.lt.u32 %p1, %tid.x, 16;\n@%p1 bra A;\nadd.u32 %r1, %tid.x, 1;\nbra B;\n\
                          A:\nadd.u32 %r1, %tid.x, 2;\nB:\nbar.sync 0;\nadd.u32 %r2, %r1, 1;\nret;";

    #[test]
    fn lanes_before_the_barrier_may_come() {
        let program = program(DETOUR);
        for pc in [0, 1, 2, 3, 4] {
            assert!(may_come(&program, &[(5, LOW), (pc, HIGH)]), "from {pc}");
        }
        // In three parts, one of them past it.
        assert!(!may_come(&program, &[(5, LOW), (2, 0xff_0000), (6, 0xff00_0000)]));
    }

    #[test]
    fn lanes_behind_it_may_not_unless_a_loop_leads_back() {
        assert!(!may_come(&program(DETOUR), &[(5, LOW), (6, HIGH)]));
        // 0 add, 1 bar, 2 setp, 3 add, 4 bra L, 5 add, 6 ret
        let looping = "L:\nadd.u32 %r1, %tid.x, 1;\nbar.sync 0;\nsetp.lt.u32 %p1, %r1, 9;\n\
                       add.u32 %r2, %r1, 1;\n@%p1 bra L;\nadd.u32 %r3, %r2, 1;\nret;";
        let program = program(looping);
        assert!(may_come(&program, &[(1, LOW), (3, HIGH)]));
        assert!(!may_come(&program, &[(1, LOW), (5, HIGH)]), "it has left the loop");
    }

    #[test]
    fn lanes_about_to_end_are_judged_later() {
        // 0 setp, 1 bra, 2 bar, 3 ret, 4 add (A), 5 ret (B), 6 bra B (C)
        let program = program(
            "setp.lt.u32 %p1, %tid.x, 16;\n@%p1 bra A;\nbar.sync 0;\nret;\nA:\nadd.u32 %r1, %tid.x, 2;\n\
             B:\nret;\nC:\nbra B;",
        );
        assert!(may_come(&program, &[(2, LOW), (5, HIGH)]), "nothing but the end follows");
        assert!(may_come(&program, &[(2, LOW), (6, HIGH)]), "nothing but a jump to the end follows");
        assert!(!may_come(&program, &[(2, LOW), (4, HIGH)]), "it still works, and cannot come");
    }

    #[test]
    fn lanes_that_a_guard_takes_past_it_count_as_behind() {
        // 0 setp, 1 @p bar, 2 add, 3 ret
        let past = program("setp.lt.u32 %p1, %tid.x, 16;\n@%p1 bar.sync 0;\nadd.u32 %r1, %tid.x, 1;\nret;");
        let all = warp(&past, &[(1, u32::MAX)]);
        assert!(others_may_come(&all, &past, 0, u32::MAX));
        assert!(!others_may_come(&all, &past, 0, LOW));
        // Straight to the end: judged when the barrier lets go.
        let end = program("setp.lt.u32 %p1, %tid.x, 16;\n@%p1 bar.sync 0;\nret;");
        assert!(others_may_come(&warp(&end, &[(1, u32::MAX)]), &end, 0, LOW));
    }

    #[test]
    fn parts_from_different_calls_are_told_from_one_call() {
        let program = program(DETOUR);
        let mut warp = warp(&program, &[(5, LOW), (5, HIGH)]);
        for path in &mut warp.paths {
            path.wait = Wait::Barrier { id: 0, count: None };
        }
        assert_eq!(called_apart(&warp, &program, 0), None, "one place, in parts");
        warp.paths[1].stack.push(Frame { back: 3, call: 0, function: 1, base: 0, top: 0 });
        assert_eq!(called_apart(&warp, &program, 0), Some((5, 0)));
        assert_eq!(called_apart(&warp, &program, 1), None, "another barrier");
    }
}
