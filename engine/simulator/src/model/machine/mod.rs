//! What a kernel's machine code does, from what its PTX was seen to do.
//!
//! The simulator runs PTX; a GPU runs what the assembler made of it: instructions are fused, unrolled, moved. Where the machine
//! code is at hand, and tells for each instruction the line of the PTX that it was made of, the counted executions of the
//! PTX become executions of machine instructions: each basic block of the machine code runs as often as the PTX that
//! stands in it, divided among its copies. The control bits of the code say how long a warp by itself waits.
//!
//! Instructions are those of compute capability 9.0, whose encoding others share ([`CAPABILITIES`]). No code is read here: the caller
//! brings it. Left out: what a branch inside the expansion of one PTX instruction depends on (routines for rare operands are taken not to run).

mod blocks;
mod decode;
mod estimate;
mod fetches;
mod flow;
mod lines;
mod listing;
mod neighbours;
mod origin;
mod routines;
mod runs;
mod schedule;
mod waits;
mod work;

use std::collections::{BTreeMap, BTreeSet};

use blocks::{Block, blocks};
use decode::{Decoded, Unit, decoded};
use neighbours::neighbours;
use origin::{Origin, Place};

pub use super::gpu::CAPABILITIES;
pub use listing::Listing;
pub use work::MachineWork;

/// One machine instruction, and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MachineInstruction {
    /// Its 128 bits.
    pub word: u128,
    /// The line of the PTX that it was made of, from 1; 0 if not known.
    pub line: u32,
}

/// The machine code of one kernel, taken apart.
#[derive(Debug, Clone, PartialEq)]
pub struct MachineCode {
    instructions: Vec<Decoded>,
    blocks: Vec<Block>,
    /// By line of a load that may be far, the number of its neighbours.
    groups: BTreeMap<u32, usize>,
    /// Basic blocks that only rare operands lead to.
    rare: Vec<bool>,
    /// By basic block, those from which one can come to it.
    before: Vec<Vec<usize>>,
    /// Lines of the PTX that jumps were made of.
    jumps: BTreeSet<u32>,
    /// The basic block of the PTX that a line stands in.
    origins: BTreeMap<u32, u32>,
    /// By basic block of the PTX, where it stands in the machine code.
    places: BTreeMap<u32, Vec<Place>>,
}

impl MachineCode {
    /// Takes a kernel's code for compute capability `capability` (90 for 9.0) apart. `ptx`: the text it was made of. `None`
    /// if it does not say which.
    pub fn of(capability: u32, ptx: &Listing, code: &[MachineInstruction]) -> Option<Self> {
        let mut instructions = decoded(code, capability);
        fetches::name_lines(&mut instructions, ptx);
        routines::forget_lines(&mut instructions);
        if instructions.is_empty() || instructions.iter().all(|instruction| instruction.line == 0) {
            return None;
        }
        let blocks = blocks(&instructions);
        let origin = Origin::of(ptx);
        let groups = neighbours(&instructions, ptx);
        let rare = blocks::rare(&instructions, &blocks);
        let places = origin::places(&instructions, &blocks, &origin);
        let lines = instructions.iter().map(|instruction| instruction.line).filter(|line| *line != 0);
        let jumps = instructions.iter().filter(|one| one.unit == Unit::Jump && one.line != 0);
        let jumps = jumps.map(|one| one.line).collect();
        let before = blocks::before(&instructions, &blocks);
        let origins = lines.map(|line| (line, origin.block(line))).collect();
        Some(Self { instructions, blocks, groups, rare, before, jumps, origins, places })
    }

    /// Of compute capability 9.0.
    #[cfg(test)]
    fn new(ptx: &Listing, code: &[MachineInstruction]) -> Option<Self> {
        Self::of(90, ptx, code)
    }

    /// The instructions of a basic block.
    fn code_of(&self, block: usize) -> &[Decoded] {
        &self.instructions[self.blocks[block].clone()]
    }

    /// Its instructions, but for what pads its end.
    pub fn len(&self) -> usize {
        self.instructions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.instructions.is_empty()
    }
}

/// What a load is taken to last that the first-level cache does not have, in cycles.
pub const FAR: f64 = 600.0;

#[cfg(test)]
mod tests;
