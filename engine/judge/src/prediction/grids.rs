//! The grids of a call's launches on pictures of other heights, from the host function alone, and samples that suit them.

use simulator::Checks;

use super::call::Call;
use super::error::PredictError;
use super::pictures;
use super::ran::Sample;
use super::rows::{in_step, rows_of_a_step};
use super::steps::blocks;
use runtime::job::{Failure, Prepared};

/// Dry runs of one prediction: each may take a second.
const MOST: usize = 96;
/// Launches whose rows of blocks are looked at, and the most rows that a step of all of them may have.
const MOST_IN_STEP: usize = 8;
const MOST_STEP: usize = 160;

/// The least common multiple.
fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x.max(1) * b
}

/// The rows that suit the first of these steps, and as many of the others as may be: a border whose blocks are rows of pixels in a line
/// must not hinder the kernel that does the work.
fn common(steps: &[usize]) -> usize {
    steps.iter().fold(1, |all, step| {
        let both = lcm(all, *step);
        if both <= MOST_STEP { both } else { all }
    })
}

impl Call<'_> {
    /// A sample that ends as the whole picture does, where blocks have several rows each: else part of the last ones has no rows, and what
    /// they do there would be taken to the whole.
    pub(super) fn in_step(&self, sample: Sample) -> Result<Sample, PredictError> {
        let [less, rows, all] = sample.rows();
        if rows >= all || sample.ran.outcome.has_error() {
            return Ok(sample);
        }
        let mut steps = Vec::new();
        for launch in sample.longest_first().into_iter().take(MOST_IN_STEP) {
            steps.extend(rows_of_a_step(rows, |rows| self.blocks_on(rows, launch))?);
        }
        let step = common(&steps);
        let is_in_step = [less, rows].iter().all(|rows| rows % step == all % step);
        if is_in_step {
            return Ok(sample);
        }
        let [less, rows] = in_step(step, all, [less, rows - less]);
        if rows >= all {
            return Ok(sample);
        }
        let image = pictures::rows_of(self.case, rows, self.seed)?;
        let ran = self.run(&image, Vec::new())?;
        let other = Sample { image, height: sample.height, less, ran };
        let alike = other.launches() == sample.launches() && !other.ran.outcome.has_error();
        Ok(if alike { other } else { sample })
    }

    /// The blocks of a launch on so many rows, if the host function comes to it.
    pub(super) fn blocks_on(&self, rows: usize, launch: usize) -> Result<Option<f64>, PredictError> {
        if let Some(known) = self.dry_runs.0.borrow().get(&rows) {
            return Ok(known.as_ref().and_then(|launches| launches.get(launch).copied()));
        }
        if self.dry_runs.0.borrow().len() >= MOST {
            return Ok(None);
        }
        let width = pictures::rows_of(self.case, 1, self.seed)?.width;
        let job = self.job(&pictures::plain(width, rows)?);
        let mut engine = self.student.engine_for(&job, Checks::COUNT).dry(Vec::new());
        let prepared = Prepared::new(&mut engine, &job).map_err(Failure::from)?;
        let called = self.called(&mut engine, &prepared, false)?;
        let grids = called.map(|tried| {
            tried.launches.iter().map(|launched| blocks(launched.kernel.grid)).collect::<Vec<f64>>()
        });
        let found = grids.as_ref().and_then(|launches| launches.get(launch).copied());
        self.dry_runs.0.borrow_mut().insert(rows, grids);
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::common;

    #[test]
    fn the_kernel_that_does_the_work_says_where_samples_end() {
        assert_eq!(common(&[60, 51]), 60, "a border beside it");
        assert_eq!(common(&[60, 15, 51]), 60);
        assert_eq!(common(&[200, 12, 8]), 24, "too many rows for a sample");
        assert_eq!(common(&[]), 1);
    }
}
