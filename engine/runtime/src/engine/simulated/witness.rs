//! Who touched what: the bytes of the call's buffers, and the threads that read and wrote them.
//!
//! It explains wrong outputs of small images, when no fault was found: a run of its own, so that the usual run costs nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use simulator::{Access, AccessKind, Device, Launch, LaunchReport, Location, Observer, Rows, Space, Step};

use super::SimulatedEngine;
use super::recording::{Recorder, Recording};
use super::states::{State, States, Stores};
use crate::engine::interface::{EngineError, ShortWrite};

/// A thread by the numbers of its block in the grid and of the thread in its block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Toucher {
    /// The launch, from 0.
    pub launch: u32,
    /// The block, counted through the grid.
    pub block: u64,
    /// The thread, counted through the block.
    pub thread: u32,
    /// The source line; 0 if it is unknown.
    pub line: u32,
}

/// What happened to a byte.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Touches {
    /// Loads and atomics of it.
    pub reads: u32,
    /// Stores to it.
    pub writes: u32,
    /// The first thread, in the order of blocks and threads, that loaded or updated it, and the first other one.
    pub readers: [Option<Toucher>; 2],
    /// The same for stores.
    pub writers: [Option<Toucher>; 2],
    /// The thread that stored to it or updated it last.
    pub last: Option<Toucher>,
}

/// One buffer of the call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Touched {
    /// Its parameter.
    pub name: String,
    /// Its address.
    pub address: u64,
    /// Byte by byte.
    pub bytes: Vec<Touches>,
}

/// A launch of the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launched {
    /// The kernel, as in the source.
    pub kernel: String,
    /// `gridDim`
    pub grid: [u32; 3],
    /// `blockDim`
    pub block: [u32; 3],
    /// The bytes of each argument.
    pub arguments: Vec<Vec<u8>>,
}

/// What a call did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Witness {
    /// Its buffers in GPU memory, in the order of the parameters.
    pub buffers: Vec<Touched>,
    /// Its launches.
    pub launches: Vec<Launched>,
    /// Lines that store to shared memory, and that load from it.
    pub shared: [Vec<u32>; 2],
    /// What kernels read of allocations beyond the only copy or fill to them.
    pub short_reads: Vec<ShortRead>,
    /// The first division by zero of each line: its thread, and whether it divides floating-point numbers.
    pub zero_divisors: BTreeMap<u32, (Toucher, bool)>,
    /// The first call of the host that is seen to stand in the wrong place.
    pub misplaced: Option<Misplaced>,
    /// What buffers held after launches and copies, in their order.
    pub states: Vec<State>,
}

/// A call of the host, by its line, and what makes it look wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misplaced {
    /// A copy to the host; a kernel that is launched later stores there.
    Early {
        /// The line of the copy.
        line: u32,
        /// The kernel.
        kernel: String,
        /// The line of its store.
        store: u32,
    },
    /// A fill of what a kernel counts in.
    Filled {
        /// The line of the fill.
        line: u32,
        /// The byte.
        value: u8,
        /// Bytes of a counter.
        bytes: u64,
    },
}

/// A load of what a copy or fill has left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShortRead {
    /// The copy or fill.
    pub write: ShortWrite,
    /// The first byte read beyond it, by its offset in the allocation.
    pub offset: u64,
    /// The line of the load; 0 if it is unknown.
    pub line: u32,
}

/// Copies and fills that are compared with each store of a kernel: a host function has a few, and a loop of them need not be followed.
const MOST_USED: usize = 64;

/// Bytes that the host copies from the device, or fills with a byte, in this line.
#[derive(Debug, Clone)]
struct Used {
    place: Range<u64>,
    fill: Option<u8>,
    line: u32,
}

/// The witness of a call that still runs.
#[derive(Debug, Default)]
pub(super) struct Watched {
    /// Buffers that are not allocated yet.
    pub expected: usize,
    /// Addresses of the others.
    places: Vec<Range<u64>>,
    /// By address, other allocations that a copy or fill has written in part.
    short: BTreeMap<u64, ShortWrite>,
    /// Addresses of the allocations that copies and fills have written.
    written: BTreeSet<u64>,
    /// Copies to the host and fills, before any kernel has stored to the same bytes.
    used: Vec<Used>,
    pub states: States,
    pub witness: Witness,
}

impl Watched {
    /// The next buffers to be allocated are those of the call.
    pub fn expecting(buffers: usize) -> Self {
        Self { expected: buffers, ..Self::default() }
    }

