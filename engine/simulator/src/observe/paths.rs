//! How long the slowest warp of each block would take by itself, in cycles: the latencies that nothing hides.
//!
//! A warp issues in order, but the assembler puts independent instructions of a basic block side by side. So an instruction
//! starts when the registers it reads are there, and not before the basic block it stands in: that begins when the last
//! instruction before the branch could start. A barrier joins the warps of its block.
//!
//! Latencies are nominal, those of an H200; [`crate::Path`] keeps them apart by where they arise, so that the timing model
//! can put those of another GPU in their place. Left out: instructions that wait because other warps issue (throughput is
//! another term), values that go through memory, and branches that the hardware has to find.

mod line;
mod links;
mod misses;

use std::collections::BTreeMap;

use line::Line;
use links::{Folded, Links, Spaces, Touch, immediates, links};
use misses::Misses;

use super::beyond::{Beyond, own_words};
use super::cache::{Asker, Cache};
use super::requests::sectors;
use super::units::{Constants, Loop, Looped};
use super::{Observer, Place, Request};
use crate::decode::{Action, Class, Program};
use crate::exec::{AccessKind, Warp};
use crate::launch::{Counters, Dealt, Path, Stay};
use crate::ptx::ast::Space;

/// A block that waits for the grid.
#[derive(Debug)]
struct Parked {
    warps: Vec<Line>,
    cache: Cache,
    looped: Looped,
    dealing: [u64; 4],
}

/// The observer.
#[derive(Debug)]
pub(crate) struct Paths {
    links: Vec<Links>,
    registers: Vec<u32>,
    warps: Vec<Line>,
    current: usize,
    cache: Cache,
    /// Of the current block.
    number: u64,
    /// Sectors that were not in the cache.
    missed: u64,
    /// Sectors of the threads' own memory that were stored to.
    local_stored: u64,
    beyond: Beyond,
    constants: Constants,
    /// Whether the current instruction's address is known.
    fixed: bool,
    /// Instructions that are executed, by class.
    live: [u64; Class::COUNT],
    /// Lanes in which each register holds an immediate.
    immediates: Vec<u32>,
    misses: Misses,
    /// Sectors that the current request missed.
    fresh: Vec<u64>,
    looped: Looped,
    contended: u64,
    /// Passes of shared memory for turns of loops that another warp made vain.
    in_vain: u64,
    /// Blocks that wait for the grid.
    parked: BTreeMap<u64, Parked>,
    /// Instructions of this block, and of all, by the place of their warps.
    dealing: [u64; 4],
    dealt: Dealt,
    /// Cycles of all warps, without what is far.
    of_warps: u64,
    /// Over all blocks.
    sum: Path,
    longest: Path,
}

impl Paths {
    /// For a launch of `program` with blocks of so many threads.
    pub fn new(program: &Program, threads: u32) -> Self {
        let (links, registers) = links(program);
        let immediates = immediates(program);
        let fresh = Line { ready: vec![0; immediates.len()], known: immediates.clone(), ..Line::default() };
        Self {
            links,
            registers,
            warps: vec![fresh; threads.div_ceil(32) as usize],
            current: 0,
            cache: Cache::default(),
            number: 0,
            missed: 0,
            local_stored: 0,
            beyond: Beyond::new(threads.div_ceil(32) as usize),
            constants: Constants::default(),
            fixed: false,
            live: [0; Class::COUNT],
            immediates,
            misses: Misses::new(program.code.len()),
            fresh: Vec::new(),
            looped: Looped::default(),
            contended: 0,
            in_vain: 0,
            parked: BTreeMap::new(),
            dealing: [0; 4],
            dealt: Dealt::default(),
            of_warps: 0,
            sum: Path::default(),
            longest: Path::default(),
        }
    }

    /// Requests that have to wait.
    pub(super) fn misses(&self) -> &Misses {
        &self.misses
    }

    /// Adds what was seen to a launch's events.
    pub fn finish(mut self, total: &mut Counters) {
        self.close();
        (total.path, total.longest_path) = (self.sum, self.longest);
        total.contended = self.contended;
        total.dealt = self.dealt;
        total.warp_cycles = self.of_warps;
        total.local_store_sectors = self.local_stored;
        total.traffic = self.beyond.finish();
        total.shared_atomic_wavefronts += self.in_vain;
        (total.constant_addresses, total.constant_passes) =
            (self.constants.addresses, self.constants.passes());
        (total.missed_sectors, total.live) = (self.missed, self.live);
    }

    /// Takes in the block that has ended.
    fn close(&mut self) {
        let slowest = self.warps.iter().max_by_key(|line| line.end);
        if let Some(path) = slowest.map(|line| line.path) {
            self.sum.add(&path);
            self.longest = self.longest.longer(path);
            self.of_warps += self.warps.iter().map(|line| line.path.within()).sum::<u64>();
        }
        self.contended += self.looped.most();
        self.in_vain += self.looped.in_vain(self.warps.len());
        self.looped.clear();
        self.beyond.close();
        self.dealt.add_block(std::mem::take(&mut self.dealing));
        for line in &mut self.warps {
            line.reset();
            line.known.copy_from_slice(&self.immediates);
        }
    }

