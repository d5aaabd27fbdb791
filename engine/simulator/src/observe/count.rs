//! Counts what the timing model needs: instructions, sectors, wavefronts, atomics, by instruction.

use std::collections::BTreeMap;

use super::beyond::own_passes;
use super::course::Course;
use super::pieces::{Piece, Pieces};
use super::requests::{
    BANKS, SECTOR, Sectors, lanes_in_a_bank, passes, rounds, sector_rounds, sectors, used, values, wavefronts,
};
use super::units::{Loop, fetch, scattered};
use super::{Observer, Paths, Place, Request};
use crate::decode::{Action, AtomicOp, AtomicType, Inst, Program};
use crate::exec::{AccessKind, Warp, lanes};
use crate::finding::Location;
use crate::launch::{Counters, Executed, LineCounters};
use crate::lines::LineTable;
use crate::ptx::ast::Space;

/// The counting observer.
#[derive(Debug, Default)]
pub(crate) struct Counting {
    /// Events by instruction.
    by_instruction: Vec<Counters>,
    /// The source location of each instruction.
    locations: Vec<u32>,
    /// Sectors of global memory touched, by source location.
    footprints: Vec<Footprint>,
    /// Those from before the grid's last barrier.
    earlier: Vec<Footprint>,
    /// Barriers of the grid.
    grid_barriers: u64,
    /// Sectors read between one of them and the next, each counted once, summed up to the last.
    read_before: u64,
    /// Rounds of global atomics by place.
    pieces: Pieces,
    course: Course,
    /// Sectors of the current atomic request.
    sectors: Vec<(Piece, u64, bool)>,
    /// Blocks of the grid, and the part of it that runs now.
    blocks: u64,
    part: usize,
    /// Additions of floating-point numbers to global memory, by address.
    float_adds: BTreeMap<u64, u64>,
    /// Turns of the loops of each instruction on shared memory.
    turns: Vec<u64>,
    /// For [`rounds`].
    tally: Vec<u8>,
}

impl Counting {
    /// Counts for a program, on a grid of so many blocks.
    pub fn new(program: &Program, blocks: u64) -> Self {
        let locations: Vec<u32> = program.code.iter().map(|inst| inst.location).collect();
        let known = locations.iter().max().map_or(0, |&last| last as usize + 1);
        Self {
            by_instruction: vec![Counters::default(); program.code.len()],
            locations,
            turns: vec![0; program.code.len()],
            footprints: vec![Footprint::default(); known],
            blocks,
            ..Self::default()
        }
    }

    /// The launch's totals, and the events by source line; with what [`super::Chains`] saw, if it watched too.
    pub fn finish(
        mut self,
        program: &Program,
        lines: &LineTable,
        paths: Paths,
        chains: Option<Vec<u64>>,
    ) -> (Counters, Vec<LineCounters>, Vec<Executed>) {
        let executed = self.executed(program, &paths);
        for (counters, lengthened) in self.by_instruction.iter_mut().zip(chains.unwrap_or_default()) {
            counters.dependency_depth = lengthened;
        }
        let mut total = Counters::default();
        let mut by_line: BTreeMap<Location, (Counters, Footprint)> = BTreeMap::new();
        let line = |location: u32| Some(Location { column: 0, ..lines.get(location)?.clone() });
        for (inst, counters) in program.code.iter().zip(&mut self.by_instruction) {
            // Filtering reads several texels a fetch.
            let fetches = counters.texture_requests.min(counters.warp_instructions);
            counters.texture_passes += fetch(inst) * fetches;
            if let Some(count) = counters.mix.get_mut(inst.class as usize) {
                *count = counters.warp_instructions;
            } else {
                (counters.warp_instructions, counters.thread_instructions) = (0, 0);
            }
            total.add(counters);
            if *counters != Counters::default()
                && let Some(line) = line(inst.location)
            {
                by_line.entry(line).or_default().0.add(counters);
            }
        }
        self.course.close();
        let (hottest, course) = (self.hottest(), self.course.most());
        let read = self.read_before + all(&self.footprints).read.count();
        for (mine, earlier) in self.footprints.iter_mut().zip(std::mem::take(&mut self.earlier)) {
            mine.absorb(earlier);
        }
        let mut touched = Footprint::default();
        for (location, footprint) in self.footprints.into_iter().enumerate() {
            touched.absorb(footprint.clone());
            if let Some(entry) = line(location as u32).and_then(|line| by_line.get_mut(&line)) {
                entry.1.absorb(footprint);
            }
        }
        touched.count_into(&mut total);
        [total.hottest_atomic_rounds, total.hottest_atomic_neighbours] = hottest;
        total.grid_barriers = self.grid_barriers;
        if self.grid_barriers > 0 {
            total.reread_sectors = read - total.unique_read_sectors;
        }
        paths.finish(&mut total);
        total.traffic.hottest_in_step = course;
        let lines = by_line.into_iter().map(|(location, (mut counters, footprint))| {
            footprint.count_into(&mut counters);
            LineCounters { location, counters }
        });
        (total, lines.collect(), executed)
    }

