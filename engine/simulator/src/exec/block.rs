//! One block: its warps take turns; barriers let them go when all have come.

use std::collections::BTreeMap;

use super::fault::{Fault, FaultKind, Remark};
use super::laps;
use super::meeting::meet;
use super::observer::Observer;
use super::order::Order;
use super::pending::Pending;
use super::reach::{self, called_apart};
use super::run::{Environment, External, Stop, run_warp};
use super::spare;
use super::warp::{Dimensions, GRID, Wait, Warp};
use crate::decode::{Action, Callee, Program, VoteMode};
use crate::layout::Layout;
use crate::memory::View;

/// Instructions of one turn. Long enough to keep a warp's registers in the cache, short enough that a warp
/// that spins on another's store does not burn its block's budget.
const SLICE: u64 = 4096;

/// A call from outside, `printf` for all lanes, takes as long as this many instructions.
const EXTERNAL_CALL: u64 = 500;

/// Instructions after which a block of a cooperative launch lets the others go on: it may be waiting for them.
const STRETCH: u64 = 4 * SLICE;

/// Shared memory of a fresh block holds this.
const UNDEFINED: u8 = 0xcb;

/// The properties that all blocks of a launch share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockShape<'a> {
    /// The kernel.
    pub program: &'a Program,
    /// Address ranges.
    pub layout: Layout,
    /// The parameter block.
    pub parameters: &'a [u8],
    /// Values of the program's preset columns.
    pub presets: &'a [u64],
    /// `gridDim`.
    pub grid: [u32; 3],
    /// `blockDim`.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// Whether all blocks are there at once and can wait for each other.
    pub cooperative: bool,
    /// Who runs first.
    pub order: Order,
}

/// Why a block does not run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pause {
    /// All its threads have ended.
    Ended,
    /// Its live threads wait for the rest of the grid.
    AtGridBarrier,
    /// It has run for a while beside the other blocks of a cooperative launch, and may be waiting for them.
    Yielded,
}

/// A block's state, reused from block to block.
#[derive(Debug)]
pub(crate) struct Block<'a> {
    shape: BlockShape<'a>,
    pub warps: Vec<Warp>,
    pub shared: Vec<u8>,
    /// Asynchronous copies to shared memory.
    pending: Pending,
    /// Instructions of one turn of a warp.
    pub slice: u64,
    /// Only this warp runs for now.
    pub alone: Option<usize>,
    /// Threads that `bar.arrive`d at each barrier and went on.
    arrived: [(u32, Option<u32>, u32); 16],
    /// Remarks of the block being run: remark, warp, lane.
    pub remarks: Vec<(Remark, u32, u32)>,
    /// What decides whether a thread comes to a barrier, for the barriers that were missed.
    deciding: BTreeMap<u32, Vec<(u32, bool)>>,
}

impl<'a> Block<'a> {
    /// A block of this shape, not yet at any index.
    pub fn new(shape: BlockShape<'a>) -> Self {
        let threads: u32 = shape.block.iter().product();
        let warps = (0..threads.div_ceil(32))
            .map(|index| Warp::new(shape.program, shape.presets, index, threads))
            .collect();
        let pending = Pending::default();
        Self {
            shape,
            warps,
            shared: Vec::new(),
            pending,
            slice: SLICE,
            alone: None,
            arrived: [(0, None, 0); 16],
            remarks: Vec::new(),
            deciding: BTreeMap::new(),
        }
    }

    /// Leaves the registers of its warps to later launches.
    pub fn end(self) {
        self.warps.into_iter().for_each(|warp| spare::keep(warp.regs));
    }

    /// Puts the block at `index`, its memory undefined.
    pub fn start(&mut self, index: [u32; 3]) {
        let BlockShape { program, grid, block, dynamic_shared, cooperative, order, .. } = self.shape;
        let rising = order == Order::LanesRising;
        let apart = rising || order == Order::LanesApart;
        let dimensions = Dimensions { grid, block, index, dynamic_shared, cooperative, apart, rising };
        for warp in &mut self.warps {
            warp.start(program, &dimensions);
        }
        self.shared.clear();
        self.shared.resize(program.shared_room(dynamic_shared), UNDEFINED);
        self.pending.reset(self.warps.len());
        self.arrived = [(0, None, 0); 16];
        self.remarks.clear();
    }

