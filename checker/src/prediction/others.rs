//! Runs on other pictures than the sample: what is right there must be right everywhere.

use lab::{Case, Image, ImageError, Task};
use simulator::Checks;

use super::error::PredictError;
use super::pictures;
use crate::call;
use crate::chance::Chance;
use runtime::job::{Job, Outcome, Program};
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

/// A call on such a picture.
pub(crate) struct OtherCall {
    /// The picture's name in the report.
    pub name: String,
    /// The picture.
    pub image: Image,
    /// The call.
    pub job: Job,
}

/// Calls on other pictures than that of this case, for a file whose tokens have this hash; `high` ones too, or only those of few
/// rows.
pub(crate) fn other_calls(
    task: &dyn Task,
    case: &Case,
    tokens: u64,
    seed: u64,
    high: bool,
) -> Result<Vec<OtherCall>, ImageError> {
    let chance = Chance::new(tokens).with("other pictures", seed);
    let call = |(name, image): (String, Image)| {
        let poison = chance.number(&name);
        let job = call::job(task.name(), task.arguments(&image), image.pixels() as u64, poison);
        OtherCall { name, image, job }
    };
    Ok(pictures::others(case, chance, high)?.into_iter().map(call).collect())
}

/// The runs of these calls on the simulator.
pub(super) fn others(
    task: &dyn Task,
    case: &Case,
    program: &Program,
    student: &Simulation,
    seed: u64,
    high: bool,
) -> Result<Vec<Other>, PredictError> {
    let run = |OtherCall { name, image, job }| {
        let outcome = student.run(program, &job, Checks::NONE)?;
        Ok(Other { name, image, outcome })
    };
    other_calls(task, case, student.tokens, seed, high)?.into_iter().map(run).collect()
}
