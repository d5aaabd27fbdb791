//! The search for a small change of the text that makes a wrong task right: where the cause of a wrong output is one slip, this finds its line
//! without a rule for it. What is found was tried: every case is right with the change.
//!
//! Many versions of the file are compiled together (see [`kernels::versions_unit`]) and run on the smallest wrong picture. One that is right
//! there is run on the other small pictures, then compiled alone and verified as a submission is.

mod declared;
mod edits;
mod tokens;
mod unit;
mod verified;

use kernels::Side;
use lab::Task;
use rayon::prelude::*;
use runtime::finding::Finding;
use serde::Serialize;
use simulator::model::Gpu;

use self::edits::Edit;
use self::unit::{Given, Hosts, Kernels, Launches, Trial, Unit, Version};
use self::verified::Known;
use crate::build::Remembered;
use crate::call;
use crate::exit::Stop;
use crate::facts::Facts;
use crate::report;
use crate::rounding;
use crate::setup::Setup;
use crate::submission::Submission;
use crate::text::code::code;

/// What the step of a search is called, behind its task.
pub const TRYING: &str = "trying small changes";
/// Changes of each side that are tried for a task, and bytes of PTX after which no more are for any: of long kernels, a version takes many times as long.
const MOST: usize = 576;
const BYTES: usize = 12 << 20;
/// Warp instructions of all versions after which no more are tried: some seconds.
const INSTRUCTIONS: u64 = 80_000_000;
/// Versions that are compiled together, and compilations at once where all changes are on one side.
const TOGETHER: usize = 24;
const AT_ONCE: usize = 4;
/// The number of the unchanged file among the versions.
const UNCHANGED: usize = TOGETHER * AT_ONCE;
/// Pixels of the pictures on which versions are run: of most tasks about half of the cases.
const PIXELS: usize = 5_000;
/// A task is wrong for much more than a few threads if more than one in so many values of a case is wrong.
const MUCH: usize = 4;
/// Versions that are verified as a submission is.
const VERIFIED: usize = 3;

/// A change that makes a task right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Repair {
    /// The line that changes, from 1.
    pub line: u32,
    /// What was tried, in words.
    pub told: String,
}

impl Repair {
    /// What to do about it.
    pub fn hint(&self) -> String {
        // A change that leaves a statement out has no other line to compare with.
        if self.told.starts_with("without `") {
            return format!("line {} is too many: work out what it does", self.line);
        }
        format!(
            "compare line {} with the one that was tried, and work out what the difference does",
            self.line
        )
    }
}

/// The searches for the tasks of one file, one after the other: all of them together may take as much as one alone.
#[derive(Debug, Default)]
pub struct Searches {
    spent: Spent,
    /// Lines that made a task before right, from 1, as they are and with the change: tasks may have them in common.
    found: Vec<Vec<(u32, String, String)>>,
}

impl Searches {
    /// A change of this text that made another task right.
    fn known(&self, text: &str) -> impl Iterator<Item = Edit> {
        let lines: Vec<&str> = text.lines().collect();
        self.found.iter().filter_map(move |changed| {
            let (first, last) = (changed.first()?.0 as usize, changed.last()?.0 as usize);
            let mut own: Vec<&str> = lines.get(first - 1..last)?.to_vec();
            let start = own.first()?.as_ptr() as usize - text.as_ptr() as usize;
            let place = start..own.last()?.as_ptr() as usize - text.as_ptr() as usize + own.last()?.len();
            for (line, before, after) in changed {
                let own = &mut own[*line as usize - first];
                if *own != before {
                    return None;
                }
                *own = after;
            }
            Some(Edit::known(place, own.join("\n")))
        })
    }
}

