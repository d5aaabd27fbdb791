//! A path comes to a barrier.

use super::fault::{Fault, FaultKind, Remark};
use super::observer::Observer;
use super::reach::others_may_come;
use super::run::{Environment, Next, fault, isolate};
use super::warp::{GRID, Wait, Warp};
use crate::decode::Inst;

/// `bar.sync`, `bar.red` or `bar.arrive`: waits for threads of the block, or tells them that it came.
pub(super) fn of_block<O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_>,
    observer: &mut O,
    current: usize,
    inst: &Inst,
    (counted, aligned, arrive): (bool, bool, bool),
    active: u32,
) -> Result<Next, Fault> {
    let pc = warp.paths[current].pc;
    let lane = active.trailing_zeros() as usize;
    let id = warp.regs.r32[inst.a as usize][lane];
    let count = counted.then(|| warp.regs.r32[inst.b as usize][lane]);
    if id > 15 || count.is_some_and(|count| count == 0 || !count.is_multiple_of(32)) {
        return Err(fault(warp, pc, active, FaultKind::BadBarrier { id, count: count.unwrap_or(0) }));
    }
    if aligned {
        remark_divergence(warp, env, current, active);
    }
    if arrive {
        // Counted by the block when the warp stops; this path continues.
        warp.arrived.push((id, active.count_ones(), count, pc));
        observer.arrive(id, warp.index);
        return Ok(Next::Advance);
    }
    isolate(warp, current, active);
    warp.paths[current].wait = Wait::Barrier { id, count };
    Ok(Next::Reschedule)
}

/// Waits for all threads of all blocks.
pub(super) fn of_grid(
    warp: &mut Warp,
    env: &mut Environment<'_, '_>,
    current: usize,
    active: u32,
) -> Result<Next, Fault> {
    if !env.cooperative {
        return Err(fault(warp, warp.paths[current].pc, active, FaultKind::NotCooperative));
    }
    remark_divergence(warp, env, current, active);
    isolate(warp, current, active);
    warp.paths[current].wait = Wait::Barrier { id: GRID, count: None };
    Ok(Next::Reschedule)
}

/// Remarks on a barrier that part of the warp has come to, if the rest cannot come any more.
fn remark_divergence(warp: &Warp, env: &mut Environment<'_, '_>, current: usize, active: u32) {
    if active != warp.live && !others_may_come(warp, env.program, current, active) {
        let pc = warp.paths[current].pc;
        env.remarks.push((Remark::DivergentBarrier { pc }, warp.index, active.trailing_zeros()));
    }
}
