//! One worker's view of global memory during a launch: shared pages to read, private pages to write.
//!
//! Nobody writes shared memory while a launch runs, so workers need no locks, and nothing depends on who is
//! faster. A worker's stores go to its own copies of 4 KiB pages; [`super::merge`] puts them back, or finds
//! that two workers touched the same bytes, in which case the launch is run again by a single worker. A
//! launch therefore always leaves what its blocks would leave one after another.

use super::arena::{Memory, Spot};
use super::span::{Span, consecutive, pick, span};
use crate::decode::{AtomicOp, AtomicType};
use crate::exec::LANES;

/// Bytes of a page.
pub(super) const PAGE: usize = 4096;
const PAGE_SHIFT: u32 = PAGE.trailing_zeros();

/// What a private page holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageKind {
    /// A copy of the shared page with this worker's stores.
    Plain,
    /// Contributions to a commutative integer reduction, starting from its identity.
    Reduction(AtomicOp, AtomicType),
}

/// A private page.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    /// Contents.
    pub data: Box<[u8; PAGE]>,
    /// One bit a byte that this worker wrote.
    pub written: [u64; PAGE / 64],
    /// How to put it back.
    pub kind: PageKind,
}

/// What a worker did to one allocation.
#[derive(Debug, Clone, Default)]
pub(super) struct Touched {
    /// Page number → private page + 1; empty until the first store.
    pub table: Vec<u32>,
    /// Pages read; empty until the first load, and for an exclusive view.
    pub read: Vec<bool>,
}

/// A worker's view.
#[derive(Debug)]
pub(crate) struct View<'m> {
    memory: &'m Memory,
    touched: Vec<Touched>,
    pages: Vec<Page>,
    /// The only worker: nothing to track, and any atomic may be carried out at once.
    exclusive: bool,
    conflict: bool,
    /// The allocations that the last accesses hit.
    hint: usize,
    hint_before: usize,
}

/// What is left of a view once it lets go of the memory.
#[derive(Debug)]
pub(crate) struct Footprint {
    pub(super) touched: Vec<Touched>,
    pub(super) pages: Vec<Page>,
    pub(super) conflict: bool,
}

/// Where the lanes of one access lie.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Located {
    /// All in this allocation, which starts at `base`, this far behind it.
    Same { allocation: usize, base: u64, span: Span },
    /// In several.
    Mixed,
}

impl Located {
    /// Where the elements lie that begin `bytes` further on.
    pub fn skip(self, bytes: usize) -> Self {
        match self {
            Self::Same { allocation, base, span } => Self::Same { allocation, base, span: span.skip(bytes) },
            Self::Mixed => self,
        }
    }
}

impl<'m> View<'m> {
    /// A view of `memory`; `exclusive` if no other worker runs blocks of the same launch.
    pub fn new(memory: &'m Memory, exclusive: bool) -> Self {
        let touched = vec![Touched::default(); memory.allocations().len()];
        Self { memory, touched, pages: Vec::new(), exclusive, conflict: false, hint: 0, hint_before: 0 }
    }

    /// Whether this worker is alone.
    pub fn exclusive(&self) -> bool {
        self.exclusive
    }

