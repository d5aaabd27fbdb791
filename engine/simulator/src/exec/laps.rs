//! Turns of loops around barriers: lanes that meet at a barrier must have gone round its loops equally often.
//!
//! `for (k …) if (i % 2 == k) __syncthreads();` brings all lanes to one instruction, half of them in each turn. The guide
//! asks that all threads of the block decide the condition alike, and here they do not, in either turn. From Volta on
//! the threads are counted one by one and happen to get past; before, either half counts as the whole warp.

use super::warp::{Wait, Warp};
use crate::decode::{Action, BarrierLoop, Program};
use crate::isa::LANES;

/// Some lanes, not all that live, go on from instruction `from` to `to`.
pub(super) fn step(warp: &mut Warp, program: &Program, from: u32, to: u32, lanes: u32) {
    let ends = |around: &BarrierLoop| around.start == to && around.ends.contains(&from);
    let Some(number) = program.barrier_loops.iter().position(ends) else { return };
    if lanes == warp.live {
        return;
    }
    warp.laps.resize(program.barrier_loops.len(), [0; LANES]);
    for (lane, laps) in warp.laps[number].iter_mut().enumerate() {
        *laps += lanes >> lane & 1;
    }
}

/// The next loop behind `pc` whose end falls through to its start.
pub(super) fn fallen_into(program: &Program, pc: u32) -> u32 {
    let falls = |around: &&BarrierLoop| around.start > pc && around.ends.contains(&(around.start - 1));
    program.barrier_loops.iter().filter(falls).map(|around| around.start).min().unwrap_or(u32::MAX)
}

/// A barrier of this number at which lanes of the warp wait that came to it in different turns of a loop, and a lane.
pub(super) fn apart(warp: &Warp, program: &Program, id: u32) -> Option<(u32, u32)> {
    if warp.laps.is_empty() {
        return None;
    }
    let waiting = |path: &&super::warp::Path| {
        let action = program.code[path.pc as usize].action;
        matches!(path.wait, Wait::Barrier { id: at, .. } if at == id)
            && matches!(
                action,
                Action::Barrier { aligned: true, .. } | Action::BarrierReduce { .. } | Action::GridBarrier
            )
    };
    for path in warp.paths.iter().filter(waiting) {
        let here = |other: &&super::warp::Path| waiting(other) && other.pc == path.pc;
        let together = warp.paths.iter().filter(here).fold(0, |mask, other| mask | other.mask);
        let first = together.trailing_zeros();
        for (around, laps) in program.barrier_loops.iter().zip(&warp.laps) {
            let differs =
                |lane: usize| together >> lane & 1 == 1 && laps[lane] != laps[first as usize % LANES];
            if around.barriers.contains(&path.pc) && (0..LANES).any(differs) {
                return Some((path.pc, first));
            }
        }
    }
    None
}

/// Notes that these lanes pass a barrier, which is known by its place in the source: a loop may be unrolled.
pub(super) fn pass(passed: &mut Vec<(u32, u32)>, place: u32, mask: u32) {
    match passed.iter_mut().find(|(known, _)| *known == place) {
        Some((_, lanes)) => *lanes |= mask,
        None => passed.push((place, mask)),
    }
}

/// Whether lanes that have ended had passed this barrier before, or had gone round the loop that it stands in: then
/// threads did not return early, but left the loop after fewer turns.
pub(super) fn went_round(warp: &Warp, program: &Program, pc: u32) -> bool {
    let ended = warp.born & !warp.live;
    let place = program.code[pc as usize].location;
    let turned = |laps: &[u32; LANES]| (0..LANES).any(|lane| ended >> lane & 1 == 1 && laps[lane] > 0);
    warp.passed.iter().any(|(known, lanes)| *known == place && lanes & ended != 0)
        || program
            .barrier_loops
            .iter()
            .zip(&warp.laps)
            .any(|(around, laps)| around.barriers.contains(&pc) && turned(laps))
}

/// The lanes that wait at this barrier are let go: they count anew.
pub(super) fn reset(warp: &mut Warp, id: u32) {
    if warp.laps.is_empty() {
        return;
    }
    let waits = |wait: &Wait| matches!(wait, Wait::Barrier { id: at, .. } if *at == id);
    let gone = warp.paths.iter().filter(|path| waits(&path.wait)).fold(0, |mask, path| mask | path.mask);
    for laps in &mut warp.laps {
        for (lane, laps) in laps.iter_mut().enumerate() {
            if gone >> lane & 1 == 1 {
                *laps = 0;
            }
        }
    }
}
