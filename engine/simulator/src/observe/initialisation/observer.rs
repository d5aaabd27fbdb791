//! The initialisation observer: follows undefined bits, and groups their uses.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::flow::{Flow, flows};
use super::registers::Registers;
use super::rules::{Bench, Column};
use super::storage::{Absence, OfBlock, Origin, Storage};
use super::uses::{Sink, Undefined};
use crate::decode::{Action, AtomicOp, Copy, FunctionRange, Inst, Program};
use crate::exec::{AccessKind, LANES, Slot, Warp, lanes};
use crate::memory::{Memory, Validity};
use crate::observe::numbering::Numbering;
use crate::observe::{Observer, Place, Request};
use crate::ptx::ast::Space;

/// Marks the origin of a value that was computed from undefined bits, rather than moved.
pub(super) const COMPUTED: u32 = 1 << 31;

/// The most elements whose own origins are kept; all further ones have that of their array's first.
const MOST_ELEMENTS: usize = 1 << 14;

/// The initialisation observer.
pub(crate) struct Initialisation<'a> {
    pub(super) program: &'a Program,
    numbering: Numbering,
    flows: Vec<Flow>,
    /// Numbers of the registers that some path reads before it writes them.
    unassigned: Vec<u32>,
    warps: Vec<Registers>,
    pub(super) storage: Storage,
    bench: Bench,
    /// Each with the number of the first one of its instruction and array.
    origins: Vec<(Origin, u32)>,
    /// The first origins of instructions and arrays.
    arrays: HashMap<(u32, Space, u64), u32>,
    /// The origins of elements, by the first one of their array and their address.
    elements: HashMap<(u32, u64), u32>,
    /// The origins of what shuffles read from absent lanes, by instruction, lane and why it is absent.
    absent: HashMap<(u32, u32, Absence), u32>,
    block: u64,
    /// Registers, shared and local memory of blocks that wait for the grid.
    parked: BTreeMap<u64, (Vec<Registers>, OfBlock)>,
    /// An undefined value was stored in global memory: what other blocks did before and after matters.
    pub(super) between_blocks: bool,
    found: BTreeMap<(Sink, u32, u32), Undefined>,
}

impl<'a> Initialisation<'a> {
    /// For a launch of `program` with blocks of so many threads and bytes of shared memory.
    pub fn new(program: &'a Program, memory: &Memory, threads: u32, shared: usize) -> Self {
        let numbering = Numbering::new(program);
        let warps = threads.div_ceil(LANES as u32) as usize;
        Self {
            program,
            numbering,
            flows: flows(program, numbering),
            unassigned: program.undefined.iter().map(|&(slot, r)| numbering.of(program, slot, r)).collect(),
            warps: vec![Registers::new(numbering.count); warps],
            storage: Storage::new(memory, shared, program.local_bytes, threads as usize),
            bench: Bench::new(),
            origins: vec![(Origin::Variable, 0)],
            arrays: HashMap::new(),
            elements: HashMap::new(),
            absent: HashMap::new(),
            block: 0,
            parked: BTreeMap::new(),
            between_blocks: false,
            found: BTreeMap::new(),
        }
    }

    /// The findings, and which bytes of each allocation are defined now.
    pub fn finish(self) -> (impl Iterator<Item = Undefined>, Vec<Validity>) {
        (self.found.into_values(), self.storage.global)
    }

    /// Takes up which bytes of each allocation are defined, where others than the program write and allocate. Moved, not
    /// copied: a host function makes many calls, and an eighth of its memory would be copied at each.
    pub fn take_up(&mut self, memory: &mut Memory) {
        self.storage.global = memory.take_defined();
    }

    /// Hands over which bytes of each allocation are defined; [`Self::take_up`] has to follow.
    pub fn hand_over(&mut self) -> Vec<Validity> {
        std::mem::take(&mut self.storage.global)
    }

    /// The undefined bits of the first lane's local memory, which others than the program may read and write.
    pub fn local(&mut self, warp: &Warp) -> &mut [u8] {
        self.storage.local(warp, 0)
    }

    pub(super) fn number(&self, slot: Slot, register: u16) -> u32 {
        self.numbering.of(self.program, slot, register)
    }

    pub(super) fn registers(&mut self, warp: &Warp) -> &mut Registers {
        &mut self.warps[warp.index as usize]
    }

