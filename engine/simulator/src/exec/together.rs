//! A cooperative launch: all blocks are there at once, and wait for each other at the grid's barrier, or at one that the
//! kernel makes of atomics and a loop. Other launches run like this in the orders in which blocks are there at once.
//!
//! One worker runs the blocks in order. Each goes as far as its next barrier of the grid, or for a stretch of instructions,
//! and is put by there, with its registers and shared memory, while the others go on, in order again. So the outcome is
//! one that a GPU may have, and always the same one.

use std::sync::atomic::AtomicU64;

use super::block::{Block, Pause};
use super::fault::{Fault, FaultKind};
use super::grid::{GridOutcome, GridSpec, Part, Turn, gather, index_of, run_block};
use super::observer::Observer;
use super::order::{AT_ONCE, Order};
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

/// A block that is put by.
struct Parked<'a> {
    number: u64,
    state: Block<'a>,
    /// Instructions that it may still execute.
    budget: u64,
    /// It waits at the grid's barrier; else it has only let the others go on.
    at_barrier: bool,
}

/// Blocks that wait for each other by stores and loads of their own spin. Together they may do so for this many times the
/// instructions of one block, so that a wait without an end is found before every block has spent its own.
const SPINNING: u64 = 4;

/// Instructions of a turn in which blocks may wait for the one before: more than it takes to look at one more block, and fewer than it
/// takes to wait, add and let the next one go.
const LINK: u64 = 64;

/// In turns, and from barrier to barrier, until all blocks have ended.
fn rounds<O: Observer>(
    spec: &GridSpec<'_>,
    view: &mut View<'_>,
    part: &mut Part<O>,
    blocks: u64,
) -> Result<(), (Fault, u64)> {
    let spent = AtomicU64::new(0);
    let mut parked: Vec<Parked<'_>> = Vec::new();
    // Of blocks that have ended; the first one's number.
    let mut first_ended = None;
    // One that has ended serves the next.
    let mut spare = None;
    for before in 0..blocks {
        let number = spec.shape.order.nth(before, blocks);
        let mut state = spare.take().unwrap_or_else(|| Block::new(spec.shape));
        // Those before them may have ended when the last ones begin.
        let at_once = blocks - before <= AT_ONCE;
        state.alone = spec.shape.order.ahead(state.warps.len()).filter(|_| at_once);
        match spec.shape.order {
            Order::InTurns if at_once => state.slice = 1,
            Order::InChains if at_once => state.slice = LINK,
            _ => {}
        }
        let block = Parked { number, state, budget: spec.limits.of_a_block(), at_barrier: false };
        match go_on(block, false, spec, view, part, &spent)? {
            Gone::On(block) => parked.push(block),
            Gone::Ended(state) => {
                first_ended.get_or_insert(number);
                spare = Some(state);
            }
        }
    }
    if spec.shape.order.ahead(1).is_some() {
        for block in &mut parked {
            block.state.alone = None;
        }
        parked.reverse();
    }
    if spec.shape.order == Order::InChains {
        parked.reverse();
    }
    let mut spinning = spec.limits.of_a_block().saturating_mul(SPINNING);
    while !parked.is_empty() {
        if parked.iter().all(|block| block.at_barrier) {
            if let Some(ended) = first_ended {
                return Err(deadlock(spec, &parked, blocks, ended));
            }
            part.observer.grid_barrier();
            for block in &mut parked {
                block.state.pass_grid_barrier();
                block.at_barrier = false;
            }
        }
        let mut still = Vec::with_capacity(parked.len());
        let mut some_ended = false;
        for block in parked {
            if block.at_barrier {
                still.push(block);
                continue;
            }
            let (number, before) = (block.number, block.budget);
            match go_on(block, true, spec, view, part, &spent)? {
                Gone::Ended(state) => {
                    state.end();
                    first_ended.get_or_insert(number);
                    some_ended = true;
                }
                Gone::On(block) => {
                    let used = if block.at_barrier { 0 } else { before.saturating_sub(block.budget) };
                    if used > spinning {
                        let (pc, warp, lane) = block.state.first_waiting().unwrap_or_default();
                        return Err((Fault { kind: FaultKind::InstructionLimit, pc, warp, lane }, number));
                    }
                    spinning -= used;
                    still.push(block);
                }
            }
        }
        part.rounds_with_ends += u64::from(some_ended);
        parked = still;
    }
    spare.into_iter().for_each(Block::end);
    Ok(())
}

/// Where a block is after a stretch of execution.
enum Gone<'a> {
    /// Put by, to be continued.
    On(Parked<'a>),
    /// At its end.
    Ended(Block<'a>),
}

/// Runs a block until it ends, waits for the grid, or has run for a while.
fn go_on<'a, O: Observer>(
    mut block: Parked<'a>,
    again: bool,
    spec: &GridSpec<'a>,
    view: &mut View<'_>,
    part: &mut Part<O>,
    spent: &AtomicU64,
) -> Result<Gone<'a>, (Fault, u64)> {
    let number = block.number;
    if again {
        part.observer.resume(number);
    }
    let mut turn = Turn { number, again, budget: block.budget };
    let pause = run_block(&mut block.state, view, part, spec, &mut turn, spent);
    let pause = pause.map_err(|fault| (fault, number))?;
    if pause == Pause::Ended {
        return Ok(Gone::Ended(block.state));
    }
    part.observer.park(number);
    Ok(Gone::On(Parked { budget: turn.budget, at_barrier: pause == Pause::AtGridBarrier, ..block }))
}

/// Some blocks wait for others that have ended.
fn deadlock(spec: &GridSpec<'_>, waiting: &[Parked<'_>], blocks: u64, first_ended: u64) -> (Fault, u64) {
    let (pc, warp, lane) = waiting[0].state.first_waiting().unwrap_or_default();
    let kind = FaultKind::GridDeadlock {
        waiting: waiting.len() as u64,
        blocks,
        first_ended: index_of(first_ended, spec.shape.grid),
    };
    (Fault { kind, pc, warp, lane }, waiting[0].number)
}
