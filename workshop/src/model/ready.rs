//! Measured calls ready for predictions with any weights: what does not depend on them is worked out once.

use records::{Point, Set};
use simulator::model::{Demand, GROUPS, Gpu, Model, Whole};

use super::count::Counted;
use runtime::engine::{Work, prediction};

/// A measured call.
#[derive(Debug, Clone)]
pub struct Ready {
    /// The measurement.
    pub point: Point,
    /// The family of its kernels.
    pub family: String,
    parts: Vec<Part>,
}

#[derive(Debug, Clone)]
enum Part {
    Launch(Box<Demand>),
    /// A copy, a fill, or work of the host.
    Other(Work, Whole),
}

impl Ready {
    /// A counted call on this GPU.
    pub fn of(call: &Counted, gpu: &Gpu) -> Self {
        let part = |(work, whole): &(Work, Whole)| match work {
            Work::Kernel(kernel) => Part::Launch(Box::new(Demand::of(kernel, *whole, gpu))),
            other => Part::Other(other.clone(), *whole),
        };
        Self {
            point: call.point.clone(),
            family: call.family.clone(),
            parts: call.pieces.iter().map(part).collect(),
        }
    }

    /// Predicted seconds.
    pub fn seconds(&self, model: &Model, gpu: &Gpu) -> f64 {
        let of = |part: &Part| match part {
            Part::Launch(demand) => demand.seconds(model),
            Part::Other(work, whole) => prediction::seconds_gathered(work, *whole, model, gpu),
        };
        self.parts.iter().map(of).sum()
    }

    /// Whether a term's weight matters for it.
    pub fn feels(&self, term: usize) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Launch(demand) if demand.feels(term)))
    }

    /// The limiter of its longest launch.
    pub fn limiter(&self, model: &Model) -> &'static str {
        self.longest(model).map_or("launch", |demand| demand.limiter(model))
    }

    /// The group of kernels that are mispredicted like it.
    pub fn group(&self, model: &Model) -> usize {
        self.longest(model).map_or(GROUPS - 1, |demand| demand.group(model))
    }

    fn longest(&self, model: &Model) -> Option<&Demand> {
        let launches = self.parts.iter().filter_map(|part| match part {
            Part::Launch(demand) => Some(&**demand),
            Part::Other(..) => None,
        });
        launches.max_by(|one, other| one.seconds(model).total_cmp(&other.seconds(model)))
    }

    /// Whether weights may be fitted to it: not to what was written to test them.
    pub fn is_known(&self) -> bool {
        self.point.set != Set::Fresh
    }
}
