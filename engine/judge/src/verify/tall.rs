//! A picture with more rows than a grid can have blocks along y or z: only the host function runs there, and no kernel. The labs have
//! no such picture (a texture has at most 65,000 rows), and one row of blocks per row of pixels is a habit of many: so it is
//! a warning, and no case.

use lab::{Case, Task};

use super::another::resized;
use super::runner::Runner;
use crate::call;
use crate::exit::Stop;
use runtime::finding::{Finding, Severity};

/// Columns and rows.
const SIZE: (usize, usize) = (2, 70_001);

/// What to say of a launch that asks for too many blocks on such a picture; `None` if none does.
pub fn refused(
    task: &dyn Task,
    case: &Case,
    runner: &Runner<'_>,
    seed: u64,
) -> Result<Option<Finding>, Stop> {
    let image = resized(&call::image(case, seed)?, SIZE);
    let job = call::job(task.name(), task.arguments(&image), image.pixels() as u64, seed);
    let found = runner.dry(&job, Vec::new())?.map(|dry| dry.findings).unwrap_or_default();
    let refused = found.into_iter().find(asks_for_too_many);
    Ok(refused.map(|finding| Finding {
        severity: Severity::Warning,
        message: format!("on a picture of 70,001 rows, {}", finding.message),
        ..finding
    }))
}

/// Not a launch of no blocks: the number may come from a kernel, which did not run.
fn asks_for_too_many(finding: &Finding) -> bool {
    finding.code == "W0502" && finding.message.contains("accepts at most")
}
