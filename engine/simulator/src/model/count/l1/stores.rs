//! Sectors that the stores of a warp fill on their way to the L2, and those that they leave in part.

use crate::exec::lanes;
use crate::model::count::requests::{LINE, SECTOR};
use crate::observe::Request;

/// Sectors that are followed for each warp: sixteen lines.
const OPEN: usize = 64;
/// A sector whose bytes are all stored.
const WHOLE: u32 = u32::MAX;

/// What the stores of a warp have begun. The first-level cache keeps it for a while: stores to the same sector, also with
/// stores elsewhere, arithmetic and shared memory in between, leave as one. A load sends them off.
/// (On an H200, of eight stores of neighbouring bytes by a warp alone one leaves, by the profiler's counters; with a load
/// between them, all eight.)
#[derive(Debug, Default)]
pub(in crate::model::count) struct Stores {
    /// By warp: sectors and the bytes stored, the oldest first.
    open: Vec<Vec<(u64, u32)>>,
    /// Sectors that were sent in part.
    pub partial: u64,
    /// Lines in which stores began sectors.
    pub lines: u64,
}

impl Stores {
    /// For blocks of so many warps.
    pub fn new(warps: usize) -> Self {
        Self { open: vec![Vec::new(); warps], ..Self::default() }
    }

    /// A warp stores.
    pub fn store(&mut self, warp: usize, request: &Request<'_>) {
        let open = &mut self.open[warp];
        let mut line = None;
        for lane in lanes(request.mask) {
            let address = request.addresses[lane];
            let bytes = (((1u64 << request.bytes.min(SECTOR)) - 1) << (address % SECTOR)) as u32;
            let sector = address / SECTOR;
            if let Some((_, stored)) = open.iter_mut().rfind(|(known, _)| *known == sector) {
                *stored |= bytes;
            } else {
                open.push((sector, bytes));
                self.lines += u64::from(line != Some(address / LINE));
                line = Some(address / LINE);
            }
        }
        let many = open.len().saturating_sub(OPEN);
        self.partial += in_part(&open[..many]);
        open.drain(..many);
    }

    /// A warp loads.
    pub fn load(&mut self, warp: usize) {
        self.send(warp);
    }

    /// The block ends.
    pub fn close(&mut self) {
        (0..self.open.len()).for_each(|warp| self.send(warp));
    }

    fn send(&mut self, warp: usize) {
        let open = &mut self.open[warp];
        if !open.is_empty() {
            self.partial += in_part(open);
            open.clear();
        }
    }
}

fn in_part(sectors: &[(u64, u32)]) -> u64 {
    sectors.iter().filter(|(_, bytes)| *bytes != WHOLE).count() as u64
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::exec::{AccessKind, FULL, LANES};
    use crate::ptx::ast::Space;

    fn store(stores: &mut Stores, warp: usize, bytes: u64, address: impl Fn(u64) -> u64) {
        let addresses: [u64; LANES] = std::array::from_fn(|lane| address(lane as u64));
        stores.store(warp, &Request::new(Space::Global, AccessKind::Write, FULL, &addresses, bytes));
    }

    #[test]
    fn bytes_side_by_side_join_until_a_load_of_their_warp() {
        for (loads, lines, partial) in [(false, 2, 0), (true, 16, 8 * 8)] {
            let mut stores = Stores::new(2);
            for byte in 0..8 {
                store(&mut stores, 1, 1, |lane| 4096 + 8 * lane + byte);
                stores.load(usize::from(loads));
            }
            stores.close();
            assert_eq!((stores.lines, stores.partial), (lines, partial), "loads {loads}");
        }
    }

    #[test]
    fn stores_of_whole_sectors_are_not_in_part() {
        let mut stores = Stores::new(1);
        store(&mut stores, 0, 4, |lane| 4096 + 4 * lane);
        store(&mut stores, 0, 16, |lane| 8192 + 16 * lane);
        store(&mut stores, 0, 1, |lane| 1 << 20 | lane << 12);
        stores.close();
        assert_eq!((stores.partial, stores.lines), (32, 1 + 4 + 32));
    }

    #[test]
    fn what_is_long_ago_has_left() {
        let mut stores = Stores::new(1);
        for line in [0, 1, 2, 0] {
            store(&mut stores, 0, 4, |lane| 32 * lane + (line << 12));
        }
        assert_eq!(stores.partial, 64);
    }
}
