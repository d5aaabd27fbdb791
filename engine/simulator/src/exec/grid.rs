//! All blocks of a launch, on all cores, with the outcome of running them one after another.
//!
//! Workers take runs of blocks in rising order. If their private pages turn out to depend on each other, a
//! block faults, or an observer is in doubt (it found something, or something between blocks), what they did is
//! thrown away and one worker runs the blocks in order: so the outcome never depends on the number of workers
//! or on who was faster.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::block::{Block, BlockShape, Pause};
use super::busy::at_the_busiest_place;
use super::external::device_call;
use super::fault::{Fault, FaultKind, Remark};
use super::observer::Observer;
use super::run::External;
use super::together::together;
use super::warp::Warp;
use crate::memory::{Footprint, Memory, View, merge};

/// Bounds on one launch, so that an endless loop ends.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Warp instructions one block may execute.
    pub block_instructions: u64,
    /// Warp instructions one launch may execute.
    pub launch_instructions: u64,
}

impl Limits {
    /// A block may not execute more than all blocks together.
    pub(super) fn of_a_block(&self) -> u64 {
        self.block_instructions.min(self.launch_instructions)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { block_instructions: 100_000_000, launch_instructions: 20_000_000_000 }
    }
}

/// A launch, ready to run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GridSpec<'a> {
    /// The properties that its blocks share.
    pub shape: BlockShape<'a>,
    /// Bounds.
    pub limits: Limits,
    /// Numbers of the blocks that run, in rising order; `None` for all.
    pub only: Option<&'a [u64]>,
}

impl GridSpec<'_> {
    /// The number in the grid of the block that runs at this place.
    fn number(&self, place: u64) -> u64 {
        self.only.map_or(place, |only| only[place as usize])
    }
}

/// Where and how often a remark was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Occurrence {
    /// How often.
    pub count: u64,
    /// First block, warp and lane, and the place among the remarks of the block.
    pub block: u64,
    pub turn: u32,
    pub warp: u32,
    pub lane: u32,
}

/// The outcome of a launch, besides memory.
#[derive(Debug)]
pub(crate) struct GridOutcome<O> {
    /// The observer, if the launch ended by itself or the observer outlives faults.
    pub observer: Option<O>,
    /// The first fault in block order, and its block's linear index.
    pub fault: Option<(Fault, u64)>,
    /// Remarks, grouped.
    pub remarks: BTreeMap<Remark, Occurrence>,
    /// What `printf` wrote, in block order.
    pub printed: Vec<u8>,
    /// Instructions executed, and what else blocks cost, by [`cost_of_a_start`].
    pub instructions: u64,
    /// Those of the block with the most.
    pub longest: u64,
    /// How long the slowest warps of its blocks may take.
    pub slowest: Slowest,
    /// Of blocks that take turns: the rounds of turns in which one or more ended.
    pub rounds_with_ends: u64,
}

/// Cycles that a warp may take which never has two instructions in flight: by [`Warp::clock`] and [`Warp::far`].
const CYCLES_OF_AN_INSTRUCTION: u64 = 4;
const CYCLES_OF_A_FAR_REQUEST: u64 = 500;

/// How long the slowest warps of blocks may take: in cycles, if no instruction of a warp begins before the one before it has ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Slowest {
    /// The slowest of all.
    pub of_all: u64,
    /// Over all blocks, the sum of those of their slowest warps.
    pub sum: u64,
    /// Blocks that have ended.
    pub blocks: u64,
}

impl Slowest {
    fn add_block(&mut self, warps: &[Warp]) {
        let cycles = |warp: &Warp| {
            (CYCLES_OF_AN_INSTRUCTION * warp.clock).saturating_add(CYCLES_OF_A_FAR_REQUEST * warp.far)
        };
        let slowest = warps.iter().map(cycles).max().unwrap_or(0);
        self.add(&Self { of_all: slowest, sum: slowest, blocks: 1 });
    }

    /// Adds other blocks of the same launch.
    pub fn add(&mut self, other: &Self) {
        self.of_all = self.of_all.max(other.of_all);
        self.sum = self.sum.saturating_add(other.sum);
        self.blocks += other.blocks;
    }

    /// The cycles of the slowest beyond `times` those that are usual.
    pub fn beyond(&self, times: u64) -> u64 {
        self.of_all.saturating_sub(times.saturating_mul(self.sum / self.blocks.max(1)))
    }
}

