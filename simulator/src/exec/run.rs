//! Runs one warp until it ends, waits, or has had its turn.

use super::access;
use super::atomics;
use super::fault::{Fault, FaultKind, Remark};
use super::lanes;
use super::warp::{Frame, Path, Wait, Warp};
use crate::decode::{Action, Callee, Inst, Program};
use crate::layout::{Layout, in_window};
use crate::memory::View;
use crate::observe::Observer;
use crate::ptx::ast::Space;

/// Backward jumps while other paths wait, after which the path furthest ahead gets a turn.
const SPIN_LIMIT: u32 = 1 << 14;

/// All that a warp acts on besides itself.
pub(crate) struct Environment<'e, 'm, O> {
    /// Its program.
    pub program: &'e Program,
    /// Address ranges.
    pub layout: Layout,
    /// The parameter block.
    pub parameters: &'e [u8],
    /// Global memory.
    pub view: &'e mut View<'m>,
    /// Shared memory of the block.
    pub shared: &'e mut [u8],
    /// Who watches.
    pub observer: &'e mut O,
    /// Instructions that the block may still execute.
    pub budget: &'e mut u64,
    /// Remarks so far.
    pub remarks: &'e mut Vec<(Remark, u32, u32)>,
}

/// A call that the caller of [`run_warp`] has to carry out; the path stands at the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct External {
    /// Which path.
    pub path: usize,
    /// Which call of the program.
    pub call: u32,
    /// The calling lanes.
    pub mask: u32,
    /// The call's instruction.
    pub pc: u32,
}

/// Why a warp stopped running.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stop {
    /// All lanes exited.
    Done,
    /// No path can run.
    Waiting,
    /// Its turn is over.
    Slice,
    /// A function from outside.
    External(External),
}

/// What follows an instruction.
enum Next {
    /// The next one.
    Advance,
    /// Another one, same lanes.
    Jump(u32),
    /// Paths changed: choose again.
    Reschedule,
    /// Leave with this.
    Leave(Stop),
}

/// Runs `warp` for at most `slice` instructions.
pub(crate) fn run_warp<O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_, O>,
    mut slice: u64,
) -> Result<Stop, Fault> {
    let code = &env.program.code[..];
    loop {
        if warp.paths.len() > 1 {
            warp.merge();
        }
        let spinning = warp.spins > SPIN_LIMIT;
        let chosen = if spinning { warp.pick_last() } else { warp.pick() };
        let Some(current) = chosen else {
            if warp.wake() {
                continue;
            }
            return Ok(if warp.done() { Stop::Done } else { Stop::Waiting });
        };
        // Run until this path meets or passes another; a path that breaks a spin runs until it stops.
        let limit = if spinning { u32::MAX } else { limit_of(warp, current) };
        if spinning {
            warp.spins = 0;
        }
        let diverged = warp.paths.len() > 1;
        let mask = warp.paths[current].mask;
        let mut pc = warp.paths[current].pc;
        let next = loop {
            if *env.budget == 0 {
                return Err(fault(warp, pc, mask, FaultKind::InstructionLimit));
            }
            if slice == 0 {
                warp.paths[current].pc = pc;
                break Next::Leave(Stop::Slice);
            }
            *env.budget -= 1;
            slice -= 1;
            warp.clock += 1;
            let inst = &code[pc as usize];
            let guard = warp.regs.pred[inst.guard as usize];
            let active = mask & if inst.guard_negated { !guard } else { guard };
            env.observer.issue(pc, active);
            if let Action::Compute(run) = inst.action {
                if active != 0 {
                    run(&mut warp.regs, inst, active);
                }
                pc += 1;
            } else {
                warp.paths[current].pc = pc;
                match step(warp, env, current, inst, active)? {
                    Next::Advance => pc += 1,
                    Next::Jump(target) => {
                        if diverged && target <= pc {
                            warp.spins += 1;
                            if warp.spins > SPIN_LIMIT {
                                warp.paths[current].pc = target;
                                break Next::Reschedule;
                            }
                        }
                        pc = target;
                    }
                    other => break other,
                }
            }
            if pc >= limit {
                warp.paths[current].pc = pc;
                break Next::Reschedule;
            }
        };
        if let Next::Leave(stop) = next {
            return Ok(stop);
        }
    }
}

/// The instruction at which a path has to stop and look around: where the nearest other path stands.
fn limit_of(warp: &Warp, current: usize) -> u32 {
    let depth = warp.paths[current].stack.len();
    warp.paths
        .iter()
        .enumerate()
        .filter(|(index, path)| {
            *index != current && path.stack.len() == depth && !matches!(path.wait, Wait::Barrier { .. })
        })
        .map(|(_, path)| path.pc)
        .filter(|&pc| pc > warp.paths[current].pc)
        .min()
        .unwrap_or(u32::MAX)
}

fn fault(warp: &Warp, pc: u32, mask: u32, kind: FaultKind) -> Fault {
    Fault { kind, pc, warp: warp.index, lane: mask.trailing_zeros().min(31) }
}

