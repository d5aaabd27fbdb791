//! What was seen of a wrong output that no known mistake explains: elements that were never read or written, or by the wrong
//! thread; counters with too many and too few. Facts, not guesses.

use std::collections::BTreeSet;

use lab::OutputShape;
use runtime::engine::{Touched, Toucher, Touches, Witness, WitnessedLaunch};
use runtime::finding::Finding;
use serde::Serialize;

use crate::build;
use crate::build::kept::HINT as KEPT;
use crate::case::Case;
use crate::counted::{ADDED_TWICE, LOST, TWICE, counted};
use crate::numbers::{few, grouped, lines_in_words};
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
mod window;

pub(crate) use quotient::in_line as quotient_in_line;
pub(crate) use seams::told as seam;
pub(crate) use stages::Steps;

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

/// What to try if a thread uses the element of another one.
const OWN_INDEX: &str = "compute the index that this thread should have, and compare: `blockIdx.x * blockDim.x + \
                         threadIdx.x` differs for every thread of the grid, and so does (x, y) in two dimensions";
/// What to try if rows were written at another distance.
const PITCH: &str = "look at what the row is multiplied by in the index of the store: row y of a picture begins at y * width, or at 3 * y * width in one of three \
                     bytes per pixel, and nothing lies between two rows";
/// What to try if elements are left out.
const LEFT_OUT: &str = "take one of these elements, find the thread that should have it, and follow that thread: which \
                        condition, loop or number of threads leaves it out?";
/// What to try if elements between others are left out.
const BETWEEN: &str = "other elements of the same array are read, and these never: work out by hand, for two threads, which elements each line reads, and find the line \
                       that should read these";
/// What to try if a kernel reads nothing of an array that it is given.
const NEVER_READ: &str = "follow thread 0 of block 0 of this small picture: which condition or loop keeps it from reading? A quotient of integers, such as pixels per \
                          thread, is 0 where there are fewer pixels than threads";
/// What to try if elements are left out while others are taken twice.
const OTHER_INDEX: &str = "some elements are taken more than once and others never: the index is at fault, not the number of threads. Work out, for one thread, \
                           which elements it should have, and which the index gives it";
/// What to try if a thread reads a pixel and does not store its result.
const NOT_STORED: &str = "this thread has the pixel: let it store the result";
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
/// What to try if nothing is stored.
const NO_STORE: &str = "follow thread 0 of block 0 line by line: which condition or `return` keeps it from the store? If a loop \
                         moves an index on, the index stays past the end: a test of it after the loop is never true";
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

/// Elements of an output that were not written, or by the wrong threads.
fn written(
    facts: &mut Facts,
    witness: &Witness,
    output: &Output<'_>,
    buffer: &Touched,
    size: (usize, usize),
) {
    let OutputShape { name, zeroed, row, .. } = *output.shape;
    let elements = elements(buffer, output.shape.element.size());
    let changed = |touches: &Touches| touches.writes > 0 || touches.readers[0].is_some();
    if !elements.iter().any(changed) {
        let kernels: Vec<String> = witness.launches.iter().map(launch_in_words).collect();
        let kernels = kernels.join(", then ");
        facts.tell(format!("{kernels} ran, and no thread stored anything to `{name}`"), NO_STORE);
        return;
    }
    if zeroed {
        return;
    }
    let never = indices(&elements, |touches| touches.writes == 0);
    if !never.is_empty() {
        facts.left_out(
            format!("{} never written", were(name, &never, elements.len())),
            witness,
            &never,
            size,
        );
    }
    if facts.hint == LEFT_OUT
        && row == size.0
        && let Some(seen) = read_for(witness, &elements, name, never[0], size)
    {
        facts.seen.push(seen);
        NOT_STORED.clone_into(&mut facts.hint);
    }
    let twice = stored_twice(&elements, output, !never.is_empty());
    let owner =
        (row == size.0).then(|| stranger(witness, &elements, size, |touches| touches.writers)).flatten();
    if let Some((thread, at, own)) = owner {
        let text = format!(
            "{} stored to `{name}[{at}]`; with one pixel per thread, it should store to `{name}[{own}]`",
            in_words(witness, thread)
        );
        facts.tell(text, OWN_INDEX);
    } else if let Some(at) = twice
        && let [Some(first), Some(second)] = elements[at].writers
        && first.launch == second.launch
    {
        let both = [first, second].map(|thread| in_words(witness, thread));
        let text = format!("`{name}[{at}]` was written by {}, and by {} too", both[0], both[1]);
        facts.tell(text, "let one thread store each element: find the index that both compute");
    }
    // Of a picture of one column, only a thread for each row tells rows from elements.
    let of_rows = |(thread, ..): &(Toucher, usize, usize)| {
        let launch = witness.launches.get(thread.launch as usize);
        launch.is_some_and(|launch| launch.grid[1] * launch.block[1] > 1)
    };
    if (row > 1 || owner.as_ref().is_some_and(of_rows))
        && let Some(seen) = pitch(name, &elements, row)
    {
        facts.seen.insert(0, seen);
        PITCH.clone_into(&mut facts.hint);
    }
}

