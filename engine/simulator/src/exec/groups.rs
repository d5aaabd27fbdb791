//! Groups of blocks of a launch, each counted by itself, on all cores, with the outcome of running the groups one after
//! another.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use super::block::Block;
use super::grid::{GridOutcome, GridSpec, Part, gather, run_whole_block};
use super::observer::Observer;
use crate::memory::{Footprint, Memory, View, merge};

/// Pages that all groups may change together: they are kept until the last group has ended.
const MOST_PAGES: u64 = 1 << 14;

/// What all groups share while they run.
#[derive(Default)]
struct Together {
    instructions: AtomicU64,
    pages: AtomicU64,
    stop: AtomicBool,
}

/// Runs groups of blocks: the outcome of each. `None`, and memory as before, unless that is certainly the outcome of running them in
/// turn, with at most so many instructions in all.
pub(crate) fn run_groups<O: Observer>(
    spec: &GridSpec<'_>,
    memory: &mut Memory,
    groups: &[Vec<u64>],
    most_instructions: u64,
    observer: impl Fn(&Memory) -> O + Sync,
) -> Option<Vec<GridOutcome<O>>> {
    let ordered = spec.shape.program.ordered || spec.shape.cooperative;
    if ordered || rayon::current_num_threads() < 2 || observer(memory).in_doubt() {
        return None;
    }
    let together = Together::default();
    let run = |group: &Vec<u64>| {
        let ran = one(spec, memory, group, observer(memory), &together);
        let instructions = ran.as_ref().map_or(0, |(part, _)| part.instructions);
        let all = together.instructions.fetch_add(instructions, Ordering::Relaxed) + instructions;
        if ran.is_none() || all > most_instructions {
            together.stop.store(true, Ordering::Relaxed);
            return None;
        }
        ran
    };
    let ran: Option<Vec<(Part<O>, Footprint)>> = groups.par_iter().with_max_len(1).map(run).collect();
    let (parts, footprints): (Vec<Part<O>>, Vec<Footprint>) = ran?.into_iter().unzip();
    merge(memory, &footprints).ok()?;
    Some(parts.into_iter().map(|part| gather(vec![part])).collect())
}

/// Runs one group. `None` if it does not come to its end, or might have another one after other groups.
fn one<O: Observer>(
    spec: &GridSpec<'_>,
    memory: &Memory,
    group: &[u64],
    observer: O,
    together: &Together,
) -> Option<(Part<O>, Footprint)> {
    let spec = GridSpec { only: Some(group), ..*spec };
    let mut part = Part::new(observer);
    let mut view = View::new(memory, false);
    let mut state = Block::new(spec.shape);
    let spent = AtomicU64::new(0);
    for place in 0..group.len() as u64 {
        if together.stop.load(Ordering::Relaxed) {
            return None;
        }
        let before = view.pages();
        run_whole_block(&mut state, &mut view, &mut part, &spec, place, &spent).ok()?;
        let new = view.pages() - before;
        let pages = together.pages.fetch_add(new, Ordering::Relaxed) + new;
        if view.in_conflict() || part.observer.in_doubt() || pages > MOST_PAGES {
            return None;
        }
    }
    Some((part, view.finish()))
}
