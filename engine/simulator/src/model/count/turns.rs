//! Threads that take turns: how often a word that they wait for goes from one to the next.
//!
//! A lock, or a number that says whose turn it is, is a word that a thread asks for in a loop and that the same thread changes later,
//! with another instruction. Each such change comes after the one that its thread has seen, so that the longest row of them is a time
//! that no other work hides: on a GPU, each takes the way to the word and back. Simulated threads hardly wait for each other, and the
//! instructions do not tell. A barrier of the grid that a kernel makes of atomics is none: many threads change its word after the
//! same change. Nor is a number that threads draw, which none of them waits for.

use std::collections::HashMap;

use crate::decode::{Program, asking_for_turns};
use crate::exec::{AccessKind, lanes};
use crate::model::counters::Counters;
use crate::observe::{Place, Request};
use crate::ptx::ast::Space;

/// A word: the block whose shared memory it lies in, and its address.
type Word = (Option<u64>, u64);

/// A lane of the launch: block, warp, lane.
type Thread = (u64, u32, u32);

/// How far a word has come.
#[derive(Debug, Default)]
struct Passed {
    /// Changes one after another.
    depth: u64,
    /// The thread that made the last one.
    by: Thread,
    /// Whether that one counts: its thread took the word over from another, and no other has changed it after the same change.
    counts: bool,
    /// Those that count.
    turns: u64,
}

/// Follows the words that threads wait for.
#[derive(Debug, Default)]
pub(super) struct Turns {
    /// By instruction, whether it asks for a word in a loop that ends by its value. Empty if none does.
    asking: Vec<bool>,
    block: u64,
    words: HashMap<Word, Passed>,
    /// How far a word had come when a warp, by block and number, last asked for it.
    seen: HashMap<(Word, u64, u32), u64>,
}

impl Turns {
    /// Of a program.
    pub fn new(program: &Program) -> Self {
        let found = asking_for_turns(program);
        let mut asking = vec![false; if found.is_empty() { 0 } else { program.code.len() }];
        for pc in found {
            asking[pc as usize] = true;
        }
        Self { asking, ..Self::default() }
    }

    /// A block begins, or goes on.
    pub fn block(&mut self, number: u64) {
        self.block = number;
    }

    /// An access to global or shared memory.
    pub fn access(&mut self, pc: u32, request: &Request<'_>, place: &Place<'_>) {
        if self.asking.is_empty() {
            return;
        }
        let asks = self.asking[pc as usize];
        if !asks && (request.kind == AccessKind::Read || self.seen.is_empty()) {
            return;
        }
        let of_block = (request.space == Space::Shared).then_some(self.block);
        let warp = place.warp.index;
        let mut before = None;
        for lane in lanes(request.mask) {
            let word = (of_block, request.addresses[lane]);
            // Lanes that go to one word together do so once.
            if before.replace(word) == Some(word) {
                continue;
            }
            if asks {
                let depth = self.words.get(&word).map_or(0, |word| word.depth);
                self.seen.insert((word, self.block, warp), depth);
            } else if let Some(seen) = self.seen.remove(&(word, self.block, warp)) {
                self.words.entry(word).or_default().change(seen, (self.block, warp, lane as u32));
            }
        }
    }

    /// Puts the longest rows among a launch's events.
    pub fn finish(self, counters: &mut Counters) {
        for ((block, _), word) in self.words {
            let most =
                if block.is_some() { &mut counters.turns_in_a_block } else { &mut counters.turns_of_threads };
            *most = (*most).max(word.turns);
        }
    }

    /// Adds another worker's, of other blocks: words that both wait for are left to one worker.
    pub fn absorb(&mut self, other: Self) {
        for (word, theirs) in other.words {
            let mine = self.words.entry(word).or_default();
            if theirs.turns > mine.turns {
                *mine = theirs;
            }
        }
    }
}

impl Passed {
    /// A thread that has seen so many changes makes one.
    fn change(&mut self, seen: u64, by: Thread) {
        if seen < self.depth {
            // Beside the last one, not after it.
            self.turns -= u64::from(std::mem::take(&mut self.counts));
            return;
        }
        (self.counts, self.by) = (self.depth == 0 || self.by != by, by);
        self.turns += u64::from(self.counts);
        self.depth += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(changes: &[(u64, u64)]) -> u64 {
        let mut word = Passed::default();
        for &(seen, thread) in changes {
            word.change(seen, (thread, 0, 0));
        }
        word.turns
    }

    #[test]
    fn a_lock_passes_from_thread_to_thread() {
        assert_eq!(turns(&[(0, 1), (1, 2), (2, 3), (3, 1)]), 4);
    }

    #[test]
    fn arrivals_at_a_barrier_are_no_turns() {
        assert_eq!(turns(&[(0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3)]), 0);
    }

    #[test]
    fn a_thread_does_not_wait_for_itself() {
        assert_eq!(turns(&[(0, 1), (1, 1), (2, 1)]), 1);
    }
}
