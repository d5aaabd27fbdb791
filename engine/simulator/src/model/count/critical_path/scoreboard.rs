//! What a warp waits for: when each of its registers is ready, and how far it has come.

use super::instructions::{Instruction, Spaces, Touch};
use crate::model::count::l1::Step;
use crate::model::counters::{CriticalPath, StallReason};

/// One warp.
#[derive(Debug, Clone, Default)]
pub(super) struct Scoreboard {
    /// When each register's value is ready.
    ready: Vec<u64>,
    /// When the basic block began.
    began: u64,
    /// Before this nothing more starts.
    pub floor: u64,
    /// When the latest instruction of the basic block could start.
    latest: u64,
    /// Instructions of the basic block: one is issued per cycle.
    issued: u64,
    /// When all is done.
    pub end: u64,
    /// `end`, by where it arose.
    pub path: CriticalPath,
    /// When the last instruction started.
    pub start: u64,
    /// When the latest stores to global and to shared memory started.
    stored: [u64; 2],
    /// Lanes in which each register's value is known before the launch. Where a warp's lanes have parted, these are the lanes
    /// that computed it together: what others make of the register in their branch, the compiler does not know in both.
    known: Vec<u32>,
    /// What it has missed so far.
    pub step: Step,
    /// The last instruction, and whether one has missed since the warp last went back in the code or came from a barrier.
    at: u32,
    missed: bool,
    /// How often it has gone back in the code.
    pub turns: u32,
}

/// How a warp came to a barrier: its [`Scoreboard`]'s.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrival {
    floor: u64,
    end: u64,
    path: CriticalPath,
}

impl Scoreboard {
    /// Of a warp that begins; `immediates` says in which lanes each register holds one.
    pub fn new(immediates: &[u32]) -> Self {
        Self { ready: vec![0; immediates.len()], known: immediates.to_vec(), ..Self::default() }
    }

    /// The same in place.
    pub fn reset(&mut self, immediates: &[u32]) {
        let (mut ready, mut known) = (std::mem::take(&mut self.ready), std::mem::take(&mut self.known));
        ready.fill(0);
        known.copy_from_slice(immediates);
        *self = Self { ready, known, ..Self::default() };
    }

    /// How many sources of an instruction the compiler knows in the lanes of `mask`. Of one that no lane carries out, such as a
    /// branch not taken, the operands are those of the lanes before it.
    #[inline]
    pub fn known_sources(&self, instruction: &Instruction<'_>, mask: u32) -> usize {
        let is_known = |source: &&u32| {
            let lanes = self.known[**source as usize];
            if mask == 0 { lanes != 0 } else { lanes & mask == mask }
        };
        instruction.sources.iter().filter(is_known).count()
    }

    /// Notes whether the compiler knows the results: `known` says that it does the operands.
    #[inline]
    pub fn propagate(&mut self, instruction: &Instruction<'_>, known: bool, mask: u32) {
        let lanes = if known && instruction.keeps_values_known() { mask } else { 0 };
        for &result in instruction.results {
            self.known[result as usize] = lanes;
        }
    }

    /// An instruction that the compiler works out: its results are ready when its operands are.
    #[inline]
    pub fn fold(&mut self, instruction: &Instruction<'_>) {
        let when = self.operands_ready(instruction);
        for &result in instruction.results {
            self.ready[result as usize] = when;
        }
    }

    /// Issues an instruction for the lanes of `mask`.
    #[inline]
    pub fn issue(&mut self, instruction: &Instruction<'_>, mask: u32) {
        self.issued += 1;
        self.start = self.operands_ready(instruction).max(self.stores_done(instruction.operation.memory));
        self.latest = self.latest.max(self.start);
        if mask != 0 {
            self.set_results(instruction);
            self.note_store(instruction.operation.memory);
        }
        if instruction.operation.ends_block {
            self.end_basic_block(instruction, mask);
        }
    }

    #[inline]
    fn operands_ready(&self, instruction: &Instruction<'_>) -> u64 {
        let ready = instruction.sources.iter().map(|&source| self.ready[source as usize]);
        ready.fold(self.floor, u64::max)
    }

    /// When the stores have started that a load might read.
    #[inline]
    fn stores_done(&self, memory: Touch) -> u64 {
        let [global, shared] = self.stored;
        match memory {
            Touch::Load(Spaces::Global) => global,
            Touch::Load(Spaces::Shared) => shared,
            Touch::Load(Spaces::Either) => global.max(shared),
            Touch::Load(Spaces::Constant) | Touch::Store(_) | Touch::Nothing => 0,
        }
    }

    #[inline]
    fn set_results(&mut self, instruction: &Instruction<'_>) {
        let operation = instruction.operation;
        let when = self.start + u64::from(operation.cycles);
        for &result in instruction.results {
            let ready = &mut self.ready[result as usize];
            *ready = if operation.guarded { when.max(*ready) } else { when };
        }
        self.reach(when, operation.reason);
    }

    #[inline]
    fn note_store(&mut self, memory: Touch) {
        let Touch::Store(spaces) = memory else { return };
        let [global, shared] = &mut self.stored;
        if spaces != Spaces::Shared {
            *global = self.start.max(*global);
        }
        if spaces != Spaces::Global {
            *shared = self.start.max(*shared);
        }
    }

    /// A branch or a barrier: what follows begins when the last instruction before it could start, and when all have been issued.
    fn end_basic_block(&mut self, instruction: &Instruction<'_>, mask: u32) {
        let operation = instruction.operation;
        self.floor = self.latest.max(self.began + self.issued);
        if mask != 0 {
            self.floor += u64::from(operation.cycles);
        }
        (self.began, self.latest, self.issued) = (self.floor, self.floor, 0);
        let is_barrier = operation.reason == StallReason::Barrier;
        self.reach(self.floor, if is_barrier { StallReason::Barrier } else { StallReason::Compute });
    }

    /// The results of the last instruction are ready only so many cycles after it started.
    pub fn delay(&mut self, results: &[u32], cycles: u64, reason: StallReason) {
        let when = self.start + cycles;
        for &result in results {
            let ready = &mut self.ready[result as usize];
            *ready = when.max(*ready);
        }
        if !results.is_empty() {
            self.reach(when, reason);
        }
    }

    /// Nothing more starts before this, for what is near.
    pub fn hold_until(&mut self, when: u64) {
        self.floor = self.floor.max(when);
        self.latest = self.latest.max(when);
        self.reach(when, StallReason::Near);
    }

    /// When it came to the barrier at which it waits.
    pub fn arrival(&self) -> Arrival {
        Arrival { floor: self.floor, end: self.end, path: self.path }
    }

    /// Goes on no earlier than the last one that it waited for.
    pub fn follow(&mut self, last: Arrival) {
        (self.began, self.floor, self.latest) = (last.floor, last.floor, last.floor);
        self.missed = false;
        if last.end > self.end {
            (self.path, self.end) = (last.path, last.end);
        }
    }

    /// Comes to an instruction.
    #[inline]
    pub fn come_to(&mut self, pc: u32) {
        if pc <= self.at {
            self.missed = false;
            self.turns += 1;
        }
        self.at = pc;
    }

    /// A request misses; whether it is the first in this round of a loop.
    pub fn miss(&mut self) -> bool {
        let first = !std::mem::replace(&mut self.missed, true);
        self.step.round += u32::from(first);
        first
    }

    /// Something is done then; what it comes later than all before it, it does for this reason.
    #[inline]
    fn reach(&mut self, when: u64, reason: StallReason) {
        if when > self.end {
            self.path.cycles[reason as usize] += when - self.end;
            self.end = when;
        }
    }
}
