//! One request beside what its bytes remember: which lanes race, and with whom.

use std::collections::btree_map::Entry;

use super::found::{Party, Race, RaceKind};
use super::guess::is_first_guess;
use super::observer::{Event, Races};
use super::release::Moment;
use super::shadow::{ATOMIC, EVENT_SHIFT, Harmless, Shadow};
use crate::decode::{Action, READ_ONLY};
use crate::exec::{AccessKind, LANES, lanes};
use crate::observe::{Place, Request};

/// One request being looked at.
pub(super) struct Look<'r, 'p> {
    pub pc: u32,
    pub request: &'r Request<'r>,
    pub place: &'r Place<'p>,
    pub stamp: u32,
    pub shared: bool,
    /// A strong load of a value: a strong store in another block is in conflict with it as well.
    pub payload: bool,
    pub turn: Turn,
}

/// What a strong load of global memory has to do with waiting for another block's store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Nothing.
    None,
    /// It waits, in a loop.
    Polls,
    /// Its warp has waited so, and it takes for granted what was stored before.
    Told,
}

impl Look<'_, '_> {
    /// Whether it takes for granted that nothing writes these bytes during the launch.
    fn read_only(&self) -> bool {
        !self.shared && self.request.kind == AccessKind::Read && self.place.inst.e & READ_ONLY != 0
    }
}

impl Races<'_> {
    /// Looks at the accesses of the lanes in `mask` to an array of `size` bytes from `base`.
    pub(super) fn look(
        &mut self,
        shadow: &mut Shadow,
        base: u64,
        size: usize,
        mask: u32,
        look: &Look<'_, '_>,
    ) {
        let write = look.request.kind != AccessKind::Read;
        let bytes = look.request.bytes as usize;
        shadow.prepare(write, write && look.stamp & ATOMIC != 0, size, base, bytes);
        if look.turn == Turn::Polls {
            for lane in lanes(mask) {
                let cell = (look.request.addresses[lane] - base) as usize / shadow.cell;
                let stamp = shadow.write.get(cell).copied().unwrap_or(0);
                self.note_polled(look.place.warp.index, stamp >> EVENT_SHIFT);
            }
        }
        match bytes / shadow.cell {
            1 => self.look_at::<1>(shadow, base, mask, look),
            2 => self.look_at::<2>(shadow, base, mask, look),
            4 => self.look_at::<4>(shadow, base, mask, look),
            8 => self.look_at::<8>(shadow, base, mask, look),
            16 => self.look_at::<16>(shadow, base, mask, look),
            _ => self.look_at::<32>(shadow, base, mask, look),
        }
    }

    /// Checks accesses to `C` cells per lane.
    fn look_at<const C: usize>(&mut self, shadow: &mut Shadow, base: u64, mask: u32, look: &Look<'_, '_>) {
        let request = look.request;
        let write = request.kind != AccessKind::Read;
        let covers = write && look.stamp & ATOMIC != 0;
        let harmless = if look.read_only() {
            // Whatever was written in this launch is suspicious, in whatever order.
            Harmless { foreign: u32::MAX, recent: 0, atomic: 0 }
        } else {
            Harmless {
                foreign: if look.shared { 0 } else { (self.alone_since << EVENT_SHIFT) - 1 },
                recent: self.settled.max(if look.shared { self.block_first } else { self.alone_since })
                    << EVENT_SHIFT,
                atomic: if look.payload || look.turn == Turn::Told { 0 } else { look.stamp & ATOMIC },
            }
        };
        let turn = self.turn_first << EVENT_SHIFT;
        let own = if look.shared { 0 } else { self.alone_since << EVENT_SHIFT };
        let draws = matches!(look.place.inst.action, Action::Atomic { quiet: false, .. });
        let shift = shadow.cell.trailing_zeros();
        let start_of = |lane: usize| (request.addresses[lane] - base) as usize >> shift;
        if let (Some(run), true) = (request.run(), mask == request.mask) {
            let first = mask.trailing_zeros() as usize;
            let (start, count) = (start_of(first), run as usize >> shift);
            if shadow.suspicious(start, count, write, harmless) {
                for lane in lanes(mask) {
                    self.examine(shadow, base, lane, look);
                }
            }
            if covers {
                shadow.cover(start, count, own, draws);
            }
            if write {
                shadow.write_row::<C>(start, count, look.stamp + first as u32);
            } else {
                shadow.read_row::<C>(start, count, look.stamp + first as u32, turn);
            }
            return;
        }
        let mut starts = [0; LANES];
        for lane in lanes(mask) {
            starts[lane] = start_of(lane);
        }
        if C > 1 || shadow.any_suspicious(&starts, mask, write, harmless) {
            for lane in lanes(mask) {
                if shadow.suspicious(starts[lane], C, write, harmless) {
                    self.examine(shadow, base, lane, look);
                }
            }
        }
        for lane in lanes(mask) {
            let (start, stamp) = (starts[lane], look.stamp + lane as u32);
            if !write {
                shadow.read_one::<C>(start, stamp, turn);
                continue;
            }
            if covers {
                shadow.cover(start, C, own, draws);
            }
            let stamps: &mut [u32; C] = (&mut shadow.write[start..start + C]).try_into().expect("C cells");
            let (before, also) = (stamps[0], stamps[C - 1]);
            *stamps = [stamp; C];
            if request.kind == AccessKind::Write {
                for other in [before, also] {
                    if other >> EVENT_SHIFT == stamp >> EVENT_SHIFT {
                        self.same_instruction(other as usize % LANES, lane, mask, look);
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
    fn examine(&mut self, shadow: &Shadow, base: u64, lane: usize, look: &Look<'_, '_>) {
        let start = (look.request.addresses[lane] - base) as usize;
        let write = look.request.kind != AccessKind::Read;
        let mut worst: Option<(RaceKind, Event, u32)> = None;
        for at in 0..look.request.bytes as usize {
            let reads: &[&Vec<u32>] = if write { &[&shadow.read, &shadow.older] } else { &[] };
            let stamps = [(&shadow.write, true), (&shadow.covered, true), (&shadow.foreign, true)]
                .into_iter()
                .chain(reads.iter().map(|table| (*table, false)))
                .filter_map(|(table, wrote)| Some((*table.get((start + at) / shadow.cell)?, wrote)));
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
        if number == 0 || look.shared && number < self.block_first {
            return None;
        }
        let event = self.events[number as usize];
        let is_atomic = |pc: u32| matches!(self.program.code[pc as usize].action, Action::Atomic { .. });
        let takes = || {
            look.payload
                || look.turn == Turn::Told && self.stored_before_polled(look.place.warp.index, number)
        };
        if stamp & look.stamp & ATOMIC != 0 && !(event.block != self.block && !is_atomic(event.pc) && takes())
        {
            return None;
        }
        if wrote && look.read_only() {
            return Some((RaceKind::ReadOnly, event));
        }
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
        if same_block && is_atomic(event.pc) && is_atomic(look.pc) {
            return None;
        }
        let plain_store = look.request.kind == AccessKind::Write && wrote && !is_atomic(event.pc);
        let kind = if plain_store && Self::same_value(lane, at, look) {
            RaceKind::SameValue
        } else if same_warp {
            RaceKind::Warp
        } else if is_atomic(event.pc) && is_atomic(look.pc) {
            RaceKind::Scope
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
}
