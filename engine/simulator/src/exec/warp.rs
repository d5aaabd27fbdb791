//! A warp: 32 lanes, their registers and local memory, and the paths on which they run.
//!
//! Lanes that stand at the same instruction form a path. A divergent branch splits a path; paths that meet
//! merge. The path that is deepest in calls and furthest behind runs first, so that paths meet as early as
//! the code allows.

use super::run::{SPIN_LIMIT, WAITS};
use super::spare;
use crate::decode::{Program, Special};
use crate::isa::{LANES, Regs, Slot, lanes};

/// Reasons why a path waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wait {
    /// Nothing: it can run.
    Nothing,
    /// A barrier of the block, or the grid's ([`GRID`]).
    Barrier { id: u32, count: Option<u32> },
    /// Other lanes at this very instruction.
    Converge { members: u32 },
}

/// The number of the grid's barrier, after those of a block.
pub(crate) const GRID: u32 = 16;

/// Where a call returns to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Instruction after the call.
    pub back: u32,
    /// The call, for its results.
    pub call: u32,
    /// The function it is in.
    pub function: u32,
    /// Where its local variables begin: 0 if they have fixed places.
    pub base: u32,
    /// Where the next frame begins.
    pub top: u32,
}

/// Lanes at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Path {
    /// Next instruction.
    pub pc: u32,
    /// Its lanes.
    pub mask: u32,
    /// Calls it is in, outermost first.
    pub stack: Vec<Frame>,
    /// Why it waits.
    pub wait: Wait,
    /// When it last ran, by [`Warp::turns`].
    pub turn: u64,
}

/// One warp.
#[derive(Debug)]
pub(crate) struct Warp {
    /// Its number in the block.
    pub index: u32,
    /// Registers.
    pub regs: Regs,
    /// Local memory, one lane after another.
    pub local: Vec<u8>,
    /// Bytes of it per lane.
    pub local_bytes: usize,
    /// Registers of functions that are running twice, by lane.
    pub spilled: [Vec<u64>; LANES],
    /// Paths that have not ended.
    pub paths: Vec<Path>,
    /// Lanes that exist.
    pub born: u32,
    /// Lanes that have not exited.
    pub live: u32,
    /// Backward jumps taken while other paths waited to run: a sign of a spin loop.
    pub spins: u32,
    /// How many of them are borne.
    pub patience: u32,
    /// The jump back of a loop that waits, and how often it was taken one after another.
    pub waited: (u32, u32),
    /// How often it may be taken before others run.
    pub waits: u32,
    /// Turns that its paths have had.
    pub turns: u64,
    /// `bar.arrive`s not yet counted by the block: id, threads, expected threads, instruction.
    pub arrived: Vec<(u32, u32, Option<u32>, u32)>,
    /// How often each lane has gone round each of [`Program::barrier_loops`] apart from others since its last barrier.
    /// Empty if none has: what all lanes do together needs no counting.
    pub laps: Vec<[u32; LANES]>,
    /// Lanes that have passed each barrier, by its place in the source.
    pub passed: Vec<(u32, u32)>,
    /// Instructions executed; what `%clock` reads.
    pub clock: u64,
    /// Requests that it made of memory beyond the multiprocessor, and whose answers it may have had to wait for.
    pub far: u64,
    /// Each lane runs on its own, as far as it gets.
    pub apart: bool,
    /// The first lane first.
    rising: bool,
    /// What it held at some place, if the instructions of its block are spent.
    pub repeats: Option<Box<super::repeats::Moment>>,
    /// The special registers that never change are filled.
    started: bool,
}

/// The dimensions that a block passes to its warps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dimensions {
    /// `gridDim`.
    pub grid: [u32; 3],
    /// `blockDim`.
    pub block: [u32; 3],
    /// `blockIdx`.
    pub index: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// Whether all blocks are there at once and can wait for each other.
    pub cooperative: bool,
    /// Whether each lane runs on its own.
    pub apart: bool,
    /// Whether the first lane runs first then, else the last one.
    pub rising: bool,
}

