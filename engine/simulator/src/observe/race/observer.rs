//! The race observer: follows every access, and groups the races that it finds.

use std::collections::BTreeMap;

use super::clocks::Clocks;
use super::found::{Race, RaceKind};
use super::look::{Look, Turn};
use super::payload::{payloads, polling};
use super::release::{Moment, Releases};
use super::shadow::{ATOMIC, EVENT_SHIFT, MOST_EVENTS, Shadow};
use super::unneeded::Unneeded;
use crate::decode::{ACQUIRE, Action, BLOCK_SCOPE, Inst, Meeting, Program, RELEASE};
use crate::exec::{AccessKind, LANES, Warp, lanes, members};
use crate::isa::actions;
use crate::memory::{Located, Memory};
use crate::observe::{Observer, Place, Request};
use crate::ptx::ast::Space;

/// Accesses of one warp by one instruction, with nothing in between that orders it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Event {
    pub block: u32,
    pub warp: u32,
    pub pc: u32,
    pub time: u32,
}

/// The race observer.
pub(crate) struct Races<'a> {
    pub(super) program: &'a Program,
    /// Lanes run on their own (compute capability 7.0 and later), so that they can race with each other.
    pub(super) independent_lanes: bool,
    /// Atomics and `volatile` order something only where there are fences.
    fences: bool,
    /// Strong loads that have to be ordered behind the store whose value they take.
    payloads: Vec<bool>,
    /// Strong loads that wait in a loop for another thread's store.
    polling: Vec<u32>,
    /// By warp and by block, the last of that block's stores that the warp has waited for.
    polled: Vec<BTreeMap<u32, u32>>,
    /// Loads that the program makes only in some threads, and the compiler in all.
    unneeded: Unneeded<'a>,
    pub(super) events: Vec<Event>,
    /// Events of workers that this one stands for.
    absorbed: usize,
    /// The current event of each warp and instruction.
    current: Vec<u32>,
    pub(super) block: u32,
    pub(super) block_first: u32,
    /// Since this event no other block has run.
    pub(super) alone_since: u32,
    pub(super) turn_first: u32,
    /// Events before this are known to the whole block.
    pub(super) settled: u32,
    pub(super) clocks: Clocks,
    pub(super) releases: Releases,
    shared: Shadow,
    shared_size: usize,
    /// By allocation, and by parts of [`PART`] bytes: of a large array few parts are touched.
    global: Vec<Vec<Shadow>>,
    /// Blocks of a cooperative launch that let others go on.
    parked: BTreeMap<u64, Parked>,
    pub(super) found: BTreeMap<(RaceKind, u32, u32), Race>,
}

/// Bytes of an array whose stamps lie together: a multiple of the longest access.
const PART: usize = 1 << 22;

/// The stamps of an array of so many bytes, before it is touched.
fn untouched(bytes: usize) -> Vec<Shadow> {
    (0..bytes.div_ceil(PART).max(1)).map(|_| Shadow::default()).collect()
}

/// What is known of a block that is put by.
struct Parked {
    block_first: u32,
    settled: u32,
    clocks: Clocks,
    shared: Shadow,
}

impl<'a> Races<'a> {
    /// For a launch of `program` with blocks of so many threads and bytes of shared memory.
    pub fn new(
        program: &'a Program,
        memory: &Memory,
        threads: u32,
        shared_size: usize,
        independent_lanes: bool,
    ) -> Self {
        let warps = threads.div_ceil(LANES as u32) as usize;
        let orders = |inst: &Inst| match inst.action {
            Action::Fence => true,
            Action::Load(_) | Action::Store(_) | Action::Atomic { .. } => inst.e & (ACQUIRE | RELEASE) != 0,
            Action::Texture(_)
            | Action::Surface(_)
            | Action::Asynchronous(_)
            | Action::Nothing
            | actions!(registers | warps | barriers | jumps | ends) => false,
        };
        Self {
            program,
            independent_lanes,
            fences: program.code.iter().any(orders),
            payloads: payloads(program),
            polling: polling(program),
            polled: vec![BTreeMap::new(); warps],
            unneeded: Unneeded::new(program),
            events: vec![Event { block: 0, warp: 0, pc: 0, time: 0 }],
            absorbed: 0,
            current: vec![0; warps * program.code.len()],
            block: 0,
            block_first: 1,
            alone_since: 1,
            turn_first: 1,
            settled: 1,
            clocks: Clocks::new(warps),
            releases: Releases::default(),
            shared: Shadow::default(),
            shared_size,
            global: memory.allocations().iter().map(|one| untouched(one.data.len())).collect(),
            parked: BTreeMap::new(),
            found: BTreeMap::new(),
        }
    }

