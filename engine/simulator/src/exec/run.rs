//! Runs one warp until it ends, waits, or has had its turn.

use super::atomics;
use super::barriers;
use super::calls;
use super::fault::{Fault, FaultKind, Remark};
use super::hazards;
use super::lanes;
use super::laps;
use super::load_store;
use super::meeting;
use super::observer::Observer;
use super::pending::{self, Pending};
use super::repeats;
use super::warp::{Path, Wait, Warp};
use super::{surface, texture};
use crate::decode::{Action, Inst, Program, SLEEPS, Where};
use crate::isa::actions;
use crate::layout::{Layout, in_window};
use crate::memory::View;
use crate::ptx::ast::Space;

/// Backward jumps while other paths wait, after which the path that has waited longest gets a turn: first,
/// so that an ordinary loop is not taken for a spin loop, and at the least.
pub(super) const SPIN_LIMIT: u32 = 1 << 14;
const LEAST_PATIENCE: u32 = 1 << 6;

/// Turns of a loop that waits for another thread, after which others run: first those of its warp if some can, who may just be leaving
/// the same loop one by one, else other warps. Who waits once waits again: fewer from then on.
pub(super) const WAITS: u32 = 1 << 6;
const WAITS_TOGETHER: u32 = 1 << 3;

/// Everything that a warp reads and changes besides itself.
pub(crate) struct Environment<'e, 'm> {
    /// Its program.
    pub program: &'e Program,
    /// Address ranges.
    pub layout: Layout,
    /// Whether all blocks of the grid are there at once.
    pub cooperative: bool,
    /// The parameter block.
    pub parameters: &'e [u8],
    /// Global memory.
    pub view: &'e mut View<'m>,
    /// Shared memory of the block.
    pub shared: &'e mut [u8],
    /// Asynchronous copies to it.
    pub pending: &'e mut Pending,
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
    /// It waits in a loop for another thread.
    Spinning,
    /// A function from outside.
    External(External),
}

