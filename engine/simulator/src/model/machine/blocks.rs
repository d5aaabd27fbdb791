//! Basic blocks of machine code.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::decode::{Decoded, Unit};

/// Instructions that are executed one after another.
pub(super) type Block = Range<usize>;

/// What a call that rare operands need takes to get past, in instructions.
const PAST_A_CALL: usize = 8;

/// The basic blocks, in order.
pub(super) fn blocks(code: &[Decoded]) -> Vec<Block> {
    let ends = |unit: Unit| {
        matches!(
            unit,
            Unit::Jump
                | Unit::Call
                | Unit::Return
                | Unit::Bsync
                | Unit::Exit
                | Unit::IndirectBranch
                | Unit::Break
        )
    };
    let mut starts: BTreeSet<usize> = code.iter().filter_map(|one| one.target).collect();
    starts.insert(0);
    starts.extend(code.iter().enumerate().filter(|(_, one)| ends(one.unit)).map(|(at, _)| at + 1));
    let starts: Vec<usize> = starts.into_iter().filter(|start| *start < code.len()).collect();
    let next = starts.iter().skip(1).copied().chain([code.len()]);
    starts.iter().copied().zip(next).map(|(start, end)| start..end).collect()
}

/// For each basic block those from which one can come to it: by a jump or a call, or because it stands behind.
pub(super) fn before(code: &[Decoded], blocks: &[Block]) -> Vec<Vec<usize>> {
    let mut before = vec![Vec::new(); blocks.len()];
    for (number, range) in blocks.iter().enumerate() {
        let last = code[range.end - 1];
        // PTX says that the lanes are together where it wants them to be.
        let target = last.target.filter(|_| !last.if_diverged);
        let target = target.and_then(|target| blocks.iter().position(|range| range.start == target));
        let goes = matches!(last.unit, Unit::Jump | Unit::Exit | Unit::IndirectBranch | Unit::Return);
        let leaves = goes && !last.guarded;
        let behind = (!leaves).then_some(number + 1);
        let mut next: Vec<usize> =
            target.into_iter().chain(behind.filter(|&next| next < blocks.len())).collect();
        next.dedup();
        for next in next {
            before[next].push(number);
        }
    }
    before
}

/// Basic blocks that are run for rare operands only: a call inside the expansion of one PTX instruction which a guarded jump of
/// the same expansion goes around, and routines that are called from nowhere else.
pub(super) fn rare(code: &[Decoded], blocks: &[Block]) -> Vec<bool> {
    let mut rare = vec![false; blocks.len()];
    let mut routines: BTreeMap<usize, bool> = BTreeMap::new();
    for (block, range) in blocks.iter().enumerate() {
        let last = code[range.end - 1];
        if last.unit != Unit::Call {
            continue;
        }
        let around = range.start.checked_sub(1).map(|before| code[before]).is_some_and(|jump| {
            let past = range.end..=range.end + PAST_A_CALL;
            jump.unit == Unit::Jump
                && jump.guarded
                && jump.line == last.line
                && jump.target.is_some_and(|target| past.contains(&target))
        });
        rare[block] = around;
        if let Some(target) = last.target {
            *routines.entry(target).or_insert(true) &= around;
        }
    }
    for (start, _) in routines.into_iter().filter(|(_, rare)| *rare) {
        let Some(first) = blocks.iter().position(|range| range.start == start) else { continue };
        for (block, range) in blocks.iter().enumerate().skip(first) {
            rare[block] = true;
            if code[range.end - 1].unit == Unit::Return {
                break;
            }
        }
    }
    rare
}
