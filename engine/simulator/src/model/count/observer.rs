//! Counts what the timing model needs: instructions, sectors, wavefronts, atomics, by instruction.

use super::atomics::GlobalAtomics;
use super::footprint::Footprints;
use super::l1::own_passes;
use super::requests::{BANKS, SECTOR, lanes_in_a_bank, passes, rounds, sectors, used, values, wavefronts};
use super::turns::Turns;
use super::units::{CasLoop, fetch, scattered};
use crate::decode::{Action, AtomicOp, Inst, Program};
use crate::exec::{AccessKind, Warp, lanes};
use crate::model::counters::Counters;
use crate::observe::{Observer, Place, Request};
use crate::ptx::ast::Space;

/// The counting observer.
#[derive(Debug, Default)]
pub(crate) struct Counting {
    /// Events by instruction.
    pub(super) by_instruction: Vec<Counters>,
    /// Turns of the loops of each instruction on shared memory.
    pub(super) turns: Vec<u64>,
    /// The source location of each instruction.
    locations: Vec<u32>,
    pub(super) footprints: Footprints,
    pub(super) atomics: GlobalAtomics,
    pub(super) waited_for: Turns,
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
            turns: vec![0; program.code.len()],
            locations,
            footprints: Footprints::new(known),
            atomics: GlobalAtomics::new(blocks),
            waited_for: Turns::new(program),
            tally: Vec::new(),
        }
    }

    fn shared_access(&mut self, pc: u32, request: &Request<'_>) {
        let counters = &mut self.by_instruction[pc as usize];
        counters.shared_requests += 1;
        counters.shared_wavefronts += wavefronts(request);
        counters.shared_wavefronts_least += used(request).div_ceil(4 * BANKS);
    }

    fn shared_atomic(&mut self, pc: u32, request: &Request<'_>, place: &Place<'_>) {
        let counters = &mut self.by_instruction[pc as usize];
        counters.count_atomic(rounds(request, &mut self.tally));
        counters.shared_atomics += u64::from(request.mask.count_ones());
        counters.shared_atomic_requests += 1;
        if CasLoop::does(place.inst) {
            let took = CasLoop::of(request);
            counters.shared_atomic_wavefronts += took.passes;
            self.turns[pc as usize] += took.turns;
        } else {
            counters.shared_atomic_wavefronts += adder_passes(request, place);
        }
    }

    fn global_access(&mut self, pc: u32, request: &Request<'_>, place: &Place<'_>) {
        let counters = &mut self.by_instruction[pc as usize];
        match request.kind {
            AccessKind::Read => {
                counters.global_load_requests += 1;
                counters.global_load_sectors += sectors(request);
                counters.count_global(request);
                if matches!(place.inst.action, Action::Surface(_)) {
                    counters.texture_passes += fetch(place.inst) + scattered(request, place.inst);
                }
            }
            AccessKind::Write => {
                counters.global_store_requests += 1;
                counters.global_store_sectors += sectors(request);
                counters.count_global(request);
            }
            AccessKind::Atomic => {
                counters.global_atomics += u64::from(request.mask.count_ones());
                counters.global_atomic_sectors += sectors(request);
                counters.count_atomic(rounds(request, &mut self.tally));
                self.atomics.add(request, place, counters);
            }
        }
        self.footprints.mark(self.locations[pc as usize], request, place);
    }

    fn local_access(&mut self, pc: u32, request: &Request<'_>) {
        let counters = &mut self.by_instruction[pc as usize];
        counters.local_requests += 1;
        counters.local_wavefronts += own_passes(request);
    }
}

impl Counters {
    /// A load or store of global memory.
    fn count_global(&mut self, request: &Request<'_>) {
        self.global_wavefronts += passes(request);
        self.global_sectors_least += used(request).div_ceil(SECTOR);
    }

    /// An atomic request; `rounds`: the most lanes at one address.
    fn count_atomic(&mut self, rounds: u64) {
        self.atomic_requests += 1;
        self.atomic_rounds += rounds;
    }
}

impl Observer for Counting {
    fn block(&mut self, number: u64) {
        self.atomics.block(number);
        self.waited_for.block(number);
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
        if matches!(request.space, Space::Shared | Space::Global) {
            self.waited_for.access(pc, request, place);
        }
        match (request.space, request.kind) {
            (Space::Shared, AccessKind::Atomic) => self.shared_atomic(pc, request, place),
            (Space::Shared, _) => self.shared_access(pc, request),
            (Space::Global, _) => self.global_access(pc, request, place),
            (Space::Local, _) => self.local_access(pc, request),
            // Constants are followed where addresses are known; parameters are as good as registers.
            (Space::Const | Space::Param, _) => {}
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

    fn absorb(&mut self, other: Self) {
        for (mine, theirs) in self.by_instruction.iter_mut().zip(&other.by_instruction) {
            mine.add(theirs);
        }
        for (mine, theirs) in self.turns.iter_mut().zip(other.turns) {
            *mine += theirs;
        }
        self.footprints.absorb(other.footprints);
        self.atomics.absorb(other.atomics);
        self.waited_for.absorb(other.waited_for);
    }
}

/// Passes of shared memory for an atomic request that it has an adder for.
fn adder_passes(request: &Request<'_>, place: &Place<'_>) -> u64 {
    let Action::Atomic { op, quiet, .. } = place.inst.action else { return 1 };
    // Only of a constant does the assembler know that it is one; an `inc` without a limit is an addition of one.
    let constant = |wanted: u32| place.program.constants32.contains(&(place.inst.b, wanted));
    let by_one = (op == AtomicOp::Add && constant(1)) || (op == AtomicOp::Inc && constant(u32::MAX));
    if by_one && quiet { wavefronts(request) } else { lanes_in_a_bank(request) }
}