/// Searches for a change of the file that makes a task right. `cases` are its verdicts, `findings` those of the unchanged file, and `facts`
/// what was seen of its outputs; `others` are tasks that are right, and have to stay so.
///
/// # Errors
/// The machine's, and those of the reference; never the student's.
pub fn search(
    setup: &Setup,
    submission: &Submission,
    (task, seed): (&dyn Task, u64),
    (cases, findings, facts): (&[report::Case], &[Finding], &Facts),
    others: &[&dyn Task],
    searches: &mut Searches,
    progress: &mut dyn FnMut(&str),
) -> Result<Option<Repair>, Stop> {
    if searches.spent.is_enough() {
        return Ok(None);
    }
    let trials = small(task, cases, seed)?;
    if !trials.iter().any(Trial::is_wrong) {
        return Ok(None);
    }
    let text = tokens::alone(&submission.text, task.name());
    let compiler = Remembered { memory: None, ..setup.submissions() };
    let search = Search::begin(setup, compiler, (task, seed), &text, trials)?;
    let Some(mut search) = search else { return Ok(None) };
    let errors: Vec<&Finding> =
        findings.iter().filter(|finding| finding.is_error() && finding.is_of(task.name())).collect();
    // Of a call that an error has ended nothing was compared.
    search.much_is_wrong = !errors.is_empty() || cases.iter().any(|case| case.wrong * MUCH > case.total);
    let known = Known { submission, findings, stored: &facts.stored, others };
    for edit in searches.known(&text).collect::<Vec<_>>() {
        let right = search.right(std::slice::from_ref(&edit), &mut searches.spent)?;
        let verified = if right.is_empty() { None } else { search.verified(setup, &known, &edit)? };
        if let Some(cases) = verified {
            return Ok(Some(told(&text, &edit, cases)));
        }
    }
    let named = errors.into_iter().flat_map(|finding| {
        let labels = finding.labels.iter().filter(|label| label.file == finding.file);
        finding.line.into_iter().chain(labels.map(|label| label.line))
    });
    let trusted = facts.trusted(&submission.text);
    let mut edits = edits::edits(&text, task.name(), &trusted, &named.collect());
    if rounding::is_hint(&facts.hint) {
        edits.retain(|edit| edit.is_of_values(&text));
    }
    // A change of the host function alone is compiled without the kernels, and hardly takes time.
    let (of_host, others): (Vec<Edit>, Vec<Edit>) =
        edits.into_iter().partition(|edit| edit.side == Side::Host);
    let sides = [others, of_host].map(|edits| edits.into_iter().take(MOST).collect::<Vec<_>>());
    let [all, rounds] = [sides.iter().map(Vec::len).sum::<usize>(), MOST.div_ceil(UNCHANGED)];
    let (mut tried, mut verified) = (0, 0);
    for round in 0..rounds {
        progress(&format!("{}: {TRYING}, {tried} of {all}", task.name()));
        let mut right = Vec::new();
        for some in sides.iter().filter_map(|edits| edits.chunks(UNCHANGED).nth(round)) {
            tried += some.len();
            right.extend(search.right(some, &mut searches.spent)?);
        }
        right.sort_by_key(|edit| edit.rank);
        for edit in right {
            if verified == VERIFIED {
                return Ok(None);
            }
            verified += 1;
            if let Some(cases) = search.verified(setup, &known, edit)? {
                searches.found.push(differing(&text, &edit.applied(&text)));
                return Ok(Some(told(&text, edit, cases)));
            }
        }
        if searches.spent.is_enough() {
            break;
        }
    }
    Ok(None)
}

/// What the versions so far have taken.
#[derive(Debug, Clone, Copy, Default)]
struct Spent {
    /// Bytes of PTX.
    bytes: usize,
    /// Warp instructions.
    instructions: u64,
}

impl Spent {
    fn is_enough(self) -> bool {
        self.bytes > BYTES || self.instructions > INSTRUCTIONS
    }
}