    pub fn allocated(&mut self, address: u64, bytes: u64, name: &str) {
        if self.expected > 0 {
            self.expected -= 1;
            self.places.push(address..address + bytes);
            let bytes = vec![Touches::default(); bytes as usize];
            self.witness.buffers.push(Touched { name: name.to_owned(), address, bytes });
        }
    }

    /// A copy or fill has written these bytes.
    pub fn written(&mut self, address: u64, length: u64) {
        for (place, buffer) in self.places.iter().zip(&mut self.witness.buffers) {
            let both = address.max(place.start)..address.saturating_add(length).min(place.end);
            for address in both {
                let touches = &mut buffer.bytes[(address - place.start) as usize];
                touches.writes = touches.writes.saturating_add(1);
            }
        }
    }

    /// The host copies bytes from the device, or fills them.
    pub fn host_used(&mut self, rows: Rows, fill: Option<u8>, line: u32) {
        let place = rows.address..rows.address + rows.extent();
        if self.used.len() < MOST_USED {
            self.used.push(Used { place, fill, line });
        }
    }

    /// These constants hold only zeros. They may be meant so, unless the host never writes them and a kernel reads one.
    pub fn empty_constants(&mut self, constants: impl Iterator<Item = (u64, u64, String)>) {
        for (base, bytes, name) in constants.filter(|constant| !self.written.contains(&constant.0)) {
            let (whole, written, call) = (base..base + bytes, base..base, String::new());
            let short = ShortWrite { whole, written, name, call, after_fill: false, location: None };
            self.short.entry(base).or_insert(short);
        }
    }

    /// Copies and fills have left an allocation so.
    pub fn written_in_part(&mut self, base: u64, short: Option<&ShortWrite>) {
        self.written.insert(base);
        match short.filter(|_| self.places.iter().all(|place| place.start != base)) {
            Some(short) => self.short.insert(base, short.clone()),
            None => self.short.remove(&base),
        };
    }

    /// Watches the next launch. `constants`: what its kernel reads of constant memory before it begins, and where.
    pub fn launch(
        &mut self,
        launch: &Launch<'_>,
        constants: &[(Range<u64>, Option<Location>)],
        stores: Stores,
    ) -> impl Fn() -> Watch + Sync + use<> {
        for (read, location) in constants {
            self.read(read.start, location.as_ref().map_or(0, |location| location.line));
        }
        let number = self.witness.launches.len() as u32;
        let kernel = simulator::readable(launch.kernel);
        let arguments = launch.arguments.to_vec();
        self.witness.launches.push(Launched { kernel, grid: launch.grid, block: launch.block, arguments });
        let short = self.short.values().map(|short| short.whole.clone());
        let places: Arc<[Range<u64>]> = self.places.iter().cloned().chain(short).collect();
        let used: Arc<[Range<u64>]> = self.used.iter().map(|used| used.place.clone()).collect();
        move || Watch {
            used: Arc::clone(&used),
            stores: BTreeMap::new(),
            launch: number,
            places: Arc::clone(&places),
            touched: BTreeMap::new(),
            shared: Default::default(),
            zero_divisors: BTreeMap::new(),
            all_stores: stores.clone(),
        }
    }

    /// Adds what a launch did to the rest of the call.
    pub fn launched(&mut self, watch: Watch, device: &Device) {
        self.states.launched(device, watch.launch, &watch.all_stores);
        self.misplaced(&watch.stores);
        for short in self.short.values().cloned().collect::<Vec<_>>() {
            let beyond = |(address, _): &(&u64, &Touches)| !short.written.contains(address);
            let mut touched = watch.touched.range(short.whole.clone()).filter(beyond);
            if touched.clone().any(|(_, touches)| touches.writes > 0) {
                // A kernel fills the rest.
                self.short.remove(&short.whole.start);
            } else if let Some((address, touches)) = touched.next() {
                self.read(*address, touches.readers[0].map_or(0, |reader| reader.line));
            }
        }
        watch.tell(&mut self.witness);
    }

    /// The last launch has stored to these of the places that the host has used.
    fn misplaced(&mut self, stores: &BTreeMap<usize, Store>) {
        let kernel = self.witness.launches.last().map_or_else(String::new, |launch| launch.kernel.clone());
        for (index, &Store { line: store, counts }) in stores {
            let Used { fill, line, .. } = self.used[*index];
            let kernel = kernel.clone();
            let found = match fill {
                None => Misplaced::Early { line, kernel, store },
                Some(value) if counts > 1 && ![0, 0xff].contains(&value) => {
                    Misplaced::Filled { line, value, bytes: counts }
                }
                Some(_) => continue,
            };
            self.witness.misplaced.get_or_insert(found);
        }
        let all = std::mem::take(&mut self.used).into_iter().enumerate();
        self.used = all.filter(|(index, _)| !stores.contains_key(index)).map(|(_, used)| used).collect();
    }

