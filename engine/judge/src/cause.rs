//! The cause of wrong outputs: they are compared with the outputs of known mistakes.
//!
//! A mistake is named only if it explains the whole task. In every failed case its outputs equal the student's, except
//! for a fiftieth of the wrong elements; in every passed case its outputs are right. If mistakes with different names
//! remain, none is named.

use lab::{
    COVERAGE, Case, GEOMETRY, Image, Mistake, OutputShape, Parameters, Situation, Task, Tolerance, VALUES,
    WORDS,
};
use serde::Serialize;

use crate::blanks;
use crate::call;
use crate::exit::Stop;
use runtime::poison::pattern;

/// One in this many wrong elements may be unexplained.
const UNEXPLAINED: usize = 50;

/// Bytes that are compared at once before their elements are looked at; a multiple of the size of every element.
const STRETCH: usize = 1 << 12;

/// Members of a family that are shown if several fit.
const SHOWN: usize = 3;

/// A named cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cause {
    /// Stable name, such as `truncated`.
    pub name: String,
    /// The mistake in words.
    pub message: String,
    /// What to try.
    pub hint: String,
    /// Wrong elements that it explains, in all failed cases.
    pub explained: usize,
    /// Wrong elements of all failed cases.
    pub wrong: usize,
    /// Whether the kernels to write are still empty.
    #[serde(skip)]
    pub not_started: bool,
}

/// The causes of outputs that still hold what they held before.
pub const NOTHING_WRITTEN: [&str; 2] = ["never_written", "nothing_done"];

/// The hint for outputs in host memory, which no kernel can write.
const IN_HOST_MEMORY: &str = "let kernels write to memory from `cudaMalloc`, and copy the result with \
                              `cudaMemcpy(…, cudaMemcpyDeviceToHost)` at the end: this output is host memory";

/// The bytes of each output of each call.
pub type Rounds = Vec<Vec<Vec<u8>>>;

/// The outputs of a failed case.
pub struct Failed {
    /// The outputs of each call.
    pub rounds: Rounds,
    /// The seed of the pattern in the outputs before the first call.
    pub poison: u64,
}

/// A case of the task, with its outputs if it failed.
pub struct Ran {
    /// The case.
    pub case: Case,
    /// Number of calls.
    pub calls: u32,
    /// Its outputs; `None` if it passed.
    pub failed: Option<Failed>,
}

/// The cause of a task's failed cases, if it is certain.
pub fn name(task: &dyn Task, ran: &[Ran], seed: u64) -> Result<Option<Cause>, Stop> {
    // The exact comparison comes first: within a tolerance of one level, different mistakes may look equal.
    for tolerance in [Tolerance::Exact, task.tolerance()] {
        let found = survivors(task, ran, seed, tolerance)?;
        let Some(first) = found.first() else { continue };
        let same = found.iter().all(|other| other.mistake.name == first.mistake.name);
        return Ok(same.then(|| told(task, &found)));
    }
    Ok(None)
}

/// The same cause, in other words if the task is not started: nothing was written, and kernels are still empty.
pub fn or_not_started(cause: Cause, task: &dyn Task, source: &str) -> Cause {
    let empty = blanks::not_started(source, task);
    let Some(empty) = empty.filter(|_| NOTHING_WRITTEN.contains(&cause.name.as_str())) else { return cause };
    Cause {
        message: format!("not started: {empty}"),
        hint: blanks::first_step(source, task),
        not_started: true,
        ..cause
    }
}

/// A mistake that no case has ruled out yet.
struct Suspect {
    mistake: &'static Mistake,
    parameters: Parameters,
    explained: usize,
    wrong: usize,
}

fn survivors(task: &dyn Task, ran: &[Ran], seed: u64, tolerance: Tolerance) -> Result<Vec<Suspect>, Stop> {
    let families = [task.mistakes(), COVERAGE, GEOMETRY, VALUES, WORDS];
    let members = families.into_iter().flatten().flat_map(|mistake| {
        mistake.parameters.iter().map(|parameters| Suspect {
            mistake,
            parameters: *parameters,
            explained: 0,
            wrong: 0,
        })
    });
    let mut suspects: Vec<Suspect> = members.collect();
    // The task's cases come smallest first: hundreds of suspects are compared on small images, and few are left for
    // large ones.
    for ran in ran {
        if suspects.is_empty() {
            break;
        }
        let image = call::image(&ran.case, seed)?;
        let seen = Seen {
            task,
            ran,
            expected: task.parallel_reference(&image),
            shapes: call::shapes(task, &image),
            image,
        };
        for call in 0..seen.rounds() {
            let before = seen.before(call);
            suspects.retain_mut(|suspect| seen.agrees(suspect, tolerance, call, &before));
        }
    }
    suspects.retain(|suspect| {
        suspect.explained > 0 && suspect.wrong - suspect.explained <= suspect.wrong / UNEXPLAINED
    });
    Ok(suspects)
}

/// A case, prepared for the comparison with mistakes.
struct Seen<'a> {
    task: &'a dyn Task,
    ran: &'a Ran,
    image: Image,
    shapes: Vec<OutputShape>,
    expected: Vec<Vec<u8>>,
}