/// A wrong element that two threads have stored. Threads that store a right value both do no harm; nor do they where all is written and what one thread
/// alone stores is wrong as well.
fn stored_twice(elements: &[Touches], output: &Output<'_>, is_left_out: bool) -> Option<usize> {
    let off = elements.iter().zip(output.off()).enumerate();
    let wrong: Vec<(usize, bool)> = off
        .filter(|(_, (_, off))| output.is_wrong(*off))
        .map(|(at, (touches, _))| (at, touches.writers[1].is_some()))
        .collect();
    let explains = is_left_out || wrong.iter().all(|(_, is_twice)| *is_twice);
    wrong.into_iter().find(|(_, is_twice)| explains && *is_twice).map(|(at, _)| at)
}

/// The distance of the rows that were written, where it is more than a row, as a sentence.
fn pitch(name: &str, elements: &[Touches], row: usize) -> Option<String> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in indices(elements, |touches| touches.writes > 0) {
        match runs.last_mut() {
            Some((first, length)) if at == *first + *length => *length += 1,
            _ => runs.push((at, 1)),
        }
    }
    let (last, before) = runs.split_last().filter(|(_, before)| before.len() > 1)?;
    let step = before[1].0 - before[0].0;
    let fits = runs.iter().enumerate().all(|(number, (first, _))| *first == number * step);
    let is_whole = |(_, length): &(usize, usize)| *length == row;
    let ends = is_whole(last) || last.0 + last.1 == elements.len() && last.1 < row;
    (fits && ends && before.iter().all(is_whole)).then(|| {
        let times = if row > 1 && step.is_multiple_of(row) {
            format!(" ({} rows)", step / row)
        } else {
            String::new()
        };
        format!(
            "`{name}` was written as if its rows began {step} elements apart{times}: a row has {row}, so that row y begins at y * {row}"
        )
    })
}