/// What all versions of a file have in common.
struct Search<'a> {
    compiler: Remembered<'a>,
    gpu: &'static Gpu,
    task: &'a dyn Task,
    seed: u64,
    text: &'a str,
    /// What versions share whose kernels alone differ, and whose host functions alone do.
    hosts: Hosts,
    kernels: Option<Kernels>,
    /// The pictures to run versions on, with the limit of warp instructions. The wrong one that takes least comes first: most versions are
    /// wrong there, and run on no other.
    trials: Vec<(Trial, u64)>,
    /// What the unchanged file launches on all pictures.
    launches: Launches,
    /// Whether a good part of the values of a case is wrong.
    much_is_wrong: bool,
}

impl<'a> Search<'a> {
    /// Compiles and runs the unchanged file. `None` if it cannot be, or is right on every picture here.
    fn begin(
        setup: &Setup,
        compiler: Remembered<'a>,
        (task, seed): (&'a dyn Task, u64),
        text: &'a str,
        all: Vec<Trial>,
    ) -> Result<Option<Self>, Stop> {
        let gpu = setup.simulated_gpu();
        let Some(hosts) = Hosts::new(&compiler, task, (UNCHANGED, text)) else { return Ok(None) };
        let own = [(UNCHANGED, text.to_owned())];
        let Some(unchanged) = Unit::all(&compiler, task, &own, Given::Hosts(&hosts), gpu).pop() else {
            return Ok(None);
        };
        let kernels = unchanged.kernels(UNCHANGED);
        let (mut trials, mut left) = (Vec::new(), unit::MOST);
        for trial in all {
            let limit = unchanged.limit(task, UNCHANGED, (&trial, seed), &mut left)?;
            if left == 0 {
                return Ok(None);
            }
            trials.extend(limit.map(|limit| (trial, limit)));
        }
        trials.sort_by_key(|(trial, limit)| (!trial.is_wrong(), *limit));
        if trials.first().is_none_or(|(trial, _)| !trial.is_wrong()) {
            return Ok(None);
        }
        let mut search = Self {
            compiler,
            gpu,
            task,
            seed,
            text,
            hosts,
            kernels,
            trials,
            launches: Launches::default(),
            much_is_wrong: true,
        };
        search.launches = search.launches_of(&unchanged, UNCHANGED);
        Ok(Some(search))
    }

    /// Those of some changes that are right on all pictures, in their order.
    fn right<'e>(&self, edits: &'e [Edit], spent: &mut Spent) -> Result<Vec<&'e Edit>, Stop> {
        let mut right = Vec::new();
        for unit in self.compiled(edits) {
            let judge = |version: &usize| self.judge(&unit, *version);
            let judged: Vec<(bool, u64)> =
                unit.versions.par_iter().map(judge).collect::<Result<_, Stop>>()?;
            spent.bytes += unit.bytes;
            spent.instructions += judged.iter().map(|(_, took)| took).sum::<u64>();
            let versions = unit.versions.iter().zip(judged).filter(|(_, (is_right, _))| *is_right);
            // Fewer threads may only hide a mistake, and so may another kernel than the wrong one, an array that is laid over
            // another, or so many threads that they do by chance the few things that a mistake leaves out.
            let is_whole = |version: &usize| {
                edits[*version].side == Side::Gpu || {
                    let own = self.launches_of(&unit, *version);
                    // Without a `return`, another kernel would do all of it again.
                    let repeats = edits[*version].with == ";" && own.times() > self.launches.times();
                    2 * own.threads >= self.launches.threads
                        && (self.much_is_wrong || own.threads <= 2 * self.launches.threads)
                        && own.neighbours <= self.launches.neighbours
                        && own.has_all_of(&self.launches)
                        && !repeats
                }
            };
            right.extend(versions.map(|(version, _)| *version).filter(is_whole));
        }
        right.sort_unstable();
        Ok(right.into_iter().map(|version| &edits[version]).collect())
    }

    /// The versions of some changes, compiled; they share what is the same in all.
    fn compiled(&self, edits: &[Edit]) -> Vec<Unit> {
        let of = |side: Side| -> Vec<Version> {
            let own = edits.iter().enumerate().filter(|(_, edit)| edit.side == side);
            own.map(|(number, edit)| (number, edit.applied(self.text))).collect()
        };
        let [gpu, host, either] = [of(Side::Gpu), of(Side::Host), of(Side::Either)];
        let kernels = self.kernels.as_ref().map_or(Given::Nothing, Given::Kernels);
        let groups = [(&gpu, Given::Hosts(&self.hosts)), (&host, kernels), (&either, Given::Nothing)]
            .into_iter()
            .flat_map(|(versions, given)| versions.chunks(TOGETHER).map(move |some| (some, given)));
        let compile = |(versions, given)| Unit::all(&self.compiler, self.task, versions, given, self.gpu);
        std::thread::scope(|scope| {
            let started: Vec<_> = groups.map(|group| scope.spawn(move || compile(group))).collect();
            let join = |units: std::thread::ScopedJoinHandle<'_, Vec<Unit>>| {
                units.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            started.into_iter().flat_map(join).collect()
        })
    }

    /// Whether a version is right on all pictures, each within its limit; and the warp instructions that it took.
    fn judge(&self, unit: &Unit, version: usize) -> Result<(bool, u64), Stop> {
        let mut all = 0;
        for (trial, most) in &self.trials {
            let (is_right, took) = unit.is_right(self.task, version, (trial, self.seed), *most)?;
            all += took;
            if !is_right {
                return Ok((false, all));
            }
        }
        Ok((true, all))
    }

    fn launches_of(&self, unit: &Unit, version: usize) -> Launches {
        let mut all = Launches::default();
        for (trial, _) in &self.trials {
            let Launches { threads, kernels, neighbours } =
                unit.launches(self.task, version, (trial, self.seed));
            all.threads = all.threads.max(threads);
            for (kernel, times) in kernels {
                *all.kernels.entry(kernel).or_default() += times;
            }
            all.neighbours += neighbours;
        }
        all
    }
}