    /// For a few blocks of a large launch: stamps for single bytes from the start, of which few are ever touched.
    pub fn by_bytes(self) -> Self {
        let by_bytes = |shadow| Shadow { cell: 1, ..shadow };
        let all_by_bytes = |parts: Vec<Shadow>| parts.into_iter().map(by_bytes).collect();
        Self { global: self.global.into_iter().map(all_by_bytes).collect(), ..self }
    }

    /// Races, each kind and pair of instructions once.
    pub fn finish(self) -> impl Iterator<Item = Race> {
        self.found.into_values()
    }

    /// The stamp, less the lane, of an access now.
    fn stamp(&mut self, warp: &Warp, pc: u32, atomic: bool) -> u32 {
        let number = warp.index as usize;
        let time = self.clocks.now(number);
        let slot = &mut self.current[number * self.program.code.len() + pc as usize];
        if *slot < self.turn_first || self.events[*slot as usize].time != time {
            *slot = self.events.len() as u32;
            self.events.push(Event { block: self.block, warp: warp.index, pc, time });
        }
        *slot << EVENT_SHIFT | if atomic { ATOMIC } else { 0 }
    }

    /// A warp has waited for a store, and has seen this one.
    pub(super) fn note_polled(&mut self, warp: u32, number: u32) {
        let block = self.events[number as usize].block;
        if number != 0 && block != self.block {
            let last = self.polled[warp as usize].entry(block).or_default();
            *last = (*last).max(number);
        }
    }

    /// Whether a block had made this store before one that the warp has waited for.
    pub(super) fn stored_before_polled(&self, warp: u32, number: u32) -> bool {
        let block = self.events[number as usize].block;
        self.polled[warp as usize].get(&block).is_some_and(|last| number < *last)
    }

    /// Acquires for an atomic or `volatile` access.
    fn acquire(&mut self, look: &Look<'_, '_>) {
        if self.releases.is_empty() || look.request.kind == AccessKind::Write {
            return;
        }
        let tokens = &mut self.clocks.tokens[look.place.warp.index as usize];
        let effective = look.place.inst.e & ACQUIRE != 0;
        for lane in lanes(look.request.mask) {
            let address = look.request.addresses[lane];
            if let Some(token) = self.releases.acquire(look.shared, address, 1 << lane, effective) {
                token.add_to(tokens);
            }
        }
    }

    /// Releases for an atomic or `volatile` access.
    fn release_word(&mut self, look: &Look<'_, '_>) {
        if look.request.kind == AccessKind::Read {
            return;
        }
        let warp = look.place.warp.index as usize;
        if look.place.inst.e & RELEASE != 0 {
            let wide = look.place.inst.e & BLOCK_SCOPE == 0;
            self.clocks.fence(warp, look.request.mask, look.place.warp.live, wide);
        }
        for lane in lanes(look.request.mask) {
            if let Some(released) = self.clocks.released(warp, lane) {
                let who = Moment { block: self.block, warp, lane, time: 0 };
                let word = (look.shared, look.request.addresses[lane]);
                self.releases.release(word, who, released, &self.clocks.tokens[warp]);
            }
        }
    }
}

