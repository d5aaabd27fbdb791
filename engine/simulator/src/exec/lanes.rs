//! Operations in which lanes of a warp see each other: shuffles, votes, matches, reductions.

use super::warp::Warp;
use crate::decode::{Inst, Meeting, ReduceOp, ShuffleMode, VoteMode};
use crate::isa::{BIT, FULL, LANES, blend, lanes};

/// The column that holds an operation's member mask.
fn member_register(meeting: Meeting, inst: &Inst) -> u16 {
    match meeting {
        Meeting::Shuffle { .. } => inst.e,
        Meeting::Barrier => inst.a,
        Meeting::Vote { .. } | Meeting::Match { .. } | Meeting::Reduce(_) | Meeting::Elect { .. } => inst.b,
    }
}

/// Each lane's member mask.
pub(crate) fn members(warp: &Warp, meeting: Meeting, inst: &Inst) -> [u32; LANES] {
    warp.regs.r32[member_register(meeting, inst) as usize]
}

/// Carries the operation out for the lanes in `ready`, group by group of equal member masks.
pub(super) fn carry_out(warp: &mut Warp, meeting: Meeting, inst: &Inst, ready: u32) {
    let masks = members(warp, meeting, inst);
    let mut remaining = ready;
    while remaining != 0 {
        let leader = remaining.trailing_zeros() as usize % LANES;
        let mut same = [0; LANES];
        for lane in 0..LANES {
            same[lane] = if masks[lane] == masks[leader] { BIT[lane] } else { 0 };
        }
        let group = remaining & same.iter().fold(0, |group, bit| group | bit);
        match meeting {
            Meeting::Shuffle { mode, predicate } => shuffle(warp, inst, mode, predicate, group),
            Meeting::Vote { mode, negated } => vote(warp, inst, mode, negated, group),
            Meeting::Match { all, wide, predicate } => find_equal(warp, inst, (all, wide, predicate), group),
            Meeting::Reduce(op) => reduce(warp, inst, op, group),
            Meeting::Elect { predicate } => {
                put32(warp, inst.d, &[leader as u32; LANES], group);
                put_pred(warp, predicate, 1 << leader, group);
            }
            Meeting::Barrier => {}
        }
        remaining &= !group;
    }
}

fn put32(warp: &mut Warp, register: u16, values: &[u32; LANES], mask: u32) {
    blend(&mut warp.regs.r32[register as usize], values, mask);
}

fn put_pred(warp: &mut Warp, register: u16, bits: u32, mask: u32) {
    let old = &mut warp.regs.pred[register as usize];
    *old = *old & !mask | bits & mask;
}

/// The lane that each lane reads in a shuffle, itself if its choice is out of range; and which are in range.
pub(crate) fn shuffle_sources(warp: &Warp, inst: &Inst, mode: ShuffleMode) -> ([u32; LANES], u32) {
    // One loop a mode, so that none asks in each lane.
    match mode {
        ShuffleMode::Up => sources(warp, inst, |me, by, _, last| (me - by, me - by >= last)),
        ShuffleMode::Down => sources(warp, inst, |me, by, _, last| (me + by, me + by <= last)),
        ShuffleMode::Bfly => sources(warp, inst, |me, by, _, last| (me ^ by, me ^ by <= last)),
        ShuffleMode::Idx => sources(warp, inst, |me, by, segment, last| {
            let source = me & segment | by & !segment;
            (source, source <= last)
        }),
    }
}

