//! Runs of the sample of a picture, and the launches that they came to.

use lab::Image;
use simulator::model::Whole;

use super::steps::{Launched, as_they_are, grid, launched};
use runtime::engine::{Asked, Profiled, Step, Work};
use runtime::job::Outcome;

/// What a run led to.
pub(super) struct Ran {
    pub outcome: Outcome,
    /// What the host function read back.
    pub read: Vec<Vec<u8>>,
    /// By launch.
    pub asked: Vec<Asked>,
    /// What the lines did, by launch.
    pub lines: Vec<Profiled>,
}

/// The call on the first rows of a picture.
pub(super) struct Sample {
    pub image: Image,
    /// Rows of the whole picture.
    pub height: usize,
    /// Rows of the smaller sample.
    pub less: usize,
    pub ran: Ran,
}

impl Sample {
    /// How much taller the whole picture is.
    pub(super) fn scale(&self) -> f64 {
        self.height as f64 / self.image.height as f64
    }

    /// The steps, each taken to the whole by its rows alone.
    pub(super) fn steps(&self) -> Vec<(Step, Whole)> {
        as_they_are(&self.ran.outcome.work, self.scale())
    }

    /// Rows of the smaller sample, of this one, and of the whole picture.
    pub(super) fn rows(&self) -> [usize; 3] {
        [self.less, self.image.height, self.height]
    }

    /// Instructions of the host function on the whole picture, if they grow with the rows.
    pub(super) fn computing(&self) -> f64 {
        let instructions = self.ran.outcome.work.iter().map(|step| match step {
            Step::Work { work: Work::Compute(instructions), .. } => *instructions as f64,
            _ => 0.0,
        });
        instructions.sum::<f64>() * self.scale()
    }

    /// The launches by the work that they do, most first.
    pub(super) fn longest_first(&self) -> Vec<usize> {
        let kernels = self.ran.outcome.work.iter().filter_map(|step| match step {
            Step::Work { work: Work::Kernel(kernel), .. } => Some(kernel.counters.warp_instructions),
            _ => None,
        });
        let mut launches: Vec<(usize, u64)> = kernels.enumerate().collect();
        launches.sort_by_key(|(_, instructions)| std::cmp::Reverse(*instructions));
        launches.into_iter().map(|(launch, _)| launch).collect()
    }

    /// Launches of kernels.
    pub(super) fn launches(&self) -> usize {
        self.ran.outcome.work.iter().filter(|step| grid(step).is_some()).count()
    }
}

impl Ran {
    pub(super) fn launches(&self) -> Vec<Launched> {
        launched(&self.outcome.work, self.asked.clone())
    }
}
