//! The first wrong result of a task of several steps: what buffers held in the course of the call, beside what the steps of the
//! task give.
//!
//! A step is told only if a buffer is certain to be meant for its result: a right one by all its values, a wrong one by its size and by its
//! name or most of its values.

use lab::{OutputShape, Stage, Tolerance};
use runtime::engine::{MovedFrom, State, Witness};

use crate::build::code::last_name;
use crate::build::{self, arguments, block};
use crate::counted::counted;
use crate::numbers::grouped;
use crate::places;
use crate::rounding::{self, Output};

/// What to try where a step is wrong, and the step before is right.
pub const HINT: &str = "look at the wrong step alone: work out its first wrong value by hand, and follow the lines that compute it; \
     the results before it are right";
/// The same for the first step.
pub const FIRST: &str = "look at this step first: those after it only work with its wrong values";
/// What to try where the result on the GPU is right.
pub const COPIED: &str = "compare the two addresses, the number of bytes and the direction of each `cudaMemcpy` that brings the result to the host";

/// What is said of values that no step is looked for in.
pub const NOT_COMPARED: &str = "was not compared";
/// How the fact ends where the output is right all the same.
const BY_CHANCE: &str = ", where the output is right by chance";
/// How the fact begins where all steps that are found are right.
const AFTER: &str = "what comes after ";

/// A step whose result was found.
struct Right<'a> {
    stage: &'a Stage,
    /// Its buffer, or the kernel that is given it.
    place: String,
    /// The number of the state; for an argument, the first one.
    moment: usize,
}

/// What a call of a task of several steps left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Steps {
    witness: Witness,
    stages: Vec<Stage>,
    /// The wrong output: its facts, the reference's bytes, and how close they must come.
    wrong: (OutputShape, Vec<u8>, Tolerance),
    /// Where its wrong pixels lie, if they lie at few places.
    places: Option<String>,
    /// The case, if only its first step is looked at, and whether its output is right all the same.
    early: Option<(String, bool)>,
}

/// Whether this was seen where the output is right.
pub fn is_early(seen: &[String]) -> bool {
    seen.first().is_some_and(|seen| seen.contains(BY_CHANCE))
}

