//! How long the slowest warp of each block would take by itself, in cycles: the latencies that nothing hides.
//!
//! A warp issues in order, but the assembler puts independent instructions of a basic block side by side. So an instruction
//! starts when the registers it reads are ready, and not before the basic block it stands in: that begins when the last
//! instruction before the branch could start. A barrier joins the warps of its block.
//!
//! Latencies are nominal, those of an H200; [`CriticalPath`] keeps them apart by where they arise, so that the timing model
//! can put those of another GPU in their place. Left out: instructions that wait because other warps issue (throughput is
//! another term), values that go through memory, and branches that the hardware has to find.

use std::collections::BTreeMap;

use super::instructions::Instructions;
use super::misses::Misses;
use super::scoreboard::Scoreboard;
use super::totals::{Asked, Totals};
use crate::decode::{Action, Program, READ_ONLY};
use crate::exec::{AccessKind, Warp};
use crate::model::count::l1::{Cache, L1Misses, own_words};
use crate::model::count::requests::sectors;
use crate::model::count::units::{CasLoop, CasLoops, Constants};
use crate::model::counters::{Counters, CriticalPath, StallReason};
use crate::observe::{Observer, Place, Request};
use crate::ptx::ast::Space;

/// Cycles of a turn of the compare-and-swap loop by which shared memory does some atomics, for a warp alone.
const CAS_TURN: u64 = 95;

/// Bytes of an allocation that is taken for a table which many blocks read: an eighth of an H200's first-level cache.
pub(super) const TABLE: u64 = 32 << 10;

/// The observer.
#[derive(Debug)]
pub(crate) struct CriticalPaths {
    instructions: Instructions,
    /// The block that runs, and its number.
    block: BlockState,
    number: u64,
    /// The warp that runs.
    current: usize,
    /// Whether the compiler knows all operands of the current instruction.
    known: bool,
    /// Blocks that wait for the grid.
    parked: BTreeMap<u64, BlockState>,
    /// In its first state, for the next one that waits: blocks that spin wait millions of times.
    spare: Option<BlockState>,
    l1: L1Misses,
    misses: Misses,
    constants: Constants,
    /// Sectors that the current request missed.
    missed: Vec<u64>,
    totals: Totals,
}

/// What is known of one block.
#[derive(Debug)]
struct BlockState {
    warps: Vec<Scoreboard>,
    cache: Cache,
    cas_loops: CasLoops,
    /// Instructions by the place of their warp.
    balance: [u64; 4],
    /// Atomics of global memory whose result is used: work from a queue begins with one.
    tickets: u64,
    /// Sectors of global memory that its loads missed.
    missed: u64,
}

impl BlockState {
    fn new(instructions: &Instructions, warps: usize) -> Self {
        Self {
            warps: vec![Scoreboard::new(&instructions.immediates); warps],
            cache: Cache::default(),
            cas_loops: CasLoops::default(),
            balance: [0; 4],
            tickets: 0,
            missed: 0,
        }
    }
}

impl CriticalPaths {
    /// For a launch of `program` with blocks of so many threads.
    pub fn new(program: &Program, threads: u32) -> Self {
        let instructions = Instructions::of(program);
        let warps = threads.div_ceil(32) as usize;
        Self {
            block: BlockState::new(&instructions, warps),
            instructions,
            number: 0,
            current: 0,
            known: false,
            parked: BTreeMap::new(),
            spare: None,
            l1: L1Misses::new(warps),
            misses: Misses::new(program.code.len()),
            constants: Constants::default(),
            missed: Vec::new(),
            totals: Totals::default(),
        }
    }

    /// Requests that have to wait.
    pub(in crate::model::count) fn misses(&self) -> &Misses {
        &self.misses
    }

    /// Adds what was seen to a launch's events.
    pub fn finish(mut self, total: &mut Counters) {
        self.close();
        self.totals.write(total);
        total.traffic = self.l1.finish();
        total.constant_passes = self.constants.passes();
    }

    /// Takes in the block that has ended.
    fn close(&mut self) {
        let BlockState { warps, cas_loops, balance, tickets, missed, .. } = &mut self.block;
        let asked = Asked { tickets: std::mem::take(tickets), missed: std::mem::take(missed) };
        self.totals.add_block(self.number, warps, cas_loops, std::mem::take(balance), asked);
        cas_loops.clear();
        self.l1.close();
        for warp in warps {
            warp.reset(&self.instructions.immediates);
        }
    }

    fn warp(&mut self) -> &mut Scoreboard {
        &mut self.block.warps[self.current]
    }

    fn global_load(&mut self, pc: u32, request: &Request<'_>, place: &Place<'_>) {
        let turn = self.warp().turns;
        let may_go_first = place.inst.e & READ_ONLY != 0;
        self.l1.load(self.current, may_go_first.then_some(turn));
        let missed = &mut self.missed;
        missed.clear();
        let missing = self.block.cache.look(request, |sector| missed.push(sector));
        if missing == 0 {
            return;
        }
        self.miss(pc);
        let warp = &mut self.block.warps[self.current];
        warp.step.request += 1;
        if self.number == 0 || !is_table(request, place) {
            self.totals.missed += missing;
            self.block.missed += missing;
            self.l1.first_touches.add(self.number, warp.step, &self.missed);
            self.l1.missed(self.current, request, missing);
        }
        self.wait_for_far(pc);
    }