    /// A kernel reads this byte.
    fn read(&mut self, address: u64, line: u32) {
        let Some((base, short)) = self.short.range(..=address).next_back() else { return };
        if short.whole.contains(&address) && !short.written.contains(&address) {
            let read = ShortRead { write: short.clone(), offset: address - base, line };
            self.short.remove(&read.write.whole.start);
            self.witness.short_reads.push(read);
        }
    }
}

impl SimulatedEngine {
    /// An allocation is there, called `name` in findings.
    pub(super) fn allocated(&mut self, address: u64, bytes: u64, name: &str) -> u64 {
        if let Some(watched) = &mut self.witness {
            watched.allocated(address, bytes, name);
        }
        address
    }

    /// Tells who has to know of it how copies and fills have left an allocation.
    pub(super) fn left_in_part(&mut self, base: u64, short: Option<&ShortWrite>) {
        // After a fill, all of it is defined.
        let label = short.filter(|short| !short.after_fill).and_then(ShortWrite::label);
        self.device.written_in_part(base, label);
        // A variable with values of its own need not be copied.
        let has_values = |short: &ShortWrite| {
            let rest = [short.whole.start..short.written.start, short.written.end..short.whole.end];
            let bytes = rest.map(|part| self.device.bytes(part.start, part.end - part.start));
            bytes.into_iter().flatten().flatten().any(|byte| *byte != 0)
        };
        if let Some(watched) = &mut self.witness {
            watched.written_in_part(base, short.filter(|short| !has_values(short)));
        }
    }

    pub(super) fn written(&mut self, address: u64, length: u64) {
        if let Some(watched) = &mut self.witness {
            watched.written(address, length);
            watched.states.copied(&self.device, address);
        }
    }

    pub(super) fn rows_written(&mut self, rows: Rows) {
        if self.witness.is_some() {
            for row in 0..rows.rows {
                self.written(rows.address + row * rows.pitch, rows.width);
            }
        }
    }

    /// Runs a launch, watched if that is wanted.
    pub(super) fn carried_out(&mut self, launch: &Launch<'_>) -> Result<LaunchReport, EngineError> {
        if let Some(watched) = &mut self.witness {
            watched.empty_constants(self.device.empty_constants());
            let constants = self.device.module().constant_reads(launch.kernel);
            let (report, watch) = self
                .device
                .launch_observed(launch, watched.launch(launch, &constants, Stores::to(&self.device)))?;
            watched.launched(watch, &self.device);
            return Ok(report);
        }
        if let Some((below, recorded)) = &mut self.recorded {
            let (report, recorder) = self.device.launch_observed(launch, || Recorder::new(*below))?;
            let (kernel, grid, block) = (launch.kernel.to_owned(), launch.grid, launch.block);
            recorded.push(Recording { kernel, grid, block, events: recorder.events });
            return Ok(report);
        }
        self.noted(launch)
    }
}

/// Watches one launch.
pub(super) struct Watch {
    launch: u32,
    /// Addresses of the buffers.
    places: Arc<[Range<u64>]>,
    touched: BTreeMap<u64, Touches>,
    shared: [Vec<u32>; 2],
    zero_divisors: BTreeMap<u32, (Toucher, bool)>,
    /// Addresses that the host has used.
    used: Arc<[Range<u64>]>,
    /// The first store to each of them.
    stores: BTreeMap<usize, Store>,
    /// The stores to all of memory.
    all_stores: Stores,
}

/// A store or atomic: its line, and the bytes of an element if it is an atomic; else 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Store {
    line: u32,
    counts: u64,
}

impl Watch {
    /// Adds what it saw to the rest of the call.
    pub fn tell(self, witness: &mut Witness) {
        for (place, buffer) in self.places.iter().zip(&mut witness.buffers) {
            for (address, touches) in self.touched.range(place.clone()) {
                buffer.bytes[(address - place.start) as usize].add(touches);
            }
        }
        for (all, lines) in witness.shared.iter_mut().zip(self.shared) {
            all.extend(lines);
            all.sort_unstable();
            all.dedup();
        }
        first_of_lines(&mut witness.zero_divisors, self.zero_divisors);
    }
}