impl Seen<'_> {
    /// Calls of the case.
    fn rounds(&self) -> u32 {
        self.ran.failed.as_ref().map_or(self.ran.calls, |failed| failed.rounds.len() as u32)
    }

    /// The contents of the outputs before a call.
    fn before(&self, call: u32) -> Vec<Vec<u8>> {
        let poison = self.ran.failed.as_ref().map_or(1, |failed| failed.poison).wrapping_add(u64::from(call));
        let outputs = self.shapes.iter().zip(&self.expected);
        let held = |(shape, expected): (&OutputShape, &Vec<u8>)| {
            if shape.zeroed { vec![0; expected.len()] } else { pattern(poison, expected.len()) }
        };
        outputs.map(held).collect()
    }

    /// Whether the mistake's outputs of a call equal the student's; counts the elements that it explains.
    fn agrees(&self, suspect: &mut Suspect, tolerance: Tolerance, call: u32, before: &[Vec<u8>]) -> bool {
        let situation = Situation {
            task: self.task,
            image: &self.image,
            shapes: &self.shapes,
            expected: &self.expected,
            before,
            call,
            parameters: suspect.parameters,
        };
        let Some(guess) = (suspect.mistake.outputs)(&situation) else { return false };
        // The outputs of a passed case are known only within the task's tolerance.
        let (found, tolerance) = match &self.ran.failed {
            Some(failed) => (&failed.rounds[call as usize], tolerance),
            None => (&self.expected, self.task.tolerance()),
        };
        let elements = self.shapes.iter().zip(found).map(|(shape, found)| found.len() / shape.element.size());
        let mut tally = Tally { left: elements.sum(), ..Tally::default() };
        for (index, shape) in self.shapes.iter().enumerate() {
            let output = Output {
                shape,
                expected: &self.expected[index],
                found: &found[index],
                guess: &guess.outputs[index],
                open: guess.open.get(index).map_or(&[], Vec::as_slice),
            };
            output.count([tolerance, self.task.tolerance()], &mut tally);
        }
        suspect.explained += tally.explained;
        suspect.wrong += tally.wrong;
        !tally.is_contradicted()
    }
}

/// Elements of one call.
#[derive(Default)]
struct Tally {
    wrong: usize,
    explained: usize,
    contradicted: usize,
    /// Elements not looked at yet.
    left: usize,
}

impl Tally {
    /// Whether too many elements are not what the mistake gives, even if all that are left are as wrong as it says.
    fn is_contradicted(&self) -> bool {
        self.contradicted > (self.wrong + self.left) / UNEXPLAINED
    }
}

/// One output of one call: the reference's, the student's and the mistake's.
struct Output<'a> {
    shape: &'a OutputShape,
    expected: &'a [u8],
    found: &'a [u8],
    guess: &'a [u8],
    open: &'a [bool],
}

impl Output<'_> {
    /// Counts elements, until the mistake is ruled out. `agreed` is the tolerance between mistake and student, `right`
    /// that between reference and student.
    fn count(&self, [agreed, right]: [Tolerance; 2], tally: &mut Tally) {
        let size = self.shape.element.size();
        for start in (0..self.found.len()).step_by(STRETCH) {
            let stretch = start..(start + STRETCH).min(self.found.len());
            let three = [self.expected, self.found, self.guess].map(|bytes| &bytes[stretch.clone()]);
            tally.left -= stretch.len() / size;
            if three[0] == three[1] && three[1] == three[2] {
                continue;
            }
            let [expected, found, guess] = three.map(|bytes| bytes.chunks_exact(size));
            for (index, ((expected, found), guess)) in (start / size..).zip(expected.zip(found).zip(guess)) {
                let [expected, found, guess] =
                    [expected, found, guess].map(|bytes| self.shape.element.value(bytes));
                let wrong = !right.allows(expected.abs_diff(found));
                let fits = agreed.allows(guess.abs_diff(found));
                let open = self.open.get(index).copied().unwrap_or(false);
                tally.wrong += usize::from(wrong);
                tally.explained += usize::from(wrong && fits && !open);
                tally.contradicted += usize::from(!fits && !open);
            }
            if tally.is_contradicted() {
                return;
            }
        }
    }
}

/// The cause in words; `found` are members of one family.
fn told(task: &dyn Task, found: &[Suspect]) -> Cause {
    let first = &found[0];
    let outputs: Vec<&str> = task
        .parameters()
        .split(',')
        .filter(|parameter| parameter.contains('*') && !parameter.contains("const"))
        .filter_map(|parameter| parameter.rsplit([' ', '*']).next())
        .collect();
    let message = |suspect: &Suspect| {
        let name = outputs.get(suspect.parameters[0]).copied().unwrap_or_default();
        (suspect.mistake.message)(suspect.parameters).replace("{output}", name)
    };
    let mut messages: Vec<String> = Vec::new();
    for text in found.iter().map(message) {
        if !messages.contains(&text) {
            messages.push(text);
        }
    }
    let hint = match first.mistake.name {
        "never_written" | "nothing_done" if task.over_link() => IN_HOST_MEMORY,
        _ => first.mistake.hint,
    };
    let more = if messages.len() > SHOWN { "; or similar" } else { "" };
    messages.truncate(SHOWN);
    Cause {
        name: first.mistake.name.to_owned(),
        message: messages.join("; or: ") + more,
        hint: hint.to_owned(),
        explained: first.explained,
        wrong: first.wrong,
        not_started: false,
    }
}
