//! Loads, stores and atomics: undefined bits between registers and memory.

use super::observer::{COMPUTED, Initialisation};
use super::rules::mask_of;
use super::uses::Sink;
use crate::decode::{Action, AtomicOp, Fetch};
use crate::exec::{LANES, Slot, lanes};
use crate::memory::{Located, Validity, read_word};
use crate::observe::{Place, Request};
use crate::ptx::ast::Space;

impl Initialisation<'_> {
    /// The undefined bits of one lane's element of `width` bytes at an address; its origin if there are any.
    fn read(
        &mut self,
        pc: u32,
        lane: usize,
        address: u64,
        width: usize,
        place: &Place<'_>,
        space: Space,
    ) -> (u64, u32) {
        let mut word = [0u8; 8];
        let (owner, array) = match space {
            Space::Shared => {
                let start = address as usize;
                word[..width].copy_from_slice(&self.storage.shared()[start..start + width]);
                let arrays = &self.program.shared_arrays;
                let array = arrays.iter().filter(|array| array.0 <= address).map(|array| array.0).max();
                (0, array.unwrap_or(0))
            }
            Space::Local => {
                let start = address as usize;
                let local = self.storage.local(place.warp, lane);
                word[..width].copy_from_slice(&local[start..start + width]);
                (place.warp.index * LANES as u32 + lane as u32, 0)
            }
            Space::Global | Space::Const => {
                let Some(located) = place.located else { return (0, 0) };
                let spot = place.view.spot(located, address);
                let defined = &self.storage.global[spot.allocation];
                if *defined != Validity::Everything {
                    for (at, byte) in word[..width].iter_mut().enumerate() {
                        *byte = if defined.all(spot.offset + at, 1) { 0 } else { 0xff };
                    }
                }
                (0, spot.allocation as u64)
            }
            Space::Param => return (0, 0),
        };
        let Some(first) = word.iter().position(|&byte| byte != 0) else { return (0, 0) };
        let cell = (space, owner, address + first as u64);
        let origin = self.storage.came_from(cell);
        let origin = origin.unwrap_or_else(|| self.origin(pc, space, address, array));
        (u64::from_le_bytes(word), origin)
    }

    /// Whether all that a request reads is certainly defined, found out quickly.
    fn all_defined(&mut self, request: &Request<'_>, place: &Place<'_>) -> bool {
        let first = request.first();
        match request.space {
            Space::Param => true,
            Space::Global | Space::Const => {
                let Some(located) = place.located else { return false };
                let same = matches!(located, Located::Same { .. });
                same && self.storage.global[place.view.spot(located, first).allocation]
                    == Validity::Everything
            }
            Space::Shared => {
                let bytes = request.bytes as usize;
                let shared = self.storage.shared();
                if let Some(run) = request.run() {
                    let all = &shared[first as usize..first as usize + run as usize];
                    return all.iter().fold(0, |undefined, bits| undefined | bits) == 0;
                }
                let start = |lane: usize| request.addresses[lane] as usize;
                let undefined = if bytes == 4 {
                    lanes(request.mask)
                        .fold(0, |bits, lane| bits | read_word(&shared[start(lane)..start(lane) + 4]))
                } else {
                    lanes(request.mask).fold(0, |bits, lane| {
                        let bytes = &shared[start(lane)..start(lane) + bytes];
                        bytes.iter().fold(bits, |bits, &byte| bits | u64::from(byte))
                    })
                };
                undefined == 0
            }
            Space::Local => false,
        }
    }

    /// A load: undefined bytes to registers.
    pub(super) fn load(&mut self, pc: u32, request: &Request<'_>, place: &Place<'_>) {
        let slot = if place.access.wide { Slot::R64 } else { Slot::R32 };
        let width = usize::from(place.access.width);
        if self.all_defined(request, place) {
            for element in 0..usize::from(place.access.vector) {
                self.define(place.warp, slot, place.data_register(true, element), request.mask);
            }
            return;
        }
        for element in 0..usize::from(place.access.vector) {
            let (mut bits, mut origin) = ([0; LANES], [0; LANES]);
            for lane in lanes(request.mask) {
                let address = request.addresses[lane] + (element * width) as u64;
                (bits[lane], origin[lane]) = self.read(pc, lane, address, width, place, request.space);
                if place.access.signed && width < 8 && bits[lane] >> (8 * width - 1) & 1 == 1 {
                    bits[lane] |= u64::MAX << (8 * width);
                }
            }
            let number = self.number(slot, place.data_register(true, element));
            let registers = self.registers(place.warp);
            if mask_of(&bits) == 0 {
                registers.dirty[number as usize] &= !request.mask;
            } else {
                registers.put(number, &bits, &origin, request.mask);
            }
        }
    }

    /// One pixel of each lane of a texture fetch: undefined bytes make the whole result undefined.
    pub(super) fn fetch(&mut self, pc: u32, request: &Request<'_>, place: &Place<'_>, fetch: Fetch) {
        if self.all_defined(request, place) {
            return;
        }
        let width = usize::from(place.access.width);
        for lane in lanes(request.mask) {
            for at in (0..request.bytes).step_by(width) {
                let address = request.addresses[lane] + at;
                let (bits, origin) = self.read(pc, lane, address, width, place, request.space);
                if bits == 0 {
                    continue;
                }
                for &result in &self.program.lists[fetch.list as usize..][..4] {
                    let number = self.number(Slot::R32, result);
                    let all = u64::from(u32::MAX);
                    self.registers(place.warp).put(number, &[all; LANES], &[origin; LANES], 1 << lane);
                }
            }
        }
    }

    /// A store: undefined bits to memory, and what reaches global memory reported.
    pub(super) fn store(&mut self, pc: u32, request: &Request<'_>, place: &Place<'_>) {
        let slot = if place.access.wide { Slot::R64 } else { Slot::R32 };
        let width = usize::from(place.access.width);
        let elements = usize::from(place.access.vector);
        let mut dirty = 0;
        for element in 0..elements {
            let register = self.number(slot, place.data_register(false, element));
            dirty |= self.registers(place.warp).dirty[register as usize];
        }
        if dirty & request.mask == 0 {
            self.write_defined(request, place, request.mask);
            return;
        }
        self.write_defined(request, place, request.mask & !dirty);
        let registers: Vec<u32> =
            (0..elements).map(|element| self.number(slot, place.data_register(false, element))).collect();
        let low = if width == 8 { u64::MAX } else { (1 << (8 * width)) - 1 };
        if request.space == Space::Global {
            // A vector or structure of which only a later part is undefined is moved; the rest is a result.
            for (element, &register) in registers.iter().enumerate() {
                let bits = self.registers(place.warp).bits(register);
                for lane in lanes(request.mask & dirty).filter(|&lane| bits[lane] & low != 0) {
                    let origin = self.registers(place.warp).origin(register, lane);
                    if element == 0 && bits[lane] & 0xff != 0 || origin & COMPUTED != 0 {
                        self.record(place.warp, Sink::Output, pc, lane, origin);
                    }
                }
            }
        }
        for (element, &register) in registers.iter().enumerate() {
            let bits = self.registers(place.warp).bits(register);
            for lane in lanes(request.mask & dirty) {
                let origin = self.registers(place.warp).origin(register, lane);
                let address = request.addresses[lane] + (element * width) as u64;
                for (at, &byte) in bits[lane].to_le_bytes()[..width].iter().enumerate() {
                    self.write_byte(request.space, place, lane, address + at as u64, byte, origin);
                }
            }
        }
    }

    fn write_byte(
        &mut self,
        space: Space,
        place: &Place<'_>,
        lane: usize,
        address: u64,
        bits: u8,
        origin: u32,
    ) {
        let mut owner = 0;
        match space {
            Space::Shared => self.storage.shared()[address as usize] = bits,
            Space::Local => {
                owner = place.warp.index * LANES as u32 + lane as u32;
                self.storage.local(place.warp, lane)[address as usize] = bits;
            }
            Space::Global => {
                let Some(located) = place.located else { return };
                let spot = place.view.spot(located, address);
                let size = place.view.memory().allocations()[spot.allocation].data.len();
                self.storage.global[spot.allocation].set(spot.offset, 1, size, bits == 0);
                self.between_blocks |= bits != 0;
            }
            Space::Const | Space::Param => return,
        }
        self.storage.moved((space, owner, address), (bits != 0).then_some(origin));
    }

    /// Marks what these lanes write as defined.
    fn write_defined(&mut self, request: &Request<'_>, place: &Place<'_>, mask: u32) {
        let bytes = request.bytes as usize;
        if let (Some(run), true) = (request.run(), mask == request.mask) {
            let start = request.first() as usize;
            match (request.space, place.located) {
                (Space::Shared, _) => {
                    self.storage.shared()[start..start + run as usize].fill(0);
                    return;
                }
                (Space::Global, Some(Located::Same { allocation, span, .. })) => {
                    let size = place.view.memory().allocations()[allocation].data.len();
                    self.storage.global[allocation].set(span.low, run as usize, size, true);
                    return;
                }
                _ => {}
            }
        }
        for lane in lanes(mask) {
            let start = request.addresses[lane] as usize;
            match request.space {
                Space::Shared => self.storage.shared()[start..start + bytes].fill(0),
                Space::Local => self.storage.local(place.warp, lane)[start..start + bytes].fill(0),
                Space::Global => {
                    let Some(located) = place.located else { return };
                    let spot = place.view.spot(located, request.addresses[lane]);
                    let defined = &mut self.storage.global[spot.allocation];
                    if *defined != Validity::Everything {
                        let size = place.view.memory().allocations()[spot.allocation].data.len();
                        defined.set(spot.offset, bytes, size, true);
                    }
                }
                Space::Const | Space::Param => {}
            }
        }
    }

    /// An atomic, whose cell has to be defined.
    pub(super) fn atomic(&mut self, pc: u32, request: &Request<'_>, place: &Place<'_>, op: AtomicOp) {
        let slot = if place.access.wide { Slot::R64 } else { Slot::R32 };
        if self.all_defined(request, place) {
            if let Action::Atomic { quiet: false, .. } = place.inst.action {
                self.define(place.warp, slot, place.inst.d, request.mask);
            }
            return;
        }
        let (mut bits, mut origin) = ([0; LANES], [0; LANES]);
        for lane in lanes(request.mask) {
            let address = request.addresses[lane];
            let width = request.bytes as usize;
            (bits[lane], origin[lane]) = self.read(pc, lane, address, width, place, request.space);
            if bits[lane] != 0 {
                self.write_defined(request, place, 1 << lane);
                if op != AtomicOp::Exch {
                    // An exchange only moves what was there.
                    self.record(place.warp, Sink::Atomic, pc, lane, origin[lane]);
                    bits[lane] = 0;
                }
            }
        }
        let number = self.number(slot, place.inst.d);
        if let Action::Atomic { quiet: false, .. } = place.inst.action {
            self.registers(place.warp).put(number, &bits, &origin, request.mask);
        }
    }
}