/// Launches with fewer warps than this are not worth spreading.
const WORTH_RUNNING_IN_PARALLEL: u64 = 128;
/// `printf` output kept of a launch, and of a host function.
pub(crate) const MOST_PRINTED: usize = 64 * 1024;
/// Readying a block for its index costs as much as this many instructions, and more for each of its warps.
const BLOCK_START: u64 = 32;
const WARP_START: u64 = 16;
/// Bytes of a block's memory that are made undefined again in the time of an instruction.
const BYTES_PER_INSTRUCTION: u64 = 256;

/// Runs a whole launch.
pub(crate) fn run_grid<O: Observer>(
    spec: &GridSpec<'_>,
    memory: &mut Memory,
    observer: impl Fn(&Memory) -> O + Sync,
) -> GridOutcome<O> {
    let mut outcome = run(spec, memory, observer);
    // A block of a cooperative launch that runs alone waits for the others where it did not spend its time.
    if let Some((fault, _)) = &outcome.fault
        && matches!(fault.kind, FaultKind::LaunchLimit)
        && !spec.shape.cooperative
    {
        outcome.fault = Some((at_the_busiest_place(spec, memory, fault.clone()), spec.number(0)));
    }
    outcome
}

fn run<O: Observer>(
    spec: &GridSpec<'_>,
    memory: &mut Memory,
    observer: impl Fn(&Memory) -> O + Sync,
) -> GridOutcome<O> {
    let blocks = block_count(spec);
    let warps = blocks * u64::from(spec.shape.block.iter().product::<u32>().div_ceil(32));
    let workers = rayon::current_num_threads();
    if spec.shape.cooperative || spec.shape.order.at_once() {
        return together(spec, memory, &observer, blocks);
    }
    let independent = !spec.shape.program.ordered && !observer(memory).in_doubt();
    if workers > 1 && warps >= WORTH_RUNNING_IN_PARALLEL && blocks > 1 && independent {
        let ParallelRun { mut outcome, footprints, certain } =
            run_in_parallel(spec, memory, &observer, blocks, workers);
        // Out of instructions is the same either way, and the most expensive outcome to repeat.
        let exhausted = matches!(&outcome.fault, Some((fault, _)) if matches!(fault.kind, FaultKind::InstructionLimit | FaultKind::Endless | FaultKind::LaunchLimit));
        if exhausted && !O::OUTLIVES_FAULTS {
            outcome.remarks.clear();
            outcome.printed.clear();
            return outcome;
        }
        if certain && outcome.fault.is_none() && merge(memory, &footprints).is_ok() {
            return outcome;
        }
    }
    alone(spec, memory, &observer, blocks)
}

fn block_count(spec: &GridSpec<'_>) -> u64 {
    let all = spec.shape.grid.iter().map(|&n| u64::from(n)).product();
    spec.only.map_or(all, |only| only.len() as u64)
}

/// Where a block lies in its grid.
pub(super) fn index_of(block: u64, grid: [u32; 3]) -> [u32; 3] {
    let [x, y, _] = grid.map(u64::from);
    [(block % x) as u32, (block / x % y) as u32, (block / x / y) as u32]
}

/// One worker's part.
pub(super) struct Part<O> {
    pub observer: O,
    pub fault: Option<(Fault, u64)>,
    remarks: BTreeMap<Remark, Occurrence>,
    printed: BTreeMap<u64, Vec<u8>>,
    /// Bytes printed by all of its blocks, and the number of the last that printed.
    all_printed: usize,
    last_printed: u64,
    pub instructions: u64,
    longest: u64,
    slowest: Slowest,
    pub rounds_with_ends: u64,
}

impl<O> Part<O> {
    /// Of which nothing has run yet.
    pub fn new(observer: O) -> Self {
        Self {
            observer,
            fault: None,
            remarks: BTreeMap::new(),
            printed: BTreeMap::new(),
            all_printed: 0,
            last_printed: 0,
            instructions: 0,
            longest: 0,
            slowest: Slowest::default(),
            rounds_with_ends: 0,
        }
    }

