//! Loads whose value decides nothing.
//!
//! For `if (t == 0 && flag)` compilers load the flag in every thread and join the two conditions: a variable at a fixed
//! address can be read at any time. The program says that only thread 0 reads it. So where such a load is
//! executed, what follows from its value is tried out, for all values at once: a thread for which nothing does, has
//! not read.

use std::collections::{HashMap, HashSet};

use super::payload::{address, data};
use crate::decode::{Action, Inst, Program, Successor, Where};
use crate::exec::{FULL, LANES, Regs, Slot, Warp, lanes};
use crate::isa::actions;
use crate::observe::Numbering;
use crate::observe::initialisation::{Bench, Column, Flow, column_of, flows};
use crate::ptx::ast::Space;

/// Instructions that are followed from a load at most.
const MOST_FOLLOWED: usize = 48;

/// What is known while one load is followed.
struct Trail {
    regs: Regs,
    /// Bits of registers that are not known.
    unknown: HashMap<u32, Column>,
    /// Lanes in which a register depends on the load.
    ours: HashMap<u32, u32>,
    /// Lanes that need the value.
    needed: u32,
}

/// The loads of a program that may be made without need.
pub(super) struct Unneeded<'a> {
    program: &'a Program,
    numbering: Numbering,
    /// By instruction; empty if there are none.
    candidates: Vec<bool>,
    flows: Vec<Flow>,
    bench: Bench,
    live: HashMap<(u32, u32), bool>,
}

impl<'a> Unneeded<'a> {
    pub fn new(program: &'a Program) -> Self {
        let numbering = Numbering::new(program);
        let flows = flows(program, numbering);
        let fixed: HashSet<u32> = fixed(program, numbering);
        let is_candidate = |pc| is_candidate(program, numbering, &flows, &fixed, pc);
        let candidates: Vec<bool> = (0..program.code.len()).map(is_candidate).collect();
        let any = candidates.iter().any(|&candidate| candidate);
        let (candidates, flows) = if any { (candidates, flows) } else { (Vec::new(), Vec::new()) };
        Self { program, numbering, candidates, flows, bench: Bench::new(), live: HashMap::new() }
    }

    /// The lanes of `mask` that need what the load at `pc` brings.
    #[inline(always)]
    pub fn needed(&mut self, pc: u32, warp: &Warp, mask: u32) -> u32 {
        if self.candidates.get(pc as usize) == Some(&true) { self.follow(pc, warp, mask) } else { mask }
    }

    #[cold]
    fn follow(&mut self, load: u32, warp: &Warp, mask: u32) -> u32 {
        let Action::Load(access) = self.program.code[load as usize].action else { return mask };
        let slot = if access.wide { Slot::R64 } else { Slot::R32 };
        let loaded = self.number(slot, self.program.code[load as usize].d);
        let mut trail = Trail {
            regs: warp.regs.clone(),
            unknown: HashMap::from([(loaded, [u64::MAX; LANES])]),
            ours: HashMap::from([(loaded, mask)]),
            needed: 0,
        };
        let program = self.program;
        for pc in (load + 1..program.code.len() as u32).take(MOST_FOLLOWED) {
            let inst = &program.code[pc as usize];
            let guard = self.flows[pc as usize].guard;
            trail.need(guard, mask);
            let unsure = trail.unknown.get(&guard).map_or(0, unknown_lanes);
            let passes = trail.regs.pred[inst.guard as usize] ^ if inst.guard_negated { FULL } else { 0 };
            let (active, passed) = (mask & (passes | unsure), mask & (!passes | unsure));
            match inst.action {
                Action::Compute(_) if self.flows[pc as usize].row.is_some_and(|row| !row.carries) => {
                    self.compute(&mut trail, inst, pc, active & !unsure);
                    trail.forget(self.flows[pc as usize].destination, unsure);
                }
                Action::Load(from) => {
                    let slot = if from.wide_address { Slot::R64 } else { Slot::R32 };
                    trail.need(self.number(slot, inst.a), active);
                    for (slot, register) in data(program, from, inst.d) {
                        trail.forget(self.number(slot, register), active);
                    }
                }
                Action::Nothing => {}
                Action::Branch { target } => {
                    self.need_live(&mut trail, target, active);
                    self.need_live(&mut trail, pc + 1, passed);
                    return trail.needed;
                }
                Action::Exit | Action::Return => {
                    self.need_live(&mut trail, pc + 1, passed);
                    return trail.needed;
                }
                Action::Store(_)
                | Action::Atomic { .. }
                | Action::Texture(_)
                | Action::Surface(_)
                | Action::BranchTable { .. }
                | Action::Call(_)
                | Action::Trap
                | Action::Fence
                | Action::Asynchronous(_)
                | actions!(registers | warps | barriers) => {
                    self.need_live(&mut trail, pc, mask);
                    return trail.needed;
                }
            }
            if trail.needed == mask {
                return mask;
            }
        }
        mask
    }

