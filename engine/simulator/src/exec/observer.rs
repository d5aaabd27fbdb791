//! Who watches an execution: told of instructions, accesses and barriers, and never changing what happens. Each is a
//! type parameter of the executor, so that an absent one costs nothing.

use std::ops::Range;

use super::warp::Warp;
use crate::decode::{Copy, FunctionRange, Program};
use crate::isa::{Access, AccessKind, FULL, Inst, LANES};
use crate::memory::{Located, View};
use crate::ptx::ast::Space;

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
    /// Bytes per lane.
    pub bytes: u64,
    /// Distance from each active lane's address to the next one's, if the active lanes are neighbours and it is
    /// the same for all; 0 for a single lane.
    pub stride: Option<u64>,
}

impl<'a> Request<'a> {
    /// A request for `bytes` bytes at each active lane's address.
    pub fn new(space: Space, kind: AccessKind, mask: u32, addresses: &'a [u64; LANES], bytes: u64) -> Self {
        Self { space, kind, mask, addresses, bytes, stride: stride(addresses, mask) }
    }

    /// Address of the lowest active lane.
    pub fn first(&self) -> u64 {
        self.addresses[self.mask.trailing_zeros() as usize % LANES]
    }

    /// Bytes from the first to the last byte, if all active lanes' bytes follow each other without gaps.
    pub fn run(&self) -> Option<u64> {
        let count = u64::from(self.mask.count_ones());
        (self.stride == Some(self.bytes) || count == 1).then_some(self.bytes * count)
    }
}

fn stride(addresses: &[u64; LANES], mask: u32) -> Option<u64> {
    let first = mask.trailing_zeros() as usize % LANES;
    let count = mask.count_ones() as usize;
    if count < 2 {
        return Some(0);
    }
    let active = addresses.get(first..first + count)?;
    let stride = active[1].wrapping_sub(active[0]);
    let mut different = !(mask >> first) & FULL >> (LANES - count);
    let mut expected = active[0];
    for &address in active {
        let apart = address ^ expected;
        different |= apart as u32 | (apart >> 32) as u32;
        expected = expected.wrapping_add(stride);
    }
    (different == 0).then_some(stride)
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

    /// Byte `at` of the value that a lane stores.
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

/// The executor calls these methods. All but the first two have defaults, for analyses that do not need them.
pub(crate) trait Observer: Send {
    /// Whether it follows values through registers: [`Self::compute`] and [`Self::step`] are called.
    const REGISTERS: bool = false;
    /// Whether it wants to hear of memory: [`Self::access`] is called.
    const MEMORY: bool = true;
    /// Whether its findings count even if a fault ends the launch.
    const OUTLIVES_FAULTS: bool = false;
    /// An instruction is issued for the lanes in `mask`.
    fn issue(&mut self, pc: u32, mask: u32);
    /// Memory is about to be accessed.
    fn access(&mut self, pc: u32, request: &Request<'_>, place: &Place<'_>);
    /// An asynchronous copy, of which [`Self::access`] told when it was issued, reaches shared memory.
    #[inline(always)]
    fn landed(&mut self, _pc: u32, _request: &Request<'_>, _place: &Place<'_>) {}
    /// One pixel of each active lane of a texture fetch is about to be read. The lanes in `fresh` have not read
    /// from its sector yet in this fetch.
    #[inline(always)]
    fn texels(&mut self, pc: u32, request: &Request<'_>, _fresh: u32, place: &Place<'_>) {
        self.access(pc, request, place);
    }
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
    /// A function has returned: its local variables, these bytes, are no more.
    #[inline(always)]
    fn forget(&mut self, _warp: &Warp, _locals: &Range<u32>, _mask: u32) {}
    /// A function from outside has written its result.
    #[inline(always)]
    fn external(&mut self, _warp: &Warp, _result: Option<(u32, u32)>, _mask: u32) {}
    /// `bar.arrive` of this warp, which does not wait.
    #[inline(always)]
    fn arrive(&mut self, _id: u32, _warp: u32) {}
    /// Barrier `id` lets these warps go; `everyone` if it waits for all live threads of the block.
    #[inline(always)]
    fn release(&mut self, _id: u32, _waiting: &mut dyn Iterator<Item = u32>, _everyone: bool) {}
    /// The current block, of this number, waits for the rest of the grid: save the state of this block.
    #[inline(always)]
    fn park(&mut self, _number: u64) {}
    /// A parked block continues: restore its state.
    #[inline(always)]
    fn resume(&mut self, _number: u64) {}
    /// All blocks are parked, and go on: whatever any of them did is done for all of them.
    #[inline(always)]
    fn grid_barrier(&mut self) {}
    /// Whether its observations are valid only if one worker runs all blocks in order.
    #[inline(always)]
    fn in_doubt(&self) -> bool {
        false
    }
    /// Adds the observations of another worker's observer of the same launch. Must not depend on the order. Called only
    /// if neither is in doubt, no byte that one worker stored was used by another, and no byte was changed by
    /// two other than by the same commutative atomic; or if the result is thrown away.
    fn absorb(&mut self, other: Self)
    where
        Self: Sized;
}

/// Watches nothing.
#[derive(Debug, Default)]
pub(crate) struct Nobody;

impl Observer for Nobody {
    const MEMORY: bool = false;

    #[inline(always)]
    fn issue(&mut self, _pc: u32, _mask: u32) {}
    #[inline(always)]
    fn access(&mut self, _pc: u32, _request: &Request<'_>, _place: &Place<'_>) {}
    fn absorb(&mut self, _other: Self) {}
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn strides_are_those_of_neighbouring_active_lanes() {
        let mut addresses: [u64; LANES] = std::array::from_fn(|lane| 100 + 3 * lane as u64);
        for mask in [FULL, 0b1110, 3 << 30] {
            assert_eq!(stride(&addresses, mask), Some(3), "{mask:#x}");
        }
        assert_eq!(stride(&addresses, 0b101), None, "a gap");
        assert_eq!(stride(&addresses, 1 << 31), Some(0));
        addresses[4] += 1 << 40;
        assert_eq!(stride(&addresses, FULL), None);
        assert_eq!(stride(&addresses, 0b1111), Some(3));
        assert_eq!(stride(&[7; LANES], FULL), Some(0));
    }
}
