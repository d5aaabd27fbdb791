//! Loops that certainly never end: a warp comes back to a place with the same values in all registers.
//!
//! A limit of instructions cannot tell an endless loop from a long one. So once it is reached, a warp may go on for a while, and is
//! watched. What others may change is left out: a loop that asks for their values can end.

use super::warp::{Path, Warp};
use crate::decode::{Program, waits_for_others, waits_in_the_block};
use crate::isa::Regs;

/// Instructions for which a warp is watched: a counter of a byte comes back after 256 turns of its loop.
pub(super) const MOST: u64 = 100_000;

/// Instructions that a warp has executed before it may go on: where blocks are only looked into, limits are low and mean nothing.
const LONG: u64 = 500_000;

/// What a warp held when it came to a place.
#[derive(Debug, Default)]
pub(crate) struct Moment {
    /// Where, and for which lanes; `None` until it jumps.
    place: Option<(u32, u32)>,
    regs: Regs,
    local: Vec<u8>,
    paths: Vec<(u32, u32)>,
    /// How often it was there again.
    again: u32,
}

/// How often a warp comes back to a loop that waits for a thread of its block until it is certain that none comes: the others have had
/// their turns again and again.
const TURNS: u32 = 2_000;

/// Whether a warp may go on although the instructions of its block are spent: it is watched from now on, if it is not yet.
pub(super) fn may_go_on(warp: &mut Warp) -> bool {
    let first = warp.repeats.is_none() && warp.clock >= LONG;
    if first {
        warp.repeats = Some(Box::default());
    }
    first
}

/// Whether a warp that jumps back to a place has been there before with the same values.
pub(super) fn came_back(warp: &mut Warp, program: &Program, place: (u32, u32)) -> bool {
    let Some(mut moment) = warp.repeats.take() else { return false };
    let others = |warp: &Warp| -> Vec<(u32, u32)> {
        let known = |path: &Path| (path.pc, path.mask);
        warp.paths.iter().filter(|path| path.mask != place.1).map(known).collect()
    };
    let same = match moment.place {
        None => {
            *moment = Moment {
                place: Some(place),
                regs: warp.regs.clone(),
                local: warp.local.clone(),
                paths: others(warp),
                again: 0,
            };
            false
        }
        Some(before) => {
            before == place
                && moment.regs == warp.regs
                && moment.local == warp.local
                && moment.paths == others(warp)
                && !waits_for_others(program, place.0)
        }
    };
    moment.again += u32::from(same);
    let same = same && (moment.again > TURNS || !waits_in_the_block(program, place.0));
    warp.repeats = Some(moment);
    same
}
