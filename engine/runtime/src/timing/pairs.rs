//! A request to time a call, and the measured pairs of times.

use serde::{Deserialize, Serialize};

use super::checked::CheckedCall;
use super::patches::Patch;
use crate::engine::Apart;
use crate::finding::Finding;
use crate::job::Job;
use crate::statistics::ratio;

/// Two clocks count as equal within this relative difference.
const SAME_CLOCK: f64 = 0.02;

/// A request to time a call.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TimeRequest {
    /// The call; its inputs travel separately.
    pub job: Job,
    /// Changes to the inputs that are switched on and off; at most 64.
    pub patches: Vec<Patch>,
    /// Fewest bytes read: the yardstick reads as many.
    pub read: u64,
    /// Fewest bytes written.
    pub write: u64,
    /// Whether these bytes cross the link. Then those of the yardstick do too, and transfers and kernels are also
    /// measured apart.
    pub over_link: bool,
    /// How long to measure.
    pub pace: Pace,
}

/// How long to measure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Pace {
    /// Fewest pairs. With 0 there are none: only transfers and kernels are measured apart.
    pub pairs: usize,
    /// Stop when the 95 % interval of the median ratio is within this (relative).
    pub precise: f64,
    /// Call the times unstable if the interval is wider than this.
    pub believed: f64,
    /// Least warm-up before the first measurement, in milliseconds: the clocks rise.
    pub warm_up_ms: u64,
    /// Time after which no new pair begins, in milliseconds.
    pub budget_ms: u64,
}

impl Pace {
    /// For a score.
    pub const SCORE: Self =
        Self { pairs: 30, precise: 0.01, believed: 0.01, warm_up_ms: 200, budget_ms: 10_000 };
    /// For a score of a task over the link. Each run moves the picture between memories about ten times before it is
    /// timed. The host's CPU takes part in copies of pageable memory, whose times vary by a tenth (10 to 12 % on the
    /// host of an H200, `checker ladder lab5`). Such a copy is about ten times slower than one of page-locked memory,
    /// so 15 % are less than two of thirty points.
    pub const LINK: Self = Self { pairs: 10, precise: 0.03, believed: 0.15, ..Self::SCORE };

    /// No pairs: only transfers and kernels, measured apart.
    pub const APART: Self = Self { pairs: 0, precise: 0.0, believed: 0.0, warm_up_ms: 0, budget_ms: 0 };

    /// For the score of a task.
    pub const fn score(over_link: bool) -> Self {
        if over_link { Self::LINK } else { Self::SCORE }
    }
}

/// Times of pairs of neighbouring runs, in seconds, and how they were measured.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Timed {
    /// The student's.
    pub student: Vec<f64>,
    /// The yardstick's.
    pub yardstick: Vec<f64>,
    /// Pairs left out, because the GPU's clock changed between their two runs.
    pub dropped: usize,
    /// Calls per measurement of the student's work; its time is their mean.
    pub calls: usize,
    /// The calls whose outputs travel separately: one of each version of the inputs, and each whose outputs differ from
    /// those of an earlier call on the same inputs. The outputs of all other calls are those of one of these.
    pub checked: Vec<CheckedCall>,
    /// Calls with outputs of their own beyond those of [`Self::checked`]: there were too many different ones.
    pub unchecked: usize,
    /// Memory that a call has changed and must not change.
    pub findings: Vec<Finding>,
    /// The student's transfers and kernels, measured apart; only over the link.
    pub apart: Option<Apart>,
    /// Text that the student's code printed in the last run.
    pub printed: String,
}

impl Timed {
    /// Yardstick ÷ student, pair by pair.
    pub fn ratios(&self) -> Vec<f64> {
        self.student.iter().zip(&self.yardstick).map(|(student, yardstick)| yardstick / student).collect()
    }

    /// Whether there are enough pairs for a score, and they agree well enough.
    pub fn is_stable(&self, pace: Pace) -> bool {
        self.agree(pace, pace.believed)
    }

    pub(super) fn agree(&self, pace: Pace, within: f64) -> bool {
        self.student.len() >= pace.pairs && ratio(&self.ratios()).1 <= within
    }

    pub(super) fn add(
        &mut self,
        (student, its_clock): (f64, Option<u32>),
        (yardstick, other_clock): (f64, Option<u32>),
    ) {
        if let (Some(one), Some(other)) = (its_clock, other_clock)
            && f64::from(one.abs_diff(other)) > SAME_CLOCK * f64::from(one.max(other))
        {
            self.dropped += 1;
            return;
        }
        self.student.push(student);
        self.yardstick.push(yardstick);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIRS: usize = Pace::SCORE.pairs;

    fn timed() -> Timed {
        Timed { student: vec![2.0; PAIRS], yardstick: vec![1.0; PAIRS], ..Timed::default() }
    }

    #[test]
    fn a_pair_whose_clocks_differ_is_left_out() {
        let mut pairs = timed();
        pairs.add((1.0, Some(1980)), (1.0, Some(1900)));
        assert_eq!((pairs.student.len(), pairs.dropped), (PAIRS, 1));
        pairs.add((1.0, Some(1980)), (1.0, Some(1965)));
        pairs.add((1.0, None), (1.0, Some(1965)));
        assert_eq!((pairs.student.len(), pairs.dropped), (PAIRS + 2, 1));
    }

    #[test]
    fn few_pairs_and_pairs_that_disagree_are_unstable() {
        assert!(timed().is_stable(Pace::SCORE));
        let mut few = timed();
        few.student.pop();
        few.yardstick.pop();
        assert!(!few.is_stable(Pace::SCORE));
        let mut wild = timed();
        for (index, seconds) in wild.student.iter_mut().enumerate() {
            *seconds += 0.1 * index as f64;
        }
        assert!(!wild.is_stable(Pace::SCORE));
    }

    #[test]
    fn copies_over_the_link_may_differ_more_than_kernels() {
        let mut noisy = timed();
        for (index, seconds) in noisy.student.iter_mut().enumerate() {
            *seconds *= if index % 2 == 0 { 1.0 } else { 1.1 };
        }
        assert!(!noisy.is_stable(Pace::SCORE) && noisy.is_stable(Pace::score(true)));
    }
}
