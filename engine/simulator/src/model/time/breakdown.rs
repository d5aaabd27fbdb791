//! What the time of a launch is spent on.
//!
//! Resources work side by side, so their times do not add up. The share of one is what the time would fall by, in per cent, if
//! that resource took one per cent less: t ∂T/∂t. The time is homogeneous in the terms, so these shares add up to the whole
//! (Euler's theorem): a resource that is hidden behind another has none.

use super::predict::{Demand, Model};
use super::terms::TERMS;
use crate::model::gpu::Gpu;
use crate::model::launch::{Kernel, Whole};

/// A step small enough for a derivative, and large enough for the digits of an `f64`.
const STEP: f64 = 1e-4;

/// Seconds of a launch, by what they are spent on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Breakdown {
    /// By resource, in the order of [`super::TERM_NAMES`].
    pub terms: [f64; TERMS],
    /// The launch itself.
    pub launch: f64,
    /// The first loads, for which everything waits.
    pub first_loads: f64,
}

impl Breakdown {
    /// All of it: the seconds of the launch.
    pub fn seconds(&self) -> f64 {
        self.terms.iter().sum::<f64>() + self.launch + self.first_loads
    }
}

/// What a launch spends its time on.
pub fn breakdown(kernel: &Kernel, whole: Whole, model: &Model, gpu: &Gpu) -> Breakdown {
    let demand = Demand::of(kernel, whole, gpu);
    let with = |term: usize, times: f64| {
        let mut demand = demand;
        demand.terms[term] *= times;
        demand.seconds(model)
    };
    let of = |term: usize| (with(term, 1.0 + STEP) - with(term, 1.0 - STEP)) / (2.0 * STEP);
    Breakdown {
        terms: std::array::from_fn(|term| if demand.terms[term] > 0.0 { of(term).max(0.0) } else { 0.0 }),
        // What the last atomics run beside counts once.
        launch: demand.launch(model),
        first_loads: demand.first_loads,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::counters::Counters;
    use crate::model::gpu::find;
    use crate::model::time::{H200, TERM_NAMES, seconds};

    fn parts(counters: Counters) -> (Breakdown, f64) {
        let gpu = find("h200").unwrap();
        let kernel = Kernel::of(counters, 4000, 256);
        let whole = Whole::new(1.0, 4000.0);
        (breakdown(&kernel, whole, &H200, gpu), seconds(&kernel, whole, &H200, gpu))
    }

    fn share(breakdown: &Breakdown, name: &str) -> f64 {
        let term = TERM_NAMES.iter().position(|known| *known == name).unwrap();
        breakdown.terms[term] / breakdown.seconds()
    }

    #[test]
    fn the_parts_are_the_whole() {
        let counters = Counters {
            unique_read_sectors: 4_000_000,
            global_load_sectors: 4_000_000,
            global_wavefronts: 3_000_000,
            shared_wavefronts: 9_000_000,
            ..Counters::default()
        };
        let (parts, seconds) = parts(counters);
        assert!((parts.seconds() / seconds - 1.0).abs() < 1e-6, "{parts:?} {seconds}");
        assert!(parts.first_loads > 0.0 && parts.launch > 0.0);
    }

    #[test]
    fn what_is_hidden_has_no_share() {
        let atomics = Counters {
            global_atomics: 40_000_000,
            global_atomic_rounds: 40_000_000,
            hottest_atomic_rounds: 1_000_000,
            shared_wavefronts: 1000,
            ..Counters::default()
        };
        let (parts, _) = parts(atomics);
        assert!(share(&parts, "global atomics") > 0.9, "{parts:?}");
        assert!(share(&parts, "load/store pipe and shared memory") < 0.01, "{parts:?}");
    }
}
