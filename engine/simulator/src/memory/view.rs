//! One worker's view of global memory during a launch: shared pages to read, private pages to write.
//!
//! Nobody writes shared memory while a launch runs, so workers need no locks, and nothing depends on who is
//! faster. A worker's stores go to its own copies of 4 KiB pages; [`super::merge`] puts them back, or finds
//! that two workers touched the same bytes, in which case the launch is run again by a single worker. A
//! launch therefore always leaves what its blocks would leave one after another.

use super::arena::{Memory, Spot};
use super::page::{LINE, PAGE, PAGE_SHIFT, Page, PageKind, Touched};
use super::span::{Span, consecutive, pick, span};
use super::word::{read_word, write_word};
use crate::isa::LANES;
use crate::isa::{AtomicOp, AtomicType};

/// Pages that one worker may write in a launch, each with a copy of its own: 256 MiB. The largest picture that kernels run
/// on needs some MiB.
const MOST_PAGES: usize = 1 << 16;
/// The same in bytes.
pub(crate) const MOST_WRITTEN: u64 = (MOST_PAGES * PAGE) as u64;

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

/// The result of a view, after it has released the memory.
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

    /// Whether it has written to as many pages as one launch may.
    #[inline]
    pub fn full(&self) -> bool {
        self.pages.len() >= MOST_PAGES
    }

    /// Pages it has written to.
    pub fn pages(&self) -> u64 {
        self.pages.len() as u64
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

    /// Notes the lines on which the lanes' addresses lie as read.
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
            // Neighbours mostly read from one line.
            let mut marked = usize::MAX;
            for (lane, address) in addresses.iter().enumerate() {
                let offset = address.wrapping_sub(base) as usize;
                if mask >> lane & 1 == 1 && offset / LINE != marked {
                    self.mark_read(allocation, offset, offset);
                    marked = offset / LINE;
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
        let size = self.memory.allocations()[allocation].data.len();
        self.touched[allocation].mark_read(first, last, size);
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
                page.wrote(start, W * LANES);
                return;
            }
            let origin = base + (number * PAGE) as u64;
            for lane in 0..LANES {
                if mask >> lane & 1 == 1 {
                    let start = (addresses[lane] - origin) as usize;
                    page.data[start..start + W].copy_from_slice(&values[lane]);
                    page.wrote(start, W);
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
                page.wrote(start, W);
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
        let start = number * PAGE;
        self.pages.push(Page::new(kind, &data[start..data.len().min(start + PAGE)]));
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
        page.wrote(start, width);
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