/// Executes one instruction that is more than a computation. `warp.paths[current].pc` is its place.
fn step<O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_, O>,
    current: usize,
    inst: &Inst,
    active: u32,
) -> Result<Next, Fault> {
    let pc = warp.paths[current].pc;
    if active == 0 {
        return Ok(Next::Advance);
    }
    match inst.action {
        Action::Load(access) => access::load(warp, env, inst, &access, active, pc)?,
        Action::Store(access) => access::store(warp, env, inst, &access, active, pc)?,
        Action::Atomic { access, op, ty, quiet } => {
            atomics::atomic(warp, env, inst, &access, (op, ty), quiet, active, pc)?;
        }
        Action::Branch { target } => return Ok(branch(warp, current, target, active)),
        Action::BranchTable { first, count } => {
            return branch_table(warp, env.program, current, inst, (first, count), active);
        }
        Action::Call(call) => return Ok(enter(warp, env.program, current, call, active, pc)),
        Action::Return => return Ok(leave(warp, env.program, current, active)),
        Action::Exit => return Ok(exit(warp, current, active)),
        Action::Barrier { counted, aligned, arrive } => {
            return barrier(warp, env, current, inst, (counted, aligned, arrive), active);
        }
        Action::BarrierReduce { counted, .. } => {
            return barrier(warp, env, current, inst, (counted, true, false), active);
        }
        Action::Trap => return Err(fault(warp, pc, active, FaultKind::Trap { message: None })),
        Action::ToGeneric { space, wide } => {
            lanes::add_window(warp, inst, active, wide, window(env.layout, space));
        }
        Action::FromGeneric { space, wide } => {
            lanes::add_window(warp, inst, active, wide, window(env.layout, space).wrapping_neg());
        }
        Action::IsSpace(space) => {
            let base = window(env.layout, space);
            let layout = env.layout;
            warp.regs.map1::<u64, bool>(inst, active, |address| match space {
                Space::Global | Space::Const => [layout.shared, layout.local, layout.param]
                    .iter()
                    .all(|&w| in_window(address, w).is_none()),
                _ => in_window(address, base).is_some(),
            });
        }
        Action::Clock { wide } => {
            let now = warp.clock;
            if wide {
                warp.regs.map1::<u64, u64>(&Inst { a: inst.d, ..inst.clone() }, active, |_| now);
            } else {
                warp.regs.map1::<u32, u32>(&Inst { a: inst.d, ..inst.clone() }, active, |_| now as u32);
            }
        }
        Action::ActiveMask => {
            warp.regs.map1::<u32, u32>(&Inst { a: inst.d, ..inst.clone() }, active, |_| active);
        }
        Action::Shuffle { .. }
        | Action::Vote { .. }
        | Action::Match { .. }
        | Action::Reduce(_)
        | Action::WarpBarrier => return converge(warp, current, inst, active),
        Action::Fence | Action::Nothing => {}
        Action::Compute(_) => unreachable!("handled by the caller"),
    }
    Ok(Next::Advance)
}

/// Generic address of a state space's first byte; global and constant addresses are generic already.
fn window(layout: Layout, space: Space) -> u64 {
    match space {
        Space::Shared => layout.shared,
        Space::Local => layout.local,
        Space::Param => layout.param,
        Space::Global | Space::Const => 0,
    }
}

fn branch(warp: &mut Warp, current: usize, target: u32, taken: u32) -> Next {
    let path = &mut warp.paths[current];
    if taken == path.mask {
        return Next::Jump(target);
    }
    let jumped = Path { pc: target, mask: taken, stack: path.stack.clone(), wait: Wait::Nothing };
    path.mask &= !taken;
    path.pc += 1;
    warp.paths.push(jumped);
    Next::Reschedule
}

fn branch_table(
    warp: &mut Warp,
    program: &Program,
    current: usize,
    inst: &Inst,
    (first, count): (u32, u32),
    active: u32,
) -> Result<Next, Fault> {
    let index = warp.regs.r32[inst.a as usize];
    let pc = warp.paths[current].pc;
    let mut remaining = active;
    while remaining != 0 {
        let lane = remaining.trailing_zeros();
        let choice = index[lane as usize];
        if choice >= count {
            return Err(fault(warp, pc, 1 << lane, FaultKind::Trap { message: None }));
        }
        let same = (0..32).filter(|&l| remaining >> l & 1 == 1 && index[l as usize] == choice);
        let group = same.fold(0u32, |group, lane| group | 1 << lane);
        let target = program.branch_tables[(first + choice) as usize];
        let stack = warp.paths[current].stack.clone();
        warp.paths.push(Path { pc: target, mask: group, stack, wait: Wait::Nothing });
        remaining &= !group;
    }
    let path = &mut warp.paths[current];
    path.mask &= !active;
    path.pc += 1;
    if path.mask == 0 {
        warp.paths.swap_remove(current);
    }
    Ok(Next::Reschedule)
}

