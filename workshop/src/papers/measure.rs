//! One rung timed on the image of an experiment.

use std::collections::BTreeMap;

use lab::{Argument, Case, FewestBytes, Image, Mistake, Points, Situation, Task, Tolerance};

use super::lookup::{Found, Place};
use crate::{rungs, timed};
use judge::call::PUBLIC_SEED;
use judge::exit::Stop;
use judge::performance::{self, TimingFixtures};
use judge::report::{Performance, Verdict};
use judge::setup::Setup;
use judge::verify::Runner;

/// A task that is timed on another image than its own.
struct Elsewhere {
    task: &'static dyn Task,
    case: Case,
}

/// A timed rung.
#[derive(Debug, Clone)]
pub struct Timed {
    /// Whether its result was right.
    pub right: bool,
    /// Its times.
    pub performance: Performance,
}

/// Times rungs, each once for an image however many experiments ask for it.
pub struct Clock<'a> {
    setup: &'a Setup,
    known: BTreeMap<(String, String, String), Timed>,
    fixtures: TimingFixtures,
}

impl<'a> Clock<'a> {
    /// A clock that knows no times yet.
    pub fn new(setup: &'a Setup) -> Self {
        Self { setup, known: BTreeMap::new(), fixtures: TimingFixtures::default() }
    }

    /// The time of a rung on the image of `case`, or on the task's own.
    pub fn time(&mut self, place: Place, rung: &Found, case: Option<&Case>) -> Result<Timed, Stop> {
        let case = case.cloned().unwrap_or_else(|| place.task.timed_case());
        let key = (rung.path.display().to_string(), place.task.name().to_owned(), case.name.clone());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let timed = time(self.setup, place, rung, case, &mut self.fixtures)?;
        self.known.insert(key, timed.clone());
        Ok(timed)
    }
}

fn time(
    setup: &Setup,
    place: Place,
    rung: &Found,
    case: Case,
    fixtures: &mut TimingFixtures,
) -> Result<Timed, Stop> {
    let task = Elsewhere { task: place.task, case };
    let build = rungs::compiled_for(place.lab, &[&task], &rung.path, setup)?;
    let mut gpu = setup.worker(&build)?;
    let simulation = build.simulation(setup.simulated_gpu());
    let mut runner = Runner { program: &build.program, simulation: &simulation, gpu: gpu.as_mut() };
    let timed = performance::time_on(&task, &task.timed_case(), setup, &mut runner, PUBLIC_SEED, fixtures)?;
    let right = timed.case.verdict == Verdict::Passed;
    let performance = timed::performance(timed, &rung.name, place.task.name())?;
    Ok(Timed { right, performance })
}

impl Task for Elsewhere {
    fn timed_case(&self) -> Case {
        self.case.clone()
    }
    fn name(&self) -> &'static str {
        self.task.name()
    }
    fn summary(&self) -> &'static str {
        self.task.summary()
    }
    fn parameters(&self) -> &'static str {
        self.task.parameters()
    }
    fn cases(&self) -> Vec<Case> {
        self.task.cases()
    }
    fn arguments(&self, image: &Image) -> Vec<Argument> {
        self.task.arguments(image)
    }
    fn reference(&self, image: &Image) -> Vec<Vec<u8>> {
        self.task.reference(image)
    }
    fn parallel_reference(&self, image: &Image) -> Vec<Vec<u8>> {
        self.task.parallel_reference(image)
    }
    fn sequential_seconds(&self, image: &Image) -> f64 {
        self.task.sequential_seconds(image)
    }
    fn parallel_seconds(&self, image: &Image) -> f64 {
        self.task.parallel_seconds(image)
    }
    fn tolerance(&self) -> Tolerance {
        self.task.tolerance()
    }
    fn fewest_bytes(&self, width: usize, height: usize) -> FewestBytes {
        self.task.fewest_bytes(width, height)
    }
    fn over_link(&self) -> bool {
        self.task.over_link()
    }
    fn points(&self) -> Points {
        self.task.points()
    }
    fn nominal_nanoseconds_per_pixel(&self) -> f64 {
        self.task.nominal_nanoseconds_per_pixel()
    }
    fn hints(&self) -> &'static [&'static str] {
        self.task.hints()
    }
    fn mistakes(&self) -> &'static [Mistake] {
        self.task.mistakes()
    }
    fn partial(
        &self,
        situation: &Situation<'_>,
        covered: &dyn Fn(usize, usize) -> bool,
    ) -> Option<Vec<Vec<u8>>> {
        self.task.partial(situation, covered)
    }
    fn first_step(&self) -> &'static str {
        self.task.first_step()
    }
}
