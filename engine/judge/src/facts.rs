//! What was seen of a wrong output that no known mistake explains: elements that were never read or written, or by the wrong
//! thread; counters with too many and too few. Facts, not guesses.

use std::collections::BTreeSet;

use lab::OutputShape;
use runtime::engine::{Touched, Witness};
use runtime::finding::Finding;
use serde::Serialize;

use crate::build;
use crate::build::kept::HINT as KEPT;
use crate::case::Case;
use crate::counted::{ADDED_TWICE, LOST, TWICE, counted};
use crate::numbers::lines_in_words;
use crate::places;
use crate::repair::Repair;
use crate::rounding::{self, Output};

mod added;
pub mod by_level;
mod by_name;
mod by_size;
mod carried;
mod columns;
mod covered;
mod cut;
mod divided;
mod empty_if;
mod groups;
mod last_writer;
mod levels;
mod located;
mod loose;
mod misplaced;
mod narrow;
mod overflow;
mod parts;
mod per_level;
mod quotient;
mod read_twice;
mod rounded;
mod seams;
mod short;
mod source;
mod stages;
mod threads;
mod touched;
mod window;
mod words;

pub(crate) use quotient::in_line as quotient_in_line;
pub(crate) use seams::told as seam;
pub(crate) use stages::Steps;

use touched::{
    BETWEEN, NEVER_READ, NO_STORE, NOT_STORED, OTHER_INDEX, OWN_INDEX, PITCH, read, read_once, written,
};
use words::in_words;

/// Whether only large pictures are wrong.
pub fn is_large(cases: &[&Case]) -> bool {
    by_size::told(cases).is_some()
}

/// One in so many values at most is wrong where most are right.
const FEW: usize = 10;

/// Whether few values of each wrong case are wrong.
pub fn are_few(cases: &[&Case]) -> bool {
    let mut wrong = cases.iter().filter(|case| case.wrong > 0).peekable();
    wrong.peek().is_some() && wrong.all(|case| case.wrong * FEW <= case.total)
}

/// What was seen, and what to try.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// What was seen, the most telling first.
    pub seen: Vec<String>,
    /// What to try; empty if the facts point to nothing in particular.
    pub hint: String,
    /// Whether each pixel was read and written by the right thread, as far as it was watched.
    #[serde(skip)]
    pub(crate) complete: bool,
    /// Whether only large pictures are wrong.
    #[serde(skip)]
    pub only_large: bool,
    /// Pixels of the wrong case that a report shows; 0 if that is not known.
    #[serde(skip)]
    pub pixels: usize,
    /// The line that reads an element that another thread of the launch has read, and both threads as a fact.
    #[serde(skip)]
    pub(crate) twice: Option<(u32, String)>,
    /// Kernels that stored elements of outputs, none of them wrong.
    #[serde(skip)]
    pub(crate) trusted: BTreeSet<String>,
    /// Lines that stored wrong elements.
    #[serde(skip)]
    pub(crate) stored: Vec<u32>,
    /// The kernel whose counters are wrong before an error of a later step.
    #[serde(skip)]
    pub(crate) counted_wrong: Option<String>,
    /// What the steps of the task left behind.
    #[serde(skip)]
    pub(crate) steps: Option<Steps>,
}

/// What to try if elements are left out.
const LEFT_OUT: &str = "take one of these elements, find the thread that should have it, and follow that thread: which \
                        condition, loop or number of threads leaves it out?";
/// What to try if a tile of the picture may have a wrong index.
const TILE: &str = "work out for one pixel at which index of the shared array it is stored, and at which index it is read: both \
                    must agree, with the halo that lies before the first pixel";
/// What to try if counters have another level than the picture that is stored.
const OTHER_LEVEL: &str =
    "compute the level once, in a variable, and use it for both: store it, and count it";
/// What to try where the compiler has warned.
const WARNED: &str = "look at this line first: it does likely something else than it was meant to";
/// What to try if nothing is launched.
const LAUNCH: &str = "launch your kernel in the host function: `kernel<<<blocks, threads>>>(…)`";
/// What to try if a kernel divides by zero.
const ZERO: &str = "find out why the divisor is 0 in this thread: has nothing been added to it, or is it a difference of equal values \
                    (`max - min` where both are the same)? If that may be, treat it before the division: `if (divisor == 0)`";