    fn number(&self, slot: Slot, register: u16) -> u32 {
        self.numbering.of(self.program, slot, register)
    }

    /// Carries out a computation for the lanes in `active`.
    fn compute(&mut self, trail: &mut Trail, inst: &Inst, pc: u32, active: u32) {
        let flow = self.flows[pc as usize];
        let (Some(row), Action::Compute(run)) = (flow.row, inst.action) else { return };
        let mut values = [[0; LANES]; 4];
        for ((value, slot), register) in values.iter_mut().zip(row.ins).zip([inst.a, inst.b, inst.c, inst.e])
        {
            *value = match slot {
                Slot::R32 => trail.regs.r32[usize::from(register)].map(u64::from),
                Slot::R64 => trail.regs.r64[usize::from(register)],
                Slot::Pred => column_of(trail.regs.pred[usize::from(register)]),
            };
        }
        let sources = &flow.sources[..row.ins.len()];
        let known = sources.iter().all(|source| !trail.unknown.contains_key(source));
        let mut bits = [0; LANES];
        if !known {
            let unknown = flow.sources.map(|s| trail.unknown.get(&s).copied().unwrap_or([0; LANES]));
            bits = self.bench.apply(flow.rule, row, &values, &unknown);
        }
        let ours =
            sources.iter().filter_map(|source| trail.ours.get(source)).fold(0, |all, lanes| all | lanes);
        run(&mut trail.regs, inst, active);
        let column = trail.unknown.entry(flow.destination).or_insert([0; LANES]);
        for lane in lanes(active) {
            column[lane] = bits[lane];
        }
        let unknown = unknown_lanes(column);
        let depends = trail.ours.entry(flow.destination).or_insert(0);
        *depends = (*depends & !active | ours & active) & unknown;
        if unknown == 0 {
            trail.unknown.remove(&flow.destination);
        }
    }

    /// The lanes of `mask` need the load if they go on at `start`, and something that depends on it is read there.
    fn need_live(&mut self, trail: &mut Trail, start: u32, mask: u32) {
        let held: Vec<u32> = trail
            .ours
            .iter()
            .filter(|(_, lanes)| **lanes & mask != 0)
            .map(|(register, _)| *register)
            .collect();
        for register in held {
            if self.is_read(register, start) {
                trail.need(register, mask);
            }
        }
    }

    /// Whether some way from `start` on reads a register before it is written.
    fn is_read(&mut self, register: u32, start: u32) -> bool {
        if let Some(&known) = self.live.get(&(register, start)) {
            return known;
        }
        let mut open = vec![start];
        let mut seen = HashSet::new();
        let mut read = false;
        while let Some(pc) = open.pop() {
            let Some(inst) = self.program.code.get(pc as usize).filter(|_| seen.insert(pc)) else { continue };
            if self.reads(pc, inst, register) {
                read = true;
                break;
            }
            if inst.guard == 0 && self.writes(pc, inst, register) {
                continue;
            }
            match inst.action.successor() {
                Successor::Next => open.push(pc + 1),
                Successor::Jump(target) => open.push(target),
                Successor::Table { first, count } => {
                    let targets = &self.program.branch_tables[first as usize..(first + count) as usize];
                    open.extend(targets);
                }
                Successor::End => {}
            }
            if inst.guard != 0 && inst.action.successor() != Successor::Next {
                open.push(pc + 1);
            }
        }
        self.live.insert((register, start), read);
        read
    }

    /// Whether an instruction may read a register.
    fn reads(&self, pc: u32, inst: &Inst, register: u32) -> bool {
        let flow = &self.flows[pc as usize];
        let is = |slot, number| self.number(slot, number) == register;
        if flow.guard == register {
            return true;
        }
        match inst.action {
            Action::Compute(_) if flow.row.is_some() => flow.sources.contains(&register),
            Action::Load(from) => address(inst, from, is),
            Action::Store(to) => {
                address(inst, to, is) || data(self.program, to, inst.b).iter().any(|&(slot, r)| is(slot, r))
            }
            Action::Branch { .. }
            | Action::Return
            | Action::Exit
            | Action::Call(_)
            | Action::Nothing
            | Action::Fence
            | Action::GridBarrier => false,
            Action::Barrier { counted, .. } => is(Slot::R32, inst.a) || counted && is(Slot::R32, inst.b),
            Action::Atomic { access, .. } => {
                let slot = if access.wide { Slot::R64 } else { Slot::R32 };
                address(inst, access, is) || is(slot, inst.b) || is(slot, inst.c)
            }
            // Whichever operands it has.
            Action::Texture(_)
            | Action::Surface(_)
            | Action::BarrierReduce { .. }
            | Action::BranchTable { .. }
            | Action::Trap
            | Action::Asynchronous(_)
            | actions!(registers | warps) => [Slot::R32, Slot::R64, Slot::Pred]
                .into_iter()
                .any(|slot| [inst.a, inst.b, inst.c, inst.e].into_iter().any(|number| is(slot, number))),
        }
    }

