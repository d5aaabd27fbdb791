//! Where basic blocks of the PTX stand in the machine code, and in how many copies.

use std::collections::{BTreeMap, BTreeSet};

use super::blocks::Block;
use super::decode::{Decoded, Unit};
use super::listing::Listing;

/// The basic block of each line of a PTX text.
#[derive(Debug)]
pub(super) struct Origin {
    /// The first line of each, but for the one with number 0 in front of them.
    starts: Vec<u32>,
    /// First and last basic block of each loop, as they stand in the text.
    loops: Vec<(u32, u32)>,
}

impl Origin {
    /// Labels begin one, jumps and returns end one.
    pub fn of(ptx: &Listing) -> Self {
        let (starts, loops) = ptx.blocks();
        Self { starts, loops }
    }

    /// The basic block that a line stands in.
    pub fn block(&self, line: u32) -> u32 {
        self.starts.partition_point(|start| *start <= line) as u32
    }

    /// Whether a basic block is one of a loop that has no other loop in it: those are unrolled.
    fn may_be_unrolled(&self, block: u32) -> bool {
        let inside = |(first, last): &(u32, u32), other: &(u32, u32)| {
            (first, last) != (&other.0, &other.1) && first <= &other.0 && &other.1 <= last
        };
        let own = self.loops.iter().filter(|(first, last)| (*first..=*last).contains(&block));
        own.into_iter().any(|own| !self.loops.iter().any(|other| inside(own, other)))
    }
}

/// A basic block of the machine code in which one of the PTX stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Number of the basic block of the machine code.
    pub block: usize,
    /// How often it stands there: more than once where a loop was unrolled.
    pub copies: u32,
    /// How often what stands there stands anywhere.
    pub total: u32,
    /// Whether instructions tell so that the assembler keeps one for one.
    pub kept: bool,
}

/// By line of the PTX and kind, for each of its machine instructions the basic block and whether it is one that tells.
type Lines = BTreeMap<(u32, Unit), Vec<(usize, bool)>>;

/// By basic block of the PTX, its places. What tells them are the instructions that the assembler keeps one for one; where
/// there are none, what most of the lines say.
pub(super) fn places(code: &[Decoded], blocks: &[Block], origin: &Origin) -> BTreeMap<u32, Vec<Place>> {
    // Instructions of different kinds that were made of one of the PTX are no copies of each other.
    let mut lines: BTreeMap<u32, Lines> = BTreeMap::new();
    for (number, block) in blocks.iter().enumerate() {
        let code = &code[block.clone()];
        // The load in the loop by which shared memory does an atomic is no copy of the atomic.
        let swapped = |line| code.iter().any(|one| one.unit == Unit::AtomicShared && one.line == line);
        for one in code.iter().filter(|one| one.line != 0) {
            let of_block = lines.entry(origin.block(one.line)).or_default();
            let tells = one.unit.anchors() && !(one.unit == Unit::LoadShared && swapped(one.line));
            let kind = if tells { one.unit } else { Unit::Other };
            of_block.entry((one.line, kind)).or_default().push((number, tells));
        }
    }
    let placed = |(block, lines)| (block, placed(&lines, origin.may_be_unrolled(block)));
    lines.into_iter().map(placed).collect()
}

/// The places of a basic block of the PTX that has these lines.
fn placed(lines: &Lines, may_be_unrolled: bool) -> Vec<Place> {
    let anchored = lines.values().flatten().any(|(_, anchor)| *anchor);
    let telling = lines.values().map(|all| -> Vec<usize> {
        all.iter().filter(|(_, anchor)| *anchor || !anchored).map(|(block, _)| *block).collect()
    });
    // For each line that tells: how often it stands in each basic block.
    let counts: Vec<BTreeMap<usize, u32>> = telling
        .filter(|blocks| !blocks.is_empty())
        .map(|blocks| {
            let mut counts = BTreeMap::new();
            for block in blocks {
                *counts.entry(block).or_default() += 1;
            }
            counts
        })
        .collect();
    let blocks: BTreeSet<usize> = counts.iter().flat_map(BTreeMap::keys).copied().collect();
    let most = blocks.iter().map(|block| counts.iter().filter(|line| line.contains_key(block)).count()).max();
    let mut places = Vec::new();
    for block in blocks {
        let here: Vec<u32> = counts.iter().filter_map(|line| line.get(&block).copied()).collect();
        // Into other places only parts of a basic block were moved.
        if !anchored && 2 * here.len() < most.unwrap_or(0) {
            continue;
        }
        let copies = match (anchored, may_be_unrolled) {
            (true, _) => median(here),
            (false, true) => commonest(&here),
            // Several instructions were made of one.
            (false, false) => 1,
        };
        places.push(Place { block, copies, total: copies, kept: anchored });
    }
    with_totals(&places, &counts)
}

/// Adds to each place the copies in others: where most of what stands here stands, too. Where other lines of the same basic
/// block stand, it was taken apart, not copied.
fn with_totals(places: &[Place], counts: &[BTreeMap<usize, u32>]) -> Vec<Place> {
    let stands = |line: &BTreeMap<usize, u32>, place: &Place| line.contains_key(&place.block);
    let total = |here: &Place| {
        let own = counts.iter().filter(|line| stands(line, here)).count();
        let copied = |there: &&Place| {
            let both = counts.iter().filter(|line| stands(line, here) && stands(line, there)).count();
            there.block != here.block && 2 * both > own
        };
        here.copies + places.iter().filter(copied).map(|there| there.copies).sum::<u32>()
    };
    places.iter().map(|here| Place { total: total(here), ..*here }).collect()
}

fn median(mut numbers: Vec<u32>) -> u32 {
    numbers.sort_unstable();
    numbers[numbers.len() / 2]
}

/// Of several, the smallest.
fn commonest(numbers: &[u32]) -> u32 {
    let times = |number: u32| numbers.iter().filter(|&&other| other == number).count();
    numbers.iter().copied().max_by_key(|&number| (times(number), std::cmp::Reverse(number))).unwrap_or(1)
}