    /// The most rounds of global atomics in one place, and how many of those were in sectors of several words.
    fn hottest(&self) -> [u64; 2] {
        // One addition of a floating-point number waits for the other: 1.75 ns at one address of an H200, integers 0.73.
        let floats = self.float_adds.values().max().unwrap_or(&0) * 12 / 5;
        let [rounds, neighbours] = self.pieces.most();
        if floats > rounds { [floats, 0] } else { [rounds, neighbours] }
    }

    /// What each instruction of the PTX did: its first one here, if it became several.
    fn executed(&self, program: &Program, paths: &Paths) -> Vec<Executed> {
        let mut each = Vec::new();
        let misses = paths.misses();
        for (pc, counters) in self.by_instruction.iter().enumerate() {
            let requests =
                counters.global_load_requests + counters.global_store_requests + counters.local_requests;
            let passes = counters.global_wavefronts + counters.local_wavefronts;
            let this = Executed {
                line: program.lines[pc],
                warps: counters.warp_instructions,
                threads: counters.thread_instructions,
                turns: self.turns[pc],
                missed: misses.all[pc],
                first_missed: misses.first[pc],
                behind: misses.behind[pc],
                conflicts: passes.saturating_sub(requests),
                passes: counters.shared_wavefronts.saturating_sub(counters.shared_requests)
                    + LATER_MATCH * counters.match_values.saturating_sub(counters.warp_instructions),
            };
            if this.warps > 0 {
                each.push(this);
            }
        }
        each.sort_by_key(|executed| executed.line);
        each.dedup_by(|next, kept| {
            let same = next.line == kept.line;
            if same {
                kept.warps = kept.warps.max(next.warps);
                kept.threads = kept.threads.max(next.threads);
                kept.turns = kept.turns.max(next.turns);
                kept.missed += next.missed;
                kept.first_missed += next.first_missed;
                kept.behind += next.behind;
                kept.passes += next.passes;
                kept.conflicts += next.conflicts;
            }
            same
        });
        each
    }
}

/// Sectors of global memory touched at least once.
#[derive(Debug, Clone, Default)]
struct Footprint {
    read: Sectors,
    written: Sectors,
    atomic: Sectors,
}

impl Footprint {
    fn absorb(&mut self, other: Self) {
        self.read.absorb(other.read);
        self.written.absorb(other.written);
        self.atomic.absorb(other.atomic);
    }

    fn count_into(&self, counters: &mut Counters) {
        counters.unique_read_sectors = self.read.count();
        counters.unique_write_sectors = self.written.count();
        counters.unique_atomic_sectors = self.atomic.count();
    }
}

/// What is touched at any of these places.
fn all(footprints: &[Footprint]) -> Footprint {
    let mut all = Footprint::default();
    for footprint in footprints {
        all.absorb(footprint.clone());
    }
    all
}

impl Counters {
    /// An atomic request; `rounds`: the most lanes at one address.
    fn count_atomic(&mut self, rounds: u64) {
        self.atomic_requests += 1;
        self.atomic_rounds += rounds;
        self.atomic_rounds_most = self.atomic_rounds_most.max(rounds);
    }
}

impl Observer for Counting {
    fn block(&mut self, number: u64) {
        self.course.close();
        self.part = Pieces::part_of(number, self.blocks);
    }

    fn resume(&mut self, number: u64) {
        self.block(number);
    }

    #[inline(always)]
    fn issue(&mut self, pc: u32, mask: u32) {
        let counters = &mut self.by_instruction[pc as usize];
        counters.warp_instructions += 1;
        counters.thread_instructions += u64::from(mask.count_ones());
    }