/// Splits off lanes whose guard is false, so that `current` holds exactly `active`.
fn isolate(warp: &mut Warp, current: usize, active: u32) {
    let path = &mut warp.paths[current];
    if path.mask != active {
        let rest = Path { pc: path.pc + 1, mask: path.mask & !active, ..path.clone() };
        path.mask = active;
        warp.paths.push(rest);
    }
}

fn enter(warp: &mut Warp, program: &Program, current: usize, call: u32, active: u32, pc: u32) -> Next {
    let particulars = &program.calls[call as usize];
    isolate(warp, current, active);
    copy_local(warp, &particulars.arguments, active);
    match particulars.callee {
        Callee::Function { entry } => {
            let path = &mut warp.paths[current];
            path.stack.push(Frame { back: pc + 1, call });
            path.pc = entry;
            Next::Reschedule
        }
        Callee::External { .. } => {
            Next::Leave(Stop::External(External { path: current, call, mask: active, pc }))
        }
    }
}

/// Ends an external call: results to their places, on to the next instruction.
pub(crate) fn finish_external(warp: &mut Warp, program: &Program, external: External) {
    copy_local(warp, &program.calls[external.call as usize].results, external.mask);
    warp.paths[external.path].pc = external.pc + 1;
}

fn copy_local(warp: &mut Warp, copies: &[crate::decode::Copy], mask: u32) {
    for copy in copies {
        let (from, to, bytes) = (copy.from as usize, copy.to as usize, copy.bytes as usize);
        for lane in (0..32).filter(|lane| mask >> lane & 1 == 1) {
            warp.local_of_mut(lane).copy_within(from..from + bytes, to);
        }
    }
}

fn leave(warp: &mut Warp, program: &Program, current: usize, active: u32) -> Next {
    if warp.paths[current].stack.is_empty() {
        return exit(warp, current, active);
    }
    isolate(warp, current, active);
    let frame = warp.paths[current].stack.pop().expect("the stack is not empty");
    copy_local(warp, &program.calls[frame.call as usize].results, active);
    warp.paths[current].pc = frame.back;
    Next::Reschedule
}

fn exit(warp: &mut Warp, current: usize, active: u32) -> Next {
    warp.live &= !active;
    let path = &mut warp.paths[current];
    path.mask &= !active;
    path.pc += 1;
    if path.mask == 0 {
        warp.paths.swap_remove(current);
    }
    Next::Reschedule
}

fn barrier<O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_, O>,
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
    if aligned && active != warp.live {
        let lane = active.trailing_zeros();
        env.remarks.push((Remark::DivergentBarrier { pc }, warp.index, lane));
    }
    if arrive {
        // Counted by the block when the warp stops; this path goes on.
        warp.arrived.push((id, active.count_ones(), count, pc));
        return Ok(Next::Advance);
    }
    isolate(warp, current, active);
    warp.paths[current].wait = Wait::Barrier { id, count };
    Ok(Next::Reschedule)
}

/// A warp-level operation: waits until all live members stand here, then carries it out for all of them.
fn converge(warp: &mut Warp, current: usize, inst: &Inst, active: u32) -> Result<Next, Fault> {
    let pc = warp.paths[current].pc;
    let members = lanes::members(warp, inst);
    if warp.paths.len() == 1 && active == warp.live && members.iter().fold(active, |all, m| all & m) == active
    {
        lanes::carry_out(warp, inst, active);
        return Ok(Next::Advance);
    }
    isolate(warp, current, active);
    // Lanes that wait here already.
    let stack = warp.paths[current].stack.clone();
    let mut joined = active;
    for path in &warp.paths {
        if path.pc == pc && path.stack == stack && matches!(path.wait, Wait::Converge { .. }) {
            joined |= path.mask;
        }
    }
    for lane in (0..32).filter(|lane| active >> lane & 1 == 1) {
        if members[lane] >> lane & 1 == 0 {
            let kind = FaultKind::LaneOutsideMask { members: members[lane], active };
            return Err(fault(warp, pc, 1 << lane, kind));
        }
    }
    // Lanes may name different groups (`__match_any_sync` leaders, tiles): a group runs when complete.
    let mut ready = 0u32;
    for lane in (0..32).filter(|lane| joined >> lane & 1 == 1) {
        let group = lanes::member_mask(warp, inst, lane) & warp.live;
        if group & !joined == 0 {
            ready |= 1 << lane;
        }
    }
    let waiting = joined & !ready;
    warp.paths.retain(|path| {
        !(path.pc == pc && path.stack == stack && (path.mask & joined) != 0 && path.mask & !joined == 0)
    });
    if waiting != 0 {
        let members = lanes::member_mask(warp, inst, waiting.trailing_zeros() as usize);
        warp.paths.push(Path { pc, mask: waiting, stack: stack.clone(), wait: Wait::Converge { members } });
    }
    if ready != 0 {
        lanes::carry_out(warp, inst, ready);
        warp.paths.push(Path { pc: pc + 1, mask: ready, stack, wait: Wait::Nothing });
    }
    Ok(Next::Reschedule)
}
