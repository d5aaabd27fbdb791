//! The race observer: follows every access, and keeps what is found, grouped.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::clocks::Clocks;
use super::found::{Party, Race, RaceKind};
use super::guess::is_first_guess;
use super::release::{Moment, Releases};
use super::shadow::{ATOMIC, EVENT_SHIFT, Harmless, MOST_EVENTS, Shadow};
use crate::decode::{ACQUIRE, Action, Inst, Program, RELEASE};
use crate::exec::{AccessKind, LANES, Warp, lanes, member_mask};
use crate::memory::{Located, Memory, consecutive};
use crate::observe::{Observer, Place, Request};
use crate::ptx::ast::Space;

/// Accesses of one warp by one instruction, with nothing in between that orders it.
#[derive(Debug, Clone, Copy)]
struct Event {
    block: u32,
    warp: u32,
    pc: u32,
    time: u32,
}

/// The race observer.
pub(crate) struct Races<'a> {
    program: &'a Program,
    /// Lanes run on their own (compute capability 7.0 and later), so that they can race with each other.
    independent_lanes: bool,
    /// Atomics and `volatile` order something only where there are fences.
    fences: bool,
    events: Vec<Event>,
    /// The current event of each warp and instruction.
    current: Vec<u32>,
    block: u32,
    block_first: u32,
    turn_first: u32,
    /// Events before this are known to the whole block.
    settled: u32,
    clocks: Clocks,
    releases: Releases,
    shared: Shadow,
    shared_size: usize,
    global: Vec<Shadow>,
    found: BTreeMap<(RaceKind, u32, u32), Race>,
}

