//! `cp.async`: copies to shared memory that have been issued and not yet waited for.
//!
//! A GPU lands them at any time until the wait that covers them. Here they land as late as that: at the wait of the
//! thread that issued them, or never. Whoever uses the bytes before is remarked on.

use super::fault::Remark;
use super::observer::{Observer, Place, Request};
use super::run::Environment;
use super::warp::Warp;
use crate::decode::{Action, AsyncStep};
use crate::isa::{AccessKind, LANES, lanes};
use crate::ptx::ast::Space;

/// The least that is copied, and what the copies are aligned to.
const WORD: usize = 4;

/// One copy instruction of a warp.
#[derive(Debug)]
struct AsyncCopy {
    warp: u32,
    pc: u32,
    /// Lanes whose bytes have not landed.
    left: u32,
    addresses: [u64; LANES],
    bytes: usize,
    data: [[u8; 16]; LANES],
    /// By lane, the number of the group that it belongs to.
    group: [u32; LANES],
}

/// All such copies of a block.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    copies: Vec<AsyncCopy>,
    /// A bit for each word of shared memory that a copy has yet to reach.
    words: Vec<u64>,
    /// By warp, the groups that each lane has committed.
    committed: Vec<[u32; LANES]>,
}

impl Pending {
    /// A new block of so many warps begins.
    pub fn reset(&mut self, warps: usize) {
        self.copies.clear();
        self.words.fill(0);
        self.committed.clear();
        self.committed.resize(warps, [0; LANES]);
    }

    /// Whether nothing is on its way.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.copies.is_empty()
    }

    /// A copy begins: `bytes` bytes of `data` per lane.
    pub fn issue(
        &mut self,
        (warp, pc): (u32, u32),
        mask: u32,
        addresses: &[u64; LANES],
        bytes: usize,
        data: &[[u8; 16]; LANES],
    ) {
        let group = self.committed[warp as usize];
        for lane in lanes(mask) {
            self.mark(addresses[lane], bytes, true);
        }
        self.copies.push(AsyncCopy {
            warp,
            pc,
            left: mask,
            addresses: *addresses,
            bytes,
            data: *data,
            group,
        });
    }

    fn mark(&mut self, address: u64, bytes: usize, waited_for: bool) {
        let first = address as usize / WORD;
        for word in first..first + bytes / WORD {
            if self.words.len() <= word / 64 {
                self.words.resize(word / 64 + 1, 0);
            }
            let bit = 1 << (word % 64);
            if waited_for {
                self.words[word / 64] |= bit;
            } else {
                self.words[word / 64] &= !bit;
            }
        }
    }

    /// The first of these lanes that uses bytes on their way, and the copy's instruction.
    pub fn used(&self, addresses: &[u64; LANES], mask: u32, bytes: u64) -> Option<(u32, u32)> {
        let on_its_way = |lane: usize| {
            let (first, last) =
                (addresses[lane] as usize / WORD, (addresses[lane] + bytes - 1) as usize / WORD);
            (first..=last)
                .any(|word| self.words.get(word / 64).is_some_and(|bits| bits >> (word % 64) & 1 == 1))
        };
        let lane = lanes(mask).find(|&lane| on_its_way(lane))?;
        let (low, high) = (addresses[lane], addresses[lane] + bytes);
        let copy = self.copies.iter().find(|copy| {
            lanes(copy.left)
                .any(|other| copy.addresses[other] < high && low < copy.addresses[other] + copy.bytes as u64)
        })?;
        Some((lane as u32, copy.pc))
    }

    fn commit(&mut self, warp: u32, mask: u32) {
        for lane in lanes(mask) {
            self.committed[warp as usize][lane] += 1;
        }
    }

    /// Takes what a wait of these lanes lands: all, or all but the last `keep` groups.
    fn take(&mut self, warp: u32, mask: u32, keep: Option<u32>) -> Vec<AsyncCopy> {
        let committed = self.committed[warp as usize];
        let mut landed = Vec::new();
        for copy in self.copies.iter_mut().filter(|copy| copy.warp == warp && copy.left & mask != 0) {
            let covered = |lane: usize| keep.is_none_or(|keep| copy.group[lane] + keep < committed[lane]);
            let now =
                lanes(copy.left & mask).filter(|&lane| covered(lane)).fold(0, |all, lane| all | 1 << lane);
            copy.left &= !now;
            if now != 0 {
                let AsyncCopy { warp, pc, addresses, bytes, data, group, .. } = *copy;
                landed.push(AsyncCopy { warp, pc, left: now, addresses, bytes, data, group });
            }
        }
        self.copies.retain(|copy| copy.left != 0);
        for copy in &landed {
            for lane in lanes(copy.left) {
                self.mark(copy.addresses[lane], copy.bytes, false);
            }
        }
        landed
    }
}