    /// A request of the current warp misses.
    fn miss(&mut self, pc: u32) {
        self.misses.all[pc as usize] += 1;
        if self.warps[self.current].miss() {
            self.misses.first[pc as usize] += 1;
        }
    }

    /// The current warp, as the cache knows it.
    fn asker(&self) -> Asker {
        Asker { warp: self.current, barriers: self.warps[self.current].barriers }
    }

    /// What the current instruction loads is there so late.
    fn late(&mut self, pc: u32, cycles: u64, stay: Stay) {
        let links = self.links[pc as usize];
        let first = links.first as usize + usize::from(links.sources);
        let line = &mut self.warps[self.current];
        let when = line.start + cycles;
        for &result in &self.registers[first..first + usize::from(links.results)] {
            let ready = &mut line.ready[result as usize];
            *ready = when.max(*ready);
        }
        if links.results > 0 {
            line.reach(when, stay);
        }
    }
}

/// What a load takes that the L1 does not have.
pub(crate) const FAR: u64 = 500;
/// What a turn of the loop takes by which shared memory does some atomics, for a warp alone.
const TURN: u64 = 95;
/// What lies between two such atomics at one address of which a block's warps do one after the other: 58 to 85 cycles.
pub(crate) const SPIN: u64 = 70;

/// Bytes of an allocation that is taken for a table which many blocks read: an eighth of an H200's first-level cache.
const TABLE: u64 = 32 << 10;

/// Whether a load reads a table. What one block has brought to the first-level cache is still there for the next ones on
/// the same multiprocessor, so that on the whole only the first blocks ask the L2 for it.
fn is_table(request: &Request<'_>, place: &Place<'_>) -> bool {
    place.located.is_some_and(|located| {
        let spot = place.view.spot(located, request.first());
        place.view.memory().allocations()[spot.allocation].size <= TABLE
    })
}

impl Observer for Paths {
    #[inline]
    fn issue(&mut self, pc: u32, mask: u32) {
        let links = self.links[pc as usize];
        let (first, sources) = (links.first as usize, usize::from(links.sources));
        let registers = &self.registers[first..first + sources + usize::from(links.results)];
        let line = &mut self.warps[self.current];
        line.come_to(pc);
        // Of an instruction that no lane carries out, such as a branch not taken, the operands are those of the lanes before it.
        let known = |source: &&u32| {
            let lanes = line.known[**source as usize];
            if mask == 0 { lanes != 0 } else { lanes & mask == mask }
        };
        let fixed = registers[..sources].iter().filter(known).count();
        self.fixed = fixed == sources;
        // A loop whose count is known is unrolled, and what is known of its rounds is worked out by the compiler.
        let folded = links.folded == Folded::Settled
            || self.fixed && sources > 0 && links.folded != Folded::Never
            || links.moves_address && fixed == 1;
        for &result in &registers[sources..] {
            let is_known = self.fixed && sources > 0 && links.folded == Folded::Value;
            line.known[result as usize] = if is_known { mask } else { 0 };
        }
        if folded {
            let mut when = line.floor;
            for &source in &registers[..sources] {
                when = when.max(line.ready[source as usize]);
            }
            for &result in &registers[sources..] {
                line.ready[result as usize] = when;
            }
            return;
        }
        self.live[links.kind as usize] += 1;
        self.dealing[self.current % 4] += 1;
        line.issued += 1;
        let mut start = line.floor;
        for &source in &registers[..sources] {
            start = start.max(line.ready[source as usize]);
        }
        match links.memory {
            Touch::Load(Spaces::Global) => start = start.max(line.stored[0]),
            Touch::Load(Spaces::Shared) => start = start.max(line.stored[1]),
            Touch::Load(Spaces::Either) => start = start.max(line.stored[0]).max(line.stored[1]),
            _ => {}
        }
        line.start = start;
        line.latest = line.latest.max(start);
        if mask != 0 {
            let when = start + u64::from(links.cycles);
            for &result in &registers[sources..] {
                let ready = &mut line.ready[result as usize];
                *ready = if links.guarded { when.max(*ready) } else { when };
            }
            line.reach(when, links.stay);
        }
        if let Touch::Store(spaces) = links.memory
            && mask != 0
        {
            let [global, shared] = &mut line.stored;
            if spaces != Spaces::Shared {
                *global = start.max(*global);
            }
            if spaces != Spaces::Global {
                *shared = start.max(*shared);
            }
        }
        if links.ends {
            // A barrier waits for what the warp has begun.
            let issued = line.began + line.issued;
            line.floor = line.latest.max(issued);
            if mask != 0 {
                line.floor += u64::from(links.cycles);
            }
            (line.began, line.latest, line.issued) = (line.floor, line.floor, 0);
            line.reach(line.floor, if links.stay == Stay::Barrier { Stay::Barrier } else { Stay::Compute });
        }
    }