/// The facts. `size` is the image's, in pixels.
pub fn facts(witness: &Witness, outputs: &[Output<'_>], size: (usize, usize)) -> Facts {
    let mut facts = Facts::default();
    if witness.launches.is_empty() {
        facts.tell("no kernel was launched".to_owned(), LAUNCH);
        return facts;
    }
    if let Some((seen, hint)) = witness.short_reads.iter().find_map(short::read) {
        facts.tell(seen, hint);
        return facts;
    }
    if let Some((seen, hint)) = misplaced::told(witness, outputs) {
        facts.tell(seen, hint);
        return facts;
    }
    for output in outputs {
        if let Some(buffer) = witness.buffers.iter().find(|buffer| buffer.name == output.shape.name) {
            written(&mut facts, witness, output, buffer, size);
        }
    }
    if facts.hint == NO_STORE {
        return facts;
    }
    if facts.seen.is_empty() && divided_by_zero(&mut facts, witness) {
        return facts;
    }
    let is_output = |buffer: &Touched| outputs.iter().any(|output| output.shape.name == buffer.name);
    for buffer in &witness.buffers {
        // What is not written need not be read.
        if facts.seen.is_empty() && !is_output(buffer) {
            read(&mut facts, witness, buffer, size);
        }
    }
    let places_are_right = facts.seen.is_empty();
    facts.complete = places_are_right;
    for output in outputs.iter().filter(|output| output.shape.row == 0) {
        if let Some((seen, hint)) = overflow::told(output) {
            facts.tell(seen, hint);
        }
        if let Some((seen, hint)) = counted(output) {
            let twice = read_twice::told(witness, &is_output).filter(|_| hint == TWICE);
            if let Some(seen) = twice {
                facts.tell(seen, read_twice::HINT);
            }
            let mut inputs = witness.buffers.iter().filter(|buffer| !is_output(buffer));
            let once = places_are_right && inputs.all(read_once);
            if let Some(seen) = last_writer::uncounted(witness, outputs, output).filter(|_| hint == LOST) {
                facts.tell(seen, last_writer::UNCOUNTED);
            }
            facts.tell(seen, if hint == TWICE && once { ADDED_TWICE } else { hint });
        }
    }
    if places_are_right {
        values(&mut facts, witness, outputs, size, read_twice::is_any(witness, &is_output));
        if outputs.iter().all(|output| output.shape.row > 0) {
            facts.twice = read_twice::line(witness, &is_output).zip(read_twice::told(witness, &is_output));
        }
    }
    facts.tell_sizes(witness, size);
    facts.trusted = last_writer::trusted(witness, outputs);
    facts.stored = last_writer::lines(witness, outputs.iter());
    facts.stored.sort_unstable();
    facts.stored.dedup();
    facts
}

impl Facts {
    /// Whether they say that something was left out, or done by the wrong thread, rather than that a value is wrong.
    pub fn name_a_place(&self) -> bool {
        let places = [
            OWN_INDEX,
            PITCH,
            LEFT_OUT,
            OTHER_INDEX,
            BETWEEN,
            NEVER_READ,
            NOT_STORED,
            NO_STORE,
            LAUNCH,
            covered::HINT,
            covered::LINE,
        ];
        places.contains(&self.hint.as_str())
    }

    /// Whether they are certain to make outputs wrong, so that they say more than a known mistake with the same outputs.
    pub fn are_faults(&self) -> bool {
        let short = short::HINTS.contains(&self.hint.as_str());
        short || self.hint == KEPT || self.name_a_misplaced_call() || self.name_a_division()
    }

    /// Functions that run on the GPU and have nothing wrong: those of kernels that stored nothing wrong, and, of a task of several steps, all but the
    /// first kernel with a wrong result.
    pub(crate) fn trusted(&self, source: &str) -> BTreeSet<String> {
        let step = self.seen.first().filter(|_| self.hint == stages::FIRST);
        let Some(first) = step.and_then(|seen| seen.split_once(" (`")?.1.split('`').next()) else {
            return self.trusted.clone();
        };
        let all =
            kernels::functions(source).into_iter().filter(|function| function.side == kernels::Side::Gpu);
        all.map(|function| function.name).filter(|name| name != first).collect()
    }

    /// Whether they leave open in which line the mistake is.
    pub(crate) fn are_vague(&self) -> bool {
        let open = [
            "",
            TILE,
            OTHER_INDEX,
            BETWEEN,
            LEFT_OUT,
            NEVER_READ,
            OTHER_LEVEL,
            LOST,
            TWICE,
            ADDED_TWICE,
            read_twice::HINT,
            places::HINT,
            places::FROM_ON,
            by_level::HINT,
            by_level::GROWS,
            by_size::HINT,
            last_writer::UNCOUNTED,
            parts::BYTES,
            parts::WORDS,
            parts::MASK,
            parts::BITS,
            groups::ORDER,
            groups::WORDS,
            groups::PLACES,
            overflow::UPPER,
            stages::HINT,
            stages::FIRST,
            build::host::COMPUTED,
        ];
        open.contains(&self.hint.as_str()) || rounding::is_hint(&self.hint)
    }

    /// Whether a call of the host is named that stands in the wrong place.
    pub fn name_a_misplaced_call(&self) -> bool {
        misplaced::HINTS.contains(&self.hint.as_str())
    }

    /// Whether a division by zero is named.
    pub fn name_a_division(&self) -> bool {
        self.hint == ZERO
    }

    /// With what a call of a task of several steps left behind, unless a fault is certain.
    #[must_use]
    pub fn with_steps(
        self,
        witness: &Witness,
        stages: Vec<lab::Stage>,
        outputs: &[Output<'_>],
        size: (usize, usize),
    ) -> Self {
        let is_certain = self.are_faults() || self.name_no_launch();
        let steps = if is_certain { None } else { Steps::of(witness, stages, outputs, size) };
        Self { steps, ..self }
    }

    /// What there is to tell of a call that an error has ended, if the counters of its first step are wrong.
    pub(crate) fn before_an_error(steps: Steps) -> Self {
        let counted_wrong = steps.counting().map(str::to_owned);
        Self { counted_wrong, steps: Some(steps), ..Self::default() }
    }

    /// Whether wrong counters of an earlier step explain an error: not one in the kernel that counts, or of counters that nothing has set.
    pub fn explain(&self, fault: &Finding) -> bool {
        let may_follow = ["W01", "W02", "W03"].iter().any(|code| fault.code.starts_with(code));
        let own = fault.thread.as_ref().and_then(|thread| thread.kernel.split('<').next());
        let elsewhere = |kernel: &String| own != Some(kernel.as_str());
        may_follow
            && !fault.message.contains("(global memory)")
            && self.counted_wrong.as_ref().is_some_and(elsewhere)
    }

    /// With a wrong first step of a picture that is right all the same.
    #[must_use]
    pub(crate) fn with_early(self, early: Option<Steps>) -> Self {
        Self { steps: early.or(self.steps), ..self }
    }

    /// Puts first which step of the task has the first wrong result; after what says more.
    fn tell_of_steps(&mut self, source: &str) {
        let Some((seen, hint)) = self.steps.take().and_then(|steps| steps.told(source)) else { return };
        // What says no more than that values are wrong, or hardly, says less than a step. Where the first step is wrong already, so does what
        // its wrong values lead to.
        let leads = [by_level::HINT, places::FROM_ON, places::HINT].contains(&self.hint.as_str());
        let says_little = ["", TILE].contains(&self.hint.as_str())
            || rounding::is_hint(&self.hint)
            || hint == stages::FIRST && (self.hint == by_level::HINT || leads && stages::is_early(&seen));
        if says_little {
            self.seen = seen;
            hint.clone_into(&mut self.hint);
        } else {
            // What says more of the last step needs nothing in between.
            for seen in seen {
                if !seen.contains(stages::NOT_COMPARED) && !self.seen.contains(&seen) {
                    self.seen.push(seen);
                }
            }
        }
    }

    /// With the names of the pointers in this source for what it allocates.
    #[must_use]
    pub fn in_source(mut self, source: &str) -> Self {
        for seen in &mut self.seen {
            *seen = build::renamed(seen, source).into_owned();
        }
        self.tell_of_steps(source);
        self
    }

    /// Puts first what was seen in another case: pixels that nothing wrote explain more than wrong values.
    pub fn tell_of_another(&mut self, case: &str, other: Self) {
        let seen = other.seen.into_iter().map(|seen| format!("in case \"{case}\": {seen}"));
        self.seen.splice(0..0, seen);
        self.hint = other.hint;
    }

    /// Whether nothing but the line of a store was seen of the wrong values, or where the pixels of one picture lie.
    pub(crate) fn may_have_seams(&self) -> bool {
        ["", places::HINT].contains(&self.hint.as_str())
    }

    /// Puts first that rows or columns of this case are wrong, or right, at equal distances.
    pub(crate) fn tell_of_seams(&mut self, case: &str, seam: &str) {
        self.seen.insert(0, format!("in case \"{case}\": {seam}"));
        places::HINT.clone_into(&mut self.hint);
    }

    /// Whether a thread is named that uses the element of another one.
    pub fn name_an_index(&self) -> bool {
        self.hint == OWN_INDEX
    }

    /// Whether every input was read and every output written, so that a mistake that leaves pixels out is not the cause.
    pub fn leave_nothing_out(&self) -> bool {
        !self.seen.is_empty() && self.complete
    }

    /// Whether the host function launches nothing.
    pub fn name_no_launch(&self) -> bool {
        self.hint == LAUNCH
    }

    /// Tells of a change that was tried in place of what led to it.
    pub(crate) fn tell_tried(&mut self, tried: &Repair) {
        self.seen = vec![tried.told.clone()];
        self.hint = tried.hint();
    }

    /// Adds what the compiler has warned of, if nothing else was told: a statement without effect, a comparison that is always true.
    pub fn warn(&mut self, findings: &[Finding]) {
        // That a variable is not used makes nothing wrong.
        let doubtful = |finding: &&Finding| finding.code == "W0006" && !finding.message.contains(" never ");
        if let Some(finding) = findings.iter().find(doubtful).filter(|_| self.hint.is_empty()) {
            self.tell(format!("the compiler warns{}: {}", finding.in_line(), finding.message), WARNED);
        }
    }

    /// Puts first from which size on pictures are wrong, where nothing else than the place of the wrong values is known.
    pub fn or_by_size(&mut self, cases: &[&Case], (source, task): (&str, &str)) {
        // A wrong index shows with every filter.
        let open = ["", TILE].contains(&self.hint.as_str());
        if let Some((seen, hint)) = by_name::told(cases).filter(|_| open) {
            self.seen.insert(0, seen);
            hint.clone_into(&mut self.hint);
            return;
        }
        let cut = self.hint == cut::HINT;
        let open = cut || self.hint.is_empty() || self.hint == places::FROM_ON;
        if let Some(seen) = by_size::told(cases).filter(|_| open) {
            // The line that cuts says more.
            self.seen.insert(usize::from(cut), seen);
            self.only_large = true;
            if let Some(round) = by_size::second_round(cases, source, task).filter(|_| !cut) {
                self.seen.insert(0, round);
                by_size::ROUND.clone_into(&mut self.hint);
            } else if self.hint.is_empty() {
                by_size::HINT.clone_into(&mut self.hint);
            }
        }
    }

    /// What outputs say by themselves: of a picture that is too large to be watched.
    pub fn of_outputs(outputs: &[Output<'_>], gray: &[u8], size: (usize, usize)) -> Self {
        let mut facts = Self::default();
        for output in outputs.iter().filter(|output| output.expected != output.found) {
            let overflow = if output.shape.row == 0 { overflow::told(output) } else { None };
            if let Some((seen, hint)) = overflow {
                facts.tell(seen, hint);
            } else if let Some((seen, hint)) = by_level::told(gray, output) {
                facts.tell(seen, hint);
            } else if let Some(seen) = places::from_on(output, size) {
                facts.tell(seen, places::FROM_ON);
            } else if let Some(seen) = places::places(output, size) {
                facts.tell(seen, places::HINT);
            }
        }
        facts
    }

    /// Puts first how pixels are taken out of words, where that gives all the wrong counters. `gray`: the levels that are counted, if they are
    /// an input.
    #[must_use]
    pub fn or_by_part(mut self, outputs: &[Output<'_>], gray: &[u8]) -> Self {
        let stored = outputs.iter().find(|output| output.shape.row > 0 && output.shape.element.size() == 1);
        let counted = if gray.is_empty() { stored.map_or(gray, |output| output.expected) } else { gray };
        let vague = ["", LOST, TWICE, ADDED_TWICE].contains(&self.hint.as_str());
        if let Some((seen, hint)) =
            outputs.iter().find_map(|output| parts::told(counted, output)).filter(|_| vague)
        {
            // The lines behind that are right.
            self.seen.retain(|seen| !seen.contains(" the counts"));
            self.seen.insert(0, seen);
            hint.clone_into(&mut self.hint);
        }
        self
    }

    /// Adds which levels of the input are wrong, if nothing else was told.
    #[must_use]
    pub fn or_by_level(mut self, outputs: &[Output<'_>], gray: &[u8]) -> Self {
        if self.hint.is_empty()
            && let Some((seen, hint)) = outputs.iter().find_map(|output| by_level::told(gray, output))
        {
            self.tell(seen, hint);
        }
        self
    }

    /// Tells that these elements were left out; where each is a pixel, also that the grid is too small.
    fn left_out(&mut self, seen: String, witness: &Witness, never: &[usize], size: (usize, usize)) {
        match covered::too_few(&witness.launches, never, size) {
            Some((few, hint)) => {
                self.tell(few, hint);
                self.seen.push(seen);
            }
            None => self.tell(seen, LEFT_OUT),
        }
    }

    /// Adds the sizes of the launches where nothing more is known of elements that were left out.
    fn tell_sizes(&mut self, witness: &Witness, size: (usize, usize)) {
        if self.hint == LEFT_OUT {
            self.seen.extend(covered::sizes(&witness.launches, size));
        }
    }

    fn tell(&mut self, seen: String, hint: &str) {
        self.seen.push(seen);
        // The wrong thread explains what is left out.
        if self.hint.is_empty() || hint == OWN_INDEX {
            hint.clone_into(&mut self.hint);
        }
    }
}

/// Outputs that were not written everywhere, if there are any.
pub fn left_out(witness: &Witness, outputs: &[Output<'_>], size: (usize, usize)) -> Option<Facts> {
    let mut facts = Facts::default();
    for output in outputs {
        if let Some(buffer) = witness.buffers.iter().find(|buffer| buffer.name == output.shape.name) {
            written(&mut facts, witness, output, buffer, size);
        }
    }
    facts.tell_sizes(witness, size);
    facts.name_a_place().then_some(facts)
}

/// A division by zero in a kernel, if there is one.
fn divided_by_zero(facts: &mut Facts, witness: &Witness) -> bool {
    let Some((thread, float)) = witness.zero_divisors.values().min() else { return false };
    let place = if thread.line > 0 { format!("line {}", thread.line) } else { "a kernel".to_owned() };
    let result = if *float {
        "which gives inf, or NaN for 0.0 / 0.0"
    } else {
        "which is no error on a GPU: a quotient of integers then has all bits set"
    };
    let who = in_words(witness, *thread);
    facts.tell(format!("{place} divides by 0, first in {who}, {result}"), ZERO);
    true
}

/// Nothing was left out: what remains is the value, and the lines that store it.
fn values(
    facts: &mut Facts,
    witness: &Witness,
    outputs: &[Output<'_>],
    size: (usize, usize),
    reads_neighbours: bool,
) {
    if let Some(seen) = last_writer::copied(witness, outputs) {
        facts.seen.push(seen);
        return;
    }
    // Counters hold zeros before: that nothing was left out says nothing of them.
    let counts = |output: &Output<'_>| output.shape.zeroed || output.expected == output.found;
    let only_counts = outputs.iter().all(counts);
    let stored = outputs.iter().filter(|output| output.shape.zeroed == only_counts);
    let lines = last_writer::lines(witness, stored);
    let Some(stores) = lines_in_words(lines.clone()) else { return };
    if let Some((seen, hint)) = outputs.iter().find_map(rounding::nearly_right) {
        facts.tell(seen, hint);
        return;
    }
    if let Some((seen, hint)) = outputs.iter().find_map(groups::told) {
        facts.tell(seen, hint);
    }
    if let Some((seen, hint)) = outputs.iter().find_map(levels::told) {
        facts.tell(seen, hint);
    }
    if !only_counts {
        let verb = if stores.starts_with("lines") { "store" } else { "stores" };
        facts.seen.push(format!("every output was written: what {stores} {verb} there is wrong"));
    } else if outputs.iter().any(|output| output.shape.row == 0) {
        let verb = if stores.starts_with("lines") { "add" } else { "adds" };
        let both = other_level(outputs);
        let launch =
            both.and_then(|(picture, counters)| last_writer::other_launch(witness, picture, counters));
        match (both, launch) {
            (_, Some(seen)) => facts.tell(seen, last_writer::OTHER_LAUNCH),
            (Some((picture, Output { shape: OutputShape { name: counters, .. }, .. })), None) => facts.tell(
                format!("`{picture}` is right, and `{counters}` has as many pixels as it should: {stores} {verb} to another level than the one that is stored"),
                OTHER_LEVEL,
            ),
            (None, None) => {
                let [set, read] = &witness.shared;
                let sums = read.iter().filter(|line| **line > 0 && !set.contains(line) && !lines.contains(line)).copied().collect();
                // An atomic both reads and sets: it counts.
                let counting = read.iter().filter(|line| **line > 0 && set.contains(line) && !lines.contains(line)).copied().collect();
                let count = lines_in_words(counting).map_or_else(String::new, |lines| {
                    let verb = if lines.starts_with("lines") { "count" } else { "counts" };
                    format!("{lines} {verb} in shared memory; ")
                });
                let of = lines_in_words(sums).map_or_else(String::new, |lines| {
                    let verb = if lines.starts_with("lines") { "read" } else { "reads" };
                    format!("; {lines} {verb} shared memory")
                });
                facts.seen.push(format!("{count}{stores} {verb} the counts{of}"));
            }
        }
    }
    if let Some(seen) = outputs.iter().find_map(|output| places::places(output, size)) {
        facts.tell(seen, places::HINT);
    }
    // An array that a line both reads and writes holds sums, not a tile.
    let [filled, used] = &witness.shared;
    // One that no line fills from an input may only collect results for the stores.
    let loads = |line: &u32| loading_lines(witness).any(|load| load == *line);
    // Where the stores read it, and lines fill it that load nothing, it holds results as well.
    let holds_results = used.iter().any(|line| lines.contains(line)) && !filled.iter().all(loads);
    let is_tile =
        !filled.iter().any(|line| used.contains(line)) && filled.iter().any(loads) && !holds_results;
    if is_tile
        && reads_neighbours
        && let [Some(filled), Some(used)] = witness.shared.clone().map(lines_in_words)
    {
        facts.tell(format!("shared memory is filled in {filled} and read in {used}"), TILE);
    }
}

/// Lines that load from buffers of the call.
fn loading_lines(witness: &Witness) -> impl Iterator<Item = u32> {
    let bytes = witness.buffers.iter().flat_map(|buffer| &buffer.bytes);
    bytes.flat_map(|touches| touches.readers).flatten().map(|reader| reader.line)
}

/// A picture that is right beside counters that are wrong and have the right sum.
fn other_level<'a>(outputs: &'a [Output<'a>]) -> Option<(&'static str, &'a Output<'a>)> {
    let sum = |output: &Output<'_>, bytes: &[u8]| -> i64 {
        let OutputShape { element, .. } = *output.shape;
        bytes.chunks_exact(element.size()).map(|bytes| element.value(bytes)).sum()
    };
    let picture = outputs.iter().find(|output| output.shape.row > 0 && output.expected == output.found)?;
    let wrong = |output: &&Output<'_>| {
        output.shape.row == 0
            && output.expected != output.found
            && sum(output, output.expected) == sum(output, output.found)
    };
    Some((picture.shape.name, outputs.iter().find(wrong)?))
}

#[cfg(test)]
mod tests {
    use runtime::engine::{Toucher, Touches, WitnessedLaunch};
    use runtime::finding::{Kind, Severity};

    use lab::{Element, Tolerance};

    use super::*;

    /// Four threads in each of two blocks; `at` is the element that each stores to, if any.
    fn seen(at: [Option<usize>; 8]) -> Facts {
        let mut bytes = vec![Touches::default(); 8];
        for (number, at) in (0..).zip(at) {
            if let Some(at) = at {
                let thread = Toucher { launch: 0, block: number / 4, thread: (number % 4) as u32, line: 7 };
                let touches = &mut bytes[at];
                touches.writers[usize::from(touches.writes > 0)] = Some(thread);
                touches.last = Some(thread);
                touches.writes += 1;
            }
        }
        let (kernel, arguments) = ("k".to_owned(), Vec::new());
        let launch = WitnessedLaunch { kernel, grid: [2, 1, 1], block: [4, 1, 1], arguments };
        let witness = Witness {
            buffers: vec![Touched { name: "out".to_owned(), address: 0, bytes }],
            launches: vec![launch],
            ..Witness::default()
        };
        let shape = OutputShape { name: "out", element: Element::U8, row: 8, zeroed: false };
        let output = Output { shape: &shape, expected: &[9; 8], found: &[0; 8], tolerance: Tolerance::Exact };
        facts(&witness, &[output], (8, 1))
    }

    #[test]
    fn few_values_are_wrong_if_most_are_right() {
        let case = |wrong, differing| Case {
            task: String::new(),
            name: String::new(),
            width: 10,
            height: 10,
            verdict: crate::report::Verdict::Failed,
            wrong,
            differing,
            total: 100,
            mismatches: Vec::new(),
            note: String::new(),
            printed: String::new(),
            timed: false,
        };
        let few = |cases: &[Case]| are_few(&cases.iter().collect::<Vec<_>>());
        assert!(few(&[case(4, 0), case(10, 90)]));
        assert!(!few(&[case(4, 0), case(11, 0)]));
        assert!(!few(&[case(0, 4)]), "what is within the tolerance is right");
    }

    #[test]
    fn a_warning_of_the_compiler_is_told_where_nothing_else_is() {
        let warning = |message: &str| {
            let finding = Finding::new("W0006", Kind::Lint, Severity::Warning, message.to_owned(), "");
            finding.at("a.cu", 7, 1)
        };
        let told = |message: &str, hint: &str| {
            let mut facts = Facts { hint: hint.to_owned(), ..Facts::default() };
            facts.warn(&[warning("variable \"a\" was declared but never referenced"), warning(message)]);
            facts.seen
        };
        assert_eq!(
            told("expression has no effect", ""),
            ["the compiler warns in line 7: expression has no effect"]
        );
        assert_eq!(told("expression has no effect", "known"), [""; 0]);
        assert_eq!(told("variable \"b\" was set but never used", ""), [""; 0]);
    }

    #[test]
    fn a_thread_that_uses_the_element_of_another_is_named_with_its_own() {
        let facts = seen([0, 1, 2, 3, 0, 1, 2, 3].map(Some));
        let said =
            "thread 0 of block 1 stored to `out[0]`; with one pixel per thread, it should store to `out[4]`";
        assert_eq!(facts.seen, ["`out[4]` to `out[7]` (4 of 8 elements) were never written", said]);
        assert!(facts.name_an_index());
    }

    #[test]
    fn threads_beside_those_that_only_load_have_other_pixels_than_their_number() {
        let facts = seen([None, Some(0), Some(1), Some(2), None, Some(3), Some(4), Some(5)]);
        assert_eq!(facts.seen[0], "`out[6]` to `out[7]` (2 of 8 elements) were never written");
        assert!(
            !facts.name_an_index() && !facts.seen.iter().any(|seen| seen.contains("should store")),
            "{facts:?}"
        );
    }

    #[test]
    fn elements_that_are_left_out_are_counted() {
        let some = seen(std::array::from_fn(|at| (at % 3 != 1).then_some(at)));
        let sizes = "launched for 8 × 1 pixels: `k` with 2 blocks of 4 threads";
        let never = "every 3rd element from `out[1]` on (3 of 8 elements) was never written";
        assert_eq!(some.seen, [never, sizes]);
        let none = seen([None; 8]);
        assert_eq!(none.seen, ["`k` with 2 blocks of 4 threads ran, and no thread stored anything to `out`"]);
        let all = seen(std::array::from_fn(Some));
        assert_eq!(all.seen, ["every output was written: what line 7 stores there is wrong"]);
    }
}
