//! Observers of execution: analyses that watch and never change what happens. Each is a type parameter of
//! the executor, so that one that is absent costs nothing.

mod chains;
mod combine;
mod count;
mod footprint;
mod initialisation;
mod numbering;
mod race;

use std::ops::Range;

use crate::decode::{Access, Copy, FunctionRange, Inst, Program};
use crate::exec::{AccessKind, LANES, Warp};
use crate::memory::{Located, Memory, View};
use crate::ptx::ast::Space;

pub(crate) use chains::Chains;
pub(crate) use combine::{All, Both};
pub(crate) use count::{Counting, LineTable};
pub(crate) use initialisation::{Initialisation, Origin, Sink, Undefined};
pub(crate) use race::{Party, Race, RaceKind, Races};

/// One memory request of a warp, checked and about to be carried out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'a> {
    /// State space, never generic.
    pub space: Space,
    /// Load, store or atomic.
    pub kind: AccessKind,
    /// Active lanes.
    pub mask: u32,
    /// Address in the space, by lane.
    pub addresses: &'a [u64; LANES],
    /// Bytes a lane.
    pub bytes: u64,
}

/// Where and by whom a request is made, before it is carried out.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    /// The warp, its registers as they were.
    pub warp: &'a Warp,
    /// The instruction.
    pub inst: &'a Inst,
    /// Its shape.
    pub access: &'a Access,
    /// The program.
    pub program: &'a Program,
    /// For global memory: where it lies.
    pub located: Option<Located>,
    /// The block's shared memory as it was.
    pub shared: &'a [u8],
    /// Global memory as it was.
    pub view: &'a View<'a>,
}

impl Place<'_> {
    /// The register column of a vector's element: loaded into, or stored from.
    pub fn data_register(&self, load: bool, element: usize) -> u16 {
        match (self.access.vector, load) {
            (1, true) => self.inst.d,
            (1, false) => self.inst.b,
            _ => self.program.lists[self.access.list as usize + element],
        }
    }

    /// Byte `at` of what a lane stores.
    pub fn stored_byte(&self, lane: usize, at: usize) -> u8 {
        let width = usize::from(self.access.width);
        let register = usize::from(self.data_register(false, at / width));
        let word = if self.access.wide {
            self.warp.regs.r64[register][lane]
        } else {
            u64::from(self.warp.regs.r32[register][lane])
        };
        (word >> (8 * (at % width))) as u8
    }
}

/// What an observer is told. All but the first three calls are for the analyses that need them.
pub(crate) trait Observer: Send {
    /// Whether it follows values through registers: [`Self::compute`] and [`Self::step`] are called.
    const REGISTERS: bool = false;
    /// Whether it has to see blocks one after another, on one worker.
    const SEQUENTIAL: bool = false;
    /// An instruction is issued for the lanes in `mask`.
    fn issue(&mut self, pc: u32, mask: u32);
    /// Memory is about to be accessed.
    fn request(&mut self, pc: u32, request: &Request<'_>, memory: &Memory);
    /// The same, with all its surroundings. Called after [`Self::request`], before memory changes.
    #[inline(always)]
    fn access(&mut self, _pc: u32, _request: &Request<'_>, _place: &Place<'_>) {}
    /// A block begins: its number in the grid.
    #[inline(always)]
    fn block(&mut self, _number: u64) {}
    /// A warp's turn begins.
    #[inline(always)]
    fn turn(&mut self, _warp: &Warp) {}
    /// A computing instruction is about to run for `active`, the lanes of `mask` that its guard lets pass.
    #[inline(always)]
    fn compute(&mut self, _warp: &Warp, _inst: &Inst, _pc: u32, _mask: u32, _active: u32) {}
    /// Any other instruction is about to run.
    #[inline(always)]
    fn step(&mut self, _warp: &Warp, _inst: &Inst, _pc: u32, _mask: u32, _active: u32) {}
    /// A fence; `wide` if it reaches beyond the block.
    #[inline(always)]
    fn fence(&mut self, _warp: &Warp, _mask: u32, _wide: bool) {}
    /// A warp-level operation is about to be carried out for the lanes in `ready`.
    #[inline(always)]
    fn converge(&mut self, _warp: &Warp, _inst: &Inst, _pc: u32, _ready: u32) {}
    /// Bytes of local memory are copied in the lanes of `mask`: arguments or results of a call.
    #[inline(always)]
    fn copy_local(&mut self, _warp: &Warp, _copies: &[Copy], _mask: u32) {}
    /// A function that may be running already is entered by the lanes of `mask`: its registers are put by, and
    /// its local variables lie in these bytes.
    #[inline(always)]
    fn enter(&mut self, _warp: &Warp, _function: &FunctionRange, _frame: &Range<u32>, _mask: u32) {}
    /// It returns: its registers are as they were.
    #[inline(always)]
    fn leave(&mut self, _warp: &Warp, _function: &FunctionRange, _mask: u32) {}
    /// A function from outside has written its result.
    #[inline(always)]
    fn external(&mut self, _warp: &Warp, _result: Option<(u32, u32)>, _mask: u32) {}
    /// `bar.arrive` of this warp, which goes on.
    #[inline(always)]
    fn arrive(&mut self, _id: u32, _warp: u32) {}
    /// Barrier `id` lets these warps go; `everyone` if it waits for all live threads of the block.
    #[inline(always)]
    fn release(&mut self, _id: u32, _waiting: &mut dyn Iterator<Item = u32>, _everyone: bool) {}
    /// Takes in what another worker's observer of the same launch saw. Must not depend on the order.
    fn absorb(&mut self, other: Self)
    where
        Self: Sized;
}

/// Watches nothing.
#[derive(Debug, Default)]
pub(crate) struct Nobody;

impl Observer for Nobody {
    #[inline(always)]
    fn issue(&mut self, _pc: u32, _mask: u32) {}
    #[inline(always)]
    fn request(&mut self, _pc: u32, _request: &Request<'_>, _memory: &Memory) {}
    fn absorb(&mut self, _other: Self) {}
}