    fn access(&mut self, pc: u32, request: &Request<'_>, place: &Place<'_>) {
        match (request.space, request.kind) {
            (Space::Global, AccessKind::Read) => {
                self.beyond.load(self.current);
                let asker = self.asker();
                let fresh = &mut self.fresh;
                fresh.clear();
                let look = self.cache.look(request, asker, |sector| fresh.push(sector));
                let missed = look.missing;
                if missed == 0 && look.behind {
                    self.misses.behind[pc as usize] += 1;
                }
                if missed > 0 {
                    self.miss(pc);
                    let line = &mut self.warps[self.current];
                    line.step.request += 1;
                    if self.number == 0 || !is_table(request, place) {
                        self.missed += missed;
                        self.beyond.arrivals.add(self.number, line.step, &self.fresh);
                        self.beyond.missed(self.current, request, missed);
                    }
                    self.late(pc, FAR, Stay::Far);
                }
            }
            // As long as a load from the L2: 311 cycles of an H200, and 330.
            (Space::Global, AccessKind::Atomic) => {
                self.beyond.atomics(self.current, request.mask.count_ones());
                self.late(pc, FAR, Stay::Far);
            }
            (Space::Global, AccessKind::Write) => self.beyond.stores.store(self.current, request),
            (Space::Shared, AccessKind::Atomic) if matches!(place.inst.action, Action::Atomic { ty, .. } if ty.by_loop()) =>
            {
                self.looped.add(request, self.current);
                let line = &mut self.warps[self.current];
                let until = line.start + TURN * Loop::of(request).turns;
                line.floor = line.floor.max(until);
                line.latest = line.latest.max(until);
                line.reach(until, Stay::Near);
            }
            (Space::Const, _) if !self.fixed => self.constants.add(request),
            (Space::Local, _) => {
                let mut missed = 0;
                let asker = self.asker();
                own_words(request, self.current, |words| {
                    let missing = self.cache.look(words, asker, |_| ()).missing;
                    if request.kind == AccessKind::Write {
                        self.local_stored += sectors(words);
                    }
                    self.beyond.own(self.current, words, missing);
                    missed += missing;
                });
                self.missed += missed;
                if missed > 0 {
                    self.miss(pc);
                    self.late(pc, FAR, Stay::Far);
                }
            }
            _ => {}
        }
    }

    fn block(&mut self, number: u64) {
        self.close();
        self.cache.forget();
        self.number = number;
    }

    fn turn(&mut self, warp: &Warp) {
        self.current = warp.index as usize;
    }

    fn release(&mut self, _id: u32, waiting: &mut dyn Iterator<Item = u32>, _everyone: bool) {
        let warps: Vec<usize> = waiting.map(|warp| warp as usize).collect();
        let Some(&last) = warps.iter().max_by_key(|&&warp| self.warps[warp].floor) else { return };
        let arrival = self.warps[last].arrival();
        for warp in warps {
            self.warps[warp].follow(arrival);
        }
    }

    fn park(&mut self, number: u64) {
        let fresh =
            Line { ready: vec![0; self.immediates.len()], known: self.immediates.clone(), ..Line::default() };
        let count = self.warps.len();
        let warps = std::mem::replace(&mut self.warps, vec![fresh; count]);
        let (cache, looped) = (std::mem::take(&mut self.cache), std::mem::take(&mut self.looped));
        let dealing = std::mem::take(&mut self.dealing);
        self.beyond.close();
        self.parked.insert(number, Parked { warps, cache, looped, dealing });
    }

    fn resume(&mut self, number: u64) {
        self.close();
        self.number = number;
        let parked = self.parked.remove(&number).expect("who goes on was parked");
        (self.warps, self.cache, self.looped) = (parked.warps, parked.cache, parked.looped);
        self.dealing = parked.dealing;
    }

    /// Every warp goes on when the last one has come, wherever it is.
    fn grid_barrier(&mut self) {
        let all = self.parked.values().flat_map(|block| &block.warps);
        let Some(last) = all.max_by_key(|line| line.floor).map(Line::arrival) else { return };
        for line in self.parked.values_mut().flat_map(|block| &mut block.warps) {
            line.follow(last);
        }
    }

    fn absorb(&mut self, mut other: Self) {
        other.close();
        self.close();
        self.sum.add(&other.sum);
        self.dealt.add(&other.dealt);
        self.of_warps += other.of_warps;
        self.local_stored += other.local_stored;
        self.beyond.absorb(other.beyond);
        self.longest = self.longest.longer(other.longest);
        self.missed += other.missed;
        self.contended += other.contended;
        self.in_vain += other.in_vain;
        self.constants.absorb(&other.constants);
        self.misses.absorb(&other.misses);
        for (mine, theirs) in self.live.iter_mut().zip(other.live) {
            *mine += theirs;
        }
    }
}

#[cfg(test)]
mod tests;
