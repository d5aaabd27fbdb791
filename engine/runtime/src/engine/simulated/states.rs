//! What buffers held in the course of a call: after each launch that stored to them, and after each copy to them.
//!
//! A wrong output of several steps is explained by the first step whose result is wrong.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use simulator::{Device, Rows};

use crate::engine::interface::MovedFrom;

/// Bytes of all states together.
const MOST_BYTES: usize = 16 << 20;

/// What a buffer held at a moment of the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The buffer's name in findings.
    pub name: String,
    /// Its address.
    pub address: u64,
    /// Its contents.
    pub bytes: Vec<u8>,
    /// The number of the launch that had stored to it; `None` after a copy.
    pub launch: Option<u32>,
    /// The lines of these stores, or that of the copy; empty if they are unknown.
    pub lines: Vec<u32>,
    /// Whether the launch changed it by atomics alone.
    pub counted: bool,
    /// Whether it did so by atomics and by plain stores: then it may have gone on from what it counted.
    pub mixed: bool,
    /// The copy or fill after which this is.
    pub moved: Option<Moved>,
}

/// A copy or fill of the host to the device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// Its line; 0 if it is unknown.
    pub line: u32,
    /// Where it writes.
    pub to: Range<u64>,
    /// Bytes that it writes: of rows, those without the gaps.
    pub bytes: u64,
    /// What it writes.
    pub from: MovedFrom,
    /// The allocation that it copies from, as findings name it.
    pub source: Option<String>,
}

/// The allocation of this address: where it begins, its name and its contents.
fn holding(device: &Device, address: u64) -> Option<(u64, &str, &[u8])> {
    device.held().find(|(base, _, bytes)| (*base..*base + bytes.len() as u64).contains(&address))
}

/// The states of a call that still runs.
#[derive(Debug, Default)]
pub(super) struct States {
    pub all: Vec<State>,
    bytes: usize,
    /// The host's last copy or fill.
    moved: Option<Moved>,
}

/// Places of buffers that a launch may store to, and the stores seen: the place and the line.
#[derive(Debug, Default, Clone)]
pub(super) struct Stores {
    places: Arc<[Range<u64>]>,
    seen: BTreeSet<(usize, u32, bool)>,
}

impl Stores {
    /// None yet; they may go to any allocation of the device.
    pub fn to(device: &Device) -> Self {
        let mut places: Vec<_> =
            device.held().map(|(base, _, bytes)| base..base + bytes.len() as u64).collect();
        places.sort_unstable_by_key(|place| place.start);
        Self { places: places.into(), seen: BTreeSet::new() }
    }

    /// A store or an atomic.
    pub fn add(&mut self, address: u64, line: u32, atomic: bool) {
        let after = self.places.partition_point(|place| place.start <= address);
        if let Some(index) = after.checked_sub(1).filter(|index| self.places[*index].contains(&address)) {
            self.seen.insert((index, line, atomic));
        }
    }

    /// Those of another part of the launch, too.
    pub fn absorb(&mut self, other: Self) {
        self.seen.extend(other.seen);
    }
}

impl States {
    /// The contents after a launch that made these stores.
    pub fn launched(&mut self, device: &Device, launch: u32, stores: &Stores) {
        for (index, place) in stores.places.iter().enumerate() {
            let own = || stores.seen.range((index, 0, false)..=(index, u32::MAX, true));
            let lines: Vec<u32> = own().map(|(_, line, _)| *line).collect();
            if !lines.is_empty() {
                let counted = own().all(|(.., atomic)| *atomic);
                let mixed = !counted && own().any(|(.., atomic)| *atomic);
                self.note(device, place.start, (Some(launch), counted, mixed), (lines, None));
            }
        }
    }

    /// The host is about to copy or fill these bytes.
    pub fn moves(&mut self, device: &Device, to: Rows, from: MovedFrom, line: u32) {
        let source = match from {
            MovedFrom::Device(address) => {
                holding(device, address).map(|(_, name, _)| simulator::readable(name))
            }
            MovedFrom::Host | MovedFrom::Fill(_) => None,
        };
        let (bytes, to) = (to.bytes(), to.address..to.address + to.extent());
        self.moved = Some(Moved { line, to, bytes, from, source });
    }

    /// The contents after a copy or fill, or after one row of it.
    pub fn copied(&mut self, device: &Device, address: u64) {
        let moved = self.moved.clone().filter(|moved| moved.to.contains(&address));
        let of_host = moved.as_ref().filter(|moved| moved.from == MovedFrom::Host);
        let line = of_host.map_or(0, |moved| moved.line);
        self.note(device, address, (None, false, false), (vec![line], moved));
    }

    fn note(
        &mut self,
        device: &Device,
        address: u64,
        (launch, counted, mixed): (Option<u32>, bool, bool),
        (mut lines, moved): (Vec<u32>, Option<Moved>),
    ) {
        let Some((address, name, bytes)) = holding(device, address) else { return };
        if self.bytes + bytes.len() > MOST_BYTES {
            return;
        }
        self.bytes += bytes.len();
        lines.retain(|line| *line > 0);
        let (name, bytes) = (simulator::readable(name), bytes.to_vec());
        self.all.push(State { name, address, bytes, launch, lines, counted, mixed, moved });
    }
}