    /// Marks a register defined.
    pub(super) fn define(&mut self, warp: &Warp, slot: Slot, register: u16, mask: u32) {
        let number = self.number(slot, register);
        self.registers(warp).dirty[number as usize] &= !mask;
    }

    /// Reports the lanes of `mask` in which a register is undefined, and takes it for defined from here on.
    fn report(&mut self, warp: &Warp, sink: Sink, pc: u32, register: u32, mask: u32) {
        let registers = &mut self.warps[warp.index as usize];
        let dirty = registers.dirty[register as usize] & mask;
        if dirty == 0 {
            return;
        }
        registers.dirty[register as usize] &= !dirty;
        for lane in lanes(dirty) {
            let origin = self.warps[warp.index as usize].origin(register, lane);
            self.record(warp, sink, pc, lane, origin);
        }
    }

    pub(super) fn record(&mut self, warp: &Warp, sink: Sink, pc: u32, lane: usize, origin: u32) {
        let (origin, array) = self.origins[(origin & !COMPUTED) as usize];
        let entry = self.found.entry((sink, pc, array)).or_insert(Undefined {
            sink,
            pc,
            origin,
            block: self.block,
            warp: warp.index,
            lane: lane as u32,
            count: 0,
        });
        entry.count += 1;
    }

    /// The number of an origin in memory: one for each instruction and element, of the first elements of an array.
    pub(super) fn origin(&mut self, pc: u32, space: Space, address: u64, array: u64) -> u32 {
        let number = self.origins.len() as u32;
        let first = *self.arrays.entry((pc, space, array)).or_insert(number);
        if let Some(known) = self.elements.get(&(first, address)) {
            return *known;
        }
        if self.elements.len() >= MOST_ELEMENTS && first != number {
            return first;
        }
        self.elements.insert((first, address), number);
        self.origins.push((Origin::Memory { pc, space, address }, first));
        number
    }

    /// The number of the origin of what a shuffle reads from absent lanes.
    pub(super) fn absent_lane(&mut self, pc: u32, lane: u32, absence: Absence) -> u32 {
        *self.absent.entry((pc, lane, absence)).or_insert_with(|| {
            let number = self.origins.len() as u32;
            self.origins.push((Origin::AbsentLane { pc, lane, absence }, number));
            number
        })
    }

    /// The values of a computing instruction's sources.
    fn values(warp: &Warp, inst: &Inst, flow: &Flow) -> [Column; 4] {
        let mut values = [[0; LANES]; 4];
        let registers = [inst.a, inst.b, inst.c, inst.e];
        let slots = flow.row.map_or(&[][..], |row| row.ins);
        for ((value, slot), register) in values.iter_mut().zip(slots).zip(registers) {
            let register = usize::from(register);
            *value = match slot {
                Slot::R32 => warp.regs.r32[register].map(u64::from),
                Slot::R64 => warp.regs.r64[register],
                Slot::Pred => super::rules::column_of(warp.regs.pred[register]),
            };
        }
        values
    }

    /// A computation that reads something undefined.
    #[cold]
    fn compute_slowly(&mut self, warp: &Warp, inst: &Inst, pc: u32, mask: u32, active: u32) {
        let flow = self.flows[pc as usize];
        let Some(row) = flow.row else { return };
        let values = Self::values(warp, inst, &flow);
        let registers = &mut self.warps[warp.index as usize];
        let undefined = flow.sources.map(|source| registers.bits(source));
        let mut bits = self.bench.apply(flow.rule, row, &values, &undefined);
        let mut origin = [0; LANES];
        for lane in lanes(mask) {
            let source = flow.sources.iter().find(|&&s| registers.dirty[s as usize] >> lane & 1 == 1);
            origin[lane] = source.map_or(0, |&source| registers.origin(source, lane));
        }
        if flow.rule.computes() {
            for origin in &mut origin {
                *origin |= COMPUTED;
            }
        }
        // Whether it runs at all is undefined where its guard is.
        let unsure = registers.dirty[flow.guard as usize] & mask;
        for lane in lanes(unsure) {
            bits[lane] = if row.out == Slot::R64 { u64::MAX } else { u64::from(u32::MAX) };
            origin[lane] = registers.origin(flow.guard, lane);
        }
        registers.put(flow.destination, &bits, &origin, active | unsure);
        if flow.carry != 0 {
            registers.put(flow.carry, &bits.map(|bits| u64::from(bits != 0)), &origin, active | unsure);
        }
    }