impl Observer for Races<'_> {
    const OUTLIVES_FAULTS: bool = true;

    fn issue(&mut self, _pc: u32, _mask: u32) {}

    fn access(&mut self, pc: u32, request: &Request<'_>, place: &Place<'_>) {
        let shared = match request.space {
            Space::Shared => true,
            Space::Global => false,
            _ => return,
        };
        if self.events.len() >= MOST_EVENTS {
            return;
        }
        let needed = self.unneeded.needed(pc, place.warp, request.mask);
        if needed == 0 {
            return;
        }
        let request = &if needed == request.mask {
            *request
        } else {
            Request::new(request.space, request.kind, needed, request.addresses, request.bytes)
        };
        let atomic = request.kind == AccessKind::Atomic;
        // `volatile` alone is no atomic in shared memory: it is how warps used to skip `__syncwarp`.
        let strong = atomic || place.access.strong && (!shared || self.fences);
        // An atomic of block scope is none to other blocks.
        let narrow = !shared && atomic && place.inst.e & BLOCK_SCOPE != 0;
        let stamp = self.stamp(place.warp, pc, strong && !narrow);
        let payload = strong && !shared && self.payloads[pc as usize];
        let reads = strong && !shared && request.kind == AccessKind::Read;
        let turn = match &self.polled[place.warp.index as usize] {
            _ if !reads => Turn::None,
            _ if self.polling.contains(&pc) => Turn::Polls,
            polled if polled.is_empty() => Turn::None,
            _ => Turn::Told,
        };
        let look = Look { pc, request, place, stamp, shared, payload, turn };
        if strong && self.fences {
            self.acquire(&look);
        }
        if shared {
            let mut shadow = std::mem::take(&mut self.shared);
            self.look(&mut shadow, 0, self.shared_size, request.mask, &look);
            self.shared = shadow;
        } else {
            let same = matches!(place.located, Some(Located::Same { .. }));
            let mut remaining = request.mask;
            while remaining != 0 {
                // Lanes in several allocations are taken one by one.
                let lane = remaining.trailing_zeros();
                let mut mask = if same { remaining } else { 1 << lane };
                let Some(located) = place.located else { break };
                let spot = place.view.spot(located, request.addresses[lane as usize]);
                let base = request.addresses[lane as usize] - spot.offset as u64;
                let size = place.view.memory().allocations()[spot.allocation].data.len();
                let part = spot.offset / PART;
                let (base, size) = (base + (part * PART) as u64, (size - part * PART).min(PART));
                if size < place.view.memory().allocations()[spot.allocation].data.len() {
                    let inside = |lane: &usize| request.addresses[*lane].wrapping_sub(base) < PART as u64;
                    mask = lanes(mask).filter(inside).fold(0, |mask, lane| mask | 1 << lane);
                }
                remaining &= !mask;
                let mut shadow = std::mem::take(&mut self.global[spot.allocation][part]);
                self.look(&mut shadow, base, size, mask, &look);
                self.global[spot.allocation][part] = shadow;
            }
        }
        if strong && self.fences {
            self.release_word(&look);
        }
    }

    /// The bytes are written at any time from the copy to the wait: both ends are looked at.
    fn landed(&mut self, pc: u32, request: &Request<'_>, place: &Place<'_>) {
        self.access(pc, request, place);
    }

    fn block(&mut self, number: u64) {
        self.block = number as u32;
        self.block_first = self.events.len() as u32;
        self.alone_since = self.block_first;
        self.settled = self.block_first;
        self.turn_first = self.block_first;
        self.clocks.reset();
        self.polled.iter_mut().for_each(BTreeMap::clear);
        self.releases.leave_block();
    }

    fn park(&mut self, number: u64) {
        let fresh = Clocks::new(self.clocks.tokens.len());
        let clocks = std::mem::replace(&mut self.clocks, fresh);
        let shared = std::mem::take(&mut self.shared);
        let (block_first, settled) = (self.block_first, self.settled);
        self.parked.insert(number, Parked { block_first, settled, clocks, shared });
    }

    /// After the grid's barrier, what came before is in order, and the next access is like the first one of a block.
    fn resume(&mut self, number: u64) {
        self.block(number);
        if let Some(Parked { block_first, settled, clocks, shared }) = self.parked.remove(&number) {
            (self.block_first, self.settled) = (block_first, settled);
            (self.clocks, self.shared) = (clocks, shared);
        }
    }

    /// Orders as the end of a kernel does: nothing before it can be in conflict any more.
    fn grid_barrier(&mut self) {
        self.parked.clear();
        self.global.iter_mut().flatten().for_each(|shadow| *shadow = Shadow::default());
        self.releases = Releases::default();
    }

    fn turn(&mut self, _warp: &Warp) {
        self.turn_first = self.events.len() as u32;
    }

    fn fence(&mut self, warp: &Warp, mask: u32, wide: bool) {
        self.clocks.fence(warp.index as usize, mask, warp.live, wide);
    }

    fn converge(&mut self, warp: &Warp, inst: &Inst, _pc: u32, ready: u32) {
        if inst.action.meeting() != Some(Meeting::Barrier) {
            return;
        }
        let members = members(warp, Meeting::Barrier, inst);
        let mut remaining = ready;
        while remaining != 0 {
            let named = members[remaining.trailing_zeros() as usize];
            let group = lanes(remaining)
                .filter(|&lane| members[lane] == named)
                .fold(0, |group, lane| group | 1 << lane);
            self.clocks.sync_lanes(warp.index as usize, group, warp.live);
            remaining &= !group;
        }
    }

    fn arrive(&mut self, id: u32, warp: u32) {
        self.clocks.arrive(id, warp as usize);
    }

    fn release(&mut self, id: u32, waiting: &mut dyn Iterator<Item = u32>, everyone: bool) {
        let warps = self.clocks.tokens.len();
        let mut participants: Vec<usize> = waiting.map(|warp| warp as usize).collect();
        participants.sort_unstable();
        participants.dedup();
        if everyone {
            // Warps that have ended are as good as there.
            participants = (0..warps).collect();
        }
        self.clocks.barrier(id, &participants);
        if participants.len() == warps {
            self.settled = self.events.len() as u32;
        }
    }

    /// Findings are made again in order, so that their counts and examples are those of one worker. A worker sees
    /// only its own blocks' releases, so that it never takes more for ordered than one worker does for all.
    fn in_doubt(&self) -> bool {
        !self.found.is_empty() || self.events.len() + self.absorbed >= MOST_EVENTS
    }

    /// Between workers nothing is left to be found: what two of them did to one byte, other than add to it by
    /// the same atomic, keeps their pages from being merged.
    fn absorb(&mut self, other: Self) {
        self.absorbed += other.events.len() + other.absorbed;
    }
}
