//! Measured calls ready for predictions with any weights: what does not depend on them is worked out once.

use records::Point;
use simulator::model::{Demand, GROUPS, Gpu, Model, Whole};

use super::count::Counted;
use runtime::engine::{Step, Timeline, Work, prediction};

/// A measured call.
#[derive(Debug, Clone)]
pub struct Ready {
    /// The measurement.
    pub point: Point,
    /// The family of its kernels.
    pub family: String,
    steps: Vec<(Step, Part)>,
}

/// What a step takes.
#[derive(Debug, Clone)]
enum Part {
    Launch(Box<Demand>),
    /// A copy, a fill, or work of the host.
    Other(Whole),
}

impl Ready {
    /// A counted call on this GPU.
    pub fn of(call: &Counted, gpu: &Gpu) -> Self {
        let part = |(step, whole): &(Step, Whole)| match step {
            Step::Work { work: Work::Kernel(kernel), .. } => {
                (step.clone(), Part::Launch(Box::new(Demand::of(kernel, *whole, gpu))))
            }
            _ => (step.clone(), Part::Other(*whole)),
        };
        Self {
            point: call.point.clone(),
            family: call.family.clone(),
            steps: call.steps.iter().map(part).collect(),
        }
    }

    /// Predicted seconds, as the checker predicts them: streams overlap.
    pub fn seconds(&self, model: &Model, gpu: &Gpu) -> f64 {
        let mut timeline = Timeline::default();
        for (step, part) in &self.steps {
            timeline.add(step, |work| match part {
                Part::Launch(demand) => demand.seconds(model),
                Part::Other(whole) => prediction::seconds_gathered(work, *whole, model, gpu),
            });
        }
        timeline.end()
    }

    /// Whether a term's weight matters for it.
    pub fn feels(&self, term: usize) -> bool {
        self.launches().any(|demand| demand.feels(term))
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
        self.launches().max_by(|one, other| one.seconds(model).total_cmp(&other.seconds(model)))
    }

    fn launches(&self) -> impl Iterator<Item = &Demand> {
        self.steps.iter().filter_map(|(_, part)| match part {
            Part::Launch(demand) => Some(&**demand),
            Part::Other(_) => None,
        })
    }
}