/// A commit or a wait of the lanes in `mask`.
pub(super) fn step<O: Observer>(
    warp: &Warp,
    env: &mut Environment<'_, '_>,
    observer: &mut O,
    step: AsyncStep,
    mask: u32,
) {
    let keep = match step {
        AsyncStep::Commit => return env.pending.commit(warp.index, mask),
        AsyncStep::Wait { keep } => Some(keep),
        AsyncStep::WaitAll => None,
    };
    for copy in env.pending.take(warp.index, mask, keep) {
        let inst = &env.program.code[copy.pc as usize];
        if O::MEMORY
            && let Action::Store(access) = &inst.action
        {
            let bytes = copy.bytes as u64;
            let request = Request::new(Space::Shared, AccessKind::Write, copy.left, &copy.addresses, bytes);
            let (program, shared, view) = (env.program, &*env.shared, &*env.view);
            observer.landed(
                copy.pc,
                &request,
                &Place { warp, inst, access, program, located: None, shared, view },
            );
        }
        for lane in lanes(copy.left) {
            let start = copy.addresses[lane] as usize;
            env.shared[start..start + copy.bytes].copy_from_slice(&copy.data[lane][..copy.bytes]);
        }
    }
}

/// Remarks on an access to shared memory that a copy has yet to reach.
#[cold]
pub(super) fn remark_on_use(
    warp: &Warp,
    env: &mut Environment<'_, '_>,
    addresses: &[u64; LANES],
    mask: u32,
    bytes: u64,
    pc: u32,
) {
    if let Some((lane, copy)) = env.pending.used(addresses, mask, bytes) {
        let remark = Remark::NotLanded { pc, copy };
        // Once a block is enough.
        if !env.remarks.iter().any(|(known, ..)| *known == remark) {
            env.remarks.push((remark, warp.index, lane));
        }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    /// Sixteen bytes per lane, one after the other, from `start`.
    fn issue(pending: &mut Pending, pc: u32, start: u64) {
        let addresses = std::array::from_fn(|lane| start + 16 * lane as u64);
        pending.issue((0, pc), 0b11, &addresses, 16, &[[pc as u8; 16]; LANES]);
    }

    fn landed(pending: &mut Pending, mask: u32, keep: Option<u32>) -> Vec<(u32, u32)> {
        pending.take(0, mask, keep).iter().map(|copy| (copy.pc, copy.left)).collect()
    }

    #[test]
    fn a_wait_lands_all_but_the_last_groups_of_its_lanes() {
        let mut pending = Pending::default();
        pending.reset(1);
        issue(&mut pending, 1, 0);
        pending.commit(0, 0b11);
        issue(&mut pending, 2, 64);
        pending.commit(0, 0b11);
        issue(&mut pending, 3, 128);
        assert_eq!(landed(&mut pending, 0b11, Some(2)), []);
        assert_eq!(landed(&mut pending, 0b01, Some(1)), [(1, 0b01)]);
        assert_eq!(landed(&mut pending, 0b11, Some(0)), [(1, 0b10), (2, 0b11)]);
        // Copies that were never committed are for the wait for everything.
        assert_eq!(landed(&mut pending, 0b11, None), [(3, 0b11)]);
        assert!(pending.is_empty());
    }

    #[test]
    fn bytes_on_their_way_are_known_until_they_land() {
        let mut pending = Pending::default();
        pending.reset(1);
        issue(&mut pending, 7, 32);
        let used = |pending: &Pending, address, bytes| pending.used(&[address; LANES], 1, bytes);
        assert_eq!(used(&pending, 47, 1), Some((0, 7)));
        assert_eq!(used(&pending, 28, 8), Some((0, 7)));
        assert_eq!((used(&pending, 31, 1), used(&pending, 64, 4)), (None, None));
        pending.commit(0, 0b11);
        landed(&mut pending, 0b11, Some(0));
        assert_eq!(used(&pending, 47, 1), None);
    }
}