    /// The memory behind.
    pub fn memory(&self) -> &'m Memory {
        self.memory
    }

    /// Ends the view.
    pub fn finish(self) -> Footprint {
        Footprint { touched: self.touched, pages: self.pages, conflict: self.conflict }
    }

    /// Checks that `bytes` bytes at each active lane's address are inside a live allocation; else the first
    /// lane that is not.
    #[inline]
    pub fn locate(&mut self, addresses: &[u64; LANES], mask: u32, bytes: u64) -> Result<Located, usize> {
        if let Some(located) = self.locate_in(self.hint, addresses, mask, bytes) {
            return Ok(located);
        }
        // Kernels read one allocation and write another, in turns.
        if let Some(located) = self.locate_in(self.hint_before, addresses, mask, bytes) {
            std::mem::swap(&mut self.hint, &mut self.hint_before);
            return Ok(located);
        }
        self.locate_elsewhere(addresses, mask, bytes)
    }

    /// Where the lanes lie if all in this allocation.
    #[inline(always)]
    fn locate_in(&self, number: usize, addresses: &[u64; LANES], mask: u32, bytes: u64) -> Option<Located> {
        let allocation = self.memory.allocations().get(number)?;
        let span = span(addresses, mask, allocation.base)?;
        let inside = span.high as u64 + bytes <= allocation.size;
        (allocation.live && inside && allocation.in_flight.is_empty()).then_some(Located::Same {
            allocation: number,
            base: allocation.base,
            span,
        })
    }

    /// [`Self::locate`] outside the allocations that the last accesses hit.
    #[inline(never)]
    fn locate_elsewhere(
        &mut self,
        addresses: &[u64; LANES],
        mask: u32,
        bytes: u64,
    ) -> Result<Located, usize> {
        let first = addresses[mask.trailing_zeros() as usize % LANES];
        if let Some(spot) = self.memory.find(first, bytes)
            && let Some(located) = self.locate_in(spot.allocation, addresses, mask, bytes)
        {
            self.hint_before = std::mem::replace(&mut self.hint, spot.allocation);
            return Ok(located);
        }
        let stray = (0..LANES)
            .find(|&lane| mask >> lane & 1 == 1 && self.memory.find(addresses[lane], bytes).is_none());
        stray.map_or(Ok(Located::Mixed), Err)
    }

    /// Where an address lies that [`Self::locate`] has found.
    pub fn spot(&self, located: Located, address: u64) -> Spot {
        match located {
            Located::Same { allocation, base, .. } => Spot { allocation, offset: (address - base) as usize },
            Located::Mixed => self.memory.find(address, 1).expect("the access was checked"),
        }
    }

    /// `W` bytes of each active lane. Call after [`Self::locate`] with the same lanes; aligned to `W`.
    #[inline]
    pub fn gather<const W: usize>(
        &mut self,
        located: Located,
        addresses: &[u64; LANES],
        mask: u32,
    ) -> [[u8; W]; LANES] {
        if let Located::Same { allocation, base, span } = located
            && let Some(bytes) = self.current(allocation, span.low, span.high + W)
        {
            let out = pick::<W>(bytes, addresses, mask, base + span.low as u64);
            self.mark_lanes_read(allocation, base, span, addresses, mask);
            return out;
        }
        let mut out = [[0; W]; LANES];
        for lane in 0..LANES {
            if mask >> lane & 1 == 1 {
                let spot = self.spot(located, addresses[lane]);
                out[lane] = self.read_one(spot);
            }
        }
        out
    }

    /// The bytes `start..end` of an allocation as this worker sees them, if they lie together: on one page, or
    /// on pages that it has not written.
    #[inline]
    fn current(&mut self, allocation: usize, start: usize, end: usize) -> Option<&[u8]> {
        let table = &self.touched[allocation].table;
        if !table.is_empty() {
            let (first, last) = (start >> PAGE_SHIFT, (end - 1) >> PAGE_SHIFT);
            let page = table[first];
            if first == last && page != 0 {
                let page = &self.pages[page as usize - 1];
                self.conflict |= page.kind != PageKind::Plain;
                return Some(&page.data[start % PAGE..start % PAGE + (end - start)]);
            }
            if table[first..=last].iter().any(|&page| page != 0) {
                return None;
            }
        }
        Some(&self.memory.allocations()[allocation].data[start..end])
    }

    /// Notes the pages on which the lanes' addresses lie as read.
    #[inline]
    fn mark_lanes_read(
        &mut self,
        allocation: usize,
        base: u64,
        span: Span,
        addresses: &[u64; LANES],
        mask: u32,
    ) {
        // One page, or two neighbours: the first and last lane's.
        if self.exclusive {
        } else if (span.high >> PAGE_SHIFT) - (span.low >> PAGE_SHIFT) <= 1 {
            self.mark_read(allocation, span.low, span.high);
        } else {
            for (lane, address) in addresses.iter().enumerate() {
                if mask >> lane & 1 == 1 {
                    let offset = (address - base) as usize;
                    self.mark_read(allocation, offset, offset);
                }
            }
        }
    }

    fn read_one<const W: usize>(&mut self, spot: Spot) -> [u8; W] {
        self.mark_read(spot.allocation, spot.offset, spot.offset);
        let table = &self.touched[spot.allocation].table;
        match table.get(spot.offset >> PAGE_SHIFT) {
            None | Some(0) => {
                let data = &self.memory.allocations()[spot.allocation].data;
                data[spot.offset..spot.offset + W].try_into().expect("W bytes")
            }
            Some(&page) => {
                let page = &self.pages[page as usize - 1];
                self.conflict |= page.kind != PageKind::Plain;
                let start = spot.offset % PAGE;
                page.data[start..start + W].try_into().expect("W bytes")
            }
        }
    }

    #[inline]
    fn mark_read(&mut self, allocation: usize, first: usize, last: usize) {
        if self.exclusive {
            return;
        }
        let read = &mut self.touched[allocation].read;
        if read.is_empty() {
            read.resize(self.memory.allocations()[allocation].data.len().div_ceil(PAGE), false);
        }
        // Nearly always one page or two.
        #[expect(clippy::needless_range_loop, reason = "a slice is filled by a call")]
        for page in first >> PAGE_SHIFT..=last >> PAGE_SHIFT {
            read[page] = true;
        }
    }

    /// Stores `W` bytes of each active lane, in lane order. Call after [`Self::locate`].
    #[inline]
    pub fn scatter<const W: usize>(
        &mut self,
        located: Located,
        addresses: &[u64; LANES],
        mask: u32,
        values: &[[u8; W]; LANES],
    ) {
        if let Located::Same { allocation, base, span } = located
            && span.low >> PAGE_SHIFT == (span.high + W - 1) >> PAGE_SHIFT
        {
            let number = span.low >> PAGE_SHIFT;
            let page = self.private(allocation, number, PageKind::Plain);
            if span.high - span.low == W * (LANES - 1) && consecutive::<W>(addresses, mask) {
                let start = span.low % PAGE;
                page.data[start..start + W * LANES].copy_from_slice(values.as_flattened());
                set_bits(&mut page.written, start, W * LANES);
                return;
            }
            let origin = base + (number * PAGE) as u64;
            for lane in 0..LANES {
                if mask >> lane & 1 == 1 {
                    let start = (addresses[lane] - origin) as usize;
                    page.data[start..start + W].copy_from_slice(&values[lane]);
                    set_bits(&mut page.written, start, W);
                }
            }
            return;
        }
        for lane in 0..LANES {
            if mask >> lane & 1 == 1 {
                let spot = self.spot(located, addresses[lane]);
                let page = self.private(spot.allocation, spot.offset >> PAGE_SHIFT, PageKind::Plain);
                let start = spot.offset % PAGE;
                page.data[start..start + W].copy_from_slice(&values[lane]);
                set_bits(&mut page.written, start, W);
            }
        }
    }

    /// The private page for writing, made on first use. A page of another kind is a conflict.
    fn private(&mut self, allocation: usize, number: usize, kind: PageKind) -> &mut Page {
        let page = match self.touched[allocation].table.get(number) {
            Some(&page) if page != 0 => page,
            _ => self.make_private(allocation, number, kind),
        };
        let page = &mut self.pages[page as usize - 1];
        self.conflict |= page.kind != kind;
        page
    }

    /// Makes a private page, and says which it is in the table.
    #[inline(never)]
    fn make_private(&mut self, allocation: usize, number: usize, kind: PageKind) -> u32 {
        let memory = self.memory;
        let data = &memory.allocations()[allocation].data;
        let table = &mut self.touched[allocation].table;
        if table.is_empty() {
            table.resize(data.len().div_ceil(PAGE), 0);
        }
        let mut bytes = Box::new([0; PAGE]);
        match kind {
            PageKind::Plain => {
                let start = number * PAGE;
                let end = data.len().min(start + PAGE);
                bytes[..end - start].copy_from_slice(&data[start..end]);
            }
            PageKind::Reduction(op, ty) => fill_identity(&mut bytes[..], op, ty),
        }
        self.pages.push(Page { data: bytes, written: [0; PAGE / 64], kind });
        table[number] = self.pages.len() as u32;
        table[number]
    }

    /// Replaces the `width` bytes at an address by `f` of them, at once; the old value. For an exclusive view.
    pub fn update(
        &mut self,
        located: Located,
        address: u64,
        width: usize,
        f: impl FnOnce(u64) -> u64,
    ) -> u64 {
        debug_assert!(self.exclusive);
        self.modify(located, address, width, PageKind::Plain, f)
    }

    /// Adds one contribution to a reduction, to be combined when the workers merge.
    pub fn contribute(
        &mut self,
        located: Located,
        address: u64,
        width: usize,
        (op, ty): (AtomicOp, AtomicType),
        f: impl FnOnce(u64) -> u64,
    ) {
        self.modify(located, address, width, PageKind::Reduction(op, ty), f);
    }

    fn modify(
        &mut self,
        located: Located,
        address: u64,
        width: usize,
        kind: PageKind,
        f: impl FnOnce(u64) -> u64,
    ) -> u64 {
        let spot = self.spot(located, address);
        let page = self.private(spot.allocation, spot.offset >> PAGE_SHIFT, kind);
        let start = spot.offset % PAGE;
        let cell = &mut page.data[start..start + width];
        let old = read_word(cell);
        write_word(cell, f(old));
        set_bits(&mut page.written, start, width);
        old
    }

    /// One byte as this worker sees it, unchecked for conflicts: for printing.
    pub fn byte(&self, address: u64) -> Option<u8> {
        let spot = self.memory.find(address, 1)?;
        match self.touched[spot.allocation].table.get(spot.offset >> PAGE_SHIFT) {
            None | Some(0) => Some(self.memory.allocations()[spot.allocation].data[spot.offset]),
            Some(&page) => Some(self.pages[page as usize - 1].data[spot.offset % PAGE]),
        }
    }

    /// Whether an address is in read-only memory.
    pub fn constant(&self, located: Located, address: u64) -> bool {
        self.memory.allocations()[self.spot(located, address).allocation].constant
    }

    /// Whether any two kinds of use clashed on a page of this worker.
    pub fn in_conflict(&self) -> bool {
        self.conflict
    }
}

