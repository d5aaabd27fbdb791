//! Runs on other pictures than the sample: what is right there must be right everywhere.

use lab::{Case, Image, ImageError, Task};
use simulator::Checks;
use simulator::model::Gpu;

use super::error::PredictError;
use super::pictures::{self, Tall};
use super::suspicion::Suspect;
use crate::call;
use crate::chance::Chance;
use runtime::job::{Job, Outcome, Program};
use runtime::simulation::{Simulation, Took};

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

/// A call on a picture of full size whose pixels have one level: counters that are too small overflow there first. `None` if the
/// picture is small anyway.
pub(crate) fn one_level_call(
    task: &dyn Task,
    case: &Case,
    seed: u64,
) -> Result<Option<OtherCall>, ImageError> {
    let Some((width, height)) = pictures::size(&case.picture) else { return Ok(None) };
    let image = pictures::plain(width, height, pictures::ANY_LEVEL)?;
    let job = call::job(task.name(), task.arguments(&image), image.pixels() as u64, seed);
    Ok(Some(OtherCall { name: format!("{width}x{height}, 1 level"), image, job }))
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

/// Whether a call stopped at a limit, which tells nothing about the file.
pub(super) fn is_limited(outcome: &Outcome, gpu: &Gpu) -> bool {
    // Before compute capability 3.0 a grid had 65,535 blocks a dimension: a file written for a newer GPU is not wrong for that.
    let small_grids = gpu.capability < 30;
    let errors = outcome.findings.iter().filter(|finding| finding.is_error());
    errors.into_iter().any(|finding| {
        matches!(finding.code.as_str(), "W0504" | "W0520") || small_grids && finding.code == "W0502"
    })
}

/// The run on a picture of full size, and its instructions, if it comes to its end with so many instructions.
pub(super) fn in_full(
    task: &dyn Task,
    case: &Case,
    program: &Program,
    student: &Simulation,
    (height, seed): (usize, u64),
    (suspect, allowed): (Suspect, u64),
) -> Result<Option<(Other, Took)>, PredictError> {
    let chance = Chance::new(student.tokens).with(case.name.as_str(), seed);
    let call = match suspect {
        Suspect::OneLevel => one_level_call(task, case, seed)?,
        Suspect::TimedPicture => {
            let image = Tall::new(task, case, height, chance)?.image();
            let name = format!("{}, all of it", case.name);
            let poison = chance.number(&name);
            let job = call::job(task.name(), task.arguments(&image), image.pixels() as u64, poison);
            Some(OtherCall { name, image, job })
        }
    };
    let Some(OtherCall { name, image, job }) = call else { return Ok(None) };
    let (outcome, took) = student.run_in_full(program, &job, allowed)?;
    Ok((!is_limited(&outcome, student.gpu)).then_some((Other { name, image, outcome }, took)))
}