/// How execution continues after an instruction.
pub(super) enum Next {
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
    env: &mut Environment<'_, '_>,
    observer: &mut O,
    mut slice: u64,
) -> Result<Stop, Fault> {
    let program = env.program;
    let code = &program.code[..];
    loop {
        if warp.paths.len() > 1 {
            warp.merge();
        }
        let spinning = warp.spins > warp.patience;
        let chosen = if spinning { warp.pick_stalest() } else { warp.pick() };
        let Some(current) = chosen else {
            if meeting::meet(warp, env.program, observer) {
                continue;
            }
            return Ok(if warp.done() { Stop::Done } else { Stop::Waiting });
        };
        // Run until this path meets or passes another; a path that breaks a spin runs until it stops.
        let meets = if spinning || warp.apart { u32::MAX } else { limit_of(warp, current) };
        if spinning {
            warp.spins = 0;
            // Who waits once waits again: take turns sooner from now on.
            warp.patience = (warp.patience / 2).max(LEAST_PATIENCE);
        }
        warp.turns += 1;
        warp.paths[current].turn = warp.turns;
        let diverged = warp.paths.len() > 1;
        let mask = warp.paths[current].mask;
        let mut pc = warp.paths[current].pc;
        // And look up where a turn of a loop ends without a jump.
        let limit_from = |pc| if diverged { meets.min(laps::fallen_into(program, pc)) } else { u32::MAX };
        let mut limit = limit_from(pc);
        let next = loop {
            if *env.budget == 0 {
                if !repeats::may_go_on(warp) {
                    return Err(fault(warp, pc, mask, FaultKind::InstructionLimit));
                }
                *env.budget = repeats::MOST;
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
            observer.issue(pc, active);
            if let Action::Compute(run) = inst.action {
                if O::REGISTERS {
                    observer.compute(warp, inst, pc, mask, active);
                }
                if active != 0 {
                    run(&mut warp.regs, inst, active);
                }
                pc += 1;
            } else {
                warp.paths[current].pc = pc;
                match step(warp, env, observer, current, inst, active)? {
                    Next::Advance => pc += 1,
                    Next::Jump(target) => {
                        if diverged && target <= pc {
                            warp.spins += 1;
                            if warp.spins > warp.patience {
                                warp.paths[current].pc = target;
                                break Next::Reschedule;
                            }
                        }
                        if warp.repeats.is_some() && repeats::came_back(warp, env.program, (target, mask)) {
                            // The jump back stands in the line of the loop's condition.
                            return Err(fault(warp, pc, mask, FaultKind::Endless));
                        }
                        if target <= pc {
                            if !program.waiting.is_empty() && has_waited(warp, program, current, pc) {
                                warp.paths[current].pc = target;
                                if other_can_run(warp, current) {
                                    warp.spins = warp.patience + 1;
                                    break Next::Reschedule;
                                }
                                break Next::Leave(Stop::Spinning);
                            }
                            limit = limit_from(target);
                        }
                        pc = target;
                    }
                    other => break other,
                }
            }
            if pc >= limit {
                if std::ptr::eq(inst, &raw const code[pc as usize - 1]) {
                    laps::step(warp, program, pc - 1, pc, mask);
                }
                if pc >= meets {
                    warp.paths[current].pc = pc;
                    break Next::Reschedule;
                }
                limit = limit_from(pc);
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

/// Whether a path that jumps back at `pc` has waited long enough for others to have their turn.
fn has_waited(warp: &mut Warp, program: &Program, current: usize, pc: u32) -> bool {
    // A lone thread, such as that of a host function, waits for nobody of its block.
    if warp.born == 1 || program.waiting.binary_search(&pc).is_err() {
        return false;
    }
    let (place, times) = warp.waited;
    let times = if place == pc { times + 1 } else { 1 };
    let most = if other_can_run(warp, current) { warp.waits } else { warp.waits.min(WAITS_TOGETHER) };
    let enough = times > most;
    if enough {
        warp.waits = (warp.waits / 8).max(1);
    }
    warp.waited = (pc, if enough { 0 } else { times });
    enough
}

fn other_can_run(warp: &Warp, current: usize) -> bool {
    let mut paths = warp.paths.iter().enumerate();
    paths.any(|(index, path)| index != current && path.wait == Wait::Nothing)
}

pub(super) fn fault(warp: &Warp, pc: u32, mask: u32, kind: FaultKind) -> Fault {
    Fault { kind, pc, warp: warp.index, lane: mask.trailing_zeros().min(31) }
}

/// Whether an instruction brings something from beyond the multiprocessor.
fn asks_far(action: Action) -> bool {
    let beyond = |space| matches!(space, Where::Generic | Where::In(Space::Global | Space::Local));
    match action {
        Action::Load(access) => beyond(access.space),
        Action::Atomic { access, quiet, .. } => !quiet && beyond(access.space),
        Action::Texture(_) | Action::Surface(_) => true,
        Action::Store(_) | actions!(registers | warps | barriers | jumps | ends | waits) => false,
    }
}

/// Executes one instruction that is more than a computation. `warp.paths[current].pc` is its place.
fn step<O: Observer>(
    warp: &mut Warp,
    env: &mut Environment<'_, '_>,
    observer: &mut O,
    current: usize,
    inst: &Inst,
    active: u32,
) -> Result<Next, Fault> {
    let pc = warp.paths[current].pc;
    if O::REGISTERS {
        observer.step(warp, inst, pc, warp.paths[current].mask, active);
    }
    if active == 0 {
        return Ok(Next::Advance);
    }
    warp.far += u64::from(asks_far(inst.action));
    match inst.action {
        Action::Load(access) => load_store::load(warp, env, observer, inst, &access, active, pc)?,
        Action::Store(access) => load_store::store(warp, env, observer, inst, &access, active, pc)?,
        Action::Atomic { access, op, ty, quiet } => {
            atomics::atomic(warp, env, observer, inst, &access, (op, ty), quiet, active, pc)?;
        }
        Action::Texture(fetch) => texture::fetch(warp, env, observer, inst, fetch, active, pc)?,
        Action::Surface(access) => surface::access(warp, env, observer, inst, &access, active, pc)?,
        Action::Branch { target } => {
            if active != warp.live {
                let passing = warp.paths[current].mask & !active;
                laps::step(warp, env.program, pc, target, active);
                laps::step(warp, env.program, pc, pc + 1, passing);
            }
            return Ok(branch(warp, current, target, active));
        }
        Action::BranchTable { first, count } => {
            return branch_table(warp, env.program, current, inst, (first, count), active);
        }
        Action::Call(call) => {
            return calls::enter(warp, env.program, observer, current, call, active, pc);
        }
        Action::Return => return Ok(calls::leave(warp, env.program, observer, current, active)),
        Action::Exit => return Ok(exit(warp, current, active)),
        Action::Barrier { counted, aligned, arrive } => {
            return barriers::of_block(
                warp,
                env,
                observer,
                current,
                inst,
                (counted, aligned, arrive),
                active,
            );
        }
        Action::BarrierReduce { counted, .. } => {
            return barriers::of_block(warp, env, observer, current, inst, (counted, true, false), active);
        }
        Action::GridBarrier => return barriers::of_grid(warp, env, current, active),
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
        | Action::Elect { .. }
        | Action::WarpBarrier => {
            let operation = inst.action.meeting().expect("lanes meet for these");
            return meeting::converge(warp, env.program, observer, current, (operation, inst), active);
        }
        Action::Fence => observer.fence(warp, active, inst.a != 0),
        Action::Asynchronous(step) => pending::step(warp, env, observer, step, active),
        Action::Nothing if inst.e == SLEEPS => {
            warp.paths[current].pc = pc + 1;
            return Ok(Next::Leave(Stop::Slice));
        }
        Action::Nothing => {}
        Action::Checked(run, hazard) => hazards::compute(warp, env, observer, (run, hazard), inst, active)?,
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
    let jumped = Path { pc: target, mask: taken, ..path.clone() };
    warp.spins += u32::from(target <= path.pc);
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
        warp.spins += u32::from(target <= pc);
        laps::step(warp, program, pc, target, group);
        let path = Path { pc: target, mask: group, ..warp.paths[current].clone() };
        warp.paths.push(path);
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
pub(super) fn isolate(warp: &mut Warp, current: usize, active: u32) {
    let path = &mut warp.paths[current];
    if path.mask != active {
        let rest = Path { pc: path.pc + 1, mask: path.mask & !active, ..path.clone() };
        path.mask = active;
        warp.paths.push(rest);
    }
}

pub(super) fn exit(warp: &mut Warp, current: usize, active: u32) -> Next {
    warp.live &= !active;
    let path = &mut warp.paths[current];
    path.mask &= !active;
    path.pc += 1;
    if path.mask == 0 {
        warp.paths.swap_remove(current);
    }
    Next::Reschedule
}
