//! Runs on other pictures than the sample: what is right there must be right everywhere.

use lab::{Case, Image, Task};
use simulator::Checks;

use super::pictures;
use super::predicted::PredictError;
use super::suspicion::Suspect;
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

/// The run on a picture of full size, if it comes to its end with the instructions that a call may take there: a limit tells
/// nothing about the file.
pub(super) fn in_full(
    task: &dyn Task,
    case: &Case,
    program: &Program,
    student: &Simulation,
    (height, seed): (usize, u64),
    suspect: Suspect,
) -> Result<Option<Other>, PredictError> {
    let chance = Chance::new(student.tokens).with(case.name.as_str(), seed);
    let as_timed = pictures::full(case, height, chance)?;
    let (name, image) = match suspect {
        Suspect::TimedPicture => (format!("{}, all of it", case.name), as_timed),
        Suspect::OneLevel => {
            (format!("{}x{height}, 1 level", as_timed.width), pictures::plain(as_timed.width, height)?)
        }
    };
    let job = call::job(task.name(), task.arguments(&image), image.pixels() as u64, chance.number(&name));
    let outcome = student.run_in_full(program, &job)?;
    let limited = outcome.findings.iter().any(|finding| finding.is_error() && finding.code == "W0504");
    Ok((!limited).then_some(Other { name, image, outcome }))
}