/// One request being looked at.
struct Look<'r, 'p> {
    pc: u32,
    request: &'r Request<'r>,
    place: &'r Place<'p>,
    stamp: u32,
    shared: bool,
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
            Action::Load(_) | Action::Store(_) | Action::Atomic { .. } => inst.e != 0,
            _ => false,
        };
        Self {
            program,
            independent_lanes,
            fences: program.code.iter().any(orders),
            events: vec![Event { block: 0, warp: 0, pc: 0, time: 0 }],
            current: vec![0; warps * program.code.len()],
            block: 0,
            block_first: 1,
            turn_first: 1,
            settled: 1,
            clocks: Clocks::new(warps),
            releases: Releases::default(),
            shared: Shadow::default(),
            shared_size,
            global: memory.allocations().iter().map(|_| Shadow::default()).collect(),
            found: BTreeMap::new(),
        }
    }

    /// What was found, each kind and pair of instructions once.
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

    fn look(&mut self, shadow: &mut Shadow, base: u64, size: usize, mask: u32, look: &Look<'_, '_>) {
        match look.request.bytes {
            1 => self.look_wide::<1>(shadow, base, size, mask, look),
            2 => self.look_wide::<2>(shadow, base, size, mask, look),
            4 => self.look_wide::<4>(shadow, base, size, mask, look),
            8 => self.look_wide::<8>(shadow, base, size, mask, look),
            16 => self.look_wide::<16>(shadow, base, size, mask, look),
            _ => self.look_wide::<32>(shadow, base, size, mask, look),
        }
    }

    fn look_wide<const B: usize>(
        &mut self,
        shadow: &mut Shadow,
        base: u64,
        size: usize,
        mask: u32,
        look: &Look<'_, '_>,
    ) {
        let write = look.request.kind != AccessKind::Read;
        let covers = write && look.stamp & ATOMIC != 0;
        shadow.prepare(write, covers, size);
        let harmless = Harmless {
            foreign: if look.shared { 0 } else { (self.block_first << EVENT_SHIFT) - 1 },
            recent: self.settled.max(self.block_first) << EVENT_SHIFT,
            atomic: look.stamp & ATOMIC,
        };
        let turn = self.turn_first << EVENT_SHIFT;
        let addresses = look.request.addresses;
        if consecutive::<B>(addresses, mask) {
            let start = (addresses[0] - base) as usize;
            if shadow.suspicious(start, B * LANES, write, harmless) {
                for lane in 0..LANES {
                    self.examine(shadow, start + lane * B, lane, look);
                }
            }
            if covers {
                shadow.cover(start, B * LANES);
            }
            if write {
                shadow.write_row::<B>(start, look.stamp);
            } else {
                shadow.read_row::<B>(start, look.stamp, turn);
            }
            return;
        }
        for lane in lanes(mask) {
            let start = (addresses[lane] - base) as usize;
            if shadow.suspicious(start, B, write, harmless) {
                self.examine(shadow, start, lane, look);
            }
            if !write {
                shadow.read_one::<B>(start, look.stamp + lane as u32, turn);
            }
        }
        if write {
            let plain = look.request.kind == AccessKind::Write;
            for lane in lanes(mask) {
                let start = (addresses[lane] - base) as usize;
                if covers {
                    shadow.cover(start, B);
                }
                let stamps = &mut shadow.write[start..start + B];
                let before = stamps[0];
                let also = stamps[B - 1];
                *<&mut [u32; B]>::try_from(stamps).expect("B bytes") = [look.stamp + lane as u32; B];
                for stamp in [before, also] {
                    if plain && stamp >> EVENT_SHIFT == look.stamp >> EVENT_SHIFT {
                        self.same_instruction(stamp as usize % LANES, lane, mask, look);
                    }
                }
            }
        }
    }

    /// Lane `lane` has stored where lane `other` left its stamp by the same instruction: perhaps just now.
    fn same_instruction(&mut self, other: usize, lane: usize, mask: u32, look: &Look<'_, '_>) {
        let Request { addresses, bytes, .. } = *look.request;
        let (mine, theirs) = (addresses[lane], addresses[other]);
        if other >= lane || mask >> other & 1 == 0 || mine.abs_diff(theirs) >= bytes {
            return;
        }
        let shared = mine.max(theirs)..mine.min(theirs) + bytes;
        let differ = shared.into_iter().any(|address| {
            let byte = |lane, from| look.place.stored_byte(lane, (address - from) as usize);
            byte(lane, mine) != byte(other, theirs)
        });
        let kind = if differ { RaceKind::Instruction } else { RaceKind::SameValue };
        let before = Event {
            block: self.block,
            warp: look.place.warp.index,
            pc: look.pc,
            time: self.clocks.now(look.place.warp.index as usize),
        };
        self.record(kind, before, other as u32, lane, look);
    }

    /// Looks at one lane's access byte by byte, and records the worst of what it finds.
    fn examine(&mut self, shadow: &Shadow, start: usize, lane: usize, look: &Look<'_, '_>) {
        let write = look.request.kind != AccessKind::Read;
        let mut worst: Option<(RaceKind, Event, u32)> = None;
        for at in 0..look.request.bytes as usize {
            let reads: &[&Vec<u32>] = if write { &[&shadow.read, &shadow.older] } else { &[] };
            let stamps = [(&shadow.write, true), (&shadow.covered, true)]
                .into_iter()
                .chain(reads.iter().map(|table| (*table, false)))
                .filter_map(|(table, wrote)| Some((*table.get(start + at)?, wrote)));
            for (stamp, wrote) in stamps {
                if let Some((kind, event)) = self.conflict(stamp, wrote, lane, at, look)
                    && worst.as_ref().is_none_or(|(known, ..)| kind < *known)
                {
                    worst = Some((kind, event, stamp % LANES as u32));
                }
            }
        }
        if let Some((kind, before, other)) = worst {
            self.record(kind, before, other, lane, look);
        }
    }

    /// Whether the access behind a stamp races with byte `at` of this lane's.
    fn conflict(
        &self,
        stamp: u32,
        wrote: bool,
        lane: usize,
        at: usize,
        look: &Look<'_, '_>,
    ) -> Option<(RaceKind, Event)> {
        let number = stamp >> EVENT_SHIFT;
        if number == 0 || look.shared && number < self.block_first || stamp & look.stamp & ATOMIC != 0 {
            return None;
        }
        let event = self.events[number as usize];
        let other = (stamp % LANES as u32) as usize;
        let (warp, same_block) = (look.place.warp.index, event.block == self.block);
        let known =
            same_block && self.clocks.knows(warp as usize, lane, event.warp as usize, other, event.time);
        if known || self.acquired(warp as usize, lane, event, other, look) {
            return None;
        }
        let same_warp = same_block && event.warp == warp;
        if same_warp && !self.independent_lanes {
            return None;
        }
        if is_first_guess(self.program, look.pc, event.pc) || is_first_guess(self.program, event.pc, look.pc)
        {
            return None;
        }
        let is_atomic = |pc: u32| matches!(self.program.code[pc as usize].action, Action::Atomic { .. });
        let plain_store = look.request.kind == AccessKind::Write && wrote && !is_atomic(event.pc);
        let kind = if plain_store && Self::same_value(lane, at, look) {
            RaceKind::SameValue
        } else if same_warp {
            RaceKind::Warp
        } else if is_atomic(event.pc) != is_atomic(look.pc) {
            RaceKind::Atomic
        } else if look.shared {
            RaceKind::Shared
        } else if same_block {
            RaceKind::Block
        } else {
            RaceKind::Grid
        };
        Some((kind, event))
    }

    /// Whether a lane is about to store what a byte holds already.
    fn same_value(lane: usize, at: usize, look: &Look<'_, '_>) -> bool {
        let address = look.request.addresses[lane] + at as u64;
        let held = if look.shared {
            look.place.shared.get(address as usize).copied()
        } else {
            look.place.view.byte(address)
        };
        held == Some(look.place.stored_byte(lane, at))
    }

    /// Whether a lane has acquired a release that tells of this access.
    fn acquired(&self, warp: usize, lane: usize, event: Event, other: usize, look: &Look<'_, '_>) -> bool {
        let access = Moment { block: event.block, warp: event.warp as usize, lane: other, time: event.time };
        // A `volatile` or atomic access needs no fence to come after what it acquired.
        let strong = look.place.access.strong || look.request.kind == AccessKind::Atomic;
        self.clocks.tokens[warp]
            .iter()
            .filter(|token| token.lanes >> lane & 1 == 1 && (token.effective || strong))
            .any(|token| self.releases.cover(token.word, token.count, access, self.block))
    }

    fn record(&mut self, kind: RaceKind, before: Event, other: u32, lane: usize, look: &Look<'_, '_>) {
        match self.found.entry((kind, look.pc, before.pc)) {
            Entry::Occupied(mut entry) => entry.get_mut().count += 1,
            Entry::Vacant(entry) => {
                let warp = look.place.warp.index;
                entry.insert(Race {
                    kind,
                    now: Party { pc: look.pc, block: self.block, warp, lane: lane as u32 },
                    before: Party { pc: before.pc, block: before.block, warp: before.warp, lane: other },
                    shared: look.shared,
                    address: look.request.addresses[lane],
                    bytes: look.request.bytes,
                    count: 1,
                });
            }
        }
    }

    /// What an atomic or `volatile` access acquires.
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

    /// What it releases.
    fn release_word(&mut self, look: &Look<'_, '_>) {
        if look.request.kind == AccessKind::Read {
            return;
        }
        let warp = look.place.warp.index as usize;
        if look.place.inst.e & RELEASE != 0 {
            self.clocks.fence(warp, look.request.mask, look.place.warp.live, true);
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
    const SEQUENTIAL: bool = true;

    fn issue(&mut self, _pc: u32, _mask: u32) {}

    fn request(&mut self, _pc: u32, _request: &Request<'_>, _memory: &Memory) {}

    fn access(&mut self, pc: u32, request: &Request<'_>, place: &Place<'_>) {
        let shared = match request.space {
            Space::Shared => true,
            Space::Global => false,
            _ => return,
        };
        if self.events.len() >= MOST_EVENTS {
            return;
        }
        let atomic = request.kind == AccessKind::Atomic;
        // `volatile` alone is no atomic in shared memory: it is how warps used to skip `__syncwarp`.
        let strong = atomic || place.access.strong && (!shared || self.fences);
        let stamp = self.stamp(place.warp, pc, strong);
        let look = Look { pc, request, place, stamp, shared };
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
                let mask = if same { remaining } else { 1 << lane };
                remaining &= !mask;
                let Some(located) = place.located else { break };
                let spot = place.view.spot(located, request.addresses[lane as usize]);
                let base = request.addresses[lane as usize] - spot.offset as u64;
                let size = place.view.memory().allocations()[spot.allocation].data.len();
                let mut shadow = std::mem::take(&mut self.global[spot.allocation]);
                self.look(&mut shadow, base, size, mask, &look);
                self.global[spot.allocation] = shadow;
            }
        }
        if strong && self.fences {
            self.release_word(&look);
        }
    }

    fn block(&mut self, number: u64) {
        self.block = number as u32;
        self.block_first = self.events.len() as u32;
        self.settled = self.block_first;
        self.turn_first = self.block_first;
        self.clocks.reset();
        self.releases.leave_block();
    }

    fn turn(&mut self, _warp: &Warp) {
        self.turn_first = self.events.len() as u32;
    }

    fn fence(&mut self, warp: &Warp, mask: u32, wide: bool) {
        self.clocks.fence(warp.index as usize, mask, warp.live, wide);
    }

    fn converge(&mut self, warp: &Warp, inst: &Inst, _pc: u32, ready: u32) {
        if !matches!(inst.action, Action::WarpBarrier) {
            return;
        }
        let mut remaining = ready;
        while remaining != 0 {
            let members = member_mask(warp, inst, remaining.trailing_zeros() as usize);
            let group = lanes(remaining)
                .filter(|&l| member_mask(warp, inst, l) == members)
                .fold(0, |g, l| g | 1 << l);
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

    fn absorb(&mut self, _other: Self) {
        unreachable!("blocks are watched in order, by one worker")
    }
}
