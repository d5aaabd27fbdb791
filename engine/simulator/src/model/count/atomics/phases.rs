//! In which slice of the L2 atomics meet, phase by phase of blocks that take a grid-stride loop.

use std::collections::BTreeMap;

use super::granules::Granule;

/// Phases of a block that are told apart while it runs.
const PHASES: usize = 8;
/// Granules that are followed; where there are more, atomics are spread anyway.
const MOST: usize = 64;
/// A warp with fewer requests takes no loop.
const FEW: u64 = 32;

/// Rounds of atomics, and those in sectors of several words, by granule of memory: few.
type Rounds = Vec<(Granule, [u64; 2])>;
/// The same of all blocks: there may be many.
type AllRounds = BTreeMap<Granule, [u64; 2]>;

/// Rounds of atomics in the first half of their block and in the second. Blocks that all begin at once and loop over a picture
/// see the same region of it at about the same time, as those do that begin one after the other (see [`super::granules::Granules`]). And those
/// that add a histogram of their own to the bins take its levels in the same order.
#[derive(Debug, Default)]
pub(in crate::model::count) struct AtomicPhases {
    /// By warp of the current block.
    requests: Vec<u64>,
    /// Requests of a warp in a phase: doubled whenever a warp comes to the end of the last one.
    length: u64,
    phases: [Rounds; PHASES],
    halves: [AllRounds; 2],
    /// Whether nothing can be said.
    unknown: bool,
}

impl AtomicPhases {
    /// A warp of the current block makes a request; `rounds` has the sectors of it: where, rounds, whether of several words.
    pub fn add(&mut self, warp: usize, rounds: &[(Granule, u64, bool)]) {
        if self.requests.len() <= warp {
            self.requests.resize(warp + 1, 0);
        }
        let number = self.requests[warp];
        self.requests[warp] += 1;
        self.length = self.length.max(1);
        while number / self.length >= PHASES as u64 {
            self.length *= 2;
            for phase in 0..PHASES {
                for (granule, rounds) in std::mem::take(&mut self.phases[phase]) {
                    add(&mut self.phases[phase / 2], granule, rounds);
                }
            }
        }
        if self.unknown {
            return;
        }
        let phase = &mut self.phases[(number / self.length) as usize];
        for &(granule, rounds, several) in rounds {
            add(phase, granule, [rounds, if several { rounds } else { 0 }]);
        }
        self.unknown = phase.len() > MOST;
    }

    /// The current block ends.
    pub fn close(&mut self) {
        let most = self.requests.iter().copied().max().unwrap_or(0);
        self.unknown |= (1..FEW).contains(&most);
        let used = self.phases.iter().rposition(|phase| !phase.is_empty()).map_or(1, |last| last + 1);
        for (number, phase) in self.phases.iter_mut().enumerate() {
            add_all(&mut self.halves[(2 * number / used).min(1)], std::mem::take(phase));
        }
        self.requests.fill(0);
        self.length = 1;
    }

    /// The most of any granule in each half, added up, and how many of those were in sectors of several words. Zeros where
    /// nothing can be said.
    pub fn most(&self) -> [u64; 2] {
        if self.unknown {
            return [0; 2];
        }
        let most = |rounds: &AllRounds| rounds.values().copied().max().unwrap_or_default();
        let [[first, several], [second, more]] = self.halves.each_ref().map(most);
        [first + second, several + more]
    }

    /// Adds another's, whose block has ended.
    pub fn absorb(&mut self, other: Self) {
        self.unknown |= other.unknown;
        for (mine, theirs) in self.halves.iter_mut().zip(other.halves) {
            add_all(mine, theirs);
        }
    }
}

fn add(all: &mut Rounds, granule: Granule, [rounds, several]: [u64; 2]) {
    match all.iter_mut().find(|(known, _)| *known == granule) {
        Some((_, known)) => *known = [known[0] + rounds, known[1] + several],
        None => all.push((granule, [rounds, several])),
    }
}

fn add_all(all: &mut AllRounds, more: impl IntoIterator<Item = (Granule, [u64; 2])>) {
    for (granule, [rounds, several]) in more {
        let known = all.entry(granule).or_default();
        *known = [known[0] + rounds, known[1] + several];
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn granule(number: u64) -> Granule {
        Granule { allocation: 1, number: number as usize }
    }

    /// Two blocks of a warp, each with so many requests to one granule and then as many to another.
    fn one_after_the_other(requests: u64) -> [u64; 2] {
        let mut phases = AtomicPhases::default();
        for _ in 0..2 {
            for request in 0..2 * requests {
                phases.add(0, &[(granule(request / requests), 1, request % 2 == 0)]);
            }
            phases.close();
        }
        phases.most()
    }

    #[test]
    fn what_is_hot_in_one_half_only_is_as_hot_as_if_it_were_in_both() {
        assert_eq!(one_after_the_other(64), [256, 128]);
        assert_eq!(one_after_the_other(1 << 12), [1 << 14, 1 << 13]);
        // Too few to be a loop.
        assert_eq!(one_after_the_other(8), [0; 2]);
    }

    #[test]
    fn atomics_all_over_memory_are_not_followed() {
        let mut phases = AtomicPhases::default();
        for request in 0..1 << 10 {
            phases.add(0, &[(granule(request), 1, false)]);
        }
        phases.close();
        assert_eq!(phases.most(), [0; 2]);
    }

    #[test]
    fn whose_worker_reports_first_makes_no_difference() {
        let one = |number: u64| {
            let mut phases = AtomicPhases::default();
            (0..FEW).for_each(|_| phases.add(0, &[(granule(number), 1, false)]));
            phases.close();
            phases
        };
        let both = |[first, second]: [u64; 2]| {
            let mut phases = one(first);
            phases.absorb(one(second));
            phases.most()
        };
        assert_eq!(both([0, 1]), both([1, 0]));
        assert_eq!(both([0, 0]), [2 * FEW, 0]);
    }
}