    /// Bytes that a block may still print. What comes after [`MOST_PRINTED`] bytes of blocks before it is not kept, nor
    /// that much of its own.
    fn print_room(&self, block: u64) -> usize {
        let of_earlier = if block > self.last_printed { self.all_printed } else { 0 };
        let own = self.printed.get(&block).map_or(0, Vec::len);
        MOST_PRINTED.saturating_sub(of_earlier.max(own))
    }

    fn print(&mut self, block: u64, text: &mut Vec<u8>) {
        self.all_printed = self.all_printed.saturating_add(text.len());
        self.last_printed = self.last_printed.max(block);
        self.printed.entry(block).or_default().append(text);
    }
}

/// A block's next stretch of execution.
pub(super) struct Turn {
    /// Its place among the blocks that run.
    pub number: u64,
    /// It continues where it stopped, rather than beginning.
    pub again: bool,
    /// Instructions that it may still execute.
    pub budget: u64,
}

/// Runs one block to its end or to the grid's barrier, and keeps its remarks and output.
pub(super) fn run_block<O: Observer>(
    state: &mut Block<'_>,
    view: &mut View<'_>,
    part: &mut Part<O>,
    spec: &GridSpec<'_>,
    turn: &mut Turn,
    spent: &AtomicU64,
) -> Result<Pause, Fault> {
    let block = spec.number(turn.number);
    if !turn.again {
        state.start(index_of(block, spec.shape.grid));
        part.observer.block(block);
    }
    let before = turn.budget;
    let (mut printed, room) = (Vec::new(), part.print_room(block));
    let program = spec.shape.program;
    let mut call = |warp: &mut Warp, view: &mut View<'_>, external: External| {
        device_call(warp, view, program, spec.shape.layout, external, &mut printed, room)
    };
    let result = state.run(view, &mut part.observer, &mut turn.budget, &mut call);
    if !printed.is_empty() {
        part.print(block, &mut printed);
    }
    for (turn, (remark, warp, lane)) in (0..).zip(state.remarks.drain(..)) {
        let first = Occurrence { count: 1, block, turn, warp, lane };
        part.remarks.entry(remark).and_modify(|entry| entry.count += 1).or_insert(first);
    }
    let used = before.saturating_sub(turn.budget) + if turn.again { 0 } else { cost_of_a_start(&spec.shape) };
    part.instructions = part.instructions.saturating_add(used);
    part.longest = part.longest.max(used);
    let pause = result?;
    if pause == Pause::Ended {
        part.slowest.add_block(&state.warps);
    }
    if spent.fetch_add(used, Ordering::Relaxed).saturating_add(used) > spec.limits.launch_instructions {
        return Err(Fault { kind: FaultKind::LaunchLimit, pc: 0, warp: 0, lane: 0 });
    }
    Ok(pause)
}

/// The cost of readying a block, in instructions: what a grid of millions of empty blocks takes.
fn cost_of_a_start(shape: &BlockShape<'_>) -> u64 {
    let threads = shape.block.iter().product::<u32>();
    let bytes = (shape.program.local_bytes as u64).saturating_mul(u64::from(threads));
    instructions_of_a_start(threads) + bytes / BYTES_PER_INSTRUCTION
}

/// What readying a block of so many threads, without local memory, counts for in the limits of a launch.
pub fn instructions_of_a_start(threads: u32) -> u64 {
    BLOCK_START + WARP_START * u64::from(threads.div_ceil(32))
}

/// Runs one block from its beginning to its end. There is no waiting for others here: a launch in which blocks can is
/// not run by this.
pub(super) fn run_whole_block<O: Observer>(
    state: &mut Block<'_>,
    view: &mut View<'_>,
    part: &mut Part<O>,
    spec: &GridSpec<'_>,
    number: u64,
    spent: &AtomicU64,
) -> Result<(), Fault> {
    let mut turn = Turn { number, again: false, budget: spec.limits.of_a_block() };
    run_block(state, view, part, spec, &mut turn, spent).map(|_| ())
}