    fn writes(&self, pc: u32, inst: &Inst, register: u32) -> bool {
        match inst.action {
            Action::Compute(_) => self.flows[pc as usize].destination == register,
            Action::Load(from) => {
                data(self.program, from, inst.d).iter().any(|&(slot, r)| self.number(slot, r) == register)
            }
            // What follows is not looked at behind one of them that writes.
            Action::Store(_)
            | Action::Atomic { .. }
            | Action::Texture(_)
            | Action::Surface(_)
            | Action::Checked(..)
            | Action::Clock { .. }
            | Action::IsSpace(_)
            | Action::ToGeneric { .. }
            | Action::FromGeneric { .. }
            | actions!(warps | barriers | jumps | ends | waits) => false,
        }
    }
}

impl Trail {
    /// Something is decided by `register` in the lanes of `mask`.
    fn need(&mut self, register: u32, mask: u32) {
        self.needed |= self.ours.get(&register).copied().unwrap_or(0) & mask;
    }

    /// A register holds something unknown that is not of the load.
    fn forget(&mut self, register: u32, mask: u32) {
        if mask == 0 {
            return;
        }
        let column = self.unknown.entry(register).or_insert([0; LANES]);
        for lane in lanes(mask) {
            column[lane] = u64::MAX;
        }
        if let Some(ours) = self.ours.get_mut(&register) {
            *ours &= !mask;
        }
    }
}

fn unknown_lanes(column: &Column) -> u32 {
    column.iter().enumerate().fold(0, |mask, (lane, bits)| mask | u32::from(*bits != 0) << lane)
}

/// Registers that hold the same for the whole launch.
fn fixed(program: &Program, numbering: Numbering) -> HashSet<u32> {
    let words = program.constants32.iter().map(|&(register, _)| (Slot::R32, register));
    let wide = program.constants64.iter().map(|&(register, _)| (Slot::R64, register));
    let truths = program.constant_preds.iter().map(|&(register, _)| (Slot::Pred, register));
    words.chain(wide).chain(truths).map(|(slot, register)| numbering.of(program, slot, register)).collect()
}

/// Whether the instruction is a load from a fixed address whose value something else can make void, before the next branch.
fn is_candidate(
    program: &Program,
    numbering: Numbering,
    flows: &[Flow],
    fixed: &HashSet<u32>,
    load: usize,
) -> bool {
    let inst = &program.code[load];
    let Action::Load(access) = inst.action else { return false };
    let slot = if access.wide_address { Slot::R64 } else { Slot::R32 };
    let space = matches!(access.space, Where::In(Space::Shared | Space::Global));
    if access.strong || access.vector != 1 || !space || !fixed.contains(&numbering.of(program, slot, inst.a))
    {
        return false;
    }
    let slot = if access.wide { Slot::R64 } else { Slot::R32 };
    let mut ours = vec![numbering.of(program, slot, inst.d)];
    // Results of bitwise operations with something else: a comparison of such a one is two conditions in one.
    let mut joined = Vec::new();
    for (inst, flow) in program.code[load + 1..].iter().zip(&flows[load + 1..]).take(MOST_FOLLOWED) {
        if !matches!(inst.action, Action::Compute(_) | Action::Load(_) | Action::Nothing) {
            return false;
        }
        let Some(row) = flow.row else { continue };
        let sources = &flow.sources[..row.ins.len()];
        if !sources.iter().any(|source| ours.contains(source)) {
            continue;
        }
        let opcode = row.forms.split(['.', '{']).next().unwrap_or_default();
        let beside = sources.iter().any(|source| !ours.contains(source) && !fixed.contains(source));
        let bitwise = matches!(opcode, "and" | "or" | "lop3");
        let compares = matches!(opcode, "setp") && sources.iter().any(|source| joined.contains(source));
        if compares || beside && (opcode == "selp" || bitwise && row.out == Slot::Pred) {
            return true;
        }
        if bitwise && beside {
            joined.push(flow.destination);
        }
        ours.push(flow.destination);
    }
    false
}