/// `source` gives a lane's source, and whether it is in range, from the lane, the distance or index, the segment
/// mask, and the last lane in range.
#[inline(always)]
fn sources(
    warp: &Warp,
    inst: &Inst,
    source: impl Fn(i32, i32, i32, i32) -> (i32, bool),
) -> ([u32; LANES], u32) {
    let b = &warp.regs.r32[inst.b as usize];
    let c = &warp.regs.r32[inst.c as usize];
    let mut from = [0u32; LANES];
    let mut in_range = [0; LANES];
    for lane in 0..LANES {
        let me = lane as i32;
        let (clamp, segment) = ((c[lane] & 31) as i32, (c[lane] >> 8 & 31) as i32);
        let last = me & segment | clamp & !segment;
        let (there, valid) = source(me, (b[lane] & 31) as i32, segment, last);
        from[lane] = if valid { there as u32 & 31 } else { lane as u32 };
        in_range[lane] = if valid { BIT[lane] } else { 0 };
    }
    (from, in_range.iter().fold(0, |all, bit| all | bit))
}

fn shuffle(warp: &mut Warp, inst: &Inst, mode: ShuffleMode, predicate: Option<u16>, group: u32) {
    let value = warp.regs.r32[inst.a as usize];
    let (from, in_range) = shuffle_sources(warp, inst, mode);
    let mut out = [0; LANES];
    for lane in 0..LANES {
        out[lane] = value[from[lane] as usize % LANES];
    }
    put32(warp, inst.d, &out, group);
    if let Some(predicate) = predicate {
        put_pred(warp, predicate, in_range, group);
    }
}

fn vote(warp: &mut Warp, inst: &Inst, mode: VoteMode, negated: bool, group: u32) {
    let votes = warp.regs.pred[inst.a as usize];
    let votes = if negated { !votes } else { votes } & group;
    let verdict = match mode {
        VoteMode::Ballot => {
            put32(warp, inst.d, &[votes; LANES], group);
            return;
        }
        VoteMode::All => votes == group,
        VoteMode::Any => votes != 0,
        VoteMode::Uni => votes == group || votes == 0,
    };
    put_pred(warp, inst.d, if verdict { FULL } else { 0 }, group);
}

fn find_equal(warp: &mut Warp, inst: &Inst, (all, wide, predicate): (bool, bool, Option<u16>), group: u32) {
    let value: [u64; LANES] = std::array::from_fn(|lane| {
        if wide {
            warp.regs.r64[inst.a as usize][lane]
        } else {
            u64::from(warp.regs.r32[inst.a as usize][lane])
        }
    });
    let equal_to =
        |lane: usize| lanes(group).filter(|&l| value[l] == value[lane]).fold(0u32, |m, l| m | 1 << l);
    let mut out = [0; LANES];
    let mut everywhere = false;
    for lane in lanes(group) {
        out[lane] = equal_to(lane);
        if all {
            everywhere = out[lane] == group;
            out[lane] = if everywhere { group } else { 0 };
        }
    }
    put32(warp, inst.d, &out, group);
    if let Some(predicate) = predicate {
        put_pred(warp, predicate, if everywhere { FULL } else { 0 }, group);
    }
}

fn reduce(warp: &mut Warp, inst: &Inst, op: ReduceOp, group: u32) {
    let value = warp.regs.r32[inst.a as usize];
    let result = lanes(group)
        .map(|lane| value[lane])
        .reduce(|a, b| match op {
            ReduceOp::Add => a.wrapping_add(b),
            ReduceOp::MinU => a.min(b),
            ReduceOp::MaxU => a.max(b),
            ReduceOp::MinS => (a as i32).min(b as i32) as u32,
            ReduceOp::MaxS => (a as i32).max(b as i32) as u32,
            ReduceOp::And => a & b,
            ReduceOp::Or => a | b,
            ReduceOp::Xor => a ^ b,
        })
        .unwrap_or(0);
    put32(warp, inst.d, &[result; LANES], group);
}

/// `cvta`: moves an address by the start of its window.
pub(super) fn add_window(warp: &mut Warp, inst: &Inst, active: u32, wide: bool, distance: u64) {
    if wide {
        warp.regs.map1::<u64, u64>(inst, active, |address| address.wrapping_add(distance));
    } else {
        warp.regs.map1::<u32, u32>(inst, active, |address| address.wrapping_add(distance as u32));
    }
}