/// Registers and local memory of a fresh block hold this: a value that is wrong in most uses.
const UNDEFINED: u8 = 0xcb;

impl Warp {
    /// A warp whose constants are filled (`presets`: [`Program::preset_values`]); [`Self::start`] readies it for
    /// a block.
    pub fn new(program: &Program, presets: &[u64], index: u32, threads: u32) -> Self {
        let born = match threads.saturating_sub(index * LANES as u32).min(LANES as u32) {
            32 => u32::MAX,
            lanes => (1 << lanes) - 1,
        };
        let mut regs = spare::take([program.r32, program.r64, program.preds]);
        for &(register, value) in &program.constants32 {
            regs.r32[register as usize] = [value; LANES];
        }
        for &(register, value) in &program.constants64 {
            regs.r64[register as usize] = [value; LANES];
        }
        for &(register, value) in &program.constant_preds {
            regs.pred[register as usize] = if value { u32::MAX } else { 0 };
        }
        let mut warp = Self {
            index,
            regs,
            local: Vec::new(),
            local_bytes: program.local_bytes.next_multiple_of(16),
            spilled: std::array::from_fn(|_| Vec::new()),
            paths: Vec::new(),
            born,
            live: 0,
            spins: 0,
            patience: SPIN_LIMIT,
            waited: (0, 0),
            waits: WAITS,
            turns: 0,
            arrived: Vec::new(),
            laps: Vec::new(),
            passed: Vec::new(),
            clock: 0,
            far: 0,
            apart: false,
            rising: false,
            repeats: None,
            started: false,
        };
        warp.preset(program, presets);
        warp
    }

    /// Fills the columns of parameters and constants.
    pub fn preset(&mut self, program: &Program, values: &[u64]) {
        for (preset, &value) in program.presets.iter().zip(values) {
            match preset.slot {
                Slot::R64 => self.regs.r64[preset.index as usize] = [value; LANES],
                _ => self.regs.r32[preset.index as usize] = [value as u32; LANES],
            }
        }
    }

    /// Puts the warp at the first instruction of a new block.
    pub fn start(&mut self, program: &Program, dimensions: &Dimensions) {
        for &(slot, register) in &program.undefined {
            let register = register as usize;
            match slot {
                Slot::R32 => self.regs.r32[register] = [u32::from_ne_bytes([UNDEFINED; 4]); LANES],
                Slot::R64 => self.regs.r64[register] = [u64::from_ne_bytes([UNDEFINED; 8]); LANES],
                Slot::Pred => self.regs.pred[register] = 0,
            }
        }
        for &(register, special) in &program.specials {
            // The others are the same in every block.
            if !self.started || matches!(special, Special::Ctaid(_) | Special::SmId) {
                let of_lane = |lane| self.special(special, lane, program, dimensions);
                let per_block = matches!(special, Special::Ctaid(_) | Special::SmId);
                let column = if per_block {
                    [of_lane(0); LANES]
                } else {
                    std::array::from_fn(|lane| of_lane(lane as u32))
                };
                self.regs.r32[register as usize] = column;
            }
        }
        self.started = true;
        self.repeats = None;
        if self.local_bytes > 0 {
            // Of a block's last warp, and of a host function, only the lanes that exist have memory.
            self.local.resize(self.local_bytes * self.born.count_ones() as usize, UNDEFINED);
            self.local.fill(UNDEFINED);
        }
        self.live = self.born;
        self.spins = 0;
        self.patience = SPIN_LIMIT;
        self.waited = (0, 0);
        self.waits = WAITS;
        self.turns = 0;
        self.clock = 0;
        self.far = 0;
        self.arrived.clear();
        self.laps.clear();
        self.passed.clear();
        self.spilled.iter_mut().for_each(Vec::clear);
        self.paths.clear();
        (self.apart, self.rising) = (dimensions.apart, dimensions.rising);
        let path = |mask| Path { pc: 0, mask, stack: Vec::new(), wait: Wait::Nothing, turn: 0 };
        if self.apart {
            self.paths.extend(lanes(self.born).map(|lane| path(1 << lane)));
        } else {
            self.paths.push(path(self.born));
        }
    }

