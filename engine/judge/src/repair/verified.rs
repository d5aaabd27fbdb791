//! Whether a change that is right on small pictures may be told: the file is verified with it as a submission is, and nothing else may have
//! become wrong or been left out.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use kernels::Side;
use lab::{Case, Picture, Task};
use runtime::finding::{Finding, Severity};

use super::edits::Edit;
use super::unit::Trial;
use super::{Search, differing, tokens};
use crate::build::{self, Build};
use crate::call;
use crate::exit::Stop;
use crate::performance;
use crate::report::{self, Verdict};
use crate::setup::Setup;
use crate::submission::Submission;
use crate::text::code::line_at;
use crate::verify::{self, Runner, Verified};

/// One in this many values may be one level off where the task allows it: more are a sign of another rounding.
const ROUNDED: usize = 50;
/// The narrow side of pictures of all heights and widths, and their other side: every remainder of a strip of 64.
const NARROW: usize = 9;
const STRIPS: RangeInclusive<usize> = 5..=68;
/// The finding on elements that several threads store.
const STORED_TWICE: &str = "W0306";
/// Larger pictures on which it is looked which lines still store.
const WITNESSED: usize = 3;

/// What is known of the unchanged file.
pub struct Known<'a> {
    /// The file.
    pub submission: &'a Submission,
    /// Its findings.
    pub findings: &'a [Finding],
    /// Lines that stored wrong elements of the task.
    pub stored: &'a [u32],
    /// Tasks that are right, and have to stay so.
    pub others: &'a [&'a dyn Task],
}

impl Search<'_> {
    /// The number of cases, if the file is right in all of them and on the timed picture with a change, as a submission has to be, and earns no new
    /// warning, nor stores elements several times: such a change only hides a mistake.
    ///
    /// # Errors
    /// The machine's, and the reference's.
    pub fn verified(&self, setup: &Setup, known: &Known<'_>, edit: &Edit) -> Result<Option<usize>, Stop> {
        let Some(build) = self.built(setup, known, edit.applied(self.text), self.task) else {
            return Ok(None);
        };
        let mut findings = Vec::new();
        let verified = self.run(&build, self.task, &self.task.cases(), &mut findings)?;
        let is_new = |finding: &Finding| {
            let twice = finding.code == STORED_TWICE;
            let same =
                |known: &&Finding| known.code == finding.code && (!twice || known.line == finding.line);
            (finding.severity >= Severity::Warning || twice)
                && !known.findings.iter().any(|known| same(&known))
        };
        let sum = |of: fn(&report::Case) -> usize| verified.cases.iter().map(of).sum::<usize>();
        let (differing, total) = (sum(|case| case.differing), sum(|case| case.total));
        let is_clean = !findings.iter().any(is_new) && differing * ROUNDED <= total;
        let is_right = verified.right && is_clean && self.still_runs(&build, known.stored, edit);
        let fits = is_right && self.fits(&build, edit)?;
        let spares = fits && self.spares(setup, known, edit)? && self.is_timed(setup, &build);
        Ok(spares.then_some(verified.cases.len()))
    }

    /// The file with another text, for one task. `None` if it does not compile, or lacks the task.
    fn built(&self, setup: &Setup, known: &Known<'_>, text: String, task: &dyn Task) -> Option<Build> {
        let changed = Submission { text, untouched: false, ..known.submission.clone() };
        let built = build::build(&self.compiler, &changed, &[task], setup.targets);
        built.ok().filter(|build| build.missing.is_empty())
    }

    /// The verdicts on the cases of a task.
    fn run(
        &self,
        build: &Build,
        task: &dyn Task,
        cases: &[Case],
        findings: &mut Vec<Finding>,
    ) -> Result<Verified, Stop> {
        let simulation = build.simulation(self.gpu);
        let mut runner = Runner { program: &build.program, simulation: &simulation, gpu: None };
        verify::verify(task, cases, &mut runner, self.seed, None, findings, &mut |_| {})
    }

    /// Whether pictures of all heights and widths up to a few strips are right: a grid that is one too large or too small for a few of them
    /// passes the cases.
    fn fits(&self, build: &Build, edit: &Edit) -> Result<bool, Stop> {
        if edit.side == Side::Gpu {
            return Ok(true);
        }
        let sizes = STRIPS.map(|side| (NARROW, side)).chain(STRIPS.map(|side| (side, NARROW)));
        let case = |(width, height)| {
            Case::new(format!("{width}x{height}"), Picture::Noise { width, height, colours: 256 })
        };
        Ok(self.run(build, self.task, &sizes.map(case).collect::<Vec<_>>(), &mut Vec::new())?.right)
    }

    /// Whether the timed picture, and pictures as high and as wide as it, are right: a grid that does for small pictures may be too small for
    /// them, or not valid. A prediction that fails shows no right file.
    fn is_timed(&self, setup: &Setup, build: &Build) -> bool {
        let simulation = build.simulation(self.gpu);
        let mut runner = Runner { program: &build.program, simulation: &simulation, gpu: None };
        let timed = performance::time(self.task, &self.task.timed_case(), setup, &mut runner, self.seed).ok();
        timed.is_some_and(|timed| {
            timed.case.verdict == Verdict::Passed && !timed.findings.iter().any(Finding::is_error)
        })
    }

    /// Whether other tasks that share the changed lines, and are right, stay so.
    fn spares(&self, setup: &Setup, known: &Known<'_>, edit: &Edit) -> Result<bool, Stop> {
        let text = &known.submission.text;
        let differing = differing(self.text, &edit.applied(self.text));
        let mut lines: Vec<&str> = text.lines().collect();
        for (line, _, after) in &differing {
            lines[*line as usize - 1] = after;
        }
        let changed = lines.join("\n");
        let shares = |other: &&&dyn Task| {
            tokens::reached(text, other.name()).iter().any(|function| {
                let lines = line_at(text, function.place[0].start)..=line_at(text, function.place[1].end);
                differing.iter().any(|(line, ..)| lines.contains(line))
            })
        };
        for other in known.others.iter().filter(shares) {
            let Some(build) = self.built(setup, known, changed.clone(), *other) else { return Ok(false) };
            if !self.run(&build, *other, &other.cases(), &mut Vec::new())?.right {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the lines that stored wrong elements still store, but for those that change: a change that only goes round them hides the mistake.
    fn still_runs(&self, build: &Build, stored: &[u32], edit: &Edit) -> bool {
        let [first, last] = [edit.place.start, edit.place.end].map(|at| line_at(self.text, at));
        let is_changed = |line: &u32| (first..=last).contains(line);
        let mut left: BTreeSet<u32> = stored.iter().copied().filter(|line| !is_changed(line)).collect();
        let simulation = build.simulation(self.gpu);
        // The first is wrong without the change, and the last ones took the most instructions.
        let (first, others) = self.trials.split_at(self.trials.len().min(1));
        for (Trial { image, .. }, _) in first.iter().chain(others.iter().rev().take(WITNESSED)) {
            if left.is_empty() {
                break;
            }
            let job =
                call::job(self.task.name(), self.task.arguments(image), image.pixels() as u64, self.seed);
            let witness = simulation.witness(&build.program, &job);
            let touches =
                witness.iter().flat_map(|witness| &witness.buffers).flat_map(|buffer| &buffer.bytes);
            for line in touches.filter_map(|touches| Some(touches.last?.line)) {
                left.remove(&line);
            }
        }
        left.is_empty()
    }
}