    /// An access to the threads' own memory.
    fn local_access(&mut self, pc: u32, request: &Request<'_>) {
        let mut missed = 0;
        own_words(request, self.current, |words| {
            let missing = self.block.cache.look(words, |_| ());
            if request.kind == AccessKind::Write {
                self.totals.local_stored += sectors(words);
            }
            self.l1.own(self.current, words, missing);
            missed += missing;
        });
        self.totals.missed += missed;
        if missed > 0 {
            self.miss(pc);
            self.wait_for_far(pc);
        }
    }

    /// An atomic that shared memory does by a loop: nothing later starts before its last turn.
    fn cas_loop(&mut self, request: &Request<'_>) {
        self.block.cas_loops.add(request, self.current);
        let warp = self.warp();
        warp.hold_until(warp.start + CAS_TURN * CasLoop::of(request).turns);
    }

    /// A request of the current warp misses.
    fn miss(&mut self, pc: u32) {
        self.misses.all[pc as usize] += 1;
        let is_first = self.warp().miss();
        self.misses.first[pc as usize] += u64::from(is_first);
    }

    /// The results of the current instruction come from the L2 or DRAM.
    fn wait_for_far(&mut self, pc: u32) {
        let results = self.instructions.at(pc).results;
        self.block.warps[self.current].delay(results, CriticalPath::FAR, StallReason::Far);
    }
}

/// Whether a load reads a table. What one block has brought to the first-level cache is still there for the next ones on
/// the same multiprocessor, so that on the whole only the first blocks ask the L2 for it.
fn is_table(request: &Request<'_>, place: &Place<'_>) -> bool {
    place.located.is_some_and(|located| {
        let spot = place.view.spot(located, request.first());
        place.view.memory().allocations()[spot.allocation].size <= TABLE
    })
}

impl Observer for CriticalPaths {
    #[inline]
    fn issue(&mut self, pc: u32, mask: u32) {
        let instruction = self.instructions.at(pc);
        let warp = &mut self.block.warps[self.current];
        warp.come_to(pc);
        let known = warp.known_sources(&instruction, mask);
        self.known = known == instruction.sources.len();
        warp.propagate(&instruction, self.known, mask);
        if instruction.vanishes(known) {
            warp.fold(&instruction);
            return;
        }
        self.totals.live[instruction.operation.class as usize] += 1;
        self.block.balance[self.current % 4] += 1;
        warp.issue(&instruction, mask);
    }

    fn access(&mut self, pc: u32, request: &Request<'_>, place: &Place<'_>) {
        match (request.space, request.kind) {
            (Space::Global, AccessKind::Read) => self.global_load(pc, request, place),
            (Space::Global, AccessKind::Write) => {
                let turn = self.warp().turns;
                self.l1.store(self.current, request, turn);
            }
            // As long as a load from the L2: 311 cycles of an H200, and 330.
            (Space::Global, AccessKind::Atomic) => {
                let draws = matches!(place.inst.action, Action::Atomic { quiet: false, .. });
                self.block.tickets += u64::from(draws);
                self.l1.atomics(self.current, request.mask.count_ones());
                self.wait_for_far(pc);
            }
            (Space::Shared, AccessKind::Atomic) if CasLoop::does(place.inst) => self.cas_loop(request),
            (Space::Const, _) if !self.known => self.constants.add(request),
            (Space::Local, _) => self.local_access(pc, request),
            _ => {}
        }
    }

    fn block(&mut self, number: u64) {
        self.close();
        self.block.cache.forget();
        self.number = number;
    }

    fn turn(&mut self, warp: &Warp) {
        self.current = warp.index as usize;
    }

    fn release(&mut self, _id: u32, waiting: &mut dyn Iterator<Item = u32>, _everyone: bool) {
        let waiting: Vec<usize> = waiting.map(|warp| warp as usize).collect();
        let warps = &mut self.block.warps;
        let Some(&last) = waiting.iter().max_by_key(|&&warp| warps[warp].floor) else { return };
        let arrival = warps[last].arrival();
        for warp in waiting {
            warps[warp].follow(arrival);
        }
    }

    fn park(&mut self, number: u64) {
        let fresh = || BlockState::new(&self.instructions, self.block.warps.len());
        let fresh = self.spare.take().unwrap_or_else(fresh);
        self.parked.insert(number, std::mem::replace(&mut self.block, fresh));
        self.l1.close();
    }

    fn resume(&mut self, number: u64) {
        self.close();
        self.number = number;
        let parked = self.parked.remove(&number).expect("who goes on was parked");
        let mut spare = std::mem::replace(&mut self.block, parked);
        spare.cache.forget();
        self.spare = Some(spare);
    }

    /// Every warp goes on when the last one has come, wherever it is.
    fn grid_barrier(&mut self) {
        let all = self.parked.values().flat_map(|block| &block.warps);
        let Some(last) = all.max_by_key(|warp| warp.floor).map(Scoreboard::arrival) else { return };
        for warp in self.parked.values_mut().flat_map(|block| &mut block.warps) {
            warp.follow(last);
        }
    }

    fn absorb(&mut self, mut other: Self) {
        other.close();
        self.close();
        self.totals.absorb(&other.totals);
        self.l1.absorb(other.l1);
        self.constants.absorb(&other.constants);
        self.misses.absorb(&other.misses);
    }
}
