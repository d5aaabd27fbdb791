//! Undefined bytes in memory.

use std::collections::HashMap;
use std::ops::Range;

use crate::exec::{LANES, Warp};
use crate::memory::{Memory, Validity};
use crate::ptx::ast::Space;

/// Where an undefined value came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A variable that was never assigned.
    Variable,
    /// Read from memory by this instruction, first at this address.
    Memory { pc: u32, space: Space, address: u64 },
    /// Read by this shuffle from a lane that takes no part in it.
    AbsentLane { pc: u32, lane: u32, absence: Absence },
}

/// Why a lane takes no part in a shuffle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Absence {
    /// The block has no such thread.
    Unborn,
    /// It has ended.
    Ended,
    /// The mask does not name it.
    Unnamed,
}

/// A byte somewhere: state space, owner (warp and lane of local memory), address.
pub(super) type Cell = (Space, u32, u64);

/// A byte of a lane's local memory.
fn local_cell(warp: &Warp, lane: usize, byte: usize) -> Cell {
    (Space::Local, warp.index * LANES as u32 + lane as u32, byte as u64)
}

/// Undefined bits of shared and local memory, undefined bytes of global memory.
#[derive(Debug)]
pub(super) struct Storage {
    /// Undefined bits of a block's shared memory.
    shared: Vec<u8>,
    /// Of each warp's local memory, lane after lane.
    local: Vec<Vec<u8>>,
    local_bytes: usize,
    /// Of each allocation.
    pub global: Vec<Validity>,
    /// Where undefined bytes that were stored came from.
    moved: HashMap<Cell, u32>,
}

/// The undefined bits of one block's own memory.
#[derive(Debug)]
pub(super) struct OfBlock {
    shared: Vec<u8>,
    local: Vec<Vec<u8>>,
    moved: HashMap<Cell, u32>,
}

impl Storage {
    pub fn new(memory: &Memory, shared: usize, local_bytes: usize, threads: usize) -> Self {
        let local_bytes = local_bytes.next_multiple_of(16);
        let lanes = |warp: usize| (threads - warp * LANES).min(LANES);
        Self {
            shared: vec![0xff; shared],
            local: (0..threads.div_ceil(LANES)).map(|warp| vec![0xff; local_bytes * lanes(warp)]).collect(),
            local_bytes,
            global: memory.allocations().iter().map(|allocation| allocation.defined.clone()).collect(),
            moved: HashMap::new(),
        }
    }

    /// A new block.
    pub fn reset(&mut self) {
        self.shared.fill(0xff);
        self.local.iter_mut().for_each(|local| local.fill(0xff));
        if !self.moved.is_empty() {
            self.moved.retain(|(space, ..), _| *space == Space::Global);
        }
    }

    /// Puts the current block by; the next one begins anew.
    pub fn park(&mut self) -> OfBlock {
        let fresh = vec![0xff; self.shared.len()];
        let shared = std::mem::replace(&mut self.shared, fresh);
        let local = self.local.clone();
        let moved = self.moved.iter().filter(|((space, ..), _)| *space != Space::Global);
        let moved = moved.map(|(cell, origin)| (*cell, *origin)).collect();
        self.reset();
        OfBlock { shared, local, moved }
    }

    /// Goes on with a block that was put by.
    pub fn resume(&mut self, block: OfBlock) {
        self.reset();
        (self.shared, self.local) = (block.shared, block.local);
        self.moved.extend(block.moved);
    }

    /// A block's shared memory.
    pub fn shared(&mut self) -> &mut [u8] {
        &mut self.shared
    }

    /// A lane's local memory.
    pub fn local(&mut self, warp: &Warp, lane: usize) -> &mut [u8] {
        let bytes = self.local_bytes;
        &mut self.local[warp.index as usize][lane * bytes..(lane + 1) * bytes]
    }

    /// Copies what is known of a lane's local bytes, with where undefined ones came from.
    pub fn copy_local(&mut self, warp: &Warp, lane: usize, from: Range<usize>, to: usize) {
        let local = self.local(warp, lane);
        local.copy_within(from.clone(), to);
        if self.moved.is_empty() {
            return;
        }
        for (at, byte) in from.enumerate() {
            let origin = self.came_from(local_cell(warp, lane, byte));
            self.moved(local_cell(warp, lane, to + at), origin);
        }
    }

    /// A lane's local bytes as those of a new frame: undefined, and from nowhere.
    pub fn forget_local(&mut self, warp: &Warp, lane: usize, bytes: Range<usize>) {
        self.local(warp, lane)[bytes.clone()].fill(0xff);
        if !self.moved.is_empty() {
            bytes.for_each(|byte| self.moved(local_cell(warp, lane, byte), None));
        }
    }

    /// Notes where an undefined byte that is being stored came from, or that it is defined now.
    pub fn moved(&mut self, cell: Cell, origin: Option<u32>) {
        match origin {
            Some(origin) => {
                self.moved.insert(cell, origin);
            }
            None if self.moved.is_empty() => {}
            None => {
                self.moved.remove(&cell);
            }
        }
    }

    /// Where an undefined byte in memory came from, if it was stored.
    pub fn came_from(&self, cell: Cell) -> Option<u32> {
        self.moved.get(&cell).copied()
    }
}