/// A little-endian word of 1 to 8 bytes.
#[inline]
pub(crate) fn read_word(bytes: &[u8]) -> u64 {
    // The usual widths apart: copying a length that the compiler does not know is a call.
    if let Ok(word) = <[u8; 4]>::try_from(bytes) {
        return u64::from(u32::from_le_bytes(word));
    }
    if let Ok(word) = <[u8; 8]>::try_from(bytes) {
        return u64::from_le_bytes(word);
    }
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

/// Stores the low bytes of a word.
#[inline]
pub(crate) fn write_word(bytes: &mut [u8], word: u64) {
    if let Ok(target) = <&mut [u8; 4]>::try_from(&mut *bytes) {
        *target = (word as u32).to_le_bytes();
    } else {
        bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
    }
}

fn set_bits(bits: &mut [u64; PAGE / 64], start: usize, count: usize) {
    let mut position = start;
    let end = start + count;
    while position < end {
        let within = position % 64;
        let run = (64 - within).min(end - position);
        let ones = if run == 64 { u64::MAX } else { (1 << run) - 1 };
        bits[position / 64] |= ones << within;
        position += run;
    }
}

/// Fills a page with the value that changes nothing.
fn fill_identity(bytes: &mut [u8], op: AtomicOp, ty: AtomicType) {
    let (width, word) = match (op, ty) {
        (AtomicOp::Min, AtomicType::S32) => (4, i32::MAX as u64),
        (AtomicOp::Min, AtomicType::S64) => (8, i64::MAX as u64),
        (AtomicOp::Min | AtomicOp::And, _) => (8, u64::MAX),
        (AtomicOp::Max, AtomicType::S32) => (4, u64::from(i32::MIN as u32)),
        (AtomicOp::Max, AtomicType::S64) => (8, i64::MIN as u64),
        (AtomicOp::Max | AtomicOp::Add | AtomicOp::Or | AtomicOp::Xor, _) => (8, 0),
        (AtomicOp::Inc | AtomicOp::Dec | AtomicOp::Exch | AtomicOp::Cas, _) => {
            unreachable!("not commutative: such kernels run with one worker")
        }
    };
    for chunk in bytes.chunks_mut(width) {
        chunk.copy_from_slice(&word.to_le_bytes()[..chunk.len()]);
    }
}
