//! In which slice of the L2 atomics meet in the course of blocks that go round in a loop.

use std::collections::BTreeMap;

use super::pieces::Piece;

/// Stretches of a block's way that are told apart while it lasts.
const STRETCHES: usize = 8;
/// Pieces that are followed; where there are more, atomics are spread anyway.
const MOST: usize = 64;
/// A warp with fewer requests does not go round.
const FEW: u64 = 32;

/// Rounds of atomics, and those in sectors of several words, by piece of memory: few.
type Rounds = Vec<(Piece, [u64; 2])>;
/// The same of all blocks: there may be many.
type AllRounds = BTreeMap<Piece, [u64; 2]>;

/// Rounds of atomics by the half of their block's way on which they happen. Blocks that all begin at once and go on through a picture
/// see the same region of it at about the same time, as those do that begin one after the other (see [`super::pieces::Pieces`]). And those
/// that add a histogram of their own to the bins take its levels in the same order.
#[derive(Debug, Default)]
pub(super) struct Course {
    /// By warp of the current block.
    requests: Vec<u64>,
    /// Requests of a warp in a stretch: doubled whenever a warp comes to the end of the last one.
    length: u64,
    stretches: [Rounds; STRETCHES],
    halves: [AllRounds; 2],
    /// Whether nothing can be said.
    unknown: bool,
}

impl Course {
    /// A warp of the current block makes a request; `rounds` has the sectors of it: where, rounds, whether of several words.
    pub fn add(&mut self, warp: usize, rounds: &[(Piece, u64, bool)]) {
        if self.requests.len() <= warp {
            self.requests.resize(warp + 1, 0);
        }
        let number = self.requests[warp];
        self.requests[warp] += 1;
        self.length = self.length.max(1);
        while number / self.length >= STRETCHES as u64 {
            self.length *= 2;
            for stretch in 0..STRETCHES {
                for (piece, rounds) in std::mem::take(&mut self.stretches[stretch]) {
                    add(&mut self.stretches[stretch / 2], piece, rounds);
                }
            }
        }
        if self.unknown {
            return;
        }
        let stretch = &mut self.stretches[(number / self.length) as usize];
        for &(piece, rounds, several) in rounds {
            add(stretch, piece, [rounds, if several { rounds } else { 0 }]);
        }
        self.unknown = stretch.len() > MOST;
    }

    /// The current block ends.
    pub fn close(&mut self) {
        let most = self.requests.iter().copied().max().unwrap_or(0);
        self.unknown |= (1..FEW).contains(&most);
        let used = self.stretches.iter().rposition(|stretch| !stretch.is_empty()).map_or(1, |last| last + 1);
        for (number, stretch) in self.stretches.iter_mut().enumerate() {
            add_all(&mut self.halves[(2 * number / used).min(1)], std::mem::take(stretch));
        }
        self.requests.fill(0);
        self.length = 1;
    }

    /// The most of any piece on each half of the way, added up, and how many of those were in sectors of several words. Zeros where
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

fn add(all: &mut Rounds, piece: Piece, [rounds, several]: [u64; 2]) {
    match all.iter_mut().find(|(known, _)| *known == piece) {
        Some((_, known)) => *known = [known[0] + rounds, known[1] + several],
        None => all.push((piece, [rounds, several])),
    }
}

fn add_all(all: &mut AllRounds, more: impl IntoIterator<Item = (Piece, [u64; 2])>) {
    for (piece, [rounds, several]) in more {
        let known = all.entry(piece).or_default();
        *known = [known[0] + rounds, known[1] + several];
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn piece(number: u64) -> Piece {
        Piece { allocation: 1, number: number as usize }
    }

    /// Two blocks of a warp, each with so many requests to one piece and then as many to another.
    fn one_after_the_other(requests: u64) -> [u64; 2] {
        let mut course = Course::default();
        for _ in 0..2 {
            for request in 0..2 * requests {
                course.add(0, &[(piece(request / requests), 1, request % 2 == 0)]);
            }
            course.close();
        }
        course.most()
    }

    #[test]
    fn what_is_hot_on_one_half_of_the_way_only_is_as_hot_as_if_it_were_on_all_of_it() {
        assert_eq!(one_after_the_other(64), [256, 128]);
        assert_eq!(one_after_the_other(1 << 12), [1 << 14, 1 << 13]);
        // Too few to be a loop.
        assert_eq!(one_after_the_other(8), [0; 2]);
    }

    #[test]
    fn atomics_all_over_memory_are_not_followed() {
        let mut course = Course::default();
        for request in 0..1 << 10 {
            course.add(0, &[(piece(request), 1, false)]);
        }
        course.close();
        assert_eq!(course.most(), [0; 2]);
    }

    #[test]
    fn whose_worker_reports_first_makes_no_difference() {
        let one = |number: u64| {
            let mut course = Course::default();
            (0..FEW).for_each(|_| course.add(0, &[(piece(number), 1, false)]));
            course.close();
            course
        };
        let both = |[first, second]: [u64; 2]| {
            let mut course = one(first);
            course.absorb(one(second));
            course.most()
        };
        assert_eq!(both([0, 1]), both([1, 0]));
        assert_eq!(both([0, 0]), [2 * FEW, 0]);
    }
}