/// The cases with small pictures, also those that did not run after an error.
fn small(task: &dyn Task, cases: &[report::Case], seed: u64) -> Result<Vec<Trial>, Stop> {
    let mut found = Vec::new();
    for case in task.cases() {
        let judged = cases.iter().find(|judged| judged.name == case.name);
        let Some(judged) = judged.filter(|judged| judged.width * judged.height <= PIXELS) else { continue };
        found.push(Trial {
            name: case.name.clone(),
            image: call::image(&case, seed)?,
            verdict: judged.verdict,
        });
    }
    Ok(found)
}

/// The lines that differ, from 1, before and after.
fn differing(source: &str, changed: &str) -> Vec<(u32, String, String)> {
    let numbered = (1u32..).zip(source.lines().zip(changed.lines()));
    let differ = numbered.filter(|(_, (before, after))| before != after);
    differ.map(|(line, (before, after))| (line, before.to_owned(), after.to_owned())).collect()
}

/// The change in words.
fn told(source: &str, edit: &Edit, cases: usize) -> Repair {
    let differing = differing(source, &edit.applied(source));
    let differing: Vec<(u32, &str, &str)> = differing
        .iter()
        .map(|(line, before, after)| (*line, code(before).trim(), code(after).trim()))
        .collect();
    let line = differing.first().map_or(0, |(line, ..)| *line);
    let what = match differing.as_slice() {
        [(line, before, _)] if edit.with == ";" => format!("without `{before}` in line {line}"),
        [(line, before, after), (next, other, _)] if before != after && edit.is_swap => {
            format!("with `{other}` before `{before}` (lines {line} and {next})")
        }
        [(line, _, after)] => format!("with `{after}` in line {line}"),
        lines => {
            let each = lines.iter().map(|(line, _, after)| format!("`{after}` in line {line}"));
            format!("with {}", each.collect::<Vec<_>>().join(" and "))
        }
    };
    Repair { line, told: format!("{what}, all {cases} cases are right") }
}