    /// Checks the operands of an instruction that decides something by them.
    pub(super) fn check(&mut self, warp: &Warp, sink: Sink, pc: u32, registers: &[(Slot, u16)], mask: u32) {
        for &(slot, register) in registers {
            let number = self.number(slot, register);
            self.report(warp, sink, pc, number, mask);
        }
    }
}

impl Observer for Initialisation<'_> {
    const REGISTERS: bool = true;
    const OUTLIVES_FAULTS: bool = true;

    fn issue(&mut self, _pc: u32, _mask: u32) {}

    fn block(&mut self, number: u64) {
        self.block = number;
        for warp in &mut self.warps {
            warp.reset(&self.unassigned, 0);
        }
        self.storage.reset();
    }

    #[inline(always)]
    fn compute(&mut self, warp: &Warp, inst: &Inst, pc: u32, mask: u32, active: u32) {
        let flow = &self.flows[pc as usize];
        let dirty = &mut self.warps[warp.index as usize].dirty[..];
        let [a, b, c, e] = flow.sources.map(|source| dirty[source as usize]);
        if (a | b | c | e | dirty[flow.guard as usize]) & mask == 0 {
            dirty[flow.destination as usize] &= !active;
            dirty[flow.carry as usize] &= !active;
            return;
        }
        self.compute_slowly(warp, inst, pc, mask, active);
    }

    fn step(&mut self, warp: &Warp, inst: &Inst, pc: u32, mask: u32, active: u32) {
        let guard = self.flows[pc as usize].guard;
        self.report(warp, Sink::Condition, pc, guard, mask);
        match inst.action {
            Action::BranchTable { .. } => {
                self.check(warp, Sink::Condition, pc, &[(Slot::R32, inst.a)], active);
            }
            Action::Load(access) | Action::Store(access) => {
                let slot = if access.wide_address { Slot::R64 } else { Slot::R32 };
                self.check(warp, Sink::Address, pc, &[(slot, inst.a)], active);
            }
            Action::Atomic { access, op, .. } => {
                let slot = if access.wide_address { Slot::R64 } else { Slot::R32 };
                self.check(warp, Sink::Address, pc, &[(slot, inst.a)], active);
                let slot = if access.wide { Slot::R64 } else { Slot::R32 };
                self.check(warp, Sink::Atomic, pc, &[(slot, inst.b)], active);
                if op == AtomicOp::Cas {
                    self.check(warp, Sink::Atomic, pc, &[(slot, inst.c)], active);
                }
            }
            Action::Texture(fetch) => {
                self.check(warp, Sink::Address, pc, &[(Slot::R64, inst.a)], active);
                let program = self.program;
                let columns = &program.lists[fetch.list as usize..][..4 + usize::from(fetch.axes)];
                for &coordinate in &columns[4..] {
                    self.check(warp, Sink::Address, pc, &[(Slot::R32, coordinate)], active);
                }
                for &result in &columns[..4] {
                    self.define(warp, Slot::R32, result, active);
                }
            }
            Action::Surface(surface) => {
                let place = [(Slot::R64, inst.a), (Slot::R32, inst.c), (Slot::R32, inst.e)];
                self.check(warp, Sink::Address, pc, &place[..=usize::from(surface.axes)], active);
                let slot = if surface.access.wide { Slot::R64 } else { Slot::R32 };
                for element in 0..usize::from(surface.access.vector) {
                    // Lanes outside read zeros; `access` follows for the others.
                    let register = match surface.access.vector {
                        1 => inst.d,
                        _ => self.program.lists[surface.access.list as usize + element],
                    };
                    if !surface.store {
                        self.define(warp, slot, register, active);
                    }
                }
            }
            Action::Barrier { counted, .. } | Action::BarrierReduce { counted, .. } => {
                self.check(warp, Sink::Participants, pc, &[(Slot::R32, inst.a)], active);
                if counted {
                    self.check(warp, Sink::Participants, pc, &[(Slot::R32, inst.b)], active);
                }
                if let Action::BarrierReduce { popc, .. } = inst.action {
                    self.define(warp, if popc { Slot::R32 } else { Slot::Pred }, inst.d, active);
                }
            }
            Action::ToGeneric { wide, .. } | Action::FromGeneric { wide, .. } => {
                let slot = if wide { Slot::R64 } else { Slot::R32 };
                let (from, to) = (self.number(slot, inst.a), self.number(slot, inst.d));
                let registers = self.registers(warp);
                if registers.dirty[from as usize] & active == 0 {
                    registers.dirty[to as usize] &= !active;
                } else {
                    let (bits, origin) =
                        (registers.bits(from), std::array::from_fn(|lane| registers.origin(from, lane)));
                    registers.put(to, &bits, &origin, active);
                }
            }
            Action::IsSpace(_) => {
                self.check(warp, Sink::Address, pc, &[(Slot::R64, inst.a)], active);
                self.define(warp, Slot::Pred, inst.d, active);
            }
            Action::Clock { wide } => {
                self.define(warp, if wide { Slot::R64 } else { Slot::R32 }, inst.d, active);
            }
            Action::ActiveMask => self.define(warp, Slot::R32, inst.d, active),
            // Watched in `compute` and `converge`.
            Action::Compute(_)
            | Action::Checked(..)
            | Action::Shuffle { .. }
            | Action::Vote { .. }
            | Action::Match { .. }
            | Action::Reduce(_)
            | Action::Elect { .. }
            | Action::WarpBarrier
            // No operand but the guard, or a function's, which decide nothing here.
            | Action::Branch { .. }
            | Action::Call(_)
            | Action::Return
            | Action::Exit
            | Action::GridBarrier
            | Action::Fence
            | Action::Trap
            | Action::Asynchronous(_)
            | Action::Nothing => {}
        }
    }

    fn access(&mut self, pc: u32, request: &Request<'_>, place: &Place<'_>) {
        match (request.kind, place.inst.action) {
            (AccessKind::Read, Action::Texture(fetch)) => self.fetch(pc, request, place, fetch),
            (AccessKind::Read, _) => self.load(pc, request, place),
            (AccessKind::Write, _) => self.store(pc, request, place),
            (AccessKind::Atomic, Action::Atomic { op, .. }) => self.atomic(pc, request, place, op),
            (AccessKind::Atomic, _) => {}
        }
    }

    fn converge(&mut self, warp: &Warp, inst: &Inst, pc: u32, ready: u32) {
        self.meet(warp, inst, pc, ready);
    }

    fn copy_local(&mut self, warp: &Warp, copies: &[Copy], mask: u32) {
        for copy in copies {
            let (from, to, bytes) = (copy.from as usize, copy.to as usize, copy.bytes as usize);
            for lane in lanes(mask) {
                self.storage.copy_local(warp, lane, from..from + bytes, to);
            }
        }
    }

    fn enter(&mut self, warp: &Warp, function: &FunctionRange, frame: &Range<u32>, mask: u32) {
        for lane in lanes(mask) {
            self.storage.forget_local(warp, lane, frame.start as usize..frame.end as usize);
        }
        let registers = self.numbering.all(self.program, function);
        let unassigned = &self.unassigned;
        self.warps[warp.index as usize].put_by(registers, |register| unassigned.contains(&register), mask);
    }

    fn leave(&mut self, warp: &Warp, function: &FunctionRange, mask: u32) {
        let registers = self.numbering.all(self.program, function);
        self.registers(warp).take_back(registers, mask);
    }

    fn forget(&mut self, warp: &Warp, locals: &Range<u32>, mask: u32) {
        for lane in lanes(mask) {
            self.storage.forget_local(warp, lane, locals.start as usize..locals.end as usize);
        }
    }

    fn external(&mut self, warp: &Warp, result: Option<(u32, u32)>, mask: u32) {
        if let Some((offset, bytes)) = result {
            for lane in lanes(mask) {
                self.storage.local(warp, lane)[offset as usize..(offset + bytes) as usize].fill(0);
            }
        }
    }

    fn park(&mut self, number: u64) {
        let fresh = vec![Registers::new(self.numbering.count); self.warps.len()];
        let warps = std::mem::replace(&mut self.warps, fresh);
        self.parked.insert(number, (warps, self.storage.park()));
    }

    fn resume(&mut self, number: u64) {
        let (warps, storage) = self.parked.remove(&number).expect("who goes on was parked");
        self.block = number;
        self.warps = warps;
        self.storage.resume(storage);
    }

    /// Findings are made again in order, so that their counts and examples are those of one worker.
    fn in_doubt(&self) -> bool {
        self.between_blocks || !self.found.is_empty()
    }

    fn absorb(&mut self, other: Self) {
        for (mine, theirs) in self.storage.global.iter_mut().zip(&other.storage.global) {
            mine.join(theirs);
        }
    }
}
