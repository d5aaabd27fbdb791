//! Points of a task, and the scales that they are earned on.

use std::cmp::Ordering;

/// A named level of the bandwidth or speedup scale, in rising order: `("coalesced", 0.6)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    /// Its name in the report.
    pub name: &'static str,
    /// Reached at this value.
    pub at: f64,
    /// What to try to reach it, as an imperative: `let each thread take several pixels`. Empty if the level is only a
    /// milestone.
    pub how: &'static str,
}

/// A scale from floor (no points) to target (all points), logarithmic between.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// No points at or below this value.
    pub floor: f64,
    /// All points at or above this value.
    pub target: f64,
    /// Named levels from floor to target, rising.
    pub levels: &'static [Level],
}

/// Points of one task. A lab's tasks add up to 100: 50 correctness, 30 bandwidth, 20 speedup.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Points {
    /// For correct outputs in every case.
    pub correctness: f64,
    /// For the share of the yardstick's speed: yardstick time ÷ kernel time.
    pub bandwidth: f64,
    /// For the speedup over the sequential CPU reference.
    pub speedup: f64,
    /// Scale of the share of the yardstick.
    pub share: Threshold,
    /// The speedup: the floor of its scale, and milestones. The scale ends at the speedup that the share's target stands for
    /// on the GPU at hand, so that every GPU can reach it and a slow kernel does not.
    pub times: Threshold,
}

impl Points {
    /// All points of the task.
    pub fn total(&self) -> f64 {
        self.correctness + self.bandwidth + self.speedup
    }
}

impl Threshold {
    /// The fraction of the points that `value` earns, 0 to 1; NaN earns nothing.
    ///
    /// Logarithmic, because each doubling of speed takes about the same effort.
    pub fn fraction(&self, value: f64) -> f64 {
        // Written so that NaN earns 0.
        if value > self.floor {
            ((value / self.floor).ln() / (self.target / self.floor).ln()).min(1.0)
        } else {
            0.0
        }
    }

    /// The highest level that `value` reaches.
    pub fn level(&self, value: f64) -> Option<&'static Level> {
        self.levels.iter().rev().find(|level| value >= level.at)
    }

    /// The next level above `value`.
    pub fn next(&self, value: f64) -> Option<&'static Level> {
        // Negated so that the next level above NaN, which reaches nothing, is the first one.
        self.levels
            .iter()
            .find(|level| !matches!(value.partial_cmp(&level.at), Some(Ordering::Greater | Ordering::Equal)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SCALE: Threshold = Threshold {
        floor: 0.25,
        target: 1.0,
        levels: &[Level { name: "plain", at: 0.25, how: "" }, Level { name: "fast", at: 0.5, how: "" }],
    };

    #[test]
    fn half_of_the_doublings_earns_half_of_the_points() {
        for (value, fraction) in [(0.25, 0.0), (0.5, 0.5), (1.0, 1.0), (7.0, 1.0), (-1.0, 0.0), (0.0, 0.0)] {
            assert!((SCALE.fraction(value) - fraction).abs() < 1e-12, "{value}");
        }
    }

    #[test]
    fn nan_earns_nothing_and_reaches_nothing() {
        assert!(SCALE.fraction(f64::NAN).abs() < f64::EPSILON);
        assert_eq!(SCALE.level(f64::NAN), None);
        assert_eq!(SCALE.next(f64::NAN).map(|level| level.name), Some("plain"));
    }

    #[test]
    fn a_level_is_reached_at_its_value() {
        let names = |value| (SCALE.level(value).map(|l| l.name), SCALE.next(value).map(|l| l.name));
        assert_eq!(names(0.2), (None, Some("plain")));
        assert_eq!(names(0.25), (Some("plain"), Some("fast")));
        assert_eq!(names(0.5), (Some("fast"), None));
    }

    proptest! {
        #[test]
        fn faster_never_earns_less(slow in 0.0..10.0_f64, gain in 0.0..10.0_f64) {
            let (low, high) = (SCALE.fraction(slow), SCALE.fraction(slow + gain));
            prop_assert!((0.0..=1.0).contains(&low) && (0.0..=1.0).contains(&high));
            prop_assert!(low <= high);
        }
    }
}