fn alone<O: Observer>(
    spec: &GridSpec<'_>,
    memory: &mut Memory,
    observer: &impl Fn(&Memory) -> O,
    blocks: u64,
) -> GridOutcome<O> {
    let mut part = Part::new(observer(memory));
    let spent = AtomicU64::new(0);
    let footprint = {
        let mut view = View::new(memory, true);
        let mut state = Block::new(spec.shape);
        for before in 0..blocks {
            let block = spec.shape.order.nth(before, blocks);
            if let Err(fault) = run_whole_block(&mut state, &mut view, &mut part, spec, block, &spent) {
                part.fault = Some((fault, block));
                break;
            }
        }
        view.finish()
    };
    if part.fault.is_none() {
        merge(memory, &[footprint]).expect("a single worker is in conflict with nobody");
    }
    gather(vec![part])
}

/// What several workers leave.
struct ParallelRun<O> {
    outcome: GridOutcome<O>,
    footprints: Vec<Footprint>,
    /// As far as the observers can tell, the same as from one worker.
    certain: bool,
}

fn run_in_parallel<O: Observer>(
    spec: &GridSpec<'_>,
    memory: &Memory,
    observer: &(impl Fn(&Memory) -> O + Sync),
    blocks: u64,
    workers: usize,
) -> ParallelRun<O> {
    let run = (blocks / (workers as u64 * 16)).max(1);
    let next = AtomicU64::new(0);
    let spent = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let parts: Mutex<Vec<(Part<O>, Footprint)>> = Mutex::new(Vec::new());
    rayon::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|_| {
                let mut part = Part::new(observer(memory));
                let mut view = View::new(memory, false);
                let mut state = Block::new(spec.shape);
                'work: loop {
                    let first = next.fetch_add(run, Ordering::Relaxed);
                    if first >= blocks {
                        break;
                    }
                    for before in first..(first + run).min(blocks) {
                        let block = spec.shape.order.nth(before, blocks);
                        // A fault, clash or doubt anywhere means that all of this is done again in order.
                        if stop.load(Ordering::Relaxed) {
                            break 'work;
                        }
                        if let Err(fault) =
                            run_whole_block(&mut state, &mut view, &mut part, spec, block, &spent)
                        {
                            part.fault = Some((fault, block));
                            stop.store(true, Ordering::Relaxed);
                            break 'work;
                        }
                    }
                    if view.in_conflict() || part.observer.in_doubt() {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                parts.lock().expect("no worker panicked").push((part, view.finish()));
            });
        }
    });
    let (parts, footprints): (Vec<Part<O>>, _) =
        parts.into_inner().expect("no worker panicked").into_iter().unzip();
    let mut certain = parts.iter().all(|part| !part.observer.in_doubt());
    let outcome = gather(parts);
    // Together they may have seen more than an observer can keep apart.
    certain &= outcome.observer.as_ref().is_none_or(|observer| !observer.in_doubt());
    ParallelRun { outcome, footprints, certain }
}

/// Puts the workers' parts together, independent of their order.
pub(super) fn gather<O: Observer>(parts: Vec<Part<O>>) -> GridOutcome<O> {
    let mut observer: Option<O> = None;
    let mut fault: Option<(Fault, u64)> = None;
    let mut remarks: BTreeMap<Remark, Occurrence> = BTreeMap::new();
    let mut printed = BTreeMap::new();
    let (mut instructions, mut longest, mut slowest) = (0_u64, 0, Slowest::default());
    let mut rounds_with_ends = 0;
    for part in parts {
        instructions = instructions.saturating_add(part.instructions);
        longest = part.longest.max(longest);
        slowest.add(&part.slowest);
        rounds_with_ends += part.rounds_with_ends;
        match &mut observer {
            None => observer = Some(part.observer),
            Some(all) => all.absorb(part.observer),
        }
        if let Some((found, block)) = part.fault
            && fault.as_ref().is_none_or(|(_, first)| block < *first)
        {
            fault = Some((found, block));
        }
        for (remark, here) in part.remarks {
            remarks
                .entry(remark)
                .and_modify(|all| {
                    all.count += here.count;
                    if here.block < all.block {
                        *all = Occurrence { count: all.count, ..here };
                    }
                })
                .or_insert(here);
        }
        printed.extend(part.printed);
    }
    let mut text: Vec<u8> = printed.into_values().flatten().take(MOST_PRINTED).collect();
    text.shrink_to_fit();
    GridOutcome {
        observer: observer.filter(|_| fault.is_none() || O::OUTLIVES_FAULTS),
        fault,
        remarks,
        printed: text,
        instructions,
        longest,
        slowest,
        rounds_with_ends,
    }
}