    fn access(&mut self, pc: u32, request: &Request<'_>, place: &Place<'_>) {
        let counters = &mut self.by_instruction[pc as usize];
        match (request.space, request.kind) {
            (Space::Shared, AccessKind::Atomic) => {
                let rounds = rounds(request, &mut self.tally);
                counters.shared_atomics += u64::from(request.mask.count_ones());
                counters.shared_atomic_rounds += rounds;
                if by_loop(place.inst) {
                    let took = Loop::of(request);
                    counters.shared_atomic_wavefronts += took.passes;
                    self.turns[pc as usize] += took.turns;
                } else {
                    counters.shared_atomic_wavefronts += shared_atomic(request, place);
                }
                counters.count_atomic(rounds);
            }
            (Space::Shared, _) => {
                counters.shared_requests += 1;
                counters.shared_wavefronts += wavefronts(request);
                counters.shared_wavefronts_least += used(request).div_ceil(4 * BANKS);
            }
            (Space::Global, kind) => {
                match kind {
                    AccessKind::Read => {
                        counters.global_load_requests += 1;
                        if matches!(place.inst.action, Action::Surface(_)) {
                            counters.texture_passes += fetch(place.inst) + scattered(request, place.inst);
                        }
                        counters.global_wavefronts += passes(request);
                        counters.global_load_sectors += sectors(request);
                        counters.global_sectors_least += used(request).div_ceil(SECTOR);
                    }
                    AccessKind::Write => {
                        counters.global_store_requests += 1;
                        counters.global_wavefronts += passes(request);
                        counters.global_store_sectors += sectors(request);
                        counters.global_sectors_least += used(request).div_ceil(SECTOR);
                    }
                    AccessKind::Atomic => {
                        counters.global_atomics += u64::from(request.mask.count_ones());
                        counters.global_atomic_sectors += sectors(request);
                        counters.count_atomic(rounds(request, &mut self.tally));
                        let (pieces, part, sectors) = (&mut self.pieces, self.part, &mut self.sectors);
                        sectors.clear();
                        sector_rounds(request, |address, rounds, several| {
                            counters.global_atomic_rounds += rounds;
                            counters.global_atomic_neighbours += if several { rounds } else { 0 };
                            if let Some(piece) = Piece::at(address, place) {
                                pieces.add(part, piece, rounds, several, place);
                                sectors.push((piece, rounds, several));
                            }
                        });
                        self.course.add(place.warp.index as usize, &self.sectors);
                        if matches!(
                            place.inst.action,
                            Action::Atomic { op: AtomicOp::Add, ty: AtomicType::F32, .. }
                        ) {
                            for lane in lanes(request.mask) {
                                *self.float_adds.entry(request.addresses[lane]).or_default() += 1;
                            }
                        }
                    }
                }
                let footprint = &mut self.footprints[self.locations[pc as usize] as usize];
                let touched =
                    if kind == AccessKind::Read { &mut footprint.read } else { &mut footprint.written };
                touched.mark(request, place);
                if kind == AccessKind::Atomic {
                    footprint.atomic.mark(request, place);
                }
            }
            (Space::Const, _) => {
                counters.constant_requests += 1;
            }
            (Space::Local, _) => {
                counters.local_requests += 1;
                counters.local_wavefronts += own_passes(request);
            }
            // Parameters are as good as registers.
            _ => {}
        }
    }

    fn texels(&mut self, pc: u32, request: &Request<'_>, fresh: u32, place: &Place<'_>) {
        let counters = &mut self.by_instruction[pc as usize];
        counters.texture_requests += 1;
        counters.texture_passes += scattered(request, place.inst);
        if fresh != 0 {
            let asked = Request::new(request.space, request.kind, fresh, request.addresses, request.bytes);
            self.access(pc, &asked, place);
        }
    }

    fn converge(&mut self, warp: &Warp, inst: &Inst, pc: u32, ready: u32) {
        if let Action::Match { all, wide, .. } = inst.action {
            let column = usize::from(inst.a);
            let found = if all {
                // Whether all have the value of one takes as long as one value.
                1 + u64::from(wide)
            } else if wide {
                // Each half is a match of its own.
                2 * values(lanes(ready).map(|lane| warp.regs.r64[column][lane]))
            } else {
                values(lanes(ready).map(|lane| u64::from(warp.regs.r32[column][lane])))
            };
            self.by_instruction[pc as usize].match_values += found;
        }
    }

    fn grid_barrier(&mut self) {
        self.grid_barriers += 1;
        self.read_before += all(&self.footprints).read.count();
        let fresh = vec![Footprint::default(); self.footprints.len()];
        let done = std::mem::replace(&mut self.footprints, fresh);
        self.earlier.resize(done.len(), Footprint::default());
        for (earlier, done) in self.earlier.iter_mut().zip(done) {
            earlier.absorb(done);
        }
    }

    fn absorb(&mut self, other: Self) {
        for (mine, theirs) in self.by_instruction.iter_mut().zip(&other.by_instruction) {
            mine.add(theirs);
        }
        for (mine, theirs) in self.footprints.iter_mut().zip(other.footprints) {
            mine.absorb(theirs);
        }
        self.pieces.absorb(other.pieces);
        let mut course = other.course;
        course.close();
        self.course.close();
        self.course.absorb(course);
        for (address, times) in other.float_adds {
            *self.float_adds.entry(address).or_default() += times;
        }
        for (mine, theirs) in self.turns.iter_mut().zip(other.turns) {
            *mine += theirs;
        }
    }
}

fn by_loop(inst: &Inst) -> bool {
    matches!(inst.action, Action::Atomic { ty, .. } if ty.by_loop())
}

/// Cycles by which a match is later for each value but the first: of 1 value 28 cycles, of 32 values 369.
const LATER_MATCH: u64 = 11;

/// Passes of shared memory for an atomic request that it has an adder for.
fn shared_atomic(request: &Request<'_>, place: &Place<'_>) -> u64 {
    let Action::Atomic { op, quiet, .. } = place.inst.action else { return 1 };
    // Only of a constant does the assembler know that it is one; an `inc` without a limit is an addition of one.
    let constant = |wanted: u32| place.program.constants32.contains(&(place.inst.b, wanted));
    let by_one = (op == AtomicOp::Add && constant(1)) || (op == AtomicOp::Inc && constant(u32::MAX));
    if by_one && quiet { wavefronts(request) } else { lanes_in_a_bank(request) }
}
