//! What some requests take of a unit by the microbenchmarks: loops of shared memory, fetches, constants beyond the first
//! level. Figures are those of `book/data/micro-h200.json`, which `workshop micro` measured.

use std::collections::BTreeMap;

use super::requests::{BANKS, distinct, values, wavefronts};
use crate::decode::{Action, Inst};
use crate::exec::lanes;
use crate::isa::actions;
use crate::observe::Request;

/// What shared memory does with an atomic that it has no adder for: the compiler's loop loads a word, computes, and swaps
/// it if nobody else did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CasLoop {
    /// Times round: in each, one lane of each bank succeeds, whether or not the others want the same word.
    pub turns: u64,
    /// Passes of shared memory.
    pub passes: u64,
}

impl CasLoop {
    /// Passes of a turn beyond those of its load: n lanes that want different words of one bank take the sum of k + 2 for k from
    /// n to 1, which is 7, 52 and 592 passes for 2, 8 and 32; n lanes that want one word, 3 n.
    const SWAP: u64 = 2;

    /// Whether an instruction is done by one.
    pub fn does(inst: &Inst) -> bool {
        matches!(inst.action, Action::Atomic { ty, .. } if ty.by_loop())
    }

    /// Of a request, if no other warp interferes.
    pub fn of(request: &Request<'_>) -> Self {
        let mut all = Self { turns: 0, passes: 0 };
        let mut left = request.mask;
        while left != 0 {
            let these = Request::new(request.space, request.kind, left, request.addresses, request.bytes);
            all.turns += 1;
            all.passes += wavefronts(&these) + Self::SWAP;
            let mut served = 0u32;
            for lane in lanes(left) {
                let bank = 1 << (request.addresses[lane] / 4 % BANKS);
                if served & bank == 0 {
                    served |= bank;
                    left &= !(1 << lane);
                }
            }
        }
        all
    }
}

/// Shared addresses of a block that loops change, and who does.
#[derive(Debug, Clone, Default)]
pub(super) struct CasLoops {
    /// By address: the lanes that changed it, the warp that was the first to, and how many of them were that warp's.
    addresses: BTreeMap<u64, (u64, usize, u64)>,
}

impl CasLoops {
    /// Adds a request of a warp.
    pub fn add(&mut self, request: &Request<'_>, warp: usize) {
        for lane in lanes(request.mask) {
            let (all, first, its) = self.addresses.entry(request.addresses[lane]).or_insert((0, warp, 0));
            *all += 1;
            *its += u64::from(*first == warp);
        }
    }

    /// Passes of shared memory that go to turns in vain, because another of the block's `warps` was faster: while all wait
    /// for one address, each tries again and again. Fitted to random words of a table of a block of 256 threads, 8 blocks at
    /// once: 435, 135, 42, 20 and 15 passes a request for tables of 1, 4, 16, 64 and 256 words; this gives 488, 131, 39, 19, 16.
    pub fn in_vain(&self, warps: usize) -> u64 {
        let others = self.addresses.values().map(|(all, _, its)| all - its).max().unwrap_or(0);
        others * warps as u64 * 7 / 4
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.addresses.clear();
    }
}

/// Cycles of a fetch through a texture or a read through a surface, as far as its instruction says.
pub(super) fn fetch(inst: &Inst) -> u64 {
    match inst.action {
        // By whole numbers: `tex1Dfetch`.
        Action::Texture(fetch) if fetch.whole => 4,
        Action::Texture(_) => 8,
        Action::Surface(access) if access.access.width < 4 => 4,
        Action::Surface(_) => 6,
        Action::Load(_)
        | Action::Store(_)
        | Action::Atomic { .. }
        | actions!(registers | warps | barriers | jumps | ends | waits) => 0,
    }
}

/// How many more cycles it takes because its lanes' texels do not lie side by side: two lines are looked up a cycle, and
/// texels in one bank follow one another. Words 33 apart, each in a line of its own, take 16 cycles, 32 apart 32; scattered ones
/// 11 to 14, for which this says 16.
pub(super) fn scattered(request: &Request<'_>, inst: &Inst) -> u64 {
    const LINE: u64 = 128;
    if request.stride.is_some_and(|stride| stride <= 8) {
        return 0;
    }
    let lines = values(lanes(request.mask).map(|lane| request.addresses[lane] / LINE));
    wavefronts(request).max(lines.div_ceil(2)).saturating_sub(fetch(inst))
}

/// Loads of constant memory whose addresses the compiler does not know.
#[derive(Debug, Clone, Default)]
pub(super) struct Constants {
    /// Different addresses that requests asked for, summed over them.
    addresses: u64,
    requests: u64,
    /// Lines touched, a bit each.
    lines: [u64; Self::LINES / 64],
}

