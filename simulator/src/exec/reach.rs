//! Whether lanes that are elsewhere can still come to a barrier.
//!
//! A warp's paths run in the order of the compiler's layout, which is not always the order of the source: a
//! path may stand at a barrier while its fellows are about to take a detour that leads there too. So a warp
//! that comes in parts is no fault yet. It is one as soon as some part cannot come any more.

use super::warp::{Path, Warp};
use crate::decode::{Action, Inst, Program};

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
            Action::Nothing => pc += 1,
            _ => return false,
        }
    }
    false
}

/// Whether some way through one function leads from instruction `start` to `goal`. Calls return.
fn reaches(program: &Program, start: u32, goal: u32) -> bool {
    let code = &program.code[..];
    let mut seen = vec![false; code.len()];
    let mut open = vec![start];
    while let Some(pc) = open.pop() {
        if pc == goal {
            return true;
        }
        let Some(inst) = code.get(pc as usize) else { continue };
        if std::mem::replace(&mut seen[pc as usize], true) {
            continue;
        }
        match inst.action {
            Action::Branch { target } => open.push(target),
            Action::BranchTable { first, count } => {
                open.extend(&program.branch_tables[first as usize..(first + count) as usize]);
            }
            _ => {}
        }
        let goes_on = !matches!(
            inst.action,
            Action::Branch { .. } | Action::BranchTable { .. } | Action::Exit | Action::Return | Action::Trap
        );
        if goes_on || inst.guard != 0 {
            open.push(pc + 1);
        }
    }
    false
}
