//! Your own observer: told of every instruction and memory access of a launch, in the order of execution.
//!
//! Implement [`Observer`] and run it with [`crate::Device::launch_observed`].

use std::any::Any;

use crate::decode::Program;
use crate::exec::{self, Divisor, Place, Request, Warp};
use crate::finding::Location;
pub use crate::isa::AccessKind;
use crate::isa::{Inst, LANES};
use crate::lines::LineTable;
pub use crate::ptx::ast::Space;

/// An instruction that a warp executes.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// Linear index of the block in its grid.
    pub block: u64,
    /// Number of the warp in its block.
    pub warp: u32,
    /// The lanes that execute it, a bit each: 0 if the guard lets none pass.
    pub mask: u32,
    /// Line of the PTX text, from 1.
    pub ptx_line: u32,
    /// Line of the source, if the PTX has line information.
    pub location: Option<&'a Location>,
}

/// A load, store or atomic of a warp: checked, and about to be carried out.
#[derive(Debug, Clone, Copy)]
pub struct Access<'a> {
    /// State space. Generic addresses are resolved.
    pub space: Space,
    /// Load, store or atomic.
    pub kind: AccessKind,
    /// Address per lane; lanes outside [`Step::mask`] hold arbitrary values. Shared and local memory begin at 0.
    pub addresses: &'a [u64; LANES],
    /// Bytes per lane.
    pub bytes: u64,
}

/// Watches a launch, and never changes what happens.
///
/// Blocks are spread over threads, each with an observer of its own; [`Self::absorb`] puts them together. The executor may
/// find that blocks depend on each other; it then forgets what the observers saw and runs the launch again on one
/// thread, with a fresh observer.
pub trait Observer: Send {
    /// A block begins: its linear index in the grid.
    fn block(&mut self, number: u64) {
        let _ = number;
    }

    /// An instruction is executed.
    fn instruction(&mut self, step: &Step<'_>) {
        let _ = step;
    }

    /// Memory is accessed. [`Step::mask`] has the lanes of this request: a generic access to several state spaces is one
    /// request per space. Each texel per lane of a texture fetch is a request, too.
    fn access(&mut self, step: &Step<'_>, access: &Access<'_>) {
        let _ = (step, access);
    }

    /// The lanes of [`Step::mask`] divide by zero, which is no fault on a GPU. `float`: numbers, not integers. A division whose result
    /// may be dropped afterwards is not told.
    fn zero_divisor(&mut self, step: &Step<'_>, float: bool) {
        let _ = (step, float);
    }

    /// Barrier `id` of the current block is complete, and its threads go on.
    fn barrier(&mut self, id: u32) {
        let _ = id;
    }

    /// Takes in what the observer of other blocks saw. The result must not depend on the order.
    fn absorb(&mut self, other: Self)
    where
        Self: Sized;
}

/// An observer whose type is forgotten. The executor is compiled once for all of them; a copy of it for each one would be
/// compiled in the crate that has it.
pub(crate) trait Erased: Send {
    fn block(&mut self, number: u64);
    fn instruction(&mut self, step: &Step<'_>);
    fn access(&mut self, step: &Step<'_>, access: &Access<'_>);
    fn zero_divisor(&mut self, step: &Step<'_>, float: bool);
    fn barrier(&mut self, id: u32);
    /// Takes in another of the same type.
    fn absorb(&mut self, other: Box<dyn Erased>);
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

impl<O: Observer + 'static> Erased for O {
    fn block(&mut self, number: u64) {
        Observer::block(self, number);
    }

    fn instruction(&mut self, step: &Step<'_>) {
        Observer::instruction(self, step);
    }

    fn access(&mut self, step: &Step<'_>, access: &Access<'_>) {
        Observer::access(self, step, access);
    }

    fn zero_divisor(&mut self, step: &Step<'_>, float: bool) {
        Observer::zero_divisor(self, step, float);
    }

    fn barrier(&mut self, id: u32) {
        Observer::barrier(self, id);
    }

    fn absorb(&mut self, other: Box<dyn Erased>) {
        Observer::absorb(self, recovered(other));
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// The observer again; the caller knows its type.
pub(crate) fn recovered<O: 'static>(observer: Box<dyn Erased>) -> O {
    *observer.into_any().downcast().expect("all observers of a launch have one type")
}

/// Passes on to a user's observer what the executor tells.
pub(crate) struct Adapter<'a> {
    pub observer: Box<dyn Erased>,
    program: &'a Program,
    lines: &'a LineTable,
    divisors: Vec<Option<Divisor>>,
    block: u64,
    warp: u32,
}

impl<'a> Adapter<'a> {
    pub fn new(observer: Box<dyn Erased>, program: &'a Program, lines: &'a LineTable) -> Self {
        Self { observer, program, lines, divisors: exec::divisors(program), block: 0, warp: 0 }
    }

    fn at(&self, pc: u32, mask: u32) -> Step<'a> {
        let index = pc as usize;
        Step {
            block: self.block,
            warp: self.warp,
            mask,
            ptx_line: self.program.lines[index],
            location: self.lines.get(self.program.code[index].location),
        }
    }
}

impl exec::Observer for Adapter<'_> {
    const OUTLIVES_FAULTS: bool = true;
    const REGISTERS: bool = true;

    fn compute(&mut self, warp: &Warp, _inst: &Inst, pc: u32, _mask: u32, active: u32) {
        let Some(divisor) = self.divisors[pc as usize] else { return };
        let zeros = divisor.zeros(&warp.regs, active);
        if zeros != 0 {
            let step = self.at(pc, zeros);
            // The compiler gives a part of a division in 64 bits no line.
            let before = || self.program.code[..pc as usize].iter().rev();
            let location = step.location.or_else(|| before().find_map(|inst| self.lines.get(inst.location)));
            self.observer.zero_divisor(&Step { location, ..step }, divisor.float);
        }
    }

    fn issue(&mut self, pc: u32, mask: u32) {
        let step = self.at(pc, mask);
        self.observer.instruction(&step);
    }

    fn access(&mut self, pc: u32, request: &Request<'_>, _place: &Place<'_>) {
        let step = self.at(pc, request.mask);
        let &Request { space, kind, addresses, bytes, .. } = request;
        self.observer.access(&step, &Access { space, kind, addresses, bytes });
    }

    fn block(&mut self, number: u64) {
        self.block = number;
        self.observer.block(number);
    }

    fn resume(&mut self, number: u64) {
        self.block = number;
    }

    fn turn(&mut self, warp: &Warp) {
        self.warp = warp.index;
    }

    fn release(&mut self, id: u32, _waiting: &mut dyn Iterator<Item = u32>, _everyone: bool) {
        self.observer.barrier(id);
    }

    fn absorb(&mut self, other: Self) {
        self.observer.absorb(other.observer);
    }
}
