//! Figures of one memory request: bytes used, sectors, wavefronts, and how its lanes' addresses coincide.

use crate::exec::{LANES, lanes};
use crate::observe::Request;

/// Bytes of a sector, the unit in which DRAM and L2 are read and written.
pub(super) const SECTOR: u64 = 32;
/// Bytes that shared memory delivers in one pass: 32 banks of 4 bytes.
pub(super) const BANKS: u64 = 32;

pub(super) fn active<'a>(request: &'a Request<'_>) -> impl Iterator<Item = u64> + 'a {
    lanes(request.mask).map(|lane| request.addresses[lane])
}

/// Places that are counted one by one.
const TALLY: usize = 4096;

/// At most 32 words that are told apart by a small hash table.
struct Words {
    /// By hash: number of the latest word + 1.
    heads: [u8; 64],
    /// Number of the one before with the same hash + 1.
    next: [u8; LANES],
    known: [u64; LANES],
    times: [u8; LANES],
    count: usize,
}

impl Words {
    fn new() -> Self {
        Self { heads: [0; 64], next: [0; LANES], known: [0; LANES], times: [0; LANES], count: 0 }
    }

    /// Adds a word; whether it is a new one.
    fn add(&mut self, word: u64) -> bool {
        let head = &mut self.heads[(word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize];
        let mut at = usize::from(*head);
        while at != 0 {
            if self.known[at - 1] == word {
                self.times[at - 1] += 1;
                return false;
            }
            at = usize::from(self.next[at - 1]);
        }
        self.next[self.count] = *head;
        self.known[self.count] = word;
        self.times[self.count] = 1;
        self.count += 1;
        *head = self.count as u8;
        true
    }

    fn of(words: impl Iterator<Item = u64>) -> Self {
        let mut all = Self::new();
        for word in words {
            all.add(word);
        }
        all
    }
}

/// The distinct words of a pass, at most 32, by bank.
#[derive(Default)]
struct Banks {
    /// By bank: number of the latest word + 1.
    heads: [u8; BANKS as usize],
    /// Number of the one before in its bank + 1.
    next: [u8; LANES],
    known: [u64; LANES],
    count: u8,
    /// Words of the fullest bank.
    most: u8,
}

impl Banks {
    fn add(&mut self, word: u64) {
        let head = &mut self.heads[(word % BANKS) as usize];
        let (mut at, mut depth) = (*head, 1);
        while at != 0 {
            let before = usize::from(at) - 1;
            if self.known[before] == word {
                return;
            }
            at = self.next[before];
            depth += 1;
        }
        self.next[usize::from(self.count)] = *head;
        self.known[usize::from(self.count)] = word;
        self.count += 1;
        *head = self.count;
        self.most = self.most.max(depth);
    }
}

/// Bytes that a request uses: lanes that share an address count once.
pub(super) fn used(request: &Request<'_>) -> u64 {
    distinct(request) * request.bytes
}

/// The most lanes with the same address. `tally` is empty or as it was left.
pub(super) fn rounds(request: &Request<'_>, tally: &mut Vec<u8>) -> u64 {
    match request.stride {
        Some(0) => return u64::from(request.mask.count_ones()),
        Some(_) => return 1,
        None => tally.resize(TALLY, 0),
    }
    let low = active(request).min().unwrap_or(0);
    // Bytes of an access are a power of two.
    let place = |address: u64| ((address - low) >> request.bytes.trailing_zeros()) as usize;
    if active(request).any(|address| place(address) >= TALLY) {
        return u64::from(Words::of(active(request)).times.into_iter().max().unwrap_or(0));
    }
    // A histogram's bins: counting is the quickest.
    let mut most = 0;
    for address in active(request) {
        let times = &mut tally[place(address)];
        *times += 1;
        most = most.max(*times);
    }
    for address in active(request) {
        tally[place(address)] = 0;
    }
    u64::from(most)
}

/// Distinct sectors of one request. A lane's bytes never cross a sector: accesses are aligned and at most 32
/// bytes.
pub(super) fn sectors(request: &Request<'_>) -> u64 {
    match request.stride {
        // Close enough to leave no sector out.
        Some(stride) if stride <= SECTOR => {
            let last = request.first() + stride * u64::from(request.mask.count_ones() - 1);
            last / SECTOR - request.first() / SECTOR + 1
        }
        _ => Words::of(active(request).map(|address| address / SECTOR)).count as u64,
    }
}

/// Passes that shared memory needs for a request: the most distinct 4-byte words in one bank. Accesses of 8
/// and 16 bytes per lane are served half-warps and quarter-warps at a time.
pub(super) fn wavefronts(request: &Request<'_>) -> u64 {
    let words = request.bytes.div_ceil(4).max(1);
    let lanes_at_once = (LANES as u64 / words).max(1) as usize;
    // Words that follow each other, or one word for all, lie in different banks.
    let easy = request.stride == Some(0) || request.run().is_some();
    let mut total = 0;
    for first in (0..LANES).step_by(lanes_at_once) {
        let served = request.mask >> first & u32::MAX >> (LANES - lanes_at_once);
        if easy || served == 0 {
            total += u64::from(served != 0);
            continue;
        }
        let mut banks = Banks::default();
        for lane in lanes(served) {
            let first = request.addresses[first + lane] / 4;
            (first..first + words).for_each(|word| banks.add(word));
        }
        total += u64::from(banks.most);
    }
    total
}

/// Passes of the load/store pipe for a request to global memory: lanes whose words lie in one bank of the cache follow
/// one another, and four lines are looked up at a time.
pub(super) fn passes(request: &Request<'_>) -> u64 {
    if request.stride == Some(0) {
        return 1;
    }
    if let Some(bytes) = request.run() {
        return bytes.div_ceil(LINE).max(1);
    }
    let lines = match request.stride {
        Some(stride) if stride <= LINE => stride * u64::from(request.mask.count_ones() - 1) / LINE + 1,
        _ => Words::of(active(request).map(|address| address / LINE)).count as u64,
    };
    wavefronts(request).max(lines.div_ceil(LINES_AT_ONCE))
}

/// Bytes of a line of the first-level cache.
pub(super) const LINE: u64 = 128;
/// Lines that are looked up at once: 33 words apart, 32 lanes take 8.6 cycles on an H200.
const LINES_AT_ONCE: u64 = 4;

/// Different addresses that a request asks for.
pub(super) fn distinct(request: &Request<'_>) -> u64 {
    match request.stride {
        Some(0) => 1,
        Some(_) => u64::from(request.mask.count_ones()),
        None => Words::of(active(request)).count as u64,
    }
}

/// Different values of the active lanes.
pub(super) fn values(lanes: impl Iterator<Item = u64>) -> u64 {
    Words::of(lanes).count as u64
}

/// The most lanes whose word lies in one bank of shared memory, at the same address or not.
pub(super) fn lanes_in_a_bank(request: &Request<'_>) -> u64 {
    let words = request.bytes.div_ceil(4).max(1);
    let mut banks = [0u64; BANKS as usize];
    for address in active(request) {
        for word in 0..words {
            banks[((address / 4 + word) % BANKS) as usize] += 1;
        }
    }
    banks.into_iter().max().unwrap_or(0)
}

/// For each sector of an atomic request, an address in it, the most lanes at one address, and whether there are several.
pub(super) fn sector_rounds(request: &Request<'_>, mut found: impl FnMut(u64, u64, bool)) {
    let all = Words::of(active(request));
    let mut sectors = [(0u64, 0u64, false); LANES];
    let mut count = 0;
    for (&address, &times) in all.known.iter().zip(&all.times).take(all.count) {
        let times = u64::from(times);
        let known = sectors[..count].iter_mut().find(|(known, ..)| known / SECTOR == address / SECTOR);
        if let Some((_, most, several)) = known {
            *most = times.max(*most);
            *several = true;
        } else {
            sectors[count] = (address, times, false);
            count += 1;
        }
    }
    for &(address, rounds, several) in &sectors[..count] {
        found(address, rounds, several);
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::exec::{AccessKind, FULL};
    use crate::ptx::ast::Space;

    fn addresses(address: impl Fn(u64) -> u64) -> [u64; LANES] {
        std::array::from_fn(|lane| address(lane as u64))
    }

    fn of(addresses: &[u64; LANES], mask: u32, bytes: u64) -> Request<'_> {
        Request::new(Space::Shared, AccessKind::Read, mask, addresses, bytes)
    }

    #[test]
    fn bank_conflicts_count_passes() {
        for (stride, passes) in [(4, 1), (8, 2), (128, 32), (0, 1), (12, 1), (132, 1)] {
            let addresses = addresses(|lane| lane * stride);
            assert_eq!(wavefronts(&of(&addresses, FULL, 4)), passes, "stride {stride}");
        }
        assert_eq!(wavefronts(&of(&addresses(|lane| lane * 16), FULL, 16)), 4);
        assert_eq!(wavefronts(&of(&addresses(|lane| lane), FULL, 1)), 1);
    }

    #[test]
    fn sectors_are_counted_once() {
        for (stride, count) in [(1, 1), (4, 4), (16, 16), (3, 3), (4096, 32), (0, 1)] {
            let addresses = addresses(|lane| lane * stride);
            assert_eq!(sectors(&of(&addresses, FULL, 1)), count, "stride {stride}");
        }
    }

    #[test]
    fn what_a_stride_tells_is_what_counting_tells() {
        for bytes in [1, 2, 4, 8, 16, 32] {
            // Accesses are aligned, so strides are multiples of their width.
            for stride in [0, 1, 2, 3, 4, 7, 8, 9, 16, 32, 33, 1 << 20] {
                for mask in [FULL, 0xff, 0xff00, 1, 1 << 31, 0x000f_fff0] {
                    let addresses = addresses(|lane| 4096 + lane * stride * bytes);
                    let quick = of(&addresses, mask, bytes);
                    assert!(quick.stride.is_some());
                    let slow = Request { stride: None, ..quick };
                    let figures = |request: &Request<'_>| {
                        let rounds = rounds(request, &mut Vec::new());
                        [used(request), rounds, sectors(request), wavefronts(request)]
                    };
                    assert_eq!(figures(&quick), figures(&slow), "{bytes} {stride} {mask:#x}");
                }
            }
        }
    }

    #[test]
    fn lanes_at_one_address_go_round() {
        let mut tally = Vec::new();
        for spread in [4, 1 << 20] {
            let mut addresses = addresses(|lane| (lane % 11) * spread);
            // 0, 11, 22 meet; without lane 22 and with lane 31 moved to them, still three.
            assert_eq!(rounds(&of(&addresses, FULL, 4), &mut tally), 3);
            addresses[31] = 0;
            assert_eq!(rounds(&of(&addresses, FULL, 4), &mut tally), 4);
            assert_eq!(rounds(&of(&addresses, FULL & !(1 << 22), 4), &mut tally), 3);
            assert!(tally.iter().all(|&times| times == 0));
        }
    }
}