    fn special(&self, special: Special, lane: u32, program: &Program, dimensions: &Dimensions) -> u32 {
        let [x, y, z] = dimensions.block;
        let thread = self.index * LANES as u32 + lane;
        match special {
            Special::Tid(0) => thread % x,
            Special::Tid(1) => thread / x % y,
            Special::Tid(_) => thread / x / y,
            Special::Ntid(axis) => dimensions.block[axis],
            Special::Ctaid(axis) => dimensions.index[axis],
            Special::Nctaid(axis) => dimensions.grid[axis],
            Special::LaneId => lane,
            Special::WarpId => self.index,
            Special::NWarpId => (x * y * z).div_ceil(LANES as u32),
            // As if each block had a multiprocessor of its own, up to the number that exist.
            Special::SmId => {
                let [gx, gy, _] = dimensions.grid;
                let [bx, by, bz] = dimensions.index;
                (u64::from(bx) + u64::from(gx) * (u64::from(by) + u64::from(gy) * u64::from(bz))) as u32 % 132
            }
            Special::NSmId => 132,
            Special::LaneMaskEq => 1 << lane,
            Special::LaneMaskLe => u32::MAX >> (31 - lane),
            Special::LaneMaskLt => (1 << lane) - 1,
            Special::LaneMaskGe => u32::MAX << lane,
            Special::LaneMaskGt => (u32::MAX << lane) & !(1 << lane),
            Special::DynamicShared => dimensions.dynamic_shared,
            Special::TotalShared => program.shared_bytes(dimensions.dynamic_shared) as u32,
            Special::Cooperative => u32::from(dimensions.cooperative),
            Special::Zero => 0,
            Special::One => 1,
        }
    }

    /// Whether all lanes have exited.
    pub fn done(&self) -> bool {
        self.live == 0
    }

    /// The path to run next: deepest, then furthest behind; of lanes apart the last one, or the first.
    pub fn pick(&self) -> Option<usize> {
        if self.apart {
            return (0..self.paths.len()).filter(|&path| self.paths[path].wait == Wait::Nothing).max_by_key(
                |&path| if self.rising { !self.paths[path].mask } else { self.paths[path].mask },
            );
        }
        (0..self.paths.len())
            .filter(|&path| self.paths[path].wait == Wait::Nothing)
            .min_by_key(|&path| (usize::MAX - self.paths[path].stack.len(), self.paths[path].pc))
    }

    /// The path whose last turn is the longest ago, for when the others spin; so each gets its turn.
    pub fn pick_stalest(&self) -> Option<usize> {
        (0..self.paths.len())
            .filter(|&path| self.paths[path].wait == Wait::Nothing)
            .min_by_key(|&path| (self.paths[path].turn, u32::MAX - self.paths[path].pc))
    }

    /// Joins runnable paths that stand at the same place.
    pub fn merge(&mut self) {
        if self.apart {
            return;
        }
        let mut first = 0;
        while first < self.paths.len() {
            let mut second = first + 1;
            while second < self.paths.len() {
                let (a, b) = (&self.paths[first], &self.paths[second]);
                if a.pc == b.pc
                    && a.wait == b.wait
                    && !matches!(a.wait, Wait::Barrier { .. })
                    && a.stack == b.stack
                {
                    self.paths[first].mask |= self.paths[second].mask;
                    self.paths[first].turn = self.paths[first].turn.min(self.paths[second].turn);
                    self.paths.swap_remove(second);
                } else {
                    second += 1;
                }
            }
            first += 1;
        }
    }

    /// The local memory of one lane.
    pub fn local_of(&self, lane: usize) -> &[u8] {
        &self.local[lane * self.local_bytes..(lane + 1) * self.local_bytes]
    }

    /// The same, to write.
    pub fn local_of_mut(&mut self, lane: usize) -> &mut [u8] {
        &mut self.local[lane * self.local_bytes..(lane + 1) * self.local_bytes]
    }
}
