//! Barriers that not all threads reach.

use super::{Scene, Words, plural, singular};
use crate::decode::Action;
use crate::exec::Remark;
use crate::finding::{Kind, Label};

impl Scene<'_> {
    /// Threads of a block that wait for each other at different places.
    pub(super) fn deadlock(&self, waiting: &[(u32, u32, bool)]) -> Words {
        let labels = waiting
            .iter()
            .filter_map(|&(pc, threads, barrier)| {
                let what = match (barrier, self.of_grid(pc)) {
                    (_, true) => "for the whole grid here",
                    (true, _) => "at this barrier",
                    _ => "here for other lanes of their warp",
                };
                let text = format!("{threads} thread{} wait{} {what}", plural(threads), singular(threads));
                Some(Label { location: self.location(pc)?, text })
            })
            .collect();
        Words {
            labels,
            ..Words::new(
                "W0404",
                Kind::Barrier,
                "the block hangs: its threads wait for each other at places that not all of them reach",
                if waiting.iter().all(|(.., barrier)| *barrier) {
                    take_out(waiting.iter().any(|(pc, ..)| self.of_grid(*pc)))
                } else {
                    ALL_LANES
                },
            )
        }
    }

    /// Whether the instruction waits for the whole grid.
    fn of_grid(&self, pc: u32) -> bool {
        matches!(self.program.code[pc as usize].action, Action::GridBarrier)
    }

    /// The source form of this barrier.
    fn call(&self, pc: u32) -> &'static str {
        if self.of_grid(pc) { "grid.sync()" } else { "__syncthreads()" }
    }

    /// A remark, and its instruction.
    pub(super) fn remark_words(&self, remark: &Remark) -> (Words, u32) {
        match *remark {
            Remark::NotANumber { pc } => (super::arithmetic::not_a_number(), pc),
            Remark::NotLanded { pc, copy } => (
                Words {
                    labels: self
                        .location(copy)
                        .map(|location| Label { location, text: "the copy starts here".to_owned() })
                        .into_iter()
                        .collect(),
                    ..Words::new(
                        "W0312",
                        Kind::Race,
                        "uses shared memory that an asynchronous copy may not have reached yet: the thread that copies has not waited for \
                         it at this moment",
                        "after `__pipeline_commit()`, let the thread that copies wait with `__pipeline_wait_prior(n)`, where n is the \
                         number of later batches that may still be on their way (0: wait for all). Other threads use the bytes after a \
                         barrier behind that wait: `__syncwarp()` in the same warp, else `__syncthreads()`",
                    )
                },
                pc,
            ),
            Remark::DivergentBarrier { pc } => (
                Words::new(
                    "W0401",
                    Kind::Barrier,
                    "only part of a warp reaches this barrier: it stands in a branch that its threads decide \
                     differently",
                    format!(
                        "move `{}` out of the branch or loop, and keep only the work inside",
                        self.call(pc)
                    ),
                ),
                pc,
            ),
            Remark::MixedBarriers { pc, other } => (
                Words {
                    labels: self
                        .location(other)
                        .map(|location| Label { location, text: "others of its threads wait here".into() })
                        .into_iter()
                        .collect(),
                    ..Words::new(
                        "W0402",
                        Kind::Barrier,
                        "threads of one block wait at different barriers: what was to be ordered is not",
                        format!("every thread of the block has to reach the same `{}`", self.call(pc)),
                    )
                },
                pc,
            ),
            Remark::TooManyCame { pc, id, count, come } => (
                Words::new(
                    "W0409",
                    Kind::Barrier,
                    format!(
                        "{come} threads of the block come to named barrier {id}, which opens as soon as any {count} of them are \
                         there: the others are not waited for"
                    ),
                    format!(
                        "let the barrier count all threads that use it, `bar.sync {id}, {come}`, or give each group of {count} \
                         threads a barrier number of its own; for the whole block, `__syncthreads()`"
                    ),
                ),
                pc,
            ),
            Remark::ExitedBarrier { pc, rounds: true, .. } => (
                Words::new(
                    "W0403",
                    Kind::Barrier,
                    "threads of the block have left the loop with this barrier, and returned, while others still wait in it",
                    format!(
                        "move `{}` behind the loop if its rounds need none between them; else let all threads of the block go round \
                         the loop equally often, and guard the work inside with `if`",
                        self.call(pc)
                    ),
                ),
                pc,
            ),
            Remark::ExitedBarrier { pc, rounds: false, left } => (
                Words {
                    labels: left
                        .and_then(|left| self.location(left))
                        .map(|location| Label { location, text: "here they go another way".to_owned() })
                        .into_iter()
                        .collect(),
                    ..Words::new(
                        "W0403",
                        Kind::Barrier,
                        "threads of the block end without coming to this barrier: GPUs since compute capability 7.0 wait only \
                         for the others, older ones may hang",
                        format!(
                            "let every thread of the block come to `{}`: put the work inside an `if`, and the barrier outside",
                            self.call(pc)
                        ),
                    )
                },
                pc,
            ),
        }
    }
}

/// What to do about lanes that wait for others which never come.
const ALL_LANES: &str = "every lane that the mask names has to execute the same `__shfl_sync`, `__ballot_sync` or `__syncwarp`: \
                         take it out of the branch, or find the mask before the branch, \
                         `unsigned mask = __ballot_sync(0xffffffff, condition)`";

/// What to do about barriers that not all threads of a block reach; `grid`: the grid's among them.
fn take_out(grid: bool) -> &'static str {
    if grid {
        "every thread of the block has to reach the same `grid.sync()` and the same `__syncthreads()`: take them out \
         of the branch"
    } else {
        "every thread of the block has to reach the same `__syncthreads()`: take it out of the branch"
    }
}
