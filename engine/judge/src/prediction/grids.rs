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
/// The same of a step that suits one launch: half of a sample's rows, at most.
const MOST_STEP_ALONE: usize = 256;

/// Launches below which a picture is not cut into many parts, and heights of samples that are tried for as many parts as the whole has.
pub(super) const FEWEST_PARTS: usize = 6;
const MOST_HEIGHTS: usize = 12;

/// The part of the evenness of the whole's grids that those of a sample need.
const AS_EVEN: f64 = 0.7;

/// The smallest of these grids, as a part of the largest.
fn evenness(grids: &[[u32; 3]]) -> f64 {
    let all = || grids.iter().map(|grid| blocks(*grid));
    all().fold(f64::INFINITY, f64::min) / all().fold(1.0, f64::max)
}

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
        let most = if all == 1 { MOST_STEP_ALONE } else { MOST_STEP };
        if both <= most { both } else { all }
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
            // Blocks for a border may be more at heights of their own: the rows of blocks, where the grid has some, tell the step better.
            let by_y = rows_of_a_step(rows, |rows| self.rows_of_blocks_on(rows, launch))?;
            let step = if by_y.is_some() {
                by_y
            } else {
                rows_of_a_step(rows, |rows| self.blocks_on(rows, launch))?
            };
            steps.extend(step);
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
        let smaller = self.grids_on(less)?.map_or(sample.launches(), |launches| launches.len());
        let alike = [other.launches(), smaller] == [sample.launches(); 2] && !other.ran.outcome.has_error();
        Ok(if alike { other } else { sample })
    }

    /// Samples that come to as many launches as the whole picture, where this one or the smaller one has other ones: of a picture that is
    /// cut into parts of `ceil_div(height, parts)` rows, a low one may have fewer parts.
    pub(super) fn of_all_parts(&self, sample: Sample) -> Result<Sample, PredictError> {
        let ([less, rows, all], own) = (sample.rows(), sample.launches());
        if rows >= all || own < FEWEST_PARTS || sample.ran.outcome.has_error() {
            return Ok(sample);
        }
        let Some(whole) = self.grids_on(all)? else { return Ok(sample) };
        let is_alike =
            |grids: &Option<Vec<[u32; 3]>>| grids.as_ref().is_some_and(|grids| grids.len() == whole.len());
        if own > whole.len() || whole.len() > 2 * own || own == whole.len() && is_alike(&self.grids_on(less)?)
        {
            return Ok(sample);
        }
        let (mut alike, mut even) = (Vec::new(), Vec::new());
        for height in (rows..all).step_by(pictures::ROWS).take(MOST_HEIGHTS) {
            let grids = self.grids_on(height)?.filter(|grids| grids.len() == whole.len());
            let Some(grids) = grids else { continue };
            alike.push(height);
            if evenness(&grids) >= AS_EVEN * evenness(&whole) {
                even.push(height);
            }
            if even.len() == 2 {
                break;
            }
        }
        // The last part may have fewer rows than the others: in samples as much fewer as in the whole, if there are such.
        let heights = if even.len() == 2 { even } else { alike };
        let [less, rows, ..] = heights[..] else { return Ok(sample) };
        let image = pictures::rows_of(self.case, rows, self.seed)?;
        let ran = self.run(&image, Vec::new())?;
        let other = Sample { image, height: sample.height, less, ran };
        let is_whole = other.launches() == whole.len() && !other.ran.outcome.has_error();
        Ok(if is_whole { other } else { sample })
    }

    /// The blocks of a launch on so many rows, if the host function comes to it.
    pub(super) fn blocks_on(&self, rows: usize, launch: usize) -> Result<Option<f64>, PredictError> {
        Ok(self.grids_on(rows)?.and_then(|launches| launches.get(launch).map(|grid| blocks(*grid))))
    }

    /// The rows of blocks of a launch on so many rows.
    fn rows_of_blocks_on(&self, rows: usize, launch: usize) -> Result<Option<f64>, PredictError> {
        Ok(self.grids_on(rows)?.and_then(|launches| launches.get(launch).map(|grid| f64::from(grid[1]))))
    }

    /// The grid of each launch on so many rows, if the host function comes to its end.
    fn grids_on(&self, rows: usize) -> Result<Option<Vec<[u32; 3]>>, PredictError> {
        if let Some(known) = self.dry_runs.0.borrow().get(&rows) {
            return Ok(known.clone());
        }
        if self.dry_runs.0.borrow().len() >= MOST {
            return Ok(None);
        }
        let width = pictures::rows_of(self.case, 1, self.seed)?.width;
        let job = self.job(&pictures::plain(width, rows, pictures::ANY_LEVEL)?);
        let mut engine = self.student.engine_for(&job, Checks::COUNT).dry(Vec::new());
        let prepared = Prepared::new(&mut engine, &job).map_err(Failure::from)?;
        let called = self.called(&mut engine, &prepared, false)?;
        let grids = called.map(|tried| {
            tried.launches.iter().map(|launched| launched.kernel.grid).collect::<Vec<[u32; 3]>>()
        });
        self.dry_runs.0.borrow_mut().insert(rows, grids.clone());
        Ok(grids)
    }
}

#[cfg(test)]
mod tests {
    use super::{common, evenness};

    #[test]
    fn the_last_part_of_a_picture_makes_grids_uneven() {
        assert!((evenness(&[[60, 1, 1], [60, 1, 1], [3, 10, 1]]) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn the_kernel_that_does_the_work_says_where_samples_end() {
        assert_eq!(common(&[60, 51]), 60, "a border beside it");
        assert_eq!(common(&[60, 15, 51]), 60);
        assert_eq!(common(&[300, 12, 8]), 24, "too many rows for a sample");
        assert_eq!(common(&[200, 12, 8]), 200, "the first one alone may have more");
        assert_eq!(common(&[]), 1);
    }
}
