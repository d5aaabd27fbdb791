//! How far a warp is on its way.

use super::super::arrivals::Step;
use crate::launch::{Path, Stay};

/// One warp.
#[derive(Debug, Clone, Default)]
pub(super) struct Line {
    /// When each register's value is there.
    pub ready: Vec<u64>,
    /// When the basic block began.
    pub began: u64,
    /// Before this nothing more starts.
    pub floor: u64,
    /// When its latest instruction so far could start.
    pub latest: u64,
    /// Its instructions so far: one is issued a cycle.
    pub issued: u64,
    /// When all is done.
    pub end: u64,
    /// `end`, by where it arose.
    pub path: Path,
    /// When the last instruction started.
    pub start: u64,
    /// When the latest stores to global and to shared memory started.
    pub stored: [u64; 2],
    /// Lanes in which each register's value is known before the launch. Where a warp's lanes have parted, these are the lanes
    /// that computed it together: what others make of the register in their branch, the compiler does not know in both.
    pub known: Vec<u32>,
    /// What it has missed so far.
    pub step: Step,
    /// The last instruction, and whether one has missed since the warp last went back in the code or came from a barrier.
    pub at: u32,
    pub missed: bool,
    /// Barriers that it has come from.
    pub barriers: u32,
}

/// How a warp came to a barrier: its [`Line`]'s.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrival {
    pub floor: u64,
    pub end: u64,
    pub path: Path,
}

impl Line {
    pub fn reset(&mut self) {
        self.ready.fill(0);
        let ready = std::mem::take(&mut self.ready);
        let known = std::mem::take(&mut self.known);
        *self = Self { ready, known, ..Self::default() };
    }

    /// When it came to the barrier at which it waits.
    pub fn arrival(&self) -> Arrival {
        Arrival { floor: self.floor, end: self.end, path: self.path }
    }

    /// Goes on no earlier than the last one that it waited for.
    pub fn follow(&mut self, last: Arrival) {
        (self.began, self.floor, self.latest) = (last.floor, last.floor, last.floor);
        self.missed = false;
        self.barriers += 1;
        if last.end > self.end {
            (self.path, self.end) = (last.path, last.end);
        }
    }

    /// Comes to an instruction.
    #[inline]
    pub fn come_to(&mut self, pc: u32) {
        if pc <= self.at {
            self.missed = false;
        }
        self.at = pc;
    }

    /// A request misses; whether it is the first in this round of a loop.
    pub fn miss(&mut self) -> bool {
        let first = !std::mem::replace(&mut self.missed, true);
        self.step.round += u32::from(first);
        first
    }

    pub fn reach(&mut self, when: u64, stay: Stay) {
        if when > self.end {
            self.path.cycles[stay as usize] += when - self.end;
            self.end = when;
        }
    }
}