impl Constants {
    /// Bytes of a line.
    const LINE: u64 = 64;
    /// Lines of 64 KiB.
    const LINES: usize = 1024;
    /// Lines of the first level.
    const NEAR: f64 = 32.0;

    /// Adds a request.
    pub fn add(&mut self, request: &Request<'_>) {
        self.addresses += distinct(request);
        self.requests += 1;
        for lane in lanes(request.mask) {
            let line = (request.addresses[lane] / Self::LINE) as usize % Self::LINES;
            self.lines[line / 64] |= 1 << (line % 64);
        }
    }

    /// What all take, in units of a word that the first level has. Of tables beyond its 2 KiB, a word takes up to 16 units more;
    /// how many is fitted to random words of tables of 3, 4, 8 and 32 KiB, 1, 8 and 32 of them a request: requests for many
    /// find more of them on the way already.
    pub fn passes(&self) -> u64 {
        const BEYOND: f64 = 16.5;
        let lines = self.lines.iter().map(|bits| bits.count_ones()).sum::<u32>();
        let away = (1.0 - Self::NEAR / f64::from(lines.max(1))).max(0.0);
        let at_once = self.addresses as f64 / (self.requests.max(1)) as f64;
        let missed = away.powf(1.8 + 0.24 * at_once.max(1.0).log2());
        (self.addresses as f64 * (1.0 + BEYOND * missed)).round() as u64
    }

    /// Adds others.
    pub fn absorb(&mut self, other: &Self) {
        self.addresses += other.addresses;
        self.requests += other.requests;
        for (mine, theirs) in self.lines.iter_mut().zip(other.lines) {
            *mine |= theirs;
        }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::exec::{AccessKind, FULL, LANES};
    use crate::ptx::ast::Space;

    fn of(space: Space, addresses: &[u64; LANES]) -> Request<'_> {
        Request::new(space, AccessKind::Atomic, FULL, addresses, 4)
    }

    fn cas_loops(address: impl Fn(u64) -> u64) -> CasLoop {
        CasLoop::of(&of(Space::Shared, &std::array::from_fn(|lane| address(lane as u64))))
    }

    #[test]
    fn loops_take_what_the_microbenchmarks_do() {
        // Lanes at one word, at four, each at its own.
        assert_eq!(cas_loops(|_| 0), CasLoop { turns: 32, passes: 96 });
        assert_eq!(cas_loops(|lane| lane % 4 * 4), CasLoop { turns: 8, passes: 24 });
        assert_eq!(cas_loops(|lane| lane * 4), CasLoop { turns: 1, passes: 3 });
        // Each at its own, but 2, 8 or 32 in a bank.
        assert_eq!(cas_loops(|lane| lane * 8), CasLoop { turns: 2, passes: 7 });
        assert_eq!(cas_loops(|lane| lane * 32), CasLoop { turns: 8, passes: 52 });
        assert_eq!(cas_loops(|lane| lane * 128), CasLoop { turns: 32, passes: 592 });
    }

    #[test]
    fn only_other_warps_make_turns_vain() {
        let mut all = CasLoops::default();
        let addresses = [64; LANES];
        let request = of(Space::Shared, &addresses);
        all.add(&request, 3);
        assert_eq!(all.in_vain(8), 0);
        for warp in 4..8 {
            all.add(&request, warp);
        }
        assert_eq!(all.in_vain(8), 128 * 8 * 7 / 4);
        all.clear();
        assert_eq!(all.in_vain(8), 0);
    }

    /// Cycles a word of `at_once` random words of `bytes`: 2 a pass, as the H200's rate is.
    fn constant(at_once: u64, bytes: u64) -> f64 {
        let mut all = Constants::default();
        for first in 0..bytes / 4 {
            let addresses =
                std::array::from_fn(|lane| (first + lane as u64 * at_once / 32 * 2533) * 4 % bytes);
            all.add(&of(Space::Const, &addresses));
        }
        2.0 * all.passes() as f64 / all.addresses as f64
    }

    #[test]
    fn constants_take_what_the_microbenchmarks_do() {
        let measured = [
            (1, 1024, 2.09),
            (32, 1024, 2.0),
            (32, 2048, 2.0),
            (1, 4096, 11.3),
            (8, 4096, 8.34),
            (32, 4096, 5.08),
            (1, 8192, 21.9),
            (8, 8192, 18.9),
            (32, 8192, 14.1),
            (1, 32768, 32.2),
            (8, 32768, 31.2),
            (32, 32768, 29.4),
        ];
        for (at_once, bytes, cycles) in measured {
            let predicted = constant(at_once, bytes);
            assert!(
                (0.8..1.25).contains(&(predicted / cycles)),
                "{at_once} of {bytes}: {predicted} {cycles}"
            );
        }
    }
}
