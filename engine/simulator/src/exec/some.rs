//! Some blocks of a launch, watched: a sample of one that is too large to be watched whole.

use std::sync::atomic::AtomicU64;

use super::block::Block;
use super::grid::{GridSpec, Part, Turn, run_block};
use super::observer::Observer;
use crate::memory::{Memory, View};

/// Instructions of one warp's turn: all warps of a block get far even if few instructions are watched.
const SLICE: u64 = 64;
/// At least so many blocks share the instructions.
const BLOCKS: u64 = 4;

/// Runs these blocks, until so many instructions are spent, on memory as it is before the launch; drops what they change.
/// Faults are for the launch itself to find.
pub(crate) fn run_some<O: Observer>(
    spec: &GridSpec<'_>,
    memory: &Memory,
    observer: O,
    blocks: impl Iterator<Item = u64>,
    instructions: u64,
) -> O {
    let mut part = Part::new(observer);
    let mut view = View::new(memory, true);
    let mut state = Block::new(spec.shape);
    state.slice = SLICE;
    let spent = AtomicU64::new(0);
    let mut left = instructions;
    for number in blocks {
        let most = left.min(instructions / BLOCKS);
        let mut turn = Turn { number, again: false, budget: most };
        let _ = run_block(&mut state, &mut view, &mut part, spec, &mut turn, &spent);
        left = left.saturating_sub(most.saturating_sub(turn.budget));
        if left < instructions / BLOCKS {
            break;
        }
    }
    part.observer
}
