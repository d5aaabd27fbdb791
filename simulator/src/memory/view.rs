//! One worker's view of global memory during a launch: shared pages to read, private pages to write.
//!
//! Nobody writes shared memory while a launch runs, so workers need no locks, and nothing depends on who is
//! faster. A worker's stores go to its own copies of 4 KiB pages; [`super::merge`] puts them back, or finds
//! that two workers touched the same bytes, in which case the launch is run again by a single worker. A
//! launch therefore always leaves what its blocks would leave one after another.

use super::arena::{Memory, Spot};
use crate::decode::{AtomicOp, AtomicType};
use crate::exec::{FULL, LANES};

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
    hint: usize,
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
    /// All in this allocation, which starts at `base`.
    Same { allocation: usize, base: u64 },
    /// In several.
    Mixed,
}

impl<'m> View<'m> {
    /// A view of `memory`; `exclusive` if no other worker runs blocks of the same launch.
    pub fn new(memory: &'m Memory, exclusive: bool) -> Self {
        let touched = vec![Touched::default(); memory.allocations().len()];
        Self { memory, touched, pages: Vec::new(), exclusive, conflict: false, hint: 0 }
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
    pub fn locate(&mut self, addresses: &[u64; LANES], mask: u32, bytes: u64) -> Result<Located, usize> {
        let (mut low, mut high) = (u64::MAX, 0);
        for (lane, &address) in addresses.iter().enumerate() {
            if mask >> lane & 1 == 1 {
                low = low.min(address);
                high = high.max(address);
            }
        }
        let span = (high - low).saturating_add(bytes);
        let allocations = self.memory.allocations();
        if let Some(allocation) = allocations.get(self.hint)
            && allocation.live
            && low >= allocation.base
            && (low - allocation.base).saturating_add(span) <= allocation.size
        {
            return Ok(Located::Same { allocation: self.hint, base: allocation.base });
        }
        if let Some(spot) = self.memory.find(low, span) {
            self.hint = spot.allocation;
            return Ok(Located::Same {
                allocation: spot.allocation,
                base: allocations[spot.allocation].base,
            });
        }
        let stray = (0..LANES)
            .find(|&lane| mask >> lane & 1 == 1 && self.memory.find(addresses[lane], bytes).is_none());
        stray.map_or(Ok(Located::Mixed), Err)
    }

    /// Where an address lies that [`Self::locate`] has found.
    pub fn spot(&self, located: Located, address: u64) -> Spot {
        match located {
            Located::Same { allocation, base } => Spot { allocation, offset: (address - base) as usize },
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
        let mut out = [[0; W]; LANES];
        if let Located::Same { allocation, base } = located
            && self.touched[allocation].table.is_empty()
        {
            let memory = self.memory;
            let data = &memory.allocations()[allocation].data[..];
            if consecutive::<W>(addresses, mask) {
                let start = (addresses[0] - base) as usize;
                self.mark_read(allocation, start, start + W * LANES - 1);
                for (value, bytes) in out.iter_mut().zip(data[start..start + W * LANES].as_chunks::<W>().0) {
                    *value = *bytes;
                }
                return out;
            }
            for lane in 0..LANES {
                if mask >> lane & 1 == 1 {
                    let start = (addresses[lane] - base) as usize;
                    out[lane] = data[start..start + W].try_into().expect("W bytes");
                    self.mark_read(allocation, start, start);
                }
            }
            return out;
        }
        for lane in 0..LANES {
            if mask >> lane & 1 == 1 {
                let spot = self.spot(located, addresses[lane]);
                out[lane] = self.read_one(spot);
            }
        }
        out
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
        read[first >> PAGE_SHIFT..=last >> PAGE_SHIFT].fill(true);
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
        if let Located::Same { allocation, base } = located
            && consecutive::<W>(addresses, mask)
        {
            let start = (addresses[0] - base) as usize;
            if start >> PAGE_SHIFT == (start + W * LANES - 1) >> PAGE_SHIFT {
                let page = self.private(allocation, start >> PAGE_SHIFT, PageKind::Plain);
                let start = start % PAGE;
                page.data[start..start + W * LANES].copy_from_slice(values.as_flattened());
                set_bits(&mut page.written, start, W * LANES);
                return;
            }
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
        let memory = self.memory;
        let data = &memory.allocations()[allocation].data;
        let table = &mut self.touched[allocation].table;
        if table.is_empty() {
            table.resize(data.len().div_ceil(PAGE), 0);
        }
        if table[number] == 0 {
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
        }
        let page = &mut self.pages[table[number] as usize - 1];
        self.conflict |= page.kind != kind;
        page
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
        cell.copy_from_slice(&f(old).to_le_bytes()[..width]);
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

/// Whether all 32 lanes are active and their addresses follow each other without gaps.
#[inline(always)]
pub(crate) fn consecutive<const W: usize>(addresses: &[u64; LANES], mask: u32) -> bool {
    if mask != FULL {
        return false;
    }
    let first = addresses[0];
    let mut same = true;
    for (lane, &address) in addresses.iter().enumerate() {
        same &= address == first.wrapping_add((lane * W) as u64);
    }
    same
}

/// A little-endian word of 1 to 8 bytes.
pub(super) fn read_word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
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