/// The thread that reads the input of a pixel, and no neighbours, whose output `name` nothing was stored to.
fn read_for(
    witness: &Witness,
    stored: &[Touches],
    name: &str,
    pixel: usize,
    (width, height): (usize, usize),
) -> Option<String> {
    let inputs = witness.buffers.iter().filter(|buffer| buffer.name != name);
    inputs.into_iter().find_map(|buffer| {
        let channels = buffer.bytes.len() / (width * height);
        // In a planar image the channels of a pixel lie apart.
        let whole = !buffer.name.starts_with("planar")
            && buffer.bytes.len() == channels * width * height
            && [1, 3].contains(&channels);
        let touches = buffer.bytes.get(channels * pixel).filter(|_| whole)?;
        // A kernel before it may have read the picture for something else.
        let stores = |reader: &Toucher| witness.launches.len() == reader.launch as usize + 1;
        let reader = touches.readers[0].filter(|reader| reader.line > 0 && stores(reader))?;
        let single = buffer.bytes.iter().all(|touches| touches.reads <= SEVERAL && touches.writes == 0);
        let same = |one: Toucher, other: Toucher| {
            (one.launch, one.block, one.thread) == (other.launch, other.block, other.thread)
        };
        // Where another thread stores what a thread reads, threads read neighbours.
        let neighbours =
            stored.iter().enumerate().filter(|(_, touches)| touches.writes > 0).any(|(at, touches)| {
                let mut readers = buffer.bytes[channels * at].readers.into_iter().flatten();
                readers.any(|one| {
                    stores(&one) && !touches.writers.into_iter().flatten().any(|other| same(one, other))
                })
            });
        let own = |touches: &Touches| {
            let last = touches.last.filter(|last| last.line > 0)?;
            let is_own =
                (last.launch, last.block, last.thread) == (reader.launch, reader.block, reader.thread);
            is_own.then_some(last.line)
        };
        let others = stored.iter().enumerate().find_map(|(at, touches)| Some((at, own(touches)?)));
        let others = others
            .map_or_else(String::new, |(at, line)| format!("; to `{name}[{at}]` it does, in line {line}"));
        (single && !neighbours).then(|| {
            format!(
                "{} reads this pixel in line {}, and stores nothing to `{name}[{pixel}]`{others}",
                in_words(witness, reader),
                reader.line
            )
        })
    })
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

/// Elements of an input that were not read, or by the wrong threads.
fn read(facts: &mut Facts, witness: &Witness, buffer: &Touched, size: (usize, usize)) {
    let name = &buffer.name;
    let elements = elements(buffer, 1);
    let never = indices(&elements, |touches| touches.reads == 0);
    if never.is_empty() {
        return;
    }
    // Without a single load, it may have been copied, or read as a texture.
    if never.len() == elements.len() {
        if let Some(kernel) = last_writer::given_to(witness, buffer) {
            facts.tell(format!("`{name}`, which `{kernel}` is given, was never read"), NEVER_READ);
        }
        return;
    }
    let seen = format!("{} never read", were(name, &never, elements.len()));
    // The thread of the only pixel has read the others.
    let is_end = never.last() == Some(&(elements.len() - 1)) && never[0] + never.len() == elements.len();
    if is_end && size != (1, 1) || elements.len() == size.0 * size.1 {
        facts.left_out(seen, witness, &never, size);
    } else {
        facts.tell(seen, BETWEEN);
    }
    if [LEFT_OUT, BETWEEN].contains(&facts.hint.as_str())
        && let Some(seen) = taken_twice(witness, name, &elements)
    {
        facts.seen.push(seen);
        OTHER_INDEX.clone_into(&mut facts.hint);
    }
    if elements.len() == size.0 * size.1
        && let Some((thread, at, own)) = stranger(witness, &elements, size, |touches| touches.readers)
    {
        let text = format!(
            "{} read `{name}[{at}]`; with one pixel per thread, it should read `{name}[{own}]`",
            in_words(witness, thread)
        );
        facts.tell(text, OWN_INDEX);
    }
}

/// Whether each element was read once.
fn read_once(buffer: &Touched) -> bool {
    buffer.bytes.iter().all(|touches| touches.reads == 1)
}

/// Pixels of the widest word.
const WORD: usize = 16;
/// Loads of one element from which on threads use it for several pixels, as in a filter.
const SEVERAL: u32 = 3;

/// An element that is read twice where others are read once and others never: their number is right.
fn taken_twice(witness: &Witness, name: &str, elements: &[Touches]) -> Option<String> {
    let some = |reads: u32| elements.iter().any(|touches| touches.reads == reads);
    if elements.iter().any(|touches| touches.reads > SEVERAL) || !some(1) {
        return None;
    }
    let at = elements.iter().position(|touches| touches.reads > 1)?;
    let by: Vec<String> = elements[at]
        .readers
        .into_iter()
        .flatten()
        .map(|thread| match thread.line {
            0 => in_words(witness, thread),
            line => format!("{} in line {line}", in_words(witness, thread)),
        })
        .collect();
    let by = match by.as_slice() {
        [first, second] => format!("by {first}, and by {second}"),
        [only] => format!("{} times by {only}", elements[at].reads),
        _ => return None,
    };
    Some(format!("`{name}[{at}]` was read {by}"))
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

/// The touches of each element: those of its first byte.
fn elements(buffer: &Touched, size: usize) -> Vec<Touches> {
    buffer.bytes.iter().step_by(size).copied().collect()
}

fn indices(elements: &[Touches], is: impl Fn(&Touches) -> bool) -> Vec<usize> {
    elements.iter().enumerate().filter(|(_, touches)| is(touches)).map(|(at, _)| at).collect()
}

/// A thread that touched one element alone, and not the one of its own number: the thread, that element, and its own.
/// `None` unless one launch touched them all, and has a thread for every pixel: kernels that share a picture, as one for its border and
/// one for the rest, number their pixels as they like.
fn stranger(
    witness: &Witness,
    elements: &[Touches],
    (width, height): (usize, usize),
    threads: impl Fn(&Touches) -> [Option<Toucher>; 2],
) -> Option<(Toucher, usize, usize)> {
    let mut touched: Vec<(Toucher, usize)> = elements
        .iter()
        .enumerate()
        .flat_map(|(at, touches)| threads(touches).into_iter().flatten().map(move |thread| (thread, at)))
        .collect();
    touched.sort_unstable();
    // The last few alone are what is left over from whole words, by threads that are counted anew.
    let mut all: Vec<usize> = touched.iter().map(|(_, at)| *at).collect();
    all.sort_unstable();
    if all.len() < WORD && all.first().is_some_and(|first| *first > 0 && first + all.len() == elements.len())
    {
        return None;
    }
    if touched.first().map(|(first, _)| first.launch) != touched.last().map(|(last, _)| last.launch)
        || idles(witness)
    {
        return None;
    }
    if has_halo_threads(witness, elements, &touched, width, width * height) {
        return None;
    }
    let same = |one: &Toucher, other: &Toucher| {
        (one.launch, one.block, one.thread) == (other.launch, other.block, other.thread)
    };
    let alone = touched.chunk_by(|one, other| same(&one.0, &other.0)).map(|chunk| (chunk.len(), chunk[0]));
    let mut wrong = None;
    for (count, (thread, at)) in alone {
        let launch = witness.launches.get(thread.launch as usize)?;
        // Several pixels per thread may be in any order.
        if count != 1 || !covers(launch, width, height) {
            return None;
        }
        let own = number(launch, thread, width);
        if wrong.is_none() && own.is_some_and(|own| own != at && own < width * height) {
            wrong = own.map(|own| (thread, at, own));
        }
    }
    wrong
}

/// Whether the threads in some column or row of all blocks touch nothing, though they have pixels by their number: they only load what lies
/// around the pixels of the others, so that a thread with a pixel has another number than that.
fn has_halo_threads(
    witness: &Witness,
    elements: &[Touches],
    touched: &[(Toucher, usize)],
    width: usize,
    pixels: usize,
) -> bool {
    let Some(launch) = touched.first().and_then(|(first, _)| witness.launches.get(first.launch as usize))
    else {
        return false;
    };
    // Of more threads that touch one element, not all are known.
    if elements.iter().any(|touches| touches.writes.max(touches.reads) > 2) {
        return false;
    }
    let busy: BTreeSet<(usize, u32)> = touched
        .iter()
        .flat_map(|(thread, _)| {
            let own = coordinates(launch, *thread).1;
            [(0, own[0]), (1, own[1])]
        })
        .collect();
    let threads: u32 = launch.block.iter().product();
    // The first block alone has threads at all places with a pixel, if any has.
    (0..threads).any(|thread| {
        let thread = Toucher { launch: touched[0].0.launch, block: 0, thread, line: 0 };
        let own = coordinates(launch, thread).1;
        let idle = [0, 1].into_iter().any(|axis| !busy.contains(&(axis, own[axis])));
        idle && number(launch, thread, width).is_some_and(|own| own < pixels)
    })
}

/// Whether a launch touched no buffer: there may be a part of a picture that this one lacks.
fn idles(witness: &Witness) -> bool {
    let bytes = witness.buffers.iter().flat_map(|buffer| &buffer.bytes);
    let threads = bytes.flat_map(|touches| touches.writers.iter().chain(&touches.readers)).flatten();
    let busy: BTreeSet<u32> = threads.map(|thread| thread.launch).collect();
    busy.len() < witness.launches.len()
}

/// Whether a launch has a thread for every pixel, in one dimension or in two, and hardly a block more: with many more, a thread is meant for
/// something else than a pixel.
fn covers(launch: &WitnessedLaunch, width: usize, height: usize) -> bool {
    let fits = |side: usize, all: usize| {
        let needed = all.div_ceil(launch.block[side].max(1) as usize);
        (needed..=needed + 1).contains(&(launch.grid[side] as usize))
    };
    let flat = launch.grid[2] == 1 && launch.block[2] == 1;
    let one = launch.grid[1] == 1 && launch.block[1] == 1;
    flat && (if one { fits(0, width * height) } else { fits(0, width) && fits(1, height) })
}

/// The pixel with the number of a thread; `None` if the thread lies beyond the image.
fn number(launch: &WitnessedLaunch, thread: Toucher, width: usize) -> Option<usize> {
    let (block, own) = coordinates(launch, thread);
    let at = [0, 1].map(|side| (block[side] * launch.block[side] + own[side]) as usize);
    if launch.grid[1] * launch.block[1] == 1 {
        return Some(at[0]);
    }
    (at[0] < width).then(|| at[1] * width + at[0])
}

/// `blockIdx` and `threadIdx`.
fn coordinates(launch: &WitnessedLaunch, thread: Toucher) -> ([u32; 3], [u32; 3]) {
    let split = |at: u64, of: [u32; 3]| {
        let [x, y] = [u64::from(of[0].max(1)), u64::from(of[1].max(1))];
        [at % x, at / x % y, at / x / y].map(|part| part as u32)
    };
    (split(thread.block, launch.grid), split(u64::from(thread.thread), launch.block))
}

fn in_words(witness: &Witness, thread: Toucher) -> String {
    let Some(launch) = witness.launches.get(thread.launch as usize) else { return "a thread".to_owned() };
    let (block, own) = coordinates(launch, thread);
    format!("thread {} of block {}", tuple(own), tuple(block))
}

fn launch_in_words(launch: &WitnessedLaunch) -> String {
    let count = |of: [u32; 3]| grouped(of.iter().map(|side| u64::from(*side)).product());
    let (blocks, threads) = (count(launch.grid), count(launch.block));
    let plural =
        |number: &str, what: &str| format!("{number} {what}{}", if number == "1" { "" } else { "s" });
    format!("`{}` with {} of {}", launch.kernel, plural(&blocks, "block"), plural(&threads, "thread"))
}

fn tuple(of: [u32; 3]) -> String {
    match of {
        [x, 0, 0] => x.to_string(),
        [x, y, 0] => format!("({x}, {y})"),
        [x, y, z] => format!("({x}, {y}, {z})"),
    }
}

/// Which elements, as the start of a sentence.
fn were(name: &str, indices: &[usize], total: usize) -> String {
    let count = grouped(indices.len() as u64);
    let of = format!("{count} of {} elements", grouped(total as u64));
    match indices {
        [only] => format!("`{name}[{only}]` was"),
        [first, .., last] if last - first + 1 == indices.len() => {
            format!("`{name}[{first}]` to `{name}[{last}]` ({of}) were")
        }
        [first, second, _, ..] if indices.windows(2).all(|pair| pair[1] - pair[0] == second - first) => {
            format!("every {} element from `{name}[{first}]` on ({of}) was", ordinal(second - first))
        }
        _ => format!("{of} ({}) were", few(name, indices)),
    }
}

fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
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
    fn the_distance_of_the_rows_that_were_written_is_told() {
        let told = |rows: usize, step: usize| {
            let mut elements = vec![Touches::default(); 30];
            for at in (0..rows).flat_map(|y| (0..3).map(move |x| y * step + x)).filter(|at| *at < 30) {
                elements[at].writes = 1;
            }
            pitch("out", &elements, 3)
        };
        let four = "`out` was written as if its rows began 4 elements apart: a row has 3, so that row y begins at y * 3";
        assert_eq!(told(10, 4).as_deref(), Some(four));
        let nine = "`out` was written as if its rows began 9 elements apart (3 rows): a row has 3, so that row y begins at y * 3";
        assert_eq!(told(10, 9).as_deref(), Some(nine));
        assert_eq!([told(10, 3), told(5, 3), told(2, 9), told(0, 9)], [None, None, None, None]);
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

    #[test]
    fn two_stores_are_blamed_only_where_they_explain_all_wrong_elements() {
        let shape = OutputShape { name: "out", element: Element::U8, row: 4, zeroed: false };
        let thread = Some(Toucher { launch: 0, block: 0, thread: 0, line: 7 });
        let twice = |found: [u8; 4], is_left_out: bool| {
            let output =
                Output { shape: &shape, expected: &[9; 4], found: &found, tolerance: Tolerance::Exact };
            let mut elements = vec![Touches { writers: [thread, None], ..Touches::default() }; 4];
            elements[2].writers[1] = thread;
            stored_twice(&elements, &output, is_left_out)
        };
        assert_eq!(twice([9, 9, 0, 9], false), Some(2));
        assert_eq!(twice([9, 0, 0, 9], false), None, "another one is wrong, too");
        assert_eq!(twice([9, 0, 0, 9], true), Some(2), "what is left out may be here");
        assert_eq!(twice([9, 0, 9, 9], true), None, "a right value");
    }
}