    /// Runs the block to its end or to the grid's barrier; in a cooperative launch, only for a while. `external` carries out calls to functions without a body.
    pub fn run<O: Observer>(
        &mut self,
        view: &mut View<'_>,
        observer: &mut O,
        budget: &mut u64,
        external: &mut dyn FnMut(&mut Warp, &mut View<'_>, External) -> Result<(), FaultKind>,
    ) -> Result<Pause, Fault> {
        let until = budget.saturating_sub(if self.slice < SLICE { 0 } else { STRETCH });
        let beside = self.shape.cooperative || self.shape.order.at_once();
        loop {
            let mut progress = false;
            let mut only_spins = true;
            let count = self.warps.len() as u64;
            for turn in 0..count {
                let number = self.shape.order.nth(turn, count) as usize;
                if self.alone.is_some_and(|alone| alone != number) {
                    continue;
                }
                let warp = &mut self.warps[number];
                if warp.pick().is_none() && !meet(warp, self.shape.program, observer) {
                    continue;
                }
                progress = true;
                only_spins &= self.turn(number, view, observer, budget, external)? == Stop::Spinning;
            }
            let released = self.release(observer);
            progress |= released;
            if self.warps.iter().all(Warp::done) {
                return Ok(Pause::Ended);
            }
            if !progress && self.all_at_grid_barrier() {
                self.judge_grid_barrier();
                return Ok(Pause::AtGridBarrier);
            }
            if !progress && self.alone.is_some() {
                return Ok(Pause::Yielded);
            }
            if !progress {
                return Err(self.deadlock());
            }
            // Other blocks have what its warps wait for.
            if beside && (*budget < until || only_spins && !released) {
                return Ok(Pause::Yielded);
            }
        }
    }

    fn turn<O: Observer>(
        &mut self,
        number: usize,
        view: &mut View<'_>,
        observer: &mut O,
        budget: &mut u64,
        external: &mut dyn FnMut(&mut Warp, &mut View<'_>, External) -> Result<(), FaultKind>,
    ) -> Result<Stop, Fault> {
        let program = self.shape.program;
        observer.turn(&self.warps[number]);
        loop {
            let warp = &mut self.warps[number];
            let mut env = Environment {
                program,
                layout: self.shape.layout,
                cooperative: self.shape.cooperative,
                parameters: self.shape.parameters,
                view: &mut *view,
                shared: &mut self.shared,
                pending: &mut self.pending,
                budget: &mut *budget,
                remarks: &mut self.remarks,
            };
            let stop = run_warp(warp, &mut env, observer, self.slice)?;
            for (id, threads, count, pc) in warp.arrived.drain(..) {
                let entry = &mut self.arrived[id as usize];
                *entry = (entry.0 + threads, count.or(entry.1), pc);
            }
            let Stop::External(call) = stop else { return Ok(stop) };
            let lane = call.mask.trailing_zeros();
            *budget = budget.saturating_sub(EXTERNAL_CALL);
            external(warp, view, call).map_err(|kind| Fault {
                kind,
                pc: call.pc,
                warp: number as u32,
                lane,
            })?;
            if let Callee::External { result, .. } = &program.calls[call.call as usize].callee {
                observer.external(warp, *result, call.mask);
            }
            super::calls::finish_external(warp, program, observer, call);
        }
    }

    /// Lets go the threads of every barrier that is complete; whether any was.
    fn release<O: Observer>(&mut self, observer: &mut O) -> bool {
        let at_barriers = self.used_barriers();
        if at_barriers == 0 {
            return false;
        }
        let live: u32 = self.warps.iter().map(|warp| warp.live.count_ones()).sum();
        let mut any = false;
        for id in (0..GRID).filter(|id| at_barriers >> id & 1 == 1) {
            let waiting = self.waiting_at(id);
            let (gone_on, gone_on_count, _) = self.arrived[id as usize];
            let threads: u32 = waiting.iter().map(|at| at.mask.count_ones()).sum::<u32>() + gone_on;
            if threads == 0 {
                continue;
            }
            let count = waiting.iter().find_map(|at| at.count).or(gone_on_count);
            // A counted barrier counts whole warps, as the hardware does.
            let come = match count {
                Some(_) => whole_warps(&waiting) + gone_on.next_multiple_of(32),
                None => threads,
            };
            if come < count.unwrap_or(live) || waiting.is_empty() {
                continue;
            }
            self.judge(id, &waiting, count.is_some(), live);
            if let Some(count) = count.filter(|&count| come > count) {
                let first = waiting[0];
                let remark = Remark::TooManyCame { pc: first.pc, id, count, come };
                self.remarks.push((remark, first.warp, first.mask.trailing_zeros()));
            }
            let mut participants = waiting.iter().map(|at| at.warp);
            observer.release(id, &mut participants, count.is_none());
            self.let_go(id);
            any = true;
        }
        any
    }

    /// A bit for each barrier that some thread has come to.
    fn used_barriers(&self) -> u32 {
        let mut bits = 0;
        for path in self.warps.iter().flat_map(|warp| &warp.paths) {
            if let Wait::Barrier { id, .. } = path.wait
                && id != GRID
            {
                bits |= 1 << id;
            }
        }
        for (id, (threads, _, _)) in self.arrived.iter().enumerate() {
            bits |= u32::from(*threads > 0) << id;
        }
        bits
    }

    fn waiting_at(&self, id: u32) -> Vec<Waiting> {
        let mut out = Vec::new();
        for (warp, state) in self.warps.iter().enumerate() {
            for path in &state.paths {
                if let Wait::Barrier { id: at, count } = path.wait
                    && at == id
                {
                    out.push(Waiting { warp: warp as u32, pc: path.pc, mask: path.mask, count });
                }
            }
        }
        out
    }

    /// Remarks on threads that met in a way no program should rely on.
    fn judge(&mut self, id: u32, waiting: &[Waiting], counted: bool, live: u32) {
        let first = waiting[0];
        let lane = first.mask.trailing_zeros();
        if let Some(other) = waiting.iter().find(|at| at.pc != first.pc) {
            let (a, b) = (first.pc.min(other.pc), first.pc.max(other.pc));
            self.remarks.push((Remark::MixedBarriers { pc: a, other: b }, first.warp, lane));
        }
        let program = self.shape.program;
        for warp in &self.warps {
            let apart = called_apart(warp, program, id).or_else(|| laps::apart(warp, program, id));
            if let Some((pc, lane)) = apart {
                self.remarks.push((Remark::DivergentBarrier { pc }, warp.index, lane));
            }
        }
        let born: u32 = self.warps.iter().map(|warp| warp.born.count_ones()).sum();
        // Lanes that went past the barrier and ended are already reported as divergent.
        let told = |(remark, ..): &(Remark, u32, u32)| *remark == Remark::DivergentBarrier { pc: first.pc };
        if !counted && live < born && !self.remarks.iter().any(told) {
            let rounds = self.warps.iter().any(|warp| laps::went_round(warp, program, first.pc));
            let deciding =
                self.deciding.entry(first.pc).or_insert_with(|| reach::deciding(program, first.pc));
            let missing = self.warps.iter().find(|warp| warp.live != warp.born);
            let left = missing.and_then(|warp| reach::left_at(warp, program, deciding));
            self.remarks.push((Remark::ExitedBarrier { pc: first.pc, rounds, left }, first.warp, lane));
        }
    }

    /// Whether every thread that lives waits for the rest of the grid.
    fn all_at_grid_barrier(&self) -> bool {
        let waits = |wait| matches!(wait, Wait::Barrier { id: GRID, .. });
        self.warps.iter().flat_map(|warp| &warp.paths).all(|path| waits(path.wait))
    }

    fn judge_grid_barrier(&mut self) {
        let live = self.warps.iter().map(|warp| warp.live.count_ones()).sum();
        let waiting = self.waiting_at(GRID);
        self.judge(GRID, &waiting, false, live);
    }

    /// Continues after the grid's barrier, which all blocks have reached.
    pub fn pass_grid_barrier(&mut self) {
        self.let_go(GRID);
    }

    /// Where the first thread stands that has not ended, best one that waits for nothing: instruction, warp, lane.
    pub fn first_waiting(&self) -> Option<(u32, u32, u32)> {
        let first = |warp: &Warp| {
            let path = warp.paths.iter().find(|path| path.wait == Wait::Nothing).or(warp.paths.first())?;
            Some((path.pc, warp.index, path.mask.trailing_zeros()))
        };
        let busy = |warp: &&Warp| warp.paths.iter().any(|path| path.wait == Wait::Nothing);
        self.warps.iter().find(busy).and_then(first).or_else(|| self.warps.iter().find_map(first))
    }

    fn let_go(&mut self, id: u32) {
        if let Some(arrived) = self.arrived.get_mut(id as usize) {
            *arrived = (0, None, 0);
        }
        let program = self.shape.program;
        let (mut yes, mut all) = (0, 0);
        for warp in &self.warps {
            for path in
                warp.paths.iter().filter(|path| matches!(path.wait, Wait::Barrier { id: at, .. } if at == id))
            {
                if let Action::BarrierReduce { negated, .. } = program.code[path.pc as usize].action {
                    let votes = warp.regs.pred[program.code[path.pc as usize].c as usize];
                    yes += (if negated { !votes } else { votes } & path.mask).count_ones();
                    all += path.mask.count_ones();
                }
            }
        }
        for warp in &mut self.warps {
            laps::reset(warp, id);
            for path in &mut warp.paths {
                if !matches!(path.wait, Wait::Barrier { id: at, .. } if at == id) {
                    continue;
                }
                let inst = &program.code[path.pc as usize];
                if let Action::BarrierReduce { mode, popc, .. } = inst.action {
                    let verdict = if mode == VoteMode::All { yes == all } else { yes > 0 };
                    for lane in (0..32).filter(|lane| path.mask >> lane & 1 == 1) {
                        if popc {
                            warp.regs.r32[inst.d as usize][lane] = yes;
                        } else {
                            let bits = &mut warp.regs.pred[inst.d as usize];
                            *bits = *bits & !(1 << lane) | u32::from(verdict) << lane;
                        }
                    }
                }
                path.wait = Wait::Nothing;
                laps::pass(&mut warp.passed, inst.location, path.mask);
                path.pc += 1;
            }
            warp.merge();
        }
    }

    fn deadlock(&self) -> Fault {
        let mut waiting: Vec<(u32, u32, bool)> = Vec::new();
        let mut first = None;
        for (number, warp) in self.warps.iter().enumerate() {
            for path in &warp.paths {
                first.get_or_insert((path.pc, number as u32, path.mask.trailing_zeros()));
                let at_barrier = matches!(path.wait, Wait::Barrier { .. });
                match waiting.iter_mut().find(|entry| entry.0 == path.pc) {
                    Some(entry) => entry.1 += path.mask.count_ones(),
                    None => waiting.push((path.pc, path.mask.count_ones(), at_barrier)),
                }
            }
        }
        waiting.sort_unstable();
        let (pc, warp, lane) = first.unwrap_or((0, 0, 0));
        Fault { kind: FaultKind::Deadlock { waiting }, pc, warp, lane }
    }
}

/// The threads of the warps that wait, each warp counted as a whole.
fn whole_warps(waiting: &[Waiting]) -> u32 {
    // They come warp by warp.
    32 * waiting.chunk_by(|one, next| one.warp == next.warp).count() as u32
}

/// A path at a barrier.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    warp: u32,
    pc: u32,
    mask: u32,
    count: Option<u32>,
}
