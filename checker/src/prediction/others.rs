//! Runs on other pictures than the sample: what is right there must be right everywhere.

use lab::{Case, Image, Task};
use simulator::Checks;

use super::error::PredictError;
use super::pictures;
use crate::call;
use crate::chance::Chance;
use runtime::job::{Outcome, Program};
use runtime::simulation::Simulation;

/// A run on a picture that the file cannot know.
#[derive(Debug)]
pub struct Other {
    /// The picture's name in the report.
    pub name: String,
    /// The picture.
    pub image: Image,
    /// What the call led to.
    pub outcome: Outcome,
}

/// The runs on other pictures than the sample of this case; `high` ones too, or only those of few rows.
pub(super) fn others(
    task: &dyn Task,
    case: &Case,
    program: &Program,
    student: &Simulation,
    seed: u64,
    high: bool,
) -> Result<Vec<Other>, PredictError> {
    let chance = Chance::new(student.tokens).with("other pictures", seed);
    let run = |(name, image): (String, Image)| {
        let poison = chance.number(&name);
        let job = call::job(task.name(), task.arguments(&image), image.pixels() as u64, poison);
        let outcome = student.run(program, &job, Checks::NONE)?;
        Ok(Other { name, image, outcome })
    };
    pictures::others(case, chance, high)?.into_iter().map(run).collect()
}
