//! Pages of global memory that a worker wrote, and lines that it read.

use crate::isa::{AtomicOp, AtomicType};

/// Bytes of a page.
pub(super) const PAGE: usize = 4096;
pub(super) const PAGE_SHIFT: u32 = PAGE.trailing_zeros();
/// Bytes of a line, the unit in which reading is tracked: as many as a page has lines, so that the lines of a
/// page are the bits of a word, and so are the bytes of a line.
pub(super) const LINE: usize = 64;
const _: () = assert!(PAGE == LINE * LINE && LINE == u64::BITS as usize);

/// The contents of a private page.
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

impl Page {
    /// A page to which nothing was written yet. `shared` is what lies there in shared memory.
    pub fn new(kind: PageKind, shared: &[u8]) -> Self {
        let mut data = Box::new([0; PAGE]);
        match kind {
            PageKind::Plain => data[..shared.len()].copy_from_slice(shared),
            PageKind::Reduction(op, ty) => fill_identity(&mut data[..], op, ty),
        }
        Self { data, written: [0; PAGE / 64], kind }
    }

    /// Notes that bytes were written.
    pub fn wrote(&mut self, start: usize, count: usize) {
        set_bits(&mut self.written, start, count);
    }

    /// Lines of which bytes were written, a bit each.
    pub fn written_lines(&self) -> u64 {
        (0..).zip(&self.written).fold(0, |lines, (line, &bytes)| lines | u64::from(bytes != 0) << line)
    }
}

/// A worker's accesses to one allocation.
#[derive(Debug, Clone, Default)]
pub(super) struct Touched {
    /// Page number → private page + 1; empty until the first store.
    pub table: Vec<u32>,
    /// Page number → lines read, a bit each; empty until the first load, and for an exclusive view.
    pub read: Vec<u64>,
}

impl Touched {
    /// Notes the lines from the one at offset `first` to the one at offset `last` as read; `size` is the
    /// allocation's.
    #[inline]
    pub fn mark_read(&mut self, first: usize, last: usize, size: usize) {
        if self.read.is_empty() {
            self.read.resize(size.div_ceil(PAGE), 0);
        }
        let line = |offset: usize| offset % PAGE / LINE;
        let (from, to) = (u64::MAX << line(first), u64::MAX >> (LINE - 1 - line(last)));
        let (page, end) = (first >> PAGE_SHIFT, last >> PAGE_SHIFT);
        if page == end {
            self.read[page] |= from & to;
            return;
        }
        self.read[page] |= from;
        self.read[page + 1..end].fill(u64::MAX);
        self.read[end] |= to;
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
