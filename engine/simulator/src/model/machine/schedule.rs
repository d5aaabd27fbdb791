//! How long a warp by itself takes for each basic block of its machine code.
//!
//! A warp issues in order. The assembler says how many cycles lie between two instructions, and which barriers to wait for
//! where it cannot know: loads, special functions. So walking the code from its beginning to its end, loops
//! twice, tells when each instruction starts. Two walks: everything near, and all loads of global and local memory far.

use std::collections::{BTreeMap, BTreeSet};

use super::FAR;
use super::blocks::Block;
use super::decode::{BARRIERS, Decoded, Unit};

/// Cycles until the operands of a load or store have been read.
const READ: f64 = 12.0;
/// How often a jump back is taken on the way.
const ROUNDS: u32 = 2;
/// Basic blocks on the way at the most: loops in loops multiply.
const MOST: usize = 4000;

/// What a basic block takes.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Timing {
    /// Cycles with everything near.
    pub near: f64,
    /// What loads add that are far.
    pub exposed: Vec<Exposed>,
}

/// Cycles that the warp waits for far loads.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Exposed {
    /// More than if they were near.
    pub cycles: f64,
    /// The loads that it waits for, by groups of neighbours.
    pub loads: Vec<Loads>,
}

/// Loads that are neighbours in memory.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Loads {
    /// Lines of the PTX of those in the basic block, and of those waited for.
    pub neighbours: Vec<u32>,
    /// How many of them are waited for.
    pub awaited: usize,
}

/// Waits of a walk, by the lines of the loads in flight.
type Waits = BTreeMap<BTreeSet<u32>, f64>;

/// The timing of each basic block that runs; a warp goes past the others. `groups` has the number of the [`neighbours`](super::neighbours)
/// of each line that loads.
pub(super) fn schedule(
    code: &[Decoded],
    blocks: &[Block],
    groups: &BTreeMap<u32, usize>,
    runs: &[f64],
) -> Vec<Timing> {
    let near = walk(code, blocks, runs, false);
    let far = walk(code, blocks, runs, true);
    let one = |((near, _), (far, waits)): (&(f64, Waits), &(f64, Waits)), block: &Block| {
        let all: f64 = waits.values().sum();
        let more = (far - near).max(0.0);
        let exposed = waits.iter().filter(|_| all > 0.0 && more > 0.0);
        let exposed = exposed.map(|(lines, wait)| Exposed {
            cycles: more * wait / all,
            loads: by_group(lines, &code[block.clone()], groups),
        });
        Timing { near: *near, exposed: exposed.collect() }
    };
    near.iter().zip(&far).zip(blocks).map(|(both, block)| one(both, block)).collect()
}

/// Cycles and waits of each basic block, when it was last walked.
fn walk(code: &[Decoded], blocks: &[Block], runs: &[f64], far: bool) -> Vec<(f64, Waits)> {
    let starts: BTreeMap<usize, usize> =
        blocks.iter().enumerate().map(|(at, block)| (block.start, at)).collect();
    let mut took = vec![(0.0, Waits::new()); blocks.len()];
    let mut rounds = vec![0; blocks.len()];
    let mut warp = Warp::default();
    let (mut block, mut steps) = (0, 0);
    while block < blocks.len() && steps < MOST {
        steps += 1;
        if runs[block] <= 0.0 {
            block += 1;
            continue;
        }
        let (range, began) = (blocks[block].clone(), warp.time);
        let mut waits = Waits::new();
        for one in &code[range.clone()] {
            warp.issue(*one, far, &mut waits);
        }
        took[block] = (warp.time - began, waits);
        let last = code[range.end - 1];
        let back = last.target.filter(|target| last.unit == Unit::Jump && *target <= range.start);
        match back.and_then(|target| starts.get(&target)) {
            Some(&start) if rounds[block] < ROUNDS => {
                rounds[block] += 1;
                block = start;
            }
            _ => block += 1,
        }
    }
    took
}

#[derive(Default)]
struct Warp {
    time: f64,
    /// When each barrier lets go, and the lines of the far loads behind it.
    barriers: [(f64, BTreeSet<u32>); BARRIERS],
}

impl Warp {
    fn issue(&mut self, one: Decoded, far: bool, waits: &mut Waits) {
        let mut start = self.time;
        let mut behind = BTreeSet::new();
        for (number, (until, lines)) in self.barriers.iter_mut().enumerate() {
            if *until > self.time {
                behind.extend(lines.iter().copied());
            } else {
                lines.clear();
            }
            if one.waits >> number & 1 == 1 {
                start = start.max(*until);
            }
        }
        if start > self.time && !behind.is_empty() {
            *waits.entry(behind).or_default() += start - self.time;
        }
        let away = one.unit.loads_far();
        if let Some(number) = one.result {
            let latency = if far && away { FAR } else { one.unit.latency() };
            let (until, lines) = &mut self.barriers[number];
            *until = until.max(start + latency);
            if away {
                lines.insert(one.line);
            }
        }
        if let Some(number) = one.operands {
            let (until, _) = &mut self.barriers[number];
            *until = until.max(start + READ);
        }
        self.time = start + one.stall;
    }
}

/// The loads behind a wait, beside their neighbours.
fn by_group(lines: &BTreeSet<u32>, block: &[Decoded], groups: &BTreeMap<u32, usize>) -> Vec<Loads> {
    let mut all: BTreeMap<Option<&usize>, BTreeSet<u32>> = BTreeMap::new();
    for &line in lines {
        all.entry(groups.get(&line)).or_default().insert(line);
    }
    let awaited: Vec<usize> = all.values().map(BTreeSet::len).collect();
    for one in block.iter().filter(|one| one.unit.loads_far() && one.line != 0) {
        if let Some(same) = all.get_mut(&groups.get(&one.line)) {
            same.insert(one.line);
        }
    }
    let of =
        |(lines, awaited): (BTreeSet<u32>, usize)| Loads { neighbours: lines.into_iter().collect(), awaited };
    all.into_values().zip(awaited).map(of).collect()
}