/// Keeps the first of both for each line.
fn first_of_lines(all: &mut BTreeMap<u32, (Toucher, bool)>, more: BTreeMap<u32, (Toucher, bool)>) {
    for (line, new) in more {
        all.entry(line).and_modify(|known| *known = new.min(*known)).or_insert(new);
    }
}

/// Keeps the store of the first line.
fn first_store(all: &mut BTreeMap<usize, Store>, index: usize, new: Store) {
    all.entry(index).and_modify(|known| *known = new.min(*known)).or_insert(new);
}

impl Touches {
    fn add(&mut self, other: &Self) {
        self.reads = self.reads.saturating_add(other.reads);
        self.writes = self.writes.saturating_add(other.writes);
        self.readers = first_two(&self.readers, &other.readers);
        self.writers = first_two(&self.writers, &other.writers);
        self.last = other.last.or(self.last);
    }
}

/// The first two different threads of four; of one thread, its first line.
fn first_two(some: &[Option<Toucher>; 2], others: &[Option<Toucher>; 2]) -> [Option<Toucher>; 2] {
    others.iter().flatten().fold(*some, |first, new| with(first, *new))
}

/// The first two different threads of these and another one. Mostly it comes later than both.
fn with([first, second]: [Option<Toucher>; 2], new: Toucher) -> [Option<Toucher>; 2] {
    let of = |toucher: Toucher| (toucher.launch, toucher.block, toucher.thread);
    match (first, second) {
        (None, _) => [Some(new), None],
        (Some(known), _) if of(known) == of(new) => [Some(known.min(new)), second],
        (Some(known), _) if new < known => [Some(new), Some(known)],
        (_, None) => [first, Some(new)],
        (_, Some(known)) => [first, Some(known.min(new))],
    }
}

impl Observer for Watch {
    fn access(&mut self, step: &Step<'_>, access: &Access<'_>) {
        let line = step.location.map_or(0, |location| location.line);
        let store = access.kind == AccessKind::Write;
        if access.space == Space::Shared {
            // An atomic does both.
            for side in [access.kind != AccessKind::Read, !store].into_iter().zip(&mut self.shared) {
                if let (true, lines) = side
                    && !lines.contains(&line)
                {
                    lines.push(line);
                }
            }
            return;
        }
        if !matches!(access.space, Space::Global | Space::Const) {
            return;
        }
        let counts = if access.kind == AccessKind::Atomic { access.bytes } else { 0 };
        for lane in (0..32_u32).filter(|lane| step.mask >> lane & 1 == 1) {
            let start = access.addresses[lane as usize];
            if access.kind != AccessKind::Read {
                let stored = (0..self.used.len()).filter(|index| self.used[*index].contains(&start));
                stored.for_each(|index| first_store(&mut self.stores, index, Store { line, counts }));
                self.all_stores.add(start, line, access.kind == AccessKind::Atomic);
            }
            let thread =
                Toucher { launch: self.launch, block: step.block, thread: 32 * step.warp + lane, line };
            for address in start..start.saturating_add(access.bytes) {
                if !self.places.iter().any(|place| place.contains(&address)) {
                    continue;
                }
                let mut new = Touches::default();
                if store {
                    (new.writes, new.writers[0]) = (1, Some(thread));
                } else {
                    (new.reads, new.readers[0]) = (1, Some(thread));
                }
                new.last = Some(thread).filter(|_| access.kind != AccessKind::Read);
                self.touched.entry(address).or_default().add(&new);
            }
        }
    }

    fn zero_divisor(&mut self, step: &Step<'_>, float: bool) {
        let line = step.location.map_or(0, |location| location.line);
        let thread = 32 * step.warp + step.mask.trailing_zeros();
        let thread = Toucher { launch: self.launch, block: step.block, thread, line };
        first_of_lines(&mut self.zero_divisors, BTreeMap::from([(line, (thread, float))]));
    }

    fn absorb(&mut self, other: Self) {
        self.all_stores.absorb(other.all_stores);
        first_of_lines(&mut self.zero_divisors, other.zero_divisors);
        other.stores.into_iter().for_each(|(index, store)| first_store(&mut self.stores, index, store));
        for (address, touches) in other.touched {
            let own = self.touched.entry(address).or_default();
            // Both are of one launch, in which the last block counts as the last.
            let last = own.last.max(touches.last);
            own.add(&touches);
            own.last = last;
        }
        for (mine, theirs) in self.shared.iter_mut().zip(other.shared) {
            mine.extend(theirs);
            mine.sort_unstable();
            mine.dedup();
        }
    }
}