impl Steps {
    /// What there is to tell of; `None` if the task has one step, or no output is wrong.
    pub fn of(
        witness: &Witness,
        stages: Vec<Stage>,
        outputs: &[Output<'_>],
        size: (usize, usize),
    ) -> Option<Self> {
        let wrong = outputs.iter().find(|output| output.expected != output.found)?;
        let places = places::places(wrong, size);
        let wrong = (*wrong.shape, wrong.expected.to_vec(), wrong.tolerance);
        (!stages.is_empty()).then(|| Self { witness: kept(witness), stages, wrong, places, early: None })
    }

    /// Of a call whose output is right by chance, or that an error has ended: what there is to tell if the counters of its first step are wrong.
    pub fn early(witness: &Witness, mut stages: Vec<Stage>, case: &str, by_chance: bool) -> Option<Self> {
        stages.truncate(1);
        let stage = stages.first().filter(|stage| stage.parts.is_empty() && stage.row == 0)?;
        let mut states = witness.states.iter().filter(|state| state.bytes.len() == stage.bytes.len());
        let is_right = states.clone().any(|state| agree(stage, &state.bytes));
        let is_wrong = !is_right && states.any(|state| counts(witness, stage, state, by_chance));
        let shape = OutputShape { name: "", element: stage.element, row: 0, zeroed: true };
        let wrong = (shape, stage.bytes.clone(), Tolerance::Exact);
        let early = Some((case.to_owned(), by_chance));
        is_wrong.then(|| Self { witness: kept(witness), stages, wrong, places: None, early })
    }

    /// The kernel that has stored the wrong counters of the first step, if only that is looked at.
    pub fn counting(&self) -> Option<&str> {
        let (stage, (_, by_chance)) = self.stages.first().zip(self.early.as_ref())?;
        let counts = |state: &&State| counts(&self.witness, stage, state, *by_chance);
        let launch = self.witness.states.iter().rfind(counts)?.launch.unwrap_or(0);
        self.witness.launches.get(launch as usize).map(|launch| launch.kernel.as_str())
    }

    /// What is right, what is wrong first, and what to try, with the names of this source.
    pub fn told(mut self, source: &str) -> Option<(Vec<String>, &'static str)> {
        for state in &mut self.witness.states {
            let named = build::renamed(&format!("`{}`", state.name), source).into_owned();
            // The function tells apart what several allocate.
            let name = named.trim_matches('`');
            name.split_once("` of line").map_or(name, |(name, _)| name).clone_into(&mut state.name);
        }
        let mut parameters = Vec::new();
        for launch in &mut self.witness.launches {
            let own = arguments::declared(source, &launch.kernel).unwrap_or_default();
            for (argument, parameter) in launch.arguments.iter_mut().zip(&own) {
                // An address is no number of the task.
                if parameter.contains('*') {
                    argument.clear();
                }
            }
            parameters.push(own);
        }
        if let Some((case, by_chance)) = &self.early {
            let stage = self.stages.first()?;
            let counts = |state: &&State| {
                counts(&self.witness, stage, state, *by_chance) && is_named(stage, &state.name)
            };
            let state = self.witness.states.iter().rfind(counts)?;
            let differing = differing(&self.witness, stage, state)?;
            let by_chance = if *by_chance { BY_CHANCE } else { "" };
            let seen = format!("in case \"{case}\"{by_chance}, {} is wrong: {differing}", stage.name);
            return Some((std::iter::once(seen).chain(more(stage, state)).collect(), FIRST));
        }
        let (shape, expected, tolerance) = &self.wrong;
        let wrong = Output { shape, expected, found: &[], tolerance: *tolerance };
        let (mut seen, hint) = told(&self.witness, &parameters, &self.stages, &wrong)?;
        if seen[0].starts_with(AFTER) {
            seen.extend(between(&self.witness, source, &seen[0]));
            seen.splice(1..1, self.places);
        }
        Some((seen, hint))
    }
}

/// Whether atomics alone have made this state of counters: what stores to them as well may have gone on from them. In a call that an error
/// has ended, also the zeros of a fill, if no launch has stored there.
fn counts(witness: &Witness, stage: &Stage, state: &State, by_chance: bool) -> bool {
    // Atomics of the last launch that leave only zeros may have taken the counts out, for the next call.
    let is_last = state.launch.is_none_or(|launch| launch as usize + 1 >= witness.launches.len());
    let taken = is_last && state.bytes.iter().all(|byte| *byte == 0);
    let counted = state.counted && !state.mixed && !taken;
    let stored =
        || witness.states.iter().any(|other| other.address == state.address && other.launch.is_some());
    let cleared = || !by_chance && state.bytes.iter().all(|byte| *byte == 0) && !stored();
    state.bytes.len() == stage.bytes.len() && (counted || cleared())
}

/// What steps are told from.
fn kept(witness: &Witness) -> Witness {
    let (states, launches) = (witness.states.clone(), witness.launches.clone());
    Witness { states, launches, shared: witness.shared.clone(), ..Witness::default() }
}

/// The lines that fill shared memory in the kernel that a fact names: no step is looked for there.
fn between(witness: &Witness, source: &str, seen: &str) -> Option<String> {
    let kernel = &witness.launches.last().filter(|launch| seen.contains(&launch.kernel))?.kernel;
    let own = block::body(source, kernel);
    let (first, last) = (own.first()?.0, own.last()?.0);
    let lines = witness.shared[0].iter().copied().filter(|line| (first..=last).contains(line)).collect();
    let lines = crate::numbers::lines_in_words(lines)?;
    let fill = if lines.starts_with("lines") { "fill" } else { "fills" };
    Some(format!("what `{kernel}` keeps in shared memory {NOT_COMPARED}: {lines} {fill} it"))
}

/// The same, with the parameters of the kernel of each launch.
fn told(
    witness: &Witness,
    parameters: &[Vec<String>],
    stages: &[Stage],
    output: &Output<'_>,
) -> Option<(Vec<String>, &'static str)> {
    let mut right: Vec<(usize, Right<'_>)> = Vec::new();
    for (number, stage) in stages.iter().enumerate() {
        let after = right.last().map_or(0, |(_, right)| right.moment);
        right.extend(found(witness, parameters, stage, after, &right).map(|right| (number, right)));
    }
    let next = right.last().map_or(0, |(number, _)| number + 1);
    let so_far = (!right.is_empty()).then(|| {
        let all: Vec<String> =
            right.iter().map(|(_, right)| format!("{}, {}", right.stage.name, right.place)).collect();
        format!("right before it: {}", and(&all))
    });
    let hint = if right.is_empty() { FIRST } else { HINT };
    let wrong = stages[next..].iter().find_map(|stage| Some((stage, meant(witness, stage, &right)?)));
    if let Some((stage, state)) = wrong {
        let mut seen =
            vec![format!("the first wrong result is {}: {}", stage.name, differing(witness, stage, state)?)];
        seen.extend(more(stage, state));
        seen.extend(so_far);
        return Some((seen, hint));
    }
    let given = stages[next..].iter().find_map(|stage| {
        let together = given(witness, parameters, stage);
        together.or_else(|| given_apart(witness, parameters, stage).filter(|_| stage.parts.len() > 1))
    });
    if let Some(given) = given {
        let seen = [format!("the first wrong result is {given}")].into_iter().chain(so_far).collect();
        return Some((seen, hint));
    }
    let so_far = so_far?;
    let (last, after) = right.last().map(|(_, right)| (right.stage.name, right.moment))?;
    let is_used = |state: &State| {
        right.iter().any(|(_, right)| {
            witness.states.get(right.moment).is_some_and(|used| used.address == state.address)
        })
    };
    let mut results = witness.states[after..].iter().filter(|state| {
        state.bytes.len() == output.expected.len() && state.launch.is_some() && !is_used(state)
    });
    // A later kernel may have written over it, and of one pixel, a step before may give the same.
    let is_kept = |state: &&State| {
        let last = witness.states.iter().rfind(|other| other.address == state.address);
        output.expected.len() > output.shape.element.size()
            && last.is_some_and(|last| std::ptr::eq(last, *state))
    };
    if let Some(state) = results.clone().filter(is_kept).find(|state| equals(output, &state.bytes)) {
        let seen = format!(
            "`{}` held the right result on the GPU{}: it is wrong only in `{}`",
            state.name,
            in_lines(witness, state),
            output.shape.name
        );
        return Some((vec![seen], COPIED));
    }
    let seen = match results.next_back() {
        Some(state) => {
            format!("{AFTER}{last} is wrong: `{}`{}", state.name, in_lines(witness, state))
        }
        None => format!("{AFTER}{last} is wrong"),
    };
    Some((vec![seen, so_far], HINT))
}

/// Where the result of a step is, at this moment or later.
fn found<'a>(
    witness: &Witness,
    parameters: &[Vec<String>],
    stage: &'a Stage,
    after: usize,
    before: &[(usize, Right<'_>)],
) -> Option<Right<'a>> {
    let is_used = |moment: usize| before.iter().any(|(_, right)| right.moment == moment);
    let states = witness.states.iter().enumerate().skip(after);
    // Of one pixel, every step may give the same.
    let is_meant = |state: &State| stage.bytes.len() > 1 || is_named(stage, &state.name);
    let is_right = |(moment, state): &(usize, &State)| {
        state.bytes.len() == stage.bytes.len()
            && !is_used(*moment)
            && agree(stage, &state.bytes)
            && is_meant(state)
    };
    if let Some((moment, state)) = states.clone().find(|state| is_right(state)) {
        let place = format!("`{}`{}", state.name, in_lines(witness, state));
        return Some(Right { stage, place, moment });
    }
    // Two buffers, or two numbers that a kernel is given.
    if stage.parts.is_empty() {
        return None;
    }
    let size = stage.element.size();
    let given = witness.launches.iter().enumerate().position(|(number, launch)| {
        let fits = |own: &Vec<u8>| *own == stage.bytes || stage.forms.contains(own);
        let mut parts = launch.arguments.windows(stage.parts.len()).enumerate();
        launch.arguments.iter().any(fits)
            || parts.any(|(at, parts)| {
                fits(&parts.concat())
                    && parameters.get(number).is_none_or(|names| are_meant(stage, names, at, parts))
            })
    });
    if let Some(launch) = given {
        let place = format!("given to `{}`", witness.launches[launch].kernel);
        return Some(Right { stage, place, moment: after });
    }
    let one = |part: &[u8]| {
        states.clone().find(|(_, state)| state.bytes == part).map(|(moment, state)| (moment, &state.name))
    };
    let all: Option<Vec<(usize, &String)>> = stage.bytes.chunks(size).map(one).collect();
    let all = all?;
    let names: Vec<String> = all.iter().map(|(_, name)| format!("`{name}`")).collect();
    // One counter with the same value twice says nothing.
    (names[0] != *names.last()?).then(|| Right {
        stage,
        place: and(&names),
        moment: all.iter().map(|(moment, _)| *moment).max().unwrap_or(after),
    })
}

/// Whether a name or declaration says that something is meant for the result of a step.
fn is_named(stage: &Stage, name: &str) -> bool {
    let name = name.to_lowercase();
    stage.words.iter().any(|word| name.contains(word))
}

/// Whether the arguments from this place on are those that the names of their parameters promise: `low` gets the low one, and `high` the
/// high one, or one more.
fn are_meant(stage: &Stage, parameters: &[String], at: usize, arguments: &[Vec<u8>]) -> bool {
    let value = |bytes: &[u8]| stage.element.value(bytes);
    let all = stage.parts.iter().zip(stage.bytes.chunks(stage.element.size()));
    let own = || parameters.iter().skip(at).map(|parameter| last_name(parameter)).zip(arguments);
    all.into_iter().all(|(part, right)| {
        own().filter(|(name, _)| name == part).all(|(_, own)| [0, 1].contains(&(value(own) - value(right))))
    })
}

/// The first number that a kernel is given as a part of a result by name, and that is wrong.
fn given_apart(witness: &Witness, parameters: &[Vec<String>], stage: &Stage) -> Option<String> {
    let size = stage.element.size();
    let value = |bytes: &[u8]| stage.element.value(bytes);
    witness.launches.iter().zip(parameters).find_map(|(launch, parameters)| {
        let own = |part: &str| {
            let mut named = parameters.iter().zip(&launch.arguments);
            let argument =
                named.find(|(parameter, _)| last_name(parameter) == part).map(|(_, argument)| argument)?;
            (argument.len() == size && (-1..=256).contains(&value(argument))).then(|| value(argument))
        };
        // One of them alone may be something else.
        let all: Option<Vec<i64>> = stage.parts.iter().map(|part| own(part)).collect();
        let both = stage.parts.iter().zip(stage.bytes.chunks(size).map(value)).zip(all?);
        // An end may be one past the last.
        let ((part, right), own) =
            both.into_iter().find(|((_, right), own)| ![0, 1].contains(&(own - right)))?;
        Some(format!(
            "{}, given to `{}`: `{part}` is {own}, and should be {right}",
            stage.name, launch.kernel
        ))
    })
}

/// Numbers that a kernel is given together, and that are likely meant for a result of several parts, but wrong.
fn given(witness: &Witness, parameters: &[Vec<String>], stage: &Stage) -> Option<String> {
    let size = stage.element.size();
    let value = |bytes: &[u8]| stage.element.value(bytes);
    let is_level = |bytes: &[u8]| (-1..=256).contains(&value(bytes));
    let launches = witness.launches.iter().zip(parameters).filter(|_| stage.parts.len() > 1);
    launches.into_iter().find_map(|(launch, parameters)| {
        let fits = |(argument, parameter): &(&Vec<u8>, &String)| {
            argument.len() == stage.bytes.len()
                && argument.chunks(size).all(is_level)
                && is_named(stage, parameter)
        };
        let (own, _) = launch.arguments.iter().zip(parameters).find(fits)?;
        let both = stage.parts.iter().zip(stage.bytes.chunks(size).zip(own.chunks(size)));
        let (part, (right, own)) = both.into_iter().find(|(_, (right, own))| right != own)?;
        let (right, own) = (value(right), value(own));
        Some(format!(
            "{}, given to `{}`: `{part}` is {own}, and should be {right}",
            stage.name, launch.kernel
        ))
    })
}

/// Whether these are the values of a step that matter.
fn agree(stage: &Stage, bytes: &[u8]) -> bool {
    let (same, all) = same(stage, bytes);
    same == all || stage.forms.iter().any(|form| form == bytes)
}

/// The numbers and values of the elements that matter: those that they should have, and their own.
fn both<'a>(stage: &'a Stage, bytes: &'a [u8]) -> impl Iterator<Item = (usize, i64, i64)> + 'a {
    let size = stage.element.size();
    let value = |bytes: &[u8]| stage.element.value(bytes);
    let both = stage.bytes.chunks(size).zip(bytes.chunks(size)).enumerate();
    both.filter(|(at, _)| !stage.open.get(*at).copied().unwrap_or(false))
        .map(move |(at, (right, own))| (at, value(right), value(own)))
}

/// Whether an element is as close as it has to be.
fn is_right(stage: &Stage, right: i64, own: i64) -> bool {
    stage.tolerance.allows(right.abs_diff(own))
}

/// Elements that matter and are right, of how many.
fn same(stage: &Stage, bytes: &[u8]) -> (usize, usize) {
    both(stage, bytes).fold((0, 0), |(same, all), (_, right, own)| {
        (same + usize::from(is_right(stage, right, own)), all + 1)
    })
}

/// The wrong result of a step: the state of a buffer that is certain to be meant for it.
fn meant<'a>(witness: &'a Witness, stage: &Stage, right: &[(usize, Right<'_>)]) -> Option<&'a State> {
    let after = right.last().map_or(0, |(_, right)| right.moment);
    let is_known = |state: &State| {
        right.iter().any(|(_, right)| witness.states.get(right.moment).is_some_and(|own| own == state))
    };
    let is_flat = |state: &State| state.bytes.windows(2).all(|pair| pair[0] == pair[1]);
    let is_like = |state: &State| {
        let (same, all) = same(stage, &state.bytes);
        2 * same > all && !is_flat(state)
    };
    let fits = |state: &&State| {
        state.bytes.len() == stage.bytes.len()
            && !state.mixed
            && !is_known(state)
            && (state.counted || state.bytes.iter().any(|byte| *byte != 0))
    };
    let states = || witness.states[after.min(witness.states.len())..].iter().filter(fits);
    let closest =
        |states: &mut dyn Iterator<Item = &'a State>| states.max_by_key(|state| same(stage, &state.bytes).0);
    // Zeros that the host has computed are a result; those of a fill are none yet.
    let is_copy = |state: &&State| {
        let from_host = state.moved.as_ref().is_some_and(|moved| moved.from == MovedFrom::Host);
        state.bytes.len() == stage.bytes.len() && state.launch.is_none() && from_host
    };
    let mut copies = witness.states[after.min(witness.states.len())..].iter().filter(is_copy);
    closest(&mut states().filter(|state| is_named(stage, &state.name)))
        .or_else(|| closest(&mut states().filter(|state| is_like(state))))
        .or_else(|| copies.find(|state| is_named(stage, &state.name) && !state.lines.is_empty()))
}

/// The first wrong element, and the lines that store it.
fn differing(witness: &Witness, stage: &Stage, state: &State) -> Option<String> {
    let (at, right, own) =
        both(stage, &state.bytes).find(|(_, right, own)| !is_right(stage, *right, *own))?;
    let element = match stage.parts.get(at) {
        Some(part) => format!("`{part}` in `{}`", state.name),
        None => format!("`{}[{at}]`", state.name),
    };
    Some(format!("{element} is {own}, and should be {right}{}", in_lines(witness, state)))
}

/// What counters or a picture of this step say more.
fn more(stage: &Stage, state: &State) -> Option<String> {
    let name: &'static str = "";
    let shape = OutputShape { name, element: stage.element, row: stage.row, zeroed: true };
    let output =
        Output { shape: &shape, expected: &stage.bytes, found: &state.bytes, tolerance: Tolerance::Exact };
    let told = if stage.parts.is_empty() && stage.row == 0 {
        counted(&output).map(|(told, _)| told)
    } else {
        rounding::nearly_right(&output).map(|(told, _)| told)
    };
    if let Some(told) = told {
        return Some(
            told.replace("``", &format!("`{}`", state.name)).replace("`[", &format!("`{}[", state.name)),
        );
    }
    let (same, all) = same(stage, &state.bytes);
    (stage.parts.is_empty() && all > 1).then(|| {
        format!(
            "{} of the {} values of `{}` {} wrong",
            grouped((all - same) as u64),
            grouped(all as u64),
            state.name,
            if all - same == 1 { "is" } else { "are" }
        )
    })
}

/// Whether this is what an output should hold.
pub(super) fn equals(output: &Output<'_>, bytes: &[u8]) -> bool {
    let own =
        Output { shape: output.shape, expected: output.expected, found: bytes, tolerance: output.tolerance };
    own.off().all(|off| !own.is_wrong(off))
}

/// Who has stored it: `` (`k`, line 8)``.
fn in_lines(witness: &Witness, state: &State) -> String {
    let Some(lines) = crate::numbers::lines_in_words(state.lines.clone()) else { return String::new() };
    match state.launch.and_then(|launch| witness.launches.get(launch as usize)) {
        Some(launch) => format!(" (`{}`, {lines})", launch.kernel),
        None => format!(" (computed on the CPU, and copied to the GPU in {lines})"),
    }
}

fn and(all: &[String]) -> String {
    match all {
        [] => String::new(),
        [one] => one.clone(),
        [some @ .., last] => format!("{} and {last}", some.join(", ")),
    }
}
