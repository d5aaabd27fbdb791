//! A cooperative launch: all blocks are there at once, and wait for each other at the grid's barrier.
//!
//! One worker runs the blocks in order. Each goes as far as its next barrier of the grid and is put by there, with its
//! registers and shared memory; when all have come, all go on, in order again. So the outcome is one that a GPU may
//! have, and always the same one.

use std::sync::atomic::AtomicU64;

use super::block::{Block, Pause};
use super::fault::{Fault, FaultKind};
use super::grid::{GridOutcome, GridSpec, Part, Turn, gather, index_of, run_block};
use super::observer::Observer;
use crate::memory::{Memory, View, merge};

/// Runs a whole launch whose blocks may wait for each other.
pub(super) fn together<O: Observer>(
    spec: &GridSpec<'_>,
    memory: &mut Memory,
    observer: &impl Fn(&Memory) -> O,
    blocks: u64,
) -> GridOutcome<O> {
    let mut part = Part::new(observer(memory));
    let footprint = {
        let mut view = View::new(memory, true);
        part.fault = rounds(spec, &mut view, &mut part, blocks).err();
        view.finish()
    };
    if part.fault.is_none() {
        merge(memory, &[footprint]).expect("a single worker is in conflict with nobody");
    }
    gather(vec![part])
}

/// A block that waits.
struct Waiting<'a> {
    number: u64,
    state: Block<'a>,
    /// Instructions that it may still execute.
    budget: u64,
}

/// From barrier to barrier, until all blocks have ended.
fn rounds<O: Observer>(
    spec: &GridSpec<'_>,
    view: &mut View<'_>,
    part: &mut Part<O>,
    blocks: u64,
) -> Result<(), (Fault, u64)> {
    let spent = AtomicU64::new(0);
    let mut waiting: Vec<Waiting<'_>> = Vec::new();
    // Of blocks that have ended; the first one's number.
    let mut first_ended = None;
    // One that has ended serves the next.
    let mut spare = None;
    for before in 0..blocks {
        let number = spec.shape.order.nth(before, blocks);
        let mut state = spare.take().unwrap_or_else(|| Block::new(spec.shape));
        let mut turn = Turn { number, again: false, budget: spec.limits.block_instructions };
        match run_block(&mut state, view, part, spec, &mut turn, &spent).map_err(|fault| (fault, number))? {
            Pause::Ended => {
                first_ended.get_or_insert(number);
                spare = Some(state);
            }
            Pause::AtGridBarrier => {
                part.observer.park(number);
                waiting.push(Waiting { number, state, budget: turn.budget });
            }
        }
    }
    while !waiting.is_empty() {
        if let Some(ended) = first_ended {
            return Err(deadlock(spec, &waiting, blocks, ended));
        }
        part.observer.grid_barrier();
        let mut still = Vec::with_capacity(waiting.len());
        for mut block in waiting {
            let number = block.number;
            block.state.pass_grid_barrier();
            part.observer.resume(number);
            let mut turn = Turn { number, again: true, budget: block.budget };
            let pause = run_block(&mut block.state, view, part, spec, &mut turn, &spent);
            match pause.map_err(|fault| (fault, number))? {
                Pause::Ended => {
                    first_ended.get_or_insert(number);
                }
                Pause::AtGridBarrier => {
                    part.observer.park(number);
                    still.push(Waiting { budget: turn.budget, ..block });
                }
            }
        }
        waiting = still;
    }
    Ok(())
}

/// Some blocks wait for others that have ended.
fn deadlock(spec: &GridSpec<'_>, waiting: &[Waiting<'_>], blocks: u64, first_ended: u64) -> (Fault, u64) {
    let (pc, warp, lane) = waiting[0].state.first_waiting().unwrap_or_default();
    let kind = FaultKind::GridDeadlock {
        waiting: waiting.len() as u64,
        blocks,
        first_ended: index_of(first_ended, spec.shape.grid),
    };
    (Fault { kind, pc, warp, lane }, waiting[0].number)
}
